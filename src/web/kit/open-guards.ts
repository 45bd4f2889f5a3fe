/** Guard that holds the keys of an open dialog to its rules. */
export interface OpenGuard {
  /** Whether a key does nothing; moves the focus where it does that instead. */
  readonly refuses: (event: KeyboardEvent) => boolean;
  /** Whether a command may confirm at a time (ms); moves the focus on to the act where that comes first. */
  readonly confirms: (at: number) => boolean;
}

/** The guards of the open dialogs, the topmost last. */
const guards: OpenGuard[] = [];

/** `timeStamp` of the last key before a dialog opened, if that was a character: a dialog may open in the middle of a word. */
let characterAt: number | undefined;

/** `timeStamp` of the last key before the dialogs, if that was a character. */
export const characterBefore = (): number | undefined => characterAt;

/** Puts a guard over those of the dialogs that are open. */
export function addGuard(guard: OpenGuard): {
  readonly isTopmost: () => boolean;
  readonly end: () => void;
} {
  guards.push(guard);
  return {
    isTopmost: () => guards.at(-1) === guard,
    end: () => void guards.splice(guards.indexOf(guard), 1),
  };
}

/** Whether the topmost dialog lets a key do nothing. Asked about every key before anything else has it. */
export function dialogRefuses(event: KeyboardEvent): boolean {
  const guard = guards.at(-1);
  if (guard !== undefined) return guard.refuses(event);
  const isChord = event.ctrlKey || event.metaKey || event.altKey;
  if (event.key !== 'Shift') characterAt = !isChord && /^.$/u.test(event.key) ? event.timeStamp : undefined;
  return false;
}

/** Whether the topmost dialog may be confirmed now by a command; moves the focus on to the act where that comes first. */
export const dialogConfirms = (): boolean => guards.at(-1)?.confirms(performance.now()) ?? true;
