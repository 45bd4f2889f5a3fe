import { Problem } from '../../../contract/problem.ts';
import { objectPath } from '../../../kube/change.ts';
import { type Release, revisionOfSecret } from '../../../kube/helm.ts';
import { cleanText } from '../../../kube/text.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';
import { objectIn, readAll } from '../read.ts';
import { decodeRelease, type StoredRelease } from './decode.ts';
import { secretAddress } from './encode.ts';

/** Metadata alone: a Secret of a release may have a megabyte. */
const metadataForm = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
/** Maximum number of revisions searched of one release; Helm keeps ten by default. */
const maxRevisions = 1_000;

/** A revision as the labels of its Secret tell it. */
export interface KeptRevision {
  readonly revision: number;
  readonly status: string;
}

const notFound = (namespace: string, name: string) =>
  new Problem({
    status: 404,
    title: `Helm release ${cleanText(`${namespace}/${name}`)} was not found.`,
  });

/** The revisions of a release that are kept, newest first. Throws Problem 404 when there is none. */
export async function keptRevisions(
  transport: Transport,
  namespace: string,
  name: string,
): Promise<KeptRevision[]> {
  // A value that is no label names no release, and would change what is selected.
  if (!/^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/.test(name)) throw notFound(namespace, name);
  const found = await readAll(transport, {
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`,
    labelSelector: `owner=helm,name=${name}`,
    accept: metadataForm,
    what: 'secrets',
    limit: maxRevisions,
    tooMany: `More than ${maxRevisions} revisions of ${name} are kept; this console does not search more of them.`,
  });
  const revisions = found.flatMap(({ metadata }) => {
    const kept = revisionOfSecret(metadata?.name ?? '');
    if (kept === undefined || kept.release !== name) return [];
    return [{ revision: kept.revision, status: cleanText(metadata?.labels?.['status'] ?? 'unknown') }];
  });
  if (revisions.length === 0) throw notFound(namespace, name);
  return revisions.sort((a, b) => b.revision - a.revision);
}

/** One revision, whole. Throws Problem 404 for one that is not kept. */
export async function readRevision(
  transport: Transport,
  {
    namespace,
    name,
    revision,
  }: { readonly namespace: string; readonly name: string; readonly revision: number },
): Promise<StoredRelease> {
  let answer: unknown;
  try {
    answer = await transport.json<unknown>({ path: objectPath(secretAddress(namespace, name, revision)) });
  } catch (error) {
    if (!(error instanceof ClusterProblem) || error.upstream.status !== 404) throw error;
    throw new Problem({
      status: 404,
      title: `Revision ${revision} of ${cleanText(name)} is no longer kept.`,
    });
  }
  return await decodeRelease(objectIn(answer));
}

/** A release as lists and pages show it. @param version of the Secret it was read from */
export function releaseObject(
  stored: StoredRelease,
  place: { readonly namespace: string; readonly name: string },
  revisions: readonly number[],
  version: string,
): Release {
  const { chart, revision, status, updated, firstDeployed, description } = stored;
  return {
    apiVersion: 'helm.sh/v1',
    kind: 'Release',
    metadata: {
      ...place,
      uid: `release ${place.namespace}/${place.name}`,
      resourceVersion: version,
      ...(firstDeployed === undefined ? {} : { creationTimestamp: firstDeployed }),
    },
    ...(stored.namespace === place.namespace ? {} : { installedIn: cleanText(stored.namespace) }),
    chart,
    revision,
    status,
    ...(updated === undefined ? {} : { updated }),
    ...(firstDeployed === undefined ? {} : { firstDeployed }),
    description,
    revisions: [...revisions],
  };
}

/** The release as it is now. Throws Problem 404. */
export async function readReleaseObject(
  transport: Transport,
  place: { readonly namespace: string; readonly name: string },
): Promise<Release> {
  const kept = await keptRevisions(transport, place.namespace, place.name);
  const revision = kept[0]?.revision ?? 0;
  const stored = await readRevision(transport, { ...place, revision });
  return releaseObject(
    stored,
    place,
    kept.map((one) => one.revision),
    `${revision} ${stored.status}`,
  );
}
