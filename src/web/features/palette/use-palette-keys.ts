import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { Entry } from './entries.ts';
import { back, lastFrame } from './frames.ts';
import type { RunTarget } from './pending.ts';
import { usePalette } from './port.ts';
import { changesSomething, runsAtOnce, whyNotRun } from './preselect.ts';
import { textAfter } from './type-ahead.ts';
import type { Leaving } from './use-leaving.ts';
import type { Levels } from './use-levels.ts';

interface PaletteKeysParts {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly levels: Levels;
  readonly leaving: Leaving;
  readonly entries: readonly Entry[];
  readonly selected: Entry | undefined;
  /** The object of the selected entry, where it has actions of its own. */
  readonly object: ObjectRef | undefined;
  /** More entries are being read. */
  readonly isPending: boolean;
  /** The dialog is open and has the focus. */
  readonly isOpen: boolean;
  /** Enter was pressed before the palette was there. */
  readonly isEntered: boolean;
  readonly choose: (entry: Entry | undefined, target: RunTarget) => void;
  /** Says why Enter has done nothing. */
  readonly explain: (text: string) => void;
}

/** The entry `by` steps from the selected one: single steps go round the end, larger ones stop there. */
function entryAt(entries: readonly Entry[], selected: Entry | undefined, by: number): Entry | undefined {
  const found = entries.findIndex((entry) => entry.id === selected?.id);
  // Where nothing is highlighted, the first step leads to one of the ends.
  const at = found < 0 && by < 0 ? 0 : found;
  const isStep = Math.abs(by) === 1;
  const next = isStep ? (at + by + entries.length) % entries.length : at + by;
  return entries[Math.min(entries.length - 1, Math.max(0, next))];
}

function isCaretAtEnd(field: HTMLInputElement | null): boolean {
  if (field === null) return false;
  const { selectionStart, selectionEnd, value } = field;
  return selectionStart === value.length && selectionEnd === value.length;
}

/**
 * Publishes what the keys of the palette do, which are commands, for the entries of this moment.
 * @returns how to go one level back; false on the first level
 */
export function usePaletteKeys({
  input,
  levels,
  leaving,
  entries,
  selected,
  object,
  isPending,
  isOpen,
  isEntered,
  choose,
  explain,
}: PaletteKeysParts): () => boolean {
  const { shownPalette } = usePalette();
  /** Enter was pressed before the answer: the first entry is taken once it is there. */
  const awaited = useRef<RunTarget | undefined>(isEntered ? 'here' : undefined);

  // Typing or another level cancels an Enter that waits for its answer.
  useEffect(
    () =>
      levels.now.subscribe(() => {
        awaited.current = undefined;
      }),
    [levels.now],
  );
  const takeAwaited = useEffectEvent((isAnswered: boolean) => {
    const target = awaited.current;
    if (target === undefined || !isAnswered) return;
    awaited.current = undefined;
    const [first] = entries;
    if (selected === undefined && first !== undefined) explain(whyNotRun(first, 'changes'));
    // Nobody saw it when Enter was pressed: a page may open, but nothing is done.
    else if (selected !== undefined && (runsAtOnce(selected) || changesSomething(selected)))
      explain(whyNotRun(selected, 'unseen'));
    else choose(selected, target);
  });
  useEffect(() => takeAwaited(isOpen && !isPending), [isOpen, isPending]);

  const stepBack = (): boolean => {
    const before = back(levels.now.get());
    if (before !== undefined) levels.go(before);
    return before !== undefined;
  };
  // Published anew at each render. A key that comes before what was typed is rendered acts on what it will find.
  useLayoutEffect(() => {
    shownPalette.set({
      move: (by) => {
        if (levels.catchUp()) shownPalette.get()?.move(by);
        else if (entries.length > 0) levels.pick(entryAt(entries, selected, by)?.id);
      },
      take: (target, seen) => {
        const [first] = entries;
        if (levels.catchUp()) shownPalette.get()?.take(target, entries);
        else if (selected !== undefined) {
          const isSeen = seen === undefined || seen.some(({ id }) => id === selected.id);
          if (!isSeen && (runsAtOnce(selected) || changesSomething(selected)))
            explain(whyNotRun(selected, 'unseen'));
          else choose(selected, target);
        } else if (first !== undefined) explain(whyNotRun(first, isPending ? 'awaited' : 'changes'));
        else if (isPending) awaited.current = target;
      },
      typeAhead: (key) => {
        if (isOpen) return false;
        const { text } = lastFrame(levels.now.get());
        const next = textAfter(text, key);
        if (key === 'Escape') leaving.close();
        else if (key === 'Enter') awaited.current = 'here';
        else if (next !== text) levels.type(next);
        return true;
      },
      openActions: () => {
        if (levels.catchUp()) shownPalette.get()?.openActions();
        else if (object !== undefined)
          levels.go([...levels.frames, { type: 'actions', text: '', ref: object }]);
      },
      back: () => {
        if (!stepBack()) leaving.close();
      },
      entry: () => {
        if (selected === undefined) return 'none';
        return object !== undefined && isCaretAtEnd(input.current) ? 'actions' : 'plain';
      },
    });
  });
  useLayoutEffect(() => () => shownPalette.set(undefined), [shownPalette]);
  return stepBack;
}
