import { sql } from 'drizzle-orm';
import type { Transaction } from '../store/store.ts';
import { everyPosition } from './chain.ts';
import { expiry } from './dropping.ts';

/** Whether the row that a drop `audit_drops` names tells that its company was deleted. */
export const isDeletionTold = sql`exists (select 1 from audit a where a.id = audit_drops.row_id and a.company_id is null
  and a.action = 'deleteCompany' and a.subject->'companyId' = to_jsonb(audit_drops.chain))`;

/** Everything of a chain may be dropped only with its company, and with a row that tells of it; else says so. */
export async function wrongDeletion(tx: Transaction, chain: number): Promise<string | null> {
  const { rows } = await tx.execute<{ is_there: boolean; is_told: boolean }>(sql`
    select exists (select 1 from companies where id = chain) as is_there, ${isDeletionTold} as is_told
    from audit_drops where chain = ${chain} and until_position = ${everyPosition}`);
  const [drop] = rows;
  if (drop === undefined) return null;
  if (drop.is_there)
    return 'Its audit was dropped as that of a deleted organisation, but the organisation still exists.';
  return drop.is_told ? null : 'No row records that the organisation and its audit were deleted.';
}

interface ToldDrop extends Record<string, unknown> {
  readonly hash: string | null;
  readonly days: number | null;
  readonly is_early: boolean;
  /** The days that may have been in force then. */
  readonly allowed: (number | null)[];
}

/**
 * The row that tells of the last drop must be there, with the hash that it left as the anchor; all that went was older
 * than the company kept it, by what the record says of that setting. Else says what is wrong.
 */
export async function wrongDrop(
  tx: Transaction,
  chain: number,
  { until, anchor }: { readonly until: number; readonly anchor: Buffer },
): Promise<string | null> {
  const { rows } = await tx.execute<ToldDrop>(sql`
    with told as (
      select a.subject->>'hash' as hash, a.started_at,
        case when jsonb_typeof(a.subject->'days') = 'number' then (a.subject->>'days')::numeric::int end as days
      from audit_drops d join audit a on a.id = d.row_id
      where d.chain = ${chain} and d.until_position = ${until}
        and a.action = ${expiry} and a.company_id = ${chain} and not a.is_try),
    settings as (
      select e.started_at, e.finished_at, e.changes->'days'->'before' as before, e.changes->'days'->'after' as after
      from audit_entries e
      where e.company_id = ${chain} and e.action = 'changeAuditSettings' and e.status < 400 and e.changes ? 'days'),
    former as (select after from settings, told where settings.finished_at < told.started_at
      order by settings.finished_at desc limit 1),
    later as (select before from settings, told where settings.finished_at >= told.started_at
      order by settings.finished_at limit 1),
    -- What is no longer on record itself is known by what replaced it, or is in force still.
    allowed as (
      select after as days from former
      union all select before from later where not exists (select 1 from former)
      union all select to_jsonb(c.audit_days) from companies c
        where c.id = ${chain} and not exists (select 1 from former) and not exists (select 1 from later)
      -- A change is in force a moment before its row says so.
      union all select settings.after from settings, told
        where settings.started_at <= told.started_at and settings.finished_at >= told.started_at)
    select hash, days,
      exists (select 1 from audit_segments s where s.chain = ${chain} and s.last_position <= ${until}
        and s.last_position > coalesce((select max(d.until_position) from audit_drops d
          where d.chain = ${chain} and d.until_position < ${until}), 0)
        and s.newest_at >= told.started_at - make_interval(days => told.days)) as is_early,
      (select coalesce(json_agg(allowed.days), '[]') from allowed) as allowed
    from told`);
  const [drop] = rows;
  if (drop?.hash !== anchor.toString('hex') || drop.days === null)
    return `No row records that everything up to position ${until} was dropped.`;
  if (drop.is_early)
    return `Everything up to position ${until} was dropped before it was older than ${drop.days} days.`;
  return drop.allowed.includes(drop.days)
    ? null
    : `Everything up to position ${until} was dropped as older than ${drop.days} days, and nobody had set that.`;
}
