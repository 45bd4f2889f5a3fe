import type { CellValue } from '../../../contract/live.ts';
import type { CellLink } from '../../../registry/kinds/kind.ts';
import { useCellHref } from '../../data/cell-links.ts';

/** Where the texts of a field lead, by what the field declares; undefined for one without links. */
export type FieldHref = (
  link: CellLink | undefined,
) => ((value: CellValue) => string | undefined) | undefined;

/** Where the fields of an object lead. @param namespace of the object; undefined for one of the cluster */
export function useFieldHref(cluster: string, namespace: string | undefined): FieldHref {
  const hrefOf = useCellHref(cluster);
  return (link) => {
    if (link === undefined) return undefined;
    const href = hrefOf(link);
    return (value) => href(value, namespace ?? '');
  };
}
