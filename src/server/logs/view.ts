import type { WebSocket } from 'ws';
import type { Clock } from '../kit/clock.ts';
import type { LogOutcome } from './follow.ts';
import { LogSender } from './sender.ts';

/** One page's view of a log: its socket, with what is sent over it. */
export class LogView {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #reading = new AbortController();
  #sender: LogSender | undefined;
  /** Nothing may be sent until the person was found to be allowed to read. */
  #isHeld = true;

  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
  }

  /** Aborted when the page is gone or may no longer read. */
  get signal(): AbortSignal {
    return this.#reading.signal;
  }

  /** Where lines and messages of the log go. */
  open(isFollowed: boolean): LogSender {
    const socket = this.#socket;
    const outlet = {
      get unsent() {
        return socket.bufferedAmount;
      },
      send: (text: string, sent: () => void) => this.#post(text, sent),
    };
    this.#sender = new LogSender({ outlet, clock: this.#clock, isFollowed });
    if (this.#isHeld) this.#sender.hold();
    return this.#sender;
  }

  hold(): void {
    this.#isHeld = true;
    this.#sender?.hold();
  }

  release(): void {
    this.#isHeld = false;
    this.#sender?.release();
  }

  /** Sends why the log ended, past everything that waits. */
  tellEnd({ reason, title }: LogOutcome): void {
    this.#post(JSON.stringify({ type: 'ended', reason, title }));
  }

  /** Sends what is left and why the log ended. @param done called once that was handed over */
  end(outcome: LogOutcome, done: () => void): void {
    if (!this.signal.aborted) this.#sender?.end(outcome, done);
  }

  dispose(): void {
    this.#reading.abort();
    this.#sender?.dispose();
  }

  #post(text: string, sent?: () => void): void {
    if (this.#socket.readyState === this.#socket.OPEN)
      this.#socket.send(text, { compress: text.length > 1024 }, sent);
  }
}
