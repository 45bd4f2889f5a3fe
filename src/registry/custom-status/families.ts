import type { StatusRule } from './rule.ts';

interface Family {
  /** API groups; one that begins with `*.` means every group below that name. */
  readonly groups: readonly string[];
  /** Only these kinds; the first family that has a kind is its own. */
  readonly kinds?: readonly string[];
  readonly rule: StatusRule;
}

/** Annotations by which people stop a controller, whatever the kind. */
const crossplanePause = ['crossplane.io/paused'];

/** How the kinds of well-known projects say how their objects do. */
const families: readonly Family[] = [
  // Argo CD. The conditions of an Application have no status: one that is there is true.
  {
    groups: ['argoproj.io'],
    kinds: ['Application'],
    rule: {
      words: [
        {
          at: 'status.health.status',
          tones: { missing: 'warn', unknown: 'warn', suspended: 'idle' },
          message: 'status.health.message',
        },
        { at: 'status.sync.status', tones: { outofsync: 'warn', unknown: 'warn' } },
        {
          at: 'status.operationState.phase',
          tones: { succeeded: 'ok' },
          // What failed once and is in sync now was put right.
          unless: { at: 'status.sync.status', is: ['Synced'] },
          message: 'status.operationState.message',
        },
      ],
    },
  },
  {
    groups: ['argoproj.io'],
    kinds: ['ApplicationSet'],
    rule: {
      polarity: { ParametersGenerated: 'good', ResourcesUpToDate: 'head', RolloutProgressing: 'progress' },
    },
  },
  {
    groups: ['argoproj.io'],
    kinds: ['Rollout'],
    rule: {
      words: [{ at: 'status.phase', decides: true, message: 'status.message' }],
      polarity: { InvalidSpec: 'bad', Completed: 'none', Healthy: 'head' },
    },
  },
  {
    groups: ['argoproj.io'],
    kinds: ['Workflow', 'AnalysisRun', 'Experiment', 'CronWorkflow'],
    rule: {
      words: [{ at: 'status.phase', decides: true, tones: { running: 'info' }, message: 'status.message' }],
      polarity: { PodRunning: 'none', Completed: 'none' },
      stopped: ['spec.suspend'],
    },
  },
  // Flux: Ready sums up, Stalled will not be tried again. What is suspended is idle, whatever it last said.
  {
    groups: ['*.toolkit.fluxcd.io'],
    rule: {
      isClosed: true,
      polarity: { Ready: 'head', Stalled: 'bad', Reconciling: 'progress', Healthy: 'good' },
      reasons: { DependencyNotReady: 'warn' },
      stopped: ['spec.suspend'],
    },
  },
  // cert-manager. A certificate that is being issued is not ready yet; one whose renewal failed still is.
  {
    groups: ['cert-manager.io'],
    rule: {
      polarity: { Issuing: 'progress', Denied: 'bad', InvalidRequest: 'bad', Approved: 'none' },
      reasons: { DoesNotExist: 'soft', IncorrectIssuer: 'soft', SecretMismatch: 'soft', MissingData: 'soft' },
    },
  },
  {
    groups: ['acme.cert-manager.io'],
    rule: {
      words: [
        {
          at: 'status.state',
          tones: { ready: 'info', pending: 'info', processing: 'info', valid: 'ok' },
          message: 'status.reason',
        },
      ],
    },
  },
  // Crossplane: what is managed, packages, and what others compose of them.
  {
    groups: ['pkg.crossplane.io'],
    rule: {
      polarity: { RevisionHealthy: 'head', RuntimeHealthy: 'head', RuntimeActive: 'none' },
      reasons: { UnpackingPackage: 'info', AwaitingVerification: 'info' },
      stopped: [['spec.desiredState', 'Inactive']],
      stoppedBy: crossplanePause,
    },
  },
  {
    groups: ['*.crossplane.io', '*.upbound.io'],
    rule: {
      polarity: {
        LastAsyncOperation: 'head',
        AsyncOperation: 'none',
        Scheduling: 'none',
        Watching: 'none',
        Offered: 'none',
        ValidPipeline: 'head',
        Responsive: 'good',
      },
      reasons: { ReconcilePaused: 'idle' },
      stoppedBy: crossplanePause,
    },
  },
  // Strimzi. The conditions of a rebalance are its states.
  {
    groups: ['kafka.strimzi.io'],
    kinds: ['KafkaRebalance'],
    rule: {
      polarity: {
        PendingProposal: 'progress',
        ProposalReady: 'step',
        Rebalancing: 'progress',
        Stopped: 'idle',
        ReconciliationPaused: 'idle',
      },
      stoppedBy: ['strimzi.io/pause-reconciliation'],
    },
  },
  {
    groups: ['kafka.strimzi.io'],
    rule: {
      words: [
        {
          at: 'status.connectorStatus.connector.state',
          tones: { unassigned: 'warn' },
          message: 'status.connectorStatus.connector.trace',
        },
      ],
      stoppedBy: ['strimzi.io/pause-reconciliation'],
    },
  },
  {
    groups: ['core.strimzi.io'],
    kinds: ['StrimziPodSet'],
    rule: {
      counts: { wanted: 'status.pods', ready: 'status.readyPods', current: 'status.currentPods' },
      stoppedBy: ['strimzi.io/pause-reconciliation'],
    },
  },
  // Gateway API: what routes and policies say stands below each of those that they are attached to.
  {
    groups: ['gateway.networking.k8s.io', 'gateway.networking.x-k8s.io'],
    rule: {
      isClosed: true,
      polarity: {
        Accepted: 'head',
        Programmed: 'head',
        ResolvedRefs: 'head',
        Conflicted: 'bad',
        OverlappingTLSConfig: 'warn',
        PartiallyInvalid: 'warn',
        AttachedListenerSets: 'none',
      },
      reasons: { AddressNotAssigned: 'warn' },
    },
  },
  // Prometheus operator: Available is True, Degraded or False; monitors and rules have conditions for each who reads them.
  {
    groups: ['monitoring.coreos.com'],
    kinds: ['Prometheus', 'PrometheusAgent', 'Alertmanager', 'ThanosRuler'],
    rule: {
      isClosed: true,
      polarity: { Available: 'head', Reconciled: 'head' },
      reasons: { SomePodsNotReady: 'warn' },
      stopped: ['spec.paused'],
    },
  },
  {
    groups: ['monitoring.coreos.com'],
    rule: {
      parts: [{ at: 'bindings', called: 'Binding', name: 'name' }],
      polarity: { Accepted: 'head' },
    },
  },
  // Kyverno: newer policies keep their conditions elsewhere.
  {
    groups: ['kyverno.io'],
    kinds: ['UpdateRequest'],
    rule: { words: [{ at: 'status.state', tones: { skip: 'idle' }, message: 'status.message' }] },
  },
  {
    groups: ['kyverno.io', 'policies.kyverno.io'],
    rule: {
      conditions: ['status.conditions', 'status.conditionStatus.conditions'],
      words: [
        { at: 'status.ready' },
        { at: 'status.conditionStatus.ready', message: 'status.conditionStatus.message' },
      ],
    },
  },
];

const isBelow = (group: string, pattern: string) =>
  pattern.startsWith('*.') ? group.endsWith(pattern.slice(1)) : group === pattern;

const familyOf = (group: string, kind: string) =>
  families.find(
    ({ groups, kinds }) =>
      groups.some((pattern) => isBelow(group, pattern)) && (kinds === undefined || kinds.includes(kind)),
  );

/** Whether a kind is one of a well-known project. */
export const isWellKnown = (group: string, kind: string): boolean => familyOf(group, kind) !== undefined;

/** The rule of a kind of a well-known project; an empty one for any other. */
export const statusRuleOf = (group: string, kind: string): StatusRule => familyOf(group, kind)?.rule ?? {};
