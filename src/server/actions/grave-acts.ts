import { kinds } from '../../../commands/kinds/index.ts';
import type { OrgRole } from '../../contract/permissions.ts';
import { isGrave } from '../../registry/kinds/confirmation.ts';
import type { Grants } from '../access/grants.ts';
import { membersWithoutPasskey } from '../passkeys/without-passkey.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import { needOf } from './available.ts';

/** The permissions by which people do dangerous acts: those of the actions, of shells, and of the values of Secrets. */
const gravePermissions: ReadonlySet<string> = new Set([
  ...kinds.flatMap((kind) =>
    kind.actions.filter((action) => isGrave(action, kind)).flatMap((action) => needOf(action, kind)),
  ),
  'pods.manage',
  'secrets.view',
]);

/** Names of the people who may do dangerous acts on a cluster and have no passkey for a host name, by name. */
export async function peopleWithoutPasskey(
  { store, grants }: { readonly store: Pick<Store, 'db'>; readonly grants: Pick<Grants, 'reach'> },
  { id: clusterId, companyId }: Pick<ClusterRow, 'id' | 'companyId'>,
  host: string,
): Promise<string[]> {
  const people = await membersWithoutPasskey(store.db, companyId, host);
  const without: string[] = [];
  for (const { id, name, orgRole } of people) {
    const reach = await grants.reach({ id, companyId, orgRole: orgRole as OrgRole, token: null });
    const held = reach.find(({ cluster }) => cluster.id === clusterId)?.held;
    if (held?.names.some((one) => gravePermissions.has(one)) === true) without.push(name);
  }
  return without;
}
