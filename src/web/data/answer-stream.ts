import type { ChatPart, NumberedPart } from '../../contract/chat.ts';

/** A part of an answer, or why the rest of it is withheld. */
export interface AnswerNews {
  readonly parts: readonly NumberedPart[];
  readonly withheld?: string;
  /** Whether nothing more comes. */
  readonly isOver: boolean;
}

/** How long to wait before an answer is asked for anew whose stream was refused, ms. */
const reopenPause = 2_000;
/** Refusals that stay: signed out, not allowed, not there. */
const finalStatuses: ReadonlySet<number> = new Set([401, 403, 404]);

/** The browser's own stream of events, of the part that is used here. */
export interface EventStream {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

interface StreamParts {
  readonly path: string;
  /** The last part that is known. */
  readonly after: number;
  readonly open: (href: string) => EventStream;
  /** The status that the server answers an address with; rejects where it is not reached. */
  readonly statusOf: (href: string) => Promise<number>;
  readonly onNews: (news: AnswerNews) => void;
}

/**
 * Follows an answer from a part on. A connection that breaks goes on behind the last part that came, which the browser
 * tells the server by itself. One that was refused is opened anew, unless the answer is gone or may not be read any more:
 * then it is over, and whoever reads the conversation again learns why.
 */
export class AnswerStream {
  readonly #parts: StreamParts;
  #last: number;
  #events: EventStream | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#last = parts.after;
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#events?.close();
  }

  #open(): void {
    const { path, open, onNews } = this.#parts;
    const href = `${path}?after=${this.#last}`;
    const events = open(href);
    this.#events = events;
    events.addEventListener('message', ({ data, lastEventId }) => {
      const number = Number(lastEventId);
      if (number <= this.#last) return;
      this.#last = number;
      // Written by our own server.
      const part = JSON.parse(data) as ChatPart;
      const isOver = part.type === 'end';
      if (isOver) this.close();
      onNews({ parts: [{ number, part }], isOver });
    });
    events.addEventListener('withheld', ({ data }) => {
      this.close();
      onNews({ parts: [], withheld: (JSON.parse(data) as { withheld: string }).withheld, isOver: true });
    });
    events.addEventListener('error', () => {
      // The browser opens broken ones anew by itself; 2 is closed for good.
      if (events.readyState === 2) void this.#reopen(href);
    });
  }

  async #reopen(href: string): Promise<void> {
    const { statusOf, onNews } = this.#parts;
    // An EventSource does not tell why it was refused.
    const status = await statusOf(href).catch(() => undefined);
    if (this.#isClosed) return;
    if (status !== undefined && finalStatuses.has(status)) {
      this.close();
      onNews({ parts: [], isOver: true });
    } else this.#retry = setTimeout(() => this.#open(), reopenPause);
  }
}
