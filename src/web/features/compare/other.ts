import type { SearchHit } from '../../../contract/search.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { fillPath } from '../../../registry/path.ts';
import { stringifySearch } from '../../workspace/search.ts';

/** How the other side of a comparison is named in an address: `3/shop/web`, or this for what was last applied. */
export const lastAppliedName = 'last-applied';

/** Writes the other side for the address. */
export function formatOther({ cluster, namespace, name }: ObjectRef): string {
  return [cluster, namespace ?? '', name].map(encodeURIComponent).join('/');
}

/** A place that has objects of a kind: a whole cluster without a namespace. */
export interface Place {
  readonly cluster: string;
  readonly namespace?: string;
}

/** Writes the other side of two lists for the address: `3/shop`, or `3` for a whole cluster. */
export function formatPlace({ cluster, namespace }: Place): string {
  return namespace === undefined ? cluster : `${cluster}/${encodeURIComponent(namespace)}`;
}

/** The address of the comparison of the lists that two objects are in. */
export function listsHref(
  kind: Pick<KindFacts, 'paths'>,
  { cluster, namespace }: Place,
  other: Place | undefined,
): string {
  const to = other === undefined ? undefined : formatPlace(other);
  return (
    fillPath(kind.paths.list, { clusterId: cluster }) +
    stringifySearch({ ns: namespace, view: 'compare', to })
  );
}

/** Reads it; undefined for anything else. */
export function parsePlace(text: string | undefined): Place | undefined {
  const [cluster = '', namespace, ...rest] = (text ?? '').split('/').map(decode);
  if (!/^[1-9]\d{0,8}$/.test(cluster) || namespace === '' || rest.length > 0) return undefined;
  return { cluster, ...(namespace === undefined ? {} : { namespace }) };
}

/** Objects that a comparison proposes. */
const maxProposed = 8;

/** The objects of the same kind and name in other clusters, those of the same namespace first. */
export function sameNameElsewhere(hits: readonly SearchHit[], self: ObjectRef): readonly ObjectRef[] {
  const isSame = (hit: SearchHit) => Number(hit.namespace !== self.namespace);
  return hits
    .filter(
      ({ clusterId, kind, name }) =>
        kind === self.kind && name === self.name && String(clusterId) !== self.cluster,
    )
    .toSorted((a, b) => isSame(a) - isSame(b))
    .slice(0, maxProposed)
    .map(({ clusterId, kind, namespace, name }) => ({
      cluster: String(clusterId),
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
    }));
}

/** Reads it: an object of the same kind; undefined for anything else. */
export function parseOther(text: string | undefined, self: ObjectRef): ObjectRef | undefined {
  const [cluster = '', namespace = '', name = '', ...rest] = (text ?? '').split('/').map(decode);
  if (!/^\d{1,10}$/.test(cluster) || name === '' || rest.length > 0) return undefined;
  if ((namespace === '') !== (self.namespace === undefined)) return undefined;
  return { cluster, kind: self.kind, ...(namespace === '' ? {} : { namespace }), name };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
