import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asc, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkWaiting } from '../../../src/server/audit/closing.ts';
import { AuditUpkeep } from '../../../src/server/audit/upkeep.ts';
import { verifyAudit } from '../../../src/server/audit/verify.ts';
import { namedLater } from '../../../src/server/audit/verify-entries.ts';
import { auditCommand } from '../../../src/server/boot/admin/verify-audit.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { migrateDatabase, migrationsFolder } from '../../../src/server/store/migrate.ts';
import { auditLinks, auditRows } from '../../../src/server/store/schema/audit.ts';
import { createFakeClock } from '../live/fake-clock.ts';
import { emptyDatabase } from '../postgres.ts';
import { writeDated } from './dated.ts';
import { type AuditLab, startAuditLab } from './lab.ts';

let lab: AuditLab;
beforeEach(async () => {
  lab = await startAuditLab();
});
afterEach(() => lab.close());

/** A row that says more of entry 1, with some of its columns changed. */
const further = (changes: Readonly<Record<string, string>> = {}): string => {
  const columns = {
    entry: 'entry',
    company_id: 'company_id',
    user_id: 'user_id',
    actor: 'actor',
    action: 'action',
    address: 'address',
    request_id: 'request_id',
    started_at: 'started_at',
    ...changes,
  };
  return `insert into audit (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')}
    from audit where id = 1`;
};

/** Forbidden changes in a later row of an entry: the columns, and the words of the database and of the check. */
const rewritings: readonly (readonly [Readonly<Record<string, string>>, string, string])[] = [
  [{ company_id: 'null' }, 'the organisation', 'moves it to another organisation'],
  [{ user_id: '8' }, 'the person', 'names another person'],
  [{ user_id: 'null' }, 'the person', 'names another person'],
  [{ actor: `'eve@example.org'` }, 'the person', 'names another person'],
  [{ action: `'addCluster'` }, 'the action', 'names another action'],
  [{ started_at: `started_at - interval '30 days'` }, 'the beginning', 'names another beginning'],
];

describe('an entry', () => {
  it.each(rewritings)(
    'keeps what it was begun with: a later row with %j is refused',
    async (changes, what) => {
      await lab.audit.begin(lab.entry());
      const client = new Client({ connectionString: lab.url });
      await client.connect();
      try {
        for (const role of ['origin', 'replica']) {
          await client.query(`set session_replication_role = ${role}`);
          await expect(client.query(further(changes))).rejects.toMatchObject({
            code: '23001',
            message: `The audit is append-only: row ${role === 'origin' ? 2 : 3} that rewrites ${what} is refused.`,
          });
        }
        await client.query(further());
      } finally {
        await client.end();
      }
    },
  );

  it('is not begun again once it has ended, by one of two that try at once either', async () => {
    const open = await lab.audit.begin(lab.entry());
    const [one, two] = [0, 1].map(() => new Client({ connectionString: lab.url }));
    if (one === undefined || two === undefined) throw new Error('There are two connections.');
    await one.connect();
    await two.connect();
    const end = further({ status: '204' });
    const refused = { code: '23001', message: expect.stringContaining('rewrites an entry that has ended') };
    try {
      await one.query('begin');
      await one.query(end);
      // It waits for the first, and then finds its row.
      const second = expect(two.query(end)).rejects.toMatchObject(refused);
      await one.query('commit');
      await second;
      await expect(two.query(further())).rejects.toMatchObject(refused);
      await expect(two.query(further({ entry: '77' }))).rejects.toMatchObject({
        message: expect.stringContaining('rewrites an entry that was not begun'),
      });
    } finally {
      await one.end();
      await two.end();
    }
    // The console itself goes on: the change has happened.
    await open.finish(500);
    expect(await lab.store.db.select({ status: auditRows.status }).from(auditRows)).toEqual([
      { status: null },
      { status: 204 },
    ]);
  });

  it('of a call that is named by what it is asked to do is named once', async () => {
    const open = await lab.audit.begin(lab.entry({ action: 'runAction' }));
    await open.describe({ action: 'deployment.restart', subject: { names: 'web' } });
    await expect(open.describe({ action: 'deployment.scale', subject: {} })).rejects.toMatchObject({
      status: 503,
    });
    await lab.store.db.execute(sql.raw(further({ action: `'deployment.restart'`, status: '200' })));
    expect((await verifyAudit(lab.store)).rewritten).toBe(null);
  });

  it('may be named later by the same calls in the database and in the check', async () => {
    const { rows } = await lab.store.db.execute<{ body: string }>(
      sql`select prosrc as body from pg_proc where proname = 'audit_refuse_rewriting'`,
    );
    const list = /before\.action IN \(([^)]*)\)/.exec(rows[0]?.body ?? '')?.[1] ?? '';
    expect([...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual(namedLater);
  });

  it('of somebody signed out takes their name and organisation at its end', async () => {
    const open = await lab.audit.begin(
      lab.entry({ companyId: null, userId: null, actor: 'signed out', action: 'signIn' }),
    );
    await open.finish(200, { companyId: lab.companyId, userId: 7, actor: 'ada@example.org' });
    const rows = await lab.store.db.select().from(auditRows).orderBy(asc(auditRows.id));
    expect(rows).toMatchObject([{ userId: null }, { userId: 7, companyId: lab.companyId, status: 200 }]);
    expect((await verifyAudit(lab.store)).rewritten).toBe(null);
  });

  it.each([
    ...rewritings.map(([changes, , sentence]) => [changes, sentence] as const),
    [{ status: '500', finished_at: 'now()' }, 'adds to an entry that had ended'] as const,
  ])('that was rewritten with %j is found by the check', async (changes, sentence) => {
    const open = await lab.audit.begin(lab.entry());
    if ('status' in changes) await open.finish(204);
    await writeDated(lab.store.db, (tx) => tx.execute(sql.raw(further(changes))));
    while ((await linkWaiting(lab.store)) > 0);
    const { rewritten, earlier } = await verifyAudit(lab.store);
    expect(rewritten).toMatch(new RegExp(`^Row \\d rewrites entry 1: it ${sentence}\\.$`));
    expect(earlier).toEqual({ count: 0, named: [] });
  });
});

describe('the date of a row', () => {
  it('is that of its writing, whatever it brings along', async () => {
    const before = Date.now();
    await lab.store.db.execute(sql`
      insert into audit (company_id, actor, action, address, request_id, started_at, finished_at, status)
      select ${lab.companyId}::int, 'eve', 'deleteCluster', '::1', 'r', now() + n * interval '30 days',
        now() + n * interval '30 days', 200 from unnest(array[-1, 1]) n`);
    for (const row of await lab.store.db.select().from(auditRows)) {
      for (const date of [row.startedAt, row.finishedAt ?? '']) {
        expect(Date.parse(date)).toBeGreaterThan(before - 5_000);
        expect(Date.parse(date)).toBeLessThan(Date.now() + 5_000);
      }
    }
  });

  it('is that of the last link while the clock is behind it: nothing is refused, and the operator is told once', async () => {
    await writeDated(lab.store.db, (tx) =>
      tx.execute(sql`
        insert into audit (company_id, actor, action, address, request_id, started_at, finished_at, status)
        values (${lab.companyId}, 'ada', 'addCluster', '::1', 'r', date_trunc('milliseconds', now()) + interval '2 days 1 microsecond',
          date_trunc('milliseconds', now()) + interval '2 days 1 microsecond', 200)`),
    );
    const lines: { level: number; msg: string; seconds?: number }[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const clock = createFakeClock();
    const upkeep = new AuditUpkeep({ store: lab.store, log, clock });
    upkeep.start();
    const linked = async (count: number) => {
      await expect
        .poll(
          async () => {
            await clock.advance(3_000);
            return await lab.store.db.$count(auditLinks);
          },
          { timeout: 20_000 },
        )
        .toBe(count);
    };
    await linked(1);
    await lab.write(1);
    await linked(3);
    const rows = await lab.store.db.select().from(auditRows).orderBy(asc(auditRows.id));
    const [ahead] = rows;
    // In whole milliseconds, and not before it.
    const date = Date.parse(ahead?.startedAt ?? '') + 1;
    const dates = rows.slice(1).flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt ?? startedAt]);
    expect(dates.map((one) => Date.parse(one))).toEqual(Array(4).fill(date));
    expect(rows.at(-1)).toMatchObject({ status: 204 });
    expect((await verifyAudit(lab.store)).chains.map(({ problem }) => problem)).toEqual([null, null]);
    // A chain that the clock is not behind of says that it has caught up.
    await lab.store.db.insert(auditRows).values({
      actor: 'operator',
      action: 'setupLink',
      address: 'console',
      requestId: 'r',
    });
    await linked(4);
    await upkeep.close();
    expect(lines.map(({ level, msg }) => [level, msg.slice(0, 30)])).toEqual([
      [40, 'The clock of the database is b'],
      [30, 'The clock of the database has '],
    ]);
    expect(lines[0]?.seconds).toBeGreaterThan(100_000);
  });

  it('that is long before rows that precede it is found by the check', async () => {
    await lab.write(1);
    await linkWaiting(lab.store);
    await writeDated(lab.store.db, (tx) =>
      tx.execute(sql`
        insert into audit (company_id, actor, action, address, request_id, started_at, finished_at, status)
        values (${lab.companyId}, 'eve', 'deleteCluster', '::1', 'r', now() - interval '30 days', now(), 200)`),
    );
    await linkWaiting(lab.store);
    expect((await verifyAudit(lab.store)).chains.map(({ problem }) => problem)).toEqual([
      null,
      'Row 3, at position 3, is dated more than a day before rows that precede it.',
    ]);
  });
});

describe('rows of before these rules', () => {
  it('are listed by the check and do not fail it', async () => {
    const database = await emptyDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-migrations-'));
    const said: string[] = [];
    try {
      await cp(migrationsFolder, folder, { recursive: true });
      const journalFile = join(folder, 'meta/_journal.json');
      const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: { tag: string }[] };
      const own = journal.entries.findIndex(({ tag }) => tag.endsWith('kept_audit_entries'));
      await writeFile(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, own) }));
      await migrateDatabase({ connectionString: database.url }, folder);
      const client = new Client({ connectionString: database.url });
      await client.connect();
      await client.query(`insert into companies (name) values ('Harbour'), ('Lighthouse');
        insert into audit (company_id, user_id, actor, action, address, request_id) values (1, 7, 'ada', 'switchCompany', '::1', 'a');
        insert into audit (entry, company_id, user_id, actor, action, address, request_id, started_at, status)
          select 1, 2, 7, 'ada', 'switchCompany', '::1', 'a', started_at, 200 from audit where id = 1;
        insert into audit (company_id, actor, action, address, request_id, started_at) values
          (1, 'eve', 'deleteCluster', '::1', 'b', now() - interval '30 days')`);
      await migrateDatabase({ connectionString: database.url });
      const refused = { message: expect.stringContaining('rewrites a second beginning of this rule') };
      await expect(
        client.query(
          `insert into audit (actor, action, address, request_id) values ('eve', 'audit.rule', '::1', 'c')`,
        ),
      ).rejects.toMatchObject(refused);
      await client.end();
      const { config } = readConfig({
        DATABASE_URL: database.url,
        WHEELHOUSE_SECRET_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      });
      if (config === null) throw new Error('The settings of the test are wrong.');
      const context = { config, say: (sentence: string) => void said.push(sentence) };
      await auditCommand(context, 'verify');
      expect(said).toEqual(
        expect.arrayContaining([
          'Rows of before an upgrade that break rules which the database has enforced since: 1.',
          '  Row 2 rewrites entry 1: it moves it to another organisation.',
        ]),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
      await database.drop();
    }
  });
});
