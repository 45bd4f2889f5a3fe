import { describe, expect, test } from 'vitest';
import { type Attention, settled } from '../../../src/registry/kinds/attention.ts';
import { isDue, unasked } from '../../../src/server/live/dashboard/attention-lines.ts';
import { RecentTroubles } from '../../../src/server/live/dashboard/recent-troubles.ts';
import { statusAt } from '../../../src/registry/kinds/kind.ts';

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

describe('trouble that was told a moment ago', () => {
  const of = (uid: string, since: number) => ({ uid, attention: settled({ ...trouble, since }, null) });
  const isTold = (recent: RecentTroubles, one: ReturnType<typeof of>, now: number): boolean => {
    const shown = recent.shown(one, now);
    const isShown = shown !== undefined && isDue(shown, now);
    if (isShown) recent.note(one.uid, shown.rule);
    recent.noted(now);
    return isShown;
  };
  const pass = (recent: RecentTroubles, now: number) => recent.noted(now);

  test('does not settle again when it is back within half a minute', () => {
    const recent = new RecentTroubles();
    expect([129, 130].map((now) => isTold(recent, of('a', 100), now))).toEqual([false, true]);
    // It lasts until it passes, however long nothing is computed.
    pass(recent, 500);
    expect(isTold(recent, of('a', 515), 515)).toBe(true);
    pass(recent, 520);
    pass(recent, 540);
    expect(isTold(recent, of('a', 549), 549)).toBe(true);
  });

  test('has no patience anew when it is back within half a minute, but waits for a deadline', () => {
    const recent = new RecentTroubles();
    const unready = (since: number, patience = 60) => ({
      uid: 'a',
      attention: settled({ ...trouble, since, notBefore: since + patience }, null),
    });
    expect([159, 160].map((now) => isTold(recent, unready(100), now))).toEqual([false, true]);
    pass(recent, 500);
    expect(isTold(recent, unready(515), 515)).toBe(true);
    pass(recent, 520);
    expect(isTold(recent, unready(525, 600), 525)).toBe(false);
    expect(isTold(recent, unready(551), 551)).toBe(false);
  });

  test('settles after a longer gap, for another object and by another rule', () => {
    const recent = new RecentTroubles();
    isTold(recent, of('a', 100), 130);
    pass(recent, 200);
    expect(isTold(recent, of('b', 210), 210)).toBe(false);
    const other = { uid: 'a', attention: settled({ ...trouble, rule: 'pod.other', since: 210 }, null) };
    expect(isTold(recent, other, 210)).toBe(false);
    expect(isTold(recent, of('a', 230), 230)).toBe(false);
    expect(recent.shown({ uid: 'a', attention: undefined }, 230)).toBeUndefined();
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
