import { and, eq, ne } from 'drizzle-orm';
import { type OrgRole, orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { memberships } from '../store/schema/memberships.ts';
import type { Database } from '../store/store.ts';
import type { Asker } from './grants.ts';
import type { Member } from './person.ts';

/** Somebody of a person's company, also while they are suspended, to ask what they may do. Throws Problem 404. */
export async function colleagueOf(
  db: Database,
  person: Pick<Member, 'companyId'>,
  userId: number,
): Promise<Asker> {
  const [row] = await db
    .select({ id: memberships.userId, orgRole: memberships.orgRole })
    .from(memberships)
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.companyId, person.companyId),
        ne(memberships.state, 'left'),
      ),
    );
  if (row === undefined) throw new Problem({ status: 404, title: 'Your organisation has no such person.' });
  const orgRole: OrgRole = row.orgRole === orgRoles.Owner ? orgRoles.Owner : orgRoles.Member;
  return { id: row.id, companyId: person.companyId, orgRole, token: null };
}
