import type { Rec } from '../kit/values.ts';

/** A rule in one line: verbs, groups ("core" for the empty one), resources, and resource names if it is limited. */
type Line = readonly [verbs: string, groups: string, resources: string, names?: readonly string[]];

const sortedNames = (text: string) => text.split(' ').sort();

/** A rule as the API server writes it: every list sorted. */
function rule([verbs, groups, resources, names]: Line): Rec {
  return {
    verbs: sortedNames(verbs),
    apiGroups: sortedNames(groups)
      .map((group) => (group === 'core' ? '' : group))
      .sort(),
    resources: sortedNames(resources),
    ...(names === undefined ? {} : { resourceNames: [...names].sort() }),
  };
}

const read = 'get list watch';
const apps = 'apps extensions';
const certificates = 'certificates.k8s.io';
const admission = 'admissionregistration.k8s.io';
const network = 'networking.k8s.io';
const storage = 'storage.k8s.io';
const devices = 'resource.k8s.io';
const leases: Line = ['create get list update watch', 'coordination.k8s.io', 'leases'];
const events: Line = ['create patch update', 'core events.k8s.io', 'events'];
const signer = (name: string) => `kubernetes.io/${name}`;

const controllers: Readonly<Record<string, readonly Line[]>> = {
  'attachdetach-controller': [
    ['list watch', 'core', 'persistentvolumeclaims persistentvolumes'],
    [read, 'core', 'nodes'],
    ['patch update', 'core', 'nodes/status'],
    ['list watch', 'core', 'pods'],
    events,
    ['create delete get list watch', storage, 'volumeattachments'],
    [read, storage, 'csidrivers'],
    [read, storage, 'csinodes'],
  ],
  'clusterrole-aggregation-controller': [
    ['escalate get list patch update watch', 'rbac.authorization.k8s.io', 'clusterroles'],
  ],
  'cronjob-controller': [
    ['get list update watch', 'batch', 'cronjobs'],
    ['create delete get list patch update watch', 'batch', 'jobs'],
    ['update', 'batch', 'cronjobs/status'],
    ['update', 'batch', 'cronjobs/finalizers'],
    ['delete list watch', 'core', 'pods'],
    events,
  ],
  'daemon-set-controller': [
    [read, apps, 'daemonsets'],
    ['update', apps, 'daemonsets/status'],
    ['update', apps, 'daemonsets/finalizers'],
    ['list watch', 'core', 'nodes'],
    ['create delete list patch watch', 'core', 'pods'],
    ['create', 'core', 'pods/binding'],
    ['create delete get list patch update watch', 'apps', 'controllerrevisions'],
    events,
  ],
  'deployment-controller': [
    ['get list update watch', apps, 'deployments'],
    ['update', apps, 'deployments/status'],
    ['update', apps, 'deployments/finalizers'],
    ['create delete get list patch update watch', apps, 'replicasets'],
    ['get list update watch', 'core', 'pods'],
    events,
  ],
  'disruption-controller': [
    [read, apps, 'deployments'],
    [read, apps, 'replicasets'],
    [read, 'core', 'replicationcontrollers'],
    [read, 'policy', 'poddisruptionbudgets'],
    [read, 'apps', 'statefulsets'],
    ['update', 'policy', 'poddisruptionbudgets/status'],
    ['patch update', 'core', 'pods/status'],
    ['get', '*', '*/scale'],
    events,
  ],
  'endpoint-controller': [
    [read, 'core', 'pods services'],
    ['create delete get list update watch', 'core', 'endpoints'],
    ['create', 'core', 'endpoints/restricted'],
    events,
  ],
  'endpointslice-controller': [
    [read, 'core', 'nodes pods services'],
    ['update', 'core', 'services/finalizers'],
    ['create delete get list update watch', 'discovery.k8s.io', 'endpointslices'],
    events,
  ],
  'endpointslicemirroring-controller': [
    [read, 'core', 'endpoints services'],
    ['update', 'core', 'services/finalizers'],
    ['update', 'core', 'endpoints/finalizers'],
    ['create delete get list update watch', 'discovery.k8s.io', 'endpointslices'],
    events,
  ],
  'expand-controller': [
    ['get list patch update watch', 'core', 'persistentvolumes'],
    ['patch update', 'core', 'persistentvolumeclaims/status'],
    [read, 'core', 'persistentvolumeclaims'],
    events,
    ['get', 'core', 'services'],
  ],
  'ephemeral-volume-controller': [
    [read, 'core', 'pods'],
    ['update', 'core', 'pods/finalizers'],
    ['create get list watch', 'core', 'persistentvolumeclaims'],
    events,
  ],
  'resource-claim-controller': [
    [read, 'core', 'pods'],
    ['update', 'core', 'pods/finalizers'],
    ['create delete get list watch', devices, 'resourceclaims'],
    ['patch update', devices, 'resourceclaims resourceclaims/status'],
    ['patch update', 'core', 'pods/status'],
    events,
  ],
  'generic-garbage-collector': [['delete get list patch update watch', '*', '*'], events],
  'horizontal-pod-autoscaler': [
    [read, 'autoscaling', 'horizontalpodautoscalers'],
    ['update', 'autoscaling', 'horizontalpodautoscalers/status'],
    ['get update', '*', '*/scale'],
    ['list watch', 'core', 'pods'],
    ['list watch', 'metrics.k8s.io', 'pods'],
    [read, 'custom.metrics.k8s.io', '*'],
    [read, 'external.metrics.k8s.io', '*'],
    events,
  ],
  'job-controller': [
    ['get list patch update watch', 'batch', 'jobs'],
    ['update', 'batch', 'jobs/status'],
    ['update', 'batch', 'jobs/finalizers'],
    ['create delete list patch watch', 'core', 'pods'],
    events,
  ],
  'namespace-controller': [
    ['delete get list watch', 'core', 'namespaces'],
    ['update', 'core', 'namespaces/finalize namespaces/status'],
    ['delete deletecollection get list watch', '*', '*'],
  ],
  'node-controller': [
    ['delete get list patch update watch', 'core', 'nodes'],
    ['patch update', 'core', 'nodes/status'],
    ['patch update', 'core', 'pods/status'],
    ['delete get list watch', 'core', 'pods'],
    events,
  ],
  'persistent-volume-binder': [
    ['create delete get list update watch', 'core', 'persistentvolumes'],
    ['update', 'core', 'persistentvolumes/status'],
    ['get list update watch', 'core', 'persistentvolumeclaims'],
    ['update', 'core', 'persistentvolumeclaims/status'],
    ['create delete get list watch', 'core', 'pods'],
    [read, storage, 'storageclasses'],
    ['list watch', 'core', 'nodes'],
    events,
    ['watch', 'core', 'events'],
    ['get', 'core', 'services'],
  ],
  'pod-garbage-collector': [
    ['delete list watch', 'core', 'pods'],
    [read, 'core', 'nodes'],
    ['patch', 'core', 'pods/status'],
  ],
  'replicaset-controller': [
    ['get list update watch', apps, 'replicasets'],
    ['update', apps, 'replicasets/status'],
    ['update', apps, 'replicasets/finalizers'],
    ['create delete list patch watch', 'core', 'pods'],
    events,
  ],
  'replication-controller': [
    ['get list update watch', 'core', 'replicationcontrollers'],
    ['update', 'core', 'replicationcontrollers/status'],
    ['update', 'core', 'replicationcontrollers/finalizers'],
    ['create delete list patch watch', 'core', 'pods'],
    events,
  ],
  'resourcequota-controller': [['list watch', '*', '*'], ['update', 'core', 'resourcequotas/status'], events],
  'route-controller': [['list watch', 'core', 'nodes'], ['patch', 'core', 'nodes/status'], events],
  'service-account-controller': [['create', 'core', 'serviceaccounts'], events],
  'service-controller': [
    [read, 'core', 'services'],
    ['patch update', 'core', 'services/status'],
    ['list watch', 'core', 'nodes'],
    events,
  ],
  'service-cidrs-controller': [
    ['get list patch update watch', network, 'servicecidrs'],
    ['patch update', network, 'servicecidrs/finalizers'],
    ['patch update', network, 'servicecidrs/status'],
    [read, network, 'ipaddresses'],
    events,
  ],
  'statefulset-controller': [
    ['list watch', 'core', 'pods'],
    [read, 'apps', 'statefulsets'],
    ['update', 'apps', 'statefulsets/status'],
    ['update', 'apps', 'statefulsets/finalizers'],
    ['create delete get patch update', 'core', 'pods'],
    ['create delete get list patch update watch', 'apps', 'controllerrevisions'],
    ['create get list watch', 'core', 'persistentvolumeclaims'],
    ['delete update', 'core', 'persistentvolumeclaims'],
    ['update', 'core', 'pods/finalizers'],
    events,
  ],
  'ttl-controller': [['list patch update watch', 'core', 'nodes'], events],
  'certificate-controller': [
    ['delete get list watch', certificates, 'certificatesigningrequests'],
    ['update', certificates, 'certificatesigningrequests/approval certificatesigningrequests/status'],
    ['approve', certificates, 'signers', [signer('kube-apiserver-client-kubelet')]],
    [
      'sign',
      certificates,
      'signers',
      ['kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving', 'legacy-unknown'].map(
        signer,
      ),
    ],
    ['create', 'authorization.k8s.io', 'subjectaccessreviews'],
    events,
  ],
  'pvc-protection-controller': [
    ['get list update watch', 'core', 'persistentvolumeclaims'],
    [read, 'core', 'pods'],
    events,
  ],
  'pv-protection-controller': [['get list update watch', 'core', 'persistentvolumes'], events],
  'volumeattributesclass-protection-controller': [
    [read, 'core', 'persistentvolumeclaims'],
    [read, 'core', 'persistentvolumes'],
    ['get list update watch', storage, 'volumeattributesclasses'],
    events,
  ],
  'ttl-after-finished-controller': [['delete get list watch', 'batch', 'jobs'], events],
  'root-ca-cert-publisher': [['create update', 'core', 'configmaps'], events],
  'validatingadmissionpolicy-status-controller': [
    [read, admission, 'validatingadmissionpolicies'],
    ['get patch update', admission, 'validatingadmissionpolicies/status'],
    events,
  ],
  'legacy-service-account-token-cleaner': [
    ['get', 'core', 'configmaps', ['kube-apiserver-legacy-service-account-token-tracking']],
    ['delete patch', 'core', 'secrets'],
  ],
  'selinux-warning-controller': [
    events,
    [read, 'core', 'persistentvolumes'],
    [read, 'core', 'persistentvolumeclaims'],
    [read, 'core', 'pods'],
    [read, storage, 'csidrivers'],
  ],
};

const prefix = 'system:controller:';

/**
 * The cluster role of each controller, by name. Each is bound to the service account of the same name in
 * kube-system.
 */
export function controllerRoles(): Readonly<Record<string, readonly Rec[]>> {
  return Object.fromEntries(
    Object.entries(controllers).map(([name, lines]) => [`${prefix}${name}`, lines.map(rule)]),
  );
}

/** The service account of a controller's role, as "kind namespace/name". */
export const controllerSubject = (role: string): string =>
  `ServiceAccount kube-system/${role.slice(prefix.length)}`;

/** A role in a system namespace, and the subjects of its binding, as "kind name". */
export interface NamespacedRole {
  readonly namespace: 'kube-system' | 'kube-public';
  readonly name: string;
  readonly rules: readonly Rec[];
  /** The binding's name; by default the role's. */
  readonly binding?: string;
  readonly subjects: readonly string[];
}

const ownRole = (
  namespace: NamespacedRole['namespace'],
  name: string,
  lines: readonly Line[],
  subjects: readonly string[],
  binding?: string,
): NamespacedRole => ({
  namespace,
  name,
  rules: lines.map(rule),
  subjects,
  ...(binding === undefined ? {} : { binding }),
});

const locking = (component: string): readonly Line[] => [
  ['watch', 'core', 'configmaps'],
  ['get update', 'core', 'configmaps', [component]],
  ...(component === 'kube-controller-manager' ? [leases] : []),
];

/** Roles and bindings that an API server creates in the system namespaces. */
export const namespacedRoles: readonly NamespacedRole[] = [
  ownRole(
    'kube-system',
    'extension-apiserver-authentication-reader',
    [[read, 'core', 'configmaps', ['extension-apiserver-authentication']]],
    ['User system:kube-controller-manager', 'User system:kube-scheduler'],
    'system::extension-apiserver-authentication-reader',
  ),
  ownRole(
    'kube-system',
    `${prefix}bootstrap-signer`,
    [[read, 'core', 'secrets']],
    ['ServiceAccount kube-system/bootstrap-signer'],
  ),
  ownRole(
    'kube-system',
    `${prefix}cloud-provider`,
    [['create get list watch', 'core', 'configmaps']],
    ['ServiceAccount kube-system/cloud-provider'],
  ),
  ownRole(
    'kube-system',
    `${prefix}token-cleaner`,
    [['delete get list watch', 'core', 'secrets'], events],
    ['ServiceAccount kube-system/token-cleaner'],
  ),
  ownRole(
    'kube-system',
    'system::leader-locking-kube-controller-manager',
    locking('kube-controller-manager'),
    [
      'User system:kube-controller-manager',
      'ServiceAccount kube-system/kube-controller-manager',
      'ServiceAccount kube-system/leader-election-controller',
    ],
  ),
  ownRole('kube-system', 'system::leader-locking-kube-scheduler', locking('kube-scheduler'), [
    'User system:kube-scheduler',
    'ServiceAccount kube-system/kube-scheduler',
  ]),
  ownRole(
    'kube-public',
    `${prefix}bootstrap-signer`,
    [[read, 'core', 'configmaps'], ['update', 'core', 'configmaps', ['cluster-info']], events],
    ['ServiceAccount kube-system/bootstrap-signer'],
  ),
];
