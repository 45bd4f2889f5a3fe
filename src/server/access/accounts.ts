import { and, eq, gt, isNull, ne, or, sql } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { links, users } from '../store/schema/accounts.ts';
import { auditRows } from '../store/schema/audit.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Store, Transaction } from '../store/store.ts';
import { storeAccountNotice } from './account-notice.ts';
import { requirePlainAddress } from './address-letters.ts';
import { revokeTokensOf } from './live-tokens.ts';
import { hashNewPassword, ownWordsOf } from './new-password.ts';
import type { Person } from './person.ts';
import { endResetLinks } from './reset-links.ts';
import { hashToken, newToken, type Sessions } from './sessions.ts';
import { systemClock } from '../kit/clock.ts';

/** Lifetime of a set-up link, ms. */
export const setupLinkLifetime = 24 * 3_600_000;

/** Whether there is no account yet: the installation waits for its first Owner. */
export async function needsSetup(store: Pick<Store, 'db'>): Promise<boolean> {
  const rows = await store.db.select({ id: users.id }).from(users).limit(1);
  return rows.length === 0;
}

/**
 * A single-use link that lets its bearer found one organisation. The token stands behind `#`, so that it
 * reaches no server log.
 * @param origin of the console, e.g. http://127.0.0.1:8080
 */
export async function createSetupLink(
  store: Pick<Store, 'db'>,
  origin: string,
  now: number = systemClock.now(),
): Promise<{ url: string; expiresAt: string }> {
  const token = newToken();
  const expiresAt = new Date(now + setupLinkLifetime).toISOString();
  await store.db.insert(links).values({ tokenHash: hashToken(token), purpose: 'setup', expiresAt });
  return { url: `${origin}/login#setup=${token}`, expiresAt };
}

/** Throws Problem 410 for a set-up link that is wrong, used or expired. */
export async function requireSetupLink(store: Pick<Store, 'db'>, token: string, now: number): Promise<void> {
  const [link] = await store.db
    .select({ usedAt: links.usedAt, expiresAt: links.expiresAt })
    .from(links)
    .where(and(eq(links.tokenHash, hashToken(token)), eq(links.purpose, 'setup')));
  if (link === undefined) throw goneProblem('This set-up link is unknown. Check that you copied all of it.');
  if (link.usedAt !== null) throw used();
  if (Date.parse(link.expiresAt) <= now) {
    throw goneProblem(
      'This set-up link has expired. The operator of this console can create a new one: npm run admin -- setup-link.',
    );
  }
}

async function consumeSetupLink(tx: Transaction, token: string, now: number): Promise<void> {
  const time = new Date(now).toISOString();
  const consumed = await tx
    .update(links)
    .set({ usedAt: time })
    .where(
      and(
        eq(links.tokenHash, hashToken(token)),
        eq(links.purpose, 'setup'),
        isNull(links.usedAt),
        gt(links.expiresAt, time),
      ),
    )
    .returning({ usedAt: links.usedAt });
  if (consumed.length === 0) throw used();
}

/** Uses a set-up link for an account that exists: it may found one organisation. Throws Problem 410. */
export async function letFound(
  store: Pick<Store, 'db'>,
  { token, userId }: { readonly token: string; readonly userId: number },
  now: number,
): Promise<void> {
  await store.db.transaction(async (tx) => {
    await consumeSetupLink(tx, token, now);
    await tx.update(users).set({ mayFoundCompany: true }).where(eq(users.id, userId));
  });
}

/**
 * Lets an account found one organisation without a link, for the operator; the audit says so. Answers its address. Throws
 * Problem 404 when nobody has the address, 409 where nobody has shown that it is the account's: anybody may have made that.
 */
export async function letFoundByAddress(store: Pick<Store, 'db'>, address: string): Promise<string> {
  const email = address.trim().toLowerCase();
  await store.db.transaction(async (tx) => {
    const [row] = await tx
      .update(users)
      .set({ mayFoundCompany: true })
      .where(eq(users.email, email))
      .returning({ id: users.id, provenAt: users.emailProvenAt });
    if (row === undefined) throw nobodySignsIn(address);
    if (row.provenAt === null) {
      throw new Problem({
        status: 409,
        title: `${email} is not confirmed as the address of this account. The person confirms it by a link that the console mails, or you give them a link: npm run admin -- setup-link.`,
      });
    }
    await recordOperator(tx, 'setupLink', row.id);
  });
  return email;
}

/**
 * Uses a set-up link: creates its bearer's account, still without an organisation. The link is consumed in the same
 * transaction; the first account ends every other open one as well: a server that was started several times printed
 * several. Throws Problem 410 for a wrong, used or expired link, 400 for a password that is easy to guess, 409 for a taken
 * email address (the link stays good).
 */
export async function useSetupLink(
  store: Pick<Store, 'db'>,
  input: { token: string; name: string; email: string; password: string },
  now: number,
): Promise<number> {
  await requireSetupLink(store, input.token, now);
  requirePlainAddress(input.email);
  const passwordHash = await hashNewPassword(input.password, input);
  return await store.db.transaction(async (tx) => {
    await consumeSetupLink(tx, input.token, now);
    const present = await tx.select({ id: users.id }).from(users).limit(1);
    if (present.length === 0) {
      await tx
        .update(links)
        .set({ usedAt: new Date(now).toISOString() })
        .where(and(eq(links.purpose, 'setup'), isNull(links.usedAt)));
    }
    const [user] = await tx
      .insert(users)
      .values({ name: input.name, email: input.email, passwordHash, mayFoundCompany: true })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id });
    if (user === undefined) throw takenAddress();
    return user.id;
  });
}

/**
 * The set-up without a person (WHEELHOUSE_SETUP_EMAIL): an Owner and an organisation named after the email's domain.
 * Does nothing on an installation that has accounts, also when several replicas start together. Throws Problem 400 for a
 * password that is easy to guess.
 * @param password its length was checked by the configuration
 */
export async function createOwnerUnattended(
  store: Pick<Store, 'db'>,
  input: { email: string; password: string },
): Promise<{ created: false } | { created: true; userId: number; companyId: number }> {
  if (!(await needsSetup(store))) return { created: false };
  const email = input.email.trim().toLowerCase();
  const [name = email, domain = email] = email.split('@');
  const passwordHash = await hashNewPassword(input.password, { email });
  return await store.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('wheelhouse unattended setup'))`);
    const existing = await tx.select({ id: users.id }).from(users).limit(1);
    if (existing.length > 0) return { created: false };
    const [company] = await tx.insert(companies).values({ name: domain }).returning({ id: companies.id });
    if (company === undefined) throw new Error('The organisation could not be stored.');
    const [user] = await tx.insert(users).values({ name, email, passwordHash }).returning({ id: users.id });
    if (user === undefined) throw new Error('The Owner could not be stored.');
    await tx.insert(memberships).values({ userId: user.id, companyId: company.id, orgRole: orgRoles.Owner });
    return { created: true, userId: user.id, companyId: company.id };
  });
}

/** What founding a company needs to know of the person and the installation. */
export interface Founding {
  readonly userId: number;
  readonly name: string;
  /** Whether anybody who is signed in may found a company; otherwise only the bearer of a set-up link, once. */
  readonly isOpen: boolean;
}

/** Makes a person the Owner of a new organisation. Throws Problem 403 for somebody who may not found one. */
export async function createCompany(
  store: Pick<Store, 'db' | 'channel'>,
  { userId, name, isOpen }: Founding,
): Promise<number> {
  return await store.db.transaction(async (tx) => {
    const founders = await tx
      .update(users)
      .set({ mayFoundCompany: false })
      .where(and(eq(users.id, userId), or(eq(users.mayFoundCompany, true), sql`${isOpen}`)))
      .returning({ id: users.id });
    if (founders.length === 0) {
      throw new Problem({
        status: 403,
        title: 'You cannot set up an organisation here. Ask the operator of this console for a set-up link.',
      });
    }
    const [company] = await tx.insert(companies).values({ name }).returning({ id: companies.id });
    if (company === undefined) throw new Error('The organisation could not be stored.');
    await tx.insert(memberships).values({ userId, companyId: company.id, orgRole: orgRoles.Owner });
    await store.channel.notify('grants', { companyId: company.id }, tx);
    return company.id;
  });
}

/**
 * Stores a new password for a person and ends every session of theirs but the one named by hash: both or neither. Their
 * API tokens go on: who knows the present password has lost nothing, and can revoke them. Throws Problem 400 for one that
 * is easy to guess.
 */
export async function changePassword(
  store: Pick<Store, 'db'>,
  sessions: Pick<Sessions, 'endOthers'>,
  person: Pick<Person, 'id' | 'sessionHash'>,
  next: string,
): Promise<void> {
  const passwordHash = await hashNewPassword(next, await ownWordsOf(store.db, person.id), 'next');
  await store.db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, person.id));
    await endResetLinks(tx, person.id);
    await sessions.endOthers(tx, person.id, person.sessionHash);
  });
}

/**
 * The operator's reset: a new password, every session and API token of the person ends, and the audit says so.
 * Throws Problem 404 when nobody has this email address, 400 for a password that is easy to guess.
 */
export async function resetPassword(
  store: Pick<Store, 'db' | 'channel'>,
  email: string,
  next: string,
): Promise<void> {
  const [named] = await store.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email.trim().toLowerCase()));
  if (named === undefined) throw nobodySignsIn(email);
  const passwordHash = await hashNewPassword(next, await ownWordsOf(store.db, named.id));
  await store.db.transaction(async (tx) => {
    const [row] = await tx
      .update(users)
      .set({ passwordHash })
      .where(eq(users.email, email.trim().toLowerCase()))
      .returning({ id: users.id });
    if (row === undefined) throw nobodySignsIn(email);
    await endResetLinks(tx, row.id);
    await tx.delete(sessions).where(eq(sessions.userId, row.id));
    await revokeTokensOf(tx, store.channel, row.id);
    await recordOperator(tx, 'resetPassword', row.id);
    await storeAccountNotice(tx, {
      userId: row.id,
      title: 'The operator of this console gave your account a new password',
    });
    await store.channel.notify('sessions', { userId: row.id }, tx);
  });
}

/**
 * Records what the operator did to an account: each company that the person belongs to reads of it, and the installation
 * does for somebody without one.
 */
export async function recordOperator(tx: Transaction, action: string, userId: number): Promise<void> {
  const joined = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), ne(memberships.state, 'left')));
  const [named] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  for (const companyId of joined.length === 0 ? [null] : joined.map((one) => one.companyId)) {
    await tx
      .insert(auditRows)
      .values({ ...operatorRow(companyId, action, userId), subject: { userId, ...named } });
  }
}

/** The audit's row of what the operator did to an account on the command line. @param companyId null: the installation's */
export const operatorRow = (companyId: number | null, action: string, userId: number) => ({
  companyId,
  actor: 'operator' as const,
  action,
  subject: { userId },
  address: 'console',
  requestId: 'operator',
  finishedAt: sql`now()`,
  status: 200,
});

function nobodySignsIn(email: string): Problem {
  return new Problem({ status: 404, title: `No account has the email address ${email} here.` });
}

function goneProblem(title: string): Problem {
  return new Problem({ status: 410, title });
}

/** The answer to a set-up link used with the address of an account, and not its password. */
export function takenAddress(): Problem {
  return new Problem({
    status: 409,
    title:
      'This email address already has an account here. Enter the password of that account to use it, or use another address.',
  });
}

function used(): Problem {
  return goneProblem('This set-up link was already used. Sign in with the account that was created with it.');
}
