import { timestamp } from '../kit/clock.ts';
import { createObject } from './objects.ts';
import type { World } from '../store/world.ts';
import type { Rec } from '../kit/values.ts';
import { StatusError } from '../kit/status.ts';

const storage = 'apiregistration.k8s.io/apiservices';
const automanagedLabel = 'kube-aggregator.kubernetes.io/automanaged';

/** Priorities of the server's own groups. */
const priorities: Readonly<Record<string, number>> = {
  '': 18000,
  apps: 17800,
  'events.k8s.io': 17750,
  'authentication.k8s.io': 17700,
  'authorization.k8s.io': 17600,
  autoscaling: 17500,
  batch: 17400,
  'certificates.k8s.io': 17300,
  'networking.k8s.io': 17200,
  policy: 17100,
  'rbac.authorization.k8s.io': 17000,
  'storage.k8s.io': 16800,
  'admissionregistration.k8s.io': 16700,
  'apiextensions.k8s.io': 16700,
  'scheduling.k8s.io': 16600,
  'coordination.k8s.io': 16500,
  'node.k8s.io': 16300,
  'discovery.k8s.io': 16200,
  'resource.k8s.io': 16200,
  'flowcontrol.apiserver.k8s.io': 16100,
};
const versionPriorities: Readonly<Record<string, number>> = {
  '/v1': 1,
  'autoscaling/v2': 30,
  'flowcontrol.apiserver.k8s.io/v1': 21,
};

/** Services behind groups that the API server only aggregates: the metrics server. */
const aggregatedServices: Readonly<Record<string, Rec>> = {
  'metrics.k8s.io': {
    service: { namespace: 'kube-system', name: 'metrics-server', port: 443 },
    insecureSkipTLSVerify: true,
  },
};

/** Creates the missing APIService of every group version, and deletes those of removed groups. */
export function registerApiServices(world: World): void {
  const { registry, store, clock } = world;
  const resource = registry.ofStorage(storage);
  if (resource === undefined) return;
  const wanted = new Set<string>();
  for (const { name: group, versions } of registry.groups) {
    if (group === 'apiregistration.k8s.io') continue;
    for (const { version, resources } of versions) {
      const name = `${version}.${group}`;
      wanted.add(name);
      if (store.get(storage, name) !== undefined) continue;
      const groupPriority = priorities[group];
      const remote = aggregatedServices[group];
      const custom = resources.some((one) => one.custom !== undefined);
      const automanaged =
        remote !== undefined ? {} : { labels: { [automanagedLabel]: custom ? 'true' : 'onstart' } };
      try {
        createObject(world, resource, '', {
          metadata: { name, ...automanaged },
          spec: {
            ...(group === '' ? {} : { group }),
            version,
            groupPriorityMinimum: groupPriority ?? (remote === undefined ? 1000 : 100),
            versionPriority:
              versionPriorities[`${group}/${version}`] ?? (groupPriority === undefined ? 100 : 15),
            ...structuredClone(remote ?? {}),
          },
        });
      } catch (error) {
        if (error instanceof StatusError) continue;
        throw error;
      }
      const stored = store.get(storage, name);
      if (stored === undefined) continue;
      const condition = {
        type: 'Available',
        status: 'True',
        lastTransitionTime: timestamp(clock.now()),
        reason: remote === undefined ? 'Local' : 'Passed',
        message: remote === undefined ? 'Local APIServices are always available' : 'all checks passed',
      };
      store.commit(storage, name, { ...stored, status: { conditions: [condition] } });
    }
  }
  for (const { metadata } of store.list(storage)) {
    const { name = '', labels } = metadata;
    if (labels?.[automanagedLabel] === 'true' && !wanted.has(name)) store.commit(storage, name, undefined);
  }
}
