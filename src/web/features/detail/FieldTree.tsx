import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { type FieldFolding, type FieldRow, fieldRows, pageOfFields, stepFields } from './field-tree.ts';
import { linkLook } from '../../kit/Link.tsx';
import { Section } from '../../kit/Section.tsx';

interface FieldTreeProps {
  /** The top-level fields: spec and status. */
  readonly fields: object;
  readonly label: string;
}

const textLook = 'min-w-0 wrap-anywhere whitespace-pre-wrap';
const numberLook = `${textLook} text-code-number`;
const valueLooks: Readonly<Record<FieldRow['sort'], string>> = {
  text: textLook,
  number: numberLook,
  boolean: numberLook,
  null: 'text-text-3',
  object: 'text-text-3',
  list: 'text-text-3',
  more: '',
};

/** The fields of an object as a tree that folds: what no other section knows of it, without reading YAML. */
export function FieldTree({ fields, label }: FieldTreeProps) {
  const [folding, setFolding] = useState<FieldFolding>({ open: new Map(), shown: new Map() });
  const [wanted, setCursor] = useState<string | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => fieldRows(fields, folding), [fields, folding]);
  // When the cursor's line disappears, the first line takes the focus.
  const cursor = rows.some(({ id }) => id === wanted) ? wanted : rows[0]?.id;
  if (rows.length === 0) return null;

  const go = (id: string) => {
    setCursor(id);
    const at = rows.findIndex((row) => row.id === id);
    box.current?.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus();
  };
  const setOpen = (id: string, value: boolean) =>
    setFolding((known) => ({ ...known, open: new Map(known.open).set(id, value) }));
  const press = ({ id, sort, isOpen, parent = '' }: FieldRow) => {
    go(id);
    if (isOpen !== undefined) setOpen(id, !isOpen);
    if (sort === 'more') {
      setFolding((known) => {
        const count = (known.shown.get(parent) ?? pageOfFields) + pageOfFields;
        return { ...known, shown: new Map(known.shown).set(parent, count) };
      });
    }
  };
  const keyDown = (event: KeyboardEvent, row: FieldRow) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Enter' || event.key === ' ') press(row);
    else {
      const step = stepFields(rows, row.id, event.key);
      if (step === undefined) return;
      if (step.to !== undefined) go(step.to);
      if (step.open !== undefined) setOpen(...step.open);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Section title="Fields">
      <div ref={box} className="overflow-x-auto" role="tree" aria-label={label}>
        {rows.map((row, at) => (
          <div
            key={row.id}
            data-at={at}
            role="treeitem"
            tabIndex={row.id === cursor ? 0 : -1}
            aria-level={row.level}
            aria-posinset={row.position}
            aria-setsize={row.setSize}
            aria-expanded={row.isOpen}
            aria-selected={row.id === cursor}
            className="flex cursor-default items-baseline gap-1.5 rounded-[3px] py-0.75 hover:bg-row-hover focus-visible:-outline-offset-2 aria-expanded:cursor-pointer narrow:py-2.25"
            style={{ paddingLeft: `${(row.level - 1) * 1.125}rem` }}
            onClick={() => press(row)}
            onKeyDown={(event) => keyDown(event, row)}
          >
            <span
              className="grid h-4.5 w-4 flex-none place-items-center self-start text-text-3"
              aria-hidden="true"
            >
              {row.isOpen === true && <ChevronDown size={13} strokeWidth={1.75} />}
              {row.isOpen === false && <ChevronRight size={13} strokeWidth={1.75} />}
            </span>
            <span className={row.sort === 'more' ? linkLook : 'flex-none text-code-key'}>{row.name}</span>
            {row.sort !== 'more' && (
              <span className={row.isOpen === undefined ? valueLooks[row.sort] : 'text-text-3'}>
                {row.value}
              </span>
            )}
          </div>
        ))}
      </div>
    </Section>
  );
}
