import type { ManifestCheck, NamedManifest } from '../../contract/manifests.ts';
import { Problem } from '../../contract/problem.ts';
import { objectPath } from '../../kube/change.ts';
import type { Need } from '../../contract/permissions.ts';
import { readOnlyReason } from '../../contract/clusters.ts';
import type { Place } from '../access/held.ts';
import { viewPlace } from '../access/place.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import { isPlain } from '../objects/read.ts';
import { type Placed, resolvePlace } from './place.ts';
import { type ManifestRun, requireCreation } from './run.ts';

const namespaces = { group: '', version: 'v1', plural: 'namespaces' };

/** Checks an object against a cluster before it is created there. The answer contains only what the person may view. */
export async function checkOne(run: ManifestRun, named: NamedManifest): Promise<ManifestCheck> {
  const unknown = { title: null, namespace: null, namespaceExists: null, exists: null };
  let placed: Placed;
  try {
    placed = await resolvePlace(run, {
      ...named,
      namespace: named.namespace || undefined,
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { ...unknown, refusal: error.title };
  }
  const { kind, namespace } = placed;
  const name = named.name === '' ? undefined : named.name;
  const [refusal, namespaceExists, exists] = await Promise.all([
    refusalOf(run, placed),
    namespace === undefined
      ? null
      : isThere(run, 'namespaces.view', { namespace }, objectPath({ ...namespaces, name: namespace })),
    name === undefined
      ? null
      : isThere(
          run,
          kind.permissions.view,
          viewPlace(kind, { namespace, name }),
          objectPath({ ...kind, namespace, name }),
        ),
  ]);
  return { title: kind.title, namespace: namespace ?? null, ...refusal, namespaceExists, exists };
}

/** Why it cannot be created by this person, or not on the cluster. */
async function refusalOf(
  run: ManifestRun,
  placed: Placed,
): Promise<Pick<ManifestCheck, 'refusal' | 'lacking'>> {
  try {
    const reason = readOnlyReason(await requireCreation(run, placed));
    return { refusal: reason ?? (await clusterRefusal(run, placed)) };
  } catch (error) {
    if (error instanceof Problem && error.status === 403)
      return { refusal: error.title, ...(error.lacking === undefined ? {} : { lacking: error.lacking }) };
    throw error;
  }
}

/**
 * Why the cluster does not let it be created by whom it knows, the person or the console's credential; null where it
 * does, or does not tell.
 */
async function clusterRefusal(
  { cluster, transport }: ManifestRun,
  { kind, namespace }: Placed,
): Promise<string | null> {
  const { group, plural } = kind;
  try {
    const review = await transport.json<unknown>({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb: 'create', group, resource: plural, namespace: namespace ?? '' } },
      },
    });
    const status = isPlain(review) && isPlain(review['status']) ? review['status'] : {};
    if (status['allowed'] !== false) return null;
    const place = namespace === undefined ? cluster.name : `namespace ${namespace} of ${cluster.name}`;
    if (cluster.isImpersonating)
      return `${cluster.name} itself does not let you create ${kind.title}${namespace === undefined ? '' : ` in namespace ${namespace}`}. Ask an administrator of the cluster to bind a role to you.`;
    return `The console's credential may not create ${kind.title} in ${place}.`;
  } catch (error) {
    // If the review itself fails, the attempt to create decides.
    if (error instanceof ClusterProblem) return null;
    throw error;
  }
}

/** Whether an object exists; null if the person may not see it, or it could not be determined. */
async function isThere(run: ManifestRun, need: Need, place: Place, path: string): Promise<boolean | null> {
  try {
    await run.grants.require(run.person, run.cluster.id, need, place);
    await run.transport.json<unknown>({ path });
    return true;
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 404) return false;
    if (error instanceof Problem) return null;
    throw error;
  }
}
