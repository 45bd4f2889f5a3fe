import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';
import { Keys } from './Keys.tsx';

/** A command whose key works in a view, and what it does there in a word. */
export interface Hint {
  readonly id: string;
  readonly text: string;
}

/** Hints shown at most, besides the key of all keys. */
const most = 4;

/** The keys that work in a view, most used first: those that have one, as many as fit; last the key of all keys. */
export function Hints({ hints }: { readonly hints: readonly Hint[] }) {
  const keymap = useCell(useApp().keymap);
  const bound = hints.flatMap(({ id, text }) => {
    const [keys] = keymap.keysOf(id);
    return keys === undefined ? [] : [{ id, text, keys }];
  });
  const [all] = keymap.keysOf('keys.sheet');
  return (
    <>
      <span className="hints">
        {bound.slice(0, most).map(({ id, text, keys }) => (
          <span key={id} className="hint">
            <Keys keys={keys} />
            {text}
          </span>
        ))}
      </span>
      {all !== undefined && (
        <span className="hint">
          <Keys keys={all} />
          all
        </span>
      )}
    </>
  );
}
