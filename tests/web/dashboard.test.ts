import { describe, expect, test } from 'vitest';
import {
  attentionCounts,
  capacityText,
  countsText,
  segmentsOf,
} from '../../src/web/screens/Cluster/model.ts';

describe('a line of capacity', () => {
  test('shows what is used, and the requests as a mark', () => {
    expect(capacityText({ requested: 142, allocatable: 192, used: 107 }, 'cores')).toEqual({
      share: 107 / 192,
      mark: 142 / 192,
      percent: '56%',
      amount: '107 of 192 cores',
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
