import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';

/** Held by whoever closes or drops: of several servers one does. Another number than that of the migrations. */
const auditLock = 5_727_210_402;

/** Takes the lock of the chains until the transaction ends; without waiting, tells whether it has it. */
export const tryLockChains = sql`select pg_try_advisory_xact_lock(${auditLock}) as is_held`;

/** Waits for the lock of the chains and keeps it until the transaction ends. Comes before any lock on rows. */
export const lockChains = sql`select pg_advisory_xact_lock(${auditLock})`;

/** The chain of rows without a company: the installation's. */
export const installationChain = 0;

/** Everything of a chain, whatever its position: its company is deleted. */
export const everyPosition = Number.MAX_SAFE_INTEGER;

/** What comes before the first link of a chain. */
export const genesis: Buffer = Buffer.alloc(32);

/** A value as PostgreSQL's `json` has it. */
export type JsonContent =
  | string
  | number
  | boolean
  | null
  | readonly JsonContent[]
  | { readonly [key: string]: JsonContent };

/**
 * A row of the audit `a` as one array of JSON: what its hash is over, in this order. Moments are microseconds since
 * 1970. Null where there is no such row.
 */
export const rowContent: SQL<JsonContent> = sql`case when a.id is null then null else json_build_array(
  a.id, a.entry, a.company_id, a.user_id, a.actor, a.action, a.cluster_id, a.subject, a.changes, a.address, a.request_id,
  (extract(epoch from a.started_at) * 1000000)::bigint, (extract(epoch from a.finished_at) * 1000000)::bigint,
  a.status, a.is_try) end`;

/** A value as JSON whose objects have their keys in the order of their UTF-16 code units, without spaces. */
export function canonicalJson(value: JsonContent): string {
  return JSON.stringify(value, (_key, member: JsonContent) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

/** One place in a chain. */
export interface Link {
  /** Id of the company; 0 is the installation. */
  readonly chain: number;
  /** From 1. */
  readonly position: number;
  readonly rowId: number;
}

/**
 * The hash of a link: SHA-256 over the 32 bytes of the hash before it, and the UTF-8 of the canonical JSON of
 * `[chain, position, row id, row]`. A row that was gone before it was linked is null.
 */
export function linkHash(before: Buffer, { chain, position, rowId }: Link, content: JsonContent): Buffer {
  return createHash('sha256')
    .update(before)
    .update(canonicalJson([chain, position, rowId, content]))
    .digest();
}
