import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import type { TriesRetention } from './retention.ts';
import { describeError } from '../kit/describe-error.ts';
import { audit, tries } from '../store/schema/audit.ts';
import type { Store } from '../store/store.ts';

/** Ids and names that say what a change was done to. Never a body, never a secret. */
export type AuditSubject = Readonly<Record<string, string | number | boolean | null>>;

/** Who does what, from where. */
export interface AuditEntry {
  readonly companyId: number | null;
  readonly userId: number | null;
  /** In words, so that the row outlives the account. */
  readonly actor: string;
  readonly action: string;
  readonly clusterId: number | null;
  readonly subject: AuditSubject;
  readonly address: string;
  readonly requestId: string;
}

/** A row that was written before its change. */
export interface OpenAuditRow {
  /** Says more of what is about to happen. Throws Problem 503 when it cannot: no row, no change. */
  describe(more: Pick<AuditEntry, 'action' | 'subject'>): Promise<void>;
  /** Completes the row; a failure is logged and not thrown, for the change has happened. */
  finish(status: number, more?: Partial<AuditEntry>): Promise<void>;
}

/** The record of changes. */
export interface Audit {
  /** Writes the row of a change that is about to happen. Throws Problem 503 when it cannot: no row, no change. */
  begin(entry: AuditEntry): Promise<OpenAuditRow>;
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
 * A subject as it can be stored and read: callers choose its texts, and the database takes neither NUL nor half a
 * surrogate pair; nor may a text reorder or hide what stands around it. A text that is changed shows it, by U+FFFD or an
 * ellipsis.
 */
function storable<T extends { readonly subject?: AuditSubject }>(row: T): T {
  if (row.subject === undefined) return row;
  const texts = Object.entries(row.subject).map(([key, value]) => {
    if (typeof value !== 'string') return [key, value];
    const clean = value
      .slice(0, maxTextLength)
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
    return [key, value.length > maxTextLength ? `${clean}…` : clean];
  });
  return { ...row, subject: Object.fromEntries(texts) as AuditSubject };
}

/**
 * The audit of one store.
 * @param retention bounds what anybody can fill it with
 */
export function createAudit(store: Pick<Store, 'db'>, log: Logger, retention: TriesRetention): Audit {
  return {
    async begin(entry) {
      let id: number;
      try {
        const [row] = await store.db.insert(audit).values(storable(entry)).returning({ id: audit.id });
        if (row === undefined) throw new Error('The audit row was not stored.');
        id = row.id;
      } catch (error) {
        throw unwritten(error);
      }
      return {
        async describe(more) {
          try {
            await store.db.update(audit).set(storable(more)).where(eq(audit.id, id));
          } catch (error) {
            throw unwritten(error);
          }
        },
        async finish(status, more = {}) {
          try {
            await store.db
              .update(audit)
              .set({ ...storable(more), status, finishedAt: new Date().toISOString() })
              .where(eq(audit.id, id));
          } catch (error) {
            log.error(
              { err: describeError(error), auditId: id, status },
              'An audit row could not be completed',
            );
          }
          if (status >= 400 && tries.has(entry.action)) await retention.failed();
        },
      };
    },
  };
}
