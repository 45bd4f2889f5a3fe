import { useEffect, useRef } from 'react';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { type LiveList, recalledList } from '../../data/live/rows.ts';
import { type ListTarget, targetKey } from '../../data/live/targets.ts';
import { useData } from '../../data/port.ts';
import { placeColumns } from '../../data/rows/placed.ts';
import { useStable } from '../../kit/use-stable.ts';

/** Time after which the rows of a complete list are kept, and how often they are kept anew, ms. */
const [firstKept, keptEvery] = [2_000, 30_000];

/** The cells of a row that are kept. */
const keptFormats: readonly CellFormat[] = ['namespace', 'name', 'status'];

/** Where in a row the cells are that are kept; -1 for one that the kind does not have. */
const keptPlaces = (kind: KindFacts, order: readonly string[] | undefined): readonly number[] => {
  const placed = placeColumns(kind, order);
  return keptFormats.map((format) => placed.find(({ column }) => column.format === format)?.index ?? -1);
};

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
  const placesNow = () => keptPlaces(kind, live.connection.get().columns[kind.id]);
  const recall = useStable(async () => {
    if (name === undefined) return undefined;
    const found = await (await kept.rows())?.read(name, placesNow());
    return found && recalledList(found.rows, found.at);
  });
  /** The rows that were kept last: the same ones are not kept again. */
  const written = useRef<LiveList['rows'] | undefined>(undefined);
  const keep = useStable(async () => {
    if (list === undefined || !isCurrent || name === undefined) return;
    const { rows: shown } = list;
    if (written.current === shown) return;
    await (await kept.rows())?.write(name, shown.values(), placesNow());
    written.current = shown;
  });

  useEffect(() => {
    if (name === undefined || !kept.hasRows || known.get(target)?.complete === true) return undefined;
    let isOver = false;
    recall()
      .then((found) => {
        if (found !== undefined && !isOver) live.recall(target, found);
      })
      .catch((error: unknown) => console.warn('The last known rows could not be read.', error));
    return () => {
      isOver = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a target is another by its name alone
  }, [name, kept, known, live, recall]);

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
