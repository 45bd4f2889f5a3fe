import type { Family, StatusRule } from './rule.ts';

/** Annotations that pause a controller, for every kind. */
const crossplanePause = ['crossplane.io/paused'];

/** Routes and policies have a status for each parent that they are attached to. */
const gatewayRule: StatusRule = {
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
  reasons: { AddressNotAssigned: 'warn', Pending: 'slow', Waiting: 'slow' },
};

/** The families whose rules take more than a line. */
export const familiesWithRules: readonly Family[] = [
  // Argo CD. The conditions of an Application have no status: one that exists is true.
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
          // A failed operation does not count once the application is in sync.
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
      // Before version 1.0 there was no phase.
      counts: {
        wanted: 'spec.replicas',
        ready: 'status.availableReplicas',
        current: 'status.updatedReplicas',
      },
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
  // Flux: Ready is the summary, Stalled is never retried. Suspended objects are idle, whatever they said last.
  {
    groups: ['*.toolkit.fluxcd.io'],
    rule: {
      isClosed: true,
      polarity: { Ready: 'head', Stalled: 'bad', Reconciling: 'progress', Healthy: 'good' },
      reasons: { DependencyNotReady: 'warn' },
      stopped: ['spec.suspend'],
    },
  },
  // cert-manager: a certificate being issued is not ready yet; one whose renewal failed is still ready.
  {
    groups: ['cert-manager.io'],
    rule: {
      polarity: { Issuing: 'progress', Denied: 'bad', InvalidRequest: 'bad', Approved: 'none' },
      reasons: { DoesNotExist: 'soft', IncorrectIssuer: 'soft', SecretMismatch: 'soft', MissingData: 'soft' },
    },
  },
  // One that stays pending waits for a check that fails.
  {
    groups: ['acme.cert-manager.io'],
    rule: {
      words: [
        {
          at: 'status.state',
          tones: { ready: 'info', pending: 'slow', processing: 'slow', valid: 'ok' },
          message: 'status.reason',
        },
      ],
    },
  },
  // Crossplane: managed resources, packages, and composites.
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
  // Gateway API: routes and policies have a status for each parent that they are attached to.
  {
    groups: ['gateway.networking.k8s.io', 'gateway.networking.x-k8s.io'],
    kinds: ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute'],
    rule: {
      ...gatewayRule,
      answers: {
        asked: 'spec.parentRefs',
        answered: 'status.parents',
        label: 'Not attached',
        message:
          'No controller has reported a status for its parents. Check that they exist and that their controller is running.',
      },
    },
  },
  {
    groups: ['gateway.networking.k8s.io', 'gateway.networking.x-k8s.io'],
    rule: gatewayRule,
  },
  // Prometheus operator: Available is True, Degraded or False; monitors and rules have conditions for each workload
  // that reads them.
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
  // Kyverno: newer policies have their conditions elsewhere.
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
