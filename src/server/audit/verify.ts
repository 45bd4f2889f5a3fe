import { sql } from 'drizzle-orm';
import type { Store, Transaction } from '../store/store.ts';
import {
  everyPosition,
  genesis,
  installationChain,
  type JsonContent,
  linkHash,
  rowContent,
} from './chain.ts';
import { reportStreams, type StreamReport } from './confirmed.ts';
import { isDeletionTold, wrongDeletion, wrongDrop } from './verify-drops.ts';
import { BrokenRows, type EarlierRows, rewritingRow, ruleBeginning } from './verify-entries.ts';

/** What the check of one chain found. */
export interface ChainReport {
  /** Id of the company; 0 is the installation. */
  readonly chain: number;
  /** Links that are right, in order from the first that is kept. */
  readonly links: number;
  /** The last right position and its hash, hex: kept elsewhere, they show a later cut. */
  readonly head: { readonly position: number; readonly hash: string };
  /** The first thing that is wrong, as a sentence; null if nothing is. */
  readonly problem: string | null;
}

/** What the check of the whole audit found. */
export interface AuditReport {
  readonly chains: readonly ChainReport[];
  /** Rows that are neither linked nor wait for it, as a sentence; null if there is none. */
  readonly unlinked: string | null;
  /** A row outside the chains that people read instead of one in a chain, as a sentence; null if there is none. */
  readonly hidden: string | null;
  /** A later row of an entry that says something else than the rows before it, as a sentence; null if there is none. */
  readonly rewritten: string | null;
  /** Rows that break the rules for entries, from before these: listed, and no failure. */
  readonly earlier: EarlierRows;
  /** Receivers, each with what it confirmed last. */
  readonly streams: readonly StreamReport[];
  /** Rows that wait to be linked: a few while the console runs, and those of its last seconds. */
  readonly waiting: number;
}

const batch = 2_000;

/** Checks every chain as of one moment; memory stays flat, whatever its length. */
export async function verifyAudit(store: Pick<Store, 'db'>): Promise<AuditReport> {
  return await store.db.transaction(
    async (tx) => {
      // One statement reads a batch; rows of a chain of millions are read by many.
      const found = await tx.execute<{ chain: number }>(sql`
        select chain from audit_links union select chain from audit_segments
        union select chain from audit_queue union select ${installationChain}::int
        union select chain from audit_drops where until_position = ${everyPosition}
          and (exists (select 1 from companies where id = chain) or not ${isDeletionTold}) order by 1`);
      const broken = new BrokenRows(await ruleBeginning(tx));
      const chains: ChainReport[] = [];
      for (const { chain } of found.rows) chains.push(await verifyChain(tx, chain, broken));
      return {
        chains,
        unlinked: await unlinkedRow(tx),
        hidden: await hiddenRow(tx),
        rewritten: await rewritingRow(tx, broken),
        earlier: broken.earlier,
        streams: await reportStreams(tx),
        waiting: await waitingRows(tx),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

interface Segment extends Record<string, unknown> {
  readonly first: string;
  readonly last: string;
  readonly anchor: Buffer;
  readonly hash: Buffer;
}

async function verifyChain(tx: Transaction, chain: number, broken: BrokenRows): Promise<ChainReport> {
  const { rows: segments } = await tx.execute<Segment>(sql`
    select first_position as first, last_position as last, anchor, hash from audit_segments
    where chain = ${chain} order by last_position`);
  let head = { position: 0, hash: genesis };
  let links = 0;
  const report = (problem: string | null): ChainReport => ({
    chain,
    links,
    head: { position: head.position, hash: head.hash.toString('hex') },
    problem,
  });

  const wrong = await wrongDeletion(tx, chain);
  if (wrong !== null) return report(wrong);
  const drops = await tx.execute<{ until: string }>(sql`select until_position as until from audit_drops
    where chain = ${chain} and until_position < ${everyPosition} order by 1 desc limit 1`);
  const dropped = Number(drops.rows[0]?.until ?? 0);
  const ends = new Map<number, Buffer>();
  let end = { position: 0, hash: genesis };
  for (const segment of segments) {
    if (Number(segment.first) !== end.position + 1 || !segment.anchor.equals(end.hash))
      return report(`The segment from position ${segment.first} does not continue the one before it.`);
    end = { position: Number(segment.last), hash: segment.hash };
    ends.set(end.position, end.hash);
  }
  const anchor = ends.get(dropped);
  if (dropped > 0) {
    if (anchor === undefined) return report(`The segment that ends at position ${dropped} is missing.`);
    head = { position: dropped, hash: anchor };
    const wrongly = await wrongDrop(tx, chain, { until: dropped, anchor });
    if (wrongly !== null) return report(wrongly);
  }

  let newest = 0;
  for (;;) {
    const { rows } = await tx.execute<{
      position: string;
      rowId: string;
      hash: Buffer;
      content: JsonContent;
    }>(sql`
      select l.position, l.row_id as "rowId", l.hash, ${rowContent} as content
      from audit_links l left join audit a on a.id = l.row_id
      where l.chain = ${chain} and l.position > ${head.position} order by l.position limit ${batch}`);
    for (const row of rows) {
      const [position, rowId] = [Number(row.position), Number(row.rowId)];
      if (position !== head.position + 1) return report(`Position ${head.position + 1} is missing.`);
      const hash = linkHash(head.hash, { chain, position, rowId }, row.content);
      if (row.content === null) return report(`Row ${rowId}, at position ${position}, is missing.`);
      if (!hash.equals(row.hash))
        return report(`Row ${rowId}, at position ${position}, is not what was recorded.`);
      if (chainOf(row.content) !== chain)
        return report(`Row ${rowId}, at position ${position}, belongs to another chain.`);
      const date = dateOf(row.content);
      if (date !== null && date < newest - longestTransaction) {
        const early = `Row ${rowId}, at position ${position}, is dated more than a day before rows that precede it.`;
        const found = broken.judge(rowId, early);
        if (found !== null) return report(found);
      }
      newest = Math.max(newest, date ?? 0);
      const closed = ends.get(position);
      if (closed !== undefined && !closed.equals(hash))
        return report(`The segment that ends at position ${position} has another hash than its last row.`);
      head = { position, hash };
      links += 1;
    }
    if (rows.length < batch) break;
  }
  if (end.position > head.position) return report(`Position ${head.position + 1} is missing.`);
  return report(null);
}

/** Rows are dated as they are written, and linked once they are committed, which is never as much later; microseconds. */
const longestTransaction = 86_400_000_000;

/**
 * When a row was written, microseconds: the first of an entry as that began, the last as it ended; null of one between. By
 * the places of `rowContent`.
 */
function dateOf(content: JsonContent): number | null {
  if (!Array.isArray(content)) return null;
  const date: JsonContent = content[0] === content[1] ? content[11] : content[12];
  return date === null ? null : Number(date);
}

/** The chain that a row belongs to: `rowContent` has its company in the third place. */
const chainOf = (content: JsonContent): JsonContent =>
  (Array.isArray(content) ? content[2] : null) ?? installationChain;

async function unlinkedRow(tx: Transaction): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select a.id from audit a where not a.is_try
      and not exists (select 1 from audit_links l where l.row_id = a.id)
      and not exists (select 1 from audit_queue q where q.row_id = a.id
        and q.chain = coalesce(a.company_id, ${installationChain})) order by a.id limit 1`);
  const [row] = rows;
  return row === undefined ? null : `Row ${row.id} is in no chain and does not wait for its own.`;
}

async function hiddenRow(tx: Transaction): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string; hidden: string }>(sql`
    select a.id, max(earlier.id) as hidden from audit a join audit earlier
      on earlier.entry = a.entry and earlier.id < a.id and not earlier.is_try
    where a.is_try group by a.id order by a.id limit 1`);
  const [row] = rows;
  return row === undefined
    ? null
    : `Row ${row.id}, which is in no chain, hides row ${row.hidden} of a chain.`;
}

async function waitingRows(tx: Transaction): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`select count(*)::int as count from audit_queue`);
  return rows[0]?.count ?? 0;
}
