import { type SQL, sql } from 'drizzle-orm';
import { groupsLimit } from '../access/sessions.ts';
import { type MovedPlace, recordMoved } from './moved-places.ts';
import type { Transaction } from '../store/store.ts';
import type { Expiring } from './expiry.ts';

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
    pg.company_id, gt.team_id, pg.user_id, gt.role, pg.provider, pg.group_name, pg.expires_at
  from person_groups pg
  join group_teams gt on gt.company_id = pg.company_id and gt.provider = pg.provider and gt.group_name = pg.group_name
  where pg.expires_at > clock_timestamp()
  -- TeamAdmin (4), SecretViewer (3), Viewer (6).
  order by gt.team_id, pg.user_id, array_position(array[4, 3, 6]::smallint[], gt.role), pg.expires_at desc)`;

/** Puts somebody who belongs to a company into the teams there that their groups give them, with rows of the audit. */
export async function giveGroupPlaces(
  tx: Transaction,
  { userId, companyId }: { readonly userId: number; readonly companyId: number },
): Promise<void> {
  const { rows } = await tx.execute<MovedPlace>(sql`with given as (select * from ${givenPlaces} places),
    gained as (insert into team_members (company_id, team_id, user_id, role, given_by, expires_at)
      select given.company_id, given.team_id, given.user_id, given.role, given.provider, given.expires_at
      from given
      join memberships m on m.user_id = given.user_id and m.company_id = given.company_id and m.state = 'active'
      where given.user_id = ${userId} and given.company_id = ${companyId}
      on conflict do nothing returning company_id, team_id, user_id, role, given_by)
    select gained.company_id, gained.team_id, gained.user_id, null as before, gained.role as after, gained.given_by,
      given.group_name
    from gained join given on given.team_id = gained.team_id and given.user_id = gained.user_id`);
  await recordMoved(tx, 'groupPlace.gain', rows);
}

/**
 * Makes the places that groups gave be what the groups of their people give now, and takes away those that none gives any
 * more, with rows of the audit. It adds no place: a sign-in does, and accepting an invitation.
 * @param which the places, as `tm`
 * @param lost the action of those that are taken away
 */
export async function reviewGroupPlaces(
  tx: Transaction,
  which: SQL,
  lost: 'groupPlace.lose' | 'groupPlace.expire' = 'groupPlace.lose',
): Promise<void> {
  const given = sql`${givenPlaces} given where given.team_id = tm.team_id and given.user_id = tm.user_id`;
  const { rows: gone } = await tx.execute<MovedPlace>(sql`delete from team_members tm
    where tm.given_by is not null and ${which} and not exists (select 1 from ${given})
    returning tm.company_id, tm.team_id, tm.user_id, tm.role as before, null as after, tm.given_by,
      null as group_name`);
  await recordMoved(tx, lost, gone);
  const { rows: changed } = await tx.execute<MovedPlace>(sql`update team_members tm
    set role = given.role, given_by = given.provider, expires_at = given.expires_at
    from team_members was, ${given} and was.team_id = tm.team_id and was.user_id = tm.user_id
      and tm.given_by is not null and ${which}
      and (tm.role, tm.given_by, tm.expires_at) is distinct from (given.role, given.provider, given.expires_at)
    returning tm.company_id, tm.team_id, tm.user_id, was.role as before, tm.role as after, tm.given_by,
      given.group_name`);
  await recordMoved(
    tx,
    'groupPlace.change',
    changed.filter(({ before, after }) => before !== after),
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
      const isOver = sql`tm.company_id = ${companyId} and tm.expires_at <= clock_timestamp()`;
      await reviewGroupPlaces(tx, isOver, 'groupPlace.expire');
    }
    return rows.map(({ company_id }) => company_id);
  },
};
