import { cell } from '../state/state.ts';

const key = 'wheelhouse.terminal';

/** Whether terminals speak to screen readers, kept in this browser. */
export const readerMode = cell(localStorage.getItem(key) === 'reader');
readerMode.subscribe(() => {
  if (readerMode.get()) localStorage.setItem(key, 'reader');
  else localStorage.removeItem(key);
});
