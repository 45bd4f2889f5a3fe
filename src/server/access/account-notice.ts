import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { accountNoticeLimit } from '../../contract/notifications.ts';
import { accountNotices } from '../store/schema/notifications.ts';
import type { Database, Transaction } from '../store/store.ts';

/** A change of how an account is signed in to. */
export interface AccountNotice {
  readonly userId: number;
  /** A sentence without a full stop: `A passkey was added to your account: Laptop`. */
  readonly title: string;
}

/**
 * Says in the console how an account is signed in to was changed: in the bell of the sessions that are the account's own.
 * The newest are kept.
 */
export async function storeAccountNotice(
  db: Database | Transaction,
  { userId, title }: AccountNotice,
): Promise<void> {
  await db.insert(accountNotices).values({ id: randomUUID(), userId, title });
  await db.execute(sql`delete from account_notices where user_id = ${userId} and id not in (
    select id from account_notices where user_id = ${userId}
    order by created_at desc, id limit ${accountNoticeLimit})`);
}
