import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent } from 'react';
import { useCommands } from '../core/commands.ts';

/** The look of a link among words, for what has classes of its own or is no link: an `a` without a class has it by itself. */
export const linkLook =
  'text-accent-text underline decoration-accent-border underline-offset-2 hover:decoration-current';

/** A link among many in rows: it looks like the text around it until it is pointed at, as its column says that it leads somewhere. */
export const quietLink = 'no-underline underline-offset-2 hover:underline focus-visible:underline';

/** The link that an event happened in. */
export const linkUnder = (target: EventTarget): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;

/**
 * The path that a click on a link of a row opens here; undefined where the browser does what it always does: with a
 * modifier, and for an address elsewhere. The click is taken from the browser.
 */
export function takeClick(event: MouseEvent): string | undefined {
  const link = linkUnder(event.target);
  if (link === null || event.defaultPrevented || event.button !== 0 || link.target !== '') return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  event.preventDefault();
  return link.getAttribute('href') ?? undefined;
}

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
