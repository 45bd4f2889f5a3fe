import { sql } from 'drizzle-orm';
import type { Store, Transaction } from '../store/store.ts';
import { genesis, type JsonContent, linkHash, rowContent, tryLockChains } from './chain.ts';

/** How chains are closed. */
export interface ClosingLimits {
  /** Rows that are linked in one transaction. */
  readonly batch: number;
  /** Links of a segment. */
  readonly segment: number;
}

export const closingLimits: ClosingLimits = { batch: 1_000, segment: 10_000 };

interface WaitingRow {
  readonly rowId: string;
  readonly chain: number;
  readonly content: JsonContent;
  /** How far its date is ahead of the database's clock, seconds; null where the row is gone. */
  readonly ahead: number | null;
}

/** The end of a chain. */
interface Head {
  readonly position: number;
  readonly hash: Buffer;
}

/**
 * Links the rows that wait, up to one batch. Rows are linked once they are committed, so that no change waits for
 * another's hash, and one server does it at a time. Returns how many were linked; 0 also while another server does it.
 * @param onLinked called with how far the rows that were linked are ahead of the database's clock, seconds; below zero as
 * long as that was not set back
 */
export async function linkWaiting(
  store: Pick<Store, 'db'>,
  limits = closingLimits,
  onLinked: (ahead: number) => void = () => undefined,
): Promise<number> {
  return await store.db.transaction(async (tx) => {
    const lock = await tx.execute<{ is_held: boolean }>(tryLockChains);
    if (!(lock.rows[0]?.is_held ?? false)) return 0;
    const { rows } = await tx.execute<WaitingRow & Record<string, unknown>>(sql`
      select q.row_id as "rowId", q.chain, ${rowContent} as content,
        extract(epoch from greatest(a.started_at, a.finished_at) - clock_timestamp())::float8 as ahead
      from audit_queue q left join audit a on a.id = q.row_id order by q.row_id limit ${limits.batch}`);
    for (const [chain, waiting] of Map.groupBy(rows, (row) => row.chain)) {
      await closeEarlierDays(tx, chain);
      await append(tx, chain, waiting);
      await closeFull(tx, chain, limits.segment);
    }
    if (rows.length === 0) return 0;
    const done = sql.param(rows.map(({ rowId }) => rowId));
    await tx.execute(sql`delete from audit_queue where row_id = any(${done}::bigint[])`);
    onLinked(Math.max(...rows.map(({ ahead }) => ahead ?? Number.NEGATIVE_INFINITY)));
    return rows.length;
  });
}

async function append(tx: Transaction, chain: number, waiting: readonly WaitingRow[]): Promise<void> {
  let { position, hash } = await headOf(tx, chain);
  const links = waiting.map(({ rowId, content }) => {
    position += 1;
    hash = linkHash(hash, { chain, position, rowId: Number(rowId) }, content);
    return { position, rowId, hash: hash.toString('hex') };
  });
  const [positions, rowIds, hashes] = [
    sql.param(links.map((link) => link.position)),
    sql.param(links.map((link) => link.rowId)),
    sql.param(links.map((link) => link.hash)),
  ];
  await tx.execute(sql`insert into audit_links (chain, position, row_id, hash)
    select ${chain}::int, l.position, l.row_id, decode(l.hash, 'hex')
    from unnest(${positions}::bigint[], ${rowIds}::bigint[], ${hashes}::text[]) as l(position, row_id, hash)`);
}

async function headOf(tx: Transaction, chain: number): Promise<Head> {
  const { rows } = await tx.execute<{ position: string; hash: Buffer }>(sql`
    (select position, hash from audit_links where chain = ${chain} order by position desc limit 1)
    union all
    (select last_position, hash from audit_segments where chain = ${chain} order by last_position desc limit 1)
    order by 1 desc limit 1`);
  const [row] = rows;
  return row === undefined
    ? { position: 0, hash: genesis }
    : { position: Number(row.position), hash: row.hash };
}

async function lastClosed(tx: Transaction, chain: number): Promise<number> {
  const { rows } = await tx.execute<{ position: string }>(
    sql`select coalesce(max(last_position), 0) as position from audit_segments where chain = ${chain}`,
  );
  return Number(rows[0]?.position ?? 0);
}

/** Closes the open part of a chain if it was begun on an earlier day (UTC). The caller has the lock of the chains. */
export async function closeEarlierDays(tx: Transaction, chain: number): Promise<void> {
  const closed = await lastClosed(tx, chain);
  const { rows } = await tx.execute<{ is_earlier: boolean }>(sql`
    select (linked_at at time zone 'UTC')::date < (now() at time zone 'UTC')::date as is_earlier
    from audit_links where chain = ${chain} and position = ${closed + 1}`);
  if (!(rows[0]?.is_earlier ?? false)) return;
  const { position } = await headOf(tx, chain);
  await closeSegment(tx, chain, closed + 1, position);
}

async function closeFull(tx: Transaction, chain: number, size: number): Promise<void> {
  const { position } = await headOf(tx, chain);
  for (let first = (await lastClosed(tx, chain)) + 1; first + size - 1 <= position; first += size) {
    await closeSegment(tx, chain, first, first + size - 1);
  }
}

async function closeSegment(tx: Transaction, chain: number, first: number, last: number): Promise<void> {
  await tx.execute(sql`
    insert into audit_segments (chain, first_position, last_position, anchor, hash, newest_at)
    select ${chain}::int, ${first}::bigint, ${last}::bigint,
      coalesce((select hash from audit_segments where chain = ${chain} and last_position = ${first - 1}), ${genesis}),
      (select hash from audit_links where chain = ${chain} and position = ${last}),
      coalesce((select max(greatest(a.started_at, a.finished_at)) from audit_links l join audit a on a.id = l.row_id
        where l.chain = ${chain} and l.position between ${first} and ${last}), now())`);
}
