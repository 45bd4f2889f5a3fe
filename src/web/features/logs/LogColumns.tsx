import { Columns3 } from 'lucide-react';
import { type Ref, useState } from 'react';
import { CheckLine } from '../../kit/input.tsx';
import { columnKey, columnLabel, isFullOf, turnPath } from './columns.ts';
import type { KnownField } from './field-index.ts';
import type { FieldPath } from './json.ts';
import {
  cellLook,
  headLook,
  headSourceLook,
  headTextLook,
  headTimeLook,
  levelLooks,
  openLook,
} from './line-look.ts';
import { LogPopover } from './LogPopover.tsx';

interface LogColumnsProps {
  /**
   * The fields of the JSON lines, the commonest first. Read when the menu opens: it does not change under the pointer.
   */
  readonly fields: () => readonly KnownField[];
  readonly chosen: readonly FieldPath[];
  readonly onChoose: (columns: readonly FieldPath[]) => void;
}

/** Which fields of lines of JSON have a column of their own. */
export function LogColumns({ fields, chosen, onChoose }: LogColumnsProps) {
  const [shown, setShown] = useState<readonly KnownField[] | undefined>(undefined);
  const keys = new Set(chosen.map(columnKey));
  // A chosen column can be removed even if no line has its field any more.
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
      {all.length === 0 && <p className="text-text-2">No JSON line has other fields.</p>}
      <ul className="scrollbar-quiet max-h-72 overflow-auto">
        {all.map(({ path, label }) => (
          <li key={columnKey(path)}>
            <CheckLine
              checked={keys.has(columnKey(path))}
              disabled={!keys.has(columnKey(path)) && isFullOf(chosen)}
              onChange={() => onChoose(turnPath(chosen, path))}
            >
              <span className="min-w-0 truncate">{label}</span>
            </CheckLine>
          </li>
        ))}
      </ul>
      {isFullOf(chosen) && <p className="text-text-2">No more columns fit. Take one away to add another.</p>}
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
    <div
      ref={ref}
      className="mono flex-none overflow-hidden border-b border-border bg-raised leading-5 font-normal text-text-2"
      aria-hidden="true"
    >
      <div className={headLook}>
        {hasTimes && <span className={headTimeLook}>time</span>}
        {hasSources && <span className={headSourceLook}>from</span>}
        {hasLevels && <span className={levelLooks.none} />}
        <span className={openLook} />
        {columns.map(({ path, label, width }) => (
          <span key={columnKey(path)} className={cellLook} style={{ width: `${width}ch` }} title={label}>
            {label}
          </span>
        ))}
        <span className={headTextLook}>message</span>
      </div>
    </div>
  );
}
