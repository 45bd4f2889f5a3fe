import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useApp } from '../app/context.ts';

export interface PlaceLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** A path of this console. */
  readonly href: string;
}

/** A link to a place of this console: opens a tab here; with a modifier the browser does what it always does. */
export function PlaceLink({ href, onClick, children, ...rest }: PlaceLinkProps) {
  const { workspace } = useApp();
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
