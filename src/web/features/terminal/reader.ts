import { browserKeeper } from '../../kit/keeper.ts';
import { persisted } from '../../core/state/persisted.ts';
import { membersOf, parseStored } from '../../core/state/stored.ts';

const version = 1;

/** Reads whether terminals speak to screen readers; before there were versions, that was the bare word. */
const readReader = (text: string | null): boolean =>
  text === 'reader' || membersOf(parseStored(text), version).isReader === true;

/** Whether terminals speak to screen readers, kept in this browser. */
export const readerMode = persisted(
  {
    key: 'wheelhouse.terminal',
    read: readReader,
    write: (isReader) => (isReader ? JSON.stringify({ version, isReader }) : null),
  },
  browserKeeper(),
);
