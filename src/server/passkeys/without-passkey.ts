import { and, eq, not, notExists, sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import { isOpenToAll } from '../access/enforced.ts';
import { users } from '../store/schema/accounts.ts';
import { memberships } from '../store/schema/memberships.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import type { Database } from '../store/store.ts';

/** Somebody whom a rule for passkeys may bind. */
interface BoundMember {
  readonly id: number;
  readonly name: string;
  readonly orgRole: number;
  /** Whether an enforced provider alone lets them in, whose sessions no rule for passkeys binds. */
  readonly isByProviderAlone: boolean;
}

/** Maximum number of names in the refusal of a rule that people cannot meet yet. */
const namesLimit = 20;

/** The active members of a company who have no passkey for a host name, by name. */
export async function membersWithoutPasskey(
  db: Pick<Database, 'select'>,
  companyId: number,
  host: string,
): Promise<BoundMember[]> {
  const usable = db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.userId, users.id), eq(passkeys.host, host)));
  return await db
    .select({
      id: users.id,
      name: users.name,
      orgRole: memberships.orgRole,
      isByProviderAlone: sql<boolean>`${not(isOpenToAll())}`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.state, 'active'), notExists(usable)))
    .orderBy(users.name, users.id);
}

/**
 * Throws Problem 409, with their number and names, where people whom a rule would bind have no passkey.
 * @param without their names
 * @param bound why the rule binds them, after "and"
 */
export function requirePasskeysOf(without: readonly string[], bound: string): void {
  if (without.length === 0) return;
  const named = without.slice(0, namesLimit).join(', ');
  const rest = without.length > namesLimit ? ` and ${without.length - namesLimit} more` : '';
  const people = without.length === 1 ? '1 person has' : `${without.length} people have`;
  throw new Problem({
    status: 409,
    title: `${people} no passkey yet and ${bound}: ${named}${rest}. They register one under Settings, Sign-in and sessions.`,
  });
}
