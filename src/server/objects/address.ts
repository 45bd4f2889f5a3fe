import { Problem } from '../../contract/problem.ts';
import type { ObjectAddress } from '../../kube/change.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';

/** The namespace of a kind's object, or undefined for objects of the cluster. Throws Problem 400 when it does not fit. */
export function namespaceOf(kind: AnyKind, namespace: string | undefined): string | undefined {
  if (kind.scope === 'Cluster') {
    if (namespace === undefined) return undefined;
    throw new Problem({ status: 400, title: `${kind.title} are not namespaced.` });
  }
  if (namespace === undefined) {
    throw new Problem({ status: 400, title: `Choose a namespace: ${kind.title} are namespaced.` });
  }
  return namespace;
}

/** Where an object is in a cluster's API. Throws Problem 400 for a namespace that does not fit the kind. */
export function addressOf(
  kind: AnyKind,
  ref: { readonly namespace?: string | undefined; readonly name: string },
): ObjectAddress {
  const { group, version, plural } = kind;
  return { group, version, plural, namespace: namespaceOf(kind, ref.namespace), name: ref.name };
}

/** An object in a sentence: `Pod shop/api`. */
export function nameOf(
  kind: Pick<AnyKind, 'kind'>,
  { namespace, name }: { namespace?: string | undefined; name: string },
): string {
  return `${kind.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
