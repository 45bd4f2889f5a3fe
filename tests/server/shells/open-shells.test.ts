import { randomBytes, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { createAudit } from '../../../src/server/audit/audit.ts';
import { readParts, findRecording } from '../../../src/server/recordings/reading.ts';
import { beginRecording } from '../../../src/server/recordings/recordings.ts';
import { verifyRecordings } from '../../../src/server/recordings/verify.ts';
import { OpenShells, serverStopped } from '../../../src/server/shells/open-shells.ts';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { openShells } from '../../../src/server/store/schema/open-shells.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { createFastClock } from '../live/fast-clock.ts';
import { memberOf } from '../organisation/member-of.ts';
import { freshDatabase } from '../postgres.ts';
import { noteSteadySigns } from '../steady-signs.ts';
import { untilWaiting } from '../until-waiting.ts';

const patience = { timeout: 60_000, interval: 50 };
const log = pino({ level: 'silent' });
const vault = createVault({ current: 'test', keys: new Map([['test', randomBytes(32)]]) });

let database: FreshDatabase;
let store: OpenStore;
let companyId = 0;
const servers: OpenShells[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  const [company] = await store.db.insert(companies).values({ name: 'Example' }).returning();
  companyId = company?.id ?? 0;
});
beforeEach(async () => {
  await noteSteadySigns(store.db);
});
afterEach(async () => {
  for (const one of servers.splice(0)) await one.close();
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

function server(factor = 200): OpenShells {
  const one = new OpenShells({ store, vault, log, clock: createFastClock(factor) });
  servers.push(one);
  return one;
}

/** A shell that a server began, which then says nothing more of it. */
async function begin(at: OpenShells, recordingId: string | null = null): Promise<number> {
  const audit = createAudit(store, log, { failed: () => Promise.resolve() });
  let entry = 0;
  await audit.begin(
    {
      companyId,
      userId: 1,
      actor: 'robin@example.org',
      action: 'pod.shell',
      clusterId: 7,
      subject: {
        namespace: 'shop',
        name: 'web',
        container: null,
        ...(recordingId === null ? {} : { recording: recordingId }),
      },
      address: '192.0.2.7',
      requestId: 'call-7',
    },
    async (tx, id) => {
      entry = id;
      await at.note(tx, { entry, companyId, recordingId });
    },
  );
  return entry;
}
const silence = (entry: number) =>
  store.db
    .update(openShells)
    .set({ beatAt: sql`now() - interval '1 minute'` })
    .where(eq(openShells.entry, entry));
/** Until the server of a shell has given a sign of life. */
const untilAlive = (entry: number) =>
  vi.waitUntil(async () => {
    const [row] = await store.db.select().from(openShells).where(eq(openShells.entry, entry));
    return Date.now() - Date.parse(row?.beatAt ?? '') < 30_000;
  }, patience);
const endsOf = async (entry: number) =>
  (await store.db.select().from(auditRows).where(eq(auditRows.entry, entry))).filter(
    ({ status }) => status !== null,
  );

it('the audit says once that a shell ended whose server stopped, though several look at once', async () => {
  const entry = await begin(server());
  await silence(entry);
  for (let count = 0; count < 3; count += 1) server();
  await vi.waitUntil(async () => (await endsOf(entry)).length > 0, patience);
  for (const one of servers.splice(0)) await one.close();
  expect(await endsOf(entry)).toMatchObject([
    {
      actor: 'robin@example.org',
      address: '192.0.2.7',
      status: 502,
      finishedAt: expect.any(String),
      subject: { namespace: 'shop', name: 'web', ending: 'The server that ran it stopped.' },
    },
  ]);
});

it('its recording ends with a marker, fits what the audit says of it, and takes no part of that server any more', async () => {
  const id = randomUUID();
  const person = { ...memberOf({ id: 1, email: 'robin@example.org' }, companyId, orgRoles.Member) };
  const { recorder } = await beginRecording(
    { store, vault },
    {
      id,
      person,
      cluster: { id: 7, name: 'prod' },
      namespace: 'shop',
      name: 'web',
      query: { container: undefined, mode: 'exec', columns: 80, rows: 24 },
    },
  );
  const entry = await begin(server(), id);
  await silence(entry);
  server();
  await vi.waitUntil(async () => (await endsOf(entry)).length > 0, patience);
  const stored = await findRecording(store, companyId, id);
  expect(stored.about).toMatchObject({ ending: serverStopped, endedAt: expect.any(String) });
  let text = '';
  for await (const part of readParts({ store, vault }, stored)) text += part;
  expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject([
    expect.any(Number),
    'm',
    serverStopped,
  ]);
  expect(await verifyRecordings(store)).toEqual({ right: 1, problems: [] });
  recorder.output(Buffer.from('late'));
  expect(await recorder.stopped).toBe('unrecorded');
  expect(await verifyRecordings(store)).toEqual({ right: 1, problems: [] });
});

it('a server that was taken for dead ends its shell, and says nothing more of it in the audit', async () => {
  const frozen = server(20);
  const entry = await begin(frozen);
  await silence(entry);
  server();
  await vi.waitUntil(async () => (await endsOf(entry)).length > 0, patience);
  const lost = vi.fn();
  frozen.follow(entry, lost);
  await vi.waitUntil(() => lost.mock.calls.length > 0, patience);
  await frozen.end(entry, 200, {});
  expect(await endsOf(entry)).toMatchObject([{ status: 502 }]);
});

it('a shell whose server lives is left alone, and has the end that this server tells', async () => {
  const own = server();
  const entry = await begin(own);
  own.follow(entry, () => undefined);
  await silence(entry);
  await untilAlive(entry);
  await own.end(entry, 200, { recordingParts: 2 });
  expect(await endsOf(entry)).toMatchObject([{ status: 200, subject: { name: 'web', recordingParts: 2 } }]);
});

it('shells are said to be open while the end of another cannot be stored', async () => {
  const own = server();
  const entry = await begin(own);
  own.follow(entry, () => undefined);
  const left = await begin(own);
  const holder = await store.connect('holder');
  try {
    await holder.query('begin; lock table audit in share row exclusive mode');
    await silence(left);
    await untilWaiting({ store });
    await silence(entry);
    await untilAlive(entry);
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
});
