import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import type { AttentionLine } from '../../../src/contract/dashboard.ts';
import { TroubleWatch } from '../../../src/server/detection/trouble-watch.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import type { BoardSink } from '../../../src/server/live/dashboard/board.ts';
import type { KindStanding } from '../../../src/server/live/dashboard/kind-standing.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { incidents } from '../../../src/server/store/schema/webhooks.ts';
import { startConsole, type TestConsole } from '../harness.ts';

let console: TestConsole;

beforeAll(async () => {
  console = await startConsole();
});
afterAll(async () => {
  await console.close();
});

const line = (plural: string): AttentionLine => ({
  key: plural,
  rule: 'custom.trouble',
  tone: 'bad',
  title: 'It reports “Failed”.',
  detail: null,
  on: { kind: `crd:${plural}.example.org`, namespace: 'shop', name: plural },
  objects: [{ kind: `crd:${plural}.example.org`, namespace: 'shop', name: plural }],
  count: 1,
  since: null,
  causes: [],
  action: null,
});

it('an incident ends with its reason once its kind is gone or watched no more, and not while that is unknown', async () => {
  const { store, services } = console;
  const companyId = await console.company();
  const clusterId = await console.cluster(companyId, 'kettles');
  const owner = await console.person({ companyId, isOwner: true });
  // Somebody wants to hear of the cluster.
  await owner.client.call('follow', { params: { clusterId }, body: {} });
  const [cluster] = await store.db.select().from(clusters).where(eq(clusters.id, clusterId));
  if (cluster === undefined) throw new Error('The cluster has no row.');
  const standings = new Map<string, KindStanding>();
  const plurals = ['pots', 'cups', 'pans', 'jugs'];
  let badLines = plurals.map(line);
  let sink: BoardSink | undefined;
  let asked = 0;
  const told: { readonly type: string; readonly title: string; readonly state: string | undefined }[] = [];
  let now = Date.now();
  const watch = new TroubleWatch({
    cluster,
    live: {
      kind: kindById,
      customKinds: { choice: { watched: [], left: [] } } as never,
      board: {
        join: (_sight, own) => {
          sink = own;
          return {
            body: undefined,
            lines: undefined,
            get badLines() {
              return badLines;
            },
            state: { status: 'live', since: '' },
            retry: () => undefined,
            standingOf: (kind) => {
              asked += 1;
              return standings.get(kind) ?? 'unknown';
            },
            leave: () => undefined,
          };
        },
      },
    },
    store,
    happenings: {
      record: async ({ type, data: { title, state } }, isFirst) => {
        const isNew = await store.db.transaction(async (tx) => (await isFirst?.(tx)) ?? true);
        if (isNew) told.push({ type, title, state });
      },
    },
    clock: { ...systemClock, now: () => (now += 6_000) },
    log: services.log,
  });
  const end = new AbortController();
  const running = watch.run(end.signal);
  const open = async () => {
    sink?.dashboard();
    const rows = await store.db.select().from(incidents).where(eq(incidents.clusterId, clusterId));
    return rows.length;
  };
  const often = { interval: 200, timeout: 20_000 };
  await expect.poll(open, often).toBe(plurals.length);
  badLines = [];
  told.length = 0;
  asked = 0;
  // Where nothing is known of its kind, as after a restart, an incident goes on.
  await expect.poll(async () => (await open()) && asked, often).toBeGreaterThan(3 * plurals.length);
  expect(told).toEqual([]);
  standings.set('crd:pots.example.org', 'current');
  standings.set('crd:cups.example.org', 'gone');
  standings.set('crd:pans.example.org', 'unwatched');
  await expect.poll(open, often).toBe(1);
  end.abort();
  await running;
  expect(told.toSorted((a, b) => (a.title < b.title ? -1 : 1))).toEqual([
    {
      type: 'workload.recovered',
      title: 'shop/cups is gone: the cluster no longer has its kind',
      state: 'Gone',
    },
    {
      type: 'workload.trouble',
      title: 'shop/pans is no longer watched: this console has not been able to read its kind for an hour',
      state: 'No longer watched',
    },
    { type: 'workload.recovered', title: 'shop/pots has recovered', state: 'Recovered' },
  ]);
});
