import { Columns3, TriangleAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { lowerFirst } from '../../data/live/freshness.ts';
import { IconButton } from '../../kit/Button.tsx';
import { FilterField, type FilterFieldProps } from './FilterField.tsx';
import { NamespacePicker } from './NamespacePicker.tsx';
import { Toolbar } from '../../kit/Toolbar.tsx';

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

/** Gives way before all else; where it is narrow it is heard, not seen. */
const countLook = [
  'min-w-0 shrink-1000 truncate text-(length:--text-xs) text-text-2',
  '@max-[18rem]:sr-only narrow:sr-only',
].join(' ');

/** The filter, and how many rows pass it: what stands around that number is not drawn anew with each of a list's changes. */
export function ListTools(props: ListToolsProps) {
  const { kind, filter, shown, known, total, isComplete, order, selected, bulk, extra } = props;
  const { problem, fields, valuesOf, fieldRef, onFilter, onTyping, onLeave, onHelp } = props;
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
        problem={problem}
        fields={fields}
        valuesOf={valuesOf}
        fieldRef={fieldRef}
        onFilter={onFilter}
        onTyping={onTyping}
        onLeave={onLeave}
        onHelp={onHelp}
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
