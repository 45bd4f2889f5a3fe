import { Problem } from '../../../contract/problem.ts';
import { collectionPath, objectPath } from '../../../kube/change.ts';
import {
  ownedByHelm,
  type Release,
  type ReleaseStorage,
  releaseStorages,
  revisionOfRecord,
  storageResources,
} from '../../../kube/helm.ts';
import { cleanText } from '../../../kube/text.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';
import { objectIn, readAll } from '../read.ts';
import { decodeRelease, type StoredRelease } from './decode.ts';
import { revisionAddress } from './encode.ts';

/** Metadata alone: a revision may have a megabyte. */
const metadataForm = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
/** Maximum number of revisions searched of one release; Helm keeps ten by default. */
const maxRevisions = 1_000;

/** A revision as the labels of its Secret or ConfigMap tell it. */
export interface KeptRevision {
  readonly revision: number;
  readonly status: string;
  readonly storage: ReleaseStorage;
}

/** All that is stored of a release. */
export interface StoredRevisions {
  /** Newest first; a number is there twice where both storages have it. */
  readonly revisions: readonly KeptRevision[];
  /** Storages that the credential may not list, and how the cluster said so: revisions may be there too. */
  readonly unread: ReadonlyMap<ReleaseStorage, ClusterProblem>;
}

interface ReleasePlace {
  readonly namespace: string;
  readonly name: string;
}

const notFound = ({ namespace, name }: ReleasePlace) =>
  new Problem({
    status: 404,
    title: `Helm release ${cleanText(`${namespace}/${name}`)} was not found.`,
  });

/** The revisions of a release in one storage, in no order. */
async function revisionsIn(
  transport: Transport,
  { namespace, name }: ReleasePlace,
  storage: ReleaseStorage,
): Promise<KeptRevision[]> {
  const resource = storageResources[storage];
  const found = await readAll(transport, {
    path: collectionPath(resource, namespace),
    labelSelector: `${ownedByHelm},name=${name}`,
    accept: metadataForm,
    what: resource.plural,
    limit: maxRevisions,
    tooMany: `More than ${maxRevisions} revisions of ${name} are kept; this console does not search more of them.`,
  });
  return found.flatMap(({ metadata }) => {
    const kept = revisionOfRecord(metadata?.name ?? '');
    if (kept === undefined || kept.release !== name) return [];
    const status = cleanText(metadata?.labels?.['status'] ?? 'unknown');
    return [{ revision: kept.revision, status, storage }];
  });
}

/**
 * The revisions of a release in both storages. Throws Problem 404 when there is none, and ClusterProblem when there is
 * none in what may be read.
 */
export async function readRevisions(transport: Transport, place: ReleasePlace): Promise<StoredRevisions> {
  // A value that is no label names no release, and would change what is selected.
  if (!/^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/.test(place.name)) throw notFound(place);
  const unread = new Map<ReleaseStorage, ClusterProblem>();
  const read = async (storage: ReleaseStorage) => {
    try {
      return await revisionsIn(transport, place, storage);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      unread.set(storage, error);
      return [];
    }
  };
  const revisions = (await Promise.all(releaseStorages.map(read))).flat();
  if (revisions.length === 0) throw unread.get('Secret') ?? unread.get('ConfigMap') ?? notFound(place);
  // Stable: of two with one number Helm's default comes first.
  return { revisions: revisions.sort((a, b) => b.revision - a.revision), unread };
}

const isForbidden = (error: unknown): error is ClusterProblem =>
  error instanceof ClusterProblem && error.upstream.status === 403;

/** The revisions of a release that are kept, each number once, newest first. Throws as `readRevisions`. */
export async function keptRevisions(
  transport: Transport,
  namespace: string,
  name: string,
): Promise<KeptRevision[]> {
  const { revisions } = await readRevisions(transport, { namespace, name });
  return eachOnce(revisions);
}

const eachOnce = (revisions: readonly KeptRevision[]): KeptRevision[] =>
  revisions.filter(({ revision }, at) => revisions[at - 1]?.revision !== revision);

interface WantedRevision extends ReleasePlace {
  readonly revision: number;
  /** Both are tried without it, Helm's default first. */
  readonly storage?: ReleaseStorage | undefined;
}

/** One revision, whole. Throws Problem 404 for one that is not kept. */
export async function readRevision(
  transport: Transport,
  { namespace, name, revision, storage: only }: WantedRevision,
): Promise<StoredRelease> {
  let refusal: ClusterProblem | undefined;
  for (const storage of only === undefined ? releaseStorages : [only]) {
    const path = objectPath(revisionAddress({ storage, namespace, name, revision }));
    try {
      return await decodeRelease(objectIn(await transport.json<unknown>({ path })), storage);
    } catch (error) {
      if (isForbidden(error)) refusal ??= error;
      else if (!(error instanceof ClusterProblem) || error.upstream.status !== 404) throw error;
    }
  }
  if (refusal !== undefined) throw refusal;
  throw new Problem({
    status: 404,
    title: `Revision ${revision} of ${cleanText(name)} is no longer kept.`,
  });
}

/** Facts about a release beside those of the revision that was read. */
export interface ReleaseBasis {
  /** Newest first. */
  readonly revisions: readonly number[];
  readonly storages: readonly ReleaseStorage[];
  /** Resource version of the release: another one whenever its revisions are. */
  readonly version: string;
}

/** A release as lists and pages show it. */
export function releaseObject(
  stored: StoredRelease,
  place: ReleasePlace,
  { revisions, storages, version }: ReleaseBasis,
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
    storages: [...storages],
  };
}

/** The storages that have revisions of a release. */
export const storagesOf = (revisions: readonly KeptRevision[]): ReleaseStorage[] =>
  releaseStorages.filter((storage) => revisions.some((one) => one.storage === storage));

/** The release as it is now. Throws as `readRevisions`. */
export async function readReleaseObject(transport: Transport, place: ReleasePlace): Promise<Release> {
  const { revisions } = await readRevisions(transport, place);
  const [newest] = revisions;
  const revision = newest?.revision ?? 0;
  const stored = await readRevision(transport, { ...place, revision, storage: newest?.storage });
  return releaseObject(stored, place, {
    revisions: eachOnce(revisions).map((one) => one.revision),
    storages: storagesOf(revisions),
    version: `${revision} ${stored.status}`,
  });
}
