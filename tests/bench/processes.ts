import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ApiTarget } from './api.ts';
import type { ServerFigures, ServerOrder, ServerReport } from './server.ts';

const root = join(import.meta.dirname, '..', '..');
/** As in `npm start`. */
const heapFlags = ['--max-semi-space-size=16', '--heap-growing-percent=60'];
const quickStart = join(root, 'src/server/quick-start.mjs');

/** A playground process. */
export interface BenchCluster extends ApiTarget {
  /** Its most memory so far (resident), bytes; read from the system. */
  peak(): Promise<number>;
  /** CPU so far, microseconds; read from the system. */
  cpu(): Promise<number>;
  end(): Promise<void>;
}

const kubeconfigSchema = z.object({
  clusters: z.tuple([z.object({ cluster: z.object({ 'certificate-authority-data': z.string() }) })]),
  users: z.tuple([z.object({ user: z.object({ token: z.string() }) })]),
});

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Memory of a process as the system counts it, bytes: at this moment, or at most so far. */
async function memoryOf({ pid }: ChildProcess, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** CPU of a process so far as the system counts it, microseconds, in steps of 10 ms. */
async function cpuOf({ pid }: ChildProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may have spaces: the state is the third field, user and system time are the 14th and 15th.
  const [user = '', system = ''] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10_000;
}

/**
 * Starts a playground with this many pods and no life of its own.
 * @param folder for its kubeconfig
 * @param churn pods that change by themselves, per second
 */
export async function startCluster(folder: string, pods: number, churn = 0): Promise<BenchCluster> {
  const file = join(folder, 'playground.yaml');
  const args = ['src/playground/main.ts', '--with-parent', '--kubeconfig', file];
  args.push('--seed', `bulk:${pods}`, '--controllers', 'off', '--churn', String(churn));
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`The playground ended with ${code}.`)));
  });
  const { server } = z.object({ server: z.string() }).parse(JSON.parse(line));
  const { clusters, users } = kubeconfigSchema.parse(parse(await readFile(file, 'utf8')));
  return {
    server,
    authority: Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString('utf8'),
    token: users[0].user.token,
    peak: () => memoryOf(child, 'VmHWM'),
    cpu: () => cpuOf(child),
    async end() {
      child.stdin.end();
      await ended(child);
    },
  };
}

/** A console process. */
export interface BenchServer {
  readonly url: string;
  figures(): Promise<ServerFigures>;
  /** Its memory at this moment (resident), bytes; read from the system, so that asking costs it nothing. */
  resident(): Promise<number>;
  /** CPU so far, microseconds. */
  cpu(): Promise<number>;
  /** Begins a CPU profile; gives what ends it and writes it to a file. */
  profile(file: string): Promise<() => Promise<void>>;
  end(): Promise<void>;
}

/**
 * Starts the product on a data folder as `npm start` does, and ends it.
 * @returns from its start to its answer that it listens, ms
 */
export async function timeStart(env: Readonly<Record<string, string>>): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [...heapFlags, 'src/server/start.mjs'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const listened = new Promise<number>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.startsWith('Wheelhouse is at')) resolve(performance.now() - began);
    });
    child.once('exit', (code) => reject(new Error(`The product ended with ${code}.`)));
  });
  try {
    return await listened;
  } finally {
    child.kill('SIGTERM');
    await ended(child);
  }
}

/** Starts a console process over a data folder. */
export async function startServer(env: Readonly<Record<string, string>>): Promise<BenchServer> {
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    cwd: root,
    execArgv: ['--expose-gc', ...heapFlags, '--import', quickStart],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const next = <T extends ServerReport['type']>(type: T): Promise<Extract<ServerReport, { type: T }>> =>
    new Promise((resolve, reject) => {
      const end = (code: number | null) => reject(new Error(`The server ended with ${code}.`));
      const hear = (report: unknown) => {
        const message = report as ServerReport;
        if (message.type !== type) return;
        child.off('message', hear);
        child.off('exit', end);
        resolve(message as Extract<ServerReport, { type: T }>);
      };
      child.on('message', hear);
      child.once('exit', end);
    });
  const { url } = await next('ready');
  const order = (message: ServerOrder) => child.send(message);
  return {
    url,
    async figures() {
      const answer = next('figures');
      order('figures');
      return (await answer).figures;
    },
    resident: () => memoryOf(child, 'VmRSS'),
    async cpu() {
      const answer = next('cpu');
      order('cpu');
      return (await answer).cpu;
    },
    async profile(file) {
      const begun = next('profiling');
      order({ profile: 'begin' });
      await begun;
      return async () => {
        const written = next('profiled');
        order({ profile: file });
        await written;
      };
    },
    async end() {
      order('end');
      await ended(child);
    },
  };
}

/** Heap that the rows of a cluster's pods take, bytes each, measured in a process of its own. */
export async function measureHeld(cluster: ApiTarget): Promise<{ pods: number; bytesEach: number }> {
  const child = fork(join(import.meta.dirname, 'hold.ts'), {
    cwd: root,
    execArgv: ['--expose-gc'],
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const answer = new Promise<{ pods: number; bytesEach: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { pods: number; bytesEach: number }));
    child.once('exit', (code) => reject(new Error(`Measuring the heap ended with ${code}.`)));
  });
  child.send({ server: cluster.server, authority: cluster.authority, token: cluster.token });
  return await answer;
}
