import { eq } from 'drizzle-orm';
import { Problem } from '../../../contract/problem.ts';
import { storeAccountNotice } from '../../access/account-notice.ts';
import { recordOperator } from '../../access/accounts.ts';
import { PasskeyList } from '../../passkeys/list.ts';
import { openStore } from '../../store/open.ts';
import { users } from '../../store/schema/accounts.ts';
import type { AdminContext } from './context.ts';

/**
 * `remove-passkeys EMAIL`: takes every passkey of an account away, and ends the sessions that they opened. Who is asked
 * for one registers another at the next sign-in. Throws Problem 404 when nobody has this address.
 */
export async function removePasskeysCommand({ config, say }: AdminContext, email: string): Promise<void> {
  const store = await openStore(config);
  try {
    const removed = await store.db.transaction(async (tx) => {
      const [user] = await tx
        .select({ id: users.id })
        .from(users)
        .where(eq(users.email, email.trim().toLowerCase()));
      if (user === undefined)
        throw new Problem({ status: 404, title: `No account has the email address ${email} here.` });
      await recordOperator(tx, 'removePasskeys', user.id);
      const title = 'The operator of this console removed the passkeys of your account';
      await storeAccountNotice(tx, { userId: user.id, title });
      return await new PasskeyList(store).removeAll(tx, user.id);
    });
    say(
      removed === 0
        ? `${email} has no passkey.`
        : `Removed ${removed} ${removed === 1 ? 'passkey' : 'passkeys'} of ${email}. If an organisation requires passkeys of its Owners, they register another one at the next sign-in.`,
    );
  } finally {
    await store.close();
  }
}
