import type { Keeper } from '../core/state/persisted.ts';
import { addToast } from './toast/toaster.ts';

/** Keeps values in the storage of this browser, and says so where that fails. */
export const browserKeeper = (): Keeper => ({
  storage: localStorage,
  changes: window,
  onUnkept: (key, error) => {
    console.error(`${key} could not be stored.`, error);
    addToast('warning', 'This browser could not keep your choice', {
      detail: 'Its storage is full or disabled. The choice applies until this page is closed.',
    });
  },
});
