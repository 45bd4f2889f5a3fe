import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { AttentionLine } from '../../../src/contract/dashboard.ts';
import type { KindStanding } from '../../../src/server/live/dashboard/kind-standing.ts';
import { holdTime, LineHold } from '../../../src/server/live/dashboard/line-hold.ts';
import {
  chronicAfter,
  type LookScope,
  remember,
  type RememberedTrouble,
  type SeenTrouble,
  troubleKey,
  TroubleMemory,
  type TroubleStore,
} from '../../../src/server/live/dashboard/trouble-memory.ts';

const now = 1_000_000;
const seen: SeenTrouble = {
  uid: 'api',
  rule: 'pod.crash-loop',
  kind: 'pod',
  since: now - 60,
  isSinceLatest: false,
  extent: 2,
};
const log = pino({ level: 'silent' });

describe('what is remembered of a trouble', () => {
  const known: RememberedTrouble = { ...seen, since: now - 600, worseAt: null };
  const look = (of: Partial<SeenTrouble>, before?: RememberedTrouble, isFirstLook = false) =>
    remember({ ...seen, ...of }, before, { now, isFirstLook });

  test.each([
    ['the last crash is no beginning', { since: now - 1, isSinceLatest: true }, now - 600, false],
    ['an earlier start that the cluster tells counts', { since: now - 900 }, now - 900, false],
    ['one without a time began when it was seen', { since: undefined }, now - 600, false],
  ])('is its earliest start: %s', (_, of, since, isSinceLatest) =>
    expect(look(of, known)).toMatchObject({ since, isSinceLatest }),
  );

  test('is an upper bound where nobody saw it begin, until the cluster tells', () => {
    const found = look({ since: undefined }, undefined, true);
    expect(found).toMatchObject({ since: now, isSinceLatest: true });
    expect(look({ since: undefined })).toMatchObject({ since: now, isSinceLatest: false });
    expect(look({ since: now - 5 }, found)).toMatchObject({ since: now - 5, isSinceLatest: false });
  });

  test('is when it got worse than it ever was, and never that it got better', () => {
    const worse = look({ extent: 3 }, known);
    expect(worse).toMatchObject({ extent: 3, worseAt: now });
    expect(look({ extent: 1 }, worse)).toMatchObject({ extent: 3, worseAt: now });
    expect(look({ extent: 3 }, { ...worse, worseAt: now - 50 }).worseAt).toBe(now - 50);
  });
});

/** What several servers share. */
function sharedStore(): TroubleStore & { readonly rows: Map<string, RememberedTrouble> } {
  const rows = new Map<string, RememberedTrouble>();
  return {
    rows,
    read: () => Promise.resolve([...rows.values()]),
    keep: (kept) => {
      for (const one of kept) {
        const before = rows.get(troubleKey(one));
        rows.set(troubleKey(one), before === undefined || one.since < before.since ? one : before);
      }
      return Promise.resolve(kept.map((one) => rows.get(troubleKey(one)) ?? one));
    },
    forget: (gone) => {
      for (const one of gone) rows.delete(troubleKey(one));
      return Promise.resolve();
    },
  };
}

async function serverOn(store: TroubleStore): Promise<TroubleMemory> {
  const ready = Promise.withResolvers<void>();
  const memory = new TroubleMemory({ store, log, onChange: () => ready.resolve() });
  memory.start();
  await ready.promise;
  return memory;
}
const scope = (standing: KindStanding, read = ['pod']): LookScope => ({ read, standingOf: () => standing });
const current = scope('current');
const sinceOf = (memory: TroubleMemory, at: number, ...troubles: SeenTrouble[]) =>
  memory.look(troubles, at, current).get(troubleKey(seen))?.since;

describe('servers with one database', () => {
  test('tell the same start of what crashes again, also after a restart', async () => {
    const store = sharedStore();
    const first = await serverOn(store);
    expect(sinceOf(first, now, seen)).toBe(now - 60);
    // A start that the cluster records is kept nowhere else.
    expect(store.rows.size).toBe(0);
    const again = { ...seen, since: now + 290, isSinceLatest: true };
    expect(sinceOf(first, now + 300, again)).toBe(now - 60);
    expect([...store.rows.values()]).toMatchObject([{ since: now - 60, isSinceLatest: false }]);
    const other = await serverOn(store);
    expect(sinceOf(other, now + 700, { ...again, since: now + 650 })).toBe(now - 60);
  });

  test('forget what was over for ten minutes, and nothing of a kind that cannot be read', async () => {
    const store = sharedStore();
    const memory = await serverOn(store);
    memory.look([{ ...seen, isSinceLatest: true }], now, current);
    expect(store.rows.size).toBe(1);
    memory.look([], now + 601, scope('unknown'));
    expect(store.rows.size).toBe(1);
    memory.look([], now + 601, current);
    expect(store.rows.size).toBe(0);
  });

  test('forget what was over once its kind is gone', async () => {
    const store = sharedStore();
    const memory = await serverOn(store);
    memory.look([{ ...seen, isSinceLatest: true }], now, current);
    memory.look([], now + 601, scope('unwatched', []));
    expect(store.rows.size).toBe(1);
    memory.look([], now + 601, scope('gone', []));
    expect(store.rows.size).toBe(0);
  });

  test('call trouble without a time new only where the whole list of its kind was seen before', async () => {
    const widget = { ...seen, uid: 'w', kind: 'widget', since: undefined };
    const memory = await serverOn(sharedStore());
    const isUpperBound = (uid: string, read: readonly string[], standing: KindStanding = 'current') =>
      memory.look([{ ...widget, uid }], now, scope(standing, [...read])).get(troubleKey({ ...widget, uid }))
        ?.isSinceLatest;
    memory.look([], now, current);
    // The list of widgets is read after that of pods.
    expect(isUpperBound('first', ['pod', 'widget'], 'unknown')).toBe(true);
    expect(isUpperBound('second', ['pod', 'widget'])).toBe(true);
    expect(isUpperBound('third', ['pod', 'widget'])).toBe(false);
    // Trouble that began while the list gave way to another one is not new either.
    memory.look([], now, current);
    expect(isUpperBound('fourth', ['pod', 'widget'])).toBe(true);
  });

  test('call no trouble new that was there when a further namespace came to a list', async () => {
    const memory = await serverOn(sharedStore());
    const isUpperBound = (uid: string, namespace: string, read: readonly string[]) => {
      const pod = { ...seen, uid, namespace, since: undefined };
      return memory.look([pod], now, scope('current', [...read])).get(troubleKey(pod))?.isSinceLatest;
    };
    memory.look([], now, scope('current', ['pod shop']));
    expect(isUpperBound('first', 'shop', ['pod shop'])).toBe(false);
    expect(isUpperBound('second', 'pay', ['pod shop', 'pod pay'])).toBe(true);
    expect(isUpperBound('third', 'pay', ['pod shop', 'pod pay'])).toBe(false);
    // Read as a whole from here on, with what is in all other namespaces.
    expect(isUpperBound('fourth', 'other', ['pod'])).toBe(true);
    expect(isUpperBound('fifth', 'other', ['pod'])).toBe(false);
  });

  test('keep the extent of what is chronic, so that more is worse', async () => {
    const store = sharedStore();
    const old = { ...seen, since: now - chronicAfter - 1 };
    (await serverOn(store)).look([old], now, current);
    const later = (await serverOn(store)).look([{ ...old, extent: 3 }], now + 50, current);
    expect(later.get(troubleKey(seen))).toMatchObject({ since: old.since, extent: 3, worseAt: now + 50 });
  });

  test('call it worse when another cause of its rule takes the place of one, and not when that is back', async () => {
    const store = sharedStore();
    const caused = (cause: string): SeenTrouble => ({
      ...seen,
      rule: `custom.trouble ${cause}`,
      since: now - chronicAfter - 1,
    });
    const worseAt = (memory: TroubleMemory, cause: string, at: number) =>
      memory.look([caused(cause)], at, current).get(troubleKey(caused(cause)))?.worseAt;
    const memory = await serverOn(store);
    expect(worseAt(memory, 'Degraded', now)).toBeNull();
    expect(worseAt(memory, 'Failed', now + 60)).toBe(now + 60);
    expect(worseAt(memory, 'Degraded', now + 120)).toBeNull();
    expect(worseAt(memory, 'Failed', now + 180)).toBe(now + 60);
    expect(worseAt(await serverOn(store), 'Failed', now + 240)).toBe(now + 60);
    // Of several causes at once none takes the place of another.
    const fresh = await serverOn(sharedStore());
    const both = fresh.look([caused('Failed'), caused('Degraded')], now, current);
    expect([...both.values()].map((one) => one.worseAt)).toEqual([null, null]);
  });

  test('go on without a database that does not answer', async () => {
    const away = () => Promise.reject(new Error('away'));
    const memory = await serverOn({ read: away, keep: away, forget: away });
    expect(memory.isReady).toBe(true);
    expect(sinceOf(memory, now, { ...seen, isSinceLatest: true })).toBe(now - 60);
  });
});

describe('the line of a trouble that comes and goes', () => {
  const line = (tone: 'bad' | 'warn'): AttentionLine => ({
    key: 'deployment shop api',
    rule: 'pod.crash-loop',
    tone,
    title: 'Container app keeps crashing.',
    detail: null,
    on: { kind: 'deployment', namespace: 'shop', name: 'api' },
    objects: [],
    count: 1,
    since: now,
    causes: [],
    action: null,
  });

  test('keeps its place for half a minute after the trouble passed', () => {
    const hold = new LineHold();
    hold.hold([line('bad')], now, () => true);
    const gap = hold.hold([], now + holdTime - 1, () => true);
    expect(gap).toMatchObject({ lines: [{ tone: 'bad', endedAt: now }], changesAt: now + holdTime });
    expect(hold.hold([line('bad')], now + holdTime - 1, () => true).lines).toEqual([line('bad')]);
    expect(hold.hold([], now + 2 * holdTime - 1, () => true).lines).toEqual([]);
  });

  test('goes at once where its object is gone, or another line stands for it', () => {
    const hold = new LineHold();
    hold.hold([line('bad')], now, () => true);
    expect(hold.hold([], now + 1, () => false).lines).toEqual([]);
  });

  test('is as bad as it was half a minute ago: a container that crashes runs in between', () => {
    const hold = new LineHold();
    hold.hold([line('bad')], now, () => true);
    expect(hold.hold([line('warn')], now + holdTime - 1, () => true)).toMatchObject({
      lines: [{ tone: 'bad' }],
      changesAt: now + holdTime,
    });
    expect(hold.hold([line('warn')], now + holdTime, () => true).lines).toMatchObject([{ tone: 'warn' }]);
  });
});
