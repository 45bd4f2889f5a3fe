import { useMemo, useState } from 'react';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { useKept } from '../../core/state/port.ts';
import { useData } from '../../data/port.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { type AsideCell, asideCell } from '../../data/rows/aside.ts';
import { type PlacedColumn, placeColumns } from '../../data/rows/placed.ts';
import { useNarrow } from '../../core/use-sidebar.ts';
import type { ColumnChoice } from '../../core/state/columns.ts';
import { useCell } from '../../core/state/state.ts';
import { fittingColumns, hasStatus, needsTwoLines, tellsUsage } from './columns.ts';
import { chromeWidth } from './ListGrid.tsx';
import { useMeasure } from '../../kit/use-measure.ts';
import { useColumnChoice } from './use-list-defaults.ts';
import { useSized, useTells } from './use-sized.ts';

/** The columns of a list, and how its rows are drawn in them. */
export interface ListColumns {
  /** All of them, where they are in rows; the same ones while the kind and its server do not change. */
  readonly placed: readonly PlacedColumn[];
  /** All of them, by what stands in them. */
  readonly columns: readonly PlacedColumn[];
  /** Those that fit. */
  readonly fitting: readonly PlacedColumn[];
  /** Columns drawn in rows; more than those with a heading where rows have two lines. */
  readonly shown: readonly PlacedColumn[];
  /** The cell by which rows are set apart, where the kind has one. */
  readonly aside: AsideCell | undefined;
  /** Usage columns are shown beside the rows. */
  readonly hasUsage: boolean;
  readonly choice: ColumnChoice;
  readonly choose: (next: ColumnChoice) => void;
  readonly isTwoLine: boolean;
  /** Whether it is as wide as its columns, not as the window. */
  readonly isWide: boolean;
  /** For the columns, px at 16px root. */
  readonly room: number;
  /** Of a row, px. */
  readonly rowHeight: number;
  /** The root's font size, px. */
  readonly rootSize: number;
}

interface Listed {
  readonly kind: KindFacts;
  readonly clusterId: number;
  readonly list: LiveList | undefined;
  /** Whose rows they are: cluster, kind and namespace. */
  readonly listed: string;
  /** Rows that are set apart show as well. */
  readonly isWhole: boolean;
  /** The element that scrolls the rows; null before it is mounted. */
  readonly scroller: HTMLElement | null;
}

/** Which columns a list shows: those chosen that fit, by what stands in its rows. */
export function useListColumns({ kind, clusterId, list, listed, isWhole, scroller }: Listed): ListColumns {
  const { columnChoices } = useKept();
  const { live } = useData();
  const choice = useColumnChoice(clusterId, kind.id);
  const order = useCell(live.connection, (connection) => connection.columns[kind.id]);
  const isNarrow = useNarrow();
  const { width, rootSize } = useMeasure(scroller);
  const room = width === 0 ? 0 : (width * 16) / rootSize - chromeWidth;
  const placed = useMemo(() => placeColumns(kind, order), [kind, order]);
  const aside = useMemo(() => asideCell(kind.aside, placed), [kind, placed]);
  // A custom kind whose objects never carry a status has no column of them.
  const isTold = useTells(hasStatus, placed, list);
  const isSilent = kind.custom !== undefined && !isTold && (list?.rows.size ?? 0) > 0;
  const worded = useMemo(
    () => (isSilent ? placed.filter(({ column }) => column.format !== 'status') : placed),
    [isSilent, placed],
  );
  const columns = useSized(worded, list, isWhole ? undefined : aside);
  // Usage columns stay once they were shown in a list: new rows have no measurement yet.
  const tells = useTells(tellsUsage, placed, list);
  const [toldOf, setToldOf] = useState<string | undefined>(undefined);
  if (tells && toldOf !== listed) setToldOf(listed);
  const hasUsage = tells || toldOf === listed;
  const fitting = useMemo(
    () => fittingColumns(columns, room, choice, hasUsage),
    [columns, room, choice, hasUsage],
  );
  const isTwoLine = isNarrow || needsTwoLines(fitting, room, choice);
  const inTwoLines = useMemo(
    () => columns.filter(({ column }) => column.join !== 'metrics' || (choice.columns[column.id] ?? true)),
    [columns, choice],
  );
  return {
    placed,
    columns,
    fitting,
    shown: isTwoLine ? inTwoLines : fitting,
    aside,
    hasUsage,
    choice,
    choose: (next) => columnChoices.update((choices) => ({ ...choices, [kind.id]: next })),
    isTwoLine,
    // Two lines have no room for columns beside each other.
    isWide: choice.isWide && !isTwoLine,
    room,
    rowHeight: (isNarrow ? 3.25 : isTwoLine ? 2.75 : 1.625) * rootSize,
    rootSize,
  };
}
