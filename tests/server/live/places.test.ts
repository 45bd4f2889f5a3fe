import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { servedKind } from '../../../commands/kinds/custom.ts';
import { kinds } from '../../../commands/kinds/index.ts';
import type { AnyKind } from '../../../src/registry/kinds/kind.ts';
import type { ClusterLive } from '../../../src/server/live/cluster/cluster.ts';
import { maxCustomKinds } from '../../../src/server/live/definitions/custom-kinds.ts';
import { NoPlace } from '../../../src/server/live/source/no-place.ts';
import { OpenFeeds, reflectorsPerCluster } from '../../../src/server/live/cluster/open-feeds.ts';
import { createPulse } from '../../../src/server/live/source/pulse.ts';
import type { ClusterRow } from '../../../src/server/store/schema/clusters.ts';
import { createFakeClock } from './fake-clock.ts';
import { createScriptedTransport, listOf, podOf } from './script-transport.ts';

const disposals: (() => void)[] = [];
afterEach(() => {
  for (const dispose of disposals.splice(0)) dispose();
});

function kindOf(index: number): AnyKind {
  const names = { group: 'example.org', version: 'v1', plural: `things${index}`, kind: `Thing${index}` };
  const kind = servedKind({ ...names, scope: 'Namespaced' }, [], true);
  if (kind === undefined) throw new Error(`${index} is no kind.`);
  return kind;
}

/** The kind as its definition tells it, which a person opens. */
const openedBy = (index: number): AnyKind => ({ ...kindOf(index), fingerprint: `defined ${index}` });

/** A cluster whose lists have an object each, but those that are named. */
function world(isEmpty: (path: string) => boolean = () => false) {
  const clock = createFakeClock();
  const transport = createScriptedTransport();
  transport.onList = ({ path }) => (isEmpty(path) ? listOf('1') : listOf('1', [podOf(path, '1')]));
  const feeds = new OpenFeeds({
    clusters: { transport: () => Promise.resolve(transport), namespaces: () => Promise.resolve([]) },
    declared: new Map(kinds.map((kind) => [kind.id, kind])),
    clock,
    log: pino({ level: 'silent' }),
    budget: { limit: 1e9, held: 0 },
    onEnded: () => undefined,
  });
  const pulse = createPulse({ name: () => 'prod', transport: () => Promise.resolve(transport), clock });
  const cluster = {
    row: { id: 1, name: 'prod', namespaces: [] } as unknown as ClusterRow,
    live: { pulse, customKinds: { expect: () => undefined } } as unknown as ClusterLive,
  };
  disposals.push(() => {
    for (const feed of feeds.all()) feed.dispose();
    pulse.dispose();
  });
  const ended: string[] = [];
  const ahead = (index: number) => {
    const feed = feeds.openAhead(cluster, kindOf(index));
    feed.tap({ changed: () => {}, settled: () => {}, ended: () => ended.push(feed.kind.kind) });
  };
  const open = (index: number) =>
    feeds.open(cluster, openedBy(index)).tap({ changed: () => {}, settled: () => {} });
  return { clock, feeds, cluster, ended, ahead, open };
}

const placesOfPeople = reflectorsPerCluster - kinds.length;
const sum = ({ feeds }: ReturnType<typeof world>) =>
  feeds.ofCluster(1).reduce((all, { stats }) => all + stats.reflectors, 0);

test('what a person opens goes before what is watched ahead, the least looked at first', async () => {
  const one = world((path) => path.endsWith('/things3'));
  // Somebody had the list of the last kind open a while ago.
  one.open(maxCustomKinds - 1).leave();
  for (let index = 0; index < maxCustomKinds; index += 1) one.ahead(index);
  await one.clock.advance(100);
  for (let index = 1_000; sum(one) < placesOfPeople - 1; index += 1) one.open(index);
  expect(one.ended).toEqual([]);
  one.open(2_000);
  // Now it is full: first goes the list that was left, then one without objects, then one that nobody ever looked at.
  one.open(2_001);
  expect(one.ended).toEqual([]);
  one.open(2_002);
  expect(one.ended).toEqual(['Thing3']);
  one.open(2_003);
  expect(one.ended).toEqual(['Thing3', `Thing${maxCustomKinds - 2}`]);
  expect(sum(one)).toBe(placesOfPeople);
  // It is not watched again before there is a place.
  expect(() => one.ahead(3)).toThrow(NoPlace);
});

test('a list that was left gives its place to the next at once', () => {
  const one = world();
  const first = one.open(0);
  for (let index = 1; index < placesOfPeople; index += 1) one.open(index);
  expect(() => one.open(placesOfPeople)).toThrow(NoPlace);
  first.leave();
  one.open(placesOfPeople);
  expect(sum(one)).toBe(placesOfPeople);
  expect(one.feeds.get(1, openedBy(0))).toBeUndefined();
});

test('custom kinds leave a place for each kind with a file', () => {
  const one = world();
  for (let index = 0; index < placesOfPeople; index += 1) one.open(index);
  const lists = kinds.filter(({ source }) => source === undefined);
  for (const kind of lists) one.feeds.open(one.cluster, kind);
  expect(sum(one)).toBe(placesOfPeople + lists.length);
});
