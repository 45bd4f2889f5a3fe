import { Popover } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import { useMenuOverlay } from '../../kit/use-overlay.ts';
import { IconButton } from '../../kit/Button.tsx';

interface LogPopoverProps {
  readonly label: string;
  readonly icon: ReactNode;
  /** Whether something in it is not as usual: that shows on the button. */
  readonly isChanged: boolean;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** A button in a log's bar with what belongs to it in a panel. Esc and a press outside close it. */
export function LogPopover({
  label,
  icon,
  isChanged,
  isOpen,
  onOpenChange,
  title,
  children,
}: LogPopoverProps) {
  const heading = useId();
  useMenuOverlay(isOpen);
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>
        <IconButton size="sm" label={label} variant={isChanged ? 'light' : 'transparent'}>
          {icon}
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="z-menu flex w-56 data-[state=open]:animate-menu-in flex-col gap-2 rounded-md border border-border bg-overlay p-2.5 shadow-menu"
          align="end"
          sideOffset={4}
          collisionPadding={4}
          aria-labelledby={heading}
        >
          <h2 id={heading}>{title}</h2>
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
