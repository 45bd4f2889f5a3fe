import type { Attention } from '../../../registry/kinds/attention.ts';
import { unasked } from './attention-lines.ts';
import type { Entry } from '../source/projector.ts';
import { holdTime } from './line-hold.ts';
import { troubleKey } from './trouble-memory.ts';

type Troubled = Pick<Entry, 'uid' | 'attention'>;

/**
 * Whatever fails has this long to recover by its own rule, seconds, which does not begin anew where it fails again: a pod
 * that is ready for a moment. A rollout or a scale-up has longer, and is another matter.
 */
const recoverySeconds = 60;

const isBefore = (at: number, now: number) => at + holdTime <= now;

/**
 * The troubles of objects that are told, or were a moment ago. Trouble that is back so soon need not settle again: its
 * line is still there, and would leave for as long as that takes.
 */
export class RecentTroubles {
  /** When each ended, epoch seconds; infinite while it lasts. */
  readonly #endedAt = new Map<string, number>();
  #noted = new Set<string>();

  /** The trouble of an object as “Needs attention” tells of it; undefined if it has none. @param now epoch seconds */
  shown({ uid, attention }: Troubled, now: number): Attention | undefined {
    if (attention === undefined) return undefined;
    const endedAt = this.#endedAt.get(troubleKey({ uid, rule: attention.rule }));
    if (endedAt === undefined || isBefore(endedAt, now)) return unasked(attention);
    const { notBefore, ...present } = attention;
    return notBefore === undefined || notBefore > now + recoverySeconds ? attention : present;
  }

  /** Notes that trouble is told now. */
  note(uid: string, rule: string): void {
    const key = troubleKey({ uid, rule });
    this.#noted.add(key);
    this.#endedAt.set(key, Number.POSITIVE_INFINITY);
  }

  /** All that is told now was noted. @param now epoch seconds */
  noted(now: number): void {
    for (const [key, endedAt] of this.#endedAt) {
      if (this.#noted.has(key)) continue;
      if (endedAt === Number.POSITIVE_INFINITY) this.#endedAt.set(key, now);
      else if (isBefore(endedAt, now)) this.#endedAt.delete(key);
    }
    this.#noted = new Set();
  }
}
