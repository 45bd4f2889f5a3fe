import { useQuery } from '@tanstack/react-query';
import { satisfies } from '../../contract/needs.ts';
import type { Need, Permission } from '../../contract/permissions.ts';
import type { ActionFacts, KindFacts } from '../../registry/kinds/kind-facts.ts';
import type { May } from '../../registry/commands/registry.ts';
import { type DataPort, useData } from './port.ts';
import { isAdmin } from './session.ts';

/** Whether what is needed is held. */
export function meets(need: Need, held: readonly Permission[], isOwner: boolean): boolean {
  return satisfies(need, (one) => held.includes(one), isOwner);
}

/** Whether the person may do actions on objects of a kind, as far as the page knows; the server judges again. */
export function mayAct(
  { queryClient, queries }: Pick<DataPort, 'queryClient' | 'queries'>,
  clusterId: number,
  kind: Pick<KindFacts, 'permissions' | 'scope'>,
): (action: Pick<ActionFacts, 'needs'>) => boolean {
  const held = queryClient.getQueryData(queries.permissions(clusterId).queryKey) ?? [];
  const user = queryClient.getQueryData(queries.session.queryKey);
  const isOwner = user !== undefined && user !== null && isAdmin(user);
  const cluster = queryClient.getQueryData(queries.clusters.queryKey)?.find(({ id }) => id === clusterId);
  // Who reaches some namespaces alone changes nothing of the cluster itself.
  if (kind.scope === 'Cluster' && cluster?.namespaces !== undefined) return () => false;
  return ({ needs }) => meets(needs ?? kind.permissions.manage, held, isOwner);
}

/** The person's permissions on a cluster, as far as the page knows them; the server checks again. */
export function useMay(clusterId: string): May {
  const { queries } = useData();
  const held = useQuery(queries.permissions(Number(clusterId))).data;
  return (permission) => held?.includes(permission) === true;
}
