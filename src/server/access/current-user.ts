import { and, asc, desc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { User } from '../../contract/account.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Database } from '../store/store.ts';
import { readHomelessness } from './invited.ts';
import { closedCompany, isOpenToAll, isRuleKept, ruledCompany } from './enforced.ts';
import type { Person } from './person.ts';

/** The parts of a session's person that make the current user. */
export type UserSource = Omit<Person, 'sessionHash' | 'providerId' | 'token'>;

/**
 * A person as the specification's calls give them (section 3). Flags are facts: they are set only while the person
 * belongs to no company.
 * @param isSignupOpen whether anybody who is signed in may found a company
 * @param now the time in ms
 */
export async function currentUser(
  db: Database,
  person: UserSource,
  { isSignupOpen, now }: { readonly isSignupOpen: boolean; readonly now: number },
): Promise<User> {
  const facts = person.companyId === null ? await readHomelessness(db, person.id, now) : undefined;
  const isInvitePending = facts?.isInvitePending === true;
  // Whoever is invited answers that first: the company that they might found is not what they came for.
  // Nor is another company what somebody came for whom theirs asks for a passkey.
  const ruled = facts === undefined ? undefined : await ruledCompany(db, person.id);
  const mayFound =
    facts !== undefined &&
    !isInvitePending &&
    ruled === undefined &&
    (isSignupOpen || (await mayFoundCompany(db, person.id)));
  const closed = facts === undefined ? undefined : await closedCompany(db, person.id);
  const isInviteRejected =
    facts?.isInviteRejected === true && !mayFound && closed === undefined && ruled === undefined;
  return {
    id: person.id,
    companyId: person.companyId ?? 0,
    companyName: person.companyName,
    orgRole: person.orgRole,
    name: person.name,
    email: person.email,
    isInviteNotFound: facts !== undefined && !isInvitePending && !isInviteRejected && !mayFound,
    isInvitePending,
    isInviteRejected,
    shouldSetupCompany: mayFound,
    ...(facts?.formerCompany === undefined ? {} : { formerCompany: facts.formerCompany }),
    ...(closed === undefined ? {} : { closedCompany: closed }),
    ...(ruled === undefined ? {} : { passkeyCompany: ruled }),
  };
}

/** Stores when a person's first sign-in was complete, unless that is stored already. */
export async function completeFirstLogin(db: Database, userId: number): Promise<void> {
  await db
    .update(users)
    .set({ firstLoginCompletedAt: sql`now()` })
    .where(and(eq(users.id, userId), isNull(users.firstLoginCompletedAt)));
}

/** Whether a set-up link let a person found a company, which they have not done yet. */
export async function mayFoundCompany(db: Database, userId: number): Promise<boolean> {
  const [row] = await db.select({ mayFound: users.mayFoundCompany }).from(users).where(eq(users.id, userId));
  return row?.mayFound ?? false;
}

/** A person in the company that a session opened by one of their passkeys acts in. Undefined for an unknown id. */
export const personByPasskey = (
  db: Database,
  { userId, passkeyId }: { readonly userId: number; readonly passkeyId: number },
): Promise<UserSource | undefined> => personAtHome(db, userId, undefined, sql`${passkeyId}::integer`);

/**
 * A person in the company that a new session of theirs acts in: the one that is named, else the active membership that
 * was used last. Undefined for an unknown id.
 * @param passkey the passkey that opens it, which a company may ask for
 */
export async function personAtHome(
  db: Database,
  userId: number,
  companyId?: number,
  passkey: SQL = sql`null`,
): Promise<UserSource | undefined> {
  const [row] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      companyId: companies.id,
      companyName: companies.name,
      orgRole: memberships.orgRole,
    })
    .from(users)
    .leftJoin(
      memberships,
      and(
        eq(memberships.userId, users.id),
        eq(memberships.state, 'active'),
        isOpenToAll(),
        isRuleKept(passkey),
        companyId === undefined ? undefined : eq(memberships.companyId, companyId),
      ),
    )
    .leftJoin(companies, eq(companies.id, memberships.companyId))
    .where(eq(users.id, userId))
    .orderBy(
      sql`${desc(memberships.lastSeenAt)} nulls last`,
      asc(memberships.createdAt),
      asc(memberships.companyId),
    )
    .limit(1);
  if (row === undefined) return undefined;
  return {
    ...row,
    companyName: row.companyName ?? '',
    orgRole: row.orgRole === orgRoles.Owner ? orgRoles.Owner : orgRoles.Member,
  };
}
