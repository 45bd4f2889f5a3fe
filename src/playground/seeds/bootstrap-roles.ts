import type { Rec } from '../kit/values.ts';

/** Resources by API group, a short form of rules for some verbs. */
type Resources = Readonly<Record<string, readonly string[]>>;

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const rules = (verbs: readonly string[], resources: Resources): Rec[] =>
  Object.entries(resources).map(([group, names]) => ({
    verbs: [...verbs],
    apiGroups: [group],
    resources: [...names],
  }));
const paths = (...nonResourceURLs: readonly string[]): Rec => ({ verbs: ['get'], nonResourceURLs });

const scaled = (name: string) => [name, `${name}/scale`];
const full = (name: string) => [...scaled(name), `${name}/status`];
const withStatus = (name: string) => [name, `${name}/status`];

const viewRules = [
  ...rules(read, {
    '': [
      'configmaps',
      'endpoints',
      ...withStatus('persistentvolumeclaims'),
      'pods',
      ...scaled('replicationcontrollers'),
      'serviceaccounts',
      ...withStatus('services'),
    ],
  }),
  ...rules(read, {
    '': [
      'bindings',
      'events',
      'limitranges',
      'namespaces/status',
      'pods/log',
      'pods/status',
      'replicationcontrollers/status',
      ...withStatus('resourcequotas'),
    ],
  }),
  ...rules(read, { '': ['namespaces'] }),
  ...rules(read, {
    'discovery.k8s.io': ['endpointslices'],
    apps: [
      'controllerrevisions',
      ...withStatus('daemonsets'),
      ...full('deployments'),
      ...full('replicasets'),
      ...full('statefulsets'),
    ],
    autoscaling: withStatus('horizontalpodautoscalers'),
    batch: [...withStatus('cronjobs'), ...withStatus('jobs')],
    policy: withStatus('poddisruptionbudgets'),
    'networking.k8s.io': [...withStatus('ingresses'), 'networkpolicies'],
  }),
];

const editRules = [
  ...rules(read, {
    '': ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy'],
  }),
  ...rules(['impersonate'], { '': ['serviceaccounts'] }),
  ...rules(write, { '': ['pods', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy'] }),
  ...rules(['create'], { '': ['pods/eviction'] }),
  ...rules(write, {
    '': [
      'configmaps',
      'events',
      'persistentvolumeclaims',
      ...scaled('replicationcontrollers'),
      'secrets',
      'serviceaccounts',
      'services',
      'services/proxy',
    ],
  }),
  ...rules(['create'], { '': ['serviceaccounts/token'] }),
  ...rules(write, {
    apps: [
      'daemonsets',
      'deployments',
      'deployments/rollback',
      'deployments/scale',
      ...scaled('replicasets'),
      ...scaled('statefulsets'),
    ],
    autoscaling: ['horizontalpodautoscalers'],
    batch: ['cronjobs', 'jobs'],
    policy: ['poddisruptionbudgets'],
    'networking.k8s.io': ['ingresses', 'networkpolicies'],
  }),
  ...rules(allVerbs, { 'coordination.k8s.io': ['leases'] }),
];

const adminRules = [
  ...rules(['create'], { 'authorization.k8s.io': ['localsubjectaccessreviews'] }),
  ...rules(allVerbs, { 'rbac.authorization.k8s.io': ['rolebindings', 'roles'] }),
];

const eventRules = rules(['create', 'patch', 'update'], { '': ['events'], 'events.k8s.io': ['events'] });
const leaseRules = rules(['create', 'get', 'list', 'update', 'watch'], { 'coordination.k8s.io': ['leases'] });

/** A cluster role of every server: its rules, or the roles that it aggregates. */
export interface BootstrapRole {
  readonly rules?: readonly Rec[];
  readonly labels?: Readonly<Record<string, string>>;
  /** The label of the roles that it aggregates. */
  readonly aggregates?: string;
}

const into = (name: string) => ({ [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' });
const approve = (signer: string) => [
  { verbs: ['approve'], apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: [signer] },
];
const request = (name: string) =>
  rules(['create'], { 'certificates.k8s.io': [`certificatesigningrequests/${name}`] });

/** The cluster roles of every API server for people and components, by name. */
export const bootstrapRoles: Readonly<Record<string, BootstrapRole>> = {
  'cluster-admin': {
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
  },
  admin: { aggregates: 'admin' },
  edit: { aggregates: 'edit', labels: into('admin') },
  view: { aggregates: 'view', labels: into('edit') },
  'system:aggregate-to-admin': { rules: adminRules, labels: into('admin') },
  'system:aggregate-to-edit': { rules: editRules, labels: into('edit') },
  'system:aggregate-to-view': { rules: viewRules, labels: into('view') },
  'system:discovery': {
    rules: [
      paths('/.well-known', '/.well-known/*'),
      paths(
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
        '/version/',
      ),
    ],
  },
  'system:basic-user': {
    rules: [
      ...rules(['create'], {
        'authorization.k8s.io': ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      }),
      ...rules(['create'], { 'authentication.k8s.io': ['selfsubjectreviews'] }),
    ],
  },
  'system:public-info-viewer': { rules: [paths('/healthz', '/livez', '/readyz', '/version', '/version/')] },
  'system:service-account-issuer-discovery': {
    rules: [
      paths(
        '/.well-known/openid-configuration',
        '/.well-known/openid-configuration/',
        '/openid/v1/jwks',
        '/openid/v1/jwks/',
      ),
    ],
  },
  'system:monitoring': {
    rules: [
      paths(
        '/healthz',
        '/healthz/*',
        '/livez',
        '/livez/*',
        '/metrics',
        '/metrics/slis',
        '/readyz',
        '/readyz/*',
      ),
    ],
  },
  'system:auth-delegator': {
    rules: rules(['create'], {
      'authentication.k8s.io': ['tokenreviews'],
      'authorization.k8s.io': ['subjectaccessreviews'],
    }),
  },
  'system:kubelet-api-admin': {
    rules: [
      ...rules(read, { '': ['nodes'] }),
      ...rules(['proxy'], { '': ['nodes'] }),
      ...rules(['*'], { '': ['nodes/log', 'nodes/metrics', 'nodes/proxy', 'nodes/stats'] }),
    ],
  },
  'system:node-proxier': {
    rules: [
      ...rules(['list', 'watch'], { '': ['endpoints', 'services'] }),
      ...rules(read, { '': ['nodes'] }),
      ...eventRules,
      ...rules(['list', 'watch'], { 'discovery.k8s.io': ['endpointslices'] }),
    ],
  },
  'system:node-problem-detector': {
    rules: [
      ...rules(['get'], { '': ['nodes'] }),
      ...rules(['patch'], { '': ['nodes/status'] }),
      ...eventRules,
    ],
  },
  'system:kube-aggregator': { rules: rules(read, { '': ['endpoints', 'services'] }) },
  'system:kube-dns': { rules: rules(['list', 'watch'], { '': ['endpoints', 'services'] }) },
  'system:kube-scheduler': {
    rules: [
      ...eventRules,
      ...leaseRules,
      ...rules(read, { '': ['nodes'] }),
      ...rules(['delete', ...read], { '': ['pods'] }),
      ...rules(['create'], { '': ['bindings', 'pods/binding'] }),
      ...rules(['patch', 'update'], { '': ['pods/status'] }),
      ...rules(read, {
        '': [
          'replicationcontrollers',
          'services',
          'persistentvolumeclaims',
          'persistentvolumes',
          'namespaces',
        ],
        apps: ['replicasets', 'statefulsets'],
        policy: ['poddisruptionbudgets'],
        'storage.k8s.io': ['csinodes', 'csidrivers', 'csistoragecapacities', 'storageclasses'],
      }),
    ],
  },
  'system:kube-controller-manager': {
    rules: [
      ...eventRules,
      ...leaseRules,
      ...rules(['create'], { '': ['secrets', 'serviceaccounts', 'serviceaccounts/token'] }),
      ...rules(['delete', 'get', 'update'], { '': ['secrets', 'serviceaccounts'] }),
      ...rules(['list', 'watch'], { '*': ['*'] }),
    ],
  },
  'system:volume-scheduler': {
    rules: [
      ...rules(['get', 'list', 'patch', 'update', 'watch'], {
        '': ['persistentvolumes', 'persistentvolumeclaims'],
      }),
      ...rules(read, { 'storage.k8s.io': ['storageclasses'] }),
    ],
  },
  'system:persistent-volume-provisioner': {
    rules: [
      ...rules(['create', 'delete', ...read], { '': ['persistentvolumes'] }),
      ...rules(['get', 'list', 'update', 'watch'], { '': ['persistentvolumeclaims'] }),
      ...rules(read, { 'storage.k8s.io': ['storageclasses'] }),
      ...rules(['watch'], { '': ['events'] }),
      ...eventRules,
    ],
  },
  'system:node-bootstrapper': {
    rules: rules(['create', ...read], { 'certificates.k8s.io': ['certificatesigningrequests'] }),
  },
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': { rules: request('nodeclient') },
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': {
    rules: request('selfnodeclient'),
  },
  'system:certificates.k8s.io:kube-apiserver-client-approver': {
    rules: approve('kubernetes.io/kube-apiserver-client'),
  },
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': {
    rules: approve('kubernetes.io/kube-apiserver-client-kubelet'),
  },
  'system:certificates.k8s.io:kubelet-serving-approver': { rules: approve('kubernetes.io/kubelet-serving') },
  'system:certificates.k8s.io:legacy-unknown-approver': { rules: approve('kubernetes.io/legacy-unknown') },
};

/** The server's bindings: role, and subjects as "kind name". */
export const bootstrapBindings: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['Group system:masters'],
  'system:basic-user': ['Group system:authenticated'],
  'system:discovery': ['Group system:authenticated'],
  'system:kube-controller-manager': ['User system:kube-controller-manager'],
  'system:kube-dns': ['ServiceAccount kube-system/kube-dns'],
  'system:kube-scheduler': ['User system:kube-scheduler'],
  'system:monitoring': ['Group system:monitoring'],
  'system:node-proxier': ['User system:kube-proxy'],
  'system:public-info-viewer': ['Group system:authenticated', 'Group system:unauthenticated'],
  'system:service-account-issuer-discovery': ['Group system:serviceaccounts'],
  'system:volume-scheduler': ['User system:kube-scheduler'],
};
