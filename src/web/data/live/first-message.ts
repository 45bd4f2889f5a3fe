import { firstListAt, type FirstLists } from '../../../contract/first-lists.ts';
import type { ClientMessage } from '../../../contract/live.ts';

/** Where the page asks who is signed in; as in the contract's table, which is too large to be here first. */
export const sessionPath = '/api/auth/is-authenticated';
/** Where it asks for the clusters of a person; as in the contract's table. */
export const clustersPath = '/api/ClusterManagement/clusters';

/** Id of the subscription that is asked for ahead of everything; the page's own ids count from 1 and never come so far. */
export const firstId = 1_000_000_000;

/** The message that asks for the rows of the list at this address; undefined for an address of something else. */
export function firstMessage(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  lists: FirstLists,
): ClientMessage | undefined {
  const list = firstListAt(pathname, lists);
  if (list === undefined) return undefined;
  const namespace = list.isNamespaced ? new URLSearchParams(search).get('ns') : null;
  return {
    type: 'subscribe',
    id: firstId,
    clusterId: list.clusterId,
    kind: list.kind,
    ...(namespace === null ? {} : { namespace }),
    ...list.window,
  };
}
