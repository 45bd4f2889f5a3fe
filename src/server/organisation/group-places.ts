import { inArray, type SQL, sql } from 'drizzle-orm';
import { groupsLimit } from '../access/sessions.ts';
import { users } from '../store/schema/accounts.ts';
import { auditRows } from '../store/schema/audit.ts';
import { teams } from '../store/schema/teams.ts';
import type { Expiring } from './expiry.ts';
import type { Transaction } from '../store/store.ts';

/** When what a provider says at this moment of somebody's groups ceases to count, by the database's clock. */
export const wordExpires: SQL = sql`now() + ${groupsLimit} * interval '1 millisecond'`;

/**
 * Lets what changes places that groups give in a company run one after the other: a sign-in that read the mapping before
 * it was taken back must not give a place after that.
 */
export async function lockGroupPlaces(tx: Transaction, companyId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('places of groups'), ${companyId})`);
}

/**
 * The places that groups give at this moment, as a table: of several groups the one that gives most, and of those the
 * one that was said last.
 */
export const givenPlaces: SQL = sql`(
  select distinct on (gt.team_id, pg.user_id)
    pg.company_id, gt.team_id, pg.user_id, gt.role, pg.provider, pg.expires_at
  from person_groups pg
  join group_teams gt on gt.company_id = pg.company_id and gt.provider = pg.provider and gt.group_name = pg.group_name
  where pg.expires_at > clock_timestamp()
  -- TeamAdmin (4), SecretViewer (3), Viewer (6).
  order by gt.team_id, pg.user_id, array_position(array[4, 3, 6]::smallint[], gt.role), pg.expires_at desc)`;

/** A place in a team that a group of a provider gave. */
interface GroupPlace extends Record<string, unknown> {
  readonly company_id: number;
  readonly team_id: number;
  readonly user_id: number;
  readonly role: number;
  /** Key of the provider. */
  readonly given_by: string;
}

/** Puts somebody who belongs to a company into the teams there that their groups give them. */
export async function giveGroupPlaces(
  tx: Transaction,
  { userId, companyId }: { readonly userId: number; readonly companyId: number },
): Promise<void> {
  await tx.execute(sql`insert into team_members (company_id, team_id, user_id, role, given_by, expires_at)
    select given.company_id, given.team_id, given.user_id, given.role, given.provider, given.expires_at
    from ${givenPlaces} given
    join memberships m on m.user_id = given.user_id and m.company_id = given.company_id and m.state = 'active'
    where given.user_id = ${userId} and given.company_id = ${companyId}
    on conflict do nothing`);
}

/**
 * Makes the places that groups gave be what the groups of their people give now; takes away those that none gives any
 * more, and answers them. It adds no place: a sign-in does, and accepting an invitation.
 * @param which the places, as `tm`
 */
export async function reviewGroupPlaces(tx: Transaction, which: SQL): Promise<readonly GroupPlace[]> {
  const given = sql`${givenPlaces} given where given.team_id = tm.team_id and given.user_id = tm.user_id`;
  const { rows } = await tx.execute<GroupPlace>(sql`delete from team_members tm
    where tm.given_by is not null and ${which} and not exists (select 1 from ${given})
    returning tm.company_id, tm.team_id, tm.user_id, tm.role, tm.given_by`);
  await tx.execute(sql`update team_members tm
    set role = given.role, given_by = given.provider, expires_at = given.expires_at
    from ${given} and tm.given_by is not null and ${which}
      and (tm.role, tm.given_by, tm.expires_at) is distinct from (given.role, given.provider, given.expires_at)`);
  return rows;
}

/** Records the places that ended by the clock: nobody took them away. */
async function recordEnded(tx: Transaction, ended: readonly GroupPlace[]): Promise<void> {
  if (ended.length === 0) return;
  const people = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      inArray(
        users.id,
        ended.map((one) => one.user_id),
      ),
    );
  const ofTeams = await tx
    .select({ id: teams.id, name: teams.name })
    .from(teams)
    .where(
      inArray(
        teams.id,
        ended.map((one) => one.team_id),
      ),
    );
  await tx.insert(auditRows).values(
    ended.map((one) => ({
      companyId: one.company_id,
      actor: 'expiry',
      action: 'groupPlace.expire',
      subject: {
        teamId: one.team_id,
        team: ofTeams.find(({ id }) => id === one.team_id)?.name ?? '',
        userId: one.user_id,
        email: people.find(({ id }) => id === one.user_id)?.email ?? '',
        provider: one.given_by,
      },
      changes: { role: { before: one.role, after: null } },
      address: 'console',
      requestId: 'expiry',
      finishedAt: sql`date_trunc('milliseconds', now())`,
      status: 200,
    })),
  );
}

/** Forgets what a provider said of people's groups in a company, and takes away what only that gave. */
export async function forgetGroups(
  tx: Transaction,
  { companyId, key }: { readonly companyId: number; readonly key: string },
): Promise<void> {
  await lockGroupPlaces(tx, companyId);
  await tx.execute(sql`delete from person_groups where company_id = ${companyId} and provider = ${key}`);
  await reviewGroupPlaces(tx, sql`tm.company_id = ${companyId}`);
}

/**
 * Forgets what a provider said of one person's groups, and takes away what only that gave.
 * @param key of the provider
 * @returns the companies that it concerned
 */
export async function forgetGroupsOf(
  tx: Transaction,
  { userId, key }: { readonly userId: number; readonly key: string },
): Promise<readonly number[]> {
  const { rows } = await tx.execute<{ company_id: number }>(sql`
    select company_id from person_groups where user_id = ${userId} and provider = ${key}
    union select company_id from team_members where user_id = ${userId} and given_by = ${key} order by 1`);
  const companyIds = rows.map(({ company_id }) => company_id);
  for (const companyId of companyIds) {
    await lockGroupPlaces(tx, companyId);
    await tx.execute(
      sql`delete from person_groups where company_id = ${companyId} and user_id = ${userId} and provider = ${key}`,
    );
    await reviewGroupPlaces(tx, sql`tm.company_id = ${companyId} and tm.user_id = ${userId}`);
  }
  return companyIds;
}

/** The groups that providers said people have, and the places that they give. */
export const groupPlacesExpiry: Expiring = {
  next: sql`(select min(expires_at) from (select expires_at from team_members where expires_at is not null
    union all select expires_at from person_groups) words)`,
  async end(tx: Transaction): Promise<number[]> {
    const { rows } = await tx.execute<{ company_id: number }>(sql`
      select company_id from team_members where expires_at <= clock_timestamp()
      union select company_id from person_groups where expires_at <= clock_timestamp() order by 1`);
    for (const { company_id: companyId } of rows) {
      await lockGroupPlaces(tx, companyId);
      await tx.execute(
        sql`delete from person_groups where company_id = ${companyId} and expires_at <= clock_timestamp()`,
      );
      const ended = await reviewGroupPlaces(
        tx,
        sql`tm.company_id = ${companyId} and tm.expires_at <= clock_timestamp()`,
      );
      await recordEnded(tx, ended);
    }
    return rows.map(({ company_id }) => company_id);
  },
};
