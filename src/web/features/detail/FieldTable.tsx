import { useState } from 'react';
import type { CellValue } from '../../../contract/live.ts';
import type { CellFormat } from '../../../registry/kind.ts';
import { LinkButton } from '../../kit/Link.tsx';
import { DetailCell } from './DetailCell.tsx';

/** Rows shown before one asks for all: a role of the system has hundreds. */
const initialRows = 30;

const cellLook = 'px-2 py-1.5 align-top wrap-anywhere first:pl-0 last:pr-0';

interface FieldTableProps {
  /** The section that it stands in. */
  readonly label: string;
  readonly columns: readonly { readonly label: string; readonly format: CellFormat }[];
  readonly rows: readonly (readonly CellValue[])[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** A table of an object's parts, whole: nothing in it is cut off. */
export function FieldTable({ label, columns, rows, now }: FieldTableProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, initialRows);
  return (
    <>
      <table className="w-full border-collapse text-(length:--text-sm)" aria-label={label}>
        <thead>
          <tr className="border-b border-border text-left text-(length:--text-2xs) text-text-3">
            {columns.map((column) => (
              <th key={column.label} scope="col" className="px-2 pb-1 font-medium first:pl-0 last:pr-0">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((cells, index) => (
            // Rows have no identity of their own: two rules of a role may be equal.
            <tr
              key={`${index}`}
              className="border-b border-hairline last:border-b-0 hover:bg-row-hover [&_.text-text-2]:text-inherit"
            >
              {columns.map((column, at) => (
                <td key={column.label} className={cellLook}>
                  <DetailCell format={column.format} value={cells[at] ?? null} now={now} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <LinkButton onClick={() => setWhole(true)}>Show all {rows.length}</LinkButton>
      )}
    </>
  );
}
