import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { orgRoles } from '../../../contract/permissions.ts';
import { operatorRow } from '../../access/accounts.ts';
import { storeAccountNotice } from '../../access/account-notice.ts';
import { requirePlainAddress } from '../../access/address-letters.ts';
import { hashPassword } from '../../access/passwords.ts';
import { StartError } from '../../kit/start-error.ts';
import { openStore } from '../../store/open.ts';
import { users } from '../../store/schema/accounts.ts';
import { auditRows } from '../../store/schema/audit.ts';
import { memberships } from '../../store/schema/memberships.ts';
import type { AdminContext } from './context.ts';
import { companyNamed } from './company-named.ts';
import { makePassword } from './reset-password.ts';

/**
 * `local-owner EMAIL COMPANY`: makes somebody an Owner who signs in by password even where the company's provider is
 * enforced, with an account if they have none. Throws StartError for an unknown company, and for an account that somebody
 * else may have made for this address.
 * @param company its name, or its id where several have the name
 */
export async function localOwnerCommand(
  { config, say }: AdminContext,
  address: string,
  company: string,
): Promise<void> {
  const email = address.trim().toLowerCase();
  if (!z.email().max(254).safeParse(email).success)
    throw new StartError(`"${address}" is not an email address.`);
  requirePlainAddress(email);
  const store = await openStore(config);
  try {
    const one = await companyNamed(store, company);
    const password = makePassword();
    const passwordHash = await hashPassword(password);
    const isNew = await store.db.transaction(async (tx) => {
      const made = await tx
        .insert(users)
        .values({ email, name: email.split('@')[0] ?? email })
        .onConflictDoNothing({ target: users.email })
        .returning({ id: users.id });
      const [user] = await tx.select().from(users).where(eq(users.email, email));
      if (user === undefined) throw new Error('The account could not be stored.');
      const [member] = await tx
        .select({ state: memberships.state })
        .from(memberships)
        .where(and(eq(memberships.userId, user.id), eq(memberships.companyId, one.id)));
      const isKnown = user.emailProvenAt !== null || (member !== undefined && member.state !== 'left');
      if (made.length === 0 && !isKnown)
        throw new StartError(
          `${email} has an account that does not belong to ${one.name}, and its address is not confirmed: somebody else may have created it. Invite them to ${one.name} first.`,
        );
      if (user.passwordHash === null)
        await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
      if (user.passwordHash === null && made.length === 0) {
        const title = 'The operator of this console gave your account a password';
        await storeAccountNotice(tx, { userId: user.id, title });
      }
      const owner = { orgRole: orgRoles.Owner, state: 'active' as const, isLocal: true };
      await tx
        .insert(memberships)
        .values({ userId: user.id, companyId: one.id, ...owner })
        .onConflictDoUpdate({ target: [memberships.userId, memberships.companyId], set: owner });
      await tx
        .insert(auditRows)
        .values({ ...operatorRow(one.id, 'localOwner', user.id), subject: { userId: user.id, email } });
      await store.channel.notify('grants', { companyId: one.id }, tx);
      return user.passwordHash === null;
    });
    say(`${email} is an Owner of ${one.name} and can sign in by password even if its provider is enforced.`);
    if (isNew)
      say(`The password is shown only now; ask the person to change it after signing in: ${password}`);
  } finally {
    await store.close();
  }
}
