import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { z } from 'zod';
import { kubeconfigLimit } from '../../contract/clusters.ts';
import { Problem } from '../../contract/problem.ts';
import type { PlaygroundCluster, PlaygroundSource } from '../clusters/playground-source.ts';
import { parseStrictYaml } from '../clusters/strict-yaml.ts';

/** The playground's child process while it is supervised. */
export interface PlaygroundProcess extends PlaygroundSource {
  /** Process id at this moment, undefined between two lives. */
  pid(): number | undefined;
  /** Ends it and waits until it is gone. */
  close(): Promise<void>;
}

type Target = Awaited<ReturnType<PlaygroundSource['target']>>;
type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const program = fileURLToPath(new URL('../../playground/start.mjs', import.meta.url));
/** A small young generation, no second compiler: the playground stays under 80 MB. */
const flags = ['--max-semi-space-size=1', '--no-maglev', '--expose-gc'];
/** A caller waits so long for the playground to be up, ms. */
const readyLimit = 10_000;
const firstPause = 200;
const longestPause = 30_000;
/** Alive this long, it starts again without a pause, ms. */
const soundLife = 60_000;

const readyLine = z.object({ ready: z.literal(true), server: z.url() });
const secondLine = z.object({ cluster: z.literal('staging') });
const kubeconfig = z.object({
  clusters: z.tuple([z.object({ cluster: z.object({ 'certificate-authority-data': z.base64() }) })]),
  users: z.tuple([z.object({ user: z.object({ token: z.string().min(16) }) })]),
});

/**
 * Runs the playground as a child process and starts it again, with growing pauses, whenever it dies. It makes its own
 * token, which comes here through a file that only this user reads, and never shows in a list of processes. It ends
 * with this process, however that ends: the pipe to it closes.
 */
export function startPlaygroundProcess(log: Logger, args: readonly string[] = []): PlaygroundProcess {
  const listeners = new Set<() => void>();
  let child: Child | null = null;
  let retry: NodeJS.Timeout | null = null;
  let pause = firstPause;
  let isClosing = false;
  let lives = 1;
  /** What the living child says, and the way to its staging cluster once somebody asked for it. */
  let said: Interface | null = null;
  let staging: Promise<Target> | null = null;
  let target: Promise<Target> = launch();

  function launch(): Promise<Target> {
    const up = live();
    // Whoever asks hears of a failure; the log has it in any case.
    up.catch(() => undefined);
    return up;
  }

  async function live(): Promise<Target> {
    const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-playground-'));
    const file = join(folder, 'kubeconfig');
    if (isClosing) {
      await rm(folder, { recursive: true, force: true });
      throw new Error('The console closes.');
    }
    const started = Date.now();
    const born = spawn(
      process.execPath,
      [...flags, program, '--with-parent', '--kubeconfig', file, ...args],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        // Nothing of this process's settings and secrets.
        env: { PATH: process.env['PATH'] ?? '' },
      },
    );
    child = born;
    // A write to a dead child's pipe; its exit says the rest.
    born.stdin.on('error', () => undefined);
    createInterface(born.stderr).on('line', (line) => log.warn({ line: line.slice(0, 500) }, 'Playground'));
    try {
      return await new Promise<Target>((resolve, reject) => {
        born.on('error', reject);
        born.on('exit', (code, signal) => {
          if (child === born) {
            child = null;
            staging = null;
          }
          reject(new Error(`The playground ended (${signal ?? `exit ${code}`}).`));
          if (!isClosing) again(Date.now() - started, signal ?? code);
        });
        said = createInterface(born.stdout);
        said.once('line', (line) => {
          read(line, file).then(resolve, reject);
        });
      });
    } catch (error) {
      born.kill('SIGKILL');
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Has the living child start its staging cluster, in the same process. */
  async function second(): Promise<Target> {
    const [born, lines] = [child, said];
    if (born === null || lines === null) throw new Error('The playground is restarting.');
    const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-playground-'));
    const file = join(folder, 'kubeconfig');
    try {
      return await new Promise<Target>((resolve, reject) => {
        const hear = (line: string) => {
          if (!secondLine.safeParse(JSON.parse(line)).success) return;
          lines.off('line', hear);
          read(line, file).then(resolve, reject);
        };
        lines.on('line', hear);
        born.once('exit', () => reject(new Error('The playground ended.')));
        born.stdin.write(`${JSON.stringify({ start: 'staging', kubeconfig: file })}\n`);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function way(cluster: PlaygroundCluster): Promise<Target> {
    const first = await target;
    if (cluster === 'company') return first;
    const asked = (staging ??= second());
    asked.catch(() => {
      if (staging === asked) staging = null;
    });
    return await asked;
  }

  function again(lived: number, end: string | number | null): void {
    if (lived > soundLife) pause = firstPause;
    log.warn({ end, pause }, 'The playground ended; it is started again.');
    let resolve: (next: Promise<Target>) => void = () => undefined;
    target = new Promise<Target>((settle) => {
      resolve = settle;
    });
    target.catch(() => undefined);
    retry = setTimeout(() => {
      retry = null;
      lives += 1;
      const next = launch();
      resolve(next);
      next.then(
        () => {
          log.info({ lives }, 'The playground is back, as new.');
          for (const listener of listeners) listener();
        },
        () => undefined,
      );
    }, pause);
    pause = Math.min(pause * 2, longestPause);
  }

  return {
    pid: () => child?.pid,
    // With a seed of one's own there is no company that staging could belong to.
    hasStaging: args.length === 0,
    async target(cluster = 'company') {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('The playground has not started yet.')), readyLimit);
      });
      try {
        return await Promise.race([way(cluster), late]);
      } catch (error) {
        throw new Problem(
          {
            status: 503,
            title: 'The playground is restarting. Try again in a few seconds.',
            retryable: true,
          },
          { cause: error },
        );
      } finally {
        clearTimeout(timer);
      }
    },
    onRestart(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosing = true;
      if (retry !== null) clearTimeout(retry);
      const last = child;
      if (last === null || last.exitCode !== null || last.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()));
      const force = setTimeout(() => last.kill('SIGKILL'), 2_000);
      last.kill('SIGTERM');
      await gone;
      clearTimeout(force);
    },
  };
}

/** The way in: the address from the ready line, authority and token from the file. */
async function read(line: string, file: string): Promise<Target> {
  const { server } = readyLine.parse(JSON.parse(line));
  const text = parseStrictYaml(await readFile(file, 'utf8'), kubeconfigLimit, 'The kubeconfig');
  const { clusters, users } = kubeconfig.parse(text);
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString('utf8');
  return { server, ca, token: users[0].user.token };
}
