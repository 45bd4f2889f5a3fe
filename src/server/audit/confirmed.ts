import { sql } from 'drizzle-orm';
import { auditStreams } from '../store/schema/audit.ts';
import type { Database } from '../store/store.ts';
import { type ChainPosition, chainHead } from './batch.ts';

/** A chain compared with a position that was kept outside of it. */
export interface Comparison {
  /** The last position of the chain. */
  readonly head: number;
  /** How the chain differs, the end of a sentence; null where it does not. */
  readonly wrong: string | null;
  /** Whether the position was dropped by retention, so that it cannot be compared. */
  readonly isDropped: boolean;
}

/** Compares a chain with a position and hash that were kept elsewhere. */
export async function compareWithChain(
  db: Pick<Database, 'execute'>,
  { chain, position, hash }: ChainPosition,
): Promise<Comparison> {
  const { rows } = await db.execute<{ head: string; found: Buffer | null; isDropped: boolean }>(sql`
    select ${chainHead(chain)} as head,
      coalesce((select hash from audit_links where chain = ${chain} and position = ${position}),
        (select hash from audit_segments where chain = ${chain} and last_position = ${position})) as found,
      exists (select 1 from audit_drops where chain = ${chain} and until_position >= ${position}) as "isDropped"`);
  const [row] = rows;
  const head = Number(row?.head ?? 0);
  const found = row?.found ?? null;
  const isDropped = row?.isDropped ?? false;
  if (position === 0 || hash === null) return { head, wrong: null, isDropped: false };
  if (found !== null)
    return {
      head,
      wrong: found.equals(hash) ? null : `the audit has another row at position ${position}`,
      isDropped: false,
    };
  return {
    head,
    wrong: isDropped ? null : `the audit has no position ${position}; it ends at position ${head}`,
    isDropped,
  };
}

/** A receiver of the audit compared with the chain that it is sent. */
export interface StreamReport {
  readonly chain: number;
  /** The origin of the receiver, or the operator's file in words. */
  readonly receiver: string;
  /** The last position that it confirmed. */
  readonly position: number;
  readonly waiting: number;
  /** How the chain differs from what was confirmed, a sentence; null where it does not. */
  readonly problem: string | null;
}

type StreamRow = typeof auditStreams.$inferSelect;

/** A receiver in words. */
export const receiverOf = ({ origin }: Pick<StreamRow, 'origin'>): string => origin ?? 'the operator’s file';

/** Says how a chain differs from what a receiver confirmed last, and how much waits for it. */
export async function reportStream(
  db: Pick<Database, 'execute'>,
  stream: Pick<StreamRow, 'origin' | 'chain' | 'position' | 'hash'>,
): Promise<StreamReport> {
  const { chain, position } = stream;
  const { head, wrong } = await compareWithChain(db, stream);
  const receiver = receiverOf(stream);
  return {
    chain,
    receiver,
    position,
    waiting: Math.max(0, head - position),
    problem: wrong === null ? null : `Position ${position} was confirmed by ${receiver}, but ${wrong}.`,
  };
}

/** Compares each chain with what its receivers confirmed last. */
export async function reportStreams(db: Pick<Database, 'execute' | 'select'>): Promise<StreamReport[]> {
  const streams = await db.select().from(auditStreams).orderBy(auditStreams.chain, auditStreams.sink);
  const reports: StreamReport[] = [];
  for (const stream of streams) reports.push(await reportStream(db, stream));
  return reports;
}
