import { afterEach, describe, expect, test, vi } from 'vitest';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './results.ts';
import { filesLeftToProve, slowFiles } from './slow-lane.ts';
import { turnVariable, inBothHands, isDoneByBoth, isTurnOf } from './turn.ts';

const journey = (hand: string, tags: readonly string[] = []) => ({ title: `a pod is found (${hand})`, tags });
const handsAt = (commit: string, tags: readonly string[] = []): readonly string[] => {
  vi.stubEnv(turnVariable, commit);
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
    vi.stubEnv(turnVariable, undefined);
    expect(['pointer', 'keyboard'].map((hand) => isTurnOf(hand, journey(hand)))).toEqual([true, true]);
  });
});

describe('the slow lane', () => {
  test('names files that exist', () => {
    expect(slowFiles.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('each file has its turn, and all run where no commit chooses', () => {
    const left = Array.from({ length: 64 }, (_, commit) => {
      vi.stubEnv(turnVariable, String(commit));
      return filesLeftToProve();
    });
    for (const file of slowFiles) {
      expect(left.some((files) => files.includes(file))).toBe(true);
      expect(left.every((files) => files.includes(file))).toBe(false);
    }
    vi.stubEnv(turnVariable, undefined);
    expect(filesLeftToProve()).toEqual([]);
  });
});
