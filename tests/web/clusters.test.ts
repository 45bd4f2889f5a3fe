import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../src/contract/clusters.ts';
import { clusterHealth, expiryOf } from '../../src/web/data/cluster-health.ts';
import { batchMessage, withAdded } from '../../src/web/screens/Clusters/batch.ts';
import { readAppearance, storeAppearance } from '../../src/web/core/state/appearance.ts';
import { readRecents, withRecent } from '../../src/web/core/state/recents.ts';
import { viewKey } from '../../src/web/workspace/place.ts';

const cluster = (name: string, status: Cluster['state']['status']): Cluster => ({
  id: 1,
  name,
  description: '',
  source: 'kubeconfig',
  server: '',
  colour: 1,
  isProtected: false,
  isReadOnly: false,
  isShellAllowed: false,
  isShellRecorded: false,
  credentialExpiresAt: null,
  state: { status },
});

test('a cluster that was added and read meanwhile stands in the list once, as it was read', () => {
  const [first, second, third] = [1, 2, 3].map((id) => ({ ...cluster(`c${id}`, 'unknown'), id }));
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('Three are needed.');
  const read: Cluster = { ...second, state: { status: 'reachable' } };
  expect(withAdded([first, read], [second, third])).toEqual([first, read, third]);
});

describe('adding several clusters says', () => {
  test('that all were added', () => {
    expect(batchMessage({ added: 3, asked: 3, errors: [] })).toEqual({
      isSuccess: true,
      text: 'Successfully added 3 clusters',
    });
  });
  test('how many of how many', () => {
    expect(batchMessage({ added: 2, asked: 3, errors: ['c: no.'] })).toEqual({
      isSuccess: true,
      text: 'Successfully added 2 out of 3 clusters',
    });
  });
  test('every error on a line of its own when none was', () => {
    expect(batchMessage({ added: 0, asked: 2, errors: ['a: no.', 'b: no.'] })).toEqual({
      isSuccess: false,
      text: 'a: no.\nb: no.',
    });
  });
});

test('the health of a cluster that answers is its version', () => {
  expect(clusterHealth({ state: { status: 'reachable', version: 'v1.36.2' } }).text).toBe('v1.36.2');
});

test.each([
  ['2026-01-01T00:00:00Z', { tone: 'bad', text: 'Expired' }],
  ['2026-02-01T12:30:00Z', { tone: 'warn', text: '12 h' }],
  ['2026-02-11T00:00:00Z', { tone: 'warn', text: '10 days' }],
  ['2027-02-01T00:00:00Z', { tone: 'ok', text: '365 days' }],
  ['nonsense', undefined],
  [null, undefined],
])('a credential that ends at %s', (end, words) => {
  expect(expiryOf(end, Date.parse('2026-02-01T00:00:00Z'))).toEqual(words);
});

test('recent places are few, each once, and junk is dropped', () => {
  let places = readRecents(null);
  for (let number = 0; number < 20; number += 1)
    places = withRecent(places, { href: `/p${number}`, at: number }, viewKey);
  places = withRecent(places, { href: '/p19?q=x', at: 99 }, viewKey);
  expect(places).toHaveLength(12);
  expect(places.slice(0, 2).map((place) => place.href)).toEqual(['/p19?q=x', '/p18']);
  expect(
    readRecents(JSON.stringify([{ href: '//evil', at: 1 }, { href: '/a' }, null, { href: '/b', at: 2 }])),
  ).toEqual([{ href: '/b', at: 2 }]);
  expect(readRecents('{')).toEqual([]);
});

test('the stored appearance is read back, and anything else is the default', () => {
  const dark = { theme: 'dark', isSidebarOpen: undefined } as const;
  expect(readAppearance(storeAppearance(dark))).toEqual(dark);
  for (const junk of [null, '', '{', '{"version":9,"theme":"dark"}', '{"version":1,"theme":"pink"}']) {
    expect(readAppearance(junk)).toEqual({ theme: 'system', isSidebarOpen: undefined });
  }
});
