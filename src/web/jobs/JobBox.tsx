import { useState } from 'react';
import type { Job } from '../../contract/jobs.ts';
import { formatAge } from '../../kube/age.ts';
import { sentenceOf } from '../../registry/execute.ts';
import { useApp } from '../app/context.ts';
import { refIn } from '../actions/acting.ts';
import { ObjectLink } from '../resource/detail/ObjectLink.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorAlert } from '../ui/ErrorAlert.tsx';
import { Glyph, StatusText } from '../ui/marks.tsx';
import { jobStatus, progressOf, stepsByInterest, stepStatus } from './job-text.ts';

/** Parts shown before one asks for all. */
const first = 8;

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
  const { api } = useApp();
  const [isWhole, setWhole] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const { done, all } = progressOf(job);
  const steps = stepsByInterest(job.steps);
  const isRunning = job.status === 'running';
  const shown = isWhole ? steps : isRunning || job.status === 'failed' ? steps.slice(0, first) : [];
  const at = Date.parse(job.finishedAt ?? job.startedAt);
  const cancel = () => {
    setAsking(true);
    setFailure(undefined);
    api
      .cancelJob({ params: { clusterId, jobId: job.id } })
      .catch((error: unknown) => setFailure(sentenceOf(error)))
      .finally(() => setAsking(false));
  };
  return (
    <section className="job" aria-label={job.title}>
      <div className="row wrap">
        <StatusText {...(job.isCancelling ? { tone: 'info', label: 'Stopping' } : jobStatus[job.status])} />
        <b className="semi break">
          {isListed ? <ObjectLink to={refIn(clusterId, job.ref)}>{job.title}</ObjectLink> : job.title}
        </b>
        <span className="sec small">
          by {job.startedBy}, {isRunning ? 'for' : 'ended'} {formatAge(Math.max(0, now - at) / 1000)}
          {isRunning ? '' : ' ago'}
        </span>
        <span className="grow" />
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
        <progress value={done} max={all} aria-label={`${done} of ${all} done`}>
          {done} of {all}
        </progress>
      )}
      <p role="status">{job.message}</p>
      <ErrorAlert title="It was not cancelled." message={failure} />
      {shown.length > 0 && (
        <ul className="job-steps">
          {shown.map(({ name, status, message }) => (
            <li key={name}>
              <Glyph tone={stepStatus[status].tone} size={11} />
              <span className="break">{name}</span>
              <span className="sec">
                <span className="vh">{stepStatus[status].label}</span>
                {message}
              </span>
            </li>
          ))}
        </ul>
      )}
      {steps.length > shown.length && (
        <button type="button" className="link small" onClick={() => setWhole(true)}>
          Show all {steps.length} steps
        </button>
      )}
    </section>
  );
}
