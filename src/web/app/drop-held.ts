import type { Toaster } from '../../registry/commands/services.ts';
import type { Cell } from '../core/state/state.ts';
import type { HeldChange } from '../features/actions/held-changes.ts';

/** Drops what is held for a person who is signed out: it would be sent as nobody, or as whoever signs in next. */
export function dropHeld(held: Cell<readonly HeldChange[]>, toast: Pick<Toaster, 'warning'>): void {
  for (const one of held.get()) {
    one.stop();
    toast.warning(`${one.text}: not sent`, { detail: 'You were signed out before the change was sent.' });
  }
}
