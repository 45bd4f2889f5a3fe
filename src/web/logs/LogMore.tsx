import { SlidersHorizontal } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useMenuOverlay } from '../shell/use-overlay.ts';
import { IconButton } from '../ui/Button.tsx';

interface LogMoreProps {
  /** Whether something in it is not as usual: that shows on the button. */
  readonly isChanged: boolean;
  readonly children: ReactNode;
}

/** What has no room in the bar of a log, behind one button. Esc and a press outside close it. */
export function LogMore({ isChanged, children }: LogMoreProps) {
  const [isOpen, setOpen] = useState(false);
  useMenuOverlay(isOpen);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton
          size="sm"
          label={isChanged ? 'More options, some are set' : 'More options'}
          variant={isChanged ? 'light' : 'transparent'}
        >
          <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu log-more"
          align="end"
          sideOffset={4}
          collisionPadding={4}
          aria-label="More options of the log"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
