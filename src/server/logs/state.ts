import type { LogMessage } from '../../contract/log.ts';
import type { Clock } from '../kit/clock.ts';
import { mergeLimits } from './merge.ts';

type Status = 'live' | 'waiting' | 'reconnecting';

/** How several sources do, as one state; it is told when it changes. */
export interface ReadingState {
  /** The source is about to be read. */
  add(source: number): void;
  set(source: number, status: Status, message?: string): void;
  /** The source is read no more. */
  over(source: number): void;
  /** Nothing is read just now. */
  nothing(message: string): void;
  /** What is to be read could not be looked up. */
  lost(message: string): void;
  /** A line was passed on. */
  wrote(): void;
  dispose(): void;
}

/**
 * Who hears that a log is live and has no line takes it for an empty one. So that is told after the first line, or once
 * every source has been opened and has said nothing for a moment; one that takes long to open is not waited for.
 * @param tell takes each new state
 */
export function createReadingState(tell: (message: LogMessage) => void, clock: Clock): ReadingState {
  /** Undefined: not opened yet. */
  const states = new Map<
    number,
    { readonly status: Status; readonly message: string | undefined } | undefined
  >();
  let told = '';
  let isTold = false;
  let held: LogMessage | undefined;
  let heldAt = 0;
  let cancel: (() => void) | undefined;

  function release(): void {
    cancel?.();
    cancel = undefined;
    if (held === undefined) return;
    // After a wait no more is known of the lines than at the beginning.
    isTold ||= held.type !== 'state' || held.status !== 'waiting';
    tell(held);
    held = undefined;
  }

  function say(status: Status, message: string | undefined): void {
    const key = `${status} ${message ?? ''}`;
    if (key !== told) {
      told = key;
      if (held === undefined) heldAt = clock.now();
      held = { type: 'state', status, ...(message === undefined ? {} : { message }) };
    }
    if (held === undefined) return;
    if (isTold || status !== 'live') return release();
    cancel?.();
    const isOpening = [...states.values()].includes(undefined);
    const left = Math.max(0, heldAt + mergeLimits.opening - clock.now());
    cancel = clock.after(isOpening ? left : Math.min(left, mergeLimits.quiet), release);
  }

  function update(): void {
    const all = [...states.values()].filter((one) => one !== undefined);
    if (all.length === 0) return;
    for (const status of ['reconnecting', 'live', 'waiting'] as const) {
      const those = all.filter((one) => one.status === status);
      const [first] = those;
      if (first === undefined) continue;
      const isSome = those.length < all.length;
      if (status === 'live') {
        const waiting = all.length - those.length;
        say('live', waiting === 0 ? undefined : `${waiting} of ${all.length} containers wait.`);
      } else say(status, isSome ? `${those.length} of ${all.length}: ${first.message ?? ''}` : first.message);
      return;
    }
  }

  return {
    add: (source) => void states.set(source, undefined),
    set(source, status, message) {
      states.set(source, { status, message });
      update();
    },
    over(source) {
      states.delete(source);
      update();
    },
    nothing: (message) => say('waiting', message),
    lost: (message) => say('reconnecting', message),
    wrote: release,
    dispose: () => cancel?.(),
  };
}
