import { useState } from 'react';
import type { Job } from '../../../contract/jobs.ts';
import { formatAge } from '../../../kube/age.ts';
import { useData } from '../../data/port.ts';
import { refIn } from '../actions/acting.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { LinkButton } from '../../kit/Link.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { StepLine } from '../../kit/StepLine.tsx';
import { jobStatus, progressOf, stepsByInterest, stepStatus } from './job-text.ts';

/** Parts shown before one asks for all. */
const initialParts = 8;

const progressLook = [
  'my-1.5 block h-1.25 w-full appearance-none overflow-hidden rounded-[1px] border-0 bg-chart-track text-text-3 forced-color-adjust-none',
  '[&::-moz-progress-bar]:bg-text-3 [&::-webkit-progress-bar]:bg-chart-track [&::-webkit-progress-value]:bg-text-3',
].join(' ');

interface JobBoxProps {
  readonly clusterId: number;
  readonly job: Job;
  /** The server's clock, ms. */
  readonly now: number;
  /** Names its object, as a link: where it stands beside others. */
  readonly isListed?: boolean;
}

/** A job of the server: how far it is, what each part waits for, and the way to stop it. */
export function JobBox({ clusterId, job, now, isListed = false }: JobBoxProps) {
  const { api } = useData();
  const [isWhole, setWhole] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const { done, all } = progressOf(job);
  const steps = stepsByInterest(job.steps);
  const isRunning = job.status === 'running';
  const shown = isWhole ? steps : isRunning || job.status === 'failed' ? steps.slice(0, initialParts) : [];
  const at = Date.parse(job.finishedAt ?? job.startedAt);
  const cancel = () => {
    setAsking(true);
    setFailure(undefined);
    api
      .cancelJob({ params: { clusterId, jobId: job.id } })
      .catch(setFailure)
      .finally(() => setAsking(false));
  };
  return (
    <section
      aria-label={job.title}
      className={
        isListed ? 'border-hairline px-3 py-2 not-first-of-type:mt-2.5 not-first-of-type:border-t' : undefined
      }
    >
      <div className="flex min-w-0 flex-wrap items-center gap-1.5">
        <StatusText {...(job.isCancelling ? { tone: 'info', label: 'Stopping' } : jobStatus[job.status])} />
        <b className="font-semibold wrap-anywhere">
          {isListed ? <ObjectLink to={refIn(clusterId, job.ref)}>{job.title}</ObjectLink> : job.title}
        </b>
        <span className="text-(length:--text-xs) text-text-2">
          by {job.startedBy}, {isRunning ? 'for' : 'ended'} {formatAge(Math.max(0, now - at) / 1000)}
          {isRunning ? '' : ' ago'}
        </span>
        <span className="min-w-0 flex-1" />
        {job.canCancel && (
          <Button
            size="sm"
            variant="secondary"
            isLoading={isAsking}
            loadingText="Stopping..."
            reason={job.isCancelling ? 'It is stopping.' : undefined}
            onClick={cancel}
          >
            Cancel
          </Button>
        )}
      </div>
      {isRunning && all > 0 && (
        <progress className={progressLook} value={done} max={all} aria-label={`${done} of ${all} done`}>
          {done} of {all}
        </progress>
      )}
      <p className="my-1" role="status">
        {job.message}
      </p>
      <ErrorAlert title="It was not cancelled." error={failure} />
      {shown.length > 0 && (
        <ul>
          {shown.map(({ name, status, message }) => (
            <StepLine key={name} tone={stepStatus[status].tone} name={name}>
              <span className="sr-only">{stepStatus[status].label}</span>
              {message}
            </StepLine>
          ))}
        </ul>
      )}
      {steps.length > shown.length && (
        <LinkButton className="text-(length:--text-xs)" onClick={() => setWhole(true)}>
          Show all {steps.length} steps
        </LinkButton>
      )}
    </section>
  );
}
