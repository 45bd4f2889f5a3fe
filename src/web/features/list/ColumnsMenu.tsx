import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ColumnFacts } from '../../../registry/kinds/kind-facts.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { type ColumnChoice, turnColumn } from '../../core/state/columns.ts';
import type { MenuPlace } from '../../kit/menu-place.ts';
import { PlacedMenu } from '../../kit/PlacedMenu.tsx';
import { menuItem, menuLine, menuTick } from '../../kit/menu.ts';
import { isChosen } from './columns.ts';

interface ColumnsMenuProps {
  readonly place: MenuPlace;
  readonly columns: readonly ColumnFacts[];
  readonly choice: ColumnChoice;
  /** The usage columns are shown by default. */
  readonly hasUsage: boolean;
  readonly onChoose: (choice: ColumnChoice) => void;
  readonly onClose: () => void;
}

/** The choice with a column turned. Usage that was hidden shows as it did before: in brief. */
function turned(choice: ColumnChoice, { id, join }: ColumnFacts, isShown: boolean): ColumnChoice {
  if (join !== 'metrics' || (choice.columns[id] ?? true)) return turnColumn(choice, id, isShown);
  const { [id]: _hidden, ...columns } = choice.columns;
  return { ...choice, columns };
}

/** Which columns show: the wide table, and each by itself. */
export function ColumnsMenu({ place, columns, choice, hasUsage, onChoose, onClose }: ColumnsMenuProps) {
  const tick = (
    <DropdownMenu.ItemIndicator className={menuTick}>
      <Check size={14} strokeWidth={1.75} aria-hidden="true" />
    </DropdownMenu.ItemIndicator>
  );
  const keep = (event: Event) => event.preventDefault();
  return (
    <PlacedMenu
      place={place}
      className="max-h-[70dvh] min-w-48 overflow-auto"
      label="Columns"
      onClose={onClose}
    >
      <DropdownMenu.CheckboxItem
        className={menuItem()}
        checked={choice.isWide}
        onCheckedChange={(isWide) => onChoose({ isWide, columns: {} })}
        onSelect={keep}
      >
        <span className="min-w-0 flex-1">Wide table</span>
        <KeysOf id="table.wide" />
        {tick}
      </DropdownMenu.CheckboxItem>
      <DropdownMenu.Separator className={menuLine} />
      {columns
        .filter(({ id }) => id !== 'name')
        .map((column) => {
          const isShown = isChosen(column, choice, hasUsage);
          return (
            <DropdownMenu.CheckboxItem
              key={column.id}
              className={menuItem()}
              checked={isShown}
              onCheckedChange={() => onChoose(turned(choice, column, isShown))}
              onSelect={keep}
            >
              <span className="min-w-0 flex-1">{column.label}</span>
              {tick}
            </DropdownMenu.CheckboxItem>
          );
        })}
    </PlacedMenu>
  );
}
