import { eq, sql } from 'drizzle-orm';
import { auditRows } from '../store/schema/audit.ts';
import { companies } from '../store/schema/companies.ts';
import type { Store, Transaction } from '../store/store.ts';
import { everyPosition, lockChains } from './chain.ts';
import { closeEarlierDays } from './closing.ts';

/** The action of the row that stands for what was dropped. */
export const expiry = 'audit.expire';

/**
 * Drops the segments of a company whose rows are all older than it keeps them, by the database's clock, as its triggers
 * count. A row of the audit says so and keeps the last hash, which is the anchor of what stays. Tries of as long ago,
 * which are in no chain, go as well. Returns how many segments; none of a company that keeps everything.
 */
export async function dropOlder(store: Pick<Store, 'db'>, companyId: number): Promise<number> {
  const dropped = await store.db.transaction(async (tx) => {
    await tx.execute(lockChains);
    // Nobody changes it meanwhile: the row says for how many days.
    const [company] = await tx
      .select({ days: companies.auditDays })
      .from(companies)
      .where(eq(companies.id, companyId))
      .for('share');
    const days = company?.days ?? null;
    if (days === null) return 0;
    await closeEarlierDays(tx, companyId);
    return await announceDrop(tx, companyId, days);
  });
  await deleteDropped(store, companyId);
  await store.db.execute(sql`delete from audit a using companies c where c.id = ${companyId}
    and a.company_id = c.id and a.is_try and a.started_at < now() - make_interval(days => c.audit_days)`);
  return dropped;
}

interface Candidates extends Record<string, unknown> {
  readonly segments: number;
  readonly until: string;
  readonly first: string;
  readonly newest: Date;
  readonly hash: string;
}

async function announceDrop(tx: Transaction, companyId: number, days: number): Promise<number> {
  // In order from the first one that is left: whatever comes after a newer segment stays with it.
  const { rows } = await tx.execute<Candidates>(sql`
    with kept as (select * from audit_segments s where s.chain = ${companyId} and s.last_position >
        coalesce((select max(until_position) from audit_drops where chain = ${companyId}), 0)),
      old as (select * from kept where last_position <
        coalesce((select min(last_position) from kept where newest_at >= now() - make_interval(days => ${days})), ${everyPosition}))
    select count(*)::int as segments, max(last_position) as until, min(first_position) as first,
      max(newest_at) as newest, (array_agg(encode(hash, 'hex') order by last_position desc))[1] as hash from old`);
  const [found] = rows;
  if (found === undefined || found.segments === 0) return 0;
  const { segments, until, first, newest, hash } = found;
  const [row] = await tx
    .insert(auditRows)
    .values({
      companyId,
      actor: 'retention',
      action: expiry,
      subject: {
        days,
        segments,
        rows: Number(until) - Number(first) + 1,
        until: Number(until),
        newest: new Date(newest).toISOString(),
        hash,
      },
      address: 'console',
      requestId: 'retention',
      finishedAt: sql`date_trunc('milliseconds', now())`,
      status: 200,
    })
    .returning({ id: auditRows.id });
  await tx.execute(
    sql`insert into audit_drops (chain, until_position, row_id) values (${companyId}, ${until}, ${row?.id})`,
  );
  return segments;
}

/** Deletes what may go, a segment at a time, also what an earlier run that was stopped has left. */
async function deleteDropped({ db }: Pick<Store, 'db'>, chain: number): Promise<void> {
  const { rows } = await db.execute<{ first: string; last: string }>(sql`
    select s.first_position as first, s.last_position as last from audit_segments s
    where s.chain = ${chain} and exists (select 1 from audit_links l where l.chain = s.chain and l.position = s.last_position)
      and s.last_position <= (select max(until_position) from audit_drops where chain = ${chain}) order by 1`);
  for (const { first, last } of rows) {
    await db.transaction(async (tx) => {
      await tx.execute(sql`delete from audit a using audit_links l
        where l.chain = ${chain} and l.position between ${first} and ${last} and a.id = l.row_id`);
      await tx.execute(
        sql`delete from audit_links where chain = ${chain} and position between ${first} and ${last}`,
      );
    });
  }
}

/** What is left of the record of a deleted company: how long it was, and the hash that it ended with. */
export interface ChainEnd {
  readonly auditRows: number;
  readonly auditHash: string;
}

/** The end of a company's chain as it is now. */
export async function chainEnd(tx: Transaction, companyId: number): Promise<ChainEnd> {
  const { rows } = await tx.execute<{ position: string; hash: string }>(sql`
    select position, encode(hash, 'hex') as hash from audit_links where chain = ${companyId}
    order by position desc limit 1`);
  return { auditRows: Number(rows[0]?.position ?? 0), auditHash: rows[0]?.hash ?? '' };
}

/**
 * Deletes the whole record of a company that is being deleted. The caller has the lock of the chains.
 * @param rowId the row of the installation that tells of the deletion
 */
export async function dropCompany(tx: Transaction, companyId: number, rowId: number): Promise<void> {
  await tx.execute(
    sql`insert into audit_drops (chain, until_position, row_id) values (${companyId}, ${everyPosition}, ${rowId})`,
  );
  await tx.execute(sql`delete from audit where company_id = ${companyId}`);
  await tx.execute(sql`delete from audit_links where chain = ${companyId}`);
  await tx.execute(sql`delete from audit_segments where chain = ${companyId}`);
  await tx.execute(sql`delete from audit_queue where chain = ${companyId}`);
  await tx.execute(sql`delete from audit_streams where chain = ${companyId}`);
}
