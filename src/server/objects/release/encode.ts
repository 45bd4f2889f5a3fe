import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { collectionPath, type KubeChange, objectPath, patchTypes } from '../../../kube/change.ts';
import { revisionSecretName } from '../../../kube/helm.ts';
import { secretTypes } from '../../../kube/secret.ts';
import { isPlain } from '../read.ts';

const pack = promisify(gzip);
const secrets = { group: '', version: 'v1', plural: 'secrets' };

type JsonObject = Readonly<Record<string, unknown>>;

/** Where the Secret of a revision is. */
export const secretAddress = (namespace: string, name: string, revision: number) => ({
  ...secrets,
  namespace,
  name: revisionSecretName(name, revision),
});

/** A release as JSON with another `info`. */
export function withInfo(raw: JsonObject, info: JsonObject): JsonObject {
  return { ...raw, info: { ...(isPlain(raw['info']) ? raw['info'] : {}), ...info } };
}

/** A release as a value of a Secret's data: packed, base64 twice. */
async function dataOf(raw: JsonObject): Promise<string> {
  const inner = (await pack(JSON.stringify(raw), { level: 9 })).toString('base64');
  return Buffer.from(inner).toString('base64');
}

interface StoredPayload {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly status: string;
}

/** Keeps a new revision, as Helm 3 does. Its name is the lock: another operation that makes the same one fails. */
export async function createRevision(
  raw: JsonObject,
  { namespace, name, revision, status }: StoredPayload,
  now: number,
): Promise<KubeChange> {
  return {
    method: 'POST',
    path: collectionPath(secrets, namespace),
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: revisionSecretName(name, revision),
        namespace,
        labels: {
          name,
          owner: 'helm',
          status,
          version: String(revision),
          createdAt: String(Math.floor(now / 1000)),
        },
      },
      type: secretTypes.helmRelease,
      data: { release: await dataOf(raw) },
    },
  };
}

/** Says of a kept revision what became of it. */
export async function updateRevision(
  raw: JsonObject,
  { namespace, name, revision, status }: StoredPayload,
  now: number,
): Promise<KubeChange> {
  return {
    method: 'PATCH',
    path: objectPath(secretAddress(namespace, name, revision)),
    contentType: patchTypes.merge,
    body: {
      metadata: { labels: { status, modifiedAt: String(Math.floor(now / 1000)) } },
      data: { release: await dataOf(raw) },
    },
  };
}
