import { ExternalLink } from 'lucide-react';
import { linkLook } from './Link.tsx';

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
export const newTabMark = (
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
