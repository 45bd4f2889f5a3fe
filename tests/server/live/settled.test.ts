import { describe, expect, test } from 'vitest';
import { type Attention, settled } from '../../../src/registry/attention.ts';
import { isDue, unasked } from '../../../src/server/live/attention-lines.ts';
import { statusAt } from '../../../src/registry/kind.ts';

const trouble: Attention = { rule: 'pod.unready', tone: 'warn', title: 'It is not ready.' };

describe('trouble is told of unasked', () => {
  test('thirty seconds after it began, or after its object was made where it does not say', () => {
    expect(settled({ ...trouble, since: 100 }, 5).settledAt).toBe(130);
    expect(settled(trouble, 5).settledAt).toBe(35);
    expect(settled(trouble, null).settledAt).toBeUndefined();
  });

  test('no sooner than its own rule says', () => {
    const found = unasked(settled({ ...trouble, since: 100, notBefore: 160 }, null));
    expect([isDue(found, 159), isDue(found, 160)]).toEqual([false, true]);
  });

  test('at once where the cluster has given up', () => {
    const found = unasked(settled({ ...trouble, since: 100, isHard: true }, 5));
    expect(isDue(found, 100)).toBe(true);
  });
});

test('a status is what it will be once its time has come, step by step', () => {
  const status = {
    tone: 'info',
    label: 'Starting',
    later: {
      at: 10,
      status: { tone: 'warn', label: 'Slow', later: { at: 20, status: { tone: 'bad', label: 'Failed' } } },
    },
  } as const;
  expect([9, 10, 20].map((now) => statusAt(status, now).label)).toEqual(['Starting', 'Slow', 'Failed']);
});
