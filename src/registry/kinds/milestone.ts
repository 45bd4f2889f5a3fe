import type { WebhookEvent } from '../../contract/webhooks.ts';

/** Something that an object came to, which is told once. */
export interface Milestone {
  readonly event: WebhookEvent;
  /** Another text is another milestone of the object. */
  readonly mark: string;
  /** What it came to, in our own words: nothing that a cluster wrote. */
  readonly state: string;
  /** It is told only after a milestone of another event: what was never about to end is not renewed. */
  readonly isRecovery?: true;
  /** Epoch seconds from which on it holds; from the beginning without it. */
  readonly from?: number;
}

/** What a milestone is read with that only the server can do. */
export interface MilestoneTools {
  /** From when to when the first certificate of a PEM text in base64 is good, epoch seconds; undefined without one. */
  readonly certificateTimes: (base64: unknown) => { readonly from: number; readonly to: number } | undefined;
}

/** What the objects of a kind come to. */
export interface Milestones<T> {
  /** All that `of` may tell: the list is followed while somebody wants to hear of one of them. */
  readonly events: readonly WebhookEvent[];
  /**
   * What an object came to and will come to by time alone, in the order of time. An empty list while it is on its way;
   * undefined where nothing is told of it now.
   */
  readonly of: (object: T, tools: MilestoneTools) => readonly Milestone[] | undefined;
  /** That it is gone, where that is told. */
  readonly gone?: Pick<Milestone, 'event' | 'state'>;
}

/** The milestone that holds at a time, epoch seconds. */
export const milestoneAt = (milestones: readonly Milestone[], now: number): Milestone | undefined =>
  milestones.findLast(({ from }) => from === undefined || from <= now);

const day = 86_400;
/** How long before its end something is told to be about to end: the shorter of a time and a part of its life. */
const warnings = { first: { seconds: 14 * day, part: 1 / 5 }, last: { seconds: 2 * day, part: 1 / 20 } };

/**
 * The milestones of something that ends by itself. It is told twice before, so that one of them is early, and when it has
 * ended. What is renewed by a controller in time, as after two thirds of its life, is never told of.
 * @param what `Certificate`
 * @param life epoch seconds; without `from` its whole life is not known
 */
export function endingMilestones(
  what: string,
  { from, to }: { readonly from?: number; readonly to: number },
): readonly Milestone[] {
  const life = from === undefined ? Number.POSITIVE_INFINITY : Math.max(0, to - from);
  const before = ({ seconds, part }: typeof warnings.first) => to - Math.min(seconds, life * part);
  const event = 'certificate.ending';
  const on = new Date(to * 1000).toISOString().slice(0, 16).replace('T', ' ');
  const ends = `${what} ends on ${on} UTC`;
  return [
    {
      event: 'certificate.renewed',
      mark: `good until ${to}`,
      state: `${what} was renewed`,
      isRecovery: true,
    },
    { event, mark: `ending ${to}`, state: ends, from: before(warnings.first) },
    { event, mark: `ending soon ${to}`, state: ends, from: before(warnings.last) },
    { event, mark: `ended ${to}`, state: `${what} has ended`, from: to },
  ];
}
