import { useMemo } from 'react';
import type { Arranged } from '../../data/rows/view.ts';
import type { ListMarks } from '../../core/state/list-marks.ts';
import { useCell } from '../../core/state/state.ts';

/** The selected rows of a list, by uid: rows move, the selection stays on their objects. */
export interface Selection {
  /** Those that still exist. */
  readonly uids: ReadonlySet<string>;
  readonly toggle: (uid: string) => void;
  /** Selects from the row selected last to this one. */
  readonly extend: (uid: string) => void;
  /** Selects a row and its neighbour, or takes back what was selected so. */
  readonly stretch: (from: string, to: string) => void;
  readonly clear: () => void;
  /** Selects every row that shows, or none where all of them are. */
  readonly toggleAll: () => void;
}

/**
 * The selected rows of the marks of a list.
 * @param shown rows on screen, another one when a row is another
 * @param isThere whether the list still has an object
 */
export function useSelection(
  marks: ListMarks,
  shown: Arranged,
  isThere: (uid: string) => boolean,
): Selection {
  const selected = useCell(marks.selected);
  const there = [...selected].filter(isThere).join('\n');
  const uids = useMemo(() => new Set(there === '' ? [] : there.split('\n')), [there]);
  const shownUids = () => shown.all().map(([uid]) => uid);
  return {
    uids,
    toggle: marks.toggle,
    extend: (uid) => marks.extend(uid, shownUids()),
    stretch: marks.stretch,
    clear: marks.clear,
    toggleAll: () => marks.toggleAll(shownUids()),
  };
}
