import { afterEach, describe, expect, test, vi } from 'vitest';
import { handsVariable, inBothHands, isDoneByBoth, isTurnOf } from '../e2e/turn.ts';

const journey = (hand: string, tags: readonly string[] = []) => ({ title: `a pod is found (${hand})`, tags });
const handsAt = (commit: string, tags: readonly string[] = []): readonly string[] => {
  vi.stubEnv(handsVariable, commit);
  return ['pointer', 'keyboard'].filter((hand) => isTurnOf(hand, journey(hand, tags)));
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the hands of a run', () => {
  test('each journey is done by exactly one hand, and by each in its turn', () => {
    const turns = Array.from({ length: 64 }, (_, commit) => handsAt(String(commit)));
    expect(turns.every(({ length }) => length === 1)).toBe(true);
    expect(new Set(turns.flat())).toEqual(new Set(['pointer', 'keyboard']));
  });

  test('the same commit chooses the same hand', () => {
    expect(handsAt('42f81d32')).toEqual(handsAt('42f81d32'));
  });

  test('both do what is declared so, whatever the commit', () => {
    expect(handsAt('42f81d32', [inBothHands.tag])).toEqual(['pointer', 'keyboard']);
    expect(isDoneByBoth({ tags: [inBothHands.tag] })).toBe(true);
  });

  test('both do every journey where no commit chooses', () => {
    vi.stubEnv(handsVariable, undefined);
    expect(['pointer', 'keyboard'].map((hand) => isTurnOf(hand, journey(hand)))).toEqual([true, true]);
  });
});
