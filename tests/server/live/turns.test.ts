import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../src/server/live/source/turns.ts';
import { createFakeClock } from './fake-clock.ts';

describe('entries that time alone changes', () => {
  test('come in the second that each has, however often it was set, and others never', async () => {
    const clock = createFakeClock();
    const start = Math.ceil(clock.now() / 1000);
    const came: string[] = [];
    const turns = createTurns(clock, (uids) => came.push(...uids));
    turns.set('b', start + 20);
    turns.set('a', start + 10);
    turns.set('moved', start + 10);
    turns.set('moved', start + 30);
    turns.set('ended', start + 10);
    turns.set('ended', undefined);
    turns.set('never', Number.NaN);
    await clock.advance(9_000);
    expect(came).toEqual([]);
    await clock.advance(1_000);
    expect(came).toEqual(['a']);
    await clock.advance(10_000);
    expect(came).toEqual(['a', 'b']);
    await clock.advance(60_000);
    expect(came).toEqual(['a', 'b', 'moved']);
  });

  test('cost one timer together', () => {
    const clock = createFakeClock();
    const turns = createTurns(clock, () => undefined);
    const now = clock.now() / 1000;
    for (let index = 0; index < 50_000; index += 1) turns.set(`pod-${index}`, now + 60 - (index % 50));
    expect(clock.pending).toBe(1);
    turns.dispose();
    expect(clock.pending).toBe(0);
  });
});
