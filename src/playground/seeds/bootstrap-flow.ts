import type { Rec } from '../kit/values.ts';

/** A flow schema of every API server: matching precedence, priority level and subjects. */
export interface BootstrapFlow {
  readonly precedence: number;
  readonly level: string;
  /** Distinguisher method. */
  readonly by?: 'ByUser' | 'ByNamespace';
  /** "Group name", "User name" or "ServiceAccount namespace/name". */
  readonly subjects: readonly string[];
  /** Matches only these non-resource paths. */
  readonly paths?: readonly string[];
  /** Matches only these resources; all namespaces when none is named. */
  readonly only?: readonly { verbs: string[]; group: string; resources: string[]; namespaces?: string[] }[];
}

const leases = (...namespaces: string[]) => [
  { verbs: ['get', 'create', 'update'], group: 'coordination.k8s.io', resources: ['leases'], namespaces },
];
const controllers = ['User system:kube-controller-manager', 'User system:kube-scheduler'];
const node = ['Group system:nodes'];

/** The flow schemas, by name. */
export const bootstrapFlows: Readonly<Record<string, BootstrapFlow>> = {
  exempt: { precedence: 1, level: 'exempt', subjects: ['Group system:masters'] },
  probes: {
    precedence: 2,
    level: 'exempt',
    subjects: ['Group system:unauthenticated', 'Group system:authenticated'],
    paths: ['/healthz', '/readyz', '/livez'],
  },
  'system-leader-election': {
    precedence: 100,
    level: 'leader-election',
    by: 'ByUser',
    subjects: controllers,
    only: leases('*'),
  },
  'endpoint-controller': {
    precedence: 150,
    level: 'workload-high',
    by: 'ByUser',
    subjects: ['User system:kube-controller-manager', 'ServiceAccount kube-system/endpoint-controller'],
    only: [{ verbs: ['get', 'create', 'update'], group: '', resources: ['endpoints'], namespaces: ['*'] }],
  },
  'workload-leader-election': {
    precedence: 200,
    level: 'leader-election',
    by: 'ByUser',
    subjects: ['ServiceAccount kube-system/*'],
    only: leases('*'),
  },
  'system-node-high': {
    precedence: 400,
    level: 'node-high',
    by: 'ByUser',
    subjects: node,
    only: [
      { verbs: ['*'], group: '', resources: ['nodes', 'nodes/status'] },
      { verbs: ['*'], group: 'coordination.k8s.io', resources: ['leases'], namespaces: ['*'] },
    ],
  },
  'system-nodes': { precedence: 500, level: 'system', by: 'ByUser', subjects: node },
  'kube-controller-manager': {
    precedence: 800,
    level: 'workload-high',
    by: 'ByNamespace',
    subjects: ['User system:kube-controller-manager'],
  },
  'kube-scheduler': {
    precedence: 800,
    level: 'workload-high',
    by: 'ByNamespace',
    subjects: ['User system:kube-scheduler'],
  },
  'kube-system-service-accounts': {
    precedence: 900,
    level: 'workload-high',
    by: 'ByNamespace',
    subjects: ['ServiceAccount kube-system/*'],
  },
  'service-accounts': {
    precedence: 9000,
    level: 'workload-low',
    by: 'ByUser',
    subjects: ['Group system:serviceaccounts'],
  },
  'global-default': {
    precedence: 9900,
    level: 'global-default',
    by: 'ByUser',
    subjects: ['Group system:unauthenticated', 'Group system:authenticated'],
  },
  'catch-all': {
    precedence: 10_000,
    level: 'catch-all',
    by: 'ByUser',
    subjects: ['Group system:unauthenticated', 'Group system:authenticated'],
  },
};

const queued = (shares: number, queues: number, handSize: number, lendablePercent: number): Rec => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares: shares,
    lendablePercent,
    limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
  },
});

/** The priority levels, by name. */
export const bootstrapLevels: Readonly<Record<string, Rec>> = {
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
  },
  exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  'global-default': queued(20, 128, 6, 50),
  'leader-election': queued(10, 16, 4, 0),
  'node-high': queued(40, 64, 6, 25),
  system: queued(30, 64, 6, 33),
  'workload-high': queued(40, 128, 6, 50),
  'workload-low': queued(100, 128, 6, 90),
};
