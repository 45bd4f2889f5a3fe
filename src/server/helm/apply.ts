import { objectPath, patchTypes } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { isPlain, objectIn } from '../objects/read.ts';
import { sendChange } from '../objects/send.ts';
import { withoutValues } from '../objects/secret-guard.ts';
import type { PlacedObject } from './manifest.ts';

/** Under which name Helm's writes stand in an object's managed fields. */
const manager = 'helm';

type Plain = Readonly<Record<string, unknown>>;

/** What Helm marks the objects of a release with. */
function marked(
  object: KubeObject,
  release: { readonly namespace: string; readonly name: string },
): KubeObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: {
        ...metadata?.annotations,
        'meta.helm.sh/release-name': release.name,
        'meta.helm.sh/release-namespace': release.namespace,
      },
    },
  };
}

/**
 * What was written in one manifest and is not in the other, as a merge patch that takes it away. Only members of
 * objects: what is gone from a list the cluster takes away itself, as it knows by what the items of each list are told
 * apart.
 */
export function removals(before: Plain, after: Plain): Plain | undefined {
  const patch: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(before)) {
    const next = after[key];
    if (!(key in after) || next === undefined) patch[key] = null;
    else if (isPlain(value) && isPlain(next)) {
      const inner = removals(value, next);
      if (inner !== undefined) patch[key] = inner;
    }
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

interface ManagedFields {
  readonly manager?: unknown;
  readonly operation?: unknown;
  readonly subresource?: unknown;
}

/** An object as the cluster has it; undefined when it is not there. */
export async function liveObject(transport: Transport, path: string): Promise<KubeObject | undefined> {
  try {
    return objectIn(await transport.json<unknown>({ path }));
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 404) return undefined;
    throw error;
  }
}

/**
 * Makes an object what a manifest says it is, as a three-way merge: what the manifest says is set, what the one before
 * said and this one does not is taken away, and what others set besides stays.
 * @param before as the manifest before has it
 */
export async function applyObject(
  transport: Transport,
  target: PlacedObject,
  before: KubeObject | undefined,
  release: { readonly namespace: string; readonly name: string },
): Promise<void> {
  const { path, address } = target;
  const live = await liveObject(transport, path);
  if (live !== undefined) await takeOver(transport, path, live);
  const { namespace } = address;
  const object = marked(target.object, release);
  const body = {
    ...object,
    metadata: { ...object.metadata, ...(namespace === undefined ? {} : { namespace }) },
  };
  const change = { method: 'PATCH', path, contentType: patchTypes.apply, body } as const;
  try {
    await transport.json<unknown>({ ...change, query: { fieldManager: manager, force: true } });
  } catch (error) {
    throw withoutValues(error, change);
  }
  const gone =
    live === undefined || before === undefined ? undefined : removals(content(before), content(object));
  if (gone === undefined) return;
  await sendChange(transport, { method: 'PATCH', path, contentType: patchTypes.merge, body: gone }, false);
}

/** What a manifest says of an object, besides what it is. */
const content = ({ apiVersion: _version, kind: _kind, metadata, ...rest }: KubeObject): Plain => ({
  ...rest,
  metadata: { labels: metadata?.labels ?? {}, annotations: metadata?.annotations ?? {} },
});

/**
 * Helm 3 wrote its objects by updates: as long as those own their fields, applying would leave what it no longer names.
 * They become what was applied.
 */
async function takeOver(transport: Transport, path: string, live: KubeObject): Promise<void> {
  const fields = (live.metadata?.managedFields ?? []).filter((one): one is ManagedFields & object =>
    isPlain(one),
  );
  const isOwn = (one: ManagedFields) => one.manager === manager && (one.subresource ?? '') === '';
  if (fields.some((one) => isOwn(one) && one.operation === 'Apply')) return;
  const index = fields.findIndex((one) => isOwn(one) && one.operation === 'Update');
  if (index < 0) return;
  await transport.json<unknown>({
    method: 'PATCH',
    path,
    contentType: patchTypes.json,
    query: { fieldManager: manager },
    body: [
      { op: 'test', path: '/metadata/resourceVersion', value: live.metadata?.resourceVersion },
      { op: 'replace', path: `/metadata/managedFields/${index}/operation`, value: 'Apply' },
    ],
  });
}

/** Deletes an object, what it owns after it. Nothing where it is gone already. */
export async function deleteObject(transport: Transport, target: PlacedObject): Promise<void> {
  try {
    await sendChange(
      transport,
      {
        method: 'DELETE',
        path: objectPath(target.address),
        body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
      },
      false,
    );
  } catch (error) {
    if (!(error instanceof ClusterProblem) || error.upstream.status !== 404) throw error;
  }
}
