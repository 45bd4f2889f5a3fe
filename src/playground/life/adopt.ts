import { controllerOf } from '../../kube/owners.ts';
import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { ownedBy, put } from './write.ts';

const selectorOf = (owner: Obj) => at(owner, 'spec', 'selector') as LabelSelector | undefined;

/**
 * Adopts the objects that an owner's selector matches and that have no controller, and releases children that it
 * no longer matches (Kubernetes' controller reference manager). `isAdoptable`: which objects may be adopted.
 */
export function adopt(
  life: Life,
  owner: Obj,
  storage: string,
  isAdoptable: (object: Obj) => boolean = () => true,
): void {
  const { world, children } = life;
  const selector = selectorOf(owner);
  for (const child of children.of(owner.metadata.uid, storage)) {
    if (matchesSelector(selector, child.metadata.labels)) continue;
    const { ownerReferences = [], ...metadata } = child.metadata;
    const others = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
    put(world, storage, {
      ...child,
      metadata: others.length === 0 ? metadata : { ...metadata, ownerReferences: others },
    });
  }
  if (owner.metadata.deletionTimestamp !== undefined) return;
  for (const key of children.orphans(storage, owner.metadata.namespace ?? '')) {
    const object = world.store.get(storage, key);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) continue;
    if (controllerOf(object) !== undefined || !isAdoptable(object)) continue;
    if (!matchesSelector(selector, object.metadata.labels)) continue;
    const ownerReferences = [...(object.metadata.ownerReferences ?? []), ownedBy(owner)];
    put(world, storage, { ...object, metadata: { ...object.metadata, ownerReferences } as Obj['metadata'] });
  }
}

/** The keys of owners at a storage that would adopt an object without a controller. */
export function adopters(life: Life, object: Obj | undefined, storage: string): string[] {
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return [];
  if (controllerOf(object) !== undefined) return [];
  const found: string[] = [];
  for (const [key, owner] of life.world.store.entries(storage, `${object.metadata.namespace ?? ''}/`)) {
    if (matchesSelector(selectorOf(owner), object.metadata.labels)) found.push(key);
  }
  return found;
}

/** The key of an object's controller of a kind; without a controller, those of the owners that would adopt it. */
export function ownerKeys(life: Life, object: Obj | undefined, kind: string, storage: string): string[] {
  const owner = controllerOf(object);
  if (owner === undefined) return adopters(life, object, storage);
  return owner.kind === kind ? [keyOf(object?.metadata.namespace, owner.name)] : [];
}
