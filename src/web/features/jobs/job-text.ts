import type { Job, JobStatus, JobStep } from '../../../contract/jobs.ts';
import type { Tone } from '../../../registry/tone.ts';

/** How a job stands, as a status. */
export const jobStatus: Readonly<Record<JobStatus, { readonly tone: Tone; readonly label: string }>> = {
  running: { tone: 'info', label: 'Running' },
  succeeded: { tone: 'ok', label: 'Done' },
  failed: { tone: 'bad', label: 'Failed' },
  cancelled: { tone: 'idle', label: 'Cancelled' },
  interrupted: { tone: 'warn', label: 'Interrupted' },
};

/** How a part of it stands. */
export const stepStatus: Readonly<
  Record<JobStep['status'], { readonly tone: Tone; readonly label: string }>
> = {
  waiting: { tone: 'idle', label: 'Waiting' },
  running: { tone: 'info', label: 'Running' },
  done: { tone: 'ok', label: 'Done' },
  failed: { tone: 'bad', label: 'Failed' },
  skipped: { tone: 'idle', label: 'Left' },
};

/** Parts that are over, of those that something is done to. */
export function progressOf({ steps }: Pick<Job, 'steps'>): { readonly done: number; readonly all: number } {
  const own = steps.filter(({ status }) => status !== 'skipped');
  return { done: own.filter(({ status }) => status === 'done').length, all: own.length };
}

/** Parts in the order of interest: trouble, what goes on, what waits, what is over. */
export function stepsByInterest(steps: readonly JobStep[]): readonly JobStep[] {
  const order = ['failed', 'running', 'waiting', 'done', 'skipped'] as const;
  return steps.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
}
