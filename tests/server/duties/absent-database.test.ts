import { randomBytes, randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, expect, it, vi } from 'vitest';
import { createAudit } from '../../../src/server/audit/audit.ts';
import { AnswerLog } from '../../../src/server/chat/answer-log.ts';
import { LockedDuties } from '../../../src/server/duties/duties.ts';
import { type Clock, systemClock } from '../../../src/server/kit/clock.ts';
import { OpenShells } from '../../../src/server/shells/open-shells.ts';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import { createDatabase, type StartedPostgres, startTestPostgres } from '../../test-postgres.ts';
import { sharedJobServers } from '../jobs/job-servers.ts';
import { createFastClock } from '../live/fast-clock.ts';
import { noteSteadySigns } from '../steady-signs.ts';
import { createStoreGate } from '../store-gate.ts';

const patience = { timeout: 20_000, interval: 20 };
const log = pino({ level: 'silent' });
const vault = createVault({ current: 'test', keys: new Map([['test', randomBytes(32)]]) });

let restart: StartedPostgres['restart'];
const lab = sharedJobServers(async () => {
  const postgres = await startTestPostgres();
  restart = (away) => postgres.restart(away);
  return { ...(await createDatabase(postgres.place)), drop: () => postgres.stop() };
});
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const rowsOf = async (query: SQL) => (await lab.store.db.execute(query)).rows;

/** A clock whose timers of a kind fire when the test says so; others never do. */
function createHeldClock() {
  const held = new Map<() => void, number>();
  const clock: Clock = {
    ...systemClock,
    after(ms, run) {
      held.set(run, ms);
      return () => held.delete(run);
    },
  };
  return {
    clock,
    fire(ms: number) {
      // Those that they set anew wait for the next time.
      const due = [...held].filter(([, at]) => at === ms);
      for (const [run] of due) {
        held.delete(run);
        run();
      }
    },
  };
}

/** All of a server that gives signs of life, with its own connections. */
function startServer(name: string, store: OpenStore, clock: Clock) {
  const jobs = lab.server({ store, clock, resume: () => Promise.resolve({ type: 'later' }) });
  const shells = new OpenShells({ store, vault, log, clock });
  const duties = new LockedDuties({ store, log, clock, server: name });
  duties.start();
  ends.push(async () => {
    await shells.close();
    await duties.close();
  });
  return { jobs, shells, answers: new AnswerLog(store) };
}

async function openThroughGate(url: string): Promise<OpenStore> {
  const store = await openStore({ databaseUrl: url, dataDir: '/nowhere' });
  ends.push(() => store.close());
  return store;
}

/** A shell that a server runs. */
async function beginShell(store: OpenStore, shells: OpenShells, companyId: number): Promise<() => boolean> {
  const told = { namespace: 'shop', name: 'web', container: null };
  const by = { companyId, userId: 1, actor: 'robin@example.org', address: '192.0.2.7', requestId: 'call-7' };
  let entry = 0;
  await createAudit(store, log, { failed: () => Promise.resolve() }).begin(
    { ...by, action: 'pod.shell', clusterId: lab.clusterId, subject: told },
    async (tx, id) => {
      entry = id;
      await shells.note(tx, { entry, companyId, recordingId: null });
    },
  );
  let isLost = false;
  shells.follow(entry, () => {
    isLost = true;
  });
  return () => isLost;
}

/** An answer that a server gives. */
async function beginAnswer(): Promise<string> {
  const [cluster] = await rowsOf(sql`select company_id from clusters`);
  const [user] = await rowsOf(sql`select user_id from memberships`);
  const id = randomUUID();
  await lab.store.db.execute(sql`insert into chat_conversations (id, company_id, user_id, cluster_id, title)
    values (${id}, ${cluster?.['company_id']}, ${user?.['user_id']}, ${lab.clusterId}, 'Trouble')`);
  await lab.store.db.execute(sql`insert into chat_turns (id, conversation_id, number, question)
    values (${randomUUID()}, ${id}, 1, 'Why?')`);
  return id;
}

/** What runs at all servers, as the store has it. */
const running = async () => ({
  jobs: await rowsOf(sql`select status, moves, epoch from jobs order by id`),
  ended: await rowsOf(sql`select action from audit where finished_at is not null`),
  shells: await rowsOf(sql`select company_id from open_shells`),
  servers: await rowsOf(sql`select id from servers where id = 'other'`),
  answers: await rowsOf(sql`select state from chat_turns`),
});

/** Everything that was noted is a minute older, as though the database had been away for it. */
async function passMinute(): Promise<void> {
  for (const [table, columns] of Object.entries({
    jobs: ['beat_at'],
    open_shells: ['beat_at'],
    chat_turns: ['beat_at'],
    servers: ['seen_at'],
    signs_of_life: ['since', 'last_at'],
  }))
    for (const column of columns)
      await lab.store.db.execute(
        sql`update ${sql.raw(table)} set ${sql.raw(column)} = ${sql.raw(column)} - interval '1 minute'`,
      );
}

it('after the database was away no server takes another for dead until that could give signs of life again', async () => {
  const gate = await createStoreGate(lab.database.url);
  ends.push(() => gate.shut());
  const [otherStore, firstStore] = [await openThroughGate(gate.url), await openThroughGate(gate.url)];
  const held = createHeldClock();
  const other = startServer('other', otherStore, held.clock);
  await vi.waitUntil(async () => (await running()).servers.length === 1, patience);
  await other.jobs.start(lab.waitingJob(true));
  await other.jobs.start(lab.waitingJob(false));
  const [company] = await rowsOf(sql`select id from companies`);
  const isLost = await beginShell(otherStore, other.shells, Number(company?.['id']));
  const conversation = await beginAnswer();
  const before = await running();

  await gate.shut();
  await restart(0);
  await vi.waitUntil(
    async () =>
      await passMinute().then(
        () => true,
        () => false,
      ),
    patience,
  );
  await gate.open();

  // The first server sweeps again and again before the other has given any sign of life.
  let sweeps = 0;
  const fast = createFastClock(100);
  const first = startServer('first', firstStore, {
    ...fast,
    after: (ms, run) => {
      if (ms === 5_000) sweeps += 1;
      return fast.after(ms, run);
    },
  });
  await vi.waitUntil(async () => {
    await first.answers.interruptSilent(conversation).catch(() => undefined);
    const [signs] = await rowsOf(
      sql`select last_at > now() - interval '5 seconds' as noted from signs_of_life`,
    );
    return signs?.['noted'] === true && sweeps > 20;
  }, patience);
  await first.answers.interruptSilent(conversation);
  expect(await running()).toEqual(before);

  // The other one gives its signs of life as late as it may: nothing of it was taken away.
  held.fire(5_000);
  held.fire(2_000);
  const silent = sql`select 1 from jobs where beat_at < now() - interval '30 seconds'
    union all select 1 from open_shells where beat_at < now() - interval '30 seconds'`;
  await vi.waitUntil(async () => (await rowsOf(silent)).length === 0, patience);
  await noteSteadySigns(lab.store.db);
  const goal = sweeps + 20;
  await vi.waitUntil(() => sweeps > goal, patience);
  expect(await running()).toMatchObject({ jobs: before.jobs, ended: before.ended, shells: before.shells });
  expect(isLost()).toBe(false);

  // One that falls silent while the database is there is taken for dead.
  await passMinute();
  await noteSteadySigns(lab.store.db);
  await vi.waitUntil(async () => {
    await first.answers.interruptSilent(conversation);
    const { jobs, shells, servers, answers } = await running();
    return (
      jobs.every(({ status, epoch }) => status === 'interrupted' || epoch !== 0) &&
      shells.length + servers.length === 0 &&
      answers.every(({ state }) => state === 'interrupted')
    );
  }, patience);
});
