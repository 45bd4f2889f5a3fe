import { leaderCommand } from '../../registry/keys/keymap.ts';
import { isChord } from '../../registry/keys/keys.ts';
import { matches } from '../../registry/commands/when.ts';
import { useCommands } from '../core/commands.ts';
import { useKeyboard } from './port.ts';
import { useCell } from '../core/state/state.ts';
import { StatusHint } from '../kit/StatusLine.tsx';
import { Keys, KeysOf } from './Keys.tsx';
import { useCaret, useDialogKeys } from './use-caret.ts';

/** A command whose key works in a view, or a key that means something to a field, and what it does there in a word. */
export type Hint =
  | { readonly id: string; readonly text: string }
  | { readonly keys: string; readonly text: string };

/** Hints shown at most, besides the key of all keys. */
const maxHints = 4;

/** Hints that do not fit wrap into a second line that is hidden: the most used keys stay. */
const hintsLook =
  'flex h-full min-w-0 flex-1 flex-wrap items-center justify-end gap-x-2.5 overflow-hidden narrow:hidden';

const submit: Hint = { id: 'dialog.submit', text: 'confirm' };
const close: Hint = { keys: 'esc', text: 'close' };
const inDialog = { both: [submit, close], submit: [submit], close: [close], no: [] } as const;
const inMenu: readonly Hint[] = [{ keys: 'enter', text: 'choose' }, close];
const inTerminal: readonly Hint[] = [{ id: leaderCommand, text: 'next key to the console' }];
const anywhere: readonly Hint[] = [{ id: 'palette.open', text: 'palette' }];

interface HintsProps {
  readonly hints: readonly Hint[];
  /** What keys do in the text field of the view, where it has one. */
  readonly inField?: readonly Hint[];
}

/** The keys that work where the caret is, most used first: those that have one, as many as fit; last the key of all keys. */
export function Hints({ hints, inField = [] }: HintsProps) {
  const keymap = useCell(useKeyboard().keymap);
  const { registry, moment } = useCommands();
  const caret = useCaret();
  const dialogKeys = useDialogKeys();
  /** Letters are typed in a field; what is left are chords of commands that say so. */
  const worksInField = (hint: Hint): boolean => {
    if (!('id' in hint) || !registry.has(hint.id)) return false;
    const [keys = ''] = keymap.keysOf(hint.id);
    return isChord(keys) && matches(registry.get(hint.id).when, { ...moment.context(), focus: 'input' });
  };
  const wanted = {
    view: () => hints,
    field: () => [...inField, ...hints.filter(worksInField), ...anywhere],
    dialog: () => inDialog[dialogKeys],
    menu: () => inMenu,
    terminal: () => inTerminal,
  }[caret]();
  const bound = wanted.flatMap((hint) => {
    const keys = 'id' in hint ? keymap.keysOf(hint.id)[0] : hint.keys;
    return keys === undefined ? [] : [{ keys, text: hint.text }];
  });
  const [all] = keymap.keysOf('keys.sheet');
  return (
    <>
      <span className={hintsLook}>
        {bound.slice(0, maxHints).map(({ keys, text }) => (
          <StatusHint key={`${keys} ${text}`} className="h-full">
            <Keys keys={keys} />
            {text}
          </StatusHint>
        ))}
      </span>
      {all !== undefined && caret === 'view' && (
        <StatusHint>
          <Keys keys={all} />
          all
        </StatusHint>
      )}
    </>
  );
}

/** The key that leads back from a view, while it does nothing else first. */
export function BackHint() {
  return (
    useCaret() === 'view' && (
      <StatusHint>
        <KeysOf id="workspace.leave" />
        back
      </StatusHint>
    )
  );
}
