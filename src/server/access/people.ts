import { and, eq, gt, sql } from 'drizzle-orm';
import { type OrgRole, orgRoles } from '../../contract/permissions.ts';
import { limitsOf, memberByToken } from './api-tokens.ts';
import { opensCompany } from './enforced.ts';
import type { Member } from './person.ts';
import { isMembershipOfSession } from './sessions.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import { sessions } from '../store/schema/sessions.ts';
import { apiTokens } from '../store/schema/tokens.ts';
import type { Database } from '../store/store.ts';
import { sessionOf } from './session-of.ts';

const isOpen = () => and(gt(sessions.expiresAt, sql`now()`), gt(sessions.idleExpiresAt, sql`now()`));

/**
 * The person behind a session or API token as they are now; undefined when it ended, they left the
 * company, or it opens the company no more: a rule for passkeys binds them now, or a provider is enforced.
 * An open socket outlives many changes of its person: role and company are read again, never remembered.
 */
export async function currentMember(db: Database, person: Member): Promise<Member | undefined> {
  if (person.token !== null) return await memberByToken(db, person, person.token);
  const [row] = await db
    .select({ orgRole: memberships.orgRole, name: users.name, email: users.email })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(memberships, isMembershipOfSession())
    .where(
      and(
        sessionOf(person),
        eq(users.id, person.id),
        eq(sessions.companyId, person.companyId),
        isOpen(),
        opensCompany(sessions),
      ),
    );
  if (row === undefined) return undefined;
  return { ...person, orgRole: row.orgRole as OrgRole, name: row.name, email: row.email };
}

/**
 * Somebody as they are now, without a session: for what they began and goes on without them, by an API token or not.
 * Undefined where they are no active member of the company, or have no such token there.
 */
export async function findMember(
  db: Database,
  {
    userId,
    companyId,
    tokenId,
  }: { readonly userId: number; readonly companyId: number; readonly tokenId: number | null },
): Promise<Member | undefined> {
  const [row] = await db
    .select({
      orgRole: memberships.orgRole,
      name: users.name,
      email: users.email,
      companyName: companies.name,
      token: apiTokens,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(
      apiTokens,
      and(eq(apiTokens.id, tokenId ?? 0), eq(apiTokens.userId, userId), eq(apiTokens.companyId, companyId)),
    )
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.companyId, companyId),
        eq(memberships.state, 'active'),
      ),
    );
  if (row === undefined || (tokenId !== null && row.token === null)) return undefined;
  const { token, orgRole, ...rest } = row;
  return {
    ...rest,
    id: userId,
    companyId,
    // By a token nobody is an Owner.
    orgRole: token === null ? (orgRole as OrgRole) : orgRoles.Member,
    sessionHash: '',
    providerId: null,
    token: token === null ? null : limitsOf(token),
  };
}
