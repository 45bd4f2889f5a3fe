import { settleTime } from '../../kube/settle-time.ts';
import type { ObjectRemedy, SharedCause } from '../../kube/shared-cause.ts';
import { toneRank } from '../tone.ts';

/**
 * A problem of one object, phrased so that a person can act. It is the first line of the object's detail page and a
 * line of the cluster's dashboard. Each `rule` has a test of its own.
 */
export interface Attention {
  /** Stable id, kind first: `pod.crash-loop`. */
  readonly rule: string;
  /** The one of several problems that the rule reports: letters alone. Another one in its place is worse. */
  readonly variant?: string;
  readonly tone: 'warn' | 'bad';
  /** What is wrong, as a whole sentence. */
  readonly title: string;
  /** The cause in the cluster's own words. */
  readonly detail?: string;
  /**
   * The cause where it lies outside of the object: a dashboard lists objects with one cause in one line. Absent for a cause
   * that may be the object's own.
   */
  readonly sharedCause?: SharedCause;
  /** The object whose creation or change helps, where no shared cause names it. */
  readonly remedy?: ObjectRemedy;
  /** Paths of the fields that prove it, as `status.phase`, for whoever asks why. */
  readonly fields?: readonly string[];
  /** Id of the action that helps, on this object or on the owner that has it; absent if no action helps. */
  readonly action?: string;
  /** Id of the action that helps where that one cannot be done. */
  readonly otherwise?: string;
  /** Other objects depend on this one, so that its problem may explain theirs: it is listed above those as bad. */
  readonly isCause?: true;
  /** It is about the object's deletion: any other problem of an object that a finalizer holds is over with it. */
  readonly isOfEnding?: true;
  /** When the problem began, epoch seconds. If absent, the creation time of the object counts. */
  readonly since?: number;
  /** The problem recurs, and the cluster records only its latest occurrence: it began at `since` or earlier. */
  readonly isSinceLatest?: true;
  /** How much is wrong, such as the number of missing pods, or how gravely; greater is worse. 1 if absent. */
  readonly extent?: number;
  /**
   * The cluster has given up (crash loop, failed job, deadline exceeded), so waiting changes nothing and the dashboard
   * shows the problem at once. Other problems may pass: “Needs attention” shows them after `settleTime`, the object's
   * own page at once.
   */
  readonly isHard?: true;
  /**
   * What the object came to, which is an event of its own. A dashboard shows why its pods are in trouble instead; whoever
   * is told of what happens hears this.
   */
  readonly isEvent?: true;
  /** When “Needs attention” shows the problem, epoch seconds; at once if absent. Set by `settled`, not by kinds. */
  readonly settledAt?: number;
  /** The problem begins at this time, epoch seconds (a probe gets a minute). */
  readonly notBefore?: number;
  /** The problem ends at this time, epoch seconds (a restarted container stays up). */
  readonly notAfter?: number;
  /** The container whose last log lines explain the problem, and whether to read those of its previous run. */
  readonly log?: { readonly container: string; readonly previous: boolean };
}

/** The object whose creation or change helps against a problem. */
export const remedyOf = ({ sharedCause, remedy }: Attention): ObjectRemedy | undefined =>
  sharedCause?.remedy ?? remedy;

/** Names the cause of trouble: its rule, and after a space which of the problems that the rule reports. */
export const causeOf = ({ rule, variant }: Pick<Attention, 'rule' | 'variant'>): string =>
  variant === undefined ? rule : `${rule} ${variant}`;

/** The cluster's word for a problem as `variant`: without numbers, which change while the problem stays. */
export const variantOf = (word: string): string => word.replaceAll(/\P{L}/gu, '').slice(0, 40);

/** The rule of a cause. */
export const ruleOfCause = (cause: string): string => cause.split(' ', 1)[0] ?? cause;

/** The part of a line of trouble by which it is sorted. */
interface Ranked extends Pick<Attention, 'tone' | 'isCause'> {
  readonly since: number | null;
  /** When it last got worse, or got a further cause; epoch seconds. */
  readonly worseAt?: number;
  readonly isChronic?: true;
}

/** When trouble was last news: it began, or got worse; epoch seconds, 0 if unknown. */
const newsTime = ({ since, worseAt = 0 }: Ranked): number => Math.max(since ?? 0, worseAt);

/**
 * Worst first, then what may explain the rest, then what began or got worse last; trouble without a time last. Chronic
 * trouble is below all other.
 */
export const compareTrouble = (a: Ranked, b: Ranked): number =>
  Number(a.isChronic ?? false) - Number(b.isChronic ?? false) ||
  toneRank[a.tone] - toneRank[b.tone] ||
  Number(b.isCause ?? false) - Number(a.isCause ?? false) ||
  newsTime(b) - newsTime(a);

/**
 * Adds `settledAt`, the time from which the dashboard shows a problem: one rule for all kinds.
 * @param created creation time of the object, epoch seconds; null if unknown
 */
export function settled(attention: Attention, created: number | null): Attention {
  const from = attention.since ?? created;
  if (attention.isHard === true || from === null) return attention;
  return { ...attention, settledAt: from + settleTime };
}
