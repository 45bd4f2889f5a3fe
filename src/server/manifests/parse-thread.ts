import { Worker } from 'node:worker_threads';
import type { Manifest } from '../../kube/manifest.ts';

const memory = { maxOldGenerationSizeMb: 384, stackSizeMb: 4 };

/** A text for the thread. */
export interface ParseRequest {
  readonly text: string;
  /** It is not parsed when it has more tokens. */
  readonly tokens: number;
}

/** Messages of the thread: once that it is ready, then one answer to each request. */
export type ParseAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'parsed'; readonly manifest: Manifest }
  | { readonly type: 'too-many-tokens' };

/** A thread that parses one text at a time. */
export interface ParseThread {
  /** Settles once it takes texts, or died. */
  readonly ready: Promise<void>;
  /** The answer, or undefined when the thread died: out of memory, or it could not be started. */
  ask(request: ParseRequest): Promise<Exclude<ParseAnswer, { type: 'ready' }> | undefined>;
  end(): Promise<void>;
}

export function startParseThread(): ParseThread {
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), { resourceLimits: memory });
  worker.unref();
  const ready = Promise.withResolvers<void>();
  let answer = (_answer: Exclude<ParseAnswer, { type: 'ready' }> | undefined) => {};
  let isDead = false;
  const die = () => {
    isDead = true;
    ready.resolve();
    answer(undefined);
  };
  worker.on('message', (message: ParseAnswer) => {
    if (message.type === 'ready') ready.resolve();
    else answer(message);
  });
  worker.on('error', die);
  worker.on('exit', die);
  return {
    ready: ready.promise,
    ask: (request) =>
      new Promise((resolve) => {
        answer = resolve;
        if (isDead) resolve(undefined);
        else worker.postMessage(request, []);
      }),
    end: async () => {
      await worker.terminate();
    },
  };
}
