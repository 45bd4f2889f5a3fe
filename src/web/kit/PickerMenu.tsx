import { Check, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useState,
} from 'react';
import { menuBox, menuItem, menuNothing, menuTick } from './menu.ts';
import { useFocusReturn } from './use-focus-return.ts';

/** One thing to choose. */
export interface PickerEntry {
  readonly id: string;
  /** The text that the search matches. */
  readonly text: string;
  readonly content: ReactNode;
}

interface PickerMenuProps {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly label: string;
  readonly placeholder: string;
  /** Said when nothing is there or nothing matches. */
  readonly emptyText: string;
  readonly entries: readonly PickerEntry[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  /** The cursor is on an entry now, or on none. */
  readonly onCursor?: (id: string | undefined) => void;
  readonly onClose: () => void;
}

/** A searchable list under a button, with the keys of a combobox. Esc and a press outside close it. */
export function PickerMenu(props: PickerMenuProps) {
  const { anchor, label, placeholder, emptyText, entries, selected, onSelect, onCursor, onClose } = props;
  const id = useId();
  const returning = useFocusReturn();
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const shown = entries.filter((entry) => entry.text.toLowerCase().includes(wanted));
  const [cursor, setCursor] = useState<string | undefined>(selected);
  const at = Math.max(
    0,
    shown.findIndex((entry) => entry.id === cursor),
  );
  const current = shown[at];

  const currentId = current?.id;
  const showCurrent = useCallback(() => {
    document.getElementById(`${id}-${currentId ?? ''}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, currentId]);
  useEffect(showCurrent, [showCurrent]);
  useEffect(() => {
    onCursor?.(currentId);
    return () => onCursor?.(undefined);
  }, [onCursor, currentId]);

  const choose = (entry: PickerEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    onSelect(entry.id);
  };
  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setCursor(shown[(at + step + shown.length) % shown.length]?.id);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(current);
    }
  };

  return (
    <Popover.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className={`${menuBox} w-64 max-w-[calc(100vw-0.5rem)]`}
          align="start"
          sideOffset={4}
          collisionPadding={4}
          aria-label={label}
          // Its first moment comes after that of this component.
          onOpenAutoFocus={showCurrent}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // A choice may take the button away, or lead to another tile: then the tab that shows gets the focus.
            const opener = anchor.current;
            const isBehind = opener?.closest('[data-tile]:not([data-focused])') != null;
            const target =
              opener === null || isBehind
                ? document.querySelector<HTMLElement>(
                    '[data-tile][data-focused] [role=tab][aria-selected=true]',
                  )
                : opener;
            returning(() => target?.focus());
          }}
          onInteractOutside={(event) => {
            // The button closes the menu itself.
            if (anchor.current?.contains(event.target as Node) === true) event.preventDefault();
          }}
        >
          <div className="-mx-1 -mt-1 mb-1 flex h-8 items-center gap-2 border-b border-border px-2 text-text-3">
            <Search size={13} strokeWidth={1.75} aria-hidden="true" />
            <input
              className="min-w-0 flex-1 border-0 bg-transparent text-text outline-0 placeholder:text-text-3 placeholder:opacity-100"
              role="combobox"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={current === undefined ? undefined : `${id}-${current.id}`}
              aria-label={placeholder}
              placeholder={placeholder}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={press}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <div
            className="max-h-64 scrollbar-thin overflow-auto"
            role="listbox"
            id={`${id}-list`}
            aria-label={label}
          >
            {shown.map((entry, index) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above holds focus and keys
              <div
                key={entry.id}
                id={`${id}-${entry.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={entry.id === selected}
                data-highlighted={index === at || undefined}
                className={menuItem()}
                onPointerMove={() => setCursor(entry.id)}
                onClick={() => choose(entry)}
              >
                {entry.content}
                {entry.id === selected && (
                  <Check
                    data-part="tick"
                    className={menuTick}
                    size={15}
                    strokeWidth={1.75}
                    aria-hidden="true"
                  />
                )}
              </div>
            ))}
          </div>
          {shown.length === 0 && (
            <p className={menuNothing} role="status">
              {emptyText}
            </p>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
