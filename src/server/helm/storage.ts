import { Problem } from '../../contract/problem.ts';
import type { ReleaseStorage } from '../../kube/helm.ts';
import type { Transport } from '../clusters/transport.ts';
import { type KeptRevision, readRevisions, storagesOf } from '../objects/release/read.ts';

/** The revisions of a release that is to be changed, all in one storage. */
export interface ChangeableRevisions {
  readonly storage: ReleaseStorage;
  /** Newest first. */
  readonly kept: readonly KeptRevision[];
}

/**
 * The revisions of a release that is to be changed. Helm changes what its driver finds and no other: Throws Problem 409
 * where revisions are in both storages, or may be, as it is not known which of them its objects belong to. Throws as
 * `readRevisions` besides.
 */
export async function changeableRevisions(
  transport: Transport,
  place: { readonly namespace: string; readonly name: string },
): Promise<ChangeableRevisions> {
  const { namespace, name } = place;
  const { revisions, unread } = await readRevisions(transport, place);
  const [unreadStorage] = unread.keys();
  if (unreadStorage !== undefined) {
    throw new Problem({
      status: 409,
      title: `${name} may have revisions in ${unreadStorage}s of ${namespace}, which this console's credential may not list, so nothing was changed. Give the credential a role that may list them, or use helm.`,
    });
  }
  const [storage, other] = storagesOf(revisions);
  if (storage === undefined || other !== undefined) {
    throw new Problem({ status: 409, title: mixedStorages(name, namespace) });
  }
  return { storage, kept: revisions };
}

/** The reason why a release with revisions in both storages is not changed, and the way to change it. */
const mixedStorages = (name: string, namespace: string): string =>
  `${name} has revisions in Secrets and in ConfigMaps of ${namespace}, so this console does not change it. Use helm, with HELM_DRIVER set to “secret” or “configmap”.`;
