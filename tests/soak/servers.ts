import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort } from '../e2e/product.ts';
import type { RoundRobin } from '../round-robin.ts';

const root = resolve(import.meta.dirname, '../..');
/** As in `npm start`. */
const heapFlags = ['--max-semi-space-size=16', '--heap-growing-percent=60'];
/** A server that does not listen after this has failed, ms. */
const patience = 180_000;
/** So much of the output of a server is kept for its report, characters. */
const outputKept = 200_000;

/** One server of the installation, through all its processes. */
export class SoakServer {
  readonly port: number;
  readonly #root: string;
  readonly #env: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  #output = '';
  #isListening = false;
  #isFrozen = false;
  /** How often it was started. */
  lives = 0;

  /** @param from the checkout whose product it is */
  constructor(port: number, env: NodeJS.ProcessEnv, from: string = root) {
    this.port = port;
    this.#root = from;
    this.#env = { ...env, PORT: String(port) };
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Whether its process runs, frozen or not. */
  get isRunning(): boolean {
    return (
      this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null
    );
  }

  /** Whether it can answer: it runs, listens and is not frozen. */
  get isAble(): boolean {
    return this.isRunning && this.#isListening && !this.#isFrozen;
  }

  /** Its process id; undefined before it was started. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** The end of what its processes printed. */
  get output(): string {
    return this.#output;
  }

  /** Starts it as `npm start` does; resolves once it listens. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...heapFlags, join(this.#root, 'src/server/start.mjs')], {
      cwd: this.#root,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl-C is for the run, which ends its servers in order; however it ends, none outlives it.
      detached: true,
    });
    if (this.lives === 0) process.once('exit', () => this.abandon());
    this.#process = child;
    this.lives += 1;
    this.#isListening = false;
    this.#isFrozen = false;
    const listens = Promise.withResolvers<void>();
    const hear = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-outputKept);
      if (chunk.includes('Wheelhouse is at')) listens.resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) =>
      listens.reject(
        new Error(`A server ended with ${code} before it listened:\n${this.#output.slice(-2_000)}`),
      ),
    );
    const late = setTimeout(() => listens.reject(new Error('A server does not listen.')), patience);
    await listens.promise.finally(() => clearTimeout(late));
    this.#isListening = true;
  }

  /** Freezes its process (SIGSTOP): its sockets stay open and nothing comes from them. */
  freeze(): void {
    this.#isFrozen = true;
    this.#process?.kill('SIGSTOP');
  }

  /** Lets it go on (SIGCONT). */
  thaw(): void {
    this.#process?.kill('SIGCONT');
    this.#isFrozen = false;
  }

  /** Ends its process at once, and waits for nothing. */
  abandon(): void {
    if (this.isRunning) this.#process?.kill('SIGKILL');
  }

  /** Ends it without a word and waits for that. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || !this.isRunning) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }

  /** Asks it to end in order (SIGTERM); gives its exit code, null where it was killed, and after how long it ended, ms. */
  async stop(): Promise<{ readonly code: number | null; readonly after: number }> {
    const child = this.#process;
    if (child === undefined || !this.isRunning) return { code: null, after: 0 };
    const began = performance.now();
    const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
    child.kill('SIGTERM');
    const code = await ended;
    return { code, after: performance.now() - began };
  }

  /** Memory (resident), bytes; undefined while it does not run or where the system does not tell. */
  async resident(): Promise<number | undefined> {
    const status = await readFile(`/proc/${this.#process?.pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  }
}

/** Starts the servers of one installation behind a round-robin, the first one alone: it sets the store up. */
export async function startServers(
  count: number,
  roundRobin: RoundRobin,
  env: Readonly<Record<string, string>>,
): Promise<readonly SoakServer[]> {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const shared = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    HOST: '127.0.0.1',
    WHEELHOUSE_URL: roundRobin.url,
    WHEELHOUSE_SECRET_KEY: `soak:${randomBytes(32).toString('base64')}`,
    WHEELHOUSE_BILLING: 'off',
    WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8',
    ...env,
  };
  const servers = ports.map((port) => new SoakServer(port, shared));
  const [first, ...others] = servers;
  await first?.start();
  await Promise.all(others.map((server) => server.start()));
  roundRobin.serve(ports);
  return servers;
}
