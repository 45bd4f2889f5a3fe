import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KindDescription, Row } from '../../src/contract/live.ts';
import { type LiveList, unknownList } from '../../src/web/data/live/rows.ts';
import {
  applyMessage,
  renewed,
  settled,
  type SubscriptionMessage,
} from '../../src/web/data/live/subscription.ts';
import type { Subscription as AnySubscription } from '../../src/web/data/live/base.ts';
import { proof } from '../prove.ts';

fc.configureGlobal(proof());

type Subscription = AnySubscription<LiveList>;
type ListMessage = Extract<
  SubscriptionMessage,
  { type: 'snapshot' | 'changes' | 'state' | 'kind' | 'ended' }
>;

const row = (uid: string, ...cells: (string | number)[]): Row => [uid, [...cells, ['Running', 'ok']]];
const fresh = (): Subscription => renewed(unknownList('2026-01-01T00:00:00Z'));
const snapshot = (
  seq: number,
  rows: readonly Row[],
  more: Partial<Extract<ListMessage, { type: 'snapshot' }>> = {},
) => ({ type: 'snapshot', id: 1, seq, reset: seq === 1, done: true, rows, ...more }) as const;
const changes = (seq: number, upserts: readonly Row[], removes: readonly string[] = []) =>
  ({ type: 'changes', id: 1, seq, upserts, removes }) as const;

/** Applies messages, and hands on what they told. */
function apply(from: Subscription, ...messages: readonly ListMessage[]): Subscription {
  let subscription = from;
  for (const message of messages) {
    const next = applyMessage(subscription, message);
    if (next === 'gap') throw new Error('a message is missing');
    subscription = next;
  }
  return settled(subscription) as Subscription;
}
const uids = ({ data }: Subscription) => [...data.rows.values()].map(([uid]) => uid);

const kind = (seq: number, id: string) =>
  ({ type: 'kind', id: 1, seq, kind: { id } satisfies KindDescription }) as const;

describe('the kind of a live list', () => {
  test('is there before its rows', () => {
    const first = apply(fresh(), kind(1, 'a'), snapshot(2, [row('x')], { reset: true }));
    expect(first.data).toMatchObject({ kind: { id: 'a' }, complete: true });
  });

  test('becomes another together with its rows, never before them', () => {
    const shown = apply(fresh(), kind(1, 'a'), snapshot(2, [row('x', 'old')], { reset: true }));
    const told = apply(shown, kind(3, 'b'), changes(4, [row('x', 'older')]));
    expect(told.data.kind).toEqual({ id: 'a' });
    const half = apply(told, snapshot(5, [row('x', 'new')], { reset: true, done: false }));
    expect([half.data.kind, half.data.rows.get('x')]).toEqual([{ id: 'a' }, row('x', 'older')]);
    const whole = apply(half, snapshot(6, [row('y', 'new')], { reset: false }));
    expect([whole.data.kind, uids(whole)]).toEqual([{ id: 'b' }, ['x', 'y']]);
  });
});

describe('a live list', () => {
  test('its first snapshot shows as it arrives, and is complete with the last chunk', () => {
    const first = apply(fresh(), snapshot(1, [row('a')], { done: false }));
    expect(uids(first)).toEqual(['a']);
    expect(first.data.complete).toBe(false);
    const second = apply(first, snapshot(2, [row('b')]));
    expect(uids(second)).toEqual(['a', 'b']);
    expect(second.data.complete).toBe(true);
  });

  test('changes are put in and taken out', () => {
    const list = apply(
      fresh(),
      snapshot(1, [row('a', 1), row('b', 1)]),
      changes(2, [row('a', 2), row('c', 1)], ['b']),
    );
    expect(uids(list)).toEqual(['a', 'c']);
    expect(list.data.rows.get('a')).toEqual(row('a', 2));
  });

  test('rows that did not change keep their identity, and so does the list', () => {
    const before = apply(fresh(), snapshot(1, [row('a', 1), row('b', 1)]));
    const [a, b] = [before.data.rows.get('a'), before.data.rows.get('b')];
    const same = apply(before, changes(2, [row('a', 1)], ['unknown']));
    expect(same.data).toBe(before.data);
    const one = apply(before, changes(2, [row('a', 1), row('b', 2)]));
    expect(one.data.rows).not.toBe(before.data.rows);
    expect(one.data.rows.get('a')).toBe(a);
    expect(one.data.rows.get('b')).not.toBe(b);
  });

  test('several messages are handed on as one', () => {
    const before = apply(fresh(), snapshot(1, [row('a', 1), row('b', 1)]));
    const told = apply(before, changes(2, [row('a', 2)], ['b']), changes(3, [row('b', 3)], ['a']));
    expect([uids(told), told.data.rows.get('b')]).toEqual([['b'], row('b', 3)]);
  });

  test('rows from before a resync stay until the new ones are complete', () => {
    const before = apply(fresh(), snapshot(1, [row('a')]));
    const half = apply(before, changes(2, [row('b')]), snapshot(3, [row('c')], { reset: true, done: false }));
    expect(uids(half)).toEqual(['a', 'b']);
    expect(uids(apply(half, snapshot(4, [row('b')])))).toEqual(['b', 'c']);
  });

  test('rows of a list that is still being read come as changes, and show at once', () => {
    const first = apply(fresh(), snapshot(1, [row('a'), row('z')], { done: false }));
    const more = apply(first, changes(2, [row('b')], ['z']));
    expect([uids(more), more.data.complete]).toEqual([['a', 'b'], false]);
    const whole = apply(more, snapshot(3, []));
    expect([uids(whole), whole.data.complete]).toEqual([['a', 'b'], true]);
  });

  test('rows that come while an older list is on screen show with the last of them', () => {
    const before = apply(fresh(), snapshot(1, [row('a', 1), row('old')]));
    const half = apply(renewed(before.data), snapshot(1, [row('a', 2), row('x')], { done: false }));
    const more = apply(half, changes(2, [row('b')], ['x']));
    expect([uids(more), more.data.rows.get('a')]).toEqual([['a', 'old'], row('a', 1)]);
    const whole = apply(more, snapshot(3, []));
    expect([uids(whole), whole.data.rows.get('a')]).toEqual([['a', 'b'], row('a', 2)]);
  });

  test('a missing message is a gap, a repeated one is nothing', () => {
    const list = apply(fresh(), snapshot(1, [row('a')]));
    expect(applyMessage(list, changes(3, []))).toBe('gap');
    expect(applyMessage(list, changes(1, [row('z')]))).toBe(list);
    expect(applyMessage(fresh(), changes(2, []))).toBe('gap');
  });

  test('while it is asked for again, what was on screen stays until the new rows are complete', () => {
    const before = apply(fresh(), snapshot(1, [row('a', 1), row('gone', 1)]));
    const a = before.data.rows.get('a');
    const again = renewed(before.data);
    const half = apply(again, snapshot(1, [row('a', 1)], { done: false }));
    expect(uids(half)).toEqual(['a', 'gone']);
    const whole = apply(half, snapshot(2, [row('new', 1)]));
    expect(uids(whole)).toEqual(['a', 'new']);
    expect(whole.data.rows.get('a')).toBe(a);
  });

  test('a resync in the middle starts over', () => {
    const list = apply(
      fresh(),
      snapshot(1, [row('a')]),
      changes(2, [row('b')]),
      snapshot(3, [row('c')], { reset: true }),
    );
    expect(uids(list)).toEqual(['c']);
  });

  test('a paused list says so until it is complete again', () => {
    const paused = { ...apply(fresh(), snapshot(1, [row('a')])).data, pausedAt: '2026-01-01T00:00:00Z' };
    const half = apply(renewed(paused), snapshot(1, [row('a')], { done: false }));
    expect(half.data.pausedAt).toBe('2026-01-01T00:00:00Z');
    expect(apply(half, snapshot(2, [])).data.pausedAt).toBeUndefined();
  });

  test('states and the end are part of the list', () => {
    const state = { status: 'stale', since: '2026-01-01T00:00:00Z', attempt: 3 } as const;
    const list = apply(fresh(), snapshot(1, [row('a')]), { type: 'state', id: 1, seq: 2, state });
    expect(list.data.state).toBe(state);
    const over = apply(list, { type: 'ended', id: 1, status: 403, title: 'You lack pods.view.' });
    expect(over.data.ended).toEqual({ status: 403, title: 'You lack pods.view.' });
    expect(renewed(over.data).data.ended).toBeUndefined();
  });

  test('any run of changes gives what a plain map gives', () => {
    const uid = fc.constantFrom('a', 'b', 'c', 'd');
    const change = fc.record({ upserts: fc.array(fc.tuple(uid, fc.nat(3))), removes: fc.array(uid) });
    fc.assert(
      fc.property(fc.array(change), (all) => {
        const plain = new Map<string, number>();
        let list = apply(fresh(), snapshot(1, []));
        all.forEach(({ upserts, removes }, index) => {
          for (const gone of removes) plain.delete(gone);
          for (const [key, value] of upserts) plain.set(key, value);
          list = apply(
            list,
            changes(
              index + 2,
              upserts.map(([key, value]) => row(key, value)),
              removes,
            ),
          );
        });
        const shown = new Map([...list.data.rows.values()].map(([key, cells]) => [key, cells[0]]));
        expect(shown).toEqual(plain);
      }),
    );
  });
});
