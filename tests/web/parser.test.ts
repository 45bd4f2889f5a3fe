import { describe, expect, test } from 'vitest';
import { type Manifest, parseManifest } from '../../src/kube/manifest.ts';
import { createYamlParser, parseLimit, type ParseWorker } from '../../src/web/features/editor/parser.ts';

/** Workers that answer when they are told to, and a clock that is moved by hand. */
function bench() {
  const workers: {
    heard: (said: Manifest | 'ready') => void;
    failed: () => void;
    asked: string[];
    isEnded: boolean;
  }[] = [];
  const timers = new Set<() => void>();
  const parser = createYamlParser({
    spawn: (): ParseWorker => {
      const one = {
        heard: () => {},
        failed: () => {},
        asked: [] as string[],
        isEnded: false,
      } as (typeof workers)[0];
      workers.push(one);
      return {
        listen: (heard, failed) => Object.assign(one, { heard, failed }),
        ask: (text) => one.asked.push(text),
        end: () => {
          one.isEnded = true;
        },
      };
    },
    later: (run, ms) => {
      expect(ms).toBe(parseLimit);
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  const answer = (at: number) => {
    const worker = workers[at];
    worker?.heard(parseManifest(worker.asked.at(-1) ?? ''));
  };
  const pass = () => {
    for (const run of timers) run();
  };
  return { parser, workers, answer, pass, timers };
}

describe('the parser of the page', () => {
  test('answers by its worker, and waits for it to be there', async () => {
    const { parser, workers, answer } = bench();
    const done = parser.parse('a: 1');
    expect(workers[0]?.asked).toEqual([]);
    workers[0]?.heard('ready');
    answer(0);
    expect(await done).toMatchObject({ type: 'valid' });
  });

  test('replaces a worker that a text holds for a second, says so, and goes on', async () => {
    const { parser, workers, answer, pass } = bench();
    const held = parser.parse('slow');
    workers[0]?.heard('ready');
    const next = parser.parse('b: 2');
    pass();
    expect(await held).toEqual({
      type: 'invalid',
      message:
        'Parsing this text takes more than 1 s, so it was stopped. Make the text smaller or simpler, or use kubectl.',
      bare: expect.any(String),
    });
    expect(workers[0]?.isEnded).toBe(true);
    workers[1]?.heard('ready');
    answer(1);
    expect(await next).toMatchObject({ type: 'valid' });
  });

  test('drops what waits for a newer text, and answers the newest', async () => {
    const { parser, workers, answer } = bench();
    const first = parser.parse('a: 1');
    workers[0]?.heard('ready');
    const second = parser.parse('a: 2');
    const third = parser.parse('a: 3');
    expect(await second).toBeUndefined();
    answer(0);
    await first;
    answer(0);
    expect(await third).toMatchObject({ documents: [{ value: { a: 3 } }] });
  });

  test('says when its worker cannot be loaded', async () => {
    const { parser, workers } = bench();
    const done = parser.parse('a: 1');
    workers[0]?.failed();
    expect(await done).toMatchObject({
      type: 'invalid',
      message: expect.stringContaining('could not be loaded'),
    });
  });

  test('rejects waiting requests when it is closed', async () => {
    const { parser } = bench();
    const done = parser.parse('a: 1');
    parser.close();
    expect(await done).toBeUndefined();
  });
});
