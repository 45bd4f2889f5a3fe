import { release } from '../admission/services.ts';
import { timestamp } from '../kit/clock.ts';
import { keyOf } from '../store/store.ts';
import { authorityConfig, authorityName } from './authority.ts';
import { at, type Obj, type Rec, rec, recs } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { create, putStatus, remove, resourceAt, withCondition } from './write.ts';

/**
 * Creates a new namespace's service account and certificate authority ConfigMap, and deletes the contents of one
 * that is being deleted.
 */
export const namespaceController: Controller = {
  name: 'namespace-controller',
  interested: ({ storage, key, after, before }) => {
    if (storage === '/namespaces') return after === undefined ? [] : [key];
    const namespace = before?.metadata.namespace;
    return after === undefined && namespace !== undefined ? [namespace] : [];
  },
  reconcile: (name, life) => {
    const namespace = life.world.store.get('/namespaces', name);
    if (namespace === undefined) return;
    if (namespace.metadata.deletionTimestamp === undefined) furnish(name, life);
    else empty(name, namespace, life);
  },
};

function furnish(name: string, life: Life): void {
  const { world } = life;
  if (world.store.get('/serviceaccounts', keyOf(name, 'default')) === undefined) {
    create(world, '/serviceaccounts', name, { metadata: { name: 'default' } });
  }
  if (world.store.get('/configmaps', keyOf(name, authorityName)) !== undefined) return;
  create(world, '/configmaps', name, authorityConfig(world));
}

/** Remaining contents of a namespace: number of objects by resource and by finalizer. */
interface NamespaceContents {
  readonly resources: Map<string, number>;
  readonly finalizers: Map<string, number>;
}

function empty(name: string, namespace: Obj, life: Life): void {
  const { world } = life;
  for (const storage of Array.from(world.store.storages())) {
    for (const object of world.store.list(storage, `${name}/`)) {
      if (object.metadata.deletionTimestamp === undefined) remove(world, storage, object);
    }
  }
  const contents: NamespaceContents = { resources: new Map(), finalizers: new Map() };
  const increment = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const storage of world.store.storages()) {
    for (const [, object] of world.store.entries(storage, `${name}/`)) {
      const { plural, group } = resourceAt(world, storage);
      increment(contents.resources, `${plural}.${group}`);
      for (const finalizer of object.metadata.finalizers ?? []) increment(contents.finalizers, finalizer);
    }
  }
  putStatus(world, '/namespaces', namespace, {
    ...rec(namespace['status']),
    conditions: conditions(
      recs(at(namespace, 'status', 'conditions')),
      contents,
      timestamp(world.clock.now()),
    ),
  });
  if (contents.resources.size > 0) {
    life.look(namespaceController, name, 1_000);
    return;
  }
  const finalizers = at(namespace, 'spec', 'finalizers');
  const otherFinalizers = Array.isArray(finalizers) ? finalizers.filter((item) => item !== 'kubernetes') : [];
  if (otherFinalizers.length > 0 || (namespace.metadata.finalizers ?? []).length > 0) return;
  release(world, resourceAt(world, '/namespaces'), namespace);
  world.store.commit('/namespaces', name, undefined);
}

const listed = (counts: ReadonlyMap<string, number>, noun: string) =>
  [...counts]
    .map(([name, count]) => `${name} ${noun} ${count} resource instances`)
    .sort()
    .join(', ');

/** The namespace controller's five conditions. */
function conditions(
  before: readonly Rec[],
  { resources, finalizers }: NamespaceContents,
  now: string,
): Rec[] {
  const condition = (type: string, isTrue: boolean, reason: string, message: string): Rec => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason,
    message,
  });
  const all = [
    condition(
      'NamespaceDeletionDiscoveryFailure',
      false,
      'ResourcesDiscovered',
      'All resources successfully discovered',
    ),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    condition(
      'NamespaceDeletionContentFailure',
      false,
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    resources.size === 0
      ? condition('NamespaceContentRemaining', false, 'ContentRemoved', 'All content successfully removed')
      : condition(
          'NamespaceContentRemaining',
          true,
          'SomeResourcesRemain',
          `Some resources are remaining: ${listed(resources, 'has')}`,
        ),
    finalizers.size === 0
      ? condition(
          'NamespaceFinalizersRemaining',
          false,
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        )
      : condition(
          'NamespaceFinalizersRemaining',
          true,
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${listed(finalizers, 'in')}`,
        ),
  ];
  return all.reduce<Rec[]>((list, next) => withCondition(list, next, now), [...before]);
}
