import type { KubeObject } from '../../../kube/object.ts';
import { healthAt, type WorkloadHealth } from '../../../kube/workload-status.ts';
import type { Tone } from '../../../registry/tone.ts';

/** Pods of one state. */
export interface RolloutPart {
  readonly tone: Tone;
  readonly count: number;
  /** `3 available` */
  readonly text: string;
}

/** How far a workload's rollout is: in a sentence, and part by part. */
export interface RolloutState {
  readonly summary: string;
  readonly parts: readonly RolloutPart[];
}

/** The tone of unavailable pods, by the state of their workload. */
const waitingTones: Readonly<Record<WorkloadHealth['state'], Tone>> = {
  available: 'info',
  progressing: 'info',
  paused: 'idle',
  empty: 'idle',
  degraded: 'warn',
  stuck: 'bad',
  unavailable: 'bad',
};

/**
 * The rollout of a workload; undefined for other kinds, and where no pod is wanted or there.
 * @param read as its kind reads it
 * @param now the server's clock, epoch seconds
 */
export function rolloutOf(
  read: WorkloadHealth | undefined,
  object: KubeObject,
  now: number,
): RolloutState | undefined {
  if (read === undefined) return undefined;
  const health = healthAt(read, now);
  const { status } = object as { readonly status?: { readonly replicas?: number } };
  const { desired, updated, available, state } = health;
  const total = Math.max(desired, status?.replicas ?? 0, available);
  if (total === 0) return undefined;
  const surplus = Math.max(0, total - Math.max(desired, available));
  const waiting = total - available - surplus;
  const parts: readonly RolloutPart[] = [
    { tone: 'ok', count: available, text: `${available} available` },
    { tone: waitingTones[state], count: waiting, text: `${waiting} not available` },
    { tone: 'idle', count: surplus, text: `${surplus} more than desired` },
  ];
  return {
    summary: `${desired} desired, ${available} available, ${updated} up to date`,
    parts: parts.filter(({ count }) => count > 0),
  };
}
