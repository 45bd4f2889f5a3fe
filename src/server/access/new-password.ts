import { and, eq, ne } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Database, Transaction } from '../store/store.ts';
import { guessable, type OwnWords } from './guessable.ts';
import { hashPassword } from './passwords.ts';

/**
 * The refusal of a password that is easy to guess; undefined for any other.
 * @param field of the request that has it, which the page marks
 */
export function guessableProblem(password: string, own: OwnWords, field = 'password'): Problem | undefined {
  const title = guessable(password, own);
  if (title === undefined) return undefined;
  return new Problem({ status: 400, title, issues: [{ path: field, message: title }] });
}

/**
 * Hashes a password that somebody chose. Throws Problem 400 for one that is easy to guess; those that are in use are never
 * asked again.
 * @param field as for `guessableProblem`
 */
export async function hashNewPassword(password: string, own: OwnWords, field?: string): Promise<string> {
  const refusal = guessableProblem(password, own, field);
  if (refusal !== undefined) throw refusal;
  return await hashPassword(password);
}

/** The words that are guessed first of an account. */
export async function ownWordsOf(db: Database | Transaction, userId: number): Promise<OwnWords> {
  const rows = await db
    .select({ name: users.name, email: users.email, organisation: companies.name })
    .from(users)
    .leftJoin(memberships, and(eq(memberships.userId, users.id), ne(memberships.state, 'left')))
    .leftJoin(companies, eq(companies.id, memberships.companyId))
    .where(eq(users.id, userId));
  const [first] = rows;
  return {
    name: first?.name,
    email: first?.email,
    organisations: rows.flatMap(({ organisation }) => organisation ?? []),
  };
}
