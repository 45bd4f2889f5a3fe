import type { WebSocket } from 'ws';
import { type ShellMessage, shellRequest } from '../../contract/shell.ts';
import { objectPath } from '../../kube/change.ts';
import type { Status } from '../../kube/object.ts';
import type { KubeRequest } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import {
  isMissingProgram,
  outcomeOfFailure,
  outcomeOfStatus,
  type ShellOutcome,
  type ShellSubject,
} from './outcome.ts';
import { openRemote, type Remote, remoteProtocols } from './remote.ts';

/** Bounds of a terminal: times in ms, sizes in bytes. */
export const terminalLimits = {
  /** A process that has said nothing for so long is taken to have started. */
  starting: 1_500,
  /** Both ends are asked for a sign of life this often: what stands between them forgets silent lines. */
  ping: 20_000,
  /** A cluster that gives none for so long is gone. */
  silence: 65_000,
  /** More than this unsent: the other side is not read meanwhile. */
  highWater: 1024 * 1024,
  /** What is kept of the first output, to tell a missing program by. */
  firstWords: 2_048,
} as const;

/** The shells that are looked for, best first. */
const shells = ['bash', 'sh'] as const;

/** A terminal that runs. */
export interface Terminal {
  /** Passes nothing on, in either direction, until `release`. */
  hold(): void;
  release(): void;
}

export interface TerminalOptions {
  /** The page's. */
  readonly socket: WebSocket;
  readonly subject: ShellSubject;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly dial: (request: KubeRequest, protocols: readonly string[]) => Promise<WebSocket>;
  readonly clock: Clock;
  /** Aborted when the page is gone or may no longer. */
  readonly signal: AbortSignal;
  /** Told of failures of our own. */
  readonly onError: (error: unknown) => void;
  readonly onTerminal: (terminal: Terminal) => void;
}

/** Runs a shell, or joins the container's process, between a page and a cluster until one of them ends it. */
export async function runTerminal(options: TerminalOptions): Promise<ShellOutcome> {
  const { subject, onError } = options;
  const way = createWay(options);
  const commands = subject.mode === 'attach' ? [undefined] : shells;
  try {
    for (const command of commands) {
      const found = await way.run(command);
      if (found.type === 'ended') return found.outcome;
    }
    return {
      reason: 'no-shell',
      title:
        'The image of this container has no shell: neither bash nor sh. Attach to its process, or use kubectl debug.',
    };
  } catch (error) {
    return outcomeOfFailure(error, subject, onError);
  } finally {
    way.close();
  }
}

type Run = { readonly type: 'missing' } | { readonly type: 'ended'; readonly outcome: ShellOutcome };

/** The two directions between a page and whichever process is tried. */
function createWay({ socket, subject, size, dial, clock, signal, onTerminal }: TerminalOptions) {
  let { columns, rows } = size;
  let remote: Remote | undefined;
  let isHeld = false;
  let isStarted = false;
  /** The page does not keep up. */
  let isPageFull = false;
  let isRemoteFull = false;

  function flow(): void {
    if (isHeld || isPageFull) remote?.pause();
    else remote?.resume();
    if (isHeld || isRemoteFull || !isStarted) socket.pause();
    else socket.resume();
  }

  function say(message: ShellMessage): void {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  }

  function show(data: Buffer): void {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(data, { binary: true, compress: data.length > 1024 }, () => {
      if (!isPageFull || socket.bufferedAmount > terminalLimits.highWater / 2) return;
      isPageFull = false;
      flow();
    });
    if (socket.bufferedAmount <= terminalLimits.highWater || isPageFull) return;
    isPageFull = true;
    flow();
  }

  const heard = (data: Buffer, isBinary: boolean) => {
    if (remote === undefined) return;
    if (!isBinary) {
      const asked = resizeOf(data.toString('utf8'));
      if (asked === undefined) return;
      ({ columns, rows } = asked);
      remote.resize(columns, rows);
      return;
    }
    if (data.length === 0) return;
    const to = remote;
    to.input(data, () => {
      if (!isRemoteFull || to.unsent > terminalLimits.highWater / 2) return;
      isRemoteFull = false;
      flow();
    });
    if (to.unsent <= terminalLimits.highWater || isRemoteFull) return;
    isRemoteFull = true;
    flow();
  };
  socket.on('message', heard);

  onTerminal({
    hold() {
      isHeld = true;
      flow();
    },
    release() {
      isHeld = false;
      flow();
    },
  });

  async function run(command: string | undefined): Promise<Run> {
    const { namespace, name, container, mode } = subject;
    const opened = await dial(
      {
        path: objectPath({ group: '', version: 'v1', plural: 'pods', namespace, name }, mode),
        query: { container, command, stdin: true, stdout: true, stderr: mode === 'attach', tty: true },
        accept: '*/*',
      },
      remoteProtocols,
    );
    const over = Promise.withResolvers<Status | undefined>();
    let shown = '';
    let cancelStart = () => {};
    let cancelPing = () => {};
    const started = () => {
      cancelStart();
      if (isStarted) return;
      isStarted = true;
      say({ type: 'started', command: command ?? '' });
      flow();
    };
    const current = openRemote(
      opened,
      {
        output(data) {
          if (shown.length < terminalLimits.firstWords) shown += data.toString('latin1');
          started();
          show(data);
        },
        ended: over.resolve,
      },
      () => clock.now(),
    );
    const ping = () => {
      if (clock.now() - current.heardAt > terminalLimits.silence) over.resolve(undefined);
      else current.ping();
      cancelPing = clock.after(terminalLimits.ping, ping);
    };
    const leave = () => over.resolve(undefined);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    remote = current;
    isRemoteFull = false;
    current.resize(columns, rows);
    cancelStart = clock.after(terminalLimits.starting, started);
    cancelPing = clock.after(terminalLimits.ping, ping);
    flow();
    try {
      const status = await over.promise;
      if (signal.aborted)
        return { type: 'ended', outcome: { reason: 'exited', title: 'The page was closed.' } };
      if (status === undefined) {
        const title = `The line to ${subject.cluster} broke.`;
        return { type: 'ended', outcome: { reason: 'lost', title } };
      }
      if (command !== undefined && isMissingProgram(status, shown)) return { type: 'missing' };
      return { type: 'ended', outcome: outcomeOfStatus(status, subject) };
    } finally {
      signal.removeEventListener('abort', leave);
      cancelStart();
      cancelPing();
      remote = undefined;
      current.close();
    }
  }

  return {
    run,
    close() {
      socket.off('message', heard);
      socket.resume();
    },
  };
}

function resizeOf(text: string) {
  try {
    return shellRequest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
