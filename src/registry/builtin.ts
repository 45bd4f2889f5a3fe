import type { Permission } from '../contract/permissions.ts';
import type { AnyKind } from './kind.ts';
import type { ResourceName } from './resource-key.ts';

/** A resource of an API server, as far as generic pages need to know it. */
export interface Resource extends ResourceName {
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

type Permissions = AnyKind['permissions'];
type Line = readonly [
  group: string,
  version: string,
  plural: string,
  kind: string,
  scope: Resource['scope'],
  view: Permission,
  manage: Permission | readonly Permission[],
];

/**
 * Built-in resources whose permissions are named, by exact API group, although they may have no kind file. Any other
 * resource that no definition on the cluster stands for is for Owners: see `commands/kinds/custom.ts`.
 */
const lines: readonly Line[] = [
  ['apps', 'v1', 'statefulsets', 'StatefulSet', 'Namespaced', 'statefulsets.view', 'statefulsets.manage'],
  ['apps', 'v1', 'daemonsets', 'DaemonSet', 'Namespaced', 'deployments.view', 'deployments.manage'],
  [
    'apps',
    'v1',
    'controllerrevisions',
    'ControllerRevision',
    'Namespaced',
    'deployments.view',
    'deployments.manage',
  ],
  [
    '',
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    'Cluster',
    'persistentvolumes.view',
    'persistentvolumes.manage',
  ],
  [
    '',
    'v1',
    'persistentvolumeclaims',
    'PersistentVolumeClaim',
    'Namespaced',
    'persistentvolumeclaims.view',
    'persistentvolumeclaims.manage',
  ],
  ['', 'v1', 'secrets', 'Secret', 'Namespaced', 'secrets.view', ['secrets.view', 'resources.manage']],
  ['', 'v1', 'configmaps', 'ConfigMap', 'Namespaced', 'namespaces.view', 'resources.manage'],
  ['batch', 'v1', 'cronjobs', 'CronJob', 'Namespaced', 'namespaces.view', 'cronjobs.manage'],
  ['batch', 'v1', 'jobs', 'Job', 'Namespaced', 'namespaces.view', 'cronjobs.manage'],
  [
    'keda.sh',
    'v1alpha1',
    'scaledobjects',
    'ScaledObject',
    'Namespaced',
    'namespaces.view',
    'scaledobjects.manage',
  ],
  [
    'autoscaling',
    'v2',
    'horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    'Namespaced',
    'namespaces.view',
    'hpas.manage',
  ],
  ['networking.k8s.io', 'v1', 'ingresses', 'Ingress', 'Namespaced', 'namespaces.view', 'ingresses.manage'],
  [
    'networking.k8s.io',
    'v1',
    'ingressclasses',
    'IngressClass',
    'Cluster',
    'clusters.view',
    'resources.manage',
  ],
  ['storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', 'Cluster', 'clusters.view', 'resources.manage'],
  [
    'discovery.k8s.io',
    'v1',
    'endpointslices',
    'EndpointSlice',
    'Namespaced',
    'namespaces.view',
    'resources.manage',
  ],
  ['events.k8s.io', 'v1', 'events', 'Event', 'Namespaced', 'namespaces.view', 'resources.manage'],
  [
    'apiextensions.k8s.io',
    'v1',
    'customresourcedefinitions',
    'CustomResourceDefinition',
    'Cluster',
    'clusters.view',
    'resources.manage',
  ],
];

/** A built-in resource and who may view and change it. */
export interface BuiltIn {
  readonly resource: Resource;
  readonly permissions: Permissions;
}

/** The resources of the table above. */
export const builtIns: readonly BuiltIn[] = lines.map(
  ([group, version, plural, kind, scope, view, manage]) => ({
    resource: { group, version, plural, kind, scope },
    permissions: { view, manage },
  }),
);

/** The built-in of a resource, whatever its version; undefined for one that is not named. */
export function builtInOf({ group, plural }: Pick<ResourceName, 'group' | 'plural'>): BuiltIn | undefined {
  return builtIns.find(({ resource }) => resource.group === group && resource.plural === plural);
}
