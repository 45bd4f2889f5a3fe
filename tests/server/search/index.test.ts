import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import type { Kind } from '../../../src/registry/kinds/kind.ts';
import { kinds } from '../../../commands/kinds/index.ts';
import { fillingLimits } from '../../../src/server/search/filling.ts';
import { createSearchIndex, type SearchIndex, searchLimits } from '../../../src/server/search/search.ts';
import type { ClusterRow } from '../../../src/server/store/schema/clusters.ts';
import type { Budget } from '../../../src/server/kit/memory-budget.ts';
import { createFakeClock, settle } from '../live/fake-clock.ts';
import {
  collections,
  createScriptedTransport,
  listOf,
  podOf,
  refusal,
  silence,
} from '../live/script-transport.ts';

const podKind = kindById('pod') as Kind;
const pods = '/api/v1/pods';
const row = { id: 1, name: 'prod', namespaces: ['shop'] } as unknown as ClusterRow;
const open: SearchIndex[] = [];
const noDefinitions = {
  kinds: [],
  troubled: new Map(),
  isTroubledRead: true,
  young: new Set<string>(),
  isReading: false,
  isGone: () => false,
  restart: () => undefined,
  dispose: () => undefined,
};
afterEach(() => {
  for (const index of open.splice(0)) index.close();
});

function start(names: readonly string[], maxNames?: number) {
  const transport = createScriptedTransport();
  transport.onList = collections({ [pods]: names.map((name) => podOf(name, '1')) });
  const clock = createFakeClock();
  const index = createSearchIndex({
    clusters: {
      transport: () => Promise.resolve(transport),
      namespaces: () => Promise.resolve(row.namespaces),
      onChange: () => () => undefined,
      onGrants: () => () => undefined,
    },
    kinds: [podKind],
    definedKinds: () => noDefinitions,
    log: pino({ level: 'silent' }),
    clock,
    budget: { limit: Number.POSITIVE_INFINITY, held: 0 },
    ...(maxNames === undefined ? {} : { maxNames }),
  });
  open.push(index);
  return { index, transport, clock };
}

const podNames = (index: SearchIndex) => [...index.of(row).names].find(({ kind }) => kind === podKind);

describe('the index of names', () => {
  test('reads nothing before somebody searches, then metadata alone', async () => {
    const { index, transport } = start(['a', 'b']);
    expect(transport.requests).toEqual([]);
    await vi.waitFor(() => expect(podNames(index)?.size).toBe(2));
    const [list] = transport.requests.filter(({ path }) => path === pods);
    expect(list?.accept).toMatch(/as=PartialObjectMetadataList/);
    await vi.waitFor(() =>
      expect(transport.watchOf(pods).request.accept).toMatch(/as=PartialObjectMetadata;/),
    );
  });

  test('holds a name and where it is, and no part of the object', async () => {
    const { index } = start(['a']);
    await vi.waitFor(() => expect(podNames(index)?.size).toBe(1));
    const [entry] = [...(podNames(index)?.entries() ?? [])];
    expect(entry).toMatchObject({ name: 'a', namespace: 'shop', labels: {}, facts: {}, cells: [] });
  });

  test('holds no more names than it may, and says that it is full', async () => {
    const { index } = start(
      Array.from({ length: 30 }, (_, at) => `pod-${at}`),
      10,
    );
    await vi.waitFor(() => expect(podNames(index)?.isListed).toBe(true));
    expect(podNames(index)?.size).toBeLessThanOrEqual(10);
    expect(index.isFull).toBe(true);
  });

  test('gives a cluster up when nobody searched it for a while', async () => {
    const { index, transport, clock } = start(['a']);
    await vi.waitFor(() => expect(podNames(index)?.size).toBe(1));
    await vi.waitFor(() => expect(transport.watchOf(pods).isClosed).toBe(false));
    const watch = transport.watchOf(pods);
    await clock.advance(searchLimits.idle + searchLimits.sweep);
    await vi.waitFor(() => expect(watch.isClosed).toBe(true));
    expect(index.stats()).toEqual({ clusters: 0, names: 0 });
  });

  test('reads the named namespaces where the cluster as a whole is not for its credential', async () => {
    const { index, transport } = start([]);
    const answer = collections({ '/api/v1/namespaces/shop/pods': [podOf('a', '1')] });
    transport.onList = (request) => {
      if (request.path === pods) throw refusal(403);
      return answer(request);
    };
    await vi.waitFor(() => expect(podNames(index)?.size).toBe(1));
  });
});

/** Clusters whose lists are answered when the test says so. */
function startFleet(count: number, budget: Budget = { limit: Number.POSITIVE_INFINITY, held: 0 }) {
  const clock = createFakeClock();
  const waiting = new Map<number, ((answer?: Error) => void)[]>();
  const rows = Array.from({ length: count }, (_, at) => ({ ...row, id: at + 1, name: `c${at + 1}` }));
  const transports = new Map(
    rows.map(({ id }) => {
      const transport = createScriptedTransport();
      transport.onList = () =>
        new Promise((resolve, reject) => {
          const answer = (error?: Error) => (error === undefined ? resolve(listOf('1', [])) : reject(error));
          waiting.set(id, [...(waiting.get(id) ?? []), answer]);
        });
      return [id, transport] as const;
    }),
  );
  const index = createSearchIndex({
    clusters: {
      transport: async (id) => transports.get(id) ?? createScriptedTransport(),
      namespaces: async () => [],
      onChange: () => () => undefined,
      onGrants: () => () => undefined,
    },
    // Releases are read from two lists.
    kinds: kinds.filter(({ source }) => source === undefined),
    definedKinds: () => noDefinitions,
    log: pino({ level: 'silent' }),
    clock,
    budget,
  });
  open.push(index);
  const search = () => rows.map((one) => index.of(one));
  const askedOf = (id: number) => waiting.get(id)?.length ?? 0;
  return {
    clock,
    search,
    askedOf,
    asked: () => rows.reduce((sum, { id }) => sum + askedOf(id), 0),
    /** Lists that were asked for since the start. */
    lists: () =>
      [...transports.values()].flatMap(({ calls }) => calls.filter((call) => call === 'list')).length,
    async answer(id: number, error?: Error) {
      for (const answer of waiting.get(id)?.splice(0) ?? []) answer(error);
      await settle();
    },
  };
}

describe('a search in many clusters', () => {
  test('begins a few lists, of each cluster fewer, and goes on with the others as these are read', async () => {
    const fleet = startFleet(30);
    const names = fleet.search();
    await settle();
    expect(fleet.asked()).toBe(fillingLimits.ofAll);
    for (let id = 1; id <= 30; id += 1)
      expect(fleet.askedOf(id)).toBeLessThanOrEqual(fillingLimits.ofCluster);
    for (let round = 0; round < 400 && fleet.asked() > 0; round += 1) {
      for (let id = 1; id <= 30; id += 1) await fleet.answer(id);
      expect(fleet.asked()).toBeLessThanOrEqual(fillingLimits.ofAll);
    }
    expect(names.flatMap(({ unread }) => unread)).toEqual([]);
    expect(fleet.lists()).toBeGreaterThan(30 * 30);
  });

  test('further searches ask for nothing more', async () => {
    const fleet = startFleet(30);
    fleet.search();
    await settle();
    const before = fleet.lists();
    for (let key = 0; key < 20; key += 1) fleet.search();
    await settle();
    expect(fleet.lists()).toBe(before);
  });

  test('a cluster that does not answer is not asked for each of its kinds, and keeps no place of others', async () => {
    const fleet = startFleet(2);
    const [dead, good] = fleet.search();
    await settle();
    await fleet.answer(1, silence());
    const tried = fleet.askedOf(1);
    for (let round = 0; round < 60; round += 1) await fleet.answer(2);
    expect(good?.unread).toEqual([]);
    expect(tried).toBeLessThanOrEqual(fillingLimits.ofCluster);
    // Of what cannot be read nobody is told that it is still being read.
    expect(dead?.unread).toEqual([]);
    expect([...(dead?.names ?? [])].length).toBeLessThanOrEqual(fillingLimits.ofCluster);
  });

  test('a list that takes long lets others begin', async () => {
    const fleet = startFleet(1);
    fleet.search();
    await settle();
    expect(fleet.asked()).toBe(fillingLimits.ofCluster);
    await fleet.clock.advance(fillingLimits.patience);
    expect(fleet.asked()).toBe(2 * fillingLimits.ofCluster);
  });

  test('without memory nothing further is read, until a search finds some', async () => {
    const budget: Budget = { limit: 1, held: 1 };
    const fleet = startFleet(1, budget);
    const [names] = fleet.search();
    await settle();
    expect(fleet.lists()).toBe(0);
    expect(names?.unread.length).toBeGreaterThan(30);
    budget.held = 0;
    fleet.search();
    await settle();
    expect(fleet.asked()).toBe(fillingLimits.ofCluster);
  });
});
