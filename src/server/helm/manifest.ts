import type { PlacedNeed } from '../access/held.ts';
import { Problem } from '../../contract/problem.ts';
import { type ObjectAddress, objectPath } from '../../kube/change.ts';
import { listItems } from '../../kube/list-items.ts';
import { readManifest } from '../../kube/manifest.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { formatKindName } from '../../registry/kinds/resource-key.ts';
import { changePlace } from '../access/place.ts';
import type { JobContext } from '../jobs/job.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import { isPlain } from '../objects/read.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';

/** Objects of one release that are worked on. */
export const maxObjects = 1_000;
const keepAnnotation = 'helm.sh/resource-policy';

/** An object as a manifest has it. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** As written; the release's namespace is meant without one. */
  readonly namespace: string | undefined;
  readonly name: string;
  /** Whether it stays when its release goes. */
  readonly isKept: boolean;
  readonly object: KubeObject;
}

/**
 * The objects of a manifest, those of lists one by one, read as Helm reads them. Throws Problem 422 for a document that is
 * none: half a manifest is not worked on.
 */
export function objectsOf(manifest: string): ManifestObject[] {
  const found: ManifestObject[] = [];
  const add = (value: unknown): void => {
    if (value === null || value === undefined) return;
    if (!isPlain(value)) throw unreadable();
    const items = listItems(value);
    if (items !== undefined) {
      for (const item of items) add(item);
      return;
    }
    const { apiVersion, kind, metadata } = value;
    const { name, namespace, annotations } = isPlain(metadata) ? metadata : {};
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string')
      throw unreadable();
    found.push({
      apiVersion,
      kind,
      namespace: typeof namespace === 'string' && namespace !== '' ? namespace : undefined,
      name,
      isKept: isPlain(annotations) && annotations[keepAnnotation] === 'keep',
      object: value,
    });
    if (found.length > maxObjects) {
      throw new Problem({
        status: 422,
        title: `The manifest has more than ${maxObjects.toLocaleString('en')} objects, more than this console handles.`,
      });
    }
  };
  const read = readManifest(manifest);
  if (read.type === 'invalid') {
    throw new Problem({
      status: 422,
      title: `The manifest of the release cannot be read: ${read.bare.replace(/\.?$/, '.')} Nothing was changed.`,
    });
  }
  if (read.type === 'valid') for (const { value } of read.documents) add(value);
  return found;
}

const unreadable = () =>
  new Problem({
    status: 422,
    title: 'The manifest of the release has a document that is not a Kubernetes object. Nothing was changed.',
  });

/** An object of a manifest and where it is on the cluster. */
export interface PlacedObject extends ManifestObject {
  readonly kindOf: AnyKind;
  readonly address: ObjectAddress;
  readonly path: string;
  /** `Deployment shop/api`. */
  readonly title: string;
}

/** Finds out where the objects of a manifest are. Throws Problem for a kind that the cluster does not serve. */
export async function placeObjects(
  objects: readonly ManifestObject[],
  releaseNamespace: string,
  { kinds, cluster }: { readonly kinds: KindCatalogue; readonly cluster: ClusterRow },
): Promise<PlacedObject[]> {
  const placed: PlacedObject[] = [];
  for (const one of objects) {
    const kindOf = await kinds.find(cluster, kindNameOf(one));
    const namespace = kindOf.scope === 'Cluster' ? undefined : (one.namespace ?? releaseNamespace);
    const { group, version, plural } = kindOf;
    const address = { group, version, plural, namespace, name: one.name };
    const place = namespace === undefined ? one.name : `${namespace}/${one.name}`;
    placed.push({
      ...one,
      kindOf,
      address,
      path: objectPath(address),
      title: cleanText(`${one.kind} ${place}`),
    });
  }
  return placed;
}

/** The namespaces of a release and its objects; null where objects of the cluster itself are among them. */
export function namespacesTouched(
  release: { readonly namespace: string },
  objects: readonly Pick<PlacedObject, 'address'>[],
): readonly string[] | null {
  const own = objects.flatMap(({ address }) => address.namespace ?? []);
  return own.length < objects.length ? null : [...new Set([release.namespace, ...own])].sort();
}

/** Throws Problem when somebody may not change one of these objects where it is. */
export async function requireChange(
  { require }: Pick<JobContext, 'require'>,
  objects: readonly Pick<PlacedObject, 'kindOf' | 'address'>[],
): Promise<void> {
  for (const { need, place } of needsToChange(objects)) await require(need, place);
}

/** What it takes to change objects where they are, each need in each place once. */
export function needsToChange(objects: readonly Pick<PlacedObject, 'kindOf' | 'address'>[]): PlacedNeed[] {
  const needs = new Map<string, PlacedNeed>();
  for (const { kindOf, address } of objects) {
    const one = { need: kindOf.permissions.manage, place: changePlace(kindOf, address) };
    needs.set(JSON.stringify(one), one);
  }
  return [...needs.values()];
}

/** What it takes to change a release with these objects, and to keep its revisions. */
export function needsOfRelease(
  { kind }: Pick<JobContext, 'kind'>,
  { namespace }: { readonly namespace: string },
  objects: readonly Pick<PlacedObject, 'kindOf' | 'address'>[],
): PlacedNeed[] {
  return [{ need: kind.permissions.manage, place: { namespace } }, ...needsToChange(objects)];
}

/** The name under which the console finds the kind of an object. */
export function kindNameOf({ apiVersion, kind }: Pick<ManifestObject, 'apiVersion' | 'kind'>): string {
  const at = apiVersion.indexOf('/');
  return at < 0
    ? formatKindName({ group: '', word: kind })
    : formatKindName({ group: apiVersion.slice(0, at), word: kind });
}

/** The identity of an object, whatever version of its API a manifest names. */
export const identityOf = ({ address }: Pick<PlacedObject, 'address'>): string =>
  JSON.stringify([address.group, address.plural, address.namespace ?? '', address.name]);
