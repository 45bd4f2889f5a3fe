import type { WebSocket } from 'ws';
import { type ShellMessage, shellRequest } from '../../contract/shell.ts';
import type { Recorder } from '../recordings/recorder.ts';
import type { Remote } from './remote.ts';

/** The size of a terminal in characters. */
interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The page's end of a terminal: passes what is typed to the process that runs, and its output to the page, in each
 * direction no faster than the other end takes it.
 */
export class TerminalPage {
  readonly #socket: WebSocket;
  readonly #highWater: number;
  readonly #recorder: Recorder | undefined;
  #size: TerminalSize;
  #remote: Remote | undefined;
  #isHeld = false;
  #isStarted = false;
  /** The page does not keep up. */
  #isPageFull = false;
  /** The process does not keep up. */
  #isRemoteFull = false;
  /** What was shown is being recorded. */
  #isRecording = false;
  /** Nothing more is taken from the page. */
  #isInputOver = false;

  /**
   * @param highWater bytes unsent to one end from which the other end is not read
   * @param recorder records what is shown, if anything does
   */
  constructor(socket: WebSocket, size: TerminalSize, highWater: number, recorder: Recorder | undefined) {
    this.#socket = socket;
    this.#size = size;
    this.#highWater = highWater;
    this.#recorder = recorder;
    recorder?.onBusy((isBusy) => {
      this.#isRecording = isBusy;
      this.#flow();
    });
    socket.on('message', this.#receive);
  }

  /** Passes nothing on, in either direction, until `release`. */
  hold(): void {
    this.#isHeld = true;
    this.#flow();
  }

  release(): void {
    this.#isHeld = false;
    this.#flow();
  }

  /**
   * Takes nothing more from the page. What the process still writes is read, held or not, so that what was typed last
   * is recorded with its effect.
   */
  endInput(): void {
    this.#isInputOver = true;
    this.#flow();
  }

  /** Connects the page to a process. */
  connect(remote: Remote): void {
    this.#remote = remote;
    this.#isRemoteFull = false;
    remote.resize(this.#size.columns, this.#size.rows);
    this.#flow();
  }

  /** The process has ended: what is typed goes nowhere. */
  disconnect(): void {
    this.#remote = undefined;
  }

  /** Tells the page that a process runs; only the first one counts. */
  started(command: string): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const message: ShellMessage = { type: 'started', command };
    if (this.#isOpen) this.#socket.send(JSON.stringify(message));
    this.#flow();
  }

  /** Sends output to the page, once it is recorded where it has to be; a page that left does not see it. */
  show(data: Buffer): void {
    if (this.#recorder?.output(data) === false || !this.#isOpen) return;
    this.#socket.send(data, { binary: true, compress: data.length > 1024 }, () => {
      if (!this.#isPageFull || this.#socket.bufferedAmount > this.#highWater / 2) return;
      this.#isPageFull = false;
      this.#flow();
    });
    if (this.#socket.bufferedAmount <= this.#highWater || this.#isPageFull) return;
    this.#isPageFull = true;
    this.#flow();
  }

  /** Stops listening to the page. */
  close(): void {
    this.#socket.off('message', this.#receive);
    this.endInput();
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Reads each end only while the other one takes what it sends. */
  #flow(): void {
    const isUnread = !this.#isInputOver && (this.#isHeld || this.#isPageFull);
    if (isUnread || this.#isRecording) this.#remote?.pause();
    else this.#remote?.resume();
    if (!this.#isInputOver && this.#mustInputWait) this.#socket.pause();
    else this.#socket.resume();
  }

  get #mustInputWait(): boolean {
    if (this.#isHeld || this.#isRemoteFull || !this.#isStarted) return true;
    // Nothing is done in a recorded shell that its recording does not follow.
    return this.#recorder !== undefined && (this.#isRecording || this.#isPageFull);
  }

  readonly #receive = (data: Buffer, isBinary: boolean): void => {
    if (this.#remote === undefined || this.#isInputOver) return;
    if (isBinary) this.#type(this.#remote, data);
    else this.#resize(this.#remote, data.toString('utf8'));
  };

  #type(remote: Remote, data: Buffer): void {
    if (data.length === 0) return;
    remote.input(data, () => {
      if (!this.#isRemoteFull || remote.unsent > this.#highWater / 2) return;
      this.#isRemoteFull = false;
      this.#flow();
    });
    if (remote.unsent <= this.#highWater || this.#isRemoteFull) return;
    this.#isRemoteFull = true;
    this.#flow();
  }

  #resize(remote: Remote, text: string): void {
    const size = readSize(text);
    if (size === undefined) return;
    this.#size = size;
    this.#recorder?.resize(size.columns, size.rows);
    remote.resize(size.columns, size.rows);
  }
}

/** The size that a message of the page asks for; undefined for any other message. */
function readSize(text: string): TerminalSize | undefined {
  try {
    return shellRequest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
