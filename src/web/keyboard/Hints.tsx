import { useKeyboard } from './port.ts';
import { useCell } from '../core/state/state.ts';
import { StatusHint } from '../kit/StatusLine.tsx';
import { Keys } from './Keys.tsx';

/** A command whose key works in a view, and what it does there in a word. */
export interface Hint {
  readonly id: string;
  readonly text: string;
}

/** Hints shown at most, besides the key of all keys. */
const maxHints = 4;

/** Hints that do not fit wrap into a second line that is hidden: the most used keys stay. */
const hintsLook =
  'flex h-full min-w-0 flex-1 flex-wrap items-center justify-end gap-x-2.5 overflow-hidden narrow:hidden';

/** The keys that work in a view, most used first: those that have one, as many as fit; last the key of all keys. */
export function Hints({ hints }: { readonly hints: readonly Hint[] }) {
  const keymap = useCell(useKeyboard().keymap);
  const bound = hints.flatMap(({ id, text }) => {
    const [keys] = keymap.keysOf(id);
    return keys === undefined ? [] : [{ id, text, keys }];
  });
  const [all] = keymap.keysOf('keys.sheet');
  return (
    <>
      <span className={hintsLook}>
        {bound.slice(0, maxHints).map(({ id, text, keys }) => (
          <StatusHint key={id} className="h-full">
            <Keys keys={keys} />
            {text}
          </StatusHint>
        ))}
      </span>
      {all !== undefined && (
        <StatusHint>
          <Keys keys={all} />
          all
        </StatusHint>
      )}
    </>
  );
}
