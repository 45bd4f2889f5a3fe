import { useMemo } from 'react';
import type { Row } from '../../../contract/live.ts';
import type { RowTarget } from '../../../registry/kinds/cell-link.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { hrefsOf, type RowLinks, targetsOf, useLinkedPlace } from '../../data/cell-links.ts';
import { namePlaces } from '../../data/rows/sort-key.ts';
import type { ListColumns } from './use-list-columns.ts';

/** Where the rows of a list lead. */
export interface ListLinks {
  /** For the columns that are drawn; the same object while neither they nor the permissions change. */
  readonly links: RowLinks;
  /** The objects that a row names, also in columns that are not drawn. */
  readonly targetsIn: (row: Row) => readonly RowTarget[];
}

/** Where the rows of a list lead. */
export function useRowLinks(
  kind: KindFacts,
  clusterId: number,
  { placed, shown }: Pick<ListColumns, 'placed' | 'shown'>,
): ListLinks {
  const place = useLinkedPlace(String(clusterId));
  return useMemo(() => {
    const { namespaceAt } = namePlaces(placed);
    return {
      links: { hrefs: hrefsOf(kind, shown, place), namespaceAt },
      targetsIn: (row) => targetsOf(row, placed, namespaceAt, place),
    };
  }, [kind, placed, shown, place]);
}
