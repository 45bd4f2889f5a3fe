// Before anything that hashes.
import { hashing } from './counted-hashing.ts';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import type { WireAnswer } from '../http-client.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';
import { foundCompany, freshAddress, prove, stranger } from '../organisation/invitation-office.ts';

let mail: MailServer;
let console: TestConsole;
beforeAll(async () => {
  mail = await startMailServer();
  console = await startConsole({ config: { mail: mail.settings } });
  await noteRows();
});
afterAll(async () => {
  await console.close();
  await mail.close();
});

/** Lets the database note each row that a call writes, and each job that it queues. */
async function noteRows(): Promise<void> {
  const { db } = console.store;
  // The upkeep of the audit and a server's signs of life write these by themselves, and what becomes of a mail is noted
  // later. Rates are counted before a call is looked at, by how many its network made.
  const byThemselves = ['audit_links', 'audit_segments', 'rate_windows', 'servers', 'signs_of_life'];
  const { rows } = await db.execute<{ name: string }>(sql`select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> all(${sql.param(byThemselves)}::text[])`);
  await db.execute(sql`create table written (name text not null)`);
  await db.execute(sql`create function note_row() returns trigger language plpgsql as $$
    begin insert into public.written values (tg_argv[0]); return null; end $$`);
  for (const { name } of rows) {
    const when = sql.raw(name === 'invitations' ? 'insert' : 'insert or update');
    await db.execute(sql`create trigger note_row after ${when} on ${sql.identifier(name)}
      for each row execute function note_row(${sql.raw(`'${name}'`)})`);
  }
  await db.execute(sql`create trigger note_row after insert on pgboss.job
    for each row when (new.name = 'mail') execute function note_row('queue')`);
}

/** The work of a call: how it answers, how often it hashes, the rows that it writes and the jobs that it queues. */
async function workOf(call: () => Promise<WireAnswer>) {
  const { db } = console.store;
  await db.execute(sql`delete from written`);
  Object.assign(hashing, { hash: 0, verify: 0 });
  const { status, headers } = await call();
  const { rows } = await db.execute<{ name: string; count: number }>(
    sql`select name, count(*)::int as count from written group by name order by name`,
  );
  const written = Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  return { status, headers: Object.keys(headers).sort(), ...hashing, written };
}

const signIn = (email: string) =>
  console.visitor().send('POST', '/api/auth/login', { email, password: 'another passphrase' });

it('signing in with a wrong password does the same for an account, one without a password, and nobody', async () => {
  const companyId = await console.company();
  const known = await console.person({ companyId, password: testPassword });
  const without = await console.person({ companyId });
  const work = [];
  for (const email of [freshAddress(), known.email, without.email])
    work.push(await workOf(() => signIn(email)));
  const [nobody, ...others] = work;
  // The first check of a process makes the hash that stands for nobody's.
  expect(nobody).toMatchObject({ status: 401, verify: 1, hash: 1, written: { audit: expect.any(Number) } });
  for (const other of others) expect(other).toEqual({ ...nobody, hash: 0 });
  expect(await workOf(() => signIn(freshAddress()))).toEqual(others[0]);
});

it('asking for a reset link does the same for an address that is proven, unproven and nobody’s', async () => {
  const companyId = await console.company();
  const [known, unproven] = [await console.person({ companyId }), await console.person({ companyId })];
  await prove(console, known);
  const work = [];
  for (const email of [known.email, unproven.email, freshAddress()])
    work.push(await workOf(() => console.visitor().send('POST', '/api/auth/reset', { email })));
  expect(work[0]).toMatchObject({ status: 204, hash: 0, written: { links: 1, mails: 1, queue: 1 } });
  for (const other of work) expect(other).toEqual(work[0]);
});

it('asking for an invitation does the same whether companies have the domain, with whatever Owners, or none', async () => {
  const domains = ['none.example', 'one.example', 'many.example'];
  const owners = [0, 1, 5];
  const work = [];
  for (const [index, domain] of domains.entries()) {
    if (owners[index] !== 0) {
      const { companyId } = await foundCompany(console);
      await console.store.db.update(companies).set({ domain }).where(eq(companies.id, companyId));
      for (let count = 1; count < (owners[index] ?? 0); count += 1)
        await prove(console, await console.person({ companyId, isOwner: true }));
    }
    const { client } = await stranger(console, `kim@${domain}`);
    work.push(await workOf(() => client.send('GET', '/api/auth/request-invite')));
  }
  expect(work[0]).toMatchObject({
    status: 204,
    hash: 0,
    written: { invitation_requests: 1, mails: 3, queue: 3 },
  });
  for (const other of work) expect(other).toEqual(work[0]);
  // One Owner of the one company, and three of the other: nobody else is mailed.
  const left = async () => (await console.store.db.execute(sql`select 1 from mails`)).rows.length;
  await expect.poll(left, { timeout: 60_000 }).toBe(0);
  const asking = () =>
    mail.mails.filter(({ subject }) => subject?.includes('asks for an invitation') === true);
  await expect.poll(() => asking().length, { timeout: 60_000 }).toBe(4);
});

it('inviting does the same for an address with an account elsewhere and one that nobody has', async () => {
  const { owner } = await foundCompany(console);
  const elsewhere = await console.person({ companyId: await console.company() });
  await prove(console, elsewhere);
  const invite = (email: string) =>
    owner.client.send('POST', '/api/organization/invitations', {
      email,
      orgRole: orgRoles.Member,
      teams: [],
    });
  // The first call of a session notes its use.
  await invite(freshAddress());
  const work = [await workOf(() => invite(elsewhere.email)), await workOf(() => invite(freshAddress()))];
  expect(work[0]).toMatchObject({ hash: 0, written: { invitations: 1, mails: 1, queue: 1 } });
  expect(work[1]).toEqual(work[0]);
});
