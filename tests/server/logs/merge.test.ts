import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../../src/contract/log.ts';
import { LogMerge, mergeLimits } from '../../../src/server/logs/merge.ts';
import { createFakeClock, settle } from '../live/fake-clock.ts';

const line = (second: number, source: number): LogLine => [
  `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`,
  `${source} at ${second}`,
  source,
];

function merging(patient = false) {
  const clock = createFakeClock();
  const passed: string[] = [];
  let full: Promise<void> | undefined;
  const merge = new LogMerge({
    pass: ([, text]) => {
      passed.push(text);
      return full;
    },
    clock,
    isPatient: patient,
  });
  return {
    clock,
    merge,
    passed,
    block: (until: Promise<void> | undefined) => {
      full = until;
    },
  };
}

describe('lines of several sources', () => {
  test('of one alone pass at once', async () => {
    const { merge, passed } = merging();
    const only = merge.add();
    void only.line(line(1, 0));
    await settle();
    expect(passed).toEqual(['0 at 1']);
  });

  test('are put in the order of their times, however they come', async () => {
    const { clock, merge, passed } = merging();
    const [a, b] = [merge.add(), merge.add()];
    for (const second of [1, 4, 6]) void a.line(line(second, 0));
    await settle();
    expect(passed).toEqual([]);
    for (const second of [2, 3, 5]) void b.line(line(second, 1));
    await clock.advance(mergeLimits.quiet + 1);
    expect(passed).toEqual(['0 at 1', '1 at 2', '1 at 3', '0 at 4', '1 at 5', '0 at 6']);
  });

  test('do not wait for a source that is quiet, idle or over', async () => {
    const { clock, merge, passed } = merging();
    const [a, b, c] = [merge.add(), merge.add(), merge.add()];
    b.idle();
    c.end();
    void a.line(line(1, 0));
    await settle();
    expect(passed).toEqual(['0 at 1']);
    b.opened();
    void a.line(line(2, 0));
    await settle();
    expect(passed).toHaveLength(1);
    await clock.advance(mergeLimits.quiet);
    expect(passed).toHaveLength(2);
  });

  test('wait for every source where logs are read to their end', async () => {
    const { clock, merge, passed } = merging(true);
    const [a, b] = [merge.add(), merge.add()];
    void a.line(line(2, 0));
    await clock.advance(60_000);
    expect(passed).toEqual([]);
    void b.line(line(1, 1));
    b.end();
    a.end();
    await merge.drained();
    expect(passed).toEqual(['1 at 1', '0 at 2']);
  });

  test('keep what has no time behind the line before it', async () => {
    const { clock, merge, passed } = merging();
    const [a, b] = [merge.add(), merge.add()];
    void a.line(line(1, 0));
    void a.line(['', 'a mark', 0, 'mark']);
    void b.line(line(2, 1));
    await clock.advance(mergeLimits.quiet + 1);
    expect(passed).toEqual(['0 at 1', 'a mark', '1 at 2']);
  });

  test('are read no further while nobody takes them: each source holds a bounded number', async () => {
    const { clock, merge, passed, block } = merging();
    const taken = Promise.withResolvers<void>();
    block(taken.promise);
    const a = merge.add();
    let wait: Promise<void> | undefined;
    let said = 0;
    while (wait === undefined && said < 10_000) {
      said += 1;
      wait = a.line(line(1, 0));
    }
    expect(said).toBeLessThanOrEqual(mergeLimits.queue + 1);
    expect(passed).toHaveLength(1);
    block(undefined);
    taken.resolve();
    await wait;
    await clock.advance(1);
    expect(passed).toHaveLength(said);
  });
});
