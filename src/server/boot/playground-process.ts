import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import type { PlaygroundCluster, PlaygroundSource } from '../clusters/playground-source.ts';
import { type PlaygroundTarget, withKubeconfigFile } from './playground-access.ts';
import { PlaygroundChild } from './playground-child.ts';

/** The playground's child process while it is supervised. */
export interface PlaygroundProcess extends PlaygroundSource {
  /** Process id at this moment, undefined between the end of a process and the next start. */
  pid(): number | undefined;
  /** Ends it and waits until it is gone. */
  close(): Promise<void>;
}

/** Time that a caller waits until the playground is ready, ms. */
const readyTimeout = 10_000;
const firstPause = 200;
const maxPause = 30_000;
/** After a process that lived this long, the next starts without a growing pause, ms. */
const stableAfter = 60_000;

/**
 * Runs the playground as a child process and restarts it, with growing pauses, whenever it ends. It makes its own
 * token, which comes here through a file that only this user reads, and never shows in a list of processes.
 */
export function startPlaygroundProcess(log: Logger, args: readonly string[] = []): PlaygroundProcess {
  return new SupervisedPlayground(log, args);
}

class SupervisedPlayground implements PlaygroundProcess {
  /** With arguments of one's own there is no company that staging could belong to. */
  readonly hasStaging: boolean;
  readonly #log: Logger;
  readonly #args: readonly string[];
  readonly #listeners = new Set<() => void>();
  #child: PlaygroundChild | undefined;
  #retry: NodeJS.Timeout | undefined;
  #pause = firstPause;
  #starts = 1;
  #isClosing = false;
  /** Of the present process, or of the next one where that has ended. */
  #target: Promise<PlaygroundTarget>;

  constructor(log: Logger, args: readonly string[]) {
    this.hasStaging = args.length === 0;
    this.#log = log;
    this.#args = args;
    this.#target = this.#launch();
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  async target(cluster: PlaygroundCluster = 'company'): Promise<PlaygroundTarget> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The playground has not started yet.')), readyTimeout);
    });
    try {
      return await Promise.race([this.#targetOf(cluster), timeout]);
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
  }

  onRestart(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retry);
    await this.#child?.end();
  }

  async #targetOf(cluster: PlaygroundCluster): Promise<PlaygroundTarget> {
    const company = await this.#target;
    if (cluster === 'company') return company;
    if (this.#child === undefined) throw new Error('The playground is restarting.');
    return await this.#child.staging();
  }

  #launch(): Promise<PlaygroundTarget> {
    const target = withKubeconfigFile((file) => this.#start(file));
    // Callers of `target` see a failure, and the log has it: without a handler it would end this process.
    target.catch(() => undefined);
    return target;
  }

  async #start(file: string): Promise<PlaygroundTarget> {
    if (this.#isClosing) throw new Error('The console closes.');
    const child: PlaygroundChild = new PlaygroundChild({
      file,
      args: this.#args,
      log: this.#log,
      onExit: (end, lived) => {
        if (this.#child === child) this.#child = undefined;
        if (!this.#isClosing) this.#restart(end, lived);
      },
    });
    this.#child = child;
    return await child.ready();
  }

  /** Starts the next process after a pause. */
  #restart(end: string | number | null, lived: number): void {
    if (lived > stableAfter) this.#pause = firstPause;
    this.#log.warn({ end, pause: this.#pause }, 'The playground ended; it is started again.');
    const { promise, resolve } = Promise.withResolvers<PlaygroundTarget>();
    promise.catch(() => undefined);
    this.#target = promise;
    this.#retry = setTimeout(() => {
      this.#starts += 1;
      const target = this.#launch();
      resolve(target);
      target.then(
        () => {
          this.#log.info({ lives: this.#starts }, 'The playground is back, as new.');
          for (const listener of this.#listeners) listener();
        },
        () => undefined,
      );
    }, this.#pause);
    this.#pause = Math.min(this.#pause * 2, maxPause);
  }
}
