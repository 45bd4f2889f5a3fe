import type { Access } from './access.ts';

/** The way to a page. */
export interface Outlet {
  /** Sends one message. `sent` is called when it left the process. */
  post(text: string, options?: { readonly compress?: boolean; readonly sent?: () => void }): void;
}

/** One open subscription of a page, of whatever sort. */
export interface Channel {
  /** Whether its state is `live`. */
  readonly isLive: boolean;
  /** Sends nothing until `release`: the person's grants are being read. */
  hold(): void;
  /** Goes on with what the person may see now. */
  release(access: Access): void;
  /** Drops everything until `resync`: the page does not keep up. */
  suspend(): void;
  resync(): void;
  /** Asks the cluster again at once. */
  retry(): void;
  leave(): void;
}

/**
 * Sends a message of one subscription with its next number.
 * @param body members of the message without the braces
 */
export type Post = (type: string, body: string, options?: Parameters<Outlet['post']>[1]) => void;

/** Writes the messages of one subscription, numbered. */
export function createNumbered(id: number, outlet: Outlet): Post {
  let seq = 0;
  return (type, body, options) => {
    seq += 1;
    outlet.post(`{"type":"${type}","id":${id},"seq":${seq},${body}}`, options);
  };
}
