import type { ListState } from '../../../contract/live.ts';
import { type ReleaseStorage, releaseStorages } from '../../../kube/helm.ts';
import { isShut, mergeStates } from '../feed/feed-state.ts';

/**
 * The state of a list of releases from those of the lists of its storages. One that may not be read is named while the
 * other is shown.
 * @param isEmpty whether no release is shown: without Secrets, Helm's default storage, that says nothing
 */
export function releaseState(
  states: Readonly<Record<ReleaseStorage, ListState>>,
  isEmpty: () => boolean,
): ListState {
  const open = releaseStorages.filter((storage) => !isShut(states[storage]));
  const worst = mergeStates(new Map(open.map((storage) => [storage, states[storage]])));
  if (worst === undefined || (isShut(states.Secret) && isEmpty())) return states.Secret;
  if (worst.status !== 'live' && worst.status !== 'polled') return worst;
  const said = open.flatMap((storage) => states[storage].message ?? []);
  const missing = releaseStorages
    .filter((storage) => isShut(states[storage]))
    .map((storage) =>
      `Releases stored in ${storage}s are not shown. ${states[storage].message ?? ''}`.trim(),
    );
  const messages = [...new Set([...said, ...missing])];
  return messages.length === 0 ? worst : { ...worst, message: messages.join(' ') };
}
