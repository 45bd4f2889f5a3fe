import type { AnyKind } from './kind.ts';
import type { ResourceName } from './resource-key.ts';

/** The facts about an API resource that generic pages need. */
export interface Resource extends ResourceName {
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

/**
 * API groups that Kubernetes itself serves. A custom resource definition that claims one of them is ignored: otherwise
 * it could make a resource that only Owners may see look like a custom resource.
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

/** Whether Kubernetes itself owns an API group: the groups above, and every name without a dot. */
export function isBuiltInGroup(group: string): boolean {
  return !group.includes('.') || builtInGroups.has(group);
}

/** A built-in resource and the permissions to view and change it. */
export interface BuiltIn {
  readonly resource: Resource;
  readonly permissions: AnyKind['permissions'];
}

/**
 * Built-in resources that have permissions but no kind file, by exact API group. Kinds with a file declare their
 * permissions there; resources without a definition on the cluster are for Owners only (`commands/kinds/custom.ts`).
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

/** The built-in entry of a resource, whatever its version; undefined if it has none. */
export function builtInOf({ group, plural }: Pick<ResourceName, 'group' | 'plural'>): BuiltIn | undefined {
  return builtIns.find(({ resource }) => resource.group === group && resource.plural === plural);
}

/** The built-in resource with a group and kind; undefined if it is not listed here. */
export function builtInOfObject(group: string, kind: string): Resource | undefined {
  return builtIns.find(({ resource }) => resource.group === group && resource.kind === kind)?.resource;
}
