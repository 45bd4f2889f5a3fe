import { Columns3, ListFilter, TriangleAlert, X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import type { KindFacts } from '../../registry/kind-facts.ts';
import { KeysOf } from '../keyboard/Keys.tsx';
import { lowerFirst } from '../data/live/freshness.ts';
import { IconButton } from '../ui/Button.tsx';
import { NamespacePicker } from '../shell/NamespacePicker.tsx';

interface ListToolsProps {
  readonly kind: KindFacts;
  readonly filter: string;
  readonly shown: number;
  readonly known: number;
  /** How many exist where the server cuts the list off. */
  readonly total: number | undefined;
  readonly isComplete: boolean;
  /** The order of the rows in words, for those who do not see the headings. */
  readonly order: string;
  /** How many rows are selected: told from a place that is always there. */
  readonly selected: number;
  readonly fieldRef: RefObject<HTMLInputElement | null>;
  readonly onFilter: (text: string) => void;
  /** The field took the keys, or gave them up. */
  readonly onTyping: (isTyping: boolean) => void;
  /** Done with the field: the rows get the keys. */
  readonly onLeave: () => void;
  readonly isUnhealthyOnly: boolean;
  /** Shows only what is not well, or everything again; absent where nothing has a status. */
  readonly onUnhealthy: (() => void) | undefined;
  readonly isChoosingColumns: boolean;
  /** Opens the choice of columns below this button. */
  readonly onColumns: (button: Element) => void;
  /** What can be done with the selected rows, in the place of what else stands right. */
  readonly bulk: ReactNode;
  /** What can be done with the list itself. */
  readonly extra: ReactNode;
}

/** The filter, and how many rows pass it. */
export function ListTools({
  kind,
  filter,
  shown,
  known,
  total,
  isComplete,
  order,
  selected,
  fieldRef,
  onFilter,
  onTyping,
  onLeave,
  isUnhealthyOnly,
  onUnhealthy,
  isChoosingColumns,
  onColumns,
  bulk,
  extra,
}: ListToolsProps) {
  const plural = lowerFirst(kind.title);
  const all =
    total !== undefined && total > known
      ? `first ${known} of ${total} ${plural}`
      : `${known} ${known === 1 ? lowerFirst(kind.kind) : plural}`;
  const count = filter === '' ? all : `${shown} of ${known}`;
  return (
    <div className="tools">
      <div className="input sm filter">
        <ListFilter size={13} strokeWidth={1.75} aria-hidden="true" />
        <input
          ref={fieldRef}
          type="text"
          inputMode="search"
          aria-label={`Filter ${plural}`}
          placeholder={`Filter ${plural}`}
          value={filter}
          onChange={(event) => onFilter(event.target.value)}
          onFocus={() => onTyping(true)}
          onBlur={() => onTyping(false)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'ArrowDown') {
              event.preventDefault();
              onLeave();
            }
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {filter === '' ? (
          <span aria-hidden="true">
            <KeysOf id="table.filter" />
          </span>
        ) : (
          <button type="button" className="clear" aria-label="Clear filter" onClick={() => onFilter('')}>
            <X size={12} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
      </div>
      <span className="count sec" role="status">
        {isComplete && count}
      </span>
      <span className="vh" role="status">
        {order}
      </span>
      <span className="vh" role="status">
        {selected > 0 && `${selected} selected`}
      </span>
      <span className="grow" />
      {bulk ?? (
        <>
          {extra}
          {onUnhealthy !== undefined && (
            <IconButton
              label="Only what is not well"
              size="sm"
              aria-pressed={isUnhealthyOnly}
              onClick={onUnhealthy}
            >
              <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          )}
          <span className="w-only">
            <IconButton
              label="Columns"
              size="sm"
              aria-haspopup="menu"
              aria-expanded={isChoosingColumns}
              onClick={(event) => onColumns(event.currentTarget)}
            >
              <Columns3 size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          </span>
          <span className="only-n">
            <NamespacePicker />
          </span>
        </>
      )}
    </div>
  );
}
