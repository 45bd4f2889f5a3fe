import type { Manifest } from '../../../kube/manifest.ts';

/** How long a text may hold the parser, ms. */
export const parseLimit = 1_000;

/** The part of a web worker that parsing needs. */
export interface ParseWorker {
  /** @param heard told that it is ready, then each answer @param failed told when it cannot be loaded, or died */
  listen(heard: (said: Manifest | 'ready') => void, failed: () => void): void;
  ask(text: string): void;
  end(): void;
}

/** Browser functions that the parser needs. */
export interface ParserParts {
  readonly spawn: () => ParseWorker;
  /** Runs something later; the answer takes it back. */
  readonly later: (run: () => void, ms: number) => () => void;
}

/** Reads texts in a worker. Only the newest question is answered: an older one that waits is dropped (undefined). */
export interface YamlParser {
  parse(text: string): Promise<Manifest | undefined>;
  close(): void;
}

interface Question {
  readonly text: string;
  readonly answer: (manifest: Manifest | undefined) => void;
}

const failure = (message: string): Manifest => ({ type: 'invalid', message, bare: message });

/** Makes a parser. A text that holds the worker for a second ends with another worker and a sentence. */
export function createYamlParser({ spawn, later }: ParserParts): YamlParser {
  let worker: ParseWorker | undefined;
  let isReady = false;
  let asked: Question | undefined;
  let next: Question | undefined;
  let dropTimer = () => {};

  const end = () => {
    dropTimer();
    worker?.end();
    worker = undefined;
    isReady = false;
  };
  const answer = (manifest: Manifest) => {
    dropTimer();
    const question = asked;
    asked = undefined;
    question?.answer(manifest);
    ask();
  };
  const ask = () => {
    if (asked !== undefined || next === undefined) return;
    worker ??= start();
    if (!isReady) return;
    asked = next;
    next = undefined;
    worker.ask(asked.text);
    dropTimer = later(() => {
      end();
      answer(
        failure(
          `Parsing this text takes more than ${parseLimit / 1000} s, so it was stopped. Make the text smaller or simpler, or use kubectl.`,
        ),
      );
    }, parseLimit);
  };
  const start = (): ParseWorker => {
    const started = spawn();
    started.listen(
      (said) => {
        if (said !== 'ready') return answer(said);
        isReady = true;
        return ask();
      },
      () => {
        end();
        asked ??= next;
        next = undefined;
        answer(failure('The parser could not be loaded. Check your connection, then change the text again.'));
      },
    );
    return started;
  };

  return {
    parse: (text) =>
      new Promise((resolve) => {
        next?.answer(undefined);
        next = { text, answer: resolve };
        ask();
      }),
    close: () => {
      end();
      asked?.answer(undefined);
      next?.answer(undefined);
      asked = undefined;
      next = undefined;
    },
  };
}
