import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../../src/server/store/store.ts';

/**
 * Writes rows of the audit with dates that they bring along, as if they had been written then: the database dates what is
 * written now. Everything else that guards the audit stays on.
 */
export async function writeDated(db: Database, write: (tx: Transaction) => Promise<unknown>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`alter table audit disable trigger audit_refuse_rewriting`);
    await write(tx);
    await tx.execute(sql`alter table audit enable always trigger audit_refuse_rewriting`);
  });
}
