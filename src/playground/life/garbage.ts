import { deleteObject } from '../objects/deletion.ts';
import { isCode } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import type { Obj } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { put, remove, resourceAt } from './write.ts';

/** Deletes objects whose owners are gone, and completes foreground and orphan deletion. */
export const garbageCollector: Controller = {
  name: 'garbage-collector',
  interested: ({ storage, key, before, after }) => {
    const keys: string[] = [];
    if (after === undefined && before?.metadata.uid !== undefined) keys.push(`gone|${before.metadata.uid}`);
    const object = after ?? before;
    // A deleted dependent may be the last that its owner waits for.
    if (after === undefined)
      for (const owner of object?.metadata.ownerReferences ?? [])
        keys.push(
          `owner|${owner.uid}|${object?.metadata.namespace ?? ''}|${owner.apiVersion}|${owner.kind}|${owner.name}`,
        );
    if (after?.metadata.deletionTimestamp !== undefined && (after.metadata.finalizers ?? []).length > 0) {
      keys.push(`held|${storage}|${key}`);
    }
    if (before === undefined && (after?.metadata.ownerReferences ?? []).length > 0)
      keys.push(`check|${storage}|${key}`);
    return keys;
  },
  reconcile: (id, life) => {
    const [action = '', first = '', second = '', ...rest] = id.split('|');
    if (action === 'gone') collect(first, life);
    if (action === 'held') release(first, second, life);
    if (action === 'check') orphaned(first, second, life);
    if (action === 'owner') {
      const [apiVersion = '', kind = '', name = ''] = rest;
      const resource = life.world.registry.ofKind(apiVersion, kind);
      if (resource !== undefined)
        release(resource.storage, keyOf(resource.namespaced ? second : '', name), life);
    }
  },
};

function ownerExists(life: Life, object: Obj, uid: string): boolean {
  const owner = object.metadata.ownerReferences?.find((item) => item.uid === uid);
  if (owner === undefined) return false;
  const resource = life.world.registry.ofKind(owner.apiVersion, owner.kind);
  if (resource === undefined) return true;
  const found = life.world.store.get(
    resource.storage,
    keyOf(resource.namespaced ? object.metadata.namespace : '', owner.name),
  );
  return found?.metadata.uid === uid;
}

function orphaned(storage: string, key: string, life: Life): void {
  const object = life.world.store.get(storage, key);
  const owners = object?.metadata.ownerReferences ?? [];
  if (object === undefined || owners.length === 0) return;
  if (owners.some((owner) => ownerExists(life, object, owner.uid))) return;
  remove(life.world, storage, object);
}

function collect(uid: string, life: Life): void {
  for (const [storage, key] of life.children.keysOf(uid)) orphaned(storage, key, life);
}

const without = (object: Obj, finalizer: string): Obj => {
  const { finalizers = [], ...metadata } = object.metadata;
  const remaining = finalizers.filter((item) => item !== finalizer);
  return { ...object, metadata: remaining.length === 0 ? metadata : { ...metadata, finalizers: remaining } };
};

/** Removes a finalizer; an object that is being deleted disappears with its last one. */
export function dropFinalizer(life: Life, storage: string, object: Obj, finalizer: string): void {
  const { world } = life;
  const next = without(object, finalizer);
  const key = keyOf(object.metadata.namespace, object.metadata.name ?? '');
  const isHeld =
    (next.metadata.finalizers ?? []).length > 0 || (next.metadata.deletionGracePeriodSeconds ?? 0) > 0;
  if (isHeld || object.metadata.deletionTimestamp === undefined) put(world, storage, next);
  else world.store.commit(storage, key, undefined);
}

function release(storage: string, key: string, life: Life): void {
  const object = life.world.store.get(storage, key);
  if (object?.metadata.deletionTimestamp === undefined) return;
  const { finalizers = [], uid = '' } = object.metadata;
  if (finalizers.includes('orphan')) {
    for (const [childStorage, childKey] of life.children.keysOf(uid)) {
      const child = life.world.store.get(childStorage, childKey);
      if (child === undefined) continue;
      const { ownerReferences = [], ...metadata } = child.metadata;
      const others = ownerReferences.filter((owner) => owner.uid !== uid);
      put(life.world, childStorage, {
        ...child,
        metadata: others.length === 0 ? metadata : { ...metadata, ownerReferences: others },
      });
    }
    dropFinalizer(life, storage, object, 'orphan');
    return;
  }
  if (finalizers.includes('foregroundDeletion')) {
    let blocked = false;
    for (const [childStorage, childKey] of life.children.keysOf(uid)) {
      const child = life.world.store.get(childStorage, childKey);
      if (child === undefined) continue;
      const blocks = child.metadata.ownerReferences?.some(
        (owner) => owner.uid === uid && owner.blockOwnerDeletion === true,
      );
      if (blocks === true) blocked = true;
      if (child.metadata.deletionTimestamp !== undefined) continue;
      try {
        deleteObject(
          life.world,
          resourceAt(life.world, childStorage),
          child.metadata.namespace ?? '',
          child.metadata.name ?? '',
          {
            propagationPolicy: 'Foreground',
          },
        );
      } catch (error) {
        if (!isCode(error, 404)) throw error;
      }
    }
    if (!blocked || life.children.keysOf(uid).length === 0) {
      dropFinalizer(life, storage, object, 'foregroundDeletion');
    }
    return;
  }
  if (finalizers.includes('kubernetes.io/pvc-protection') && !claimUsed(object, life)) {
    dropFinalizer(life, storage, object, 'kubernetes.io/pvc-protection');
  } else if (finalizers.includes('kubernetes.io/pv-protection')) {
    dropFinalizer(life, storage, object, 'kubernetes.io/pv-protection');
  }
}

function claimUsed(claim: Obj, life: Life): boolean {
  const { namespace = '', name } = claim.metadata;
  const used = life.world.store
    .list('/pods', `${namespace}/`)
    .some((pod) => JSON.stringify(pod['spec']).includes(`"claimName":"${name}"`));
  if (used)
    life.look(garbageCollector, `held|/persistentvolumeclaims|${keyOf(namespace, name ?? '')}`, 2_000);
  return used;
}
