import type { ChatPart, NumberedPart } from '../../contract/chat.ts';

/** A part of an answer, or why the rest of it is withheld. */
export interface AnswerNews {
  readonly parts: readonly NumberedPart[];
  readonly withheld?: string;
  /** Whether nothing more comes. */
  readonly isOver: boolean;
}

/** How long to wait before an answer is asked for anew whose stream was refused, ms. */
const pause = 2_000;

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
  readonly onNews: (news: AnswerNews) => void;
}

/**
 * Follows an answer from a part on. A connection that breaks goes on behind the last part that came, which the browser
 * tells the server by itself; one that was refused is opened anew.
 */
export class AnswerStream {
  readonly #parts: StreamParts;
  #last: number;
  #events: EventStream | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#last = parts.after;
    this.#open();
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#events?.close();
  }

  #open(): void {
    const { path, open, onNews } = this.#parts;
    const events = open(`${path}?after=${this.#last}`);
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
      if (events.readyState === 2) this.#retry = setTimeout(() => this.#open(), pause);
    });
  }
}
