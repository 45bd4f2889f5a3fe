import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import type { ColumnFacts } from '../../registry/kind-facts.ts';
import type { MenuPlace } from '../actions/ActionMenu.tsx';
import { KeysOf } from '../keyboard/Keys.tsx';
import { useMenuOverlay } from '../shell/use-overlay.ts';
import { type ColumnChoice, turnColumn } from '../state/columns.ts';
import { isChosen } from './columns.ts';

interface ColumnsMenuProps {
  readonly place: MenuPlace;
  readonly columns: readonly ColumnFacts[];
  readonly choice: ColumnChoice;
  readonly onChoose: (choice: ColumnChoice) => void;
  readonly onClose: () => void;
}

/** Which columns show: the wide table, and each by itself. */
export function ColumnsMenu({ place, columns, choice, onChoose, onClose }: ColumnsMenuProps) {
  useMenuOverlay(true);
  // The anchor of the menu cannot have the focus: it goes back to what had it.
  const [opener] = useState(() => document.activeElement);
  const tick = (
    <DropdownMenu.ItemIndicator className="tick">
      <Check size={14} strokeWidth={1.75} aria-hidden="true" />
    </DropdownMenu.ItemIndicator>
  );
  const keep = (event: Event) => event.preventDefault();
  return (
    <DropdownMenu.Root
      open
      modal={false}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <DropdownMenu.Trigger asChild>
        <span className="menu-anchor" aria-hidden="true" style={{ left: place.x, top: place.y }} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu columns-menu"
          align={place.align}
          collisionPadding={8}
          aria-label="Columns"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
          }}
        >
          <DropdownMenu.CheckboxItem
            className="mi"
            checked={choice.isWide}
            onCheckedChange={(isWide) => onChoose({ isWide, columns: {} })}
            onSelect={keep}
          >
            <span className="grow">Wide table</span>
            <KeysOf id="table.wide" />
            {tick}
          </DropdownMenu.CheckboxItem>
          <DropdownMenu.Separator className="mi-line" />
          {columns
            .filter(({ id }) => id !== 'name')
            .map((column) => {
              const isShown = isChosen(column, choice);
              return (
                <DropdownMenu.CheckboxItem
                  key={column.id}
                  className="mi"
                  checked={isShown}
                  onCheckedChange={() => onChoose(turnColumn(choice, column.id, isShown))}
                  onSelect={keep}
                >
                  <span className="grow">{column.label}</span>
                  {tick}
                </DropdownMenu.CheckboxItem>
              );
            })}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
