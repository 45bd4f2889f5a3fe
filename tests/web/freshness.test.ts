import { describe, expect, test } from 'vitest';
import type { ListState, Row } from '../../src/contract/live.ts';
import {
  agesAt,
  clock,
  clusterTime,
  duration,
  freshnessOf,
  lowerFirst,
} from '../../src/web/data/live/freshness.ts';
import type { LiveList } from '../../src/web/data/live/rows.ts';
import { RowStore } from '../../src/web/data/rows/store.ts';

const now = Date.parse('2026-11-21T14:02:11Z');
const open = {
  phase: 'open',
  attempt: 0,
  heardAt: now - 200,
  skew: 0,
  clusters: { 1: now - 3_400 },
} as const;
const rowsOf = (...rows: readonly Row[]) => {
  const store = new RowStore();
  store.apply({ rows: new Map(rows.map((row) => [row[0], row])), isWhole: true });
  return store.rows;
};
const list = (state: Partial<ListState> = {}, more: Partial<LiveList> = {}): LiveList => ({
  rows: rowsOf(['a', []]),
  complete: true,
  state: { status: 'live', since: new Date(now - 60_000).toISOString(), ...state },
  ...more,
});
const textOf = (of: LiveList | undefined, connection: Parameters<typeof freshnessOf>[1] = open) => {
  const { text, figure } = freshnessOf(of, connection, { title: 'Pods', clusterId: 1, now });
  return figure === undefined ? text : `${text} ${figure}`;
};

describe('the freshness line', () => {
  test('a live list says when its cluster was last heard of, not when the console was', () => {
    expect(textOf(list())).toBe('Live 3 s ago');
    expect(textOf(list(), { ...open, heardAt: now })).toBe('Live 3 s ago');
    expect(textOf(list(), { ...open, clusters: { 2: now } })).toBe('Live');
  });

  test('a live list says that the clocks of cluster and console differ by more than half a minute', () => {
    const why = (ahead: number) =>
      freshnessOf(list(), { ...open, ahead: { 1: ahead } }, { title: 'Pods', clusterId: 1, now }).why;
    expect(why(600_000)).toBe('The cluster’s clock is 10m ahead of the console’s: ages go by the cluster’s.');
    expect(why(-45_000)).toBe('The cluster’s clock is 45s behind the console’s: ages go by the cluster’s.');
    expect(why(30_000)).toBeUndefined();
    expect(why(0)).toBeUndefined();
  });

  test('a cluster that does not answer is silent since its last word, and says why', () => {
    const since = new Date(now - 9_000).toISOString();
    const silent = list({ status: 'silent', since, message: 'prod is unreachable.' });
    expect(freshnessOf(silent, open, { title: 'Pods', clusterId: 1, now })).toEqual({
      look: 'stale',
      text: `Unreachable since ${clock(now - 9_000)}`,
      why: 'prod is unreachable.',
    });
  });

  test('a list that cannot be watched says that it is read, and how long ago', () => {
    const since = new Date(now - 12_000).toISOString();
    expect(textOf(list({ status: 'polled', since }))).toBe('Read every 30 s 12 s ago');
  });

  test('the announced text does not change with each retry', () => {
    const since = new Date(now - 42_000).toISOString();
    const texts = [1, 2, 3].map((attempt) =>
      freshnessOf(list({ status: 'stale', since, attempt }), open, { title: 'Pods', clusterId: 1, now }),
    );
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
    expect(texts.map(({ figure }) => figure)).toEqual(['try 1', 'try 2', 'try 3']);
  });

  test('before the first rows it counts the seconds', () => {
    const waiting = list(
      { status: 'loading', since: new Date(now - 1_200).toISOString() },
      { complete: false, rows: rowsOf() },
    );
    expect(textOf(waiting)).toBe('Loading pods 1.2 s');
    expect(textOf(undefined)).toBe('Loading pods 0.0 s');
    const why = 'This console has no memory left for the pods of prod.';
    const refused = list({ ...waiting.state, message: why }, { complete: false, rows: rowsOf() });
    expect(freshnessOf(refused, open, { title: 'Pods', clusterId: 1, now })).toMatchObject({
      text: 'Waiting to load pods',
      why,
    });
  });

  test('a list that is being read says how many rows came, and is read out once', () => {
    const rows = rowsOf(...Array.from({ length: 1_500 }, (_, at): Row => [`uid-${at}`, []]));
    const reading = list({ status: 'loading' }, { complete: false, rows });
    expect(textOf(reading)).toBe('Reading, 1,500 so far');
    const text = (of: LiveList) => freshnessOf(of, open, { title: 'Pods', clusterId: 1, now }).text;
    expect(text(reading)).toBe(text(list({ status: 'loading' }, { complete: false })));
  });

  test('a list whose reading broke off says that its rows are not all, and why', () => {
    const broken = list({ status: 'unreachable', message: 'prod is unreachable.' }, { complete: false });
    expect(freshnessOf(broken, open, { title: 'Pods', clusterId: 1, now })).toEqual({
      look: 'failed',
      text: 'Not complete,',
      figure: '1 read',
      why: 'Reading the pods was interrupted, so the list is incomplete. prod is unreachable.',
    });
  });

  test('a complete list that the server reads anew does not say that it is live', () => {
    expect(textOf(list({ status: 'loading' }))).toBe('Reading again');
  });

  test('a list that was just read is not read again before it is live', () => {
    expect(textOf(list({ status: 'loading' }, { isSettling: true }))).toBe('Reading, 1 so far');
  });

  test('a broken watch is first reconnecting, then stale with time and tries', () => {
    expect(textOf(list({ status: 'reconnecting' }))).toBe('Reconnecting');
    const since = new Date(now - 42_000).toISOString();
    expect(textOf(list({ status: 'stale', since, attempt: 3 }))).toBe(
      `Stale since ${clock(now - 42_000)}, reconnecting try 3`,
    );
  });

  test('a broken connection of the page itself reads the same', () => {
    expect(textOf(list(), { ...open, phase: 'lost', attempt: 1, heardAt: now - 2_000 })).toBe('Reconnecting');
    expect(textOf(list(), { ...open, phase: 'lost', attempt: 4, heardAt: now - 30_000 })).toBe(
      `Stale since ${clock(now - 30_000)}, reconnecting try 4`,
    );
  });

  test('data of a hidden view says its age', () => {
    const pausedAt = new Date(now - 90_000).toISOString();
    expect(textOf(list({}, { pausedAt }))).toBe(`As of ${clock(now - 90_000)}, refreshing`);
    const yesterday = new Date(now - 20 * 3_600_000);
    const day = yesterday.toDateString() === new Date(now).toDateString() ? '' : 'yesterday, ';
    expect(textOf(list({}, { pausedAt: yesterday.toISOString() }))).toBe(
      `As of ${day}${clock(yesterday.getTime())}, refreshing`,
    );
  });

  test.each([
    [list({ status: 'forbidden' }), 'No access'],
    [list({ status: 'unreachable' }), 'Unreachable'],
    [list({ status: 'absent' }), 'Not served by this cluster'],
    [list({}, { ended: { status: 403, title: '' } }), 'No access'],
    [list({}, { ended: { status: 404, title: '' } }), 'No data'],
  ])('a list that cannot be had says so (%#)', (of, text) => expect(textOf(of)).toBe(text));
});

test('ages stop where the data did', () => {
  expect(agesAt(list(), open, now)).toBe(now);
  expect(agesAt(list(), { ...open, phase: 'lost', heardAt: now - 9_000 }, now)).toBe(now - 9_000);
  expect(agesAt(list({ status: 'stale', since: new Date(now - 5_000).toISOString() }), open, now)).toBe(
    now - 5_000,
  );
  expect(agesAt(list({ status: 'silent', since: new Date(now - 5_000).toISOString() }), open, now)).toBe(
    now - 5_000,
  );
  expect(agesAt(list({}, { pausedAt: new Date(now - 7_000).toISOString() }), open, now)).toBe(now - 7_000);
});

test('spans read shortly, titles keep their abbreviations', () => {
  expect([0, 200, 9_940, 14_000, 180_000].map(duration)).toEqual([
    '0.0 s',
    '0.2 s',
    '9.9 s',
    '14 s',
    '3 min',
  ]);
  expect(lowerFirst('Pods')).toBe('pods');
  expect(lowerFirst('HPAs')).toBe('HPAs');
  expect(lowerFirst('Helm releases')).toBe('Helm releases');
});

test('what a cluster judges by its own clock is counted by that, and by the server’s where they agree', () => {
  const connection = { skew: -1_000, ahead: { 3: 7_200_000 } };
  expect([3, '3', 4, undefined].map((id) => clusterTime(connection, id, 10_000) - 10_000)).toEqual([
    7_199_000, 7_199_000, -1_000, -1_000,
  ]);
});
