import { setTimeout as wait } from 'node:timers/promises';
import { type LogMessage, logPath, sourceKey } from '../../src/contract/log.ts';
import { type ShellMessage, shellPath } from '../../src/contract/shell.ts';
import { fillPath } from '../../src/registry/path.ts';
import { ReconnectingSocket } from '../../src/web/data/socket/reconnecting-socket.ts';
import { connectBy } from './node-socket.ts';
import type { OriginClient } from './origin-client.ts';
import { steadyWaits } from './waits.ts';

/** A pod that is looked at. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** Where a log or shell is opened, and by whom. */
export interface StreamPlace {
  readonly url: string;
  readonly client: OriginClient;
  readonly clusterId: number;
  readonly pod: PodName;
}

/** Somebody who follows the log of a pod, as the page does: after a loss it goes on from the last line. */
export class LogFollower {
  /** The lines that came, each as its time and text. */
  readonly lines: string[] = [];
  readonly #socket: ReconnectingSocket;
  #source = '';
  #last = '';
  /** Lines with exactly the time of the last one. */
  #skip = 0;

  constructor({ url, client, clusterId, pod }: StreamPlace) {
    this.#socket = new ReconnectingSocket({
      connect: connectBy(
        () => url + fillPath(logPath, { clusterId: String(clusterId) }),
        () => client.handshake,
      ),
      isFinal: () => false,
      onState: () => undefined,
      onOpen: () => {
        const resume =
          this.#last === '' ? {} : { resume: { [this.#source]: { after: this.#last, skip: this.#skip } } };
        this.#socket.send(JSON.stringify({ of: { pods: [pod] }, ...resume }));
      },
      onMessage: (text) => this.#hear(JSON.parse(text) as LogMessage),
    });
    this.#socket.open();
  }

  close(): void {
    this.#socket.close();
  }

  #hear(message: LogMessage): void {
    this.#socket.confirm();
    if (message.type === 'source') this.#source = sourceKey(message.source);
    if (message.type !== 'lines') return;
    for (const [time, text, , mark] of message.lines) {
      if (mark !== undefined) continue;
      this.#skip = time === this.#last ? this.#skip + 1 : 1;
      this.#last = time;
      this.lines.push(`${time} ${text}`);
    }
  }
}

/**
 * What a follower missed or was sent twice: a sentence; undefined for nothing.
 * @param log what the cluster has, which may be the end alone
 */
export function logFaultOf(followed: readonly string[], log: readonly string[]): string | undefined {
  const [first = '', oldest = ''] = [followed[0], log[0]];
  const skipped = Math.max(0, followed.indexOf(oldest));
  const from = skipped > 0 ? 0 : log.indexOf(first);
  if (from < 0) return 'no line is in the log';
  // Lines that came while the log was read are in neither or in both.
  const length = Math.min(followed.length - skipped, log.length - from);
  for (let index = 0; index < length; index += 1) {
    const [line, right] = [followed[skipped + index], log[from + index]];
    if (line !== right) return `line ${skipped + index} is "${line}" and not "${right}"`;
  }
  return undefined;
}

/** Somebody who types into a shell and opens another when it ends. */
export class ShellUser {
  /** Commands that were answered. */
  answered = 0;
  /** From the loss of a shell to the answer in the next one, s. */
  readonly backAfter: number[] = [];
  readonly #place: StreamPlace;

  constructor(place: StreamPlace) {
    this.#place = place;
  }

  /** Types every second until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let lostAt: number | undefined;
    while (!signal.aborted) {
      await this.#use(signal, () => {
        if (lostAt !== undefined) this.backAfter.push((performance.now() - lostAt) / 1000);
        lostAt = undefined;
      });
      lostAt ??= performance.now();
      await wait(200);
    }
  }

  /** One shell until it ends. */
  async #use(signal: AbortSignal, onAnswer: () => void): Promise<void> {
    const { url, client, clusterId, pod } = this.#place;
    let shown = '';
    let isStarted = false;
    let isOver = false;
    const connect = connectBy(
      () => url + fillPath(shellPath, { clusterId: String(clusterId), ...pod }),
      () => client.handshake,
    );
    const socket = connect({
      onOpen: () => undefined,
      onMessage: (text) => {
        isStarted ||= (JSON.parse(text) as ShellMessage).type === 'started';
      },
      onData: (data) => {
        shown = (shown + Buffer.from(data).toString('utf8')).slice(-2_000);
      },
      onClose: () => {
        isOver = true;
      },
    });
    const decide = (): boolean => isOver || signal.aborted;
    await steadyWaits
      .until('the shell has started', () => isStarted || decide(), 10_000)
      .catch(() => undefined);
    if (!isStarted) {
      socket.close();
      return;
    }
    for (let index = 0; !decide(); index += 1) {
      shown = '';
      socket.send(Buffer.from(`echo soak-$((${index} + 1000))\n`));
      const isAnswered = (): boolean =>
        shown.includes(`soak-${index + 1000}`) || shown.includes('echo soak-');
      // A frozen server says nothing: somebody opens another shell.
      const isThere = await steadyWaits
        .until('the shell answers', () => isAnswered() || decide(), 10_000)
        .then(
          () => !isOver,
          () => false,
        );
      if (!isThere) break;
      this.answered += 1;
      onAnswer();
      await wait(1_000);
    }
    socket.close();
  }
}
