import { describe, expect, test } from 'vitest';
import {
  readRuns,
  recencyBoost,
  recentLimit,
  type RecentRun,
  storeRuns,
  withRun,
} from '../../src/registry/palette/recents.ts';

const run = (name: string, at = 0): RecentRun => ({
  command: 'deployment.restart',
  args: {},
  refs: [{ cluster: '1', kind: 'deployment', namespace: 'shop', name }],
  at,
});

describe('recent runs', () => {
  test('the latest run comes first, without duplicates', () => {
    const runs = withRun(withRun(withRun([], run('a', 1)), run('b', 2)), run('a', 3));
    expect(runs.map(({ refs, at }) => [refs[0]?.name, at])).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
  });

  test('at most fifty are stored', () => {
    let runs: readonly RecentRun[] = [];
    for (let at = 0; at < recentLimit + 20; at += 1) runs = withRun(runs, run(`n${at}`, at));
    expect(runs).toHaveLength(recentLimit);
    expect(runs[0]?.refs[0]?.name).toBe(`n${recentLimit + 19}`);
  });

  test('a run on many objects is not stored', () => {
    const refs = Array.from({ length: 6 }, (_, at) => ({ cluster: '1', kind: 'pod', name: `p${at}` }));
    expect(withRun([], { command: 'object.delete', args: {}, refs, at: 0 })).toEqual([]);
  });

  test('stored runs are parsed again', () => {
    const runs = withRun([], run('a', 1));
    expect(readRuns(storeRuns(runs))).toEqual(runs);
  });

  test.each([
    null,
    '',
    'junk',
    '[]',
    '{"version":2,"runs":[]}',
    '{"version":1,"runs":[{"command":1}]}',
    '{"version":1,"runs":[{"command":"x","args":{},"refs":[{"name":"n"}],"at":1}]}',
    '{"version":1,"runs":[{"command":"x","args":null,"refs":[],"at":1}]}',
  ])('%s is parsed as no runs', (text) => {
    expect(readRuns(text)).toEqual([]);
  });

  test('the latest run has the highest boost, and runs beyond the limit have none', () => {
    expect(recencyBoost(0)).toBeGreaterThan(recencyBoost(1));
    expect(recencyBoost(recentLimit)).toBe(0);
    expect(recencyBoost(-1)).toBe(0);
  });
});
