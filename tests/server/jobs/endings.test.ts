import { eq } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { interruptAbandoned } from '../../../src/server/jobs/job-end.ts';
import type { JobStart } from '../../../src/server/jobs/job-execution.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { jobs } from '../../../src/server/store/schema/jobs.ts';
import { createFastClock } from '../live/fast-clock.ts';
import { createStoreGate } from '../store-gate.ts';
import { untilWaiting } from '../until-waiting.ts';
import { aMinuteAgo, patience, sharedJobServers } from './job-servers.ts';

const lab = sharedJobServers();
const { addJob, endsOf, rowOf, server, waitingJob } = lab;

const messages = { abandoned: 'Its server stopped.', movedTooOften: '' };
const starter = { actor: 'robin@example.org by token “ci”', address: '192.0.2.7', requestId: 'call-7' };
/** A job of a server that died, with which no other can go on. */
const addAbandoned = () =>
  addJob({
    action: 'release.uninstall',
    server: 'gone',
    resumption: null,
    starter,
    beatAt: aMinuteAgo,
    steps: [
      { name: 'first', status: 'done', message: null },
      { name: 'second', status: 'running', message: null },
    ],
  });

/** A job that ends when the test says so. */
function endingJob(isResumable = false) {
  const over = Promise.withResolvers<string>();
  const start = waitingJob(isResumable);
  const job: JobStart = { ...start, prepared: { ...start.prepared, run: () => over.promise } };
  return { job, end: () => over.resolve('Done.') };
}

it('the audit says once that a job was interrupted whose server died, though several look at once', async () => {
  const { id } = await addAbandoned();
  for (let count = 0; count < 4; count += 1) server();
  await Promise.all([1, 2, 3].map(() => interruptAbandoned(lab.store.db, messages)));
  await vi.waitUntil(async () => (await rowOf(id))?.status === 'interrupted', patience);
  expect(await endsOf(id)).toMatchObject([
    {
      ...starter,
      action: 'release.uninstall.end',
      status: 499,
      finishedAt: expect.any(String),
      isTry: false,
      subject: { jobId: id, outcome: 'interrupted', done: 1, failed: 0 },
    },
  ]);
  expect((await rowOf(id))?.steps).toMatchObject([{ status: 'done' }, { status: 'skipped' }]);
});

it('a server that dies while it says that a job was interrupted leaves that to the next, whole', async () => {
  const { id } = await addAbandoned();
  const dying = await openStore({ databaseUrl: lab.database.url, dataDir: '/nowhere' });
  const holder = await lab.store.connect('holder');
  try {
    await holder.query('begin; lock table audit in share row exclusive mode');
    const declared = interruptAbandoned(dying.db, messages);
    const failed = expect(declared).rejects.toThrow();
    await untilWaiting(lab);
    await holder.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    await failed;
    await holder.query('rollback');
    expect(await rowOf(id)).toMatchObject({ status: 'running' });
    expect(await endsOf(id)).toEqual([]);
    await interruptAbandoned(lab.store.db, messages);
    expect(await rowOf(id)).toMatchObject({ status: 'interrupted' });
    expect(await endsOf(id)).toHaveLength(1);
  } finally {
    await holder.end();
    await dying.close();
  }
});

it('a job that begins and ends has one row of its end in the audit, by whom it was begun', async () => {
  const { job, end } = endingJob();
  const id = await server().start(job);
  end();
  await vi.waitUntil(async () => (await rowOf(id))?.status === 'succeeded', patience);
  expect(await endsOf(id)).toMatchObject([
    { actor: 'robin@example.org', address: '127.0.0.1', requestId: 'test', status: 200 },
  ]);
  expect(await rowOf(id)).toMatchObject({ starter: null, resumption: null });
});

it('the end of a job that comes while the database is away is stored once that is back', async () => {
  const gate = await createStoreGate(lab.database.url);
  const gated = await openStore({ databaseUrl: gate.url, dataDir: '/nowhere' });
  const fast = createFastClock(10);
  const waits: number[] = [];
  const one = server({
    store: gated,
    clock: {
      ...fast,
      after: (ms, run) => {
        waits.push(ms);
        return fast.after(ms, run);
      },
    },
  });
  try {
    const { job, end } = endingJob();
    const id = await one.start(job);
    await gate.shut();
    end();
    await vi.waitUntil(() => waits.includes(1_000), patience);
    await gate.open();
    await vi.waitUntil(async () => (await rowOf(id))?.status === 'succeeded', patience);
    expect(await endsOf(id)).toMatchObject([{ status: 200 }]);
  } finally {
    await one.close();
    await gated.close();
    await gate.shut();
  }
});

it('the end of a job that cannot be stored in time is made up for by another server', async () => {
  const gate = await createStoreGate(lab.database.url);
  const gated = await openStore({ databaseUrl: gate.url, dataDir: '/nowhere' });
  const told: string[] = [];
  const log = { warn: () => undefined, error: (_about: object, text: string) => told.push(text) } as never;
  const one = server({ store: gated, clock: createFastClock(200), log });
  try {
    const { job, end } = endingJob(true);
    const id = await one.start(job);
    await gate.shut();
    end();
    await vi.waitUntil(() => told.includes('The end of a job could not be stored'), patience);
    expect(await rowOf(id)).toMatchObject({ status: 'running' });
    server({
      clock: createFastClock(200),
      resume: () => Promise.resolve({ type: 'goes on', start: { ...job, requestId: 'again' } }),
    });
    await lab.store.db.execute(`update jobs set beat_at = now() - interval '1 minute' where id = ${id}`);
    await vi.waitUntil(async () => (await rowOf(id))?.status === 'succeeded', patience);
    expect(await endsOf(id)).toMatchObject([{ requestId: 'test', subject: { moves: 1 } }]);
  } finally {
    await one.close();
    await gated.close();
    await gate.shut();
  }
});

it('jobs are said to be alive while the end of an abandoned one cannot be stored', async () => {
  const { job } = endingJob();
  const own = await server({ clock: createFastClock(200) }).start(job);
  const holder = await lab.store.connect('holder');
  try {
    await holder.query('begin; lock table audit in share row exclusive mode');
    await addAbandoned();
    await untilWaiting(lab);
    await lab.store.db.update(jobs).set({ beatAt: aMinuteAgo }).where(eq(jobs.id, own));
    await vi.waitUntil(async () => {
      const row = await rowOf(own);
      return Date.now() - Date.parse(row?.beatAt ?? '') < 30_000;
    }, patience);
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
});
