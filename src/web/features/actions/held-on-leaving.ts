import type { HeldChange } from './held-changes.ts';
import type { Toaster } from '../../../registry/commands/services.ts';
import type { Cell } from '../../core/state/state.ts';
import { membersOf, parseStored } from '../../core/state/stored.ts';

const key = 'wheelhouse.not-sent';
const version = 1;

/**
 * Keeps held changes from being lost or sent without a word when the page goes: the browser asks first, and what was not
 * sent then is told when the page, or its tab, shows the console again. Ends with the returned function.
 */
export function keepHeldOnLeaving(
  target: Window,
  storage: Storage,
  held: Cell<readonly HeldChange[]>,
  toast: Pick<Toaster, 'warning'>,
): () => void {
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
  const ended = new AbortController();
  const { signal } = ended;
  const ask = (event: Event) => {
    if (held.get().length > 0) event.preventDefault();
  };
  target.addEventListener('beforeunload', ask, { signal });
  const leave = () => {
    const going = held.get();
    if (going.length === 0) return;
    storage.setItem(key, JSON.stringify({ version, texts: going.map(({ text }) => text) }));
    for (const one of going) one.stop();
  };
  target.addEventListener('pagehide', leave, { signal });
  // Also when the browser brings the page back as it was.
  target.addEventListener('pageshow', tell, { signal });
  tell();
  return () => ended.abort();
}
