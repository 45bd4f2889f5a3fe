import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../../src/contract/log.ts';
import { createLogBuffer } from '../../../src/web/features/logs/buffer.ts';

const line = (text: string, time = '', source = 0): LogLine => [time, text, source];
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => line(`line ${from + index}`));

describe('the lines kept of a log', () => {
  test('are bounded; the oldest go, and every line keeps its number', () => {
    const buffer = createLogBuffer(1_000);
    buffer.push(lines(0, 900));
    buffer.push(lines(900, 3_000));
    expect(buffer.end).toBe(3_900);
    expect(buffer.end - buffer.first).toBeLessThanOrEqual(1_500);
    expect(buffer.end - buffer.first).toBeGreaterThanOrEqual(1_000);
    expect(buffer.at(buffer.first)?.[1]).toBe(`line ${buffer.first}`);
    expect(buffer.at(3_899)?.[1]).toBe('line 3899');
    expect(buffer.at(buffer.first - 1)).toBeUndefined();
    expect(buffer.at(3_900)).toBeUndefined();
  });

  test('say where each source goes on: its last time, and how many of its lines have exactly it', () => {
    const buffer = createLogBuffer(10);
    expect(buffer.positions().size).toBe(0);
    buffer.push([
      line('a', '2026-01-01T00:00:01Z'),
      line('b', '2026-01-01T00:00:02Z'),
      line('x', '2026-01-01T00:00:02Z', 1),
      line('c', '2026-01-01T00:00:02Z'),
      ['2026-01-01T00:00:03Z', 'said by the console', 0, 'mark'],
    ]);
    expect(Object.fromEntries(buffer.positions())).toEqual({
      0: { time: '2026-01-01T00:00:02Z', count: 2 },
      1: { time: '2026-01-01T00:00:02Z', count: 1 },
    });
    // Lines that wait are noted when they come, and not again when they are kept.
    const later = [line('d', '2026-01-01T00:00:02Z')];
    buffer.note(later);
    buffer.push(later, true);
    expect(buffer.positions().get(0)?.count).toBe(3);
  });
});
