import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import type { WebhookEvent } from '../../../src/contract/webhooks.ts';
import type { AnyKind, Kind } from '../../../src/registry/kinds/kind.ts';
import type { Milestone } from '../../../src/registry/kinds/milestone.ts';
import { MilestoneWatch } from '../../../src/server/detection/milestone-watch.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import type { Feed } from '../../../src/server/live/feed/feed.ts';
import type { Entry } from '../../../src/server/live/source/projector.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { webhooks } from '../../../src/server/store/schema/webhooks.ts';
import { startConsole, type TestConsole } from '../harness.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

function kindOf(id: string): Kind {
  const kind = kindById(id);
  if (kind === undefined) throw new Error(`No kind ${id}.`);
  return kind;
}

const done = (revision: number): Milestone => ({
  event: 'rollout.done',
  mark: `${revision} done`,
  state: 'Rollout done',
});
const failed = (revision: number): Milestone => ({
  event: 'rollout.failed',
  mark: `${revision} failed`,
  state: 'Rollout failed',
});
const released = (revision: number, status = 'deployed'): Milestone => ({
  event: 'helm.changed',
  mark: `${revision} ${status}`,
  state: `Revision ${revision} ${status}`,
});

/** A cluster whose lists a test writes, watched by as many servers as it wants. */
async function watched(events: readonly WebhookEvent[]) {
  const { store, services } = console;
  const companyId = await console.company();
  const clusterId = await console.cluster(companyId, 'quiet');
  const owner = await console.person({ companyId, isOwner: true });
  await store.db.insert(webhooks).values({
    id: crypto.randomUUID(),
    companyId,
    userId: owner.id,
    clusterId,
    url: Buffer.from(''),
    origin: 'https://hooks.test',
    format: 'standard',
    events: [...events],
    secret: Buffer.from(''),
  });
  const [cluster] = await store.db.select().from(clusters).where(eq(clusters.id, clusterId));
  if (cluster === undefined) throw new Error('No cluster.');
  const lists = new Map<string, Map<string, Entry>>();
  const told: string[] = [];
  const opened = new Set<string>();
  let status = 'live';
  let isReleaseGone = true;
  let now = Date.now();
  const list = (kind: AnyKind) => {
    const entries = lists.get(kind.id) ?? new Map<string, Entry>();
    lists.set(kind.id, entries);
    return entries;
  };
  const feed = (kind: AnyKind) => {
    opened.add(kind.id);
    const tapped = {
      isReady: true,
      stateWithin: () => ({ status }),
      entries: () => list(kind).values(),
      find: (uid: string) => list(kind).get(uid),
      leave: () => opened.delete(kind.id),
    };
    return { tap: () => tapped } as unknown as Feed;
  };
  const server = (credentialExpiresAt: string | null = null) =>
    new MilestoneWatch({
      cluster: { ...cluster, credentialExpiresAt },
      live: { feed, kind: kindById, kinds: ['deployment', 'release', 'secret'].map(kindOf) },
      store,
      happenings: {
        record: async (happening, isFirst) => {
          const isTold = await store.db.transaction(async (tx) => (await isFirst?.(tx)) ?? true);
          if (isTold) told.push(`${happening.type} ${happening.data.title} for ${happening.permission}`);
        },
      },
      isReleaseGone: async () => await Promise.resolve(isReleaseGone),
      clock: { ...systemClock, now: () => now },
      log: services.log,
    });
  return {
    store,
    clusterId,
    server,
    opened,
    /** Puts an object with what it comes to into a list; `old` was there before anybody looked. */
    put(
      kindId: string,
      name: string,
      milestones: readonly Milestone[] | undefined,
      age: 'old' | 'new' = 'old',
    ) {
      const kind = kindOf(kindId);
      const at = age === 'old' ? now / 1000 - 3_600 : now / 1000 + 5;
      const cells = kind.columns.map(({ format }) => (format === 'age' ? at : null));
      list(kind).set(name, { uid: name, name, namespace: 'shop', milestones, cells } as unknown as Entry);
    },
    remove: (kindId: string, name: string) => list(kindOf(kindId)).delete(name),
    set status(value: string) {
      status = value;
    },
    set isReleaseGone(value: boolean) {
      isReleaseGone = value;
    },
    /** Lets time pass, seconds. */
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    /** What was told since it was asked last. */
    told: () => told.splice(0),
  };
}

const web = (event: string, state: string) => `${event} shop/web: ${state} for deployments.view`;

describe('what the objects of a cluster come to', () => {
  it('is told once, from when somebody wants to hear of it, by whichever server looks', async () => {
    const cluster = await watched(['rollout.done', 'rollout.failed']);
    const [first, second] = [cluster.server(), cluster.server()];
    cluster.put('deployment', 'web', [done(1)]);
    cluster.put('deployment', 'rolling', []);
    cluster.put('deployment', 'broken', undefined);
    await first.look();
    await second.look();
    expect(cluster.told()).toEqual([]);
    // One that is on its way already ends it for those who want to hear of it.
    cluster.put('deployment', 'rolling', [done(1)]);
    cluster.put('deployment', 'broken', [done(1)]);
    await first.look();
    expect(cluster.told()).toEqual([web('rollout.done', 'Rollout done').replace('web', 'rolling')]);
    expect([...cluster.opened]).toEqual(['deployment']);

    const steps: readonly (readonly [
      what: string,
      milestones: readonly Milestone[],
      told: readonly string[],
    ])[] = [
      ['on its way', [], []],
      ['loses a pod and has it again', [done(1)], []],
      ['fails', [failed(2)], [web('rollout.failed', 'Rollout failed')]],
      ['still fails', [failed(2)], []],
      ['goes on after all', [done(2)], [web('rollout.done', 'Rollout done')]],
      ['rolls out again', [done(3)], [web('rollout.done', 'Rollout done')]],
    ];
    for (const [what, milestones, expected] of steps) {
      cluster.put('deployment', 'web', milestones);
      await Promise.all([first.look(), second.look()]);
      expect([what, cluster.told()]).toEqual([what, expected]);
    }
  });

  it('is caught up with by a server that takes over, and lists that are not current tell nothing', async () => {
    const cluster = await watched(['rollout.done', 'rollout.failed']);
    cluster.put('deployment', 'web', [done(1)]);
    await cluster.server().look();
    // Nobody looks meanwhile.
    cluster.put('deployment', 'web', [done(2)]);
    cluster.put('deployment', 'fresh', [done(1)], 'new');
    cluster.put('deployment', 'unseen', [done(1)]);
    const next = cluster.server();
    for (const status of ['stale', 'reconnecting', 'silent', 'connecting', 'forbidden']) {
      cluster.status = status;
      await next.look();
      expect([status, cluster.told()]).toEqual([status, []]);
    }
    cluster.status = 'live';
    await next.look();
    // What was there before and was not seen, as in a namespace that the console was not to read, is not news.
    expect(cluster.told()).toEqual([
      web('rollout.done', 'Rollout done'),
      web('rollout.done', 'Rollout done').replace('web', 'fresh'),
    ]);
  });

  it('fails when its time is over, without a change of the object', async () => {
    const cluster = await watched(['rollout.failed']);
    const server = cluster.server();
    await server.look();
    cluster.put('deployment', 'web', [{ ...failed(1), from: Date.now() / 1000 + 600 }], 'new');
    await server.look();
    expect(cluster.told()).toEqual([]);
    cluster.pass(601);
    await server.look();
    expect(cluster.told()).toEqual([web('rollout.failed', 'Rollout failed')]);
  });

  it('is also that a release is gone, if the cluster says so', async () => {
    const cluster = await watched(['helm.changed']);
    const server = cluster.server();
    const shop = (state: string) => `helm.changed shop/chart: ${state} for namespaces.view`;
    cluster.put('release', 'chart', [released(1)]);
    await server.look();
    cluster.put('release', 'chart', [released(2, 'failed')]);
    await server.look();
    expect(cluster.told()).toEqual([shop('Revision 2 failed')]);
    cluster.remove('release', 'chart');
    // The console may not read its namespace any more.
    cluster.isReleaseGone = false;
    await server.look();
    expect(cluster.told()).toEqual([]);
    cluster.isReleaseGone = true;
    await Promise.all([server.look(), cluster.server().look()]);
    expect(cluster.told()).toEqual([shop('Uninstalled')]);
    cluster.put('release', 'chart', [released(1)], 'new');
    await server.look();
    expect(cluster.told()).toEqual([shop('Revision 1 deployed')]);
  });

  it('is that the console’s own credential ends, and that it was renewed', async () => {
    const cluster = await watched(['certificate.ending', 'certificate.renewed']);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const before = cluster.server(inDays(15));
    await before.look();
    cluster.pass(86_400 + 60);
    await before.look();
    const [ending] = cluster.told();
    expect(ending).toMatch(
      /^certificate\.ending quiet: The credential of this cluster ends on 20.* UTC for $/,
    );
    await before.look();
    expect(cluster.told()).toEqual([]);
    // A changed cluster is looked at anew.
    await cluster.server(inDays(300)).look();
    expect(cluster.told()).toEqual([
      'certificate.renewed quiet: The credential of this cluster was renewed for ',
    ]);
  });

  it('begins anew for whoever wants to hear of it later', async () => {
    const cluster = await watched(['rollout.done']);
    cluster.put('deployment', 'web', [done(1)]);
    await cluster.server().look();
    cluster.put('deployment', 'web', [done(2)]);
    await cluster.store.db
      .update(webhooks)
      .set({ createdAt: sql`now()` })
      .where(eq(webhooks.clusterId, cluster.clusterId));
    await cluster.server().look();
    expect(cluster.told()).toEqual([]);
  });
});
