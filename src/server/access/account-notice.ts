import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { PersonalEvent } from '../../contract/event-tone.ts';
import { accountNoticeLimit } from '../../contract/notifications.ts';
import { accountNotices } from '../store/schema/notifications.ts';
import type { Database, Transaction } from '../store/store.ts';

/** A type of notices that belong to an account. */
export type AccountNoticeType = Extract<
  PersonalEvent,
  'account.changed' | 'account.suspicious' | 'token.ending'
>;

/** A notice to a person about their account. */
export interface AccountNotice {
  readonly userId: number;
  /** A change of how the account is signed in to by default. */
  readonly type?: AccountNoticeType;
  /** A sentence without a full stop: `A passkey was added to your account: Laptop`. */
  readonly title: string;
  /** The organisation that it is about; absent for one of the account itself. */
  readonly companyId?: number;
}

/**
 * Keeps a notice of an account in the console: in the bell of the sessions that are the account's own, or of those in the
 * organisation that it is about. The newest are kept.
 */
export async function storeAccountNotice(
  db: Database | Transaction,
  { userId, type = 'account.changed', title, companyId }: AccountNotice,
): Promise<void> {
  await db
    .insert(accountNotices)
    .values({ id: randomUUID(), userId, type, title, companyId: companyId ?? null });
  await db.execute(sql`delete from account_notices where user_id = ${userId} and id not in (
    select id from account_notices where user_id = ${userId}
    order by created_at desc, id limit ${accountNoticeLimit})`);
}
