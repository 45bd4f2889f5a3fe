import { useState } from 'react';
import type { CellValue } from '../../../contract/live.ts';
import type { CellFormat, CellLink } from '../../../registry/kinds/kind.ts';
import { LinkButton } from '../../kit/Link.tsx';
import { DetailCell } from './DetailCell.tsx';
import type { FieldHref } from './use-field-href.ts';

/** Rows shown before one asks for all: a role of the system has hundreds. */
const initialRows = 30;

const cellLook = 'px-2 py-1.5 align-top wrap-anywhere first:pl-0 last:pr-0';

/** Columns that a narrow tile has room for; more of them stand one below the other there, each with its name. */
const maxNarrowColumns = 3;
const stackedParts = {
  table: 'table @max-[36rem]:block',
  head: 'table-header-group @max-[36rem]:sr-only',
  body: 'table-row-group @max-[36rem]:block',
  row: 'table-row @max-[36rem]:block @max-[36rem]:py-1.5',
  cell: 'table-cell @max-[36rem]:grid @max-[36rem]:grid-cols-[6.25rem_minmax(0,1fr)] @max-[36rem]:gap-x-2.5 @max-[36rem]:px-0 @max-[36rem]:py-0.5',
  label: 'hidden text-text-3 @max-[36rem]:block',
} as const;
const wideParts = {
  table: 'table',
  head: 'table-header-group',
  body: 'table-row-group',
  row: 'table-row',
  cell: 'table-cell',
  label: 'hidden',
} as const;

interface FieldTableProps {
  /** The section that it stands in. */
  readonly label: string;
  readonly columns: readonly {
    readonly label: string;
    readonly format: CellFormat;
    readonly links?: CellLink;
  }[];
  readonly rows: readonly (readonly CellValue[])[];
  /** The server's clock, ms. */
  readonly now: number;
  /** Where the texts of a column with links lead. */
  readonly hrefOf: FieldHref;
}

/** A table of an object's parts, whole: nothing in it is cut off. */
export function FieldTable({ label, columns, rows, now, hrefOf }: FieldTableProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, initialRows);
  const parts = columns.length > maxNarrowColumns ? stackedParts : wideParts;
  return (
    <>
      {/* A table that is drawn as a list would lose its roles: they are said. */}
      <div
        role="table"
        className={`w-full border-collapse text-(length:--text-sm) ${parts.table}`}
        aria-label={label}
      >
        <div role="rowgroup" className={parts.head}>
          <div role="row" className="table-row border-b border-border text-(length:--text-2xs) text-text-3">
            {columns.map((column) => (
              <span
                key={column.label}
                role="columnheader"
                className="table-cell px-2 pb-1 font-medium first:pl-0 last:pr-0"
              >
                {column.label}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={parts.body}>
          {shown.map((cells, index) => (
            // Rows have no identity of their own: two rules of a role may be equal.
            <div
              key={`${index}`}
              role="row"
              className={`border-b border-hairline last:border-b-0 hover:bg-row-hover [&_.text-text-2]:text-inherit ${parts.row}`}
            >
              {columns.map((column, at) => (
                <div key={column.label} role="cell" className={`${cellLook} ${parts.cell}`}>
                  <span className={parts.label} aria-hidden="true">
                    {column.label}
                  </span>
                  <div className="min-w-0">
                    <DetailCell
                      format={column.format}
                      value={cells[at] ?? null}
                      now={now}
                      href={hrefOf(column.links)}
                    />
                  </div>
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      {rows.length > shown.length && (
        <LinkButton onClick={() => setWhole(true)}>Show all {rows.length}</LinkButton>
      )}
    </>
  );
}
