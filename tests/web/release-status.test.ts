import { expect, test } from 'vitest';
import type { LiveObject } from '../../src/web/data/live/object.ts';
import { statusNow } from '../../src/web/features/helm/status-now.ts';

const asked = { state: 'there', status: ['Available', 'ok'] } as const;
const base: LiveObject = { complete: true, state: { status: 'live', since: '2026-01-01T00:00:00Z' } };
const seen = (status: readonly [string, string] | null): LiveObject => ({
  ...base,
  view: { object: {}, status, facts: {}, attention: [], joined: {}, missing: [], actions: [] },
});

test('an object of a release is shown as it is followed, and before that as it was asked for', () => {
  const was = { state: asked.state, status: [...asked.status] as [string, string] };
  expect(statusNow(was, undefined)).toEqual(was);
  expect(statusNow(was, { ...base, complete: false })).toEqual(was);
  expect(statusNow(was, seen(['2 of 3 ready', 'warn']))).toEqual({
    state: 'there',
    status: ['2 of 3 ready', 'warn'],
  });
  expect(statusNow(was, seen(null))).toEqual({ state: 'there', status: null });
  expect(statusNow(was, { ...seen(null), gone: { at: null } })).toEqual({ state: 'missing', status: null });
  // One that was missing is there again.
  expect(statusNow({ state: 'missing', status: null }, seen(['Available', 'ok'])).state).toBe('there');
});

test('a status that is no longer followed, or not visible to the person, replaces no newer one', () => {
  const was = { state: asked.state, status: [...asked.status] as [string, string] };
  expect(statusNow(was, { ...seen(['Failed', 'bad']), pausedAt: '2026-01-01T00:00:00Z' })).toEqual(was);
  const unknown = { state: 'unknown', status: null } as const;
  expect(statusNow(unknown, seen(['Available', 'ok']))).toEqual(unknown);
});
