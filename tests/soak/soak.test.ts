import { describe, expect, it } from 'vitest';
import { differenceOf } from './changes.ts';
import { chartOf } from './chart.ts';
import { claimsOfCutRun, markdownOf, noneClaim, tableOf, withinClaim } from './claims.ts';
import { scheduleOf } from './schedule.ts';
import { logFaultOf } from './streams.ts';
import { growthOf, slopeOf } from './trend.ts';
import { endAll, Interruption, Waits } from './waits.ts';

describe('the schedule of a soak', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(scheduleOf(7, 20, 3)).toEqual(scheduleOf(7, 20, 3));
    expect(scheduleOf(7, 20, 3)).not.toEqual(scheduleOf(8, 20, 3));
  });

  it('kills one server in each minute, at first the oldest, and restarts the database once', () => {
    const events = scheduleOf(7, 20, 3);
    const kills = events.filter(({ what }) => what === 'kill');
    expect(kills.map(({ at }) => Math.floor(at / 60))).toEqual(
      Array.from({ length: 20 }, (_, minute) => minute),
    );
    expect(kills.flatMap(({ server }, minute) => (server === 0 ? [minute] : []))).toEqual([0]);
    expect(new Set(kills.map(({ server }) => server))).toEqual(new Set([0, 1, 2]));
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b));
    const others = events.filter(({ what }) => what !== 'kill');
    expect(others).toMatchObject([
      { what: 'freeze', server: 0 },
      { what: 'database', server: 0 },
    ]);
  });

  it('leaves a freeze out of runs that are too short for it', () => {
    expect(scheduleOf(7, 2, 3).map(({ what }) => what)).toEqual(['kill', 'kill', 'database']);
  });
});

describe('the trend of a figure', () => {
  it('is the slope of its line, whatever its noise', () => {
    expect(slopeOf([0, 10, 20].map((at) => ({ at, value: 5 + 2 * at })))).toBeCloseTo(2);
    expect(slopeOf([{ at: 3, value: 9 }])).toBe(0);
    expect(slopeOf([1, -1, -1, 1].map((noise, at) => ({ at, value: noise })))).toBeCloseTo(0);
  });

  it('grows by a share of its mean, after the warm-up', () => {
    const points = [0, 10, 20, 30].map((at) => ({ at, value: at === 0 ? 1_000 : 90 + at / 2 }));
    expect(growthOf(points, 5)).toBeCloseTo(0.1);
    expect(growthOf(points, 100)).toBe(0);
  });
});

describe('what a page holds', () => {
  const truth = new Map([
    ['a', 'Soak1'],
    ['b', undefined],
  ]);
  it.each([
    ['is true', { a: 'Soak1', b: 'Running' }, undefined],
    ['is stale', { a: 'Soak0', b: 'Running' }, 'a row says Soak0 and the cluster Soak1'],
    ['lacks a pod', { a: 'Soak1' }, 'a pod is missing (1 of 2 rows)'],
    ['has one too many', { a: 'Soak1', b: 'Running', c: 'Running' }, '1 rows of pods that are gone'],
  ])('%s', (_name, held, difference) => {
    expect(differenceOf(new Map(Object.entries(held)), truth)).toBe(difference);
  });
});

describe('what came of a log', () => {
  const log = ['b', 'c', 'd'];
  it.each([
    ['from its beginning', ['b', 'c'], undefined],
    ['from before what the cluster still has', ['a', 'b', 'c', 'd'], undefined],
    ['from within', ['c', 'd', 'e'], undefined],
    ['with a line missing', ['a', 'b', 'd'], 'line 2 is "d" and not "c"'],
    ['with a line twice', ['b', 'b', 'c'], 'line 1 is "b" and not "c"'],
    ['of another', ['x'], 'no line is in the log'],
  ])('%s', (_name, lines, fault) => {
    expect(logFaultOf(lines, log)).toBe(fault);
  });
});

describe('the summary', () => {
  const claims = [
    withinClaim('lists right again', [1, 4.5], 5),
    withinClaim('grants gone', [2.5], 2),
    withinClaim('reads go on', [], 10),
    noneClaim('lost', [], '12 writes'),
    noneClaim('twice', ['one | two'], '3 deliveries'),
  ];

  it('says of each claim whether it is kept, broken or could not be judged', () => {
    expect(claims.map(({ isKept }) => isKept)).toEqual([true, false, undefined, true, false]);
    expect(tableOf(claims).split('\n')).toEqual([
      expect.stringMatching(/^claim\s+measured\s+limit$/),
      expect.stringMatching(/^lists right again +at most 4\.50 s in 2 cases +5 s +kept$/),
      expect.stringMatching(/^grants gone +at most 2\.50 s in 1 case +2 s +BROKEN$/),
      expect.stringMatching(/^reads go on +never +10 s +not judged$/),
      expect.stringMatching(/^lost +none of 12 writes +none +kept$/),
      expect.stringMatching(/^twice +1 of 3 deliveries: one \| two +none +BROKEN$/),
    ]);
    expect(markdownOf(claims)).toContain('1 of 3 deliveries: one \\| two');
  });

  it('has a chart of lines within its frame, with what happened as marks', () => {
    const points = [0, 60, 120].map((at) => ({ at, value: at }));
    const chart = chartOf(
      [{ title: 'Memory', unit: 'MB', series: [{ name: 'a <b>', points }] }],
      [{ at: 60, name: 'kill' }],
      120,
    );
    expect(chart).toMatch(/^<svg [^]*<\/svg>\n$/);
    expect(chart).toContain('a &lt;b></text>');
    expect(chart).toContain('points="70.0,190.0 505.0,115.0 940.0,40.0"');
    expect(chart).toContain('<title>kill</title>');
  });
});

describe('a run that is interrupted', () => {
  it('leaves open what only its end could show, and keeps what is broken already', () => {
    const late = { ...noneClaim('told', ['one'], '1'), needsWholeRun: true as const };
    const broken = noneClaim('lost', ['one'], '1');
    expect(claimsOfCutRun([late, broken]).map(({ isKept }) => isKept)).toEqual([undefined, false]);
  });

  it('waits for nothing any longer, and a wait ends in its time with a sentence', async () => {
    const interrupted = new AbortController();
    const waits = new Waits(interrupted.signal);
    await expect(waits.until('it rains', () => false, 50)).rejects.toThrow(
      'It took longer than 0.05 s until it rains.',
    );
    expect(await waits.within('it is given', Promise.resolve(1), 50)).toBe(1);
    const never = waits.within('it rains', new Promise(() => undefined));
    interrupted.abort();
    await expect(never).rejects.toThrow(Interruption);
  });

  it('ends everything that was started, the newest first, also where one fails', async () => {
    const ended: string[] = [];
    const said: string[] = [];
    const fails = (): never => {
      throw new Error('It would not end.');
    };
    await endAll([() => ended.push('first'), fails, () => ended.push('last')], (text) => said.push(text));
    expect(ended).toEqual(['last', 'first']);
    expect(said).toEqual(['Error: It would not end.']);
  });
});
