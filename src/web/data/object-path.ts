import type { ObjectRef } from '../../registry/commands/invocation.ts';
import { objectParams } from '../../registry/commands/kind-commands.ts';
import { fillPath } from '../../registry/path.ts';
import { coreGroup, isCustomName, parseKindName } from '../../registry/kinds/resource-key.ts';
import { kindById } from '../core/kinds/declared.ts';

/** Paths of objects whose kind has no file, behind cluster and namespace. */
const genericPath = 'objects/:group/:plural/:name';
const customPath = 'crds/:crdName/:name';

/** The path of an object's page, or of one of its tools; undefined where it has none. */
export function objectPath(ref: ObjectRef, view?: string): string | undefined {
  const search = view === undefined ? '' : `?view=${view}`;
  const declared = kindById(ref.kind)?.paths.detail?.[0];
  if (declared !== undefined) return fillPath(declared, objectParams(declared, ref)) + search;
  const kind = parseKindName(ref.kind);
  if (kind === undefined) return undefined;
  const { group, word: plural } = kind;
  const { cluster: clusterId, namespace = '', name } = ref;
  const place = `/clusters/:clusterId/${namespace === '' ? '' : 'namespaces/:namespaceName/'}`;
  const pattern = `${place}${isCustomName(ref.kind) ? customPath : genericPath}`;
  return (
    fillPath(pattern, {
      clusterId,
      namespaceName: namespace,
      group: group === '' ? coreGroup : group,
      plural,
      crdName: `${plural}.${group}`,
      name,
    }) + search
  );
}
