import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkWaiting } from '../../../src/server/audit/closing.ts';
import { dropOlder } from '../../../src/server/audit/dropping.ts';
import { AuditUpkeep } from '../../../src/server/audit/upkeep.ts';
import { verifyAudit } from '../../../src/server/audit/verify.ts';
import { auditCommand } from '../../../src/server/boot/admin/verify-audit.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { audit, auditLinks, auditRows, auditSegments } from '../../../src/server/store/schema/audit.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { startConsole } from '../harness.ts';
import { createFakeClock } from '../live/fake-clock.ts';
import { writeDated } from './dated.ts';
import { type AuditLab, silent, startAuditLab } from './lab.ts';

let lab: AuditLab;
beforeEach(async () => {
  lab = await startAuditLab();
});
afterEach(() => lab.close());

const small = { batch: 100, segment: 4 };

/** Links everything that waits. */
async function linkAll(): Promise<void> {
  while ((await linkWaiting(lab.store, small)) > 0);
}

async function problems(): Promise<string[]> {
  const { chains, unlinked, hidden, rewritten } = await verifyAudit(lab.store);
  return [...chains.map(({ problem }) => problem), unlinked, hidden, rewritten].filter((one) => one !== null);
}

describe('a chain', () => {
  it('has every committed row once, although ids commit out of order', async () => {
    const slow = new Client({ connectionString: lab.url });
    await slow.connect();
    await slow.query('begin');
    await slow.query(
      `insert into audit (company_id, actor, action, address, request_id) values (${lab.companyId}, 'a', 'slow', '::1', 's')`,
    );
    await lab.write(2);
    await linkAll();
    await slow.query('commit');
    await slow.end();
    await linkAll();
    const links = await lab.store.db
      .select({ position: auditLinks.position, rowId: auditLinks.rowId })
      .from(auditLinks)
      .orderBy(auditLinks.position);
    expect(links).toEqual([2, 3, 4, 5, 1].map((rowId, index) => ({ position: index + 1, rowId })));
    expect(await problems()).toEqual([]);
  });

  it('has hashes that anybody can compute from what the decision says', async () => {
    await lab.write(1);
    await linkAll();
    const [row] = await lab.store.db.select().from(auditRows).orderBy(auditRows.id);
    const [link] = await lab.store.db.select().from(auditLinks).orderBy(auditLinks.position);
    const text = JSON.stringify([
      lab.companyId,
      1,
      row?.id,
      [
        row?.id,
        row?.entry,
        lab.companyId,
        7,
        'ada@example.org',
        'deleteCluster',
        3,
        { index: 0 },
        null,
        '198.51.100.7',
        row?.requestId,
        Date.parse(row?.startedAt ?? '') * 1000,
        null,
        null,
        false,
      ],
    ]);
    const hash = createHash('sha256').update(Buffer.alloc(32)).update(text).digest('hex');
    expect(link?.hash.toString('hex')).toBe(hash);
  });

  it('is closed by one of several servers', async () => {
    await lab.write(50);
    await Promise.all(Array.from({ length: 8 }, linkAll));
    expect(await lab.store.db.$count(auditLinks)).toBe(100);
    expect(await problems()).toEqual([]);
  });

  it('is kept up although what else is dropped fails: the next is dropped all the same', async () => {
    const clock = createFakeClock();
    const tried: string[] = [];
    const drop = (name: string) => () => {
      tried.push(name);
      return Promise.reject(new Error('The statement took too long.'));
    };
    const upkeep = new AuditUpkeep({
      store: lab.store,
      log: silent,
      clock,
      dropLeft: [drop('windows'), drop('parts')],
    });
    upkeep.start();
    await clock.advance(3_000);
    await expect.poll(() => tried).toEqual(['windows', 'parts']);
    await upkeep.close();
  });

  it('is closed by a running console within ten seconds', async () => {
    const upkeep = new AuditUpkeep({ store: lab.store, log: silent, clock: systemClock });
    upkeep.start();
    await lab.write(3);
    const started = performance.now();
    await expect.poll(() => lab.store.db.$count(auditLinks), { timeout: 10_000 }).toBe(6);
    expect(performance.now() - started).toBeLessThan(10_000);
    await upkeep.close();
  });

  it.each([
    [
      'a changed row',
      `update audit set actor = 'nobody' where id = 5`,
      /^Row 5, at position 5, is not what/,
      /^Row 6 rewrites entry 5/,
    ],
    [
      'a moment changed by a microsecond',
      `update audit set started_at = started_at + interval '1 microsecond' where id = 5`,
      /^Row 5, at position 5, is not what/,
      /^Row 6 rewrites entry 5/,
    ],
    ['a row taken out', 'delete from audit where id = 6', /^Row 6, at position 6, is missing/],
    [
      'a row taken out with its link',
      'delete from audit where id = 6; delete from audit_links where row_id = 6',
      /^Position 6 is missing/,
    ],
    [
      'a row made a try and taken out',
      'update audit set is_try = true where id = 2; delete from audit where id = 2',
      /^Row 2, at position 2, is missing/,
    ],
    [
      'an end cut off below a closed segment',
      'delete from audit where id > 6; delete from audit_links where row_id > 6',
      /^Position 7 is missing/,
    ],
    [
      'a segment taken out',
      'delete from audit_segments where last_position = 4',
      /^The segment from position 5 does not continue/,
    ],
    [
      'a row that was kept out of the chain',
      `insert into audit (actor, action, address, request_id, entry) values ('a', 'b', '::1', 'c', 999)`,
      /^Row \d+ is in no chain/,
    ],
    [
      'a drop that no row tells of',
      'insert into audit_drops values (1, 4, 1); delete from audit where id <= 4; delete from audit_links where position <= 4',
      /^No row records that everything up to position 4/,
    ],
    [
      'the record of a company that exists dropped as that of a deleted one',
      `insert into audit (actor, action, subject, address, request_id, entry, is_try)
         values ('a', 'deleteCompany', '{"companyId": 1}', '::1', 'c', 999, true);
       insert into audit_drops select 1, 9007199254740991, max(id) from audit; delete from audit where not is_try;
       delete from audit_links; delete from audit_segments`,
      /^Its audit was dropped as that of a deleted organisation, but the organisation still exists/,
    ],
    [
      'a deletion that no row tells of',
      'insert into audit_drops values (77, 9007199254740991, 1)',
      /^No row records that the organisation and its audit were deleted/,
    ],
    [
      'a row that waits for the chain of another',
      `insert into audit (actor, action, address, request_id, entry) values ('a', 'b', '::1', 'c', 999);
       insert into audit_queue select max(id), 1 from audit`,
      /^Row \d+ is in no chain and does not wait for its own/,
    ],
    [
      'a try that people read instead of a row of a chain',
      `insert into audit (entry, actor, action, address, request_id, is_try) values (3, 'nobody', 'b', '::1', 'c', true)`,
      /^Row \d+, which is in no chain, hides row 4 of a chain/,
      /^Row \d+ rewrites entry 3/,
    ],
  ])('shows %s', async (_name, statement, ...sentences) => {
    await lab.write(5);
    await linkAll();
    expect(await problems()).toEqual([]);
    await lab.tamper(statement);
    expect(await problems()).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
  });

  it('shows rows that were put into the chain of another', async () => {
    await lab.write(1);
    await lab.tamper('update audit_queue set chain = 0');
    await lab.store.db.execute(sql`alter table audit_links disable trigger audit_check_link`);
    await linkAll();
    expect(await problems()).toEqual(['Row 1, at position 1, belongs to another chain.']);
  });

  it('is checked by an operator command, which fails for a bad row and names the company', async () => {
    await lab.write(2);
    await linkAll();
    const said: string[] = [];
    const { config } = readConfig({
      DATABASE_URL: lab.url,
      WHEELHOUSE_SECRET_KEY: `k1:${randomBytes(32).toString('base64')}`,
    });
    if (config === null) throw new Error('The settings of the test are wrong.');
    const context = {
      config,
      say: (sentence: string) => void said.push(sentence),
    };
    await auditCommand(context, 'verify');
    expect(said.join('\n')).toMatch(
      /Harbour \(\d+\): 4 rows are as recorded\. Position 4 has hash [0-9a-f]{64}/,
    );
    await lab.tamper(`update audit set status = 200 where id = 2`);
    await expect(auditCommand(context, 'verify')).rejects.toMatchObject({
      sentences: [expect.stringMatching(/^Harbour \(\d+\): Row 2, at position 2, is not what was recorded/)],
    });
  });
});

describe('what a company does not keep', () => {
  it('goes in whole closed segments, and a row with the last hash stays in its place', async () => {
    await lab.writeOld(5, 100);
    await linkAll();
    const segments = await lab.store.db.select().from(auditSegments).orderBy(auditSegments.lastPosition);
    expect(segments.map(({ firstPosition, lastPosition }) => [firstPosition, lastPosition])).toEqual([
      [1, 4],
      [5, 8],
    ]);
    for (const days of [null, 101]) {
      await lab.store.db.update(companies).set({ auditDays: days });
      expect(await dropOlder(lab.store, lab.companyId)).toBe(0);
      expect(await lab.store.db.$count(auditRows)).toBe(10);
    }
    await lab.store.db.update(companies).set({ auditDays: 30 });
    expect(await dropOlder(lab.store, lab.companyId)).toBe(2);
    const left = await lab.store.db.select().from(auditRows).orderBy(auditRows.id);
    expect(left).toMatchObject([
      { id: 9 },
      { id: 10 },
      {
        action: 'audit.expire',
        companyId: lab.companyId,
        status: 200,
        subject: { days: 30, segments: 2, rows: 8, until: 8, hash: segments[1]?.hash.toString('hex') },
      },
    ]);
    expect(await lab.store.db.$count(auditLinks)).toBe(2);
    expect(await problems()).toEqual([]);
    // The chain goes on from the anchor, and is dropped again later.
    await lab.writeOld(3, 40);
    await linkAll();
    expect(await problems()).toEqual([]);
    expect(await dropOlder(lab.store, lab.companyId)).toBe(2);
    await linkAll();
    expect(await problems()).toEqual([]);
  });

  it.each([
    [
      'is dropped although nobody had set that anything is',
      'update companies set audit_days = null',
      /^Everything up to position 8 was dropped as older than 30 days, and nobody had set that/,
    ],
    [
      'is dropped by another number of days than the Owners had set',
      `insert into audit (company_id, actor, action, changes, address, request_id, started_at, finished_at, status)
         select id, 'ada@example.org', 'changeAuditSettings', '{"days": {"before": null, "after": 365}}', '::1', 'c',
           now() - interval '1 day', now() - interval '1 day', 200 from companies`,
      /^Everything up to position 8 was dropped as older than 30 days, and nobody had set that/,
    ],
    [
      'is dropped before it was as old',
      `update audit_segments set newest_at = now() - interval '29 days' where last_position = 8`,
      /^Everything up to position 8 was dropped before it was older than 30 days/,
    ],
  ])('is told by the check where it %s', async (_name, statement, sentence) => {
    await lab.writeOld(5, 31);
    await linkAll();
    await lab.store.db.update(companies).set({ auditDays: 30 });
    expect(await dropOlder(lab.store, lab.companyId)).toBe(2);
    await linkAll();
    expect(await problems()).toEqual([]);
    await lab.tamper(statement);
    expect((await problems())[0]).toMatch(sentence);
  });

  it('is told by a later change of the setting, and by one that is just being made', async () => {
    const change = async (before: number | null, after: number | null, ago: string, took: string) =>
      await writeDated(lab.store.db, (tx) =>
        tx.execute(sql`
          insert into audit (company_id, actor, action, changes, address, request_id, started_at, finished_at, status)
          values (${lab.companyId}, 'ada@example.org', 'changeAuditSettings',
            ${JSON.stringify({ days: { before, after } })}::jsonb, '::1', 'c', now() - ${ago}::interval,
            now() - ${ago}::interval + ${took}::interval, 200)`),
      );
    await lab.writeOld(5, 31);
    await linkAll();
    await lab.store.db.update(companies).set({ auditDays: 30 });
    // Its row says so only after the retention ran.
    await change(null, 30, '1 minute', '2 minutes');
    expect(await dropOlder(lab.store, lab.companyId)).toBe(2);
    await linkAll();
    expect(await problems()).toEqual([]);
    await lab.store.db.update(companies).set({ auditDays: null });
    await change(30, null, '0 seconds', '1 hour');
    await linkAll();
    expect(await problems()).toEqual([]);
  });

  it('is all of it when the company is deleted: the installation keeps the last hash', async () => {
    const console = await startConsole();
    try {
      const companyId = await console.company('Harbour');
      const owner = await console.person({ companyId, isOwner: true });
      await owner.client.call('createTeam', { body: { name: 'ops', description: '' } });
      await linkWaiting(console.store);
      const [last] = await console.store.db.select().from(auditLinks).orderBy(sql`position desc`);
      await owner.client.call('deleteCompany', { body: { name: 'Harbour' } });
      expect(await console.store.db.$count(companies)).toBe(0);
      expect(await console.store.db.select().from(audit).orderBy(audit.id)).toMatchObject([
        {
          companyId: null,
          action: 'deleteCompany',
          subject: { companyId, name: 'Harbour', auditHash: last?.hash.toString('hex') },
        },
      ]);
      await linkWaiting(console.store);
      expect(await verifyAudit(console.store)).toMatchObject({
        chains: [{ chain: 0, problem: null }],
        unlinked: null,
        waiting: 0,
      });
      expect(console.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    } finally {
      await console.close();
    }
  });
});
