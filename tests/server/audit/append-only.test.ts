import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAudit } from '../../../src/server/audit/verify.ts';
import { triesKept } from '../../../src/server/audit/retention.ts';
import { linkWaiting } from '../../../src/server/audit/closing.ts';
import { migrateDatabase, migrationsFolder } from '../../../src/server/store/migrate.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { audit, auditRows } from '../../../src/server/store/schema/audit.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { emptyDatabase } from '../postgres.ts';
import { writeDated } from './dated.ts';
import { type AuditLab, startAuditLab } from './lab.ts';

describe('the rows of the audit', () => {
  let lab: AuditLab;
  beforeAll(async () => {
    lab = await startAuditLab();
  });
  afterAll(() => lab.close());

  const rows = () => lab.store.db.select().from(auditRows).orderBy(auditRows.id);

  it('stay as they were written: what is said later is a row that names the first', async () => {
    const open = await lab.audit.begin(lab.entry({ action: 'runAction', subject: { actionId: 'x' } }));
    const [before] = await rows();
    await open.describe({ action: 'deployment.restart', subject: { names: 'web' } });
    await open.finish(200, { subject: { names: 'web', failed: 0 } });
    const [first, described, finished, ...more] = await rows();
    expect(more).toEqual([]);
    expect(first).toEqual(before);
    expect(first).toMatchObject({ entry: first?.id, action: 'runAction', status: null, finishedAt: null });
    expect(described).toMatchObject({ entry: first?.id, action: 'deployment.restart', status: null });
    expect(finished).toMatchObject({
      entry: first?.id,
      action: 'deployment.restart',
      actor: 'ada@example.org',
      subject: { names: 'web', failed: 0 },
      startedAt: first?.startedAt,
      status: 200,
    });
    // People read one entry, by the id of the first row.
    expect(await lab.store.db.select().from(audit).orderBy(audit.id)).toMatchObject([
      { id: first?.id, action: 'deployment.restart', status: 200, finishedAt: expect.any(String) },
    ]);
  });

  it('are neither changed nor deleted by any statement, whatever role it calls itself', async () => {
    await linkWaiting(lab.store, { batch: 100, segment: 1 });
    const client = new Client({ connectionString: lab.url });
    await client.connect();
    const before = await rows();
    const refused = async (statement: string) =>
      await expect(client.query(statement), statement).rejects.toMatchObject({
        code: '23001',
        message: expect.stringContaining('append-only'),
      });
    try {
      for (const role of ['origin', 'replica']) {
        await client.query(`set session_replication_role = ${role}`);
        await refused(`update audit set actor = 'nobody'`);
        await refused('delete from audit');
        await refused('update audit_links set hash = hash');
        await refused('delete from audit_links');
        await refused('update audit_segments set anchor = hash');
        await refused('delete from audit_segments');
        for (const table of ['audit', 'audit_links', 'audit_segments', 'audit_drops'])
          await refused(`truncate ${table}`);
      }
      // A table of the session's own stands in for none of ours.
      await client.query('create temporary table audit_drops (chain int, until_position bigint)');
      await client.query(`insert into pg_temp.audit_drops values (${lab.companyId}, 9007199254740991)`);
      await refused('delete from public.audit');
      // What may go is told by a row of the audit, and is a whole closed segment.
      await expect(
        client.query(`insert into public.audit_drops values (${lab.companyId}, 1, 1)`),
      ).rejects.toMatchObject({ message: expect.stringContaining('Only whole closed segments') });
      await client.query('set session_replication_role = origin');
      await expect(client.query(`delete from companies where id = ${lab.companyId}`)).rejects.toMatchObject({
        code: '23503',
      });
    } finally {
      await client.end();
    }
    expect(await rows()).toEqual(before);
  });

  it('go by retention only where the company set it, and none that is younger', async () => {
    const own = await startAuditLab();
    const client = new Client({ connectionString: own.url });
    await client.connect();
    const segment = { batch: 100, segment: 4 };
    const imitate = async (until: number) => {
      await client.query('begin');
      try {
        await client.query(
          `insert into audit (company_id, actor, action, subject, address, request_id, status, finished_at)
           select $1::int, 'retention', 'audit.expire', jsonb_build_object('days', 30, 'until', $2::int,
             'hash', encode(hash, 'hex')), 'console', 'retention', 200, now() from audit_segments where last_position = $2`,
          [own.companyId, until],
        );
        await client.query(`insert into audit_drops select $1::int, $2::int, max(id) from audit`, [
          own.companyId,
          until,
        ]);
      } finally {
        await client.query('rollback');
      }
    };
    const refused = { code: '23001', message: expect.stringContaining('older than the organisation keeps') };
    try {
      await own.writeOld(2, 31);
      await linkWaiting(own.store, segment);
      await own.write(2);
      await linkWaiting(own.store, segment);
      for (const role of ['origin', 'replica']) {
        await client.query(`set session_replication_role = ${role}`);
        await client.query('update companies set audit_days = null');
        await expect(imitate(4), 'nothing is set').rejects.toMatchObject(refused);
        await client.query('update companies set audit_days = 1');
        await expect(imitate(4), 'less than anybody may set').rejects.toMatchObject(refused);
        await client.query('update companies set audit_days = 32');
        await expect(imitate(4), 'too young').rejects.toMatchObject(refused);
        await client.query('update companies set audit_days = 30');
        await expect(imitate(8), 'young ones among them').rejects.toMatchObject(refused);
        await imitate(4);
      }
    } finally {
      await client.end();
      await own.close();
    }
  });

  it('have segments, links and places in the queue that fit them, whoever writes these', async () => {
    const own = await startAuditLab();
    const client = new Client({ connectionString: own.url });
    await client.connect();
    const refused = async (statement: string) =>
      await expect(client.query(statement), statement).rejects.toMatchObject({
        code: '23001',
        message: expect.stringContaining('append-only'),
      });
    const segment = (values: string, where: string) =>
      `insert into audit_segments (chain, first_position, last_position, anchor, hash, newest_at)
       select ${values} from audit_links where ${where}`;
    const zeros = `decode(repeat('00', 32), 'hex')`;
    try {
      await own.write(3);
      await linkWaiting(own.store, { batch: 4, segment: 100 });
      for (const role of ['origin', 'replica']) {
        await client.query(`set session_replication_role = ${role}`);
        // Older than its rows, of another hash, with a gap before it, or longer than the chain.
        await refused(segment(`chain, 1, 4, ${zeros}, hash, now() - interval '40 days'`, 'position = 4'));
        await refused(segment(`chain, 1, 3, ${zeros}, hash, now()`, 'position = 4'));
        await refused(segment(`chain, 2, 4, ${zeros}, hash, now()`, 'position = 4'));
        await refused(segment(`chain, 1, 5, ${zeros}, hash, now()`, 'position = 4'));
        await refused(segment(`chain, 1, 4, hash, hash, now()`, 'position = 4'));
        // A link before others, or of a row of another chain.
        await refused(
          `insert into audit_links select chain, 9, 99, hash from audit_links where position = 4`,
        );
        await refused(
          `insert into audit_links select 0, 1, row_id, hash from audit_links where position = 4`,
        );
        await refused(`insert into audit_queue values (5, 0)`);
        await refused('update audit_queue set chain = 0');
        await refused('delete from audit_queue');
        await refused('truncate audit_queue');
      }
      expect(await linkWaiting(own.store)).toBe(2);
      expect((await verifyAudit(own.store)).chains.map(({ problem }) => problem)).toEqual([null, null]);
    } finally {
      await client.end();
      await own.close();
    }
  });

  it('of tries are not deleted before their time', async () => {
    const own = await startAuditLab();
    const client = new Client({ connectionString: own.url });
    await client.connect();
    const write = async (days: number, count: number, companyId: number | null = null) =>
      await writeDated(own.store.db, (tx) =>
        tx.execute(sql`
          insert into audit (company_id, actor, action, address, request_id, started_at, status, is_try)
          select ${companyId}::int, 'nobody', 'signIn', '::1', 'old', now() - make_interval(days => ${days}::int), 401, true
          from generate_series(1, ${count}::int)`),
      );
    const refused = {
      code: '23001',
      message: expect.stringContaining('of tries that are still kept is refused'),
    };
    const drop = (where: string) => client.query(`delete from audit where is_try and ${where}`);
    try {
      await write(91, 1);
      await write(89, 2);
      await write(31, 1, own.companyId);
      for (const role of ['origin', 'replica']) {
        await client.query(`set session_replication_role = ${role}`);
        await client.query('begin');
        expect((await drop(`started_at < now() - interval '90 days'`)).rowCount).toBe(1);
        await expect(drop('true')).rejects.toMatchObject(refused);
        await client.query('rollback');
        // What a company does not keep goes earlier.
        await expect(drop(`company_id = ${own.companyId}`)).rejects.toMatchObject(refused);
        await client.query('begin');
        await client.query('update companies set audit_days = 30');
        await drop(`company_id = ${own.companyId} and started_at < now() - interval '30 days'`);
        await client.query('rollback');
      }
      // So do those behind as many newer ones as are kept.
      await client.query('begin');
      await client.query(
        `insert into audit (actor, action, address, request_id, status, is_try)
         select 'nobody', 'signIn', '::1', 'old', 401, true from generate_series(1, $1::int)`,
        [triesKept.rows],
      );
      await drop(`id in (select id from audit where is_try and request_id = 'old' order by id limit 4)`);
      await expect(drop("started_at = date_trunc('milliseconds', now())")).rejects.toMatchObject(refused);
      await client.query('rollback');
    } finally {
      await client.end();
      await own.close();
    }
  });

  it('of a company go only with the company, and with a row that names it', async () => {
    const client = new Client({ connectionString: lab.url });
    await client.connect();
    const before = await rows();
    const everything = '9007199254740991';
    const tell = async (companyId: number) =>
      await client.query(
        `insert into audit (actor, action, subject, address, request_id)
         values ('operator', 'deleteCompany', jsonb_build_object('companyId', $1::int), '::1', 'd')`,
        [companyId],
      );
    const drop = async () =>
      await client.query(
        `insert into audit_drops select ${lab.companyId}, ${everything}, max(id) from audit where company_id is null`,
      );
    try {
      for (const role of ['origin', 'replica']) {
        await client.query(`set session_replication_role = ${role}`);
        // A row of another company's deletion drops nothing of this one.
        await client.query('begin');
        await tell(lab.companyId + 1);
        await expect(drop()).rejects.toMatchObject({ code: '23001' });
        await client.query('rollback');
        // With one of its own everything goes until the end of the transaction, in which the company is still there.
        await client.query('begin');
        await tell(lab.companyId);
        await drop();
        const { rowCount } = await client.query(`delete from audit where company_id = ${lab.companyId}`);
        expect(rowCount).toBeGreaterThan(0);
        await expect(client.query('commit')).rejects.toMatchObject({
          code: '23001',
          message: expect.stringContaining('only together with the company'),
        });
      }
    } finally {
      await client.end();
    }
    expect(await rows()).toEqual(before);
  });

  it('of a chain are not hidden by a try that comes after them', async () => {
    const client = new Client({ connectionString: lab.url });
    await client.connect();
    const before = await lab.store.db.select().from(audit);
    const insert = async (id: number, entry: number, isTry: boolean) =>
      await client.query(
        `insert into audit (id, entry, actor, action, address, request_id, is_try)
         overriding system value values ($1, $2, 'nobody', 'b', '::1', 'c', $3)`,
        [id, entry, isTry],
      );
    const refused = (reason: string) => ({ code: '23001', message: expect.stringContaining(reason) });
    try {
      for (const role of ['origin', 'replica']) {
        await client.query(`set session_replication_role = ${role}`);
        await expect(insert(1_000_000, before[0]?.id ?? 0, true)).rejects.toMatchObject(
          refused('a try that stands for row'),
        );
        // Nor by one that is there before them.
        await expect(insert(1_000_000, 900_000, true)).rejects.toMatchObject(
          refused('an entry that was not begun'),
        );
      }
    } finally {
      await client.end();
    }
    expect(await lab.store.db.select().from(audit)).toEqual(before);
  });

  it('of a try that fails stay outside the chains, those of one that succeeds end in one', async () => {
    const anybody = lab.entry({ companyId: null, userId: null, actor: 'signed out', action: 'signIn' });
    const failed = await lab.audit.begin(anybody);
    await failed.finish(401, { companyId: lab.companyId, userId: 7, actor: 'ada@example.org' });
    const succeeded = await lab.audit.begin(anybody);
    await succeeded.finish(200, { companyId: lab.companyId, userId: 7, actor: 'ada@example.org' });
    const kept = await lab.store.db.select().from(auditRows).where(eq(auditRows.action, 'signIn'));
    expect(kept.map(({ isTry, status, companyId }) => [isTry, status, companyId])).toEqual([
      [true, null, null],
      [true, 401, lab.companyId],
      [true, null, null],
      [false, 200, lab.companyId],
    ]);
    await linkWaiting(lab.store);
    expect(await verifyAudit(lab.store)).toMatchObject({ unlinked: null, hidden: null, waiting: 0 });
  });
});

it('rows of an earlier version become entries, and chains take them in', async () => {
  const database = await emptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-migrations-'));
  try {
    await cp(migrationsFolder, folder, { recursive: true });
    const journalFile = join(folder, 'meta/_journal.json');
    const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: { tag: string }[] };
    const own = journal.entries.findIndex(({ tag }) => tag.endsWith('append_only_audit'));
    await writeFile(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, own) }));
    await migrateDatabase({ connectionString: database.url }, folder);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(`insert into companies (name) values ('Harbour');
      insert into audit (company_id, actor, action, address, request_id, status, finished_at) values
        (1, 'ada@example.org', 'deleteCluster', '::1', 'a', 204, now()),
        (null, 'signed out', 'signIn', '::1', 'b', 401, now()),
        (null, 'operator', 'resetPassword', '::1', 'c', 200, now()),
        (1, 'ada@example.org', 'addCluster', '::1', 'd', null, null)`);
    await client.end();

    const store = await openStore({ databaseUrl: database.url, dataDir: folder });
    const found = await store.db.select().from(audit).orderBy(audit.id);
    expect(found.map(({ requestId, status }) => [requestId, status])).toEqual([
      ['a', 204],
      ['b', 401],
      ['c', 200],
      ['d', null],
      // From here on the rules for entries hold.
      ['upgrade', 200],
    ]);
    expect(await linkWaiting(store)).toBe(4);
    const report = await verifyAudit(store);
    expect(report).toMatchObject({ unlinked: null, waiting: 0 });
    expect(report.chains.map(({ chain, links, problem }) => [chain, links, problem])).toEqual([
      [0, 2, null],
      [1, 2, null],
    ]);
    expect(await store.db.select({ days: companies.auditDays }).from(companies)).toEqual([{ days: null }]);
    await expect(store.db.execute(sql`update audit set status = 200`)).rejects.toThrow();
    await store.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  }
});
