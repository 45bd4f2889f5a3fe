import type { Row } from '../../../contract/live.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';

/** The object of a row, from its name and namespace cells; without a name column there is none. */
export function refOfRow(
  row: Row,
  columns: readonly PlacedColumn[],
  kind: string,
  clusterId: number,
): ObjectRef | undefined {
  const text = (format: CellFormat) => {
    const placed = columns.find(({ column }) => column.format === format);
    const value = placed === undefined ? '' : row[1][placed.index];
    return typeof value === 'string' ? value : '';
  };
  const name = text('name');
  if (name === '') return undefined;
  const namespace = text('namespace');
  return { cluster: String(clusterId), kind, ...(namespace === '' ? {} : { namespace }), name };
}
