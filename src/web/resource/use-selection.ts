import { useMemo } from 'react';
import type { Row } from '../../contract/live.ts';
import type { ListMarks } from '../state/list-marks.ts';
import { useCell } from '../state/state.ts';

/** The selected rows of a list, by uid: rows move, the selection stays on their objects. */
export interface Selection {
  /** Those that still exist. */
  readonly uids: ReadonlySet<string>;
  readonly toggle: (uid: string) => void;
  /** Selects from the row selected last to this one. */
  readonly extend: (uid: string) => void;
  readonly clear: () => void;
  /** Selects every row that shows, or none where all of them are. */
  readonly toggleAll: () => void;
}

/**
 * The selected rows of the marks of a list.
 * @param shown rows on screen, in their order
 * @param rows every row of the list
 */
export function useSelection(
  marks: ListMarks,
  shown: readonly Row[],
  rows: ReadonlyMap<string, Row>,
): Selection {
  const selected = useCell(marks.selected);
  const uids = useMemo(() => new Set([...selected].filter((uid) => rows.has(uid))), [selected, rows]);
  const shownUids = () => shown.map(([uid]) => uid);
  return {
    uids,
    toggle: marks.toggle,
    extend: (uid) => marks.extend(uid, shownUids()),
    clear: marks.clear,
    toggleAll: () => marks.toggleAll(shownUids()),
  };
}
