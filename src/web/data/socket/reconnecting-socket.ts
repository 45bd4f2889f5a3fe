import { backoff } from './backoff.ts';
import type { Connect, Socket } from './socket.ts';

/** The states of a socket. */
export type SocketState =
  /** Nothing: it was not opened yet, or it was closed here. */
  | { readonly phase: 'idle' }
  /** Connecting for the first time. */
  | { readonly phase: 'connecting' }
  | { readonly phase: 'open' }
  /** The connection is lost: it waits for the next try, or tries. `attempt` counts from 1 since it was open. */
  | { readonly phase: 'lost'; readonly attempt: number }
  /** The other side closed it for good, with this code. */
  | { readonly phase: 'closed'; readonly code: number };

/** Inputs of a reconnecting socket. */
export interface ReconnectingSocketParts {
  readonly connect: Connect;
  /** Runs something later; returns how to cancel it. The browser's timer without it. */
  readonly later?: (run: () => void, ms: number) => () => void;
  /** 0 (inclusive) to 1 (exclusive); the browser's without it. */
  readonly random?: () => number;
  /** Whether a close with this code is final: then it is not opened again. */
  readonly isFinal: (code: number) => boolean;
  /** A connection that sends nothing for this time is dead (ms); without it, silence means nothing. */
  readonly silence?: number;
  readonly onState: (state: SocketState) => void;
  /** A connection is there: ask for what is wanted. */
  readonly onOpen: () => void;
  readonly onMessage: (text: string) => void;
  readonly onData?: (data: Uint8Array) => void;
}

/**
 * A connection to the console that opens again when it breaks, after a pause with jitter that grows with each try in a
 * row (`backoff`). The one under live data, logs and terminals.
 */
export class ReconnectingSocket {
  readonly #parts: ReconnectingSocketParts;
  #state: SocketState = { phase: 'idle' };
  #socket: Socket | undefined;
  #cancelRetry: (() => void) | undefined;
  #cancelSilence: (() => void) | undefined;

  constructor(parts: ReconnectingSocketParts) {
    this.#parts = parts;
  }

  get state(): SocketState {
    return this.#state;
  }

  /** Tries since the connection was lost; 0 while it is not. */
  get attempt(): number {
    return this.#state.phase === 'lost' ? this.#state.attempt : 0;
  }

  /** The subscribe message that was sent before the page took the connection over. */
  asked(): string | undefined {
    return this.#socket?.asked?.();
  }

  /** Opens it, or tries at once instead of waiting. Does nothing while a connection is open or opening. */
  open(): void {
    if (this.#socket !== undefined) return;
    this.#stopRetry();
    if (this.#state.phase !== 'lost') this.#become({ phase: 'connecting' });
    const { connect, onOpen, onMessage, onData } = this.#parts;
    const isMine = () => this.#socket === mine;
    const mine = connect({
      onOpen: () => {
        if (!isMine()) return;
        this.#listen();
        onOpen();
      },
      onMessage: (text) => {
        if (!isMine()) return;
        this.#listen();
        onMessage(text);
      },
      onData: (data) => {
        if (isMine()) onData?.(data);
      },
      onClose: (code) => {
        if (isMine()) this.#closed(code);
      },
    });
    this.#socket = mine;
    this.#listen();
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket?.send(data);
  }

  /** The other side answers: the connection counts as open, and the tries start over. */
  confirm(): void {
    if (this.#state.phase !== 'open') this.#become({ phase: 'open' });
  }

  /** Closes it for good. */
  close(): void {
    this.#drop();
    this.#become({ phase: 'idle' });
  }

  #become(state: SocketState): void {
    this.#state = state;
    this.#parts.onState(state);
  }

  /** Waits for the next message, for as long as a connection that lives may be silent. */
  #listen(): void {
    const { silence, later = inBrowser } = this.#parts;
    this.#cancelSilence?.();
    if (silence !== undefined) this.#cancelSilence = later(() => this.#lose(), silence);
  }

  #closed(code: number): void {
    if (!this.#parts.isFinal(code)) {
      this.#lose();
      return;
    }
    this.#drop();
    this.#become({ phase: 'closed', code });
  }

  /** Gives the connection up and plans the next. */
  #lose(): void {
    this.#drop();
    const attempt = this.attempt + 1;
    this.#become({ phase: 'lost', attempt });
    // Whoever hears of it may give up.
    if (this.attempt !== attempt) return;
    const { later = inBrowser, random = Math.random } = this.#parts;
    this.#cancelRetry = later(
      () => {
        this.#cancelRetry = undefined;
        this.open();
      },
      backoff(attempt, random()),
    );
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#cancelSilence?.();
    this.#stopRetry();
    socket?.close();
  }

  #stopRetry(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
  }
}

const inBrowser = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
