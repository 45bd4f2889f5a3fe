import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { LogPopover } from './LogPopover.tsx';

interface LogMoreProps {
  /** Whether something in it is not as usual: that shows on the button. */
  readonly isChanged: boolean;
  readonly children: ReactNode;
}

/** The options that do not fit in the bar of a log, behind one button. */
export function LogMore({ isChanged, children }: LogMoreProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <LogPopover
      label={isChanged ? 'More options, some are set' : 'More options'}
      icon={<SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden="true" />}
      isChanged={isChanged}
      isOpen={isOpen}
      onOpenChange={setOpen}
      title="More options of the log"
    >
      {children}
    </LogPopover>
  );
}
