import type { Schema } from './schema.ts';

/**
 * Optional scalar fields that are pointers in Go, by type: even an empty value is kept. All others are held by
 * value, and an empty one is omitted. Schemas do not show the difference.
 */
const references: Readonly<Record<string, string>> = {
  AppArmorProfile: 'localhostProfile',
  AzureFilePersistentVolumeSource: 'secretNamespace',
  CSIDriverSpec:
    'attachRequired podInfoOnMount preventPodSchedulingIfMissing requiresRepublish seLinuxMount serviceAccountTokenInSecrets storageCapacity nodeAllocatableUpdatePeriodSeconds fsGroupPolicy',
  CSIVolumeSource: 'readOnly fsType',
  CertificateSigningRequestSpec: 'expirationSeconds',
  ClientIPConfig: 'timeoutSeconds',
  ClusterTrustBundleProjection: 'optional name signerName',
  ConfigMap: 'immutable',
  ConfigMapEnvSource: 'optional',
  ConfigMapKeySelector: 'optional',
  ConfigMapProjection: 'optional',
  ConfigMapVolumeSource: 'optional defaultMode',
  Container: 'restartPolicy',
  ContainerStatus: 'started stopSignal',
  CronJobSpec: 'suspend failedJobsHistoryLimit startingDeadlineSeconds successfulJobsHistoryLimit timeZone',
  DaemonSetSpec: 'revisionHistoryLimit',
  DaemonSetStatus: 'collisionCount',
  DeleteOptions:
    'gracePeriodSeconds orphanDependents propagationPolicy ignoreStoreReadErrorWithClusterBreakingPotential',
  DeploymentSpec: 'replicas revisionHistoryLimit progressDeadlineSeconds',
  DeploymentStatus: 'collisionCount terminatingReplicas',
  DownwardAPIVolumeFile: 'mode',
  DownwardAPIVolumeSource: 'defaultMode',
  Endpoint: 'hostname nodeName zone',
  EndpointAddress: 'nodeName',
  EndpointConditions: 'ready serving terminating',
  EndpointPort: 'appProtocol',
  'discovery.v1.EndpointPort': 'port appProtocol name protocol',
  EphemeralContainer: 'restartPolicy',
  FCVolumeSource: 'lun',
  GlusterfsPersistentVolumeSource: 'endpointsNamespace',
  HPAScalingRules: 'stabilizationWindowSeconds selectPolicy',
  HorizontalPodAutoscalerSpec: 'minReplicas targetCPUUtilizationPercentage',
  HorizontalPodAutoscalerStatus: 'observedGeneration currentCPUUtilizationPercentage',
  HostPathVolumeSource: 'type',
  ISCSIPersistentVolumeSource: 'initiatorName',
  ISCSIVolumeSource: 'initiatorName',
  IngressClassParametersReference: 'apiGroup namespace scope',
  IngressPortStatus: 'error',
  IngressSpec: 'ingressClassName',
  JobSpec:
    'manualSelector suspend activeDeadlineSeconds backoffLimit backoffLimitPerIndex completions maxFailedIndexes parallelism ttlSecondsAfterFinished completionMode managedBy podReplacementPolicy',
  JobStatus: 'ready terminating failedIndexes',
  KeyToPath: 'mode',
  LeaseSpec: 'leaseDurationSeconds leaseTransitions holderIdentity preferredHolder strategy',
  Lifecycle: 'stopSignal',
  ListMeta: 'remainingItemCount',
  LoadBalancerIngress: 'ipMode',
  LocalVolumeSource: 'fsType',
  MetricTarget: 'averageUtilization',
  MetricValueStatus: 'averageUtilization',
  NetworkPolicyPort: 'endPort protocol',
  NodeFeatures: 'supplementalGroupsPolicy',
  NodeRuntimeHandlerFeatures: 'recursiveReadOnlyMounts userNamespaces',
  NodeSwapStatus: 'capacity',
  ObjectMeta: 'deletionGracePeriodSeconds',
  OwnerReference: 'blockOwnerDeletion controller',
  PersistentVolumeClaimSpec: 'storageClassName volumeAttributesClassName volumeMode',
  PersistentVolumeClaimStatus: 'currentVolumeAttributesClassName',
  PersistentVolumeSpec: 'volumeAttributesClassName volumeMode',
  PodCertificateProjection: 'maxExpirationSeconds',
  PodDNSConfigOption: 'value',
  PodDisruptionBudgetSpec: 'unhealthyPodEvictionPolicy',
  PodFailurePolicyOnExitCodesRequirement: 'containerName',
  PodResourceClaim: 'resourceClaimName resourceClaimTemplateName',
  PodResourceClaimStatus: 'resourceClaimName',
  PodSchedulingGroup: 'podGroupName',
  PodSecurityContext:
    'runAsNonRoot fsGroup runAsGroup runAsUser fsGroupChangePolicy seLinuxChangePolicy supplementalGroupsPolicy',
  PodSpec:
    'automountServiceAccountToken enableServiceLinks hostUsers setHostnameAsFQDN shareProcessNamespace activeDeadlineSeconds priority terminationGracePeriodSeconds hostnameOverride preemptionPolicy runtimeClassName',
  PortStatus: 'error',
  Preconditions: 'resourceVersion uid',
  PriorityClass: 'preemptionPolicy',
  Probe: 'terminationGracePeriodSeconds',
  ProjectedVolumeSource: 'defaultMode',
  ReplicaSetSpec: 'replicas',
  ReplicaSetStatus: 'terminatingReplicas',
  RollingUpdateStatefulSetStrategy: 'partition',
  SeccompProfile: 'localhostProfile',
  Secret: 'immutable',
  SecretEnvSource: 'optional',
  SecretKeySelector: 'optional',
  SecretProjection: 'optional',
  SecretVolumeSource: 'optional defaultMode',
  SecurityContext:
    'allowPrivilegeEscalation privileged readOnlyRootFilesystem runAsNonRoot runAsGroup runAsUser procMount',
  ServiceAccount: 'automountServiceAccountToken',
  ServiceAccountTokenProjection: 'expirationSeconds',
  ServicePort: 'appProtocol',
  ServiceReference: 'port',
  ServiceSpec:
    'allocateLoadBalancerNodePorts internalTrafficPolicy ipFamilyPolicy loadBalancerClass trafficDistribution',
  StatefulSetSpec: 'replicas revisionHistoryLimit',
  StatefulSetStatus: 'collisionCount',
  StorageClass: 'allowVolumeExpansion reclaimPolicy volumeBindingMode',
  SuccessPolicyRule: 'succeededCount succeededIndexes',
  TokenRequest: 'expirationSeconds',
  TokenRequestSpec: 'expirationSeconds',
  Toleration: 'tolerationSeconds',
  TopologySpreadConstraint: 'minDomains nodeAffinityPolicy nodeTaintsPolicy',
  TypedLocalObjectReference: 'apiGroup',
  TypedObjectReference: 'apiGroup namespace',
  VolumeAttachmentSource: 'persistentVolumeName',
  VolumeError: 'errorCode',
  VolumeMount: 'mountPropagation recursiveReadOnly',
  VolumeMountStatus: 'recursiveReadOnly',
  VolumeNodeResources: 'count',
  WindowsSecurityContextOptions: 'gmsaCredentialSpec gmsaCredentialSpecName hostProcess runAsUserName',
};

const pointerFields = new Map(
  Object.entries(references).map(([type, fields]) => [type, new Set(fields.split(' '))]),
);

/** Groups whose types hold most of their optional fields as pointers. */
const byReference =
  /^io\.k8s\.(?:api\.(?:resource|admissionregistration|flowcontrol|scheduling\.v1alpha)|apiextensions-apiserver)/;

/** Whether Go omits a field with this value: an empty one that is held by value. */
export function isLeftOut(type: string, owner: Schema, field: string, value: unknown): boolean {
  if (value !== '' && value !== 0 && value !== false) return false;
  if (owner.required?.includes(field) === true || owner.properties?.[field]?.default !== undefined)
    return false;
  if (!type.startsWith('io.k8s.') || byReference.test(type)) return false;
  const parts = type.split('.');
  const fields = pointerFields.get(parts.slice(-3).join('.')) ?? pointerFields.get(parts.at(-1) ?? '');
  return fields?.has(field) !== true;
}

const omittedPointers: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.ReplicationControllerSpec.minReadySeconds',
]);

/** Whether a field's default is an empty value that Go omits when it writes the object. */
export const isOmitted = (type: string, field: string): boolean => omittedPointers.has(`${type}.${field}`);
