import { afterEach, describe, expect, test, vi } from 'vitest';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './results.ts';
import { journeysInTurn } from './journeys-in-turn.ts';
import { filesInTurn, filesLeftToProve } from './slow-lane.ts';
import {
  inBothHands,
  isDoneByBoth,
  isLeftToProve,
  isLookedAt,
  isTurnOf,
  isWholeBy,
  nowAndThen,
  turnVariable,
} from './turn.ts';

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

  test('one of the two does all of such a journey, and each in its turn', () => {
    const whole = Array.from({ length: 64 }, (_, commit) => {
      vi.stubEnv(turnVariable, String(commit));
      return ['pointer', 'keyboard'].filter((hand) => isWholeBy(hand, journey(hand)));
    });
    expect(whole.every(({ length }) => length === 1)).toBe(true);
    expect(new Set(whole.flat())).toEqual(new Set(['pointer', 'keyboard']));
    vi.stubEnv(turnVariable, undefined);
    expect(isWholeBy('pointer', journey('pointer')) && isWholeBy('keyboard', journey('keyboard'))).toBe(true);
  });

  test('both do every journey where no commit chooses', () => {
    vi.stubEnv(turnVariable, undefined);
    expect(['pointer', 'keyboard'].map((hand) => isTurnOf(hand, journey(hand)))).toEqual([true, true]);
  });
});

describe('what the gate looks at now and then', () => {
  const screens = { title: 'every screen is accessible', tags: [nowAndThen.tag] };

  test('has its turn, and a state of a journey as well', () => {
    const runs = Array.from({ length: 64 }, (_, commit) => {
      vi.stubEnv(turnVariable, String(commit));
      return { isLeft: isLeftToProve(screens), isLooked: isLookedAt('a list', journey('pointer')) };
    });
    expect(new Set(runs.map(({ isLeft }) => isLeft))).toEqual(new Set([true, false]));
    expect(new Set(runs.map(({ isLooked }) => isLooked))).toEqual(new Set([true, false]));
  });

  test('is looked at as a whole where it is run', () => {
    vi.stubEnv(turnVariable, '42f81d32');
    expect(Array.from({ length: 64 }, (_, state) => isLookedAt(String(state), screens))).not.toContain(false);
  });

  test('leaves no other test out', () => {
    vi.stubEnv(turnVariable, '42f81d32');
    expect(Array.from({ length: 64 }, (_, one) => isLeftToProve(journey(String(one))))).not.toContain(true);
  });

  test('is all looked at where no commit chooses', () => {
    vi.stubEnv(turnVariable, undefined);
    expect(isLeftToProve(screens)).toBe(false);
    expect(isLookedAt('a list', journey('pointer'))).toBe(true);
  });
});

describe('files in turn', () => {
  const files = Object.keys(filesInTurn);

  test('names files and sources that exist', () => {
    const named = [...files, ...Object.values(filesInTurn).flat()];
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('leave to chance no journey in both hands, and no test that has a turn of its own', () => {
    const texts = Object.keys(journeysInTurn).map((file) => readFileSync(join(root, file), 'utf8'));
    expect(texts.filter((text) => /\b(?:inBothHands|nowAndThen)\b/.test(text))).toEqual([]);
  });

  test('each file has its turn, and all run where no commit chooses', () => {
    const left = Array.from({ length: 64 }, (_, commit) => {
      vi.stubEnv(turnVariable, String(commit));
      return filesLeftToProve(() => []);
    });
    for (const file of files) {
      expect(left.some((one) => one.includes(file))).toBe(true);
      expect(left.every((one) => one.includes(file))).toBe(false);
    }
    vi.stubEnv(turnVariable, undefined);
    expect(filesLeftToProve(() => [])).toEqual([]);
  });

  test('a file runs whatever the commit where its sources or it itself changed', () => {
    const left = (changed: readonly string[]) =>
      Array.from({ length: 64 }, (_, commit) => {
        vi.stubEnv(turnVariable, String(commit));
        return filesLeftToProve(() => changed);
      }).flat();
    for (const [file, [source = '']] of Object.entries(filesInTurn)) {
      expect(left([file])).not.toContain(file);
      expect(left([source.includes('.') ? source : `${source}/any.ts`])).not.toContain(file);
      expect(left([`${source}-of-another/any.ts`])).toContain(file);
    }
  });
});
