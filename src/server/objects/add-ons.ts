import { kinds } from '../../../commands/kinds/index.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { isNamespaceKind } from '../access/place.ts';
import { canListResource } from '../clusters/credential-rules.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { readServedResources } from './served-resources.ts';

/** Ids of the kinds that a cluster does not serve, and of those that the console's credential may not list there. */
export async function readAddOns(
  clusters: Pick<ClusterDirectory, 'transport' | 'rules'>,
  clusterId: number,
): Promise<{ absent: string[]; unreadable: string[] }> {
  const transport = await clusters.transport(clusterId);
  const addOns = kinds.filter(({ addOn }) => addOn !== undefined);
  const nameOf = ({ plural, group }: AnyKind) => `${plural}.${group}`;
  const [rules, served] = await Promise.all([
    clusters.rules(clusterId),
    readServedResources(transport, addOns.map(nameOf)),
  ]);
  // The source of a kind that the cluster does not serve is no matter of rights.
  const isUnreadable = (kind: AnyKind) =>
    rules !== undefined &&
    kind.source === undefined &&
    !isNamespaceKind(kind) &&
    !canListResource(rules, kind);
  return {
    absent: addOns.filter((kind) => !served.has(nameOf(kind))).map(({ id }) => id),
    unreadable: kinds.filter(isUnreadable).map(({ id }) => id),
  };
}
