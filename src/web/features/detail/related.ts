import type { KubeObject } from '../../../kube/object.ts';
import { controllerFirst } from '../../../kube/owners.ts';
import { formatSelector } from '../../../kube/format-selector.ts';
import type { Where } from '../../../contract/live.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind, RelatedObject } from '../../../registry/kinds/kind.ts';
import { refKey } from '../../../registry/kinds/refs.ts';
import { kindNameOf } from '../../core/kinds/names.ts';

/** Another object, with a reference where this console has a page for it. */
export interface RelatedLine {
  readonly relation: RelatedObject['relation'];
  readonly kind: string;
  readonly name: string;
  readonly ref: ObjectRef | undefined;
  /** It does not exist: trouble, no trouble as it is optional, or as usual. Undefined: it exists, or nobody knows. */
  readonly absence?: 'trouble' | 'optional' | 'usual';
}

function lineOf(
  cluster: string,
  { relation, apiVersion, kind, namespace, name }: RelatedObject,
): RelatedLine {
  const id = kindNameOf(apiVersion, kind);
  const ref =
    id === undefined
      ? undefined
      : { cluster, kind: id, ...(namespace === undefined ? {} : { namespace }), name };
  return { relation, kind, name, ref };
}

/** The owners of an object, the controlling one first. Owners live in the same namespace, or in none. */
export function ownersOf(
  cluster: string,
  object: KubeObject,
  isClusterKind: (id: string) => boolean,
): readonly RelatedLine[] {
  const { namespace, ownerReferences = [] } = object.metadata ?? {};
  return controllerFirst(ownerReferences).map(({ apiVersion, kind, name }) => {
    const id = kindNameOf(apiVersion, kind);
    const isPlaced = namespace !== undefined && (id === undefined || !isClusterKind(id));
    return lineOf(cluster, {
      relation: 'owner',
      apiVersion,
      kind,
      ...(isPlaced ? { namespace } : {}),
      name,
    });
  });
}

/**
 * The objects that an object uses and is about, as its kind declares them.
 * @param missing keys of those that are known not to exist, as `refKey` writes them
 */
export function relatedOf(
  cluster: string,
  kind: Pick<AnyKind, 'refs'>,
  object: KubeObject,
  missing: readonly string[],
): readonly RelatedLine[] {
  return (kind.refs?.(object) ?? [])
    .filter(({ relation }) => relation !== 'owner')
    .map((related) => ({
      ...lineOf(cluster, related),
      ...(missing.includes(refKey(related)) ? { absence: related.absence ?? ('trouble' as const) } : {}),
    }));
}

/** The condition that names the pods of an object; undefined for a kind without pods, or a selector of nothing. */
export function podsWhere(kind: AnyKind, object: KubeObject): Where | undefined {
  const selection = kind.pods?.(object);
  if (selection === undefined) return undefined;
  if ('nodeName' in selection) return selection.nodeName === '' ? undefined : { node: selection.nodeName };
  const labels = formatSelector(selection);
  return labels === '' ? undefined : { labels };
}
