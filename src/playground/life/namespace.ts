import { release } from '../admission/services.ts';
import { keyOf } from '../store.ts';
import { at } from '../values.ts';
import type { Controller } from './engine.ts';
import { create, remove, resourceAt } from './write.ts';

/** Gives a new namespace its service account and certificate, and empties one that is being deleted. */
export const namespaceController: Controller = {
  name: 'namespace-controller',
  interested: ({ storage, key, after, before }) => {
    if (storage === '/namespaces') return after === undefined ? [] : [key];
    const namespace = before?.metadata.namespace;
    return after === undefined && namespace !== undefined ? [namespace] : [];
  },
  reconcile: (name, life) => {
    const { world } = life;
    const namespace = world.store.get('/namespaces', name);
    if (namespace === undefined) return;
    if (namespace.metadata.deletionTimestamp === undefined) {
      if (world.store.get('/serviceaccounts', keyOf(name, 'default')) === undefined) {
        create(world, '/serviceaccounts', name, { metadata: { name: 'default' } });
      }
      if (world.store.get('/configmaps', keyOf(name, 'kube-root-ca.crt')) === undefined) {
        create(world, '/configmaps', name, {
          metadata: {
            name: 'kube-root-ca.crt',
            annotations: {
              'kubernetes.io/description':
                'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
            },
          },
          data: { 'ca.crt': world.authority ?? '' },
        });
      }
      return;
    }
    let left = 0;
    for (const storage of Array.from(world.store.storages())) {
      for (const object of world.store.list(storage, `${name}/`)) {
        left += 1;
        if (object.metadata.deletionTimestamp === undefined) remove(world, storage, object);
      }
    }
    if (left > 0) {
      life.look(namespaceController, name, 1_000);
      return;
    }
    const finalizers = at(namespace, 'spec', 'finalizers');
    const own = Array.isArray(finalizers) ? finalizers.filter((item) => item !== 'kubernetes') : [];
    if (own.length > 0 || (namespace.metadata.finalizers ?? []).length > 0) return;
    release(world, resourceAt(world, '/namespaces'), namespace);
    world.store.commit('/namespaces', name, undefined);
  },
};
