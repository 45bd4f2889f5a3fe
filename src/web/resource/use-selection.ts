import { useCallback, useMemo, useState } from 'react';
import type { Row } from '../../contract/live.ts';

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

/** @param shown rows on screen, in their order; @param rows every row of the list */
export function useSelection(shown: readonly Row[], rows: ReadonlyMap<string, Row>): Selection {
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | undefined>(undefined);
  const uids = useMemo(() => new Set([...wanted].filter((uid) => rows.has(uid))), [wanted, rows]);
  const toggle = useCallback((uid: string) => {
    setAnchor(uid);
    setWanted((known) => {
      const next = new Set(known);
      if (!next.delete(uid)) next.add(uid);
      return next;
    });
  }, []);
  return {
    uids,
    toggle,
    extend: (uid) => {
      const from = shown.findIndex((row) => row[0] === anchor);
      const to = shown.findIndex((row) => row[0] === uid);
      if (from < 0 || to < 0) {
        toggle(uid);
        return;
      }
      const between = shown.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row[0]);
      setWanted((known) => new Set([...known, ...between]));
    },
    clear: () => setWanted(new Set()),
    toggleAll: () => {
      const all = shown.map((row) => row[0]);
      setWanted(all.every((uid) => uids.has(uid)) ? new Set() : new Set(all));
    },
  };
}
