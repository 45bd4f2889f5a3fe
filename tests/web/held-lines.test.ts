import { describe, expect, test } from 'vitest';
import type { AttentionLine } from '../../src/contract/dashboard.ts';
import type { JudgedLine } from '../../src/web/features/attention/acknowledged.ts';
import { foldLines, holdLines } from '../../src/web/screens/Cluster/held-lines.ts';

const line = (key: string, title = 'Something is wrong.'): AttentionLine => ({
  key,
  rule: 'pod.failed',
  tone: 'bad',
  title,
  detail: null,
  on: { kind: 'pod', namespace: 'shop', name: key },
  objects: [],
  count: 1,
  since: null,
  causes: [],
  action: null,
});
const judged = (one: AttentionLine, acknowledgedUntil?: string): JudgedLine => ({
  line: one,
  isNew: false,
  ...(acknowledgedUntil === undefined ? {} : { acknowledgedUntil }),
});
const linesOf = (...lines: AttentionLine[]) => ({
  lines: lines.map((one) => judged(one)),
  total: lines.length,
});
const keysOf = (lines: readonly JudgedLine[]) => lines.map(({ line }) => line.key);

describe('lines that nobody reads', () => {
  const chronic: AttentionLine = { ...line('old'), isChronic: true };
  const until = '2026-06-01T00:00:00Z';

  test('are folded where they are chronic or acknowledged', () => {
    const lines = [judged(line('a')), judged(line('b'), until), judged(chronic)];
    const { shown, chronic: old, acknowledged } = foldLines({ lines, total: 5 });
    expect([shown, old, acknowledged].map(keysOf)).toEqual([['a'], ['old'], ['b']]);
    expect(foldLines({ lines: [judged(chronic, until)], total: 1 }).acknowledged).toHaveLength(1);
  });

  test('say that they are over while they stay for a moment', () => {
    const { shown } = foldLines(linesOf({ ...line('a'), endedAt: 5 }, line('b')));
    expect(shown.map(({ isOver }) => isOver)).toEqual([true, false]);
  });

  test('leave their place only once they are no longer read', () => {
    const held = linesOf(line('a'), line('b'));
    const now = { lines: [judged(line('a'), until), judged({ ...line('b'), isChronic: true })], total: 2 };
    const { shown, chronic: old, acknowledged, fresh } = holdLines(held, now);
    expect(shown.map((one) => [one.line.key, one.acknowledgedUntil, one.isOver])).toEqual([
      ['a', until, false],
      ['b', undefined, false],
    ]);
    expect([old, acknowledged, fresh]).toEqual([[], [], 0]);
  });

  test('that were folded and got worse count as new for a reader', () => {
    const held = { lines: [judged(chronic), judged(line('b'), until)], total: 2 };
    const { shown, fresh } = holdLines(held, linesOf(line('old'), line('b')));
    expect([shown, fresh]).toEqual([[], 2]);
  });
});

describe('lines that somebody reads', () => {
  const held = linesOf(line('a'), line('b'), line('c'));

  test('stay in their places, with what is newest of each', () => {
    const now = linesOf(line('c', 'It got worse.'), line('b'), line('a'));
    const { shown, fresh } = holdLines(held, now);
    expect(shown.map((one) => [one.line.key, one.line.title, one.isOver])).toEqual([
      ['a', 'Something is wrong.', false],
      ['b', 'Something is wrong.', false],
      ['c', 'It got worse.', false],
    ]);
    expect(fresh).toBe(0);
  });

  test.each([
    ['nothing helps for a moment', { action: null }, 'This no longer helps.'],
    ['its action is refused', { action: { id: 'undo', refs: [], reason: 'It is paused.' } }, 'It is paused.'],
    ['the trouble is over', undefined, 'The problem is resolved.'],
  ])('keep their button where %s: it may have the focus', (_, more, reason) => {
    const held = linesOf({ ...line('a'), action: { id: 'undo', refs: [] } });
    const { shown } = holdLines(held, more === undefined ? linesOf() : linesOf({ ...line('a'), ...more }));
    expect(shown).toMatchObject([{ line: { action: { id: 'undo', reason } } }]);
  });

  test('are as many as before: what is over stays as such, and what came is counted', () => {
    const { shown, fresh, more } = holdLines({ ...held, total: 7 }, linesOf(line('d'), line('a'), line('e')));
    expect(shown.map((one) => [one.line.key, one.isOver])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
    ]);
    expect([fresh, more]).toEqual([2, 4]);
  });
});
