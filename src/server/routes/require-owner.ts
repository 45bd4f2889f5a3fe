import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { bearerKey, readBearerRights } from '../access/bearer-rights.ts';
import { type Member, onlyOwners } from '../access/person.ts';
import type { Store } from '../store/store.ts';

/**
 * Asks again, while an answer takes its time, whether somebody is still signed in and an Owner of their company, as open
 * sockets do. Throws Problem 401 or 403.
 * @param title says what only Owners do
 */
export async function requireOwner({ db }: Pick<Store, 'db'>, person: Member, title: string): Promise<void> {
  const by = 'session';
  const now = (await readBearerRights(db, [{ by, person, clusterId: null }])).get(bearerKey(by, person));
  if (now?.companyId !== person.companyId) throw new Problem({ status: 401, title: 'The session ended.' });
  if (now.orgRole !== orgRoles.Owner) throw onlyOwners(title);
}
