import { cell, type Readable } from './state.ts';

/** Where the cursor of a list was put. */
export interface CursorAt {
  /** Of the object it is on. */
  readonly uid: string;
  /** The row it was in. */
  readonly index: number;
  /** The filter it stood in. */
  readonly filter: string;
}

/**
 * The cursor and the selected rows of one list, by the uids of their objects: rows move, marks stay on their objects.
 * Each list has marks of its own, which go with its view.
 */
export interface ListMarks {
  /** The last cursor position set by the person; undefined before the first. A new object each time. */
  readonly cursorPut: Readable<CursorAt | undefined>;
  /** Where the cursor is: where it was put, or drawn since. Not followed: drawing it changes nothing on screen. */
  readonly cursor: () => CursorAt | undefined;
  readonly putCursor: (at: CursorAt) => void;
  /** The cursor was drawn there: its row moved, or it went to the first row. */
  readonly noteCursor: (at: CursorAt) => void;
  /** The selected objects, also those that are gone by now. */
  readonly selected: Readable<ReadonlySet<string>>;
  /** Selects an object, or no more. */
  readonly toggle: (uid: string) => void;
  /** Selects from the row toggled last to this one; toggles this one where that row does not show. */
  readonly extend: (uid: string, shown: readonly string[]) => void;
  /**
   * Selects an object and its neighbour. Going back over objects that are selected takes the one that is left out of the
   * selection.
   */
  readonly stretch: (from: string, to: string) => void;
  /** Selects everything that shows, or nothing where all of it is selected. */
  readonly toggleAll: (shown: readonly string[]) => void;
  readonly clear: () => void;
}

/** No cursor yet, and nothing selected. */
export function createListMarks(): ListMarks {
  let cursor: CursorAt | undefined;
  const put = cell<CursorAt | undefined>(undefined);
  const selected = cell<ReadonlySet<string>>(new Set());
  let anchor: string | undefined;
  const toggle = (uid: string) => {
    anchor = uid;
    const next = new Set(selected.get());
    if (!next.delete(uid)) next.add(uid);
    selected.set(next);
  };
  return {
    cursorPut: put,
    cursor: () => cursor,
    putCursor: (at) => {
      cursor = at;
      // Put twice in the same row, it may have been drawn elsewhere in between.
      put.set({ ...at });
    },
    noteCursor: (at) => {
      cursor = at;
    },
    selected,
    toggle,
    extend: (uid, shown) => {
      const from = anchor === undefined ? -1 : shown.indexOf(anchor);
      const to = shown.indexOf(uid);
      if (from < 0 || to < 0) {
        toggle(uid);
        return;
      }
      const between = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      selected.set(new Set([...selected.get(), ...between]));
    },
    stretch: (from, to) => {
      anchor = to;
      const next = new Set(selected.get());
      if (next.has(from) && next.has(to)) next.delete(from);
      else next.add(from).add(to);
      selected.set(next);
    },
    toggleAll: (shown) => {
      const known = selected.get();
      selected.set(shown.every((uid) => known.has(uid)) ? new Set() : new Set(shown));
    },
    clear: () => {
      anchor = undefined;
      selected.set(new Set());
    },
  };
}
