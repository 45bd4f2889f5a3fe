import type { Tone } from '../../../src/registry/tone.ts';

/** An object of a well-known kind with its expected health. */
export interface Case {
  /** The description of its state. */
  readonly is: string;
  readonly status?: unknown;
  readonly spec?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generation?: number;
  readonly tone: Tone;
  readonly label: string;
  readonly message?: string;
}

/** A condition in a list: type, status, reason, message. */
export const on = (type: string, status?: string, reason?: string, message?: string, more: object = {}) => ({
  type,
  ...(status === undefined ? {} : { status }),
  ...(reason === undefined ? {} : { reason }),
  ...(message === undefined ? {} : { message }),
  ...more,
});
const having = (...conditions: readonly object[]) => ({ conditions });
const observed = (observedGeneration: number) => ({ observedGeneration });

/**
 * Cases by group and kind. Shapes and statuses follow the projects' definitions and documentation; the objects are made
 * up.
 */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  'argoproj.io Application': [
    {
      is: 'in sync and well',
      status: {
        health: { status: 'Healthy' },
        sync: { status: 'Synced' },
        operationState: { phase: 'Succeeded' },
      },
      tone: 'ok',
      label: 'Healthy',
    },
    {
      is: 'degraded, with what its resources say',
      status: { health: { status: 'Degraded', message: 'web: crash loop' }, sync: { status: 'Synced' } },
      tone: 'bad',
      label: 'Degraded',
      message: 'web: crash loop',
    },
    {
      is: 'well, but not what the repository says',
      status: { health: { status: 'Healthy' }, sync: { status: 'OutOfSync' } },
      tone: 'warn',
      label: 'OutOfSync',
    },
    {
      is: 'missing its resources',
      status: { health: { status: 'Missing' }, sync: { status: 'OutOfSync' } },
      tone: 'warn',
      label: 'Missing',
    },
    {
      is: 'suspended',
      status: { health: { status: 'Suspended' }, sync: { status: 'Synced' } },
      tone: 'idle',
      label: 'Suspended',
    },
    {
      is: 'progressing',
      status: { health: { status: 'Progressing' }, sync: { status: 'Synced' } },
      tone: 'info',
      label: 'Progressing',
    },
    {
      is: 'not synced because the sync failed',
      status: {
        health: { status: 'Healthy' },
        sync: { status: 'OutOfSync' },
        operationState: { phase: 'Failed', message: 'one or more objects failed to apply' },
      },
      tone: 'bad',
      label: 'Failed',
      message: 'one or more objects failed to apply',
    },
    {
      is: 'in sync after a sync that failed',
      status: {
        health: { status: 'Healthy' },
        sync: { status: 'Synced' },
        operationState: { phase: 'Failed', message: 'timed out' },
      },
      tone: 'ok',
      label: 'Healthy',
    },
    {
      is: 'not comparable: its conditions have no status',
      status: {
        health: { status: 'Healthy' },
        sync: { status: 'Unknown' },
        conditions: [on('ComparisonError', undefined, undefined, 'repository not accessible')],
      },
      tone: 'bad',
      label: 'ComparisonError',
      message: 'repository not accessible',
    },
  ],
  'argoproj.io ApplicationSet': [
    {
      is: 'up to date',
      status: having(
        on('ErrorOccurred', 'False', 'ApplicationSetUpToDate'),
        on('ParametersGenerated', 'True', 'ParametersGenerated'),
        on('ResourcesUpToDate', 'True', 'ApplicationSetUpToDate'),
      ),
      tone: 'ok',
      label: 'ResourcesUpToDate',
    },
    {
      is: 'not able to generate',
      status: having(
        on('ErrorOccurred', 'True', 'ApplicationGenerationFromParamsError', 'failed to execute template'),
        on('ParametersGenerated', 'True', 'ParametersGenerated'),
        on('ResourcesUpToDate', 'False', 'RenderTemplateParamsError'),
      ),
      tone: 'bad',
      label: 'ApplicationGenerationFromParamsError',
      message: 'failed to execute template',
    },
  ],
  'argoproj.io Rollout': [
    {
      is: 'well',
      status: { phase: 'Healthy', observedGeneration: '2' },
      generation: 2,
      tone: 'ok',
      label: 'Healthy',
    },
    {
      is: 'waiting for somebody at a step',
      status: {
        phase: 'Paused',
        message: 'CanaryPauseStep',
        conditions: [on('Available', 'False', 'AvailableReason')],
      },
      tone: 'idle',
      label: 'Paused',
      message: 'CanaryPauseStep',
    },
    {
      is: 'aborted',
      status: { phase: 'Degraded', message: 'RolloutAborted: metric "success" assessed Failed' },
      tone: 'bad',
      label: 'Degraded',
      message: 'RolloutAborted: metric "success" assessed Failed',
    },
    {
      is: 'well in an earlier version of its spec',
      status: { phase: 'Healthy', observedGeneration: '1' },
      generation: 2,
      tone: 'info',
      label: 'Progressing',
    },
  ],
  'argoproj.io Workflow': [
    {
      is: 'running',
      status: { phase: 'Running', conditions: [on('PodRunning', 'True')] },
      tone: 'info',
      label: 'Running',
    },
    {
      is: 'done',
      status: { phase: 'Succeeded', conditions: [on('PodRunning', 'False'), on('Completed', 'True')] },
      tone: 'ok',
      label: 'Succeeded',
    },
    {
      is: 'failed',
      status: { phase: 'Failed', message: 'child failed' },
      tone: 'bad',
      label: 'Failed',
      message: 'child failed',
    },
  ],
  'kustomize.toolkit.fluxcd.io Kustomization': [
    {
      is: 'applied',
      status: {
        ...having(on('Ready', 'True', 'ReconciliationSucceeded', 'Applied revision: main@sha1:1234')),
        ...observed(2),
      },
      generation: 2,
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'failing, and tried again',
      status: having(
        on('Reconciling', 'True', 'ProgressingWithRetry', 'Detecting drift'),
        on('Ready', 'False', 'BuildFailed', 'kustomization path not found'),
      ),
      tone: 'bad',
      label: 'BuildFailed',
      message: 'kustomization path not found',
    },
    {
      is: 'failing since it was changed: its controller observes only what it applied',
      status: {
        ...having(on('Ready', 'False', 'ArtifactFailed', 'GitRepository not found', observed(3))),
        ...observed(2),
      },
      generation: 3,
      tone: 'bad',
      label: 'ArtifactFailed',
      message: 'GitRepository not found',
    },
    {
      is: 'being applied',
      status: having(
        on('Reconciling', 'True', 'Progressing', 'Building manifests'),
        on('Ready', 'Unknown', 'Progressing', 'Reconciliation in progress'),
      ),
      tone: 'info',
      label: 'Reconciling',
    },
    {
      is: 'ready in an earlier version of its spec',
      status: { ...having(on('Ready', 'True', 'ReconciliationSucceeded')), ...observed(1) },
      generation: 2,
      tone: 'info',
      label: 'Progressing',
    },
    {
      is: 'waiting for another that is not ready',
      status: having(on('Ready', 'False', 'DependencyNotReady', "dependency 'infra/db' is not ready")),
      tone: 'warn',
      label: 'DependencyNotReady',
    },
    {
      is: 'suspended after it failed',
      spec: { suspend: true },
      status: having(on('Ready', 'False', 'BuildFailed')),
      tone: 'idle',
      label: 'Suspended',
    },
  ],
  'helm.toolkit.fluxcd.io HelmRelease': [
    {
      is: 'installed',
      status: having(on('Ready', 'True', 'InstallSucceeded'), on('Released', 'True', 'InstallSucceeded')),
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'out of retries',
      status: having(
        on('Stalled', 'True', 'RetriesExceeded', 'Failed to upgrade after 3 attempt(s)'),
        on('Ready', 'False', 'UpgradeFailed', 'Helm upgrade failed: timed out'),
      ),
      tone: 'bad',
      label: 'RetriesExceeded',
      message: 'Failed to upgrade after 3 attempt(s)',
    },
    {
      is: 'ready with a test that failed and is ignored',
      status: having(on('Ready', 'True', 'TestFailed'), on('TestSuccess', 'False', 'TestFailed')),
      tone: 'warn',
      label: 'Ready',
    },
  ],
  'source.toolkit.fluxcd.io GitRepository': [
    {
      is: 'not reachable',
      status: having(
        on('FetchFailed', 'True', 'AuthenticationFailed', 'authentication required'),
        on('Ready', 'False', 'AuthenticationFailed', 'failed to checkout: authentication required'),
      ),
      tone: 'bad',
      label: 'AuthenticationFailed',
      message: 'failed to checkout: authentication required',
    },
  ],
  'cert-manager.io Certificate': [
    {
      is: 'valid',
      status: having(on('Ready', 'True', 'Ready', 'Certificate is up to date')),
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'being issued for the first time',
      status: having(
        on('Issuing', 'True', 'DoesNotExist', 'Issuing certificate as Secret does not exist'),
        on('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist'),
      ),
      tone: 'info',
      label: 'Issuing',
    },
    {
      is: 'not to be had',
      status: having(
        on('Issuing', 'False', 'Failed', 'order is in "invalid" state'),
        on('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist'),
      ),
      tone: 'bad',
      label: 'Failed',
      message: 'order is in "invalid" state',
    },
    {
      is: 'valid, but its renewal failed',
      status: having(
        on('Ready', 'True', 'Ready'),
        on('Issuing', 'False', 'Failed', 'order is in "errored" state'),
      ),
      tone: 'warn',
      label: 'Failed',
      message: 'order is in "errored" state',
    },
    {
      is: 'valid and being renewed',
      status: having(on('Ready', 'True', 'Ready'), on('Issuing', 'True', 'Renewing')),
      tone: 'info',
      label: 'Issuing',
    },
  ],
  'cert-manager.io CertificateRequest': [
    {
      is: 'waiting for its order',
      status: having(
        on('Approved', 'True', 'cert-manager.io'),
        on('Ready', 'False', 'Pending', 'Waiting on certificate issuance'),
      ),
      tone: 'info',
      label: 'Pending',
    },
    {
      is: 'denied',
      status: having(
        on('Denied', 'True', 'policy.example.org', 'not allowed'),
        on('Ready', 'False', 'Denied'),
      ),
      tone: 'bad',
      label: 'Denied',
      message: 'not allowed',
    },
  ],
  'cert-manager.io ClusterIssuer': [
    {
      is: 'not registered',
      status: having(on('Ready', 'False', 'ErrRegisterACMEAccount', 'Failed to register ACME account')),
      tone: 'bad',
      label: 'ErrRegisterACMEAccount',
      message: 'Failed to register ACME account',
    },
  ],
  'acme.cert-manager.io Challenge': [
    { is: 'pending', status: { state: 'pending', presented: true }, tone: 'info', label: 'pending' },
    {
      is: 'invalid',
      status: { state: 'invalid', reason: 'wrong key authorization file' },
      tone: 'bad',
      label: 'invalid',
      message: 'wrong key authorization file',
    },
    { is: 'valid', status: { state: 'valid' }, tone: 'ok', label: 'valid' },
  ],
  'rds.aws.upbound.io Instance': [
    {
      is: 'there and in sync',
      status: having(on('Ready', 'True', 'Available'), on('Synced', 'True', 'ReconcileSuccess')),
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'there, but changes fail',
      status: having(
        on('Ready', 'True', 'Available'),
        on('Synced', 'False', 'ReconcileError', 'AccessDenied'),
      ),
      tone: 'bad',
      label: 'ReconcileError',
      message: 'AccessDenied',
    },
    {
      is: 'being made',
      status: having(on('Ready', 'False', 'Creating'), on('Synced', 'True', 'ReconcileSuccess')),
      tone: 'info',
      label: 'Creating',
    },
    {
      is: 'not to be made',
      status: having(
        on('Synced', 'True', 'ReconcileSuccess'),
        on('LastAsyncOperation', 'False', 'AsyncCreateFailure', 'quota exceeded'),
        on('Ready', 'False', 'Creating'),
      ),
      tone: 'bad',
      label: 'AsyncCreateFailure',
      message: 'quota exceeded',
    },
    {
      is: 'paused by its annotation',
      annotations: { 'crossplane.io/paused': 'true' },
      status: having(on('Synced', 'False', 'ReconcilePaused')),
      tone: 'idle',
      label: 'Paused',
    },
    {
      is: 'unavailable',
      status: having(on('Ready', 'False', 'Unavailable'), on('Synced', 'True', 'ReconcileSuccess')),
      tone: 'bad',
      label: 'Unavailable',
    },
  ],
  'pkg.crossplane.io Provider': [
    {
      is: 'installed and well',
      status: having(
        on('Installed', 'True', 'ActivePackageRevision'),
        on('Healthy', 'True', 'HealthyPackageRevision'),
      ),
      tone: 'ok',
      label: 'Healthy',
    },
    {
      is: 'installed and not well',
      status: having(
        on('Installed', 'True', 'ActivePackageRevision'),
        on('Healthy', 'False', 'UnhealthyPackageRevision', 'cannot resolve package dependencies'),
      ),
      tone: 'bad',
      label: 'UnhealthyPackageRevision',
      message: 'cannot resolve package dependencies',
    },
    {
      is: 'being unpacked',
      status: having(on('Installed', 'False', 'UnpackingPackage', 'pulling image')),
      tone: 'info',
      label: 'UnpackingPackage',
    },
  ],
  'apiextensions.crossplane.io CompositeResourceDefinition': [
    {
      is: 'established, without claims',
      status: having(on('Established', 'True', 'WatchingCompositeResource')),
      tone: 'ok',
      label: 'Established',
    },
  ],
  'kafka.strimzi.io Kafka': [
    { is: 'ready', status: having(on('Ready', 'True')), tone: 'ok', label: 'Ready' },
    {
      is: 'being created',
      status: having(on('NotReady', 'True', 'Creating', 'Kafka cluster is being deployed')),
      tone: 'info',
      label: 'NotReady',
    },
    {
      is: 'not ready',
      status: having(
        on('NotReady', 'True', 'TimeoutException', 'Exceeded timeout of 300000ms while waiting for Pods'),
      ),
      tone: 'bad',
      label: 'TimeoutException',
      message: 'Exceeded timeout of 300000ms while waiting for Pods',
    },
    {
      is: 'ready with a warning',
      status: having(
        on('Warning', 'True', 'DeprecatedFields', 'spec.zookeeper is deprecated'),
        on('Ready', 'True'),
      ),
      tone: 'warn',
      label: 'DeprecatedFields',
      message: 'spec.zookeeper is deprecated',
    },
    {
      is: 'paused',
      status: having(on('ReconciliationPaused', 'True')),
      tone: 'idle',
      label: 'ReconciliationPaused',
    },
  ],
  'kafka.strimzi.io KafkaConnector': [
    {
      is: 'failed in Connect',
      status: {
        ...having(on('Ready', 'True')),
        connectorStatus: { connector: { state: 'FAILED', trace: 'ConnectException: no such table' } },
      },
      tone: 'bad',
      label: 'FAILED',
      message: 'ConnectException: no such table',
    },
    {
      is: 'running',
      status: { ...having(on('Ready', 'True')), connectorStatus: { connector: { state: 'RUNNING' } } },
      tone: 'ok',
      label: 'Ready',
    },
  ],
  'kafka.strimzi.io KafkaRebalance': [
    {
      is: 'waiting for approval',
      status: having(on('ProposalReady', 'True')),
      tone: 'ok',
      label: 'ProposalReady',
    },
    { is: 'moving', status: having(on('Rebalancing', 'True')), tone: 'info', label: 'Rebalancing' },
    {
      is: 'refused',
      status: having(on('NotReady', 'True', 'CruiseControlRestException', 'Not enough brokers')),
      tone: 'bad',
      label: 'CruiseControlRestException',
      message: 'Not enough brokers',
    },
    { is: 'stopped', status: having(on('Stopped', 'True')), tone: 'idle', label: 'Stopped' },
  ],
  'core.strimzi.io StrimziPodSet': [
    { is: 'complete', status: { pods: 3, readyPods: 3, currentPods: 3 }, tone: 'ok', label: 'Ready' },
    {
      is: 'one short',
      status: { pods: 3, readyPods: 2, currentPods: 3 },
      tone: 'warn',
      label: '2 of 3 ready',
    },
    { is: 'rolling', status: { pods: 3, readyPods: 2, currentPods: 1 }, tone: 'info', label: 'Rolling' },
  ],
  'gateway.networking.k8s.io Gateway': [
    {
      is: 'programmed, with its listeners',
      status: {
        ...having(on('Accepted', 'True', 'Accepted'), on('Programmed', 'True', 'Programmed')),
        listeners: [
          {
            name: 'https',
            ...having(
              on('Conflicted', 'False', 'NoConflicts'),
              on('ResolvedRefs', 'True', 'ResolvedRefs'),
              on('Programmed', 'True'),
            ),
          },
        ],
      },
      tone: 'ok',
      label: 'Programmed',
    },
    {
      is: 'programmed, with a listener whose certificate is missing',
      status: {
        ...having(on('Accepted', 'True', 'ListenersNotValid'), on('Programmed', 'True', 'Programmed')),
        listeners: [
          { name: 'http', ...having(on('ResolvedRefs', 'True', 'ResolvedRefs')) },
          {
            name: 'https',
            ...having(on('ResolvedRefs', 'False', 'InvalidCertificateRef', 'Secret shop/tls not found')),
          },
        ],
      },
      tone: 'bad',
      label: 'InvalidCertificateRef',
      message: 'Listener https: Secret shop/tls not found',
    },
    {
      is: 'in conflict with itself',
      status: {
        ...having(on('Accepted', 'True', 'Accepted'), on('Programmed', 'True', 'Programmed')),
        listeners: [
          {
            name: 'web',
            ...having(on('Conflicted', 'True', 'HostnameConflict', 'Two listeners have one host')),
          },
        ],
      },
      tone: 'bad',
      label: 'HostnameConflict',
      message: 'Listener web: Two listeners have one host',
    },
    {
      is: 'seen by no controller',
      status: having(
        on('Accepted', 'Unknown', 'Pending', 'Waiting for controller'),
        on('Programmed', 'Unknown', 'Pending', 'Waiting for controller'),
      ),
      tone: 'info',
      label: 'Pending',
    },
  ],
  'gateway.networking.k8s.io HTTPRoute': [
    {
      is: 'accepted by its gateway',
      status: {
        parents: [
          {
            parentRef: { name: 'edge' },
            ...having(on('Accepted', 'True', 'Accepted'), on('ResolvedRefs', 'True', 'ResolvedRefs')),
          },
        ],
      },
      tone: 'ok',
      label: 'Accepted',
    },
    {
      is: 'rejected by one of two gateways',
      status: {
        parents: [
          { parentRef: { name: 'edge' }, ...having(on('Accepted', 'True', 'Accepted')) },
          {
            parentRef: { name: 'inner' },
            ...having(on('Accepted', 'False', 'NotAllowedByListeners', 'No listener takes it')),
          },
        ],
      },
      tone: 'bad',
      label: 'NotAllowedByListeners',
      message: 'Parent inner: No listener takes it',
    },
    {
      is: 'accepted, with a backend that is not there',
      status: {
        parents: [
          {
            parentRef: { name: 'edge' },
            ...having(
              on('Accepted', 'True', 'Accepted'),
              on('ResolvedRefs', 'False', 'BackendNotFound', 'Service shop/api'),
            ),
          },
        ],
      },
      tone: 'bad',
      label: 'BackendNotFound',
      message: 'Parent edge: Service shop/api',
    },
    {
      is: 'rejected by a gateway that it no longer names',
      generation: 2,
      status: {
        parents: [
          {
            parentRef: { name: 'old' },
            ...having(on('Accepted', 'False', 'NoMatchingParent', 'none', observed(1))),
          },
          { parentRef: { name: 'edge' }, ...having(on('Accepted', 'True', 'Accepted', '', observed(2))) },
        ],
      },
      tone: 'ok',
      label: 'Accepted',
    },
    {
      is: 'accepted in an earlier version of its spec',
      generation: 3,
      status: {
        parents: [
          { parentRef: { name: 'edge' }, ...having(on('Accepted', 'True', 'Accepted', '', observed(2))) },
        ],
      },
      tone: 'info',
      label: 'Progressing',
    },
  ],
  'gateway.networking.k8s.io BackendTLSPolicy': [
    {
      is: 'without its certificate',
      status: {
        ancestors: [
          {
            ancestorRef: { name: 'edge' },
            ...having(on('Accepted', 'False', 'NoValidCACertificate', 'ConfigMap ca not found')),
          },
        ],
      },
      tone: 'bad',
      label: 'NoValidCACertificate',
      message: 'Ancestor edge: ConfigMap ca not found',
    },
  ],
  'gateway.networking.k8s.io GatewayClass': [
    {
      is: 'refused',
      status: having(on('Accepted', 'False', 'InvalidParameters', 'EnvoyProxy not found')),
      tone: 'bad',
      label: 'InvalidParameters',
      message: 'EnvoyProxy not found',
    },
  ],
  'monitoring.coreos.com Prometheus': [
    {
      is: 'available and reconciled',
      status: having(on('Available', 'True'), on('Reconciled', 'True')),
      tone: 'ok',
      label: 'Available',
    },
    {
      is: 'degraded, which is a status of its condition',
      status: having(
        on('Available', 'Degraded', 'SomePodsNotReady', 'shard 0: pod 1 is pending'),
        on('Reconciled', 'True'),
      ),
      tone: 'warn',
      label: 'Degraded',
      message: 'shard 0: pod 1 is pending',
    },
    {
      is: 'without a pod',
      status: having(on('Available', 'False', 'NoPodReady', 'no pod is ready'), on('Reconciled', 'True')),
      tone: 'bad',
      label: 'NoPodReady',
      message: 'no pod is ready',
    },
    {
      is: 'available, but no longer what its spec says',
      status: having(
        on('Available', 'True'),
        on('Reconciled', 'False', 'ReconciliationFailed', 'invalid configuration'),
      ),
      tone: 'bad',
      label: 'ReconciliationFailed',
      message: 'invalid configuration',
    },
    {
      is: 'paused',
      spec: { paused: true },
      status: having(on('Available', 'True'), on('Reconciled', 'Unknown', 'ReconciliationPaused')),
      tone: 'idle',
      label: 'Suspended',
    },
  ],
  'monitoring.coreos.com ServiceMonitor': [
    {
      is: 'taken by its Prometheus',
      status: { bindings: [{ name: 'main', resource: 'prometheuses', ...having(on('Accepted', 'True')) }] },
      tone: 'ok',
      label: 'Accepted',
    },
    {
      is: 'refused by its Prometheus',
      status: {
        bindings: [
          {
            name: 'main',
            ...having(on('Accepted', 'False', 'InvalidConfiguration', 'endpoint 0: no such port')),
          },
        ],
      },
      tone: 'bad',
      label: 'InvalidConfiguration',
      message: 'Binding main: endpoint 0: no such port',
    },
    { is: 'read by an operator that says nothing', status: {}, tone: 'idle', label: 'No status' },
  ],
  'kyverno.io ClusterPolicy': [
    {
      is: 'ready',
      status: { ready: true, ...having(on('Ready', 'True', 'Succeeded', 'Ready')) },
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'not ready',
      status: having(on('Ready', 'False', 'Failed', 'no autogen for this rule')),
      tone: 'bad',
      label: 'Failed',
      message: 'no autogen for this rule',
    },
  ],
  'policies.kyverno.io ValidatingPolicy': [
    {
      is: 'not ready, by conditions that stand elsewhere',
      status: {
        conditionStatus: {
          ready: false,
          message: 'webhook not configured',
          conditions: [on('WebhookConfigured', 'False', 'Failed', 'webhook not configured')],
        },
      },
      tone: 'bad',
      label: 'Failed',
      message: 'webhook not configured',
    },
    {
      is: 'ready',
      status: { conditionStatus: { ready: true, conditions: [on('WebhookConfigured', 'True')] } },
      tone: 'ok',
      label: 'Ready',
    },
  ],
  'kyverno.io UpdateRequest': [
    {
      is: 'failed',
      status: { state: 'Failed', message: 'no such namespace' },
      tone: 'bad',
      label: 'Failed',
      message: 'no such namespace',
    },
    { is: 'left out', status: { state: 'Skip' }, tone: 'idle', label: 'Skip' },
  ],
};

/** Cases of kinds without a rule, judged by common conventions. */
export const unknownCases: readonly Case[] = [
  { is: 'ready', status: having(on('Ready', 'True')), tone: 'ok', label: 'Ready' },
  { is: 'not ready', status: having(on('Ready', 'False')), tone: 'bad', label: 'Not Ready' },
  {
    is: 'not ready, by a condition of the other polarity',
    status: having(on('NotReady', 'True')),
    tone: 'bad',
    label: 'NotReady',
  },
  { is: 'not decided', status: having(on('Ready', 'Unknown')), tone: 'info', label: 'Ready unknown' },
  {
    is: 'unhealthy',
    status: having(on('Healthy', 'False', 'ProbeFailed', 'no answer')),
    tone: 'bad',
    label: 'ProbeFailed',
    message: 'no answer',
  },
  { is: 'stalled', status: having(on('Stalled', 'True')), tone: 'bad', label: 'Stalled' },
  {
    is: 'degraded, though available',
    status: having(on('Available', 'True'), on('Degraded', 'True', 'SyncStopped')),
    tone: 'bad',
    label: 'Degraded',
  },
  {
    is: 'available with the reason Degraded',
    status: having(on('Available', 'True', 'Degraded')),
    tone: 'warn',
    label: 'Available',
  },
  {
    is: 'not degraded and not stalled',
    status: having(on('Degraded', 'False'), on('Stalled', 'False')),
    tone: 'ok',
    label: 'OK',
  },
  {
    is: 'progressing',
    status: having(on('Available', 'False'), on('Progressing', 'True')),
    tone: 'info',
    label: 'Progressing',
  },
  {
    is: 'rolled out',
    status: having(on('Available', 'True'), on('Progressing', 'True', 'NewReplicaSetAvailable')),
    tone: 'ok',
    label: 'Available',
  },
  {
    is: 'stuck while rolling out',
    status: having(on('Available', 'False'), on('Progressing', 'False', 'ProgressDeadlineExceeded')),
    tone: 'bad',
    label: 'ProgressDeadlineExceeded',
  },
  { is: 'not in sync', status: having(on('Synced', 'False')), tone: 'bad', label: 'Not Synced' },
  {
    is: 'well in one part that its head does not count',
    status: having(on('Ready', 'True'), on('MetricsReady', 'False')),
    tone: 'ok',
    label: 'Ready',
  },
  {
    is: 'not well in a part, which says why',
    status: having(on('Ready', 'True'), on('BackupReady', 'False', 'BackupFailed')),
    tone: 'warn',
    label: 'BackupFailed',
  },
  {
    is: 'not active, which need not be trouble',
    status: having(on('Ready', 'True'), on('Active', 'False', 'ScalerNotActive')),
    tone: 'ok',
    label: 'Ready',
  },
  {
    is: 'false in a way that its severity plays down',
    status: having(on('Ready', 'False', 'WaitingForInfrastructure', '', { severity: 'Info' })),
    tone: 'info',
    label: 'WaitingForInfrastructure',
  },
  {
    is: 'failed by its phase',
    status: { phase: 'Failed', message: 'disk full' },
    tone: 'bad',
    label: 'Failed',
    message: 'disk full',
  },
  { is: 'running by its phase', status: { phase: 'Running' }, tone: 'ok', label: 'Running' },
  {
    is: 'in a phase that nobody knows',
    status: { phase: 'Brewing tea of the second kind' },
    tone: 'info',
    label: 'Brewing tea of the second kind',
  },
  {
    is: 'in a sentence for a phase that speaks of no failure',
    status: { phase: 'No errors found' },
    tone: 'info',
    label: 'No errors found',
  },
  { is: 'in a state of several words', status: { state: 'HEALTH_ERR' }, tone: 'bad', label: 'HEALTH_ERR' },
  {
    is: 'scaling down, which is not down',
    status: { phase: 'ScalingDown' },
    tone: 'info',
    label: 'ScalingDown',
  },
  {
    is: 'failed, by a field of a name of its own',
    status: { PostgresClusterStatus: 'UpdateFailed' },
    tone: 'bad',
    label: 'UpdateFailed',
  },
  {
    is: 'well after a backup that failed',
    status: { phase: 'Ready', ...having(on('Ready', 'True')), lastBackup: { state: 'Failed' } },
    tone: 'warn',
    label: 'Failed',
  },
  {
    is: 'wanted failed, which it is not',
    status: { phase: 'Ready', desiredState: 'Failed' },
    tone: 'ok',
    label: 'Ready',
  },
  {
    is: 'in error',
    status: { error: { message: 'no such snapshot class' }, readyToUse: false },
    tone: 'bad',
    label: 'Error',
    message: 'no such snapshot class',
  },
  {
    is: 'suspended',
    spec: { suspend: true },
    status: having(on('Ready', 'True')),
    tone: 'idle',
    label: 'Suspended',
  },
  {
    is: 'suspended and broken',
    spec: { suspend: true },
    status: having(on('Ready', 'False', 'BackupFailed')),
    tone: 'bad',
    label: 'BackupFailed',
  },
  {
    is: 'ready in an earlier version of its spec',
    generation: 2,
    status: { ...having(on('Ready', 'True')), ...observed(1) },
    tone: 'info',
    label: 'Progressing',
  },
  {
    is: 'ready by a condition of an earlier version',
    generation: 2,
    status: having(on('Ready', 'True', '', '', observed(1))),
    tone: 'info',
    label: 'Progressing',
  },
  { is: 'without a status', tone: 'idle', label: 'No status' },
  {
    is: 'silent about its health',
    status: { replicas: 3, url: 'https://example.org' },
    tone: 'idle',
    label: 'No status',
  },
  {
    is: 'named by conditions that nobody knows',
    status: having(on('Sparkling', 'True'), on('Blue', 'False', 'Green')),
    tone: 'idle',
    label: 'No status',
  },
];
