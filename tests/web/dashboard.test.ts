import { describe, expect, test } from 'vitest';
import { affectedCount, affectedText } from '../../src/web/core/kinds/affected.ts';
import {
  attentionCounts,
  changeWords,
  capacityText,
  countsText,
  histogramOf,
  histogramText,
  isMeasured,
  nodeShare,
  partlyMeasured,
  segmentsOf,
  storageText,
} from '../../src/web/screens/Cluster/model.ts';

describe('a line of capacity', () => {
  test('shows what is used, and the requests as a mark', () => {
    expect(capacityText({ requested: 142, allocatable: 192, used: 107 }, 'cores')).toEqual({
      share: 107 / 192,
      mark: 142 / 192,
      percent: '56%',
      amount: '107 of 192 cores used',
      requested: 'requested 74%',
    });
  });
  test('shows what is requested where usage is not known', () => {
    const text = capacityText({ requested: 2 ** 30, allocatable: 4 * 2 ** 30, used: null }, 'bytes');
    expect(text).toMatchObject({ share: 0.25, mark: undefined, percent: '25%', requested: undefined });
    expect(text.amount).toBe('1Gi of 4Gi requested');
  });
  test('shows what there is where neither is known, and never divides by nothing', () => {
    expect(capacityText({ requested: null, allocatable: 110, used: null }, 'pods')).toMatchObject({
      share: undefined,
      percent: '',
      amount: '110 pods',
    });
    expect(capacityText({ requested: 1, allocatable: 0, used: 1 }, 'pods').share).toBeUndefined();
  });
});

describe('the share of a node', () => {
  const line = (used: number | null, requested: number | null = 2) => ({ requested, allocatable: 8, used });
  const cpu = (used: number | null, isOfUsage: boolean, requested?: number | null) =>
    nodeShare(line(used, requested), 'cores', { name: 'CPU', isOfUsage });
  test('is of usage where any node is measured, and none of a node that is not', () => {
    const nodes = [
      { cpu: line(4), memory: line(4) },
      { cpu: line(null), memory: line(null) },
    ];
    expect([isMeasured(nodes), isMeasured(nodes.slice(1)), isMeasured([])]).toEqual([true, false, false]);
    expect(cpu(4, true)).toMatchObject({ share: 0.5, mark: 0.25, figure: '50%', label: 'CPU: 50% used' });
    expect(cpu(null, true)).toMatchObject({
      share: undefined,
      mark: 0.25,
      figure: '–',
      label: 'CPU: not measured, 25% requested',
    });
  });
  test('is missing in the sum of all, which is said', () => {
    const nodes = [{ cpu: line(4) }, { cpu: line(null) }, { cpu: line(1) }];
    expect(partlyMeasured(nodes)).toBe('Usage of 2 of 3 nodes: the others are not measured now.');
    expect(partlyMeasured([{ cpu: line(4) }])).toBeUndefined();
    expect(partlyMeasured([{ cpu: line(null) }])).toBeUndefined();
  });
  test('is of requests where none is measured, and nothing where nothing is known', () => {
    expect(cpu(null, false)).toMatchObject({ share: 0.25, figure: '25%', label: 'CPU: 25% requested' });
    expect(cpu(null, false, null)).toBeUndefined();
  });
});

describe('the bar of a kind', () => {
  const counts = { ok: 396, warn: 12, bad: 1, info: 2, idle: 1, total: 412 };
  test('fills the whole and keeps rare trouble visible', () => {
    const segments = segmentsOf(counts);
    expect(segments.map(({ tone }) => tone)).toEqual(['ok', 'rest', 'warn', 'bad']);
    expect(segments.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1);
    expect(segments.at(-1)?.width).toBeGreaterThan(0.02);
    expect(segmentsOf({ ok: 0, warn: 0, bad: 0, info: 0, idle: 0, total: 0 })).toEqual([]);
  });
  test('says the same in words', () => {
    expect(countsText(counts)).toBe('396 healthy, 12 degraded, 1 failing, 2 changing, 1 off or finished');
  });
});

test('lines are counted by tone', () => {
  expect(attentionCounts([{ tone: 'bad' }, { tone: 'warn' }, { tone: 'bad' }])).toEqual({ bad: 2, warn: 1 });
});

describe('the events of an hour', () => {
  const now = 1_000 * 60_000 + 30_000;
  test('are a bar a minute, the last one of this minute, and nothing of another hour', () => {
    const histogram = histogramOf(
      [
        [900, 9, 9],
        [941, 1, 0],
        [997, 2, 5],
        [1_000, 4, 1],
        [1_001, 7, 7],
      ],
      now,
    );
    expect(histogram.bars).toHaveLength(60);
    expect(histogram.bars[0]).toEqual({ minute: 941, normal: 1, warnings: 0 });
    expect(histogram.bars.at(-1)).toEqual({ minute: 1_000, normal: 4, warnings: 1 });
    expect(histogram).toMatchObject({ most: 7, peak: 5, normal: 7, warnings: 6 });
    expect(histogramText(histogram)).toBe('In the last hour 7 normal, 6 warnings, most of them 3 min ago: 5');
  });
  test('say so where there are none', () => {
    expect(histogramText(histogramOf([], now))).toBe('No event in the last hour');
    expect(histogramText(histogramOf([[1_000, 2, 1]], now))).toBe(
      'In the last hour 2 normal, 1 warning, most of them in this minute: 1',
    );
  });
});

test('a change says who or what did what, and to what end', () => {
  const change = {
    on: { kind: 'deployment', name: 'api' },
    what: 'edited',
    at: 0,
    by: null,
    to: null,
  } as const;
  expect(changeWords({ ...change, what: 'rolled-out', to: 14 }, 'Deployment')).toEqual({
    who: 'Deployment',
    did: 'rolled out',
    to: 'revision 14',
  });
  expect(changeWords({ ...change, what: 'scaled', to: 4 }, 'HPA').to).toBe('to 4');
  expect(changeWords({ ...change, by: 'helm' }, 'Deployment')).toMatchObject({
    who: 'helm',
    did: 'edited Deployment',
  });
  expect(changeWords({ ...change, by: 'wheelhouse' }, 'Deployment').who).toBe('This console');
  expect(changeWords({ ...change, what: 'created' }, 'Namespace')).toEqual({
    who: 'Namespace',
    did: 'created',
    to: '',
  });
});

test('storage says what share of the volumes has a claim', () => {
  expect(storageText({ claimed: 2 ** 30, provisioned: 4 * 2 ** 30 })).toMatchObject({
    percent: '25%',
    amount: '1Gi of 4Gi of volumes claimed',
  });
});

test.each([
  ['waiting', [['deployment', 68]], '68 Deployments wait for it', '68 workloads wait for it'],
  ['waiting', [['deployment', 1]], '1 Deployment waits for it', '1 workload waits for it'],
  ['alike', [['deployment', 13]], '13 Deployments have the same cause', '13 others have the same cause'],
  ['alike', [['pod', 1]], '1 Pod has the same cause', '1 other has the same cause'],
  [
    'waiting',
    [
      ['deployment', 68],
      ['statefulset', 3],
      ['pod', 1],
    ],
    '68 Deployments, 3 StatefulSets and 1 Pod wait for it',
    '72 workloads wait for it',
  ],
] as const)(
  'what a line stands for is counted, by kind and in all: %s %j',
  (relation, kinds, text, inAll) => {
    const counted = kinds.map(([kind, count]) => ({ kind, count }));
    const count = counted.reduce((sum, one) => sum + one.count, 0);
    expect(affectedText({ relation, kinds: counted, objects: [], count })).toBe(text);
    expect(affectedCount({ relation, count })).toBe(inAll);
  },
);
