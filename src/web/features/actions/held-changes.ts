import { Refusal } from '../../../registry/commands/refusal.ts';
import { tellFailure } from '../../../registry/commands/execute.ts';
import type { Services, Toaster } from '../../../registry/commands/services.ts';
import type { Cell } from '../../core/state/state.ts';
import { TypedWhileHeld } from './typed-while-held.ts';

/** How long a change is held before it is sent (ms). */
export const heldFor = 5_000;
/** Later than this after its time a change is not sent any more: the machine slept, and what was meant may be no more (ms). */
const tooLate = 5_000;

/** Time that is left of the wait after a letter, ms: others of its word may follow. */
const letterTime = 2_000;

/** Time between a typed text and the end of the change that it began, ms. */
const typedDelay = 100;

/** A change that waits to be sent. */
export interface HeldChange {
  readonly id: string;
  /** `Restart Deployment web`. */
  readonly text: string;
  /** Keeps it from being sent. */
  readonly stop: () => void;
  /** Stops it for a person who is signed out: it would be sent as nobody, or as whoever signs in next. */
  readonly drop: () => void;
  /** Goes by a key that is pressed while it is held. Returns whether the key undid it. */
  readonly pressed: (event: KeyboardEvent) => boolean;
  /** Whether its key and all that were pressed since are letters of a possible word. */
  readonly isWord: () => boolean;
}

/** Parts of the page that held changes need. */
export interface HeldParts {
  readonly held: Cell<readonly HeldChange[]>;
  readonly log: Services['log'];
  readonly now: () => number;
  /** Runs something later; answers how to keep it from running. */
  readonly later: (run: () => void, ms: number) => () => void;
  readonly toast: Toaster;
  /** Calls a function once if the key that asked for the change turns out to be part of a text; undefined without a key. */
  readonly onText: ((typed: () => void) => void) | undefined;
  /** Whether Esc undoes a change at an element: neither a field nor a shell nor anything that it closes has the focus. */
  readonly isFree: (element: EventTarget | null) => boolean;
  /** Shows a message with a button, and answers how to take it away. */
  readonly offerUndo: (id: string, title: string, detail: string, undo: () => void) => () => void;
}

let changeCount = 0;

/**
 * Sends a change after `heldFor`, unless it is undone before. Until then the server has not heard of it: a page that goes
 * meanwhile does not send it.
 * @param where the place of its objects, in a few words
 */
export function holdChange(
  { held, log, now, later, toast, onText, isFree, offerUndo }: HeldParts,
  {
    text,
    where,
    send,
  }: { readonly text: string; readonly where: string; readonly send: () => Promise<void> },
): void {
  changeCount += 1;
  const id = `held-${changeCount}`;
  let until = now() + heldFor;
  const forget = () => held.update((all) => all.filter((one) => one.id !== id));
  const due = () => {
    forget();
    hide();
    if (now() - until > tooLate) {
      toast.warning(`${text}: not sent`, { detail: 'This page was suspended before the change was sent.' });
      return;
    }
    send().catch((error: unknown) => tellFailure(error, 'A held change failed.', { toast, log }));
  };
  let cancel = later(due, heldFor);
  const postpone = () => {
    if (until - now() >= letterTime) return;
    cancel();
    until = now() + letterTime;
    cancel = later(due, letterTime);
  };
  const stop = () => {
    cancel();
    forget();
    hide();
  };
  const hide = offerUndo(id, `${text}: sent in ${heldFor / 1000} s`, where, () => {
    if (held.get().some((one) => one.id === id)) undo(held, toast, id);
    else toast.info(`${text}: sent already`);
  });
  // Later than the key that makes it a text, which may be the one that undoes the change.
  const stopByText = () =>
    void later(() => {
      if (!held.get().some((one) => one.id === id)) return;
      stop();
      toast.warning(`${text}: not sent`, {
        detail: 'It looked like typing. Press its key alone to do it.',
      });
    }, typedDelay);
  const goesOn = held.get().some(({ isWord }) => isWord());
  const typed = onText === undefined ? undefined : new TypedWhileHeld(goesOn);
  const pressed = (event: KeyboardEvent): boolean => {
    if (event.key === 'Escape' && held.get().at(-1)?.id === id && isFree(event.target)) {
      undo(held, toast, id);
      return true;
    }
    const typing = typed?.add(event) ?? 'none';
    if (typing !== 'none') postpone();
    if (typing === 'text') stopByText();
    return false;
  };
  const drop = () => {
    stop();
    toast.warning(`${text}: not sent`, { detail: 'You were signed out before the change was sent.' });
  };
  held.update((all) => [...all, { id, text, stop, drop, pressed, isWord: () => typed?.isWord === true }]);
  onText?.(stopByText);
}

/** Undoes a held change, the latest without an id. Throws Refusal where none is held. */
export function undo(held: Cell<readonly HeldChange[]>, toast: Pick<Toaster, 'info'>, id?: string): void {
  const one = id === undefined ? held.get().at(-1) : held.get().find((other) => other.id === id);
  if (one === undefined) throw new Refusal('No change is waiting to be sent.');
  one.stop();
  toast.info(`${one.text}: undone`, { detail: 'It was not sent.' });
}
