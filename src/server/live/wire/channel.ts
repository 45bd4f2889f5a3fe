import type { Access } from './access.ts';
import { type SharedText, shareText } from './shared-text.ts';

/** The way to a page. */
export interface Outlet {
  /** Sends one message. */
  post(text: string, options?: PostOptions): void;
}

export interface PostOptions {
  /** Called when it left the process. */
  readonly sent?: () => void;
  /** The rest of the message. */
  readonly rest?: SharedText;
}

/** One open subscription of a page, of whatever sort. */
export interface Channel {
  /** Whether its state is `live`. */
  readonly isLive: boolean;
  /** Sends nothing until `release`: the person's grants are being read. */
  hold(): void;
  /** Goes on with what the person may see now. */
  release(access: Access): void;
  /** Whether its first rows are on their way: they go before the changes of other subscriptions. */
  readonly isFilling?: boolean;
  /** Sends nothing until `resync`, as the page does not keep up. */
  suspend(): void;
  /** Goes on with what is true now. */
  resync(): void;
  /** Asks the cluster again at once. */
  retry(): void;
  leave(): void;
}

/**
 * Sends a message of one subscription with its next number.
 * @param body members of the message without the braces; as a shared text, which is sent compressed, with the closing one
 */
export type Post = (type: string, body: string | SharedText, options?: BodyOptions) => void;

export interface BodyOptions extends Pick<PostOptions, 'sent'> {
  /** Members that go before a shared text, each with its comma. */
  readonly lead?: string;
}

/** A body that may be long: it is compressed. */
export const longBody = (body: string): SharedText => shareText(`${body}}`);

/** Writes the messages of one subscription, numbered. */
export function createNumbered(id: number, outlet: Outlet): Post {
  let seq = 0;
  return (type, body, { lead = '', ...options } = {}) => {
    seq += 1;
    const head = `{"type":"${type}","id":${id},"seq":${seq},${lead}`;
    if (typeof body === 'string') outlet.post(`${head}${body}}`, options);
    else outlet.post(head, { ...options, rest: body });
  };
}
