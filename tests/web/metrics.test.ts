import { describe, expect, test } from 'vitest';
import { coresText } from '../../src/kube/format-quantity.ts';
import {
  boundsOf,
  coversNewest,
  drawSeries,
  gapAfter,
  gapsOf,
  stopAt,
  stopsOf,
} from '../../src/web/features/metrics/chart.ts';
import { usageLines } from '../../src/web/features/metrics/limits.ts';
import { readingText, summaryOf } from '../../src/web/features/metrics/summary.ts';
import {
  clockText,
  gapText,
  stampText,
  tickText,
  timeTicks,
  valueTicks,
} from '../../src/web/features/metrics/ticks.ts';

describe('a chart of usage', () => {
  test('draws a gap where nothing was measured and where nobody looked', () => {
    const times = [0, 15, 30, 45, 45 + gapAfter + 1];
    const { pieces } = drawSeries(times, [1, 2, null, 1, 2], []);
    expect(pieces.map((piece) => piece.length)).toEqual([2, 1, 1]);
  });

  test('reaches up to lines that are near, and leaves far ones out', () => {
    expect(drawSeries([0, 15], [1, 2], [4]).top).toBeCloseTo(4.4);
    expect(drawSeries([0, 15], [1, 2], [400]).top).toBeCloseTo(2.2);
    expect(drawSeries([], [], []).top).toBe(1);
  });

  test('has the label of a line where it covers none of the newest values', () => {
    expect(
      coversNewest(
        [
          [
            [0, 0.1],
            [1, 0.55],
          ],
        ],
        0.5,
      ),
    ).toBe(true);
    expect(
      coversNewest(
        [
          [
            [0, 0.55],
            [1, 0.1],
          ],
        ],
        0.5,
      ),
    ).toBe(false);
    expect(
      coversNewest(
        [
          [
            [0, 0.55],
            [0.5, 0.55],
          ],
        ],
        0.5,
      ),
    ).toBe(false);
  });

  test('is summarised in a sentence, with requests and limits', () => {
    const lines = [
      { label: 'request', value: 2 },
      { label: 'limit', value: 4 },
    ];
    const told = summaryOf('CPU', { times: [0, 120], values: [1, 3] }, lines, String);
    expect(told).toBe('CPU: 3 now, 150% of the request 2, 75% of the limit 4, 1 to 3 in 2 min.');
    expect(summaryOf('CPU', { times: [0], values: [null] }, [], String)).toBe('CPU: nothing measured yet.');
    const old = { times: [0, 60, 120, 180], values: [1, 3, null, null] };
    expect(summaryOf('CPU', old, [], String)).toBe('CPU: 3 2 min ago, not measured since, 1 to 3 in 3 min.');
    const same = { times: [0, 60], values: [2, 2] };
    expect(summaryOf('CPU', same, [], coresText)).toBe('CPU: 2 cores now, steady for 60 s.');
    expect(boundsOf([null])).toBeUndefined();
  });

  test('says one core as one', () => {
    expect([0, 0.25, 1, 1.04, 1.2].map(coresText)).toEqual([
      '0 cores',
      '250m cores',
      '1 core',
      '1 core',
      '1.2 cores',
    ]);
  });

  test('takes requests and limits of a pod, of what a node offers, of all pods of a workload', () => {
    const spec = {
      containers: [
        { name: 'a', resources: { requests: { cpu: '100m' }, limits: { cpu: '1' } } },
        { name: 'b', resources: { requests: { cpu: '100m' }, limits: { cpu: '500m' } } },
      ],
    };
    expect(usageLines('pod', { spec } as object, 'cpu', undefined)).toEqual([
      { label: 'request', value: 0.2 },
      { label: 'limit', value: 1.5 },
    ]);
    expect(usageLines(undefined, { spec: { template: { spec } } } as object, 'cpu', 3)[1]?.value).toBe(4.5);
    // One container without a limit leaves the pod without one.
    const open = { containers: [...spec.containers, { name: 'c' }] };
    expect(usageLines('pod', { spec: open } as object, 'cpu', undefined).map(({ label }) => label)).toEqual([
      'request',
    ]);
    const node = { status: { allocatable: { memory: '1Gi' } } };
    expect(usageLines('node', node as object, 'memory', undefined)).toEqual([
      { label: 'allocatable', value: 2 ** 30 },
    ]);
  });
});

describe('the axes of a chart', () => {
  test.each([
    [1.1, 'cores', [0, 0.5, 1]],
    [0.055, 'cores', [0, 0.02, 0.04]],
    [17.6, 'cores', [0, 10]],
    [3, 'cores', [0, 1, 2, 3]],
    [2.2 * 2 ** 30, 'bytes', [0, 2 ** 30, 2 * 2 ** 30]],
    [140 * 2 ** 20, 'bytes', [0, 50 * 2 ** 20, 100 * 2 ** 20]],
    [900, 'bytes', [0, 500]],
  ] as const)('have round figures up to %d %s', (top, scale, ticks) => {
    expect(valueTicks(top, scale)).toEqual(ticks);
  });

  test.each([
    [{ from: 0, to: 900 }, [0, 300, 600, 900]],
    [{ from: 100, to: 1_000 }, [300, 600, 900]],
    [{ from: 0, to: 3_600 }, [0, 900, 1_800, 2_700, 3_600]],
    [{ from: 10, to: 200 }, [60, 120, 180]],
  ])('have round times in %j', (range, ticks) => {
    expect(timeTicks(range)).toEqual(ticks);
  });

  test('are round on the reader’s clock over a day and a week', () => {
    const to = Date.parse('2026-01-14T10:20:00Z') / 1000;
    const ofDay = timeTicks({ from: to - 86_400, to });
    expect(ofDay.length).toBeGreaterThanOrEqual(4);
    expect(ofDay.length).toBeLessThanOrEqual(6);
    for (const tick of ofDay) {
      const date = new Date(tick * 1000);
      expect([date.getHours() % 6, date.getMinutes()]).toEqual([0, 0]);
    }
    const ofWeek = timeTicks({ from: to - 604_800, to });
    expect(ofWeek.length).toBeGreaterThanOrEqual(3);
    for (const tick of ofWeek) expect(new Date(tick * 1000).getHours()).toBe(0);
    expect(tickText(ofWeek[0] ?? 0, 604_800)).toMatch(/^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d{1,2}$/);
  });

  test('name the day where the clock alone would be of several', () => {
    const at = Date.parse('2026-01-14T10:20:30Z') / 1000;
    expect(stampText(at, 900, true)).toBe(clockText(at, true));
    expect(stampText(at, 21_600, true)).toBe(clockText(at));
    expect(stampText(at, 604_800, true)).toMatch(new RegExp(`^[A-Z][a-z]{2} ${clockText(at)}$`));
  });

  test('of points an hour apart are one line, and end where nothing was measured any more', () => {
    const times = [0, 3_600, 7_200, 18_000];
    const range = { from: 0, to: 21_600 };
    expect(drawSeries(times, [1, 2, 3, 4], [], range, 5_400).pieces.map((piece) => piece.length)).toEqual([
      3, 1,
    ]);
    expect(gapsOf(times, range, 5_400)).toEqual([{ from: 7_200, to: 18_000 }]);
    expect(summaryOf('CPU', { times, values: [1, 2, 3, 4] }, [], String, { end: 86_400, gap: 5_400 })).toBe(
      'CPU: 4 19 h ago, not measured since, 1 to 4 in 5 h.',
    );
  });

  test('reach from the start of the range to its end, whatever was sampled', () => {
    const { pieces } = drawSeries([50, 75], [1, 1], [], { from: 0, to: 100 });
    expect(pieces.flat().map(([x]) => x)).toEqual([0.5, 0.75]);
  });
});

describe('times that were not sampled', () => {
  const range = { from: 0, to: 900 };
  test.each([
    ['all of it', [], [[0, 900]]],
    ['before the first sample', [600, 660, 720, 780, 840], [[0, 600]]],
    ['after the last', Array.from({ length: 10 }, (_, minute) => minute * 60), [[540, 900]]],
    ['between', [60, 120, 600, 660, 720, 780, 840], [[120, 600]]],
    ['none of it', Array.from({ length: 15 }, (_, minute) => minute * 60), []],
    ['samples outside of the range do not count', [-60, 960], [[0, 900]]],
  ])('%s', (_name, times, gaps) => {
    expect(gapsOf(times, range).map(({ from, to }) => [from, to])).toEqual(gaps);
  });

  test('are places of the reading line, as samples are', () => {
    const stops = stopsOf([0, 60, 800, 860], { from: 0, to: 900 });
    expect(stops.map(({ at, gap }) => [at, gap !== undefined])).toEqual([
      [0, false],
      [60, false],
      [430, true],
      [800, false],
      [860, false],
    ]);
    const at = (time: number) => stops[stopAt(stops, time)]?.at;
    expect([-5, 29, 31, 61, 790, 829, 900].map(at)).toEqual([0, 0, 60, 430, 430, 800, 860]);
    expect(stopAt([], 5)).toBe(-1);
  });

  test('are said, as readings are', () => {
    const lines = [{ label: 'limit', value: 2 }];
    const [from, to] = [clockText(0), clockText(300)];
    expect(gapText({ from: 0, to: 300 })).toBe(`not sampled ${from}–${to}`);
    expect(readingText({ at: 150, gap: { from: 0, to: 300 } }, null, lines, coresText)).toBe(
      `Not sampled ${from}–${to}.`,
    );
    const time = clockText(61, true);
    expect(readingText({ at: 61, index: 0 }, 1, lines, coresText)).toBe(
      `${time}: 1 core, 50% of the limit 2 cores.`,
    );
    expect(readingText({ at: 61, index: 0 }, null, lines, coresText)).toBe(`${time}: not measured.`);
    expect(time).toMatch(/^\d\d:\d\d:01$/);
  });
});
