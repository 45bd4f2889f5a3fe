import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { createAudit } from '../../../src/server/audit/audit.ts';
import { createClusterWorkEnd } from '../../../src/server/boot/cluster-work.ts';
import { deleteCluster, type EndClusterWork } from '../../../src/server/clusters/cluster-changes.ts';
import type { JobStart } from '../../../src/server/jobs/job-execution.ts';
import { OpenShells } from '../../../src/server/shells/open-shells.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { type ClusterRow, clusters } from '../../../src/server/store/schema/clusters.ts';
import { openShells } from '../../../src/server/store/schema/open-shells.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import { createFastClock } from '../live/fast-clock.ts';
import { untilWaiting } from '../until-waiting.ts';
import { patience, sharedJobServers } from './job-servers.ts';

const lab = sharedJobServers();
const log = pino({ level: 'silent' });
const vault = createVault({ current: 'test', keys: new Map([['test', randomBytes(32)]]) });

/** A cluster that a test removes. */
async function addCluster(name: string): Promise<ClusterRow> {
  const { db } = lab.store;
  const [other] = await db.select().from(clusters).where(eq(clusters.id, lab.clusterId));
  const [row] = await db
    .insert(clusters)
    .values({
      companyId: other?.companyId ?? 0,
      name,
      source: 'kubeconfig',
      server: 'https://one',
      colour: 1,
    })
    .returning();
  if (row === undefined) throw new Error('The cluster was not stored.');
  return row;
}
const remove = ({ companyId, id: clusterId }: ClusterRow, endWork: EndClusterWork) =>
  deleteCluster(lab.store, { companyId, clusterId }, endWork);

/** A job on a cluster, which says whether it was stopped. */
function watchedJob(cluster: ClusterRow, isResumable: boolean) {
  const start = lab.waitingJob(isResumable);
  let signal: AbortSignal | undefined;
  const job: JobStart = {
    ...start,
    cluster,
    prepared: {
      ...start.prepared,
      run: (handle) => {
        ({ signal } = handle);
        return start.prepared.run(handle);
      },
    },
  };
  return { job, isStopped: () => signal?.aborted === true };
}

it('the removal of a cluster ends its jobs first, whichever server runs them, each once in the audit', async () => {
  const cluster = await addCluster('leaving');
  const [movable, fixed] = [watchedJob(cluster, true), watchedJob(cluster, false)];
  const servers = [lab.server(), lab.server()] as const;
  const ids = [await servers[0].start(movable.job), await servers[1].start(fixed.job)];
  ids.push((await lab.addJob({ clusterId: cluster.id, server: '', beatAt: new Date().toISOString() })).id);
  const elsewhere = await servers[0].start(lab.waitingJob(true));
  await remove(cluster, createClusterWorkEnd(lab.store, vault));
  for (const id of ids)
    expect(await lab.endsOf(id)).toMatchObject([
      {
        status: 499,
        clusterId: cluster.id,
        finishedAt: expect.any(String),
        subject: { outcome: 'cancelled' },
      },
    ]);
  await vi.waitUntil(() => movable.isStopped() && fixed.isStopped(), patience);
  for (const one of servers) await one.close();
  for (const id of ids) expect(await lab.endsOf(id)).toHaveLength(1);
  expect(await lab.rowOf(elsewhere)).toMatchObject({ status: 'running' });
});

it('the removal of a cluster ends its open shells, and their servers tell nothing more of them', async () => {
  const cluster = await addCluster('leaving');
  const { companyId } = cluster;
  const shells = new OpenShells({ store: lab.store, vault, log, clock: createFastClock(20) });
  const audit = createAudit(lab.store, log, { failed: () => Promise.resolve() });
  const lost: number[] = [];
  const begin = async (clusterId: number): Promise<number> => {
    const by = { companyId, userId: 1, actor: 'robin@example.org', address: '192.0.2.7', requestId: 'call' };
    let entry = 0;
    await audit.begin({ ...by, action: 'pod.shell', clusterId, subject: { name: 'web' } }, async (tx, id) => {
      entry = id;
      await shells.note(tx, { entry, companyId, recordingId: null });
    });
    shells.follow(entry, () => lost.push(entry));
    return entry;
  };
  try {
    const [entry, elsewhere] = [await begin(cluster.id), await begin(lab.clusterId)];
    await remove(cluster, createClusterWorkEnd(lab.store, vault));
    const endsOf = async (of: number) =>
      (await lab.store.db.select().from(auditRows).where(eq(auditRows.entry, of))).filter(
        ({ status }) => status !== null,
      );
    const ended = [
      { status: 403, subject: { name: 'web', ending: 'Its cluster was removed from this console.' } },
    ];
    expect(await endsOf(entry)).toMatchObject(ended);
    await vi.waitUntil(() => lost.includes(entry), patience);
    await shells.end(entry, 200, {});
    expect(await endsOf(entry)).toMatchObject(ended);
    expect(await lab.store.db.select().from(openShells)).toMatchObject([{ entry: elsewhere }]);
    expect(lost).not.toContain(elsewhere);
  } finally {
    await shells.close();
    await lab.store.db.delete(openShells);
  }
});

it('a job that begins while its cluster is removed is refused: there is no such cluster', async () => {
  const cluster = await addCluster('leaving');
  let starting: Promise<unknown> = Promise.resolve();
  await remove(cluster, async () => {
    starting = lab.server().start(watchedJob(cluster, true).job);
    starting.catch(() => undefined);
    await untilWaiting(lab);
  });
  await expect(starting).rejects.toMatchObject({ status: 404, title: 'There is no such cluster.' });
});
