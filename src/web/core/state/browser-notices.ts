import type { PersistedValue } from './persisted.ts';
import { membersOf, parseStored } from './stored.ts';

const version = 1;

/** Whether the person wants notices of this browser, where it allows them; kept in this browser. */
export const browserNotices: PersistedValue<boolean> = {
  key: 'wheelhouse.browser-notices',
  read: (text) => membersOf(parseStored(text), version).isOn === true,
  write: (isOn) => (isOn ? JSON.stringify({ version, isOn }) : null),
};
