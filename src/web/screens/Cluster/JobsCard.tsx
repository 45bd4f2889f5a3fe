import { useQuery } from '@tanstack/react-query';
import { useData } from '../../data/port.ts';
import { JobBox } from '../../features/jobs/JobBox.tsx';
import { Card } from '../../kit/Card.tsx';

/** Jobs shown. */
const maxJobs = 5;

interface JobsCardProps {
  readonly clusterId: number;
  /** The server's clock, ms. */
  readonly now: number;
}

/** The server's jobs on the cluster, of all people; hidden while there are none. */
export function JobsCard({ clusterId, now }: JobsCardProps) {
  const { queries } = useData();
  const jobs = useQuery(queries.jobs(clusterId)).data ?? [];
  if (jobs.length === 0) return null;
  const running = jobs.filter(({ status }) => status === 'running');
  const others = jobs.filter(({ status }) => status !== 'running');
  return (
    <Card title="Jobs">
      {[...running, ...others].slice(0, maxJobs).map((job) => (
        <JobBox key={job.id} clusterId={clusterId} job={job} now={now} isListed />
      ))}
    </Card>
  );
}
