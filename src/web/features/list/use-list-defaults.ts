import { useQuery } from '@tanstack/react-query';
import type { ListDefaults } from '../../../contract/clusters.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { type ColumnChoice, noChoice, wideChoice } from '../../core/state/columns.ts';
import { useKept } from '../../core/state/port.ts';
import { useCell } from '../../core/state/state.ts';
import { useData } from '../../data/port.ts';
import type { SortKey } from '../../data/rows/sort-key.ts';

/** How the person's lists of a cluster begin; undefined where they never said, or it is not known yet. */
export function useListDefaults(clusterId: number): ListDefaults | undefined {
  const { queries } = useData();
  return useQuery(queries.clusters).data?.find(({ id }) => id === clusterId)?.defaults;
}

/** The columns that are wanted of a kind's list: those chosen in this browser, else as the person's lists begin. */
export function useColumnChoice(clusterId: number, kindId: string): ColumnChoice {
  const { columnChoices } = useKept();
  const isWide = useListDefaults(clusterId)?.isWide === true;
  return useCell(columnChoices, (choices) => choices[kindId]) ?? (isWide ? wideChoice : noChoice);
}

/** The order that the person's lists begin with; undefined where they have none, or the kind lacks its column. */
export function useFirstSort(clusterId: number, kind: KindFacts): SortKey {
  const sort = useListDefaults(clusterId)?.sort ?? undefined;
  const id = sort?.replace(/^-/, '');
  return kind.columns.some((column) => column.id === id) ? sort : undefined;
}
