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

/**
 * API groups that Kubernetes itself serves. A definition that claims one of them stands for nothing: it must not make
 * what is for Owners look like a custom resource.
 */
const builtInGroups: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'custom.metrics.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'external.metrics.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'metrics.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

/** Whether an API group is Kubernetes' own: those above, and every name without a dot. */
export function isBuiltInGroup(group: string): boolean {
  return !group.includes('.') || builtInGroups.has(group);
}

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

/** The resource that objects and references call by group and kind; undefined for one that is not listed here. */
export function builtInOfObject(group: string, kind: string): Resource | undefined {
  return builtIns.find(({ resource }) => resource.group === group && resource.kind === kind)?.resource;
}
