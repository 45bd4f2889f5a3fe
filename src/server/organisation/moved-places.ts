import { inArray, sql } from 'drizzle-orm';
import { users } from '../store/schema/accounts.ts';
import { auditRows } from '../store/schema/audit.ts';
import { teams } from '../store/schema/teams.ts';
import type { Transaction } from '../store/store.ts';

/** A place in a team that a group of a provider gave, changed or gave no longer. */
export interface MovedPlace extends Record<string, unknown> {
  readonly company_id: number;
  readonly team_id: number;
  readonly user_id: number;
  /** The role before and after; null where there was, or is, no place. */
  readonly before: number | null;
  readonly after: number | null;
  /** Key of the provider. */
  readonly given_by: string;
  /** The group that gives it; null where none does any more. */
  readonly group_name: string | null;
}

/** The actions of the audit about such places. */
type MoveAction = 'groupPlace.gain' | 'groupPlace.change' | 'groupPlace.lose' | 'groupPlace.expire';

/** Records what groups moved, with the names of this moment: nobody asked for it by a call of their own. */
export async function recordMoved(
  tx: Transaction,
  action: MoveAction,
  moved: readonly MovedPlace[],
): Promise<void> {
  if (moved.length === 0) return;
  const ids = <K extends 'user_id' | 'team_id'>(name: K) => [...new Set(moved.map((one) => one[name]))];
  const people = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, ids('user_id')));
  const ofTeams = await tx
    .select({ id: teams.id, name: teams.name })
    .from(teams)
    .where(inArray(teams.id, ids('team_id')));
  const actor = action === 'groupPlace.expire' ? 'expiry' : 'groups';
  await tx.insert(auditRows).values(
    moved.map(({ company_id, team_id, user_id, before, after, given_by, group_name }) => ({
      companyId: company_id,
      actor,
      action,
      subject: {
        teamId: team_id,
        team: ofTeams.find(({ id }) => id === team_id)?.name ?? '',
        userId: user_id,
        email: people.find(({ id }) => id === user_id)?.email ?? '',
        ...(after === null ? {} : { role: after }),
        provider: given_by,
        ...(group_name === null ? {} : { group: group_name }),
      },
      changes: { role: { before, after } },
      address: 'console',
      requestId: actor,
      finishedAt: sql`date_trunc('milliseconds', now())`,
      status: 200,
    })),
  );
}
