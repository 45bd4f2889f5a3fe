import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useMenuOverlay } from './use-overlay.ts';
import type { MenuPlace } from './menu-place.ts';
import { menuBox } from './menu.ts';
import { useFocusReturn } from './use-focus-return.ts';

interface PlacedMenuProps {
  readonly place: MenuPlace;
  readonly label: string;
  readonly className: string;
  readonly onClose: () => void;
  /** Once the menu is gone and what had the focus before has it again. */
  readonly onClosed?: () => void;
  /** Its entries. */
  readonly children: ReactNode;
}

/** A menu that is open at a place of the window, and gives the focus back to what had it. */
export function PlacedMenu({ place, label, className, onClose, onClosed, children }: PlacedMenuProps) {
  useMenuOverlay(true);
  const returning = useFocusReturn();
  // The anchor of the menu cannot have the focus: it goes back to what had it.
  const [opener] = useState(() => document.activeElement);
  return (
    <DropdownMenu.Root
      open
      modal={false}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <DropdownMenu.Trigger asChild>
        <span className="fixed size-0" aria-hidden="true" style={{ left: place.x, top: place.y }} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={`${menuBox} ${className}`}
          align={place.align}
          collisionPadding={8}
          aria-label={label}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returning(() => {
              if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
            });
            onClosed?.();
          }}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
