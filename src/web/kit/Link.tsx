import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent } from 'react';
import { useCommands } from '../core/commands.ts';

/** The look of a link among words, for what has classes of its own or is no link: an `a` without a class has it by itself. */
export const linkLook =
  'text-accent-text underline decoration-accent-border underline-offset-2 hover:decoration-current';

export interface PlaceLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** A path of this console. */
  readonly href: string;
}

/** A link to a place of this console: opens a tab here; with a modifier the browser does what it always does. */
export function PlaceLink({ href, onClick, children, ...rest }: PlaceLinkProps) {
  const { workspace } = useCommands().services;
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    workspace.open(href);
  };
  return (
    <a {...rest} href={href} onClick={open}>
      {children}
    </a>
  );
}

/** A button among words that looks like a link; `className` adds to it. */
export function LinkButton({
  className = '',
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'>) {
  return <button {...rest} type="button" className={`${linkLook} ${className}`} />;
}
