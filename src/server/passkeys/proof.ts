import { and, eq, sql } from 'drizzle-orm';
import { proofMinutes, type passkeyProofs } from '../../contract/passkeys.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Person } from '../access/person.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Database, Transaction } from '../store/store.ts';

type Proof = (typeof passkeyProofs)[number];

/** The company whose rule asks somebody for a passkey as one of its Owners; null where none does. */
export async function rulingCompany(db: Database | Transaction, userId: number): Promise<string | null> {
  const [row] = await db
    .select({ name: companies.name })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.state, 'active'),
        eq(memberships.orgRole, orgRoles.Owner),
        eq(companies.ownersUsePasskeys, true),
      ),
    )
    .orderBy(companies.name)
    .limit(1);
  return row?.name ?? null;
}

/**
 * The proof that somebody has to give before they change how they sign in: by passkeys or providers. Owners under the rule of a company who have
 * one give it by that: by the password alone they would get another one.
 * @param now the time in ms
 */
export async function missingProof(db: Database, person: Person, now: number): Promise<Proof> {
  const [row] = await db
    .select({
      provedAt: sessions.provedAt,
      passkeyId: sessions.passkeyId,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      hasPasskey: sql<boolean>`exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id})`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, Buffer.from(person.sessionHash, 'hex')));
  if (row === undefined) return 'sign-in';
  const isRecent = Date.parse(row.provedAt) > now - proofMinutes * 60_000;
  if (row.hasPasskey && (await rulingCompany(db, person.id)) !== null)
    return isRecent && row.passkeyId !== null ? 'none' : 'passkey';
  if (isRecent) return 'none';
  if (row.hasPasskey && row.passkeyId !== null) return 'passkey';
  return row.hasPassword ? 'password' : row.hasPasskey ? 'passkey' : 'sign-in';
}

const sentences: Readonly<Record<Exclude<Proof, 'none'>, string>> = {
  password: 'You signed in a while ago. Confirm your password first.',
  passkey: 'Sign in with one of your passkeys first.',
  'sign-in': 'You signed in a while ago. Sign out and in again first.',
};

/** Throws Problem 403 unless somebody has shown just now who they are. @param now the time in ms */
export async function requireProof(db: Database, person: Person, now: number): Promise<void> {
  const missing = await missingProof(db, person, now);
  if (missing !== 'none') throw new Problem({ status: 403, title: sentences[missing] });
}
