import { and, eq, isNull } from 'drizzle-orm';
import { needsSetup } from '../access/accounts.ts';
import type { Person } from '../access/person.ts';
import { proveAddress } from '../access/proven-address.ts';
import {
  freeAddress,
  isCompanyAccount,
  isOpenAccount,
  takeOverAccount,
} from '../access/unproven-accounts.ts';
import { users } from '../store/schema/accounts.ts';
import { identities, identityProviders } from '../store/schema/identities.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Database, Store, Transaction } from '../store/store.ts';
import { SignInFault } from './client.ts';
import type { Claims, Provider } from './provider.ts';
import { sessionOf } from '../access/session-of.ts';

/** The identity that claims name at a provider: by issuer and subject, and nothing else. */
export const identityOf = ({ company }: Provider, { issuer, subject }: Pick<Claims, 'issuer' | 'subject'>) =>
  and(
    company === null ? isNull(identities.providerId) : eq(identities.providerId, company.providerId),
    eq(identities.issuer, issuer),
    eq(identities.subject, subject),
  );

/**
 * Whose identity it is; undefined for nobody's. Notes the use and the address that the provider verified, which proves
 * the account's own one where it is the same and the provider is the installation's.
 */
export async function findPerson(
  tx: Transaction,
  provider: Provider,
  claims: Claims,
  now: string,
): Promise<number | undefined> {
  const [row] = await tx
    .update(identities)
    .set({ lastUsedAt: now, email: claims.email })
    .where(identityOf(provider, claims))
    .returning({ userId: identities.userId });
  if (row === undefined) return undefined;
  if (provider.company === null && claims.email !== null) await proveAddress(tx, row.userId, claims.email);
  return row.userId;
}

/** Whether an identity is connected to an account. */
export async function isIdentityOf(
  db: Database | Transaction,
  provider: Provider,
  claims: Claims,
  userId: number,
): Promise<boolean> {
  const [row] = await db
    .select({ id: identities.id })
    .from(identities)
    .where(and(identityOf(provider, claims), eq(identities.userId, userId)));
  return row !== undefined;
}

/**
 * Who signs in by a provider of the installation. Somebody unknown gets an account, without a company; never somebody
 * else's, whatever address the provider claims. Throws SignInFault.
 * @param from of the request, for the record where somebody else's account loses the address
 */
export async function personOfInstallation(
  store: Pick<Store, 'db' | 'channel'>,
  provider: Provider,
  claims: Claims,
  now: number,
  from: { readonly address: string; readonly requestId: string },
): Promise<number> {
  const time = new Date(now).toISOString();
  return await store.db.transaction(async (tx) => {
    const known = await findPerson(tx, provider, claims, time);
    if (known !== undefined) return known;
    if (claims.email === null) throw new SignInFault('no-address');
    if (await needsSetup(store)) throw new SignInFault('needs-setup');
    const [user] = await tx
      .insert(users)
      .values({ name: claims.name ?? claims.email, email: claims.email, emailProvenAt: time })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id });
    if (user === undefined) {
      // Somebody may have come in by the same identity meanwhile, in another tab.
      const meanwhile = await findPerson(tx, provider, claims, time);
      if (meanwhile !== undefined) return meanwhile;
      // Whoever made an account with this address, and uses it for nothing, does not keep its owner out.
      const [open] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.email, claims.email), isOpenAccount));
      const keeper = { name: claims.name ?? claims.email, passwordHash: null };
      if (open !== undefined && (await takeOverAccount(tx, store.channel, open.id, keeper))) {
        await proveAddress(tx, open.id, claims.email);
        await addIdentity(tx, provider, claims, open.id, time);
        return open.id;
      }
      // A company whose provider claims every address does not keep their owners out.
      const [occupied] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.email, claims.email), isCompanyAccount));
      const freed = { email: claims.email, only: isCompanyAccount, ...from };
      if (occupied === undefined || !(await freeAddress(tx, { userId: occupied.id, ...freed })))
        throw new SignInFault('taken');
      const [own] = await tx
        .insert(users)
        .values({ name: keeper.name, email: claims.email, emailProvenAt: time })
        .onConflictDoNothing({ target: users.email })
        .returning({ id: users.id });
      if (own === undefined) throw new SignInFault('taken');
      await addIdentity(tx, provider, claims, own.id, time);
      return own.id;
    }
    await addIdentity(tx, provider, claims, user.id, time);
    return user.id;
  });
}

/**
 * Connects an identity to the account of who is signed in. Throws SignInFault where it is somebody else's, and where the
 * account is connected to a company's provider by another login: a company may let people in by that alone, so whoever
 * has somebody's password must not add a login of their own. Where the company does so already, also for a login whose
 * verified address is not the account's, unless a link mailed to the account was used in the session. Returns whether it was not connected before.
 */
export async function connectIdentity(
  store: Pick<Store, 'db'>,
  provider: Provider,
  claims: Claims,
  person: Pick<Person, 'id' | 'sessionHash'>,
  now: number,
): Promise<boolean> {
  const time = new Date(now).toISOString();
  const userId = person.id;
  return await store.db.transaction(async (tx) => {
    await requireOneLogin(tx, provider, claims, userId);
    await requireOwnAddress(tx, provider, claims, person);
    const added = await addIdentity(tx, provider, claims, userId, time);
    if (!added && (await findPerson(tx, provider, claims, time)) !== userId)
      throw new SignInFault('connected-elsewhere');
    if (provider.company === null && claims.email !== null) await proveAddress(tx, userId, claims.email);
    return added;
  });
}

/** Throws SignInFault for a second login of one person at the provider of a company, of two at once as well. */
async function requireOneLogin(
  tx: Transaction,
  { company }: Provider,
  { issuer, subject }: Claims,
  userId: number,
): Promise<void> {
  if (company === null) return;
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  const connected = await tx
    .select({ issuer: identities.issuer, subject: identities.subject })
    .from(identities)
    .where(and(eq(identities.userId, userId), eq(identities.providerId, company.providerId)));
  if (connected.some((one) => one.issuer !== issuer || one.subject !== subject))
    throw new SignInFault('connected-otherwise');
}

/** Throws SignInFault `other-address` for a first login at an enforced provider that is not known to be the account's. */
async function requireOwnAddress(
  tx: Transaction,
  provider: Provider,
  claims: Claims,
  { id, sessionHash }: Pick<Person, 'id' | 'sessionHash'>,
): Promise<void> {
  if (provider.company === null) return;
  const [row] = await tx
    .select({ isEnforced: identityProviders.isEnforced })
    .from(identityProviders)
    .where(eq(identityProviders.id, provider.company.providerId));
  if ((row !== undefined && !row.isEnforced) || (await isIdentityOf(tx, provider, claims, id))) return;
  const [own] = await tx
    .select({ email: users.email, addressProvedAt: sessions.addressProvedAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(sessionOf({ sessionHash }), eq(users.id, id)));
  if (own !== undefined && own.email === claims.email) return;
  if (own === undefined || own.addressProvedAt === null) throw new SignInFault('other-address');
  // One link is good for one login.
  await tx.update(sessions).set({ addressProvedAt: null }).where(sessionOf({ sessionHash }));
}

/** Notes whose identity it is from now on; false where it is somebody's already. */
export async function addIdentity(
  tx: Transaction,
  { company }: Provider,
  { issuer, subject, email }: Claims,
  userId: number,
  time: string,
): Promise<boolean> {
  const added = await tx
    .insert(identities)
    .values({ userId, providerId: company?.providerId ?? null, issuer, subject, email, lastUsedAt: time })
    .onConflictDoNothing()
    .returning({ id: identities.id });
  return added.length > 0;
}
