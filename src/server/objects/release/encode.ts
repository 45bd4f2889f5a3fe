import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { collectionPath, type KubeChange, objectPath, patchTypes } from '../../../kube/change.ts';
import { type ReleaseStorage, revisionRecordName, storageResources } from '../../../kube/helm.ts';
import { secretTypes } from '../../../kube/secret.ts';
import { isPlain } from '../read.ts';

const pack = promisify(gzip);

type JsonObject = Readonly<Record<string, unknown>>;

/** A revision and the kind of the object that stores it. */
export interface RevisionPlace {
  readonly storage: ReleaseStorage;
  readonly namespace: string;
  /** Of the release. */
  readonly name: string;
  readonly revision: number;
}

/** Where the Secret or ConfigMap of a revision is. */
export const revisionAddress = ({ storage, namespace, name, revision }: RevisionPlace) => ({
  ...storageResources[storage],
  namespace,
  name: revisionRecordName(name, revision),
});

/** A release as JSON with another `info`. */
export function withInfo(raw: JsonObject, info: JsonObject): JsonObject {
  return { ...raw, info: { ...(isPlain(raw['info']) ? raw['info'] : {}), ...info } };
}

/** A release as a value of the data of a Secret or ConfigMap: packed, in base64, in a Secret twice. */
async function dataOf(raw: JsonObject, storage: ReleaseStorage): Promise<string> {
  const inner = (await pack(JSON.stringify(raw), { level: 9 })).toString('base64');
  return storage === 'Secret' ? Buffer.from(inner).toString('base64') : inner;
}

interface StoredPayload extends RevisionPlace {
  readonly status: string;
}

interface NewPayload extends StoredPayload {
  /** Labels that a person gave the release. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Keeps a new revision, as Helm 3 does. Its name is the lock: another operation that makes the same one fails. */
export async function createRevision(
  raw: JsonObject,
  { storage, namespace, name, revision, status, labels = {} }: NewPayload,
  now: number,
): Promise<KubeChange> {
  return {
    method: 'POST',
    path: collectionPath(storageResources[storage], namespace),
    body: {
      apiVersion: 'v1',
      kind: storage,
      metadata: {
        name: revisionRecordName(name, revision),
        namespace,
        labels: {
          ...labels,
          name,
          owner: 'helm',
          status,
          version: String(revision),
          createdAt: String(Math.floor(now / 1000)),
        },
      },
      ...(storage === 'Secret' ? { type: secretTypes.helmRelease } : {}),
      data: { release: await dataOf(raw, storage) },
    },
  };
}

/** Says of a kept revision what became of it. */
export async function updateRevision(
  raw: JsonObject,
  payload: StoredPayload,
  now: number,
): Promise<KubeChange> {
  return {
    method: 'PATCH',
    path: objectPath(revisionAddress(payload)),
    contentType: patchTypes.merge,
    body: {
      metadata: { labels: { status: payload.status, modifiedAt: String(Math.floor(now / 1000)) } },
      data: { release: await dataOf(raw, payload.storage) },
    },
  };
}
