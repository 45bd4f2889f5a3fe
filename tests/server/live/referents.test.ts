import { expect, test } from 'vitest';
import { kinds } from '../../../commands/kinds/index.ts';
import { Problem } from '../../../src/contract/problem.ts';
import type { RelatedObject } from '../../../src/registry/kinds/kind.ts';
import type { Tap, Tapped } from '../../../src/server/live/feed/audience.ts';
import type { ClusterLive } from '../../../src/server/live/cluster/cluster.ts';
import type { Entry } from '../../../src/server/live/source/projector.ts';
import { createReferents } from '../../../src/server/live/object/referents.ts';

const entryOf = (uid: string, name: string, namespace = 'shop'): Entry => ({
  uid,
  name,
  namespace,
  version: '1',
  labels: {},
  owners: [],
  refs: [],
  facts: {},
  attention: undefined,
  cells: [],
});
const configMap = (name: string, namespace = 'shop'): RelatedObject => ({
  relation: 'uses',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace,
  name,
});

/** A cluster of which only config maps are listed, as the test says. */
function scripted() {
  const taps = new Set<Tap>();
  const opened: string[] = [];
  const list = { isReady: false, whole: ['shop'], entries: [] as Entry[] };
  const asked: string[] = [];
  const tap = (listener: Tap): Tapped => {
    taps.add(listener);
    return {
      get isReady() {
        return list.isReady;
      },
      state: { status: 'live', since: '2026-01-01T00:00:00Z' },
      stateWithin: () => ({ status: 'live', since: '2026-01-01T00:00:00Z' }),
      scopes: [],
      isWhole: (namespace) => list.isReady && list.whole.includes(namespace),
      entries: () => list.entries,
      find: () => undefined,
      leave: () => taps.delete(listener),
    };
  };
  const live = {
    kind: (id: string) => kinds.find((kind) => kind.id === id),
    find: (name: string) => {
      asked.push(name);
      return Promise.reject(new Problem({ status: 404, title: 'Not served.' }));
    },
    feed: ((kind) => {
      opened.push(kind.id);
      return { tap } as ReturnType<ClusterLive['feed']>;
    }) as ClusterLive['feed'],
  };
  return { live, list, taps, opened, asked };
}

const namesOf = (refs: readonly RelatedObject[]) => refs.map(({ name }) => name);

test('nothing is missing before its list is complete, nor in a namespace that is not read', () => {
  const { live, list, taps } = scripted();
  let changes = 0;
  const referents = createReferents({ live, may: () => true, onChange: () => (changes += 1) });
  referents.follow([configMap('a'), configMap('b'), configMap('c', 'lab')]);
  expect(referents.missing).toEqual([]);
  list.isReady = true;
  list.entries = [entryOf('1', 'a'), entryOf('2', 'b', 'lab')];
  const before = changes;
  for (const tap of taps) tap.settled();
  expect(changes).toBeGreaterThan(before);
  expect(namesOf(referents.missing)).toEqual(['b']);
  list.whole = ['shop', 'lab'];
  expect(namesOf(referents.missing)).toEqual(['b', 'c']);
  referents.leave();
  expect([taps.size, referents.missing]).toEqual([0, []]);
});

test('an object that another of its name replaces exists, whichever change comes first', () => {
  const { live, list, taps } = scripted();
  list.isReady = true;
  const old = entryOf('1', 'a');
  list.entries = [old];
  const referents = createReferents({ live, may: () => true, onChange: () => {} });
  referents.follow([configMap('a')]);
  const tell = (entry: Entry | undefined, previous: Entry | undefined) => {
    for (const tap of taps) tap.changed(entry, previous);
  };
  const next = entryOf('2', 'a');
  tell(next, undefined);
  tell(undefined, old);
  expect(referents.missing).toEqual([]);
  tell(undefined, next);
  expect(namesOf(referents.missing)).toEqual(['a']);
});

test('references of a later version are looked up in the list that is followed already', () => {
  const { live, list, taps, opened } = scripted();
  list.isReady = true;
  list.entries = [entryOf('1', 'a')];
  const referents = createReferents({ live, may: () => true, onChange: () => {} });
  referents.follow([configMap('a')]);
  referents.follow([configMap('a'), configMap('b')]);
  expect([namesOf(referents.missing), opened]).toEqual([['b'], ['configmap']]);
  referents.follow([]);
  expect([taps.size, referents.missing]).toEqual([0, []]);
});

test('no list is opened of what the person may not view', () => {
  const { live, opened } = scripted();
  const referents = createReferents({ live, may: () => false, onChange: () => {} });
  referents.follow([configMap('a')]);
  expect(opened).toEqual([]);
});

test('a kind that the cluster does not serve is looked for a few times, however often the object changes', async () => {
  const { live, asked } = scripted();
  const referents = createReferents({ live, may: () => true, onChange: () => {} });
  const machine: RelatedObject = { relation: 'uses', apiVersion: 'lab.dev/v1', kind: 'Machine', name: 'one' };
  for (let version = 0; version < 20; version += 1) {
    referents.follow([machine]);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(5);
  expect(referents.missing).toEqual([]);
});
