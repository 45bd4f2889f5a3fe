import { sql } from 'drizzle-orm';
import { type Db, fromDrizzle } from 'pg-boss';
import { createLimiter } from '../kit/limiter.ts';
import type { Store, Transaction } from './store.ts';

/**
 * How many statements of the queue run at a time: its workers ask at the same moments, and would open each connection of
 * the pool to find that nothing is due.
 */
const atOnce = 2;

/** The store's connections as the queue's library asks for them; it never has more than two of them. */
export function queueDatabase({ pool }: Pick<Store, 'pool'>): Db {
  const turns = createLimiter(atOnce);
  return { executeSql: async (text, values) => await turns.run(() => pool.query(text, values)) };
}

/** A transaction as the queue's library asks for it: what it does there is done with the commit. */
export function queueTransaction(tx: Transaction): Db {
  return fromDrizzle(tx, sql);
}
