import type { Access } from './access.ts';

/** The way to a page. */
export interface Outlet {
  /** Sends one message. */
  post(text: string, options?: PostOptions): void;
}

export interface PostOptions {
  readonly compress?: boolean;
  /** Called when it left the process. */
  readonly sent?: () => void;
  /** The rest of the message, never compressed: bytes that many pages are sent are made once. */
  readonly rest?: Buffer;
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
 * @param body members of the message without the braces; as bytes, which many pages may share, with the closing one
 */
export type Post = (type: string, body: string | Buffer, options?: Omit<PostOptions, 'rest'>) => void;

/** Writes the messages of one subscription, numbered. */
export function createNumbered(id: number, outlet: Outlet): Post {
  let seq = 0;
  return (type, body, options) => {
    seq += 1;
    const head = `{"type":"${type}","id":${id},"seq":${seq},`;
    if (typeof body === 'string') outlet.post(`${head}${body}}`, options);
    else outlet.post(head, { ...options, rest: body });
  };
}
