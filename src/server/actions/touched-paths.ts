import type { KubeChange, ObjectAddress } from '../../kube/change.ts';
import type { JsonPath } from '../../kube/json-diff.ts';
import type { KubeObject } from '../../kube/object.ts';
import { isPlainObject } from '../../kube/plain.ts';
import type { KindAction, ProcedureName } from '../../registry/kinds/kind-action.ts';

/** Fields that the procedures of the server change; those that change none of the object's own have none. */
const ofProcedures: Readonly<Record<ProcedureName, readonly JsonPath[]>> = {
  rollback: [['spec', 'template']],
  'default-class': [['metadata', 'annotations']],
  evict: [],
};

/**
 * The fields of an object that an action changes; undefined where it changes none of this object's, as it creates another
 * one or is a job of many steps.
 */
export function touchedPaths(
  action: KindAction,
  args: Readonly<Record<string, unknown>>,
  object: KubeObject,
  { address, now }: { readonly address: ObjectAddress; readonly now: string },
): readonly JsonPath[] | undefined {
  if (action.creates === true || 'job' in action) return undefined;
  const paths =
    'procedure' in action
      ? ofProcedures[action.procedure]
      : action.requests(object, args as never, { address, now }).flatMap((change) => pathsOf(change, object));
  return paths.length === 0 ? undefined : paths;
}

function pathsOf({ body }: KubeChange, object: KubeObject): readonly JsonPath[] {
  if (Array.isArray(body))
    return body.flatMap((one: unknown) => {
      const pointer = isPlainObject(one) ? one['path'] : undefined;
      return typeof pointer === 'string' && pointer !== '' ? [pathOfPointer(pointer)] : [];
    });
  return leaves(body, object, []);
}

const pathOfPointer = (pointer: string): JsonPath =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/** The fields that a patch sets. An item of a list that it names is looked up in the object, as patches have no places. */
function leaves(patch: unknown, object: unknown, path: JsonPath): readonly JsonPath[] {
  if (isPlainObject(patch))
    return Object.entries(patch).flatMap(([key, value]) =>
      leaves(value, isPlainObject(object) ? object[key] : undefined, [...path, key]),
    );
  if (Array.isArray(patch) && Array.isArray(object) && patch.every(isPlainObject)) {
    const places = patch.map((item) =>
      object.findIndex((one) => isPlainObject(one) && one['name'] === item['name']),
    );
    if (places.every((place) => place >= 0))
      return patch.flatMap((item, at) => {
        const { name: _, ...rest } = item;
        const place = places[at] ?? 0;
        return leaves(rest, (object as readonly unknown[])[place], [...path, place]);
      });
  }
  return [path];
}
