import { type CasesOfKinds, having, observed, on } from './case.ts';

/** Objects of kinds that one line describes, or none, with their expected health. */
export const lineCases: CasesOfKinds = {
  'longhorn.io Volume': [
    { is: 'healthy', status: { state: 'attached', robustness: 'healthy' }, tone: 'ok', label: 'healthy' },
    {
      is: 'degraded',
      status: { state: 'attached', robustness: 'degraded' },
      tone: 'warn',
      label: 'degraded',
    },
    { is: 'faulted', status: { state: 'detached', robustness: 'faulted' }, tone: 'bad', label: 'faulted' },
    {
      is: 'not in use',
      status: { state: 'detached', robustness: 'unknown' },
      tone: 'idle',
      label: 'detached',
    },
    {
      is: 'being attached',
      status: { state: 'attaching', robustness: 'unknown' },
      tone: 'info',
      label: 'unknown',
    },
  ],
  'ceph.rook.io CephCluster': [
    {
      is: 'in error',
      status: { phase: 'Ready', state: 'Created', ceph: { health: 'HEALTH_ERR' } },
      tone: 'bad',
      label: 'HEALTH_ERR',
    },
    {
      is: 'warned of',
      status: { phase: 'Ready', state: 'Created', ceph: { health: 'HEALTH_WARN' } },
      tone: 'warn',
      label: 'HEALTH_WARN',
    },
    {
      is: 'healthy',
      status: { phase: 'Ready', state: 'Created', ceph: { health: 'HEALTH_OK' } },
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'being made',
      status: { phase: 'Progressing', state: 'Creating' },
      tone: 'info',
      label: 'Progressing',
    },
  ],
  'snapshot.storage.k8s.io VolumeSnapshot': [
    {
      is: 'being taken for a long time',
      status: { readyToUse: false },
      tone: 'info',
      label: 'Not ready to use',
    },
    { is: 'taken', status: { readyToUse: true }, tone: 'ok', label: 'Ready to use' },
    {
      is: 'not to be taken',
      status: { readyToUse: false, error: { message: 'no such class' } },
      tone: 'bad',
      label: 'Error',
      message: 'no such class',
    },
  ],
  'karpenter.sh NodeClaim': [
    {
      is: 'launched seconds ago',
      isNew: true,
      status: having(
        on('Launched', 'True', 'Launched'),
        on('Registered', 'Unknown', 'NodeNotFound'),
        on('Ready', 'Unknown', 'ReconcilingDependents'),
      ),
      tone: 'info',
      label: 'ReconcilingDependents',
    },
    {
      is: 'not registered after minutes',
      status: having(
        on('Launched', 'True', 'Launched'),
        on('Registered', 'Unknown', 'NodeNotFound', 'Node not registered with cluster'),
      ),
      tone: 'warn',
      label: 'NodeNotFound',
    },
    {
      is: 'launched alone',
      status: having(on('Launched', 'True', 'Launched')),
      tone: 'info',
      label: 'Not ready yet',
    },
  ],
  'gateway.networking.k8s.io HTTPRoute': [
    {
      is: 'new and attached to nothing yet',
      isNew: true,
      spec: { parentRefs: [{ name: 'a' }] },
      status: { parents: [] },
      tone: 'info',
      label: 'Not attached',
    },
    {
      is: 'attached to a gateway that does not exist',
      spec: { parentRefs: [{ name: 'a' }] },
      status: { parents: [] },
      tone: 'warn',
      label: 'Not attached',
    },
    {
      is: 'seen by no controller',
      spec: { parentRefs: [{ name: 'a' }] },
      tone: 'warn',
      label: 'Not attached',
    },
  ],
  'networking.istio.io VirtualService': [
    {
      is: 'invalid by a message of the analysis',
      status: {
        validationMessages: [
          { level: 'INFO', type: { name: 'A' } },
          { level: 'ERROR', type: { code: 'IST0101', name: 'ReferencedResourceNotFound' } },
        ],
      },
      tone: 'bad',
      label: 'ReferencedResourceNotFound',
    },
    {
      is: 'warned of',
      status: { validationMessages: [{ level: 'WARNING', type: { name: 'DeprecatedAnnotation' } }] },
      tone: 'warn',
      label: 'DeprecatedAnnotation',
    },
  ],
  'postgresql.cnpg.io Cluster': [
    {
      is: 'without a plugin that it needs',
      status: { phase: 'Cluster cannot proceed to reconciliation due to an unknown plugin being required' },
      tone: 'bad',
      label: 'Cluster cannot proceed to reconciliation due to an unknown plugin being required',
    },
    {
      is: 'starting',
      status: { phase: 'Setting up primary', ...having(on('Ready', 'False', 'ClusterIsNotReady')) },
      tone: 'info',
      label: 'Setting up primary',
    },
    {
      is: 'lost',
      status: { phase: 'Cluster is unrecoverable and needs manual intervention' },
      tone: 'bad',
      label: 'Cluster is unrecoverable and needs manual intervention',
    },
    {
      is: 'hibernated',
      annotations: { 'cnpg.io/hibernation': 'on' },
      status: { phase: 'Cluster in healthy state' },
      tone: 'idle',
      label: 'Paused',
    },
  ],
  'serving.knative.dev Service': [
    {
      is: 'new, without a revision yet',
      isNew: true,
      status: having(
        on('ConfigurationsReady', 'Unknown'),
        on('Ready', 'Unknown', 'RevisionMissing'),
        on('RoutesReady', 'Unknown', 'RevisionMissing'),
      ),
      tone: 'info',
      label: 'RevisionMissing',
    },
    {
      is: 'not deployable',
      status: having(on('Ready', 'False', 'RevisionFailed', 'image not found')),
      tone: 'bad',
      label: 'RevisionFailed',
    },
  ],
  'autoscaling.internal.knative.dev PodAutoscaler': [
    {
      is: 'scaled to zero',
      status: having(on('Ready', 'False', 'NoTraffic'), on('Active', 'False', 'NoTraffic')),
      tone: 'idle',
      label: 'NoTraffic',
    },
  ],
  'elasticsearch.k8s.elastic.co Elasticsearch': [
    { is: 'red while its nodes start', isNew: true, status: { health: 'red' }, tone: 'info', label: 'red' },
    { is: 'red', status: { health: 'red', phase: 'Ready' }, tone: 'bad', label: 'red' },
    { is: 'yellow', status: { health: 'yellow', phase: 'Ready' }, tone: 'warn', label: 'yellow' },
  ],
  'kubevirt.io VirtualMachine': [
    {
      is: 'stopped',
      status: { printableStatus: 'Stopped', ...having(on('Ready', 'False', 'VMINotExists')) },
      tone: 'idle',
      label: 'Stopped',
    },
    {
      is: 'without a node',
      status: { printableStatus: 'ErrorUnschedulable' },
      tone: 'bad',
      label: 'ErrorUnschedulable',
    },
  ],
  'tekton.dev PipelineRun': [
    {
      is: 'cancelled',
      status: having(on('Succeeded', 'False', 'Cancelled')),
      tone: 'idle',
      label: 'Cancelled',
    },
  ],
  'velero.io Backup': [
    { is: 'queued', status: { phase: 'ReadyToStart' }, tone: 'info', label: 'ReadyToStart' },
    {
      is: 'ending with failed parts',
      status: { phase: 'FinalizingPartiallyFailed' },
      tone: 'warn',
      label: 'FinalizingPartiallyFailed',
    },
  ],
  'route.openshift.io Route': [
    { is: 'seen by no router', status: { ingress: [] }, tone: 'warn', label: 'Not admitted' },
  ],
  'rabbitmq.com RabbitmqCluster': [
    {
      is: 'reconciled, but without endpoints',
      status: having(
        on('ClusterAvailable', 'False', 'NoEndpointsAvailable'),
        on('ReconcileSuccess', 'True', 'Success'),
      ),
      tone: 'warn',
      label: 'NoEndpointsAvailable',
    },
  ],
  'gloo.solo.io Upstream': [
    {
      is: 'rejected by a number',
      status: { state: 2, reason: 'no such host' },
      tone: 'bad',
      label: '2',
      message: 'no such host',
    },
  ],
  'apps.kruise.io CloneSet': [
    {
      is: 'rolling out',
      spec: { replicas: 3 },
      status: { replicas: 3, readyReplicas: 3, updatedReplicas: 1, ...observed(1) },
      tone: 'info',
      label: 'Rolling',
    },
    {
      is: 'short of replicas',
      spec: { replicas: 3 },
      status: { replicas: 3, readyReplicas: 1, updatedReplicas: 3 },
      tone: 'warn',
      label: '1 of 3 ready',
    },
    {
      is: 'starting',
      isNew: true,
      spec: { replicas: 3 },
      status: { replicas: 3, readyReplicas: 1, updatedReplicas: 3 },
      tone: 'info',
      label: '1 of 3 ready',
    },
    {
      is: 'scaled to zero',
      spec: { replicas: 0 },
      status: { replicas: 0, readyReplicas: 0 },
      tone: 'idle',
      label: 'Scaled to 0',
    },
  ],
  'opentelemetry.io OpenTelemetryCollector': [
    { is: 'complete', status: { scale: { statusReplicas: '2/2' } }, tone: 'ok', label: 'Ready' },
    {
      is: 'short of replicas',
      status: { scale: { statusReplicas: '0/2' } },
      tone: 'warn',
      label: '0 of 2 ready',
    },
  ],
};
