import type { WebSocket } from 'ws';
import { objectPath } from '../../kube/change.ts';
import type { Status } from '../../kube/object.ts';
import type { KubeRequest } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import type { Recorder, RecordingStop } from '../recordings/recorder.ts';
import {
  isMissingProgram,
  outcomeOfFailure,
  outcomeOfRecording,
  outcomeOfStatus,
  type ShellOutcome,
  type ShellSubject,
} from './outcome.ts';
import { openRemote, type Remote, remoteProtocols } from './remote.ts';
import { TerminalPage } from './terminal-page.ts';

/** Bounds of a terminal: times in ms, sizes in bytes. */
export const terminalLimits = {
  /** A process that was quiet for this time counts as started. */
  starting: 1_500,
  /** Time between two pings to both ends: proxies between them drop idle connections. */
  ping: 20_000,
  /** A cluster that sent nothing for this time, not even a pong, is gone. */
  silence: 65_000,
  /** After its page left, a recorded shell is read until it wrote nothing for this time, */
  quiet: 400,
  /** and for this time at most. */
  draining: 2_000,
  /** With more than this unsent to one side, the other side is not read. */
  highWater: 1024 * 1024,
  /** Characters of the first output that are kept to recognise a missing program. */
  firstOutput: 2_048,
} as const;

/** The shells that are tried, the best first. */
const shellPrograms = ['bash', 'sh'] as const;

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
  /** Records what is shown; undefined where nothing is recorded. */
  readonly recorder?: Recorder | undefined;
  /** Aborted when the page is gone or may no longer. */
  readonly signal: AbortSignal;
  /** Called with failures of the console itself. */
  readonly onError: (error: unknown) => void;
  readonly onTerminal: (terminal: Terminal) => void;
}

/** Runs a shell, or joins the container's process, between a page and a cluster until one of them ends it. */
export async function runTerminal(options: TerminalOptions): Promise<ShellOutcome> {
  const { socket, size, subject, recorder, onError, onTerminal } = options;
  const page = new TerminalPage(socket, size, terminalLimits.highWater, recorder);
  onTerminal(page);
  const programs = subject.mode === 'attach' ? [undefined] : shellPrograms;
  try {
    for (const program of programs) {
      const outcome = await runProgram(program, page, options);
      if (outcome !== 'missing') return outcome;
    }
    return {
      reason: 'no-shell',
      title:
        'The image of this container has no shell: neither bash nor sh. Attach to its process, or use kubectl debug.',
    };
  } catch (error) {
    return outcomeOfFailure(error, subject, onError);
  } finally {
    page.close();
  }
}

/** Runs one program, or joins the container's process without one, until it ends; `missing` where the image has none. */
async function runProgram(
  program: string | undefined,
  page: TerminalPage,
  { subject, dial, clock, recorder, signal }: TerminalOptions,
): Promise<ShellOutcome | 'missing'> {
  const { namespace, name, container, mode } = subject;
  const opened = await dial(
    {
      path: objectPath({ group: '', version: 'v1', plural: 'pods', namespace, name }, mode),
      query: {
        container,
        command: program,
        stdin: true,
        stdout: true,
        stderr: mode === 'attach',
        tty: true,
      },
      accept: '*/*',
    },
    remoteProtocols,
  );
  let hasEnded = false;
  const over = Promise.withResolvers<Status | undefined>();
  let firstOutput = '';
  let wroteAt = clock.now();
  let cancelStart = () => {};
  const started = () => {
    cancelStart();
    page.started(program ?? '');
  };
  const remote = openRemote(
    opened,
    {
      output(data) {
        if (firstOutput.length < terminalLimits.firstOutput) firstOutput += data.toString('latin1');
        wroteAt = clock.now();
        started();
        page.show(data);
      },
      ended(status) {
        hasEnded = true;
        over.resolve(status);
      },
    },
    clock,
  );
  const lost = () => over.resolve(undefined);
  const leave = () => {
    page.endInput();
    over.resolve(undefined);
  };
  let stop: RecordingStop | undefined;
  void recorder?.stopped.then((why) => {
    stop = why;
    leave();
  });
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  page.connect(remote);
  cancelStart = clock.after(terminalLimits.starting, started);
  const stopPings = startPings(remote, clock, lost);
  try {
    const status = await over.promise;
    if (signal.aborted && recorder !== undefined) {
      // What was typed just before has its effect now.
      wroteAt = clock.now();
      await pollUntil(clock, terminalLimits.draining, () => {
        if (hasEnded || stop !== undefined) return true;
        return !recorder.isBusy && clock.now() - wroteAt >= terminalLimits.quiet;
      });
    }
    if (signal.aborted) return { reason: 'exited', title: 'The page was closed.' };
    if (stop !== undefined) return outcomeOfRecording[stop];
    if (status === undefined)
      return { reason: 'lost', title: `The connection to ${subject.cluster} was lost.` };
    if (program !== undefined && isMissingProgram(status, firstOutput)) return 'missing';
    return outcomeOfStatus(status, subject);
  } finally {
    signal.removeEventListener('abort', leave);
    cancelStart();
    stopPings();
    page.disconnect();
    remote.close();
  }
}

/** Waits until a condition holds or the time is over. @param most the longest wait, ms */
async function pollUntil(clock: Clock, limit: number, isSo: () => boolean): Promise<void> {
  const end = clock.now() + limit;
  while (!isSo() && clock.now() < end) {
    await new Promise<void>((resolve) => {
      clock.after(50, resolve);
    });
  }
}

/** Pings a remote end again and again. @param lost called once it is silent for too long */
function startPings(remote: Remote, clock: Clock, lost: () => void): () => void {
  const ping = () => {
    if (clock.now() - remote.heardAt > terminalLimits.silence) lost();
    else remote.ping();
    cancel = clock.after(terminalLimits.ping, ping);
  };
  let cancel = clock.after(terminalLimits.ping, ping);
  return () => cancel();
}
