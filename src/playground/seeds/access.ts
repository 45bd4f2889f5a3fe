import { create } from '../life/write.ts';
import type { World } from '../store/world.ts';
import type { Rec } from '../kit/values.ts';

const rbac = 'rbac.authorization.k8s.io';
const read = ['get', 'list', 'watch'];
const rule = (verbs: readonly string[], group: string, ...resources: string[]): Rec => ({
  verbs: [...verbs],
  apiGroups: [group],
  resources,
});

/** A workload that uses the API: its service account, and its rules in the cluster or its namespace. */
interface ApiWorkload {
  readonly namespace: string;
  readonly name: string;
  readonly clusterRules?: readonly Rec[];
  readonly namespaceRules?: readonly Rec[];
  /** A built-in cluster role that it has in its namespace. */
  readonly role?: string;
}

const apiWorkloads: readonly ApiWorkload[] = [
  {
    namespace: 'kube-system',
    name: 'metrics-server',
    clusterRules: [rule(['get'], '', 'nodes/metrics'), rule(read, '', 'nodes', 'pods')],
  },
  {
    namespace: 'kube-system',
    name: 'cilium-operator',
    clusterRules: [
      rule(['get', 'list', 'watch', 'delete'], '', 'pods'),
      rule(read, '', 'namespaces', 'nodes', 'services'),
      rule(read, 'discovery.k8s.io', 'endpointslices'),
      rule(['create', 'get', 'update'], 'coordination.k8s.io', 'leases'),
    ],
  },
  {
    namespace: 'kube-system',
    name: 'ebs-csi-controller',
    clusterRules: [
      rule([...read, 'create', 'patch', 'delete'], '', 'persistentvolumes'),
      rule([...read, 'update'], '', 'persistentvolumeclaims'),
      rule(read, 'storage.k8s.io', 'csinodes', 'storageclasses', 'volumeattachments'),
    ],
  },
  {
    namespace: 'ingress',
    name: 'ingress-nginx-controller',
    clusterRules: [
      rule(['list', 'watch'], '', 'configmaps', 'nodes', 'pods', 'secrets'),
      rule(read, '', 'services'),
      rule(read, 'networking.k8s.io', 'ingresses', 'ingressclasses'),
      rule(['update'], 'networking.k8s.io', 'ingresses/status'),
      rule(read, 'discovery.k8s.io', 'endpointslices'),
    ],
    namespaceRules: [rule(['create', 'get', 'update'], 'coordination.k8s.io', 'leases')],
  },
  {
    namespace: 'ingress',
    name: 'cert-manager',
    clusterRules: [
      rule(['*'], 'cert-manager.io', '*'),
      rule([...read, 'create', 'update', 'delete', 'patch'], '', 'secrets'),
      rule(['create', 'patch'], '', 'events'),
    ],
    namespaceRules: [rule(['create', 'get', 'update', 'patch'], 'coordination.k8s.io', 'leases')],
  },
  {
    namespace: 'ingress',
    name: 'external-dns',
    clusterRules: [
      rule(read, '', 'nodes', 'pods', 'services'),
      rule(read, 'networking.k8s.io', 'ingresses'),
      rule(read, 'discovery.k8s.io', 'endpointslices'),
    ],
  },
  {
    namespace: 'observability',
    name: 'prometheus',
    clusterRules: [
      rule(read, '', 'endpoints', 'nodes', 'nodes/metrics', 'pods', 'services'),
      rule(read, 'discovery.k8s.io', 'endpointslices'),
      { verbs: ['get'], nonResourceURLs: ['/metrics'] },
    ],
  },
  {
    namespace: 'observability',
    name: 'kube-state-metrics',
    clusterRules: [
      rule(['list', 'watch'], '', 'configmaps', 'namespaces', 'nodes', 'pods', 'secrets', 'services'),
      rule(['list', 'watch'], 'apps', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'),
      rule(['list', 'watch'], 'batch', 'cronjobs', 'jobs'),
    ],
  },
  { namespace: 'platform', name: 'argocd-server', clusterRules: [rule(['*'], '*', '*')] },
  { namespace: 'platform', name: 'ci-runner', role: 'edit' },
  {
    namespace: 'shop',
    name: 'checkout',
    namespaceRules: [{ ...rule(['get'], '', 'configmaps'), resourceNames: ['storefront-settings'] }],
  },
];

/** Teams: group, role, and the namespaces where it applies. */
const teams: readonly (readonly [team: string, role: string, namespaces: readonly string[]])[] = [
  ['shop-developers', 'edit', ['shop']],
  ['payments-developers', 'edit', ['payments']],
  ['payments-auditors', 'view', ['payments']],
  ['data-engineers', 'admin', ['batch']],
  ['support', 'view', ['shop', 'payments']],
];

const priorities = [
  {
    name: 'business-critical',
    value: 100_000,
    description: 'What customers wait for: it may push other work aside.',
  },
  { name: 'standard', value: 1_000, globalDefault: true, description: 'Everything that says nothing else.' },
  {
    name: 'batch',
    value: 100,
    preemptionPolicy: 'Never',
    description: 'Reports and backfills: they wait for room and push nobody aside.',
  },
];

/** Creates the company's priority classes, which the workloads need. */
export function plantPriorities(world: World): void {
  for (const { name, ...fields } of priorities) {
    create(world, 'scheduling.k8s.io/priorityclasses', '', { metadata: { name }, ...fields });
  }
}

/** The service account of a workload; undefined for the namespace's default account. */
export function accountOf(namespace: string, name: string): string | undefined {
  return apiWorkloads.some((workload) => workload.namespace === namespace && workload.name === name)
    ? name
    : undefined;
}

/** Creates the service accounts of namespaces, which the workloads need. */
export function plantAccounts(world: World, namespaces: readonly string[]): void {
  for (const { namespace, name } of apiWorkloads) {
    if (!namespaces.includes(namespace)) continue;
    const metadata = { name, labels: { 'app.kubernetes.io/name': name } };
    create(world, '/serviceaccounts', namespace, { metadata });
  }
}

/** Creates roles and bindings of workloads and teams in the existing namespaces. */
export function plantAccess(world: World): void {
  const isThere = (namespace: string) => world.store.get('/namespaces', namespace) !== undefined;
  const reference = (kind: 'Role' | 'ClusterRole', name: string) => ({ apiGroup: rbac, kind, name });
  for (const { namespace, name, clusterRules, namespaceRules, role } of apiWorkloads) {
    if (!isThere(namespace)) continue;
    const metadata = { name, labels: { 'app.kubernetes.io/name': name } };
    const subjects = [{ kind: 'ServiceAccount', name, namespace }];
    if (clusterRules !== undefined) {
      create(world, `${rbac}/clusterroles`, '', { metadata, rules: [...clusterRules] });
      create(world, `${rbac}/clusterrolebindings`, '', {
        metadata,
        subjects,
        roleRef: reference('ClusterRole', name),
      });
    }
    if (namespaceRules !== undefined)
      create(world, `${rbac}/roles`, namespace, { metadata, rules: [...namespaceRules] });
    const roleRef =
      role === undefined ? namespaceRules && reference('Role', name) : reference('ClusterRole', role);
    if (roleRef !== undefined) {
      create(world, `${rbac}/rolebindings`, namespace, { metadata, subjects, roleRef });
    }
  }
  const group = (name: string) => ({ kind: 'Group', apiGroup: rbac, name: `acme:${name}` });
  for (const [team, role, namespaces] of teams) {
    for (const namespace of namespaces.filter(isThere)) {
      create(world, `${rbac}/rolebindings`, namespace, {
        metadata: { name: `${team}-${role}` },
        subjects: [group(team)],
        roleRef: reference('ClusterRole', role),
      });
    }
  }
  create(world, `${rbac}/clusterroles`, '', {
    metadata: { name: 'node-reader' },
    rules: [rule(read, '', 'nodes', 'persistentvolumes'), rule(read, 'metrics.k8s.io', 'nodes')],
  });
  for (const [name, role] of [
    ['platform-engineers', 'cluster-admin'],
    ['developers-see-nodes', 'node-reader'],
  ] as const) {
    create(world, `${rbac}/clusterrolebindings`, '', {
      metadata: { name },
      subjects:
        role === 'cluster-admin'
          ? [group('platform-engineers')]
          : [group('shop-developers'), group('payments-developers')],
      roleRef: reference('ClusterRole', role),
    });
  }
}
