import type { Tone } from '../tone.ts';
import { noStatus, type Meaning } from './statements.ts';

/** The health of a custom object and the words that explain it. */
export interface CustomHealth {
  readonly tone: Tone;
  /** One or a few words, the cluster's own if it has some. */
  readonly label: string;
  /** The explanation in the cluster's words. */
  readonly message?: string | undefined;
  /** Start time, epoch seconds. */
  readonly since?: number | undefined;
  /** The health from a later time on (epoch seconds), unless the object changes before. */
  readonly later?: { readonly at: number; readonly health: CustomHealth } | undefined;
}

/** Time that an object may take to become healthy, seconds: the default timeout of Helm and Flux. */
const startPatience = 300;
/** Time that an object may be unhealthy after that without a reported failure, seconds. */
const lapsePatience = 60;

/** The health of an object whose controller has not observed the latest change of its spec. */
export const unobservedChange: CustomHealth = {
  tone: 'info',
  label: 'Progressing',
  message: 'Its controller has not seen the latest change yet.',
};

/** The first statement of each meaning. */
export type FirstByMeaning = Partial<Record<Meaning, CustomHealth>>;

/** Summary conditions in order of precedence for the label of a healthy object. */
const summaryTypes = ['Ready', 'Healthy', 'Available', 'Succeeded', 'Programmed', 'Accepted'];
/** Rank of a summary condition, the highest first. */
export function summaryRank(type: string): number {
  const rank = summaryTypes.indexOf(type);
  return rank < 0 ? summaryTypes.length : rank;
}
/** A summary of the object at work; others say that its spec was accepted. */
const isOfWork = ({ label }: CustomHealth) => summaryRank(label) < summaryTypes.indexOf('Accepted');

/**
 * A problem that may be work in progress: progress until the deadline, because controllers set conditions to False
 * before they begin.
 */
function patient(problem: CustomHealth, created: number | undefined): CustomHealth {
  const from = problem.since ?? created;
  if (from === undefined) return problem;
  const isNew = created === undefined || from < created + startPatience;
  const at = from + (isNew ? startPatience : lapsePatience);
  return { ...problem, tone: 'info', later: { at, health: problem } };
}

/**
 * Concludes the health of an object from its statements.
 * @param isLate whether all statements refer to an earlier spec
 * @param isHalted whether its fields say that somebody paused it
 * @param created creation time of the object, epoch seconds; undefined if unknown
 */
export function conclude(
  statements: FirstByMeaning,
  isLate: boolean,
  isHalted: boolean,
  created: number | undefined,
): CustomHealth {
  const { hard, soft, aside, warn, idle, open, slow, head, word, well, unmet, done, said } = statements;
  const underWay = statements['under-way'] ?? (isLate || head === undefined ? statements.late : undefined);
  if (hard !== undefined) return hard;
  if (isHalted) return { tone: 'idle', label: 'Suspended' };
  const isHealthy = head !== undefined || word !== undefined;
  if (aside !== undefined && !isHealthy && underWay === undefined) return aside;
  if (soft !== undefined && underWay === undefined && idle === undefined) return patient(soft, created);
  if (aside !== undefined) return { ...aside, tone: 'warn' };
  if (warn !== undefined) return warn;
  if (idle !== undefined) return idle;
  if (underWay !== undefined) return { ...underWay, message: soft?.message ?? underWay.message };
  if (slow !== undefined && (head === undefined || !isOfWork(head))) {
    const { later, ...now } = patient(slow, created);
    return later === undefined ? now : { ...now, ...open, later };
  }
  if (open !== undefined) return open;
  return head ?? word ?? unmet ?? well ?? done ?? said ?? noStatus;
}
