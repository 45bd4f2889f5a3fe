import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../../kit/clock.ts';
import type { Outlet, PostOptions } from './channel.ts';
import { pageLimits } from './page-limits.ts';
import { frameBefore, type SharedText } from './shared-text.ts';

/** Characters of three bytes in one stored block of DEFLATE: a longer beginning of a message does not fit in one. */
const maxHead = 21_845;

/** Inputs of the connection to a page. */
export interface PageWireParts {
  readonly socket: WebSocket;
  /** The stream under the socket. */
  readonly wire: Pick<Duplex, 'cork' | 'uncork' | 'write'>;
  readonly clock: Clock;
  /** The page does not keep up: send as little as possible. */
  readonly onBehind: () => void;
  /** The page has taken nearly everything: called again and again, whether it was behind or not. */
  readonly onDrained: () => void;
  /** The page has been behind for too long. */
  readonly onStuck: () => void;
}

/** The way to a page: sends messages, and knows whether the page keeps up with them. */
export class PageWire implements Outlet {
  readonly #parts: PageWireParts;
  readonly #isDeflating: boolean;
  #isBehind = false;
  #isClosed = false;
  #cancelPatience: (() => void) | undefined;

  constructor(parts: PageWireParts) {
    this.#parts = parts;
    this.#isDeflating = parts.socket.extensions.includes('permessage-deflate');
  }

  get isBehind(): boolean {
    return this.#isBehind;
  }

  post(text: string, { sent, rest }: PostOptions = {}): void {
    const { socket } = this.#parts;
    if (this.#isClosed || socket.readyState !== socket.OPEN) return;
    const deflated = this.#isDeflating && text.length <= maxHead ? rest?.deflated : undefined;
    // A character is three bytes at most. Below low water nothing waits for what is sent to arrive.
    const unsent = socket.bufferedAmount + text.length * 3 + (deflated ?? rest?.plain ?? '').length;
    const isWaiting = sent !== undefined || unsent > pageLimits.lowWater;
    this.#write(text, { rest, deflated, done: isWaiting ? this.#afterwards(sent) : undefined });
    if (!this.#isBehind && socket.bufferedAmount > pageLimits.highWater) this.#fallBehind();
  }

  /** Sends a beat with a ping. */
  beat(text: string): void {
    const { socket, wire } = this.#parts;
    wire.cork();
    this.post(text);
    if (socket.readyState === socket.OPEN) socket.ping();
    wire.uncork();
  }

  /** Sends nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.#cancelPatience?.();
  }

  #afterwards(sent: (() => void) | undefined): (error?: Error | null) => void {
    return (error) => {
      if (error != null || this.#isClosed) return;
      sent?.();
      this.#catchUp();
    };
  }

  #write(text: string, { rest, deflated, done }: Writing): void {
    const { socket, wire } = this.#parts;
    // The library compresses nothing here, so that it holds nothing back that would have to go first.
    if (rest === undefined) {
      socket.send(text, { compress: false }, done);
      return;
    }
    // One message, written at once.
    wire.cork();
    if (deflated === undefined) {
      socket.send(Buffer.from(text), { compress: false, binary: false, fin: false });
      socket.send(rest.plain, { compress: false, binary: false, fin: true }, done);
    } else {
      wire.write(frameBefore(text, deflated.length));
      wire.write(deflated, done);
    }
    wire.uncork();
  }

  #fallBehind(): void {
    this.#isBehind = true;
    this.#cancelPatience = this.#parts.clock.after(pageLimits.patience, this.#parts.onStuck);
    this.#parts.onBehind();
  }

  #catchUp(): void {
    if (this.#parts.socket.bufferedAmount > pageLimits.lowWater) return;
    this.#isBehind = false;
    this.#cancelPatience?.();
    this.#parts.onDrained();
  }
}

interface Writing {
  readonly rest: SharedText | undefined;
  readonly deflated: Buffer | undefined;
  /** Called when it left the process. */
  readonly done: ((error?: Error | null) => void) | undefined;
}
