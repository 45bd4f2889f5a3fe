import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type PlaygroundTarget, readTarget, withKubeconfigFile } from './playground-access.ts';
import { systemClock } from '../kit/clock.ts';

const program = fileURLToPath(new URL('../../playground/start.mjs', import.meta.url));
/** A small young generation and no second compiler: the playground stays under 80 MB. */
const flags = ['--max-semi-space-size=2', '--no-maglev', '--expose-gc'];
/** Time until a process that was asked to end is killed, ms. */
const killDelay = 2_000;

/** The line that is printed once the staging cluster is ready. */
const stagingLine = z.object({ cluster: z.literal('staging') });

/** Inputs of one process of the playground. */
export interface PlaygroundChildParts {
  /** Where the process writes the kubeconfig of its company cluster. */
  readonly file: string;
  readonly args: readonly string[];
  readonly log: Logger;
  /** @param end name of the signal or exit code; @param lived age of the process, ms */
  readonly onExit: (end: string | number | null, lived: number) => void;
}

/** One process of the playground. It ends with this process, however that ends, because the pipe to it closes. */
export class PlaygroundChild {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: Interface;
  readonly #file: string;
  #staging: Promise<PlaygroundTarget> | undefined;

  constructor({ file, args, log, onExit }: PlaygroundChildParts) {
    this.#file = file;
    const started = systemClock.now();
    const child = spawn(
      process.execPath,
      [...flags, program, '--with-parent', '--kubeconfig', file, ...args],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        // Settings and secrets of this process are not passed on.
        env: { PATH: process.env['PATH'] ?? '' },
      },
    );
    this.#process = child;
    // A write to the pipe of a process that has ended fails; the exit of the process is handled anyway.
    child.stdin.on('error', () => undefined);
    child.on('exit', (code, signal) => onExit(signal ?? code, systemClock.now() - started));
    createInterface(child.stderr).on('line', (line) => log.warn({ line: line.slice(0, 500) }, 'Playground'));
    this.#lines = createInterface(child.stdout);
  }

  /** Process id; undefined when the process could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * The target of the company cluster, once it is ready: to be called once, right after the constructor. Kills the
   * process and throws when it does not become ready.
   */
  async ready(): Promise<PlaygroundTarget> {
    const child = this.#process;
    try {
      return await new Promise<PlaygroundTarget>((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', (code, signal) =>
          reject(new Error(`The playground ended (${signal ?? `exit ${code}`}).`)),
        );
        this.#lines.once('line', (line) => {
          readTarget(line, this.#file).then(resolve, reject);
        });
      });
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /** The target of the staging cluster, which the process starts when it is first asked for. Throws when it cannot. */
  async staging(): Promise<PlaygroundTarget> {
    const target = (this.#staging ??= withKubeconfigFile((file) => this.#startStaging(file)));
    target.catch(() => {
      if (this.#staging === target) this.#staging = undefined;
    });
    return await target;
  }

  /** Ends the process and waits until it is gone. */
  async end(): Promise<void> {
    const child = this.#process;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const force = setTimeout(() => child.kill('SIGKILL'), killDelay);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(force);
  }

  #startStaging(file: string): Promise<PlaygroundTarget> {
    return new Promise((resolve, reject) => {
      const onLine = (line: string) => {
        if (!stagingLine.safeParse(JSON.parse(line)).success) return;
        this.#lines.off('line', onLine);
        readTarget(line, file).then(resolve, reject);
      };
      this.#lines.on('line', onLine);
      this.#process.once('exit', () => reject(new Error('The playground ended.')));
      this.#process.stdin.write(`${JSON.stringify({ start: 'staging', kubeconfig: file })}\n`);
    });
  }
}
