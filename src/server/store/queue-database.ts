import { sql } from 'drizzle-orm';
import { type Db, fromDrizzle } from 'pg-boss';
import type { Store, Transaction } from './store.ts';

/** The store's connections as the queue's library asks for them. */
export function queueDatabase({ pool }: Pick<Store, 'pool'>): Db {
  return { executeSql: async (text, values) => await pool.query(text, values) };
}

/** A transaction as the queue's library asks for it: what it does there is done with the commit. */
export function queueTransaction(tx: Transaction): Db {
  return fromDrizzle(tx, sql);
}
