import { sql } from 'drizzle-orm';
import { outcomeOf } from '../../contract/audit.ts';
import type { Database } from '../store/store.ts';
import { type JsonContent, rowContent } from './chain.ts';
import { jsonLine } from './entry-file.ts';

/** A position of a chain and its hash; without a hash where the chain begins. */
export interface ChainPosition {
  readonly chain: number;
  readonly position: number;
  readonly hash: Buffer | null;
}

/** Positions that are not sent: more waited than may, or they were no longer kept. */
export interface Gap {
  readonly from: number;
  readonly until: number;
}

/** A part of a chain as it is sent. */
export interface Batch {
  /** JSON lines: the gap, if there is one, then the rows by position. */
  readonly text: string;
  /** The position to be confirmed. */
  readonly end: ChainPosition;
  readonly gap: Gap | null;
}

/** How much is sent of a chain. */
export interface BatchLimits {
  /** Maximum number of rows of a batch. */
  readonly rows: number;
  /** Maximum number of rows that wait; before them is a gap. */
  readonly waiting: number;
}

/** Characters after which a batch ends with the row that exceeds them. */
const batchLength = 256 * 1024;

interface LinkedRow extends Record<string, unknown> {
  readonly position: string;
  readonly rowId: string;
  readonly hash: Buffer;
  readonly content: JsonContent;
}

/** The rows after a position of a chain; undefined where there are none. */
export async function readBatch(
  db: Pick<Database, 'execute'>,
  { chain, position }: Pick<ChainPosition, 'chain' | 'position'>,
  limits: BatchLimits,
): Promise<Batch | undefined> {
  const { rows: ends } = await db.execute<{ head: string }>(sql`select ${chainHead(chain)} as head`);
  const head = Number(ends[0]?.head ?? 0);
  const { rows } = await db.execute<LinkedRow>(sql`
    select l.position, l.row_id as "rowId", l.hash, ${rowContent} as content
    from audit_links l left join audit a on a.id = l.row_id
    where l.chain = ${chain} and l.position > ${Math.max(position, head - limits.waiting)}
    order by l.position limit ${limits.rows}`);
  const [first] = rows;
  const before = first === undefined ? head : Number(first.position) - 1;
  let end: ChainPosition = { chain, position, hash: null };
  let text = '';
  let gap: Gap | null = null;
  if (before > position) {
    gap = { from: position + 1, until: before };
    end = { chain, position: before, hash: await hashAt(db, chain, before) };
    text = gapLine(chain, gap, end.hash);
  }
  for (const row of rows) {
    if (text.length > batchLength) break;
    end = { chain, position: Number(row.position), hash: row.hash };
    text += rowLine(chain, row);
  }
  return text === '' ? undefined : { text, end, gap };
}

/** The last position of a chain, 0 of an empty one. @param chain its number, or a column that has it */
export const chainHead = (chain: unknown) => sql`greatest(
  (select max(l.position) from audit_links l where l.chain = ${chain}),
  (select max(s.last_position) from audit_segments s where s.chain = ${chain}), 0)`;

async function hashAt(
  db: Pick<Database, 'execute'>,
  chain: number,
  position: number,
): Promise<Buffer | null> {
  const { rows } = await db.execute<{ hash: Buffer }>(sql`
    select hash from audit_links where chain = ${chain} and position = ${position}
    union all select hash from audit_segments where chain = ${chain} and last_position = ${position} limit 1`);
  return rows[0]?.hash ?? null;
}

const hexOf = (hash: Buffer | null) => hash?.toString('hex') ?? null;

function gapLine(chain: number, { from, until }: Gap, hash: Buffer | null): string {
  return jsonLine({ type: 'gap', chain, position: until, hash: hexOf(hash), from, rows: until - from + 1 });
}

const timeOf = (microseconds: JsonContent | undefined) =>
  typeof microseconds === 'number' ? new Date(microseconds / 1_000).toISOString() : null;

/** One row by the names of the contract. Content is in the order of `rowContent`; null of a row that was gone. */
function rowLine(chain: number, { position, rowId, hash, content }: LinkedRow): string {
  const place = { type: 'row', chain, position: Number(position), hash: hexOf(hash), id: Number(rowId) };
  if (!Array.isArray(content)) return jsonLine({ ...place, content: null });
  const [
    ,
    entry,
    companyId,
    userId,
    actor,
    action,
    clusterId,
    subject,
    changes,
    address,
    requestId,
    ...rest
  ] = content as readonly JsonContent[];
  const [startedAt, finishedAt, status = null, isTry] = rest;
  return jsonLine({
    ...place,
    entry,
    companyId,
    userId,
    actor,
    action,
    clusterId,
    subject,
    changes,
    address,
    requestId,
    startedAt: timeOf(startedAt),
    finishedAt: timeOf(finishedAt),
    status,
    outcome: outcomeOf(typeof status === 'number' ? status : null),
    isTry,
  });
}
