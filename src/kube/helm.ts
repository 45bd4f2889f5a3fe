import type { KubeObject } from './object.ts';

/** The kind of the objects that store revisions: Helm's drivers `secret`, its default, and `configmap`. */
export type ReleaseStorage = 'Secret' | 'ConfigMap';

/** Helm's default comes first: it is shown where both have a revision of the same number. */
export const releaseStorages: readonly ReleaseStorage[] = ['Secret', 'ConfigMap'];

/** The resources of the storages. */
export const storageResources = {
  Secret: { group: '', version: 'v1', plural: 'secrets' },
  ConfigMap: { group: '', version: 'v1', plural: 'configmaps' },
} as const satisfies Readonly<Record<ReleaseStorage, object>>;

/** Label selector of the objects that store revisions. */
export const ownedByHelm = 'owner=helm';

/** A Helm release as its newest revision describes it, without values and manifest. Not an API object. */
export interface Release extends KubeObject {
  chart?: { name?: string; version?: string; appVersion?: string; description?: string; home?: string };
  /** Where its objects are, if that is another namespace than the one that it is stored in. */
  installedIn?: string;
  revision?: number;
  status?: string;
  /** Creation time of the revision, ISO. */
  updated?: string;
  firstDeployed?: string;
  description?: string;
  /** Stored revisions, newest first. */
  revisions?: number[];
  /** Where the revisions are stored; both where two drivers have some of the same name. */
  storages?: ReleaseStorage[];
}

const recordName = /^sh\.helm\.release\.v1\.(.+)\.v([1-9]\d{0,8})$/;

/** The release and revision that a Secret or ConfigMap of this name stores; undefined for other names. */
export function revisionOfRecord(
  name: string,
): { readonly release: string; readonly revision: number } | undefined {
  const [, release, revision] = recordName.exec(name) ?? [];
  return release === undefined || revision === undefined
    ? undefined
    : { release, revision: Number(revision) };
}

/** The name of the Secret or ConfigMap that stores a revision. */
export const revisionRecordName = (release: string, revision: number): string =>
  `sh.helm.release.v1.${release}.v${revision}`;

/** The order in which Helm creates kinds. Source: helm pkg/release/util/kind_sorter.go, InstallOrder. */
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

/** The order in which Helm deletes kinds. Source: as above, UninstallOrder. */
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

/** Sorts objects by a list of kinds; unknown kinds come last, by name. Stable within a kind. */
function sorted<T extends { readonly kind: string }>(objects: readonly T[], order: readonly string[]): T[] {
  const place = ({ kind }: T) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return objects.toSorted((a, b) => {
    const [left, right] = [place(a), place(b)];
    return left === order.length && right === order.length
      ? a.kind.localeCompare(b.kind, 'en')
      : left - right;
  });
}

/** Sorts objects in the order in which Helm creates and updates them. */
export const inInstallOrder = <T extends { readonly kind: string }>(objects: readonly T[]): T[] =>
  sorted(objects, installOrder);

/** Sorts objects in the order in which Helm deletes them. */
export const inUninstallOrder = <T extends { readonly kind: string }>(objects: readonly T[]): T[] =>
  sorted(objects, uninstallOrder);
