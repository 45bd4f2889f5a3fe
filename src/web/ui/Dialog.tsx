import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../app/context.ts';
import { IconButton } from './Button.tsx';

/** What is focused first: the first field, else the button that leaves the dialog, which never destroys. */
const firstField =
  '.dlg-body :is(textarea, select, input:not([type=file])), footer button:not(.b-transparent)';

interface DialogProps {
  /** Names the act. */
  readonly title: string;
  /** Stands before the title. */
  readonly icon?: ReactNode;
  readonly description?: ReactNode;
  readonly footer: ReactNode;
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly style?: CSSProperties;
  readonly className?: string;
  readonly role?: 'dialog' | 'alertdialog';
  /** Nothing outside closes it: something typed would be lost. */
  readonly isSticky?: boolean;
  /** What gets the focus back; by default what has it when the dialog opens. */
  readonly opener?: Element | null;
}

/** Gives the focus back; where what had it is gone, to the rows or the view that show now, not to the page. */
function giveBack(opener: Element | null): void {
  if (opener instanceof HTMLElement && opener.isConnected) {
    opener.focus();
    return;
  }
  const view = document.querySelector<HTMLElement>('.tile.focused .view:not([hidden])');
  (view?.querySelector<HTMLElement>('[role=grid]') ?? view)?.focus({ preventScroll: true });
}

/**
 * A modal dialog: focus is trapped and returned, Esc closes. The scrim is our own element: the library's would write
 * a style sheet into the page, which the content security policy forbids.
 */
export function Dialog({
  title,
  icon,
  description,
  footer,
  children,
  onClose,
  style,
  className = '',
  role = 'dialog',
  isSticky = false,
  opener: given,
}: DialogProps) {
  const { overlays } = useApp();
  // What had the focus before, asked before the page is put out of reach. The library would only know its own trigger.
  const [focused] = useState(() => document.activeElement);
  const opener = given ?? focused;
  useEffect(() => {
    overlays.update((open) => ({ ...open, dialog: open.dialog + 1 }));
    // The library hides the page from assistive technology; this keeps focus out of it as well.
    const page = document.querySelector('.app');
    page?.setAttribute('inert', '');
    return () => {
      page?.removeAttribute('inert');
      overlays.update((open) => ({ ...open, dialog: open.dialog - 1 }));
    };
  }, [overlays]);
  return (
    <Radix.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Radix.Portal>
        <div className="scrim" />
        <Radix.Content
          className={`dlg ${className}`}
          style={style}
          role={role}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const dialog = event.target as HTMLElement;
            dialog.querySelector<HTMLElement>(firstField)?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveBack(opener);
          }}
          onEscapeKeyDown={(event) => {
            // In the editor it takes away what the editor shows; a text is not left by a slip of it.
            if (event.target instanceof Element && event.target.closest('.monaco-place') !== null)
              event.preventDefault();
          }}
          onInteractOutside={(event) => {
            if (isSticky) event.preventDefault();
          }}
        >
          <header>
            {icon}
            <Radix.Title className="trunc">{title}</Radix.Title>
            <span className="grow" />
            <IconButton label="Close" onClick={onClose}>
              <X size={16} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          </header>
          <div className="dlg-body">
            {description !== undefined && <Radix.Description asChild>{description}</Radix.Description>}
            {children}
          </div>
          <footer>{footer}</footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
