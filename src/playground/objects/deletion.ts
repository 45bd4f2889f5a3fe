import { release } from '../admission/services.ts';
import { timestamp } from '../kit/clock.ts';
import { cleanup, definitions, markTerminating } from '../custom/definition.ts';
import { getObject } from './objects.ts';
import type { World } from '../store/world.ts';
import type { Resource } from '../registry/registry.ts';
import { conflict, forbidden } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, rec } from '../kit/values.ts';

/** Options of a deletion (DeleteOptions). */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly preconditions?: { uid?: string; resourceVersion?: string } | undefined;
  readonly dryRun?: boolean | undefined;
}

/** The result of a deletion: the object's present or last state. `isRemoved`: nothing of it is stored any more. */
export interface Deleted {
  readonly object: Obj;
  readonly isRemoved: boolean;
}

/** Namespaces that cannot be deleted. */
const permanentNamespaces = new Set(['default', 'kube-public', 'kube-system']);

const holding: Readonly<Record<string, string>> = { Foreground: 'foregroundDeletion', Orphan: 'orphan' };

/**
 * Deletes an object, or marks it as being deleted while finalizers, a pod's grace period or a namespace's
 * contents remain. Throws StatusError: 404, 409 when a precondition fails.
 */
export function deleteObject(
  world: World,
  resource: Resource,
  namespace: string,
  name: string,
  options: DeleteOptions = {},
): Deleted {
  const before = getObject(world, resource, namespace, name);
  checkPreconditions(resource, name, before, options);
  if (resource.storage === '/namespaces' && permanentNamespaces.has(name)) {
    throw forbidden(resource, name, 'this namespace may not be deleted');
  }
  if (resource.storage === 'scheduling.k8s.io/priorityclasses' && name.startsWith('system-')) {
    throw forbidden(resource, name, 'this is a system priority class and cannot be deleted');
  }
  const key = keyOf(before.metadata.namespace, name);
  const finalizers = [...(before.metadata.finalizers ?? [])];
  if (resource.storage === definitions && !finalizers.includes(cleanup)) finalizers.push(cleanup);
  const ownFinalizer = holding[options.propagationPolicy ?? ''];
  const already = before.metadata.deletionTimestamp !== undefined;
  if (ownFinalizer !== undefined && !already && !finalizers.includes(ownFinalizer))
    finalizers.push(ownFinalizer);
  const grace = resource.storage === '/pods' ? podGrace(before, options.gracePeriodSeconds) : 0;
  const isHeld = finalizers.length > 0 || grace > 0 || resource.storage === '/namespaces';
  if (already && isHeld) {
    const shorter = grace < (before.metadata.deletionGracePeriodSeconds ?? 0);
    if (!shorter) return { object: before, isRemoved: false };
  }
  const marked = mark(world, before, finalizers, already && !isHeld ? 0 : grace);
  if (options.dryRun === true) return { object: isHeld ? marked : before, isRemoved: !isHeld };
  if (isHeld) return { object: world.store.commit(resource.storage, key, marked), isRemoved: false };
  release(world, resource, before);
  const last = world.store.commit(resource.storage, key, undefined);
  const graceful = resource.storage === '/pods';
  return {
    object: graceful
      ? { ...marked, metadata: { ...marked.metadata, resourceVersion: last.metadata.resourceVersion ?? '' } }
      : last,
    isRemoved: true,
  };
}

/** A pod's grace period, seconds; 0 when it has no node or has ended. */
function podGrace(pod: Obj, requestedSeconds: number | undefined): number {
  const node = at(pod, 'spec', 'nodeName');
  const phase = at(pod, 'status', 'phase');
  if (typeof node !== 'string' || node === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const grace = requestedSeconds ?? Number(at(pod, 'spec', 'terminationGracePeriodSeconds') ?? 30);
  return grace < 0 ? 1 : grace;
}

function mark(world: World, before: Obj, finalizers: readonly string[], grace: number): Obj {
  const { metadata } = before;
  const already = metadata.deletionTimestamp !== undefined;
  const isDefinition = before.kind === 'CustomResourceDefinition';
  const object: Obj = {
    ...before,
    metadata: {
      ...metadata,
      // The server marks definitions and namespaces without a grace period, and definitions without a new
      // generation.
      ...(metadata.generation === undefined || already || isDefinition
        ? {}
        : { generation: metadata.generation + 1 }),
      deletionTimestamp: timestamp(world.clock.now() + grace * 1000),
      ...(isDefinition || before.kind === 'Namespace' ? {} : { deletionGracePeriodSeconds: grace }),
      ...(finalizers.length === 0 ? {} : { finalizers: [...finalizers] }),
    },
  };
  if (before.kind === 'CustomResourceDefinition') markTerminating(object, timestamp(world.clock.now()));
  if (before.kind === 'Namespace') object['status'] = { ...rec(before['status']), phase: 'Terminating' };
  return object;
}

function checkPreconditions(resource: Resource, name: string, before: Obj, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const resourceName = { group: resource.group, plural: resource.kind };
  if (uid !== undefined && uid !== before.metadata.uid) {
    throw conflict(
      resourceName,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${before.metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion) {
    throw conflict(
      resourceName,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${before.metadata.resourceVersion}). The object might have been modified`,
    );
  }
}
