import { useEffect, useRef } from 'react';
import type { Row } from '../../../contract/live.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { KeptList, KeptRow } from '../../data/kept-rows.ts';
import { type LiveList, recalledList } from '../../data/live/rows.ts';
import { type ListTarget, targetKey } from '../../data/live/targets.ts';
import { useData } from '../../data/port.ts';
import { placeColumns } from '../../data/rows/placed.ts';
import { useStable } from '../../kit/use-stable.ts';

/** Time after which the rows of a complete list are kept, and how often they are kept anew, ms. */
const [firstKept, keptEvery] = [2_000, 30_000];

/** Rows of a list that are kept. */
const maxKeptRows = 1_000;

/** The cells of a row that are kept. */
const keptFormats: readonly CellFormat[] = ['namespace', 'name', 'status'];

/** Where in a row the cells are that are kept; -1 for one that the kind does not have. */
const keptPlaces = (kind: KindFacts, order: readonly string[] | undefined): readonly number[] => {
  const placed = placeColumns(kind, order);
  return keptFormats.map((format) => placed.find(({ column }) => column.format === format)?.index ?? -1);
};

/** What is kept of a row. */
export function keptRow([uid, cells]: Row, places: readonly number[]): KeptRow {
  const [namespace = null, name = null, status = null] = places.map((at) => cells[at] ?? null);
  return [uid, namespace, name, status];
}

/** A kept row as a row of a list: the cells that were not kept are empty. */
export function rowOfKept([uid, ...kept]: KeptRow, places: readonly number[], width: number): Row {
  const cells = Array.from({ length: width }, (_, index) => {
    const at = places.indexOf(index);
    return at < 0 ? null : (kept[at] ?? null);
  });
  return [uid, cells];
}

/** Whether rows of a kind may be kept: never of one whose objects hold secrets, and not before its columns are known. */
export const isKeptKind = (kind: KindFacts): boolean =>
  kind.custom === undefined && kind.permissions.view !== 'secrets.view';

/**
 * Keeps names and statuses of a list in this browser, and shows them at the next visit until the list was read, as of when
 * they were kept.
 */
export function useKeptRows(target: ListTarget, kind: KindFacts, list: LiveList | undefined): void {
  const { kept, live, known } = useData();
  const name = isKeptKind(kind) ? targetKey(target) : undefined;
  const isCurrent =
    list?.complete === true &&
    list.ended === undefined &&
    list.pausedAt === undefined &&
    (list.state.status === 'live' || list.state.status === 'polled');
  const orderNow = () => live.connection.get().columns[kind.id];
  const recall = useStable((found: KeptList | undefined) => {
    if (found === undefined) return;
    const places = keptPlaces(kind, orderNow());
    const width = Math.max(...places) + 1;
    live.recall(
      target,
      recalledList(
        found.rows.map((row) => rowOfKept(row, places, width)),
        found.at,
      ),
    );
  });
  /** The rows that were kept last: the same ones are not kept again. */
  const written = useRef<LiveList['rows'] | undefined>(undefined);
  const keep = useStable(async () => {
    if (list === undefined || !isCurrent || name === undefined) return;
    const { rows: shown } = list;
    if (written.current === shown) return;
    const places = keptPlaces(kind, orderNow());
    const rows: KeptRow[] = [];
    for (const row of shown.values()) {
      if (rows.length === maxKeptRows) break;
      rows.push(keptRow(row, places));
    }
    await (await kept.rows())?.write(name, rows);
    written.current = shown;
  });

  useEffect(() => {
    if (name === undefined || !kept.hasRows || known.get(target)?.complete === true) return undefined;
    let isOver = false;
    kept
      .rows()
      .then(async (rows) => {
        const found = await rows?.read(name);
        if (!isOver) recall(found);
      })
      .catch((error: unknown) => console.warn('The last known rows could not be read.', error));
    return () => {
      isOver = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a target is another by its name alone
  }, [name, kept, known, recall]);

  useEffect(() => {
    if (name === undefined || !isCurrent || !kept.isOpen) return undefined;
    const write = () =>
      void keep().catch((error: unknown) => console.warn('The rows of a list could not be kept.', error));
    const first = setTimeout(write, firstKept);
    const timer = setInterval(write, keptEvery);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [name, isCurrent, kept, keep]);
}
