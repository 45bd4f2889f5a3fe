import type { LogMessage } from '../../contract/log.ts';
import type { Clock } from '../kit/clock.ts';
import { mergeLimits } from './merge.ts';

type Status = 'live' | 'waiting' | 'reconnecting';
type StateMessage = Extract<LogMessage, { readonly type: 'state' }>;

/** The state of one source: its status, and why. */
interface SourceState {
  readonly status: Status;
  readonly message: string | undefined;
}

/**
 * The states of several sources as one, sent when it changes. A page takes a log that is live and has no line for an
 * empty one, so `live` is sent after the first line, or once every source has been opened and was quiet for a moment; a
 * source that takes long to open is not waited for.
 */
export class ReadingState {
  readonly #send: (message: LogMessage) => void;
  readonly #clock: Clock;
  /** By number of the source; undefined until it is opened. */
  readonly #states = new Map<number, SourceState | undefined>();
  /** The last state that was sent or is due, to compare. */
  #lastKey = '';
  /** Whether anything is known of the lines: from then on each state is sent at once. */
  #isSettled = false;
  #due: StateMessage | undefined;
  #dueSince = 0;
  #cancel: (() => void) | undefined;

  /** @param send takes each new state */
  constructor(send: (message: LogMessage) => void, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  /** Adds a source that is about to be read. */
  add(source: number): void {
    this.#states.set(source, undefined);
  }

  set(source: number, status: Status, message?: string): void {
    this.#states.set(source, { status, message });
    this.#update();
  }

  /** Removes a source that is not read any more. */
  over(source: number): void {
    this.#states.delete(source);
    this.#update();
  }

  /** Nothing is read just now. */
  nothing(message: string): void {
    this.#report('waiting', message);
  }

  /** The pods to read could not be looked up. */
  lost(message: string): void {
    this.#report('reconnecting', message);
  }

  /** A line was passed on. */
  wrote(): void {
    this.#release();
  }

  dispose(): void {
    this.#cancel?.();
  }

  #release(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#due === undefined) return;
    // After waiting no more is known of the lines than at the beginning.
    this.#isSettled ||= this.#due.status !== 'waiting';
    this.#send(this.#due);
    this.#due = undefined;
  }

  #report(status: Status, message: string | undefined): void {
    const now = this.#clock.now();
    const key = `${status} ${message ?? ''}`;
    if (key !== this.#lastKey) {
      this.#lastKey = key;
      if (this.#due === undefined) this.#dueSince = now;
      this.#due = { type: 'state', status, ...(message === undefined ? {} : { message }) };
    }
    if (this.#due === undefined) return;
    if (this.#isSettled || status !== 'live') {
      this.#release();
      return;
    }
    this.#cancel?.();
    const isOpening = [...this.#states.values()].includes(undefined);
    const left = Math.max(0, this.#dueSince + mergeLimits.opening - now);
    const wait = isOpening ? left : Math.min(left, mergeLimits.quiet);
    this.#cancel = this.#clock.after(wait, () => this.#release());
  }

  #update(): void {
    const all = [...this.#states.values()].filter((one) => one !== undefined);
    if (all.length === 0) return;
    const summary = summaryOf(all);
    if (summary !== undefined) this.#report(summary.status, summary.message);
  }
}

/** Several states as one: the worst that needs attention, then live, then waiting. */
function summaryOf(all: readonly SourceState[]): SourceState | undefined {
  for (const status of ['reconnecting', 'live', 'waiting'] as const) {
    const alike = all.filter((one) => one.status === status);
    const [first] = alike;
    if (first === undefined) continue;
    const others = all.length - alike.length;
    if (status === 'live')
      return {
        status,
        message: others === 0 ? undefined : `${others} of ${all.length} containers are waiting.`,
      };
    const message = others > 0 ? `${alike.length} of ${all.length}: ${first.message ?? ''}` : first.message;
    return { status, message };
  }
  return undefined;
}
