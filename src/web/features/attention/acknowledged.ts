import { isCovered } from '../../../contract/acknowledged-causes.ts';
import type { Acknowledgement } from '../../../contract/acknowledgements.ts';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import type { Ref } from '../../../contract/objects.ts';
import { clockText } from '../../kit/date-time.ts';

/** Trouble that began or got worse within this time is new, seconds. */
export const newFor = 900;

/** The acknowledgement of an object's trouble; undefined without one. */
export const acknowledgementOf = (
  all: readonly Acknowledgement[],
  clusterId: number,
  { kind, namespace, name }: Ref,
): Acknowledgement | undefined =>
  all.find(
    (one) =>
      one.clusterId === clusterId &&
      one.object.kind === kind &&
      one.object.name === name &&
      one.object.namespace === namespace,
  );

/** A line with what the person has made of it. */
export interface JudgedLine {
  readonly line: AttentionLine;
  /** When its acknowledgement ends, ISO; absent where it has none, or got worse since. */
  readonly acknowledgedUntil?: string;
  /** It began or got worse a moment ago, or after it was acknowledged. */
  readonly isNew: boolean;
}

/**
 * Judges a line by the person's acknowledgements.
 * @param now ms, by the cluster's clock for the line, by the server's for the end
 */
export function judgeLine(
  line: AttentionLine,
  clusterId: number,
  acknowledgements: readonly Acknowledgement[],
  now: { readonly cluster: number; readonly server: number },
): JudgedLine {
  const own = acknowledgementOf(acknowledgements, clusterId, line.on);
  const isValid = own !== undefined && Date.parse(own.until) > now.server;
  if (isValid && isCovered(line, own)) return { line, acknowledgedUntil: own.until, isNew: false };
  const { since, worseAt = 0, isSinceLatest, endedAt } = line;
  const began = since === null || isSinceLatest === true ? 0 : since;
  const isFresh = Math.max(began, worseAt) + newFor > now.cluster / 1000;
  return { line, isNew: endedAt === undefined && (isValid || isFresh) };
}

/** An end in words: `until 20:43`, `until Tue 08:00`. @param until ISO */
export function untilText(until: string, now: Date): string {
  const at = new Date(until);
  const isToday = at.toDateString() === now.toDateString();
  const day = isToday ? '' : `${at.toLocaleDateString('en', { weekday: 'short' })} `;
  return `until ${day}${clockText(until, 'short')}`;
}
