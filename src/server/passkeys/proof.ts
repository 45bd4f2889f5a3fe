import { and, eq, not, sql } from 'drizzle-orm';
import { proofMinutes } from '../../contract/passkeys.ts';
import type { IdentityProof } from '../../contract/problem-schema.ts';
import { Problem } from '../../contract/problem.ts';
import type { SignInProvider } from '../../contract/sign-in.ts';
import { isRuleKept } from '../access/enforced.ts';
import type { Person } from '../access/person.ts';
import { sessionOf } from '../access/session-of.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { identityProviders } from '../store/schema/identities.ts';
import { memberships } from '../store/schema/memberships.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Database, Transaction } from '../store/store.ts';
import type { Clock } from '../kit/clock.ts';

/** The company whose rule asks somebody for a passkey; null where none does. */
export async function rulingCompany(db: Database | Transaction, userId: number): Promise<string | null> {
  const [row] = await db
    .select({ name: companies.name })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(and(eq(memberships.userId, userId), eq(memberships.state, 'active'), not(isRuleKept(sql`null`))))
    .orderBy(companies.name)
    .limit(1);
  return row?.name ?? null;
}

/** The providers of the installation. */
interface KnownProviders {
  readonly installation: readonly SignInProvider[];
}

/**
 * The way in which somebody confirms their identity before a call that asks for it, and whether they did so within
 * `proofMinutes`. People under the rule of a company who have a passkey do it by that: by the password alone they
 * would get another one. A session that a company's provider opened is confirmed there, never by a password that the
 * company does not take.
 * @param now the time in ms
 */
async function proofOf(
  db: Database,
  person: Person,
  now: number,
): Promise<{ readonly way: IdentityProof; readonly isRecent: boolean }> {
  const [row] = await db
    .select({
      provedAt: sessions.provedAt,
      passkeyId: sessions.passkeyId,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      hasPasskey: sql<boolean>`exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id})`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(sessionOf(person));
  if (row === undefined) return { way: 'sign-in', isRecent: false };
  const isRecent = Date.parse(row.provedAt) > now - proofMinutes * 60_000;
  if (person.providerId !== null) return { way: 'sign-in', isRecent };
  if (row.hasPasskey && (await rulingCompany(db, person.id)) !== null)
    return { way: 'passkey', isRecent: isRecent && row.passkeyId !== null };
  const isByPasskey = row.hasPasskey && (row.passkeyId !== null || !row.hasPassword);
  return { way: isByPasskey ? 'passkey' : row.hasPassword ? 'password' : 'sign-in', isRecent };
}

/** Throws Problem 409 unless a password is what confirms the identity of somebody. @param now the time in ms */
export async function requirePasswordProof(db: Database, person: Person, now: number): Promise<void> {
  if ((await proofOf(db, person, now)).way === 'password') return;
  throw new Problem({
    status: 409,
    title: 'A password cannot confirm your identity in this session. Reload the page and try again.',
  });
}

/** The provider by which a session was opened; undefined where none opened it, or it is configured no more. */
export async function providerOfSession(
  db: Database,
  providers: KnownProviders,
  person: Pick<Person, 'sessionHash'>,
): Promise<SignInProvider | undefined> {
  const [row] = await db
    .select({ way: sessions.signInWay, company: identityProviders.name })
    .from(sessions)
    .leftJoin(identityProviders, eq(identityProviders.id, sessions.providerId))
    .where(sessionOf(person));
  if (row === undefined) return undefined;
  const label = row.company ?? providers.installation.find(({ key }) => key === row.way)?.label;
  return label === undefined ? undefined : { key: row.way, label };
}

/**
 * Notes that somebody has just confirmed their identity in a session, or one dangerous act by a passkey.
 * @param now the time in ms
 */
export async function noteProof(
  db: Database,
  person: Pick<Person, 'sessionHash'>,
  column: 'provedAt' | 'actProvedAt',
  now: number,
): Promise<void> {
  await db
    .update(sessions)
    .set({ [column]: new Date(now).toISOString() })
    .where(sessionOf(person));
}

/** Makes a session one that a passkey opened, which confirms the identity of its person. @param now the time in ms */
export async function noteSignInByPasskey(
  db: Database,
  person: Pick<Person, 'sessionHash'>,
  passkeyId: number,
  now: number,
): Promise<void> {
  await db
    .update(sessions)
    .set({ signInWay: 'passkey', passkeyId, provedAt: new Date(now).toISOString() })
    .where(sessionOf(person));
}

/**
 * The check of a person: throws Problem 403 with the code `identity-not-confirmed` and the way to confirm it, unless they
 * confirmed their identity within `proofMinutes`.
 */
export function createProofCheck(
  db: Database,
  providers: KnownProviders,
  clock: Clock,
): (person: Person) => Promise<void> {
  return async (person) => {
    const { way: proof, isRecent } = await proofOf(db, person, clock.now());
    if (isRecent) return;
    const provider = proof === 'sign-in' ? await providerOfSession(db, providers, person) : undefined;
    const titles: Readonly<Record<IdentityProof, string>> = {
      password: 'You signed in a while ago. Confirm your password first.',
      passkey: 'Sign in with one of your passkeys first.',
      'sign-in':
        provider === undefined
          ? 'You signed in a while ago. Sign out and in again first.'
          : `You signed in a while ago. Sign in with ${provider.label} again first.`,
    };
    throw new Problem({
      status: 403,
      title: titles[proof],
      code: 'identity-not-confirmed',
      proof,
      ...(provider === undefined ? {} : { signInAt: provider }),
    });
  };
}
