import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { linkLook, PlaceLink } from './Link.tsx';

/** The address if a browser may open it on a click; undefined for anything but http and https. */
export function safeHref(address: string): string | undefined {
  try {
    const { protocol, href } = new URL(address);
    return protocol === 'http:' || protocol === 'https:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** After the text of a link that opens in a new tab. */
const newTabMark = (
  <ExternalLink className="inline align-[-1px]" size={11} strokeWidth={1.75} aria-label="(new tab)" />
);

/** An address from a cluster, opened in a new tab that knows nothing of this page; text where it is no such address. */
export function SafeLink({ address }: { readonly address: string }) {
  const href = safeHref(address);
  if (href === undefined) return <span className="mono">{address}</span>;
  return (
    <a className={`mono ${linkLook}`} href={href} target="_blank" rel="noopener noreferrer">
      {address} {newTabMark}
    </a>
  );
}

/** A text as a link where it leads somewhere: to a path of this console, or to an address that is known to be safe. */
export function Linked({ to, children }: { readonly to: string | undefined; readonly children: ReactNode }) {
  if (to === undefined) return children;
  if (to.startsWith('/'))
    return (
      <PlaceLink className={linkLook} href={to}>
        {children}
      </PlaceLink>
    );
  return (
    <a className={linkLook} href={to} target="_blank" rel="noopener noreferrer">
      {children} {newTabMark}
    </a>
  );
}
