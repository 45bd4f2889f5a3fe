import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { type BudgetPart, budgetShares, MemoryBudget } from '../../../src/server/kit/memory-budget.ts';
import { createFakeClock } from '../live/fake-clock.ts';
import type { Filled } from './fill-memory.ts';

const run = promisify(execFile);
const opened: MemoryBudget[] = [];
afterEach(() => {
  for (const budget of opened.splice(0)) budget.close();
});

/** A process that may hold a thousand bytes. */
function start(inUse: number) {
  const clock = createFakeClock();
  const source = {
    limit: 1_000,
    inUse,
    collections: 0,
    used: () => source.inUse,
    collect: () => {
      source.collections += 1;
    },
    onCollected: () => () => undefined,
  };
  const memory = new MemoryBudget(clock, source);
  opened.push(memory);
  const roomOf = (part: BudgetPart) => {
    const { limit, held } = memory.part(part);
    return limit - held;
  };
  return { clock, source, memory, roomOf };
}

describe('the memory of the process', () => {
  test('what one part holds, no other may take', () => {
    const { memory, roomOf } = start(100);
    expect([roomOf('names'), roomOf('lists')]).toEqual([500, 600]);
    memory.part('lists').held += 300;
    expect([memory.used, roomOf('names'), roomOf('lists')]).toEqual([400, 200, 300]);
    memory.part('lists').held -= 300;
    expect(memory.used).toBe(100);
  });

  test('names are refused before usage, usage before lists, and lists before answers', () => {
    const { roomOf } = start(620);
    expect(roomOf('names')).toBe(0);
    expect(roomOf('usage')).toBeGreaterThan(0);
    const order = (['names', 'usage', 'lists', 'answers'] as const).map((part) => budgetShares[part]);
    expect([...order].sort((a, b) => a - b)).toEqual(order);
  });

  test('where it seems full it is collected to find out, at most once in half a minute', async () => {
    const { clock, source, memory, roomOf } = start(100);
    memory.part('lists').held += 580;
    source.inUse = 300;
    expect(roomOf('lists')).toBe(400);
    expect(source.collections).toBe(1);
    memory.part('lists').held += 400;
    expect([roomOf('lists'), source.collections]).toEqual([0, 1]);
    await clock.advance(30_000);
    source.inUse = 650;
    expect([roomOf('lists'), source.collections]).toEqual([50, 2]);
  });

  test('the alarm of the chart is raised before anything is refused', () => {
    const rules = readFileSync(
      join(import.meta.dirname, '../../../deploy/chart/templates/prometheusrule.yaml'),
      'utf8',
    );
    const rule = /alert: WheelhouseMemoryFull[^]*?\) > (?<share>0\.\d+)/.exec(rules);
    expect(Number(rule?.groups?.['share'])).toBeLessThan(Math.min(...Object.values(budgetShares)) - 0.05);
  });
});

test('a process whose heap is small refuses lists and goes on, where it would be ended otherwise', async () => {
  const script = join(import.meta.dirname, 'fill-memory.ts');
  const { stdout } = await run(process.execPath, [
    '--max-old-space-size=64',
    '--max-semi-space-size=16',
    script,
  ]);
  const { refusals, objects, used, limit } = JSON.parse(stdout) as Filled;
  expect(refusals[0]).toMatch(
    /^This console has no memory left for the pods of c\d+\. They load by themselves once other lists are closed\.$/,
  );
  expect(objects).toBeGreaterThan(1_000);
  expect(used).toBeLessThan(limit);
});
