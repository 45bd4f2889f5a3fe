import { eq, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../src/contract/jobs.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { interruptAbandoned } from '../../../src/server/jobs/job-end.ts';
import { takeOverJobs } from '../../../src/server/jobs/job-rows.ts';
import type { PreparedJob } from '../../../src/server/jobs/job.ts';
import { StoredJobs } from '../../../src/server/jobs/jobs.ts';
import type { Resumption } from '../../../src/server/jobs/resumption.ts';
import type { Clock } from '../../../src/server/kit/clock.ts';
import { jobs } from '../../../src/server/store/schema/jobs.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { pods } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';
import { createFastClock } from '../live/fast-clock.ts';
import { noteSteadySigns } from '../steady-signs.ts';
import { patience, sharedDrainSite } from './drain-site.ts';

const site = sharedDrainSite();
const { ended, jobOf, personOf, pod } = site;

/** Another server of the same database. */
function otherServer(clock?: Clock): StoredJobs {
  const { store, services } = site.lab.console;
  const { grants, rights, log } = services;
  return new StoredJobs({ store, grants, rights, log, ...(clock === undefined ? {} : { clock }) });
}

/** Begins a job on the test's node that runs until it is stopped. */
async function startWaiting(
  at: StoredJobs,
  { onStop = () => undefined, ...more }: Partial<PreparedJob> & { readonly onStop?: () => void } = {},
): Promise<number> {
  const person = await personOf(site.admin);
  return await at.start({
    cluster: await site.lab.console.services.grants.cluster(person, site.lab.clusterId),
    person,
    action: 'node.drain',
    ref: { kind: 'node', name: site.node },
    prepared: {
      title: 'Wait',
      namespaces: null,
      needs: [],
      afterCancel: '',
      run: async ({ signal }) =>
        await new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            onStop();
            reject(new Error('stopped'));
          });
        }),
      ...more,
    },
    address: '127.0.0.1',
    requestId: 'test',
  });
}

describe('a job whose server ends, or is taken for dead,', () => {
  it('says of itself that it was interrupted', async () => {
    const other = otherServer();
    const id = await startWaiting(other);
    expect(await jobOf(id)).toMatchObject({ status: 'running' });
    await other.close();
    expect(await jobOf(id)).toMatchObject({ status: 'interrupted', finishedAt: expect.any(String) });
  });

  it('ends when it is cancelled elsewhere and the notice of that is lost', async () => {
    const other = otherServer(createFastClock(20));
    const id = await startWaiting(other, { afterCancel: 'Nothing was done.' });
    await site.lab.console.store.db.update(jobs).set({ cancelledBy: 'Robin' }).where(eq(jobs.id, id));
    expect(await ended(id)).toMatchObject({ status: 'cancelled' });
    await other.close();
  });

  it('is marked as interrupted where it was left behind', async () => {
    const { companyId } = await personOf(site.admin);
    const [row] = await site.lab.console.store.db
      .insert(jobs)
      .values({
        companyId,
        clusterId: site.lab.clusterId,
        actor: 'Robin',
        action: 'node.drain',
        kind: 'node',
        namespace: '',
        name: site.node,
        title: 'Drain',
        message: '',
        server: 'gone',
        beatAt: sql`now() - interval '5 minutes'`,
      })
      .returning();
    await noteSteadySigns(site.lab.console.store.db);
    const other = otherServer();
    expect(await ended(row?.id)).toMatchObject({
      status: 'interrupted',
      message: expect.stringContaining('stopped before the job was done'),
    });
    await other.close();
  });

  it('stops without a word where another server goes on with it', async () => {
    const { db } = site.lab.console.store;
    const frozen = otherServer(createFastClock(20));
    let isStopped = false;
    const id = await startWaiting(frozen, {
      again: { args: {}, uid: '' },
      onStop: () => {
        isStopped = true;
      },
    });
    await db.update(jobs).set({ server: 'another' }).where(eq(jobs.id, id));
    await vi.waitUntil(() => isStopped, patience);
    await frozen.close();
    const [row] = await db.select().from(jobs).where(eq(jobs.id, id));
    expect(row).toMatchObject({ server: 'another', status: 'running', message: 'It is starting.' });
    await db.delete(jobs).where(eq(jobs.id, id));
  });
});

describe('a drain whose server ended', () => {
  /** The row of a drain that another server began, evicted one pod of, and released. */
  async function leave(
    person: TestPerson,
    more: Partial<typeof jobs.$inferInsert> = {},
    of: Partial<Resumption> = {},
  ): Promise<number | undefined> {
    const { store } = site.lab.console;
    const { companyId } = await personOf(person);
    const about = await site.lab.seen(`/api/v1/nodes/${site.node}`);
    const resumption: Resumption = {
      args: { data: 'stop', unmanaged: 'stop', limit: 10 },
      uid: about?.metadata?.uid ?? '',
      needs: [{ need: 'resources.manage', place: 'cluster' }],
      afterCancel: 'The node stays cordoned.',
      cluster: { name: site.lab.name, isImpersonating: false },
      tokenId: null,
      actor: person.email,
      address: '127.0.0.1',
      requestId: 'test',
      ...of,
    };
    const [row] = await store.db
      .insert(jobs)
      .values({
        companyId,
        clusterId: site.lab.clusterId,
        userId: person.id,
        actor: 'Robin Example',
        action: 'node.drain',
        kind: 'node',
        namespace: '',
        name: site.node,
        title: 'Drain',
        message: 'Its server stopped.',
        steps: [
          { name: 'Cordon the node', status: 'done', message: null },
          { name: `shop/${site.node}-first`, status: 'done', message: 'gone' },
          { name: `shop/${site.node}-web`, status: 'waiting', message: null },
        ],
        server: '',
        resumption,
        ...more,
      })
      .returning();
    await store.channel.notify('jobs', { clusterId: site.lab.clusterId, jobId: row?.id ?? 0, isFree: true });
    return row?.id;
  }

  it('goes on on another: what is gone counts, and it says that it moved', async () => {
    await pod('web');
    await site.lab.merge(`/api/v1/nodes/${site.node}`, { spec: { unschedulable: true } });
    const job = await ended(await leave(site.admin));
    expect(job).toMatchObject({
      status: 'succeeded',
      message:
        'The node is drained: 2 pods are gone. The node stays cordoned. Its server stopped once, and another went on with it.',
    });
    expect(job.steps.map(({ name, status }) => [name.replace(`shop/${site.node}-`, ''), status])).toEqual([
      ['first', 'done'],
      ['Cordon the node', 'done'],
      ['web', 'done'],
    ]);
  });

  it.each<
    [
      string,
      Job['status'],
      string,
      { row?: Partial<typeof jobs.$inferInsert>; of?: Partial<Resumption>; isGone?: boolean },
    ]
  >([
    ['the grant of who began it is gone', 'cancelled', 'no longer has access to', { isGone: true }],
    [
      'its API token is gone',
      'cancelled',
      'did so by an API token that is no longer valid',
      { of: { tokenId: 4711 } },
    ],
    ['its person is gone', 'cancelled', 'no longer belongs to the organisation', { row: { userId: null } }],
    [
      'somebody cancelled it meanwhile',
      'cancelled',
      'Cancelled after 2 of 3',
      { row: { cancelledBy: 'Kim' } },
    ],
    [
      'its node was replaced by one of that name',
      'failed',
      'was replaced by another object',
      { of: { uid: 'other' } },
    ],
    [
      'its time is over',
      'failed',
      'The 10 minutes ended before a server could continue it',
      { row: { startedAt: new Date(Date.now() - 11 * 60_000).toISOString() } },
    ],
  ])(
    'evicts nothing where %s: it is %s and says why',
    async (_what, status, message, { row, of, isGone }) => {
      const person = isGone === true ? await site.lab.member(teamRoles.TeamAdmin) : site.admin;
      if (isGone === true)
        await site.lab.console.store.db.delete(teamMembers).where(eq(teamMembers.userId, person.id));
      await pod('web');
      const job = await ended(await leave(person, row, of));
      expect(job).toMatchObject({
        status,
        message: expect.stringContaining(message),
        steps: expect.arrayContaining([
          expect.objectContaining({ name: `shop/${site.node}-first`, status: 'done' }),
        ]),
      });
      expect(await site.lab.seen(`${pods}/${site.node}-web`)).toBeDefined();
    },
  );

  it.each([
    ['began more than a day ago', { startedAt: new Date(Date.now() - 26 * 3_600_000).toISOString() }],
    ['moved five times, as one may that ends its servers', { moves: 5 }],
  ])('is left to a person where it %s', async (_what, values) => {
    const { db } = site.lab.console.store;
    await noteSteadySigns(db);
    const beatAt = new Date(Date.now() - 60_000).toISOString();
    const id = await leave(site.admin, { server: 'gone', beatAt, ...values });
    expect((await takeOverJobs(db, 'another', [])).map((row) => row.id)).not.toContain(id);
    await interruptAbandoned(db, { abandoned: 'It was interrupted.', movedTooOften: 'It was.' });
    const [row] = await db
      .select()
      .from(jobs)
      .where(eq(jobs.id, id ?? 0));
    expect(row).toMatchObject({ status: 'interrupted' });
  });
});
