import type { HeldChange } from '../features/actions/held-changes.ts';
import type { Toaster } from '../../registry/commands/services.ts';
import type { Cell } from '../core/state/state.ts';
import { membersOf, parseStored } from '../core/state/stored.ts';

const key = 'wheelhouse.not-sent';
const version = 1;

/**
 * Keeps held changes from being lost or sent without a word when the page goes: the browser asks first, and what was not
 * sent then is told when the page, or its tab, shows the console again.
 */
export function keepHeldOnLeaving(
  target: Window,
  storage: Storage,
  held: Cell<readonly HeldChange[]>,
  toast: Pick<Toaster, 'warning'>,
): void {
  const tell = () => {
    const { texts } = membersOf(parseStored(storage.getItem(key)), version);
    storage.removeItem(key);
    if (!Array.isArray(texts)) return;
    for (const one of texts.filter((text) => typeof text === 'string')) {
      toast.warning(`${one}: not sent`, {
        detail: 'You left the page before the change was sent.',
        duration: Number.POSITIVE_INFINITY,
      });
    }
  };
  target.addEventListener('beforeunload', (event) => {
    if (held.get().length > 0) event.preventDefault();
  });
  target.addEventListener('pagehide', () => {
    const going = held.get();
    if (going.length === 0) return;
    storage.setItem(key, JSON.stringify({ version, texts: going.map(({ text }) => text) }));
    for (const one of going) one.stop();
  });
  // Also when the browser brings the page back as it was.
  target.addEventListener('pageshow', tell);
  tell();
}

/** Drops what is held for a person who is signed out: it would be sent as nobody, or as whoever signs in next. */
export function dropHeld(held: Cell<readonly HeldChange[]>, toast: Pick<Toaster, 'warning'>): void {
  for (const one of held.get()) {
    one.stop();
    toast.warning(`${one.text}: not sent`, { detail: 'You were signed out before the change was sent.' });
  }
}
