import type { Tokens } from '../access/users.ts';
import type { Api } from '../api/api.ts';
import { onKubeletSilent } from '../api/kubelet-line.ts';
import { statusOf } from '../api/log.ts';
import { logLines, runOf, untilNextLine } from '../life/logs.ts';
import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, str } from '../kit/values.ts';
import type { Channels } from './channels.ts';
import type { CommandContext } from './commands.ts';
import { NoSuchProgram, type Prompting, runCommand } from './shell.ts';
import { Input } from './terminal.ts';
import { viewOf } from './view.ts';

/** A client's request for exec or attach. */
export interface SessionOptions {
  readonly pod: Obj;
  readonly container: string;
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

const success = { metadata: {}, status: 'Success' };

const exited = (code: number, command: readonly string[]) =>
  code === 0
    ? success
    : {
        metadata: {},
        status: 'Failure',
        message: `command terminated with non-zero exit code: error executing command [${command.join(' ')}], exit code ${code}`,
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
      };

/** The Status of a session that ended with an internal error. */
export const internal = (why: string) => ({
  metadata: {},
  status: 'Failure',
  message: `Internal error occurred: ${why}`,
  reason: 'InternalError',
  details: { causes: [{ message: why }] },
  code: 500,
});

/**
 * Calls once when the container's run ends, or when its node stops answering (`silent`): the kubelet's end of the
 * connection then closes without a Status. Returns a function that stops watching.
 */
function onRunEnd(
  world: World,
  { pod, container }: SessionOptions,
  call: (isKubeletSilent: boolean) => void,
): () => void {
  const key = keyOf(pod.metadata.namespace, pod.metadata.name ?? '');
  const began = statusOf(pod, container)?.state?.running?.startedAt;
  const unwatch = world.store.watch('/pods', (change) => {
    if (change.key !== key) return;
    const now = change.after === undefined ? undefined : statusOf(change.after, container)?.state?.running;
    if (now?.startedAt === began) return;
    end(false);
  });
  const forget = onKubeletSilent(world, pod, () => end(true));
  const stop = () => {
    unwatch();
    forget();
  };
  const end = (isKubeletSilent: boolean) => {
    stop();
    call(isKubeletSilent);
  };
  return stop;
}

/** Issues tokens of a pod's service account that are bound to the pod, as its kubelet requests them. */
const podToken = (world: World, tokens: Tokens, pod: Obj) => (audience: string, seconds: number) => {
  const key = keyOf(pod.metadata.namespace, str(at(pod, 'spec', 'serviceAccountName')));
  const account = world.store.get('/serviceaccounts', key);
  if (account === undefined) return '';
  const audiences = audience === '' ? {} : { audiences: [audience] };
  return tokens.accounts.issue({ account, ...audiences, seconds, bound: pod, now: world.clock.now() });
};

/** Runs a command in the playground's shell over the pod's files. Returns a function that kills it. */
export function execute(
  { world, tokens }: Pick<Api, 'world' | 'tokens'>,
  options: SessionOptions,
  channels: Channels,
): () => void {
  const { pod, container, command, tty } = options;
  // A terminal needs carriage returns.
  const output = tty ? (text: string) => text.replace(/\r?\n/g, '\r\n') : (text: string) => text;
  const input = new Input(tty, (text) => channels.out(text));
  let size = { columns: 80, rows: 24 };
  let isOver = false;
  const cancels = new Set<() => void>();
  const finish = (status: unknown) => {
    if (isOver) return;
    isOver = true;
    unwatch();
    for (const cancel of cancels) cancel();
    input.end();
    channels.end(status);
  };
  const unwatch = onRunEnd(world, options, (isKubeletSilent) =>
    finish(isKubeletSilent ? success : exited(137, command)),
  );
  channels.listen({
    input: (text) => {
      if (options.stdin) input.take(text);
    },
    inputEnded: () => input.end(),
    resized: (columns, rows) => {
      size = { columns, rows };
    },
    disconnected: () => finish(success),
  });
  if (!options.stdin) input.end();
  const view = viewOf({ world, pod, token: podToken(world, tokens, pod) }, container, tty);
  const context: CommandContext & Prompting = {
    view,
    env: new Map(view.env),
    folder: '/',
    now: () => world.clock.now(),
    size: () => (tty ? size : undefined),
    out: (text) => {
      if (!isOver) channels.out(output(text));
    },
    err: (text) => {
      if (isOver) return;
      if (tty) channels.out(output(text));
      else channels.err(text);
    },
    line: () => input.line(),
    prompt: (text) => input.line(text),
    sleep: (ms) =>
      new Promise((resolve) => {
        const done = (completed: boolean) => {
          cancels.delete(stop);
          forget();
          cancel();
          resolve(completed);
        };
        const stop = () => done(false);
        const forget = input.onInterrupt(stop);
        const cancel = world.clock.after(ms, () => done(true));
        cancels.add(stop);
      }),
  };
  runCommand(context, command, tty).then(
    (code) => finish(exited(code, command)),
    (error: unknown) =>
      finish(
        internal(
          error instanceof NoSuchProgram
            ? `error executing command in container: failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: ${error.message}: unknown`
            : `error executing command in container: ${String(error)}`,
        ),
      ),
  );
  return () => finish(internal('the playground is being stopped'));
}

/** Streams a container's output until it ends. Returns a function that stops it. */
export function attach(world: World, options: SessionOptions, channels: Channels): () => void {
  const { pod, container, tty } = options;
  const run = runOf(pod, container, statusOf(pod, container)?.state);
  let isOver = false;
  let sinceTime = world.clock.now();
  let cancel = () => {};
  const finish = (status: unknown) => {
    if (isOver) return;
    isOver = true;
    unwatch();
    cancel();
    channels.end(status);
  };
  const unwatch = onRunEnd(world, options, () => finish(success));
  channels.listen({
    input: () => undefined,
    inputEnded: () => undefined,
    resized: () => undefined,
    disconnected: () => finish(success),
  });
  const sendNew = () => {
    if (run === undefined || isOver) return;
    const now = world.clock.now();
    for (const line of logLines(run, sinceTime, now, Number.POSITIVE_INFINITY)) {
      channels.out(`${line.text}${tty ? '\r\n' : '\n'}`);
    }
    sinceTime = now;
    if (world.clock.isStill !== true) cancel = world.clock.after(untilNextLine(run, now), sendNew);
  };
  sendNew();
  return () => finish(internal('the playground is being stopped'));
}
