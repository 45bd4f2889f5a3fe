import type { Source } from '../../registry/commands/invocation.ts';

/** Guard that holds the keys of an open dialog to its rules. */
export interface OpenGuard {
  /** Whether a key does nothing; moves the focus where it does that instead. */
  readonly refuses: (event: KeyboardEvent) => boolean;
  /** Whether a command may confirm at a time (ms); moves the focus on to the act where that comes first. */
  readonly confirms: (at: number) => boolean;
}

/** The guards of the open dialogs, the topmost last. */
const guards: OpenGuard[] = [];

/** Maximum time that keys wait, ms: the code of what they wait for, or what it is about, may never arrive. */
const maxWait = 5_000;

/** Number of things that keys wait for: pages that were chosen, and dialogs that were asked for. */
let waits = 0;
let coming: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
/** Ends the waits for a dialog. */
const dialogWaits: (() => void)[] = [];

/** Resolves once what the last keys asked for is there, or does not come; undefined where they asked for nothing. */
export const comingView = (): Promise<void> | undefined => coming?.promise;

/**
 * Has the keys that follow wait for what the last ones asked for: they are meant for that.
 * @returns how to end the wait
 */
export function holdKeys(): () => void {
  coming ??= Promise.withResolvers<void>();
  waits += 1;
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    waits -= 1;
    if (waits > 0) return;
    coming?.resolve();
    coming = undefined;
  };
  const timer = setTimeout(end, maxWait);
  return end;
}

/** Has the keys that follow wait until something is done whose code may still be on the way: they act on its result. */
export async function holdingKeys(run: () => Promise<void>): Promise<void> {
  const end = holdKeys();
  try {
    await run();
  } finally {
    end();
  }
}

/** Lets the keys that waited for a dialog go on: it is painted, or does not come. */
export function dialogArrived(): void {
  for (const end of dialogWaits.splice(0)) end();
}

/**
 * Runs what may open a dialog. Where a key asked for it, in the palette as well, the keys that follow wait until that
 * dialog is painted.
 * @param isAsked whether a dialog is on its way once it has run
 */
export async function openingDialog(
  source: Source | undefined,
  run: () => Promise<void>,
  isAsked: () => boolean,
): Promise<void> {
  const end = source === 'key' || source === 'palette' ? holdKeys() : undefined;
  try {
    await run();
  } finally {
    if (end !== undefined && isAsked()) dialogWaits.push(end);
    else end?.();
  }
}

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
