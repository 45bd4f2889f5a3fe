/**
 * Field numbers of the Kubernetes API's protobuf messages, as far as clients send them: `name=number:type`.
 * Types: s text, i whole number, b truth value, y bytes, q quantity, t time, m time with microseconds, o number
 * or text, a message by its name; `*` repeated, `{}` a map from text, `^` a message whose fields belong to the
 * outer one.
 */
const definitions: Readonly<Record<string, string>> = {
  ObjectMeta:
    'name=1:s generateName=2:s namespace=3:s selfLink=4:s uid=5:s resourceVersion=6:s generation=7:i creationTimestamp=8:t deletionTimestamp=9:t deletionGracePeriodSeconds=10:i labels=11:{}s annotations=12:{}s ownerReferences=13:*OwnerReference finalizers=14:*s managedFields=17:*ManagedFieldsEntry',
  OwnerReference: 'kind=1:s name=3:s uid=4:s apiVersion=5:s controller=6:b blockOwnerDeletion=7:b',
  ManagedFieldsEntry:
    'manager=1:s operation=2:s apiVersion=3:s time=4:t fieldsType=6:s fieldsV1=7:FieldsV1 subresource=8:s',
  FieldsV1: 'Raw=1:y',
  LabelSelector: 'matchLabels=1:{}s matchExpressions=2:*LabelSelectorRequirement',
  LabelSelectorRequirement: 'key=1:s operator=2:s values=3:*s',
  DeleteOptions:
    'gracePeriodSeconds=1:i preconditions=2:Preconditions orphanDependents=3:b propagationPolicy=4:s dryRun=5:*s',
  Preconditions: 'uid=1:s resourceVersion=2:s',
  Condition: 'type=1:s status=2:s observedGeneration=3:i lastTransitionTime=4:t reason=5:s message=6:s',

  Namespace: 'metadata=1:ObjectMeta spec=2:NamespaceSpec status=3:NamespaceStatus',
  NamespaceSpec: 'finalizers=1:*s',
  NamespaceStatus: 'phase=1:s',
  ConfigMap: 'metadata=1:ObjectMeta data=2:{}s binaryData=3:{}y immutable=4:b',
  Secret: 'metadata=1:ObjectMeta data=2:{}y type=3:s stringData=4:{}s immutable=5:b',
  ServiceAccount:
    'metadata=1:ObjectMeta secrets=2:*ObjectReference imagePullSecrets=3:*LocalObjectReference automountServiceAccountToken=4:b',
  ObjectReference: 'kind=1:s namespace=2:s name=3:s uid=4:s apiVersion=5:s resourceVersion=6:s fieldPath=7:s',
  LocalObjectReference: 'name=1:s',
  ResourceQuota: 'metadata=1:ObjectMeta spec=2:ResourceQuotaSpec status=3:ResourceQuotaStatus',
  ResourceQuotaSpec: 'hard=1:{}q scopes=2:*s scopeSelector=3:ScopeSelector',
  ResourceQuotaStatus: 'hard=1:{}q used=2:{}q',
  ScopeSelector: 'matchExpressions=1:*ScopedResourceSelectorRequirement',
  ScopedResourceSelectorRequirement: 'scopeName=1:s operator=2:s values=3:*s',
  Binding: 'metadata=1:ObjectMeta target=2:ObjectReference',
  Event:
    'metadata=1:ObjectMeta involvedObject=2:ObjectReference reason=3:s message=4:s source=5:EventSource firstTimestamp=6:t lastTimestamp=7:t count=8:i type=9:s eventTime=10:m series=11:EventSeries action=12:s related=13:ObjectReference reportingComponent=14:s reportingInstance=15:s',
  EventSource: 'component=1:s host=2:s',
  EventSeries: 'count=1:i lastObservedTime=2:m',

  Service: 'metadata=1:ObjectMeta spec=2:ServiceSpec status=3:ServiceStatus',
  ServiceStatus: 'loadBalancer=1:LoadBalancerStatus conditions=2:*Condition',
  LoadBalancerStatus: 'ingress=1:*LoadBalancerIngress',
  LoadBalancerIngress: 'ip=1:s hostname=2:s ipMode=3:s',
  ServiceSpec:
    'ports=1:*ServicePort selector=2:{}s clusterIP=3:s type=4:s externalIPs=5:*s sessionAffinity=7:s loadBalancerIP=8:s loadBalancerSourceRanges=9:*s externalName=10:s externalTrafficPolicy=11:s healthCheckNodePort=12:i publishNotReadyAddresses=13:b sessionAffinityConfig=14:SessionAffinityConfig ipFamilyPolicy=17:s clusterIPs=18:*s ipFamilies=19:*s allocateLoadBalancerNodePorts=20:b loadBalancerClass=21:s internalTrafficPolicy=22:s trafficDistribution=23:s',
  SessionAffinityConfig: 'clientIP=1:ClientIPConfig',
  ClientIPConfig: 'timeoutSeconds=1:i',
  ServicePort: 'name=1:s protocol=2:s port=3:i targetPort=4:o nodePort=5:i appProtocol=6:s',

  Pod: 'metadata=1:ObjectMeta spec=2:PodSpec status=3:PodStatus',
  PodStatus:
    'phase=1:s message=3:s reason=4:s hostIP=5:s podIP=6:s startTime=7:t qosClass=9:s nominatedNodeName=11:s',
  PodTemplateSpec: 'metadata=1:ObjectMeta spec=2:PodSpec',
  PodSpec:
    'volumes=1:*Volume containers=2:*Container restartPolicy=3:s terminationGracePeriodSeconds=4:i activeDeadlineSeconds=5:i dnsPolicy=6:s nodeSelector=7:{}s serviceAccountName=8:s serviceAccount=9:s nodeName=10:s hostNetwork=11:b hostPID=12:b hostIPC=13:b securityContext=14:PodSecurityContext imagePullSecrets=15:*LocalObjectReference hostname=16:s subdomain=17:s schedulerName=19:s initContainers=20:*Container automountServiceAccountToken=21:b tolerations=22:*Toleration priorityClassName=24:s priority=25:i shareProcessNamespace=27:b runtimeClassName=29:s enableServiceLinks=30:b preemptionPolicy=31:s overhead=32:{}q setHostnameAsFQDN=35:b hostUsers=37:b',
  Container:
    'name=1:s image=2:s command=3:*s args=4:*s workingDir=5:s ports=6:*ContainerPort env=7:*EnvVar resources=8:ResourceRequirements volumeMounts=9:*VolumeMount livenessProbe=10:Probe readinessProbe=11:Probe terminationMessagePath=13:s imagePullPolicy=14:s securityContext=15:SecurityContext stdin=16:b stdinOnce=17:b tty=18:b envFrom=19:*EnvFromSource terminationMessagePolicy=20:s startupProbe=22:Probe restartPolicy=24:s',
  ContainerPort: 'name=1:s hostPort=2:i containerPort=3:i protocol=4:s hostIP=5:s',
  EnvVar: 'name=1:s value=2:s valueFrom=3:EnvVarSource',
  EnvVarSource:
    'fieldRef=1:ObjectFieldSelector resourceFieldRef=2:ResourceFieldSelector configMapKeyRef=3:KeySelector secretKeyRef=4:KeySelector',
  ObjectFieldSelector: 'apiVersion=1:s fieldPath=2:s',
  ResourceFieldSelector: 'containerName=1:s resource=2:s divisor=3:q',
  KeySelector: 'localObjectReference=1:^LocalObjectReference key=2:s optional=3:b',
  EnvFromSource: 'prefix=1:s configMapRef=2:EnvReference secretRef=3:EnvReference',
  EnvReference: 'localObjectReference=1:^LocalObjectReference optional=2:b',
  ResourceRequirements: 'limits=1:{}q requests=2:{}q',
  VolumeMount:
    'name=1:s readOnly=2:b mountPath=3:s subPath=4:s mountPropagation=5:s subPathExpr=6:s recursiveReadOnly=7:s',
  Probe:
    'handler=1:^ProbeHandler initialDelaySeconds=2:i timeoutSeconds=3:i periodSeconds=4:i successThreshold=5:i failureThreshold=6:i terminationGracePeriodSeconds=7:i',
  ProbeHandler: 'exec=1:ExecAction httpGet=2:HTTPGetAction tcpSocket=3:TCPSocketAction grpc=4:GRPCAction',
  ExecAction: 'command=1:*s',
  HTTPGetAction: 'path=1:s port=2:o host=3:s scheme=4:s httpHeaders=5:*HTTPHeader',
  HTTPHeader: 'name=1:s value=2:s',
  TCPSocketAction: 'port=1:o host=2:s',
  GRPCAction: 'port=1:i service=2:s',
  SecurityContext:
    'capabilities=1:Capabilities privileged=2:b runAsUser=4:i runAsNonRoot=5:b readOnlyRootFilesystem=6:b allowPrivilegeEscalation=7:b runAsGroup=8:i procMount=9:s seccompProfile=11:SeccompProfile',
  Capabilities: 'add=1:*s drop=2:*s',
  SeccompProfile: 'type=1:s localhostProfile=2:s',
  PodSecurityContext:
    'runAsUser=2:i runAsNonRoot=3:b supplementalGroups=4:*i fsGroup=5:i runAsGroup=6:i fsGroupChangePolicy=9:s seccompProfile=10:SeccompProfile',
  Toleration: 'key=1:s operator=2:s value=3:s effect=4:s tolerationSeconds=5:i',
  Volume: 'name=1:s volumeSource=2:^VolumeSource',
  VolumeSource:
    'hostPath=1:HostPathVolumeSource emptyDir=2:EmptyDirVolumeSource secret=6:SecretVolumeSource persistentVolumeClaim=10:PersistentVolumeClaimVolumeSource configMap=19:ConfigMapVolumeSource',
  HostPathVolumeSource: 'path=1:s type=2:s',
  EmptyDirVolumeSource: 'medium=1:s sizeLimit=2:q',
  SecretVolumeSource: 'secretName=1:s items=2:*KeyToPath defaultMode=3:i optional=4:b',
  ConfigMapVolumeSource:
    'localObjectReference=1:^LocalObjectReference items=2:*KeyToPath defaultMode=3:i optional=4:b',
  KeyToPath: 'key=1:s path=2:s mode=3:i',
  PersistentVolumeClaimVolumeSource: 'claimName=1:s readOnly=2:b',

  Deployment: 'metadata=1:ObjectMeta spec=2:DeploymentSpec status=3:Nothing',
  Nothing: '',
  DeploymentSpec:
    'replicas=1:i selector=2:LabelSelector template=3:PodTemplateSpec strategy=4:DeploymentStrategy minReadySeconds=5:i revisionHistoryLimit=6:i paused=7:b progressDeadlineSeconds=9:i',
  DeploymentStrategy: 'type=1:s rollingUpdate=2:RollingUpdateDeployment',
  RollingUpdateDeployment: 'maxUnavailable=1:o maxSurge=2:o',

  Job: 'metadata=1:ObjectMeta spec=2:JobSpec status=3:Nothing',
  JobSpec:
    'parallelism=1:i completions=2:i activeDeadlineSeconds=3:i selector=4:LabelSelector manualSelector=5:b template=6:PodTemplateSpec backoffLimit=7:i ttlSecondsAfterFinished=8:i completionMode=9:s suspend=10:b backoffLimitPerIndex=12:i maxFailedIndexes=13:i podReplacementPolicy=14:s managedBy=15:s',
  CronJob: 'metadata=1:ObjectMeta spec=2:CronJobSpec status=3:Nothing',
  CronJobSpec:
    'schedule=1:s startingDeadlineSeconds=2:i concurrencyPolicy=3:s suspend=4:b jobTemplate=5:JobTemplateSpec successfulJobsHistoryLimit=6:i failedJobsHistoryLimit=7:i timeZone=8:s',
  JobTemplateSpec: 'metadata=1:ObjectMeta spec=2:JobSpec',

  Role: 'metadata=1:ObjectMeta rules=2:*PolicyRule',
  ClusterRole: 'metadata=1:ObjectMeta rules=2:*PolicyRule aggregationRule=3:AggregationRule',
  AggregationRule: 'clusterRoleSelectors=1:*LabelSelector',
  PolicyRule: 'verbs=1:*s apiGroups=2:*s resources=3:*s resourceNames=4:*s nonResourceURLs=5:*s',
  RoleBinding: 'metadata=1:ObjectMeta subjects=2:*Subject roleRef=3:RoleRef',
  ClusterRoleBinding: 'metadata=1:ObjectMeta subjects=2:*Subject roleRef=3:RoleRef',
  Subject: 'kind=1:s apiGroup=2:s name=3:s namespace=4:s',
  RoleRef: 'apiGroup=1:s kind=2:s name=3:s',

  SelfSubjectAccessReview: 'metadata=1:ObjectMeta spec=2:SelfSubjectAccessReviewSpec status=3:Nothing',
  SelfSubjectAccessReviewSpec:
    'resourceAttributes=1:ResourceAttributes nonResourceAttributes=2:NonResourceAttributes',
  SubjectAccessReview: 'metadata=1:ObjectMeta spec=2:SubjectAccessReviewSpec status=3:Nothing',
  LocalSubjectAccessReview: 'metadata=1:ObjectMeta spec=2:SubjectAccessReviewSpec status=3:Nothing',
  SubjectAccessReviewSpec:
    'resourceAttributes=1:ResourceAttributes nonResourceAttributes=2:NonResourceAttributes user=3:s groups=4:*s uid=6:s',
  ResourceAttributes: 'namespace=1:s verb=2:s group=3:s version=4:s resource=5:s subresource=6:s name=7:s',
  NonResourceAttributes: 'path=1:s verb=2:s',
  SelfSubjectRulesReview: 'metadata=1:ObjectMeta spec=2:SelfSubjectRulesReviewSpec status=3:Nothing',
  SelfSubjectRulesReviewSpec: 'namespace=1:s',
  SelfSubjectReview: 'metadata=1:ObjectMeta status=2:Nothing',
  TokenReview: 'metadata=1:ObjectMeta spec=2:TokenReviewSpec status=3:Nothing',
  TokenReviewSpec: 'token=1:s audiences=2:*s',
  TokenRequest: 'metadata=1:ObjectMeta spec=2:TokenRequestSpec status=3:Nothing',
  TokenRequestSpec: 'audiences=1:*s boundObjectRef=3:BoundObjectReference expirationSeconds=4:i',
  BoundObjectReference: 'kind=1:s apiVersion=2:s name=3:s uid=4:s',

  Eviction: 'metadata=1:ObjectMeta deleteOptions=2:DeleteOptions',
  PodDisruptionBudget: 'metadata=1:ObjectMeta spec=2:PodDisruptionBudgetSpec status=3:Nothing',
  PodDisruptionBudgetSpec:
    'minAvailable=1:o selector=2:LabelSelector maxUnavailable=3:o unhealthyPodEvictionPolicy=4:s',
  PriorityClass: 'metadata=1:ObjectMeta value=2:i globalDefault=3:b description=4:s preemptionPolicy=5:s',
  HorizontalPodAutoscaler: 'metadata=1:ObjectMeta spec=2:HorizontalPodAutoscalerSpec status=3:Nothing',
  HorizontalPodAutoscalerSpec:
    'scaleTargetRef=1:CrossVersionObjectReference minReplicas=2:i maxReplicas=3:i metrics=4:*MetricSpec',
  'autoscaling/v1/HorizontalPodAutoscaler':
    'metadata=1:ObjectMeta spec=2:FirstAutoscalerSpec status=3:Nothing',
  FirstAutoscalerSpec:
    'scaleTargetRef=1:CrossVersionObjectReference minReplicas=2:i maxReplicas=3:i targetCPUUtilizationPercentage=4:i',
  CrossVersionObjectReference: 'kind=1:s name=2:s apiVersion=3:s',
  MetricSpec: 'type=1:s resource=4:ResourceMetricSource',
  ResourceMetricSource: 'name=1:s target=2:MetricTarget',
  MetricTarget: 'type=1:s value=2:q averageValue=3:q averageUtilization=4:i',

  Ingress: 'metadata=1:ObjectMeta spec=2:IngressSpec status=3:Nothing',
  IngressSpec: 'defaultBackend=1:IngressBackend tls=2:*IngressTLS rules=3:*IngressRule ingressClassName=4:s',
  IngressTLS: 'hosts=1:*s secretName=2:s',
  IngressRule: 'host=1:s ingressRuleValue=2:^IngressRuleValue',
  IngressRuleValue: 'http=1:HTTPIngressRuleValue',
  HTTPIngressRuleValue: 'paths=1:*HTTPIngressPath',
  HTTPIngressPath: 'path=1:s backend=2:IngressBackend pathType=3:s',
  IngressBackend: 'service=4:IngressServiceBackend',
  IngressServiceBackend: 'name=1:s port=2:ServiceBackendPort',
  ServiceBackendPort: 'name=1:s number=2:i',

  Lease: 'metadata=1:ObjectMeta spec=2:LeaseSpec',
  LeaseSpec: 'holderIdentity=1:s leaseDurationSeconds=2:i acquireTime=3:m renewTime=4:m leaseTransitions=5:i',
};

/** One field of a message. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly many: boolean;
  readonly map: boolean;
  readonly inline: boolean;
}

const fieldsByMessage = new Map<string, ReadonlyMap<number, Field>>();

/** The fields of a message by number; undefined for an unknown message. */
export function messageOf(name: string): ReadonlyMap<number, Field> | undefined {
  const before = fieldsByMessage.get(name);
  const text = definitions[name];
  if (before !== undefined || text === undefined) return before;
  const fields = new Map<number, Field>();
  for (const [, field = '', number = '', mark = '', type = ''] of text.matchAll(
    /(\w+)=(\d+):(\*|\{\}|\^)?(\w+)/g,
  )) {
    const one = { name: field, type, many: mark === '*', map: mark === '{}', inline: mark === '^' };
    fields.set(Number(number), one);
  }
  fieldsByMessage.set(name, fields);
  return fields;
}
