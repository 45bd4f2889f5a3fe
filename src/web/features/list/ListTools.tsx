import { Columns3, ListFilter, TriangleAlert, X } from 'lucide-react';
import { memo, type ReactNode, type RefObject } from 'react';
import type { KindFacts } from '../../../registry/kind-facts.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { lowerFirst } from '../../data/live/freshness.ts';
import { IconButton } from '../../kit/Button.tsx';
import { NamespacePicker } from './NamespacePicker.tsx';
import { Input, InputBox } from '../../kit/input.tsx';
import { Toolbar } from '../../kit/Toolbar.tsx';

interface FilterFieldProps {
  /** Name of the listed objects, in lower case. */
  readonly plural: string;
  readonly filter: string;
  readonly fieldRef: RefObject<HTMLInputElement | null>;
  readonly onFilter: (text: string) => void;
  /** The field took the keys, or gave them up. */
  readonly onTyping: (isTyping: boolean) => void;
  /** Done with the field: the rows get the keys. */
  readonly onLeave: () => void;
}

interface ListButtonsProps {
  readonly isUnhealthyOnly: boolean;
  /** Shows only what is not well, or everything again; absent where nothing has a status. */
  readonly onUnhealthy: (() => void) | undefined;
  readonly isChoosingColumns: boolean;
  /** Opens the choice of columns below this button. */
  readonly onColumns: (button: Element) => void;
}

interface ListToolsProps extends Omit<FilterFieldProps, 'plural'>, ListButtonsProps {
  readonly kind: KindFacts;
  readonly shown: number;
  readonly known: number;
  /** How many exist where the server cuts the list off. */
  readonly total: number | undefined;
  readonly isComplete: boolean;
  /** The order of the rows in words, for those who do not see the headings. */
  readonly order: string;
  /** Number of selected rows; a permanent live region announces it. */
  readonly selected: number;
  /** Actions on the selected rows, in place of the other tools. */
  readonly bulk: ReactNode;
  /** Actions on the list itself. */
  readonly extra: ReactNode;
}

/** In a very narrow tile it has what place there is. */
const filterLook =
  'flex max-w-82.5 min-w-24 flex-[1_1_8rem] @max-[18rem]:min-w-16 narrow:max-w-none narrow:min-w-32';

/** Gives way before all else; where it is narrow it is heard, not seen. */
const countLook = [
  'min-w-0 shrink-1000 truncate text-(length:--text-xs) text-text-2',
  '@max-[18rem]:sr-only narrow:sr-only',
].join(' ');

/** The filter, and how many rows pass it: what stands around that number is not drawn anew with each of a list's changes. */
export function ListTools(props: ListToolsProps) {
  const { kind, filter, shown, known, total, isComplete, order, selected, bulk, extra } = props;
  const { fieldRef, onFilter, onTyping, onLeave } = props;
  const { isUnhealthyOnly, onUnhealthy, isChoosingColumns, onColumns } = props;
  const plural = lowerFirst(kind.title);
  const all =
    total !== undefined && total > known
      ? `first ${known} of ${total} ${plural}`
      : `${known} ${known === 1 ? lowerFirst(kind.kind) : plural}`;
  const count = filter === '' ? all : `${shown} of ${known}`;
  return (
    <Toolbar wraps="narrow">
      <FilterField
        plural={plural}
        filter={filter}
        fieldRef={fieldRef}
        onFilter={onFilter}
        onTyping={onTyping}
        onLeave={onLeave}
      />
      <span className={countLook} role="status">
        {isComplete && count}
      </span>
      <span className="sr-only" role="status">
        {order}
      </span>
      <span className="sr-only" role="status">
        {selected > 0 && `${selected} selected`}
      </span>
      <span className="min-w-0 flex-1 narrow:hidden" />
      {bulk ?? (
        <>
          {extra}
          <ListButtons
            isUnhealthyOnly={isUnhealthyOnly}
            onUnhealthy={onUnhealthy}
            isChoosingColumns={isChoosingColumns}
            onColumns={onColumns}
          />
        </>
      )}
    </Toolbar>
  );
}

const FilterField = memo(function FilterField(props: FilterFieldProps) {
  const { plural, filter, fieldRef, onFilter, onTyping, onLeave } = props;
  return (
    <span className={filterLook} data-part="filter">
      <InputBox size="sm" className="flex-1">
        <ListFilter className="text-text-3" size={13} strokeWidth={1.75} aria-hidden="true" />
        <Input
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
          <span className="@max-[18rem]:hidden narrow:hidden" aria-hidden="true">
            <KeysOf id="table.filter" />
          </span>
        ) : (
          <button
            type="button"
            className="grid size-4.5 place-items-center rounded-[3px] text-text-3"
            aria-label="Clear filter"
            onClick={() => onFilter('')}
          >
            <X size={12} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
      </InputBox>
    </span>
  );
});

const ListButtons = memo(function ListButtons(props: ListButtonsProps) {
  const { isUnhealthyOnly, onUnhealthy, isChoosingColumns, onColumns } = props;
  return (
    <>
      {onUnhealthy !== undefined && (
        <IconButton
          label="Only unhealthy objects"
          size="sm"
          aria-pressed={isUnhealthyOnly}
          onClick={onUnhealthy}
        >
          <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      )}
      <span className="narrow:hidden">
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
      <span className="flex md:hidden">
        <NamespacePicker place="tools" />
      </span>
    </>
  );
});
