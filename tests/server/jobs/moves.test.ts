import { eq, sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import { createResumeJob } from '../../../src/server/actions/resume-job.ts';
import { finishJob, interruptAbandoned } from '../../../src/server/jobs/job-end.ts';
import { releaseJob, renewHeartbeats, takeOverJobs } from '../../../src/server/jobs/job-rows.ts';
import type { StoredJobs } from '../../../src/server/jobs/jobs.ts';
import type { Resumed } from '../../../src/server/jobs/resumption.ts';
import { type JobRow, jobs } from '../../../src/server/store/schema/jobs.ts';
import { createFastClock } from '../live/fast-clock.ts';
import { aMinuteAgo, patience, resumption, sharedJobServers } from './job-servers.ts';

const lab = sharedJobServers();
const { addJob, endsOf, rowOf, server, waitingJob } = lab;

async function takeOver(server: string): Promise<JobRow> {
  const [row] = await takeOverJobs(lab.store.db, server, []);
  if (row === undefined) throw new Error('There is nothing to take.');
  return row;
}
const end = { status: 'succeeded', message: 'Done.', steps: [] } as const;

it('a job that came back to its server is not written by the execution from before', async () => {
  await addJob();
  const old = await takeOver('a');
  await releaseJob(lab.store.db, old);
  await releaseJob(lab.store.db, await takeOver('b'));
  const now = await takeOver('a');
  expect(await renewHeartbeats(lab.store.db, [old])).toEqual([]);
  expect(await releaseJob(lab.store.db, old)).toBe(false);
  expect(await finishJob(lab.store.db, old, end)).toBe(false);
  expect(await rowOf(old.id)).toMatchObject({ status: 'running', server: 'a' });
  expect(await renewHeartbeats(lab.store.db, [now])).toEqual([{ id: old.id, isCancelled: false }]);
  // The count of moves may fall, the epoch never does.
  await releaseJob(lab.store.db, now, { moves: now.moves - 1 });
  expect((await takeOver('a')).epoch).toBeGreaterThan(now.epoch);
});

it('a job ends once, and what another server needed of its person is forgotten', async () => {
  await addJob();
  const row = await takeOver('a');
  expect(await finishJob(lab.store.db, row, end)).toBe(true);
  expect(await finishJob(lab.store.db, row, { ...end, status: 'failed' })).toBe(false);
  expect(await rowOf(row.id)).toMatchObject({ status: 'succeeded', resumption: null });
});

it('jobs that nobody can go on with now keep no other waiting', async () => {
  const stuck: JobRow[] = [];
  for (let index = 0; index < 5; index += 1) stuck.push(await addJob());
  for (const row of await takeOverJobs(lab.store.db, 'a', []))
    await releaseJob(lab.store.db, row, { moves: row.moves - 1 });
  const { id } = await addJob({ beatAt: sql`now() - interval '5 seconds'` as never });
  const taken = (await takeOverJobs(lab.store.db, 'a', [])).map((row) => row.id);
  expect(taken).toContain(id);
  expect(stuck.filter((row) => !taken.includes(row.id))).toHaveLength(1);
});

it('a job that ends each of its servers is left to a person after five moves', async () => {
  const { id } = await addJob({ moves: 4 });
  expect(await takeOver('a')).toMatchObject({ id, moves: 5 });
  const messages = { abandoned: 'Its server ended.', movedTooOften: 'Its servers ended again and again.' };
  expect(await interruptAbandoned(lab.store.db, messages)).toEqual([]);
  await lab.store.db.update(jobs).set({ beatAt: aMinuteAgo });
  expect(await takeOverJobs(lab.store.db, 'b', [])).toEqual([]);
  await addJob({ server: 'gone', resumption: null, beatAt: aMinuteAgo });
  const interrupted = await interruptAbandoned(lab.store.db, messages);
  expect(interrupted.map(({ message }) => message).sort()).toEqual(Object.values(messages).sort());
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', resumption: null });
});

it('a server that was frozen does not take over what it still runs', async () => {
  const resumed: number[] = [];
  const one = server({
    resume: (row) => {
      resumed.push(row.id);
      return Promise.resolve({ type: 'later' });
    },
  });
  const id = await one.start(waitingJob(true));
  await lab.store.db.update(jobs).set({ beatAt: aMinuteAgo });
  await lab.store.channel.notify('jobs', { clusterId: lab.clusterId, jobId: id, isFree: true });
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
  await lab.store.db.update(jobs).set({ beatAt: aMinuteAgo });
  await interruptAbandoned(lab.store.db, { abandoned: 'Its server ended.', movedTooOften: '' });
  await vi.waitUntil(() => signal?.aborted === true, patience);
  await one.close();
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', message: 'Its server ended.' });
  expect(await endsOf(id)).toHaveLength(1);
});

it('a cancellation that comes while the next server prepares is kept', async () => {
  const { id } = await addJob();
  let hasRun = false;
  const resume = async (row: JobRow): Promise<Resumed> => {
    if (row.cancelledBy !== null) return { type: 'ends', status: 'cancelled', because: undefined };
    await lab.store.db.update(jobs).set({ cancelledBy: 'Kim' }).where(eq(jobs.id, row.id));
    return {
      type: 'goes on',
      start: waitingJob(true, () => {
        hasRun = true;
      }),
    };
  };
  server({ resume });
  await vi.waitUntil(async () => (await rowOf(id))?.status === 'cancelled', patience);
  expect(hasRun).toBe(false);
  expect(await rowOf(id)).toMatchObject({
    message: 'Cancelled after 0 of 0 steps. The node stays cordoned.',
  });
});

it('a cluster has twenty jobs in progress at most, whichever server runs them', async () => {
  for (let count = 0; count < 20; count += 1) await addJob({ server: count % 2 === 0 ? 'a' : 'b' });
  await expect(server().start(waitingJob(true))).rejects.toMatchObject({ status: 429 });
  expect(await lab.store.db.$count(jobs)).toBe(20);
});

it('a job that begins while its server closes is refused, and none is left running', async () => {
  const one = server();
  const starting = one.start(waitingJob(true));
  await Promise.all([expect(starting).rejects.toMatchObject({ status: 503 }), one.close()]);
  expect(await lab.store.db.select().from(jobs)).toMatchObject([
    { status: 'interrupted', message: expect.stringContaining('Nothing was done') },
  ]);
});

it('a job that its server takes while it closes is free for the next one', async () => {
  const { id } = await addJob();
  const one: StoredJobs = server({
    resume: async () => {
      await one.close();
      return { type: 'goes on', start: waitingJob(true) };
    },
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
    db: lab.store.db,
    grants: { access: (lab.grants as { access: unknown }).access, cluster: away } as never,
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
    because: 'It timed out before a server could continue it. prod does not answer.',
  });
});
