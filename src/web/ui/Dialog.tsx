import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../app/context.ts';
import { IconButton } from './Button.tsx';

/** What is focused first: the first field, else the first button of the footer, which never destroys. */
const firstField = '.dlg-body :is(textarea, select, input:not([type=file])), footer button';

interface DialogProps {
  /** Names the act. */
  readonly title: string;
  readonly description?: ReactNode;
  readonly footer: ReactNode;
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly style?: CSSProperties;
  readonly className?: string;
  readonly role?: 'dialog' | 'alertdialog';
  /** Nothing outside closes it: something typed would be lost. */
  readonly isSticky?: boolean;
}

/**
 * A modal dialog: focus is trapped and returned, Esc closes. The scrim is our own element: the library's would write
 * a style sheet into the page, which the content security policy forbids.
 */
export function Dialog({
  title,
  description,
  footer,
  children,
  onClose,
  style,
  className = '',
  role = 'dialog',
  isSticky = false,
}: DialogProps) {
  const { overlays } = useApp();
  // What had the focus before, asked before the page is put out of reach. The library would only know its own trigger.
  const [opener] = useState(() => document.activeElement);
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
            if (opener instanceof HTMLElement) opener.focus();
          }}
          onInteractOutside={(event) => {
            if (isSticky) event.preventDefault();
          }}
        >
          <header>
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
