import type { AnyKind } from './kind.ts';
import type { ResourceName } from './resource-key.ts';

/** A resource of an API server, as far as generic pages need to know it. */
export interface Resource extends ResourceName {
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

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
  readonly permissions: AnyKind['permissions'];
}

/**
 * Built-in resources without a kind file whose permissions are named, by exact API group. Kinds with a file say theirs there;
 * any other resource that no definition on the cluster stands for is for Owners: see `commands/kinds/custom.ts`.
 */
export const builtIns: readonly BuiltIn[] = [
  {
    resource: {
      group: 'apps',
      version: 'v1',
      plural: 'controllerrevisions',
      kind: 'ControllerRevision',
      scope: 'Namespaced',
    },
    permissions: { view: 'deployments.view', manage: 'deployments.manage' },
  },
  {
    resource: {
      group: 'events.k8s.io',
      version: 'v1',
      plural: 'events',
      kind: 'Event',
      scope: 'Namespaced',
    },
    permissions: { view: 'namespaces.view', manage: 'resources.manage' },
  },
];

/** The built-in of a resource, whatever its version; undefined for one that is not named. */
export function builtInOf({ group, plural }: Pick<ResourceName, 'group' | 'plural'>): BuiltIn | undefined {
  return builtIns.find(({ resource }) => resource.group === group && resource.plural === plural);
}

/** The resource that objects and references call by group and kind; undefined for one that is not listed here. */
export function builtInOfObject(group: string, kind: string): Resource | undefined {
  return builtIns.find(({ resource }) => resource.group === group && resource.kind === kind)?.resource;
}
