import { desc, eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import { describeError } from '../kit/describe-error.ts';
import { isMissingReference } from '../store/problem.ts';
import { auditRows } from '../store/schema/audit.ts';
import type { Database, Store, Transaction } from '../store/store.ts';
import { type CallIds, namesOf } from './names.ts';
import type { TriesRetention } from './retention.ts';

/** What the audit keeps of a fact. Never a body, never a secret. */
export type AuditValue = string | number | boolean | null;

/** Ids and names that say what a change was done to. */
export type AuditSubject = Readonly<Record<string, AuditValue>>;

/** Settings that were changed, by name. */
export type AuditChanges = Readonly<
  Record<string, { readonly before: AuditValue; readonly after: AuditValue }>
>;

/** Who does what, from where. */
export interface AuditEntry {
  readonly companyId: number | null;
  readonly userId: number | null;
  /** In words, so that the row outlives the account. */
  readonly actor: string;
  readonly action: string;
  readonly clusterId: number | null;
  readonly subject: AuditSubject;
  /** None without it. */
  readonly changes?: AuditChanges;
  readonly address: string;
  readonly requestId: string;
}

/** A change that has a row since before it. What is said of it later is a row of its own. */
export interface OpenAuditRow {
  /** Says more of what is about to happen. Throws Problem 503 when it cannot: no row, no change. */
  describe(more: Pick<AuditEntry, 'action' | 'subject'>): Promise<void>;
  /** Says how it ended; a failure is logged and not thrown, for the change has happened. */
  finish(status: number, more?: Partial<AuditEntry>): Promise<void>;
}

/** The record of changes. */
export interface Audit {
  /**
   * The names that belong to ids of a company, for the row of a change that is about to happen. Throws Problem 503 when
   * they cannot be read.
   */
  names(companyId: number, ids: CallIds): Promise<AuditSubject>;
  /**
   * Writes the row of a change that is about to happen. Throws Problem 503 when it cannot: no row, no change.
   * @param also stored with the same commit; it is given the id of the entry
   */
  begin(entry: AuditEntry, also?: (tx: Transaction, id: number) => Promise<void>): Promise<OpenAuditRow>;
}

const unwritten = (cause: unknown) =>
  new Problem(
    {
      status: 503,
      title:
        'The audit record cannot be written, so nothing was changed. Try again; if the problem persists, tell the operator of this console.',
    },
    { cause },
  );

/** Longest text of a subject, in characters. */
const maxTextLength = 8_000;

/**
 * A value as it can be stored and read: callers choose its texts, and the database takes neither NUL nor half a
 * surrogate pair; nor may a text reorder or hide what stands around it. A text that is changed shows it, by U+FFFD or an
 * ellipsis.
 */
function storableValue(value: AuditValue): AuditValue {
  if (typeof value !== 'string') return value;
  const clean = value
    .slice(0, maxTextLength)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return value.length > maxTextLength ? `${clean}…` : clean;
}

const storableSubject = (subject: AuditSubject): AuditSubject =>
  Object.fromEntries(Object.entries(subject).map(([key, value]) => [key, storableValue(value)]));

function storable(entry: AuditEntry): AuditEntry {
  const { subject, changes } = entry;
  return {
    ...entry,
    subject: storableSubject(subject),
    ...(changes === undefined
      ? {}
      : {
          changes: Object.fromEntries(
            Object.entries(changes).map(([key, { before, after }]) => [
              key,
              { before: storableValue(before), after: storableValue(after) },
            ]),
          ),
        }),
  };
}

/**
 * Writes the only row of what is over, within the transaction that ends it: neither is stored without the other. It is in
 * the chain of the company, whoever did it. Throws errors of the database.
 * @param status HTTP status of the outcome
 */
export async function recordEnded(
  tx: Pick<Database, 'insert'>,
  entry: AuditEntry,
  status: number,
): Promise<void> {
  await tx.insert(auditRows).values({
    ...storable(entry),
    status,
    finishedAt: sql`date_trunc('milliseconds', clock_timestamp())`,
  });
}

/**
 * Says how an entry ended, with the commit of `tx`; nothing happens where the entry went with its company. Whoever calls it
 * sees to it that nobody else does. Throws errors of the database.
 * @param status HTTP status of the outcome
 * @param more what is known of its subject besides
 */
export async function recordEnd(
  tx: Transaction,
  entry: number,
  status: number,
  more: AuditSubject,
): Promise<void> {
  const [last] = await tx
    .select()
    .from(auditRows)
    .where(eq(auditRows.entry, entry))
    .orderBy(desc(auditRows.id))
    .limit(1);
  if (last === undefined) return;
  const { id: _id, subject, ...known } = last;
  await tx.insert(auditRows).values({
    ...known,
    subject: { ...(subject as AuditSubject), ...storableSubject(more) },
    status,
    finishedAt: sql`date_trunc('milliseconds', clock_timestamp())`,
  });
}

/**
 * The audit of one store.
 * @param retention bounds what anybody can fill it with
 */
export function createAudit(store: Pick<Store, 'db'>, log: Logger, retention: TriesRetention): Audit {
  return {
    async names(companyId, ids) {
      try {
        return await namesOf(store.db, companyId, ids);
      } catch (error) {
        throw unwritten(error);
      }
    },
    async begin(entry, also) {
      // Anybody who reaches the console can make these rows.
      const isTry = entry.userId === null;
      let first: { readonly id: number; readonly startedAt: string };
      try {
        const insert = async (db: Pick<Database, 'insert'>) => {
          const [row] = await db
            .insert(auditRows)
            .values({ ...storable(entry), isTry })
            .returning({ id: auditRows.id, startedAt: auditRows.startedAt });
          if (row === undefined) throw new Error('The audit row was not stored.');
          return row;
        };
        first =
          also === undefined
            ? await insert(store.db)
            : await store.db.transaction(async (tx) => {
                const row = await insert(tx);
                await also(tx, row.id);
                return row;
              });
      } catch (error) {
        throw unwritten(error);
      }
      const { id, startedAt } = first;
      let known = entry;
      return {
        async describe(more) {
          known = { ...known, ...more };
          try {
            await store.db.insert(auditRows).values({ ...storable(known), entry: id, startedAt, isTry });
          } catch (error) {
            throw unwritten(error);
          }
        },
        async finish(status, more = {}) {
          known = { ...known, ...more };
          const failed = isTry && status >= 400;
          try {
            await store.db.insert(auditRows).values({
              ...storable(known),
              entry: id,
              startedAt,
              status,
              finishedAt: sql`date_trunc('milliseconds', clock_timestamp())`,
              isTry: failed,
            });
          } catch (error) {
            // The record of a company that was deleted went with it.
            if (!isMissingReference(error))
              log.error(
                { err: describeError(error), auditId: id, status },
                'An audit row could not be completed',
              );
          }
          if (failed) await retention.failed();
        },
      };
    },
  };
}
