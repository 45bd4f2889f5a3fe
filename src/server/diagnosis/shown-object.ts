import type { KubeObject } from '../../kube/object.ts';
import { keptWrites } from '../../kube/writes.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { presentObject } from '../objects/present.ts';
import { objectIn } from '../objects/read.ts';

/**
 * An object as rules see it: as people do, its text cleaned and a Secret's values masked, with the times of its last
 * writes, by which kinds judge whether a rollout makes progress.
 */
export function shownObject(kind: AnyKind, object: KubeObject): KubeObject {
  const shown = objectIn(presentObject(kind, object));
  const managedFields = keptWrites(object);
  return managedFields.length === 0
    ? shown
    : { ...shown, metadata: { ...shown.metadata, managedFields: [...managedFields] } };
}
