import { settleTime } from '../kube/settle-time.ts';

/**
 * What is wrong with one object, said so that a person can act: the first line of its detail, and its line on the
 * cluster's dashboard. Each `rule` is tested by itself.
 */
export interface Attention {
  /** Stable id, kind first: `pod.crash-loop`. */
  readonly rule: string;
  readonly tone: 'warn' | 'bad';
  /** What is wrong, a whole sentence. */
  readonly title: string;
  /** The cause in the cluster's own words. */
  readonly detail?: string;
  /** The action that helps, by id: on this object, or on the owner that has it. Nothing where there is none. */
  readonly action?: string;
  /** Since when, epoch seconds. Trouble that does not say it counts from the creation of its object. */
  readonly since?: number;
  /**
   * The cluster itself has given up (a crash loop, a failed job, a deadline exceeded): waiting changes nothing, so it is
   * told of at once. Anything else may pass by itself: “Needs attention” tells of it after `settleTime`, its own page at
   * once.
   */
  readonly isHard?: true;
  /** When “Needs attention” tells of it, epoch seconds; at once without it. Kinds leave it to `settled`. */
  readonly settledAt?: number;
  /** Not yet trouble before this time, epoch seconds (a probe is given a minute). */
  readonly notBefore?: number;
  /** No trouble any more after this time, epoch seconds (a container that was started again stays up). */
  readonly notAfter?: number;
  /** The container of a pod whose last lines say more, and whether they are those of the run before. */
  readonly log?: { readonly container: string; readonly previous: boolean };
}

/**
 * An attention with the time from which it is told of unasked (`settledAt`): the one rule for every kind.
 * @param created when its object was created, epoch seconds; null where that is not known
 */
export function settled(attention: Attention, created: number | null): Attention {
  const from = attention.since ?? created;
  if (attention.isHard === true || from === null) return attention;
  return { ...attention, settledAt: from + settleTime };
}
