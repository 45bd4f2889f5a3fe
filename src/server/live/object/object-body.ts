import { Problem } from '../../../contract/problem.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { cleanValue, cutDeep, isTooDeep, presentObject } from '../../objects/present.ts';
import { shaped } from '../../objects/read.ts';
import { longBody } from '../wire/channel.ts';
import type { SharedText } from '../wire/shared-text.ts';

/**
 * The result of a kind's function on an object; `otherwise` if it cannot read the object's shape, which is shown all
 * the same.
 */
export function readable<T>(read: () => T, otherwise: T): T {
  try {
    return shaped('The object', read);
  } catch (error) {
    if (error instanceof Problem) return otherwise;
    throw error;
  }
}

/** The part of an `object` message that is the same for everybody, by version. */
const bodies = new WeakMap<KubeObject, SharedText>();

/** That part of an object's message, made once for each version. */
export function bodyOf(kind: AnyKind, object: KubeObject): SharedText {
  const known = bodies.get(object);
  if (known !== undefined) return known;
  const shallow = isTooDeep(object) ? (cutDeep(object) as KubeObject) : object;
  const members = [
    `"object":${JSON.stringify(presentObject(kind, shallow))}`,
    `"facts":${JSON.stringify(readable(() => cleanValue(kind.facts?.(object) ?? {}), {}))}`,
  ];
  const body = longBody(members.join(','));
  bodies.set(object, body);
  return body;
}
