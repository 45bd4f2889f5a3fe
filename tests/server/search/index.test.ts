import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import type { Kind } from '../../../src/registry/kinds/kind.ts';
import { createSearchIndex, type SearchIndex, searchLimits } from '../../../src/server/search/search.ts';
import type { ClusterRow } from '../../../src/server/store/schema/clusters.ts';
import { createFakeClock } from '../live/fake-clock.ts';
import { collections, createScriptedTransport, podOf, refusal } from '../live/script-transport.ts';

const podKind = kindById('pod') as Kind;
const pods = '/api/v1/pods';
const row = { id: 1, name: 'prod', namespaces: ['shop'] } as unknown as ClusterRow;
const open: SearchIndex[] = [];
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
    definedKinds: () => ({
      kinds: [],
      troubled: new Map(),
      isTroubledRead: true,
      young: new Set(),
      isReading: false,
      isGone: () => false,
      restart: () => undefined,
      dispose: () => undefined,
    }),
    log: pino({ level: 'silent' }),
    clock,
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
