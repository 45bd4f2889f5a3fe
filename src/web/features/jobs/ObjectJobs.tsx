import { useQuery } from '@tanstack/react-query';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useData } from '../../data/port.ts';
import { sectionLook } from '../../kit/Section.tsx';
import { JobBox } from './JobBox.tsx';

/** How long an ended job stays on its object's page, ms. */
const shownFor = 60 * 60_000;

interface ObjectJobsProps {
  readonly self: ObjectRef;
  /** The server's clock, ms. */
  readonly now: number;
}

/** The newest job of an object, while it runs and a while after. */
export function ObjectJobs({ self, now }: ObjectJobsProps) {
  const { queries } = useData();
  const clusterId = Number(self.cluster);
  const jobs = useQuery(queries.jobs(clusterId));
  const job = jobs.data?.find(
    ({ ref }) => ref.kind === self.kind && ref.name === self.name && ref.namespace === self.namespace,
  );
  if (job === undefined) return null;
  const isOld = job.finishedAt !== null && now - Date.parse(job.finishedAt) > shownFor;
  if (isOld) return null;
  return (
    <div className={sectionLook}>
      <JobBox clusterId={clusterId} job={job} now={now} />
    </div>
  );
}
