import { sql } from 'drizzle-orm';
import type { Database } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { bearerKey, markOf, readBearerRights, type RightsQuery } from './bearer-rights.ts';
import type { Member } from './person.ts';

/** Inputs of the keys of kept rows. */
export interface KeptRowsParts {
  readonly db: Pick<Database, 'execute'>;
  readonly vault: Pick<Vault, 'derive'>;
}

/**
 * The key under which the page of a session keeps the last known rows of lists, 32 bytes as base64url. It is derived from
 * the session and from all that the session may view, so rows that were kept before a change of either cannot be read any
 * more. Undefined for an API token, and where the organisation has no rows kept.
 */
export async function keptRowsKey({ db, vault }: KeptRowsParts, person: Member): Promise<string | undefined> {
  if (person.token !== null) return undefined;
  const { rows } = await db.execute<{ keeps_rows: boolean; ids: number[] }>(sql`
    select c.keeps_rows, array(select k.id from clusters k where k.company_id = c.id order by k.id) as ids
    from companies c where c.id = ${person.companyId}`);
  const [company] = rows;
  if (!company?.keeps_rows) return undefined;
  const asked = company.ids.map((clusterId): RightsQuery => ({ by: 'session', person, clusterId }));
  const bearer = (await readBearerRights(db, asked)).get(bearerKey('session', person));
  const marks = company.ids.map((id) => markOf(bearer?.rights.get(id)));
  const version = JSON.stringify([person.sessionHash, person.id, person.companyId, person.orgRole, marks]);
  return vault.derive(version, 'kept rows').toString('base64url');
}
