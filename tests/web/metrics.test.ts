import { describe, expect, test } from 'vitest';
import { coresText } from '../../src/kube/format-quantity.ts';
import { boundsOf, drawSeries, gapAfter } from '../../src/web/features/metrics/chart.ts';
import { usageLines } from '../../src/web/features/metrics/limits.ts';
import { summaryOf } from '../../src/web/features/metrics/summary.ts';

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
