import type { KubeObject } from './object.ts';

/** A Helm release, made of what its newest Secret says: no values, no manifest. Not an object of any API. */
export interface Release extends KubeObject {
  chart?: { name?: string; version?: string; appVersion?: string; description?: string; home?: string };
  revision?: number;
  status?: string;
  /** When the revision was made, ISO. */
  updated?: string;
  firstDeployed?: string;
  description?: string;
  /** Revisions that are kept, newest first. */
  revisions?: number[];
}

const secretName = /^sh\.helm\.release\.v1\.(.+)\.v([1-9]\d{0,8})$/;

/** Which revision of which release a Secret keeps; undefined for one that keeps none. */
export function revisionOfSecret(
  name: string,
): { readonly release: string; readonly revision: number } | undefined {
  const [, release, revision] = secretName.exec(name) ?? [];
  return release === undefined || revision === undefined
    ? undefined
    : { release, revision: Number(revision) };
}

/** The name of the Secret that keeps a revision. */
export const revisionSecretName = (release: string, revision: number): string =>
  `sh.helm.release.v1.${release}.v${revision}`;

/** Kinds in the order in which Helm makes them. Source: helm pkg/release/util/kind_sorter.go, InstallOrder. */
const installOrder: readonly string[] = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
];

/** Kinds in the order in which Helm takes them away. Source: as above, UninstallOrder. */
const uninstallOrder: readonly string[] = [
  'APIService',
  'Ingress',
  'IngressClass',
  'Service',
  'CronJob',
  'Job',
  'StatefulSet',
  'HorizontalPodAutoscaler',
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'Pod',
  'DaemonSet',
  'RoleBindingList',
  'RoleBinding',
  'RoleList',
  'Role',
  'ClusterRoleBindingList',
  'ClusterRoleBinding',
  'ClusterRoleList',
  'ClusterRole',
  'CustomResourceDefinition',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'ConfigMap',
  'SecretList',
  'Secret',
  'ServiceAccount',
  'PodDisruptionBudget',
  'PodSecurityPolicy',
  'LimitRange',
  'ResourceQuota',
  'NetworkPolicy',
  'Namespace',
  'PriorityClass',
];

/** Kinds that Helm does not know come last, by name; those of one kind keep their order. */
function sorted<T extends { readonly kind: string }>(objects: readonly T[], order: readonly string[]): T[] {
  const place = ({ kind }: T) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return objects.toSorted((a, b) => {
    const [left, right] = [place(a), place(b)];
    return left === order.length && right === order.length
      ? a.kind.localeCompare(b.kind, 'en')
      : left - right;
  });
}

/** Objects in the order in which Helm makes and changes them. */
export const inInstallOrder = <T extends { readonly kind: string }>(objects: readonly T[]): T[] =>
  sorted(objects, installOrder);

/** Objects in the order in which Helm takes them away. */
export const inUninstallOrder = <T extends { readonly kind: string }>(objects: readonly T[]): T[] =>
  sorted(objects, uninstallOrder);
