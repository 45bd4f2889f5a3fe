import { describe, expect, test } from 'vitest';
import type { AttentionLine } from '../../src/contract/dashboard.ts';
import { holdLines } from '../../src/web/screens/Cluster/held-lines.ts';

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
const linesOf = (...lines: AttentionLine[]) => ({ lines, total: lines.length });

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
    expect(shown).toMatchObject([{ line: { action: { id: 'undo', reason } }, isActionOver: true }]);
    expect(holdLines(held, held).shown[0]?.isActionOver).toBe(false);
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
