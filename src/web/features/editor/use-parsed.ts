import { useCallback, useEffect, useRef, useState } from 'react';
import type { Manifest } from '../../../kube/manifest.ts';
import { createYamlParser, type ParseWorker, type YamlParser } from './parser.ts';

/** A text and what it was found to be. */
export interface Parsed {
  readonly text: string;
  readonly manifest: Manifest;
}

function spawn(): ParseWorker {
  const worker = new Worker(new URL('./parse.worker.ts', import.meta.url), { type: 'module' });
  return {
    listen: (heard, failed) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Manifest | 'ready'>) => heard(data));
      worker.addEventListener('error', failed);
    },
    ask: (text) => worker.postMessage(text, []),
    end: () => worker.terminate(),
  };
}

const runLater = (run: () => void, ms: number) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * The parsed text: evaluated at once and on every change, in a worker. The answer may be for an older text. `read`
 * waits for the answer for the current text.
 */
export function useParsed(text: string): {
  readonly parsed: Parsed | undefined;
  readonly read: () => Promise<Manifest>;
} {
  const [parsed, setParsed] = useState<Parsed | undefined>(undefined);
  const parser = useRef<YamlParser | undefined>(undefined);
  const latest = useRef({ text, done: Promise.resolve<Manifest | undefined>(undefined) });

  useEffect(() => {
    const made = createYamlParser({ spawn, later: runLater });
    parser.current = made;
    return () => {
      parser.current = undefined;
      made.close();
    };
  }, []);

  useEffect(() => {
    const done = parser.current?.parse(text);
    if (done === undefined) return;
    latest.current = { text, done };
    void done.then((manifest) => {
      if (manifest !== undefined) setParsed({ text, manifest });
    });
  }, [text]);

  const read = useCallback(async (): Promise<Manifest> => {
    for (;;) {
      const { done } = latest.current;
      const manifest = await done;
      if (manifest !== undefined) return manifest;
      // Dropped for a newer text, whose answer is the one that counts.
      if (latest.current.done === done) return { type: 'empty' };
    }
  }, []);
  return { parsed, read };
}
