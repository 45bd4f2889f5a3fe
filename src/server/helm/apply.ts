import { Problem } from '../../contract/problem.ts';
import { type KubeChange, objectPath, patchTypes } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { isPlain, objectIn } from '../objects/read.ts';
import { sendChange } from '../objects/send.ts';
import { withoutValues } from '../objects/secret-guard.ts';
import type { PlacedObject } from './manifest.ts';
import { releaseAnnotations } from '../../kube/writers/packages.ts';
import { strangerReason, type ReleaseName } from './ownership.ts';

/** Under which name Helm's writes stand in an object's managed fields. */
const manager = 'helm';

type JsonObject = Readonly<Record<string, unknown>>;

/** Adds the labels and annotations by which Helm marks the objects of a release. */
function marked(object: KubeObject, release: ReleaseName): KubeObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: {
        ...metadata?.annotations,
        [releaseAnnotations.name]: release.name,
        [releaseAnnotations.namespace]: release.namespace,
      },
    },
  };
}

/**
 * The members that one manifest has and the other lacks, as a merge patch that removes them. Only members of objects:
 * the cluster removes missing list items itself, as it knows the keys of the items of each list.
 */
export function removals(before: JsonObject, after: JsonObject): JsonObject | undefined {
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

/** The server-side apply of one object of a release, with Helm's marks on it. */
export function applyChange(
  { path, address, object }: PlacedObject,
  release: ReleaseName,
): KubeChange & { readonly body: KubeObject } {
  const { namespace } = address;
  const body = marked(object, release);
  return {
    method: 'PATCH',
    path,
    contentType: patchTypes.apply,
    body: { ...body, metadata: { ...body.metadata, ...(namespace === undefined ? {} : { namespace }) } },
  };
}

/** Sends an apply under Helm's name, which takes over its fields from other owners. */
export async function sendHelmApply(
  transport: Transport,
  change: ReturnType<typeof applyChange>,
  dryRun: boolean,
): Promise<void> {
  const query = { fieldManager: manager, force: true, dryRun: dryRun ? 'All' : undefined };
  try {
    await transport.json<unknown>({ ...change, query });
  } catch (error) {
    throw withoutValues(error, change);
  }
}

/**
 * The members of an object in the earlier manifest that are missing in this one, as a merge patch; undefined if there
 * are none.
 */
export const removalsOf = (before: KubeObject, after: KubeObject): JsonObject | undefined =>
  removals(content(before), content(after));

/**
 * Changes an object to its manifest by a three-way merge: fields of the manifest are set, fields that only the earlier
 * manifest had are removed, and fields set by others stay.
 * @param before as the manifest before has it
 */
export async function applyObject(
  transport: Transport,
  target: PlacedObject,
  before: KubeObject | undefined,
  release: ReleaseName,
): Promise<void> {
  const { path } = target;
  const live = await liveObject(transport, path);
  if (live !== undefined) requireOwn(target, live, release);
  if (live !== undefined) await takeOver(transport, path, live);
  const change = applyChange(target, release);
  await sendHelmApply(transport, change, false);
  const gone = live === undefined || before === undefined ? undefined : removalsOf(before, change.body);
  if (gone === undefined) return;
  await sendChange(transport, { method: 'PATCH', path, contentType: patchTypes.merge, body: gone }, false);
}

/** The content of an object in a manifest, without its identity. */
const content = ({ apiVersion: _version, kind: _kind, metadata, ...rest }: KubeObject): JsonObject => ({
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

/** The deletion of an object, what it owns after it. */
export const deletion = ({ address }: Pick<PlacedObject, 'address'>): KubeChange => ({
  method: 'DELETE',
  path: objectPath(address),
  body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
});

/** Throws Problem 409 for an object that does not belong to the release. */
function requireOwn({ title }: PlacedObject, live: KubeObject, release: ReleaseName): void {
  const reason = strangerReason(live, release);
  if (reason !== undefined) throw new Problem({ status: 409, title: `${title} was not changed. ${reason}` });
}

/**
 * Deletes an object, what it owns after it. Nothing where it is gone already. Throws Problem 409 for an object that does
 * not belong to the release.
 */
export async function deleteObject(
  transport: Transport,
  target: PlacedObject,
  release: ReleaseName,
): Promise<void> {
  const live = await liveObject(transport, target.path);
  if (live === undefined) return;
  requireOwn(target, live, release);
  const change = deletion(target);
  // Nor is one deleted that took the name meanwhile.
  const uid = live.metadata?.uid;
  const body = { ...(change.body as object), ...(uid === undefined ? {} : { preconditions: { uid } }) };
  try {
    await sendChange(transport, { ...change, body }, false);
  } catch (error) {
    if (!(error instanceof ClusterProblem) || error.upstream.status !== 404) throw error;
  }
}
