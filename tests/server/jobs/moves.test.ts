import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import { createResumeJob } from '../../../src/server/actions/resume-job.ts';
import type { Audit } from '../../../src/server/audit/audit.ts';
import {
  finishJob,
  interruptAbandoned,
  releaseJob,
  renewHeartbeats,
  takeOverJobs,
} from '../../../src/server/jobs/job-rows.ts';
import type { JobStart } from '../../../src/server/jobs/job-execution.ts';
import { StoredJobs } from '../../../src/server/jobs/jobs.ts';
import type { Resumed, Resumption, ResumeJob } from '../../../src/server/jobs/resumption.ts';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { type JobRow, jobs } from '../../../src/server/store/schema/jobs.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { createFastClock } from '../live/fast-clock.ts';
import { freshDatabase } from '../postgres.ts';

const patience = { timeout: 15_000, interval: 20 };

/** Rows of jobs as several servers write them: no server runs here but those that a test makes. */
let database: FreshDatabase;
let store: OpenStore;
let companyId = 0;
let clusterId = 0;
let userId = 0;
let count = 0;
let auditEnds = 0;
const open: StoredJobs[] = [];

const audit = {
  begin: () => {
    auditEnds += 1;
    return Promise.resolve({ finish: () => Promise.resolve() });
  },
} as unknown as Audit;
const log = pino({ level: 'silent' });
const cluster = () => ({ id: clusterId, companyId, name: 'prod', isImpersonating: false });
const grants = {
  access: () => Promise.resolve({ held: { may: () => true, isOwner: true }, cluster: cluster() }),
} as never;
const resumption = (): Resumption => ({
  args: { data: 'stop', unmanaged: 'stop', limit: 10 },
  uid: 'u1',
  needs: [],
  afterCancel: 'The node stays cordoned.',
  cluster: { name: 'prod', isImpersonating: false },
  tokenId: null,
  actor: 'robin@example.org',
  address: '127.0.0.1',
  requestId: 'test',
});

beforeAll(async () => {
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  const [company] = await store.db.insert(companies).values({ name: 'Example' }).returning();
  companyId = company?.id ?? 0;
  const [user] = await store.db
    .insert(users)
    .values({ name: 'Robin', email: 'robin@example.org' })
    .returning();
  userId = user?.id ?? 0;
  await store.db.insert(memberships).values({ userId, companyId, orgRole: 2 });
  const [made] = await store.db
    .insert(clusters)
    .values({ companyId, name: 'prod', source: 'kubeconfig', server: 'https://prod', colour: 1 })
    .returning();
  clusterId = made?.id ?? 0;
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await store.db.delete(jobs);
  auditEnds = 0;
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** A drain that a server released, unless said otherwise. */
async function addJob(more: Partial<typeof jobs.$inferInsert> = {}): Promise<JobRow> {
  count += 1;
  const [row] = await store.db
    .insert(jobs)
    .values({
      companyId,
      clusterId,
      userId,
      actor: 'Robin',
      action: 'node.drain',
      kind: 'node',
      namespace: '',
      name: `node-${count}`,
      title: 'Drain',
      message: '',
      server: '',
      resumption: resumption(),
      ...more,
    })
    .returning();
  if (row === undefined) throw new Error('There is no row.');
  return row;
}
const rowOf = async (id: number) => {
  const [row] = await store.db.select().from(jobs).where(eq(jobs.id, id));
  return row;
};
async function takeOver(server: string): Promise<JobRow> {
  const [row] = await takeOverJobs(store.db, server, []);
  if (row === undefined) throw new Error('There is nothing to take.');
  return row;
}
function server(resume?: ResumeJob, clock = createFastClock(20)): StoredJobs {
  const one = new StoredJobs({
    store,
    audit,
    grants,
    log,
    clock,
    ...(resume === undefined ? {} : { resume }),
  });
  open.push(one);
  return one;
}
const end = { status: 'succeeded', message: 'Done.', steps: [] } as const;

/** A job that runs until it is stopped. */
function waitingJob(isResumable: boolean, onRun: () => void = () => undefined): JobStart {
  count += 1;
  return {
    cluster: cluster(),
    person: { id: userId, name: 'Robin', email: 'robin@example.org', token: null },
    action: 'node.drain',
    ref: { kind: 'node', name: `node-${count}` },
    prepared: {
      title: 'Wait',
      namespaces: null,
      needs: [],
      afterCancel: '',
      ...(isResumable ? { again: { args: {}, uid: 'u1' } } : {}),
      run: async ({ signal }: { signal: AbortSignal }) => {
        onRun();
        return await new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        });
      },
    },
    address: '127.0.0.1',
    requestId: 'test',
  } as unknown as JobStart;
}

it('a job that came back to its server is not written by the execution from before', async () => {
  await addJob();
  const old = await takeOver('a');
  await releaseJob(store.db, old);
  await releaseJob(store.db, await takeOver('b'));
  const now = await takeOver('a');
  expect(await renewHeartbeats(store.db, [old])).toEqual([]);
  expect(await releaseJob(store.db, old)).toBe(false);
  expect(await finishJob(store.db, old, end)).toBe(false);
  expect(await rowOf(old.id)).toMatchObject({ status: 'running', server: 'a' });
  expect(await renewHeartbeats(store.db, [now])).toEqual([{ id: old.id, isCancelled: false }]);
  // The count of moves may fall, the epoch never does.
  await releaseJob(store.db, now, { moves: now.moves - 1 });
  expect((await takeOver('a')).epoch).toBeGreaterThan(now.epoch);
});

it('a job ends once, and what another server needed of its person is forgotten', async () => {
  await addJob();
  const row = await takeOver('a');
  expect(await finishJob(store.db, row, end)).toBe(true);
  expect(await finishJob(store.db, row, { ...end, status: 'failed' })).toBe(false);
  expect(await rowOf(row.id)).toMatchObject({ status: 'succeeded', resumption: null });
});

it('jobs that nobody can go on with now keep no other waiting', async () => {
  const stuck: JobRow[] = [];
  for (let index = 0; index < 5; index += 1) stuck.push(await addJob());
  for (const row of await takeOverJobs(store.db, 'a', []))
    await releaseJob(store.db, row, { moves: row.moves - 1 });
  const { id } = await addJob({ beatAt: sql`now() - interval '5 seconds'` as never });
  const taken = (await takeOverJobs(store.db, 'a', [])).map((row) => row.id);
  expect(taken).toContain(id);
  expect(stuck.filter((row) => !taken.includes(row.id))).toHaveLength(1);
});

it('a job that ends each of its servers is left to a person after five moves', async () => {
  const { id } = await addJob({ moves: 4 });
  expect(await takeOver('a')).toMatchObject({ id, moves: 5 });
  const messages = { abandoned: 'Its server ended.', movedTooOften: 'Its servers ended again and again.' };
  expect(await interruptAbandoned(store.db, messages)).toEqual([]);
  await store.db.update(jobs).set({ beatAt: sql`now() - interval '1 minute'` });
  expect(await takeOverJobs(store.db, 'b', [])).toEqual([]);
  await addJob({ server: 'gone', resumption: null, beatAt: sql`now() - interval '1 minute'` as never });
  const interrupted = await interruptAbandoned(store.db, messages);
  expect(interrupted.map(({ message }) => message).sort()).toEqual(Object.values(messages).sort());
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', resumption: null });
});

it('a server that was frozen does not take over what it still runs', async () => {
  const resumed: number[] = [];
  const one = server((row) => {
    resumed.push(row.id);
    return Promise.resolve({ type: 'later' });
  });
  const id = await one.start(waitingJob(true));
  await store.db.update(jobs).set({ beatAt: sql`now() - interval '1 minute'` });
  await store.channel.notify('jobs', { clusterId, jobId: id, isFree: true });
  // Its next heartbeat comes after that notice.
  await vi.waitUntil(async () => Date.now() - Date.parse((await rowOf(id))?.beatAt ?? '') < 10_000, patience);
  expect(resumed).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ status: 'running', moves: 0 });
});

it('a job that cannot move stops where another server said that it was interrupted', async () => {
  const one = server();
  let signal: AbortSignal | undefined;
  const start = waitingJob(false);
  const { prepared } = start;
  const id = await one.start({
    ...start,
    prepared: {
      ...prepared,
      run: (handle) => {
        ({ signal } = handle);
        return prepared.run(handle);
      },
    },
  });
  await store.db.update(jobs).set({ beatAt: sql`now() - interval '1 minute'` });
  await interruptAbandoned(store.db, { abandoned: 'Its server ended.', movedTooOften: '' });
  await vi.waitUntil(() => signal?.aborted === true, patience);
  await one.close();
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', message: 'Its server ended.' });
  expect(auditEnds).toBe(0);
});

it('a cancellation that comes while the next server prepares is kept', async () => {
  const { id } = await addJob();
  let hasRun = false;
  server(async (row): Promise<Resumed> => {
    if (row.cancelledBy !== null) return { type: 'ends', status: 'cancelled', because: undefined };
    await store.db.update(jobs).set({ cancelledBy: 'Kim' }).where(eq(jobs.id, row.id));
    return {
      type: 'goes on',
      start: waitingJob(true, () => {
        hasRun = true;
      }),
    };
  });
  await vi.waitUntil(async () => (await rowOf(id))?.status === 'cancelled', patience);
  expect(hasRun).toBe(false);
  expect(await rowOf(id)).toMatchObject({
    message: 'Cancelled after 0 of 0 steps. The node stays cordoned.',
  });
});

it('a job that begins while its server closes is refused, and none is left running', async () => {
  const one = server();
  const starting = one.start(waitingJob(true));
  await Promise.all([expect(starting).rejects.toMatchObject({ status: 503 }), one.close()]);
  expect(await store.db.select().from(jobs)).toMatchObject([
    { status: 'interrupted', message: expect.stringContaining('Nothing was done') },
  ]);
});

it('a job that its server takes while it closes is free for the next one', async () => {
  const { id } = await addJob();
  const one: StoredJobs = server(async () => {
    await one.close();
    return { type: 'goes on', start: waitingJob(true) };
  });
  await vi.waitUntil(
    async () => (await rowOf(id))?.epoch === 1 && (await rowOf(id))?.server === '',
    patience,
  );
  expect(await rowOf(id)).toMatchObject({ status: 'running' });
});

it('a job whose cluster does not answer waits for it until its own time is over', async () => {
  const away = () => {
    throw new Problem({ status: 502, title: 'prod does not answer.', retryable: true });
  };
  const clock = { ...createFastClock(1), now: () => 1_000 };
  const resume = createResumeJob({
    db: store.db,
    grants: { access: (grants as { access: unknown }).access, cluster: away } as never,
    clusters: {} as never,
    kinds: {} as never,
    clock,
  });
  const at = async (until: number) =>
    await resume({ ...(await addJob()), resumption: { ...resumption(), until } });
  expect(await at(1_001)).toEqual({ type: 'later' });
  expect(await at(1_000)).toEqual({
    type: 'ends',
    status: 'failed',
    because: 'Its time was over before a server could go on with it. prod does not answer.',
  });
});
