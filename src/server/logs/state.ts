import type { LogMessage } from '../../contract/log.ts';

type Status = 'live' | 'waiting' | 'reconnecting';

/** How several sources do, as one state; it is told when it changes. */
export interface ReadingState {
  set(source: number, status: Status, message?: string): void;
  /** The source is read no more. */
  over(source: number): void;
  /** Nothing is read just now. */
  nothing(message: string): void;
  /** What is to be read could not be looked up. */
  lost(message: string): void;
}

/** @param tell takes each new state */
export function createReadingState(tell: (message: LogMessage) => void): ReadingState {
  const states = new Map<number, { readonly status: Status; readonly message: string | undefined }>();
  let told = '';

  function say(status: Status, message: string | undefined): void {
    const key = `${status} ${message ?? ''}`;
    if (key === told) return;
    told = key;
    tell({ type: 'state', status, ...(message === undefined ? {} : { message }) });
  }

  function update(): void {
    const all = [...states.values()];
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
  };
}
