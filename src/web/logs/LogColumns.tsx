import { Columns3 } from 'lucide-react';
import { type Ref, useState } from 'react';
import { columnKey, columnLabel, isFullOf, turnPath } from './columns.ts';
import type { KnownField } from './field-index.ts';
import type { FieldPath } from './json.ts';
import { LogPopover } from './LogPopover.tsx';

interface LogColumnsProps {
  /** What lines of JSON have, the commonest first. Asked for when it is opened: it does not change under the pointer. */
  readonly fields: () => readonly KnownField[];
  readonly chosen: readonly FieldPath[];
  readonly onChoose: (columns: readonly FieldPath[]) => void;
}

/** Which fields of lines of JSON have a column of their own. */
export function LogColumns({ fields, chosen, onChoose }: LogColumnsProps) {
  const [shown, setShown] = useState<readonly KnownField[] | undefined>(undefined);
  const keys = new Set(chosen.map(columnKey));
  // What is chosen can be given up also where no line has it (any more).
  const known = new Set(shown?.map(({ path }) => columnKey(path)));
  const all: readonly Pick<KnownField, 'path' | 'label'>[] = [
    ...chosen
      .filter((path) => !known.has(columnKey(path)))
      .map((path) => ({ path, label: columnLabel(path) })),
    ...(shown ?? []),
  ];
  return (
    <LogPopover
      label={chosen.length === 0 ? 'Columns of JSON lines' : `Columns of JSON lines, ${chosen.length} chosen`}
      icon={<Columns3 size={14} strokeWidth={1.75} aria-hidden="true" />}
      isChanged={chosen.length > 0}
      isOpen={shown !== undefined}
      onOpenChange={(isOpen) => setShown(isOpen ? fields() : undefined)}
      title="Columns of JSON lines"
    >
      {all.length === 0 && <p className="sec">No line of JSON has other fields.</p>}
      <ul className="log-fields scroll">
        {all.map(({ path, label }) => (
          <li key={columnKey(path)}>
            <label className="check">
              <input
                type="checkbox"
                checked={keys.has(columnKey(path))}
                disabled={!keys.has(columnKey(path)) && isFullOf(chosen)}
                onChange={() => onChoose(turnPath(chosen, path))}
              />
              <span className="trunc">{label}</span>
            </label>
          </li>
        ))}
      </ul>
      {isFullOf(chosen) && <p className="sec">No more columns fit. Take one away to add another.</p>}
    </LogPopover>
  );
}

/** A column as lines draw it. */
export interface ShownColumn {
  readonly path: FieldPath;
  readonly label: string;
  /** Letters. */
  readonly width: number;
}

interface ColumnHeadsProps {
  readonly columns: readonly ShownColumn[];
  /** Scrolled sideways with the lines. */
  readonly ref: Ref<HTMLDivElement>;
  readonly hasTimes: boolean;
  readonly hasLevels: boolean;
  readonly hasSources: boolean;
}

/** The names above the columns. */
export function ColumnHeads({ columns, ref, hasTimes, hasLevels, hasSources }: ColumnHeadsProps) {
  return (
    <div ref={ref} className="log-heads" aria-hidden="true">
      <div className="log-line">
        {hasTimes && <span className="log-time">time</span>}
        {hasSources && <span className="log-source">from</span>}
        {hasLevels && <span className="log-level" />}
        <span className="log-open" />
        {columns.map(({ path, label, width }) => (
          <span key={columnKey(path)} className="log-cell" style={{ width: `${width}ch` }} title={label}>
            {label}
          </span>
        ))}
        <span className="log-text">message</span>
      </div>
    </div>
  );
}
