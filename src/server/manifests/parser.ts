import { Worker } from 'node:worker_threads';
import { Problem } from '../../contract/problem.ts';
import type { Manifest } from '../../kube/manifest.ts';
import { createLimiter } from '../clusters/limiter.ts';

/** How long one text may take, ms. */
const longest = 10_000;
/** Texts that wait for their turn; more are turned away. */
const mostWaiting = 20;
const memory = { maxOldGenerationSizeMb: 384, stackSizeMb: 4 };

/** Parses texts of people in a thread of its own: what is made to take long holds nobody else up. */
export interface ManifestParser {
  /** Throws Problem 400 for a text that takes too long or too much memory, 503 when too many wait. */
  parse(text: string): Promise<Manifest>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  /** Ends with the answer, or with undefined when the thread died. */
  ask(text: string): Promise<Manifest | undefined>;
}

/** @param limitMs how long one text may take */
export function createManifestParser(limitMs = longest): ManifestParser {
  const limiter = createLimiter(1);
  let thread: Thread | undefined;
  let waiting = 0;

  const end = async () => {
    const ended = thread;
    thread = undefined;
    await ended?.worker.terminate();
  };

  const parse = async (text: string): Promise<Manifest> => {
    thread ??= startThread();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), limitMs);
    });
    const answer = await Promise.race([thread.ask(text), late]);
    clearTimeout(timer);
    if (answer !== 'late' && answer !== undefined) return answer;
    await end();
    throw new Problem({
      status: 400,
      title:
        answer === 'late'
          ? `This text takes more than ${Math.round(limitMs / 1000)} s to read. Split it, or use kubectl.`
          : 'This text takes more memory to read than there is for it. Split it, or use kubectl.',
    });
  };

  return {
    async parse(text) {
      if (waiting >= mostWaiting) {
        throw new Problem({ status: 503, title: 'Too many texts are being read. Try again in a moment.' });
      }
      waiting += 1;
      try {
        return await limiter.run(() => parse(text));
      } finally {
        waiting -= 1;
      }
    },
    close: end,
  };
}

function startThread(): Thread {
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), { resourceLimits: memory });
  worker.unref();
  let last = 0;
  let answer: ((manifest: Manifest | undefined) => void) | undefined;
  worker.on('message', ({ id, manifest }: { id: number; manifest: Manifest }) => {
    if (id === last) answer?.(manifest);
  });
  // Out of memory, or it could not be started: whoever waits hears of it.
  worker.on('error', () => answer?.(undefined));
  worker.on('exit', () => answer?.(undefined));
  return {
    worker,
    ask: (text) =>
      new Promise((resolve) => {
        answer = resolve;
        last += 1;
        worker.postMessage({ id: last, text }, []);
      }),
  };
}
