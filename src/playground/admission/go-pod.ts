import { isRec, type Rec, recs } from '../kit/values.ts';

/**
 * Fields of the Go types of pods, in declaration order: `Name=field:kind`. Kinds: s text, i number, b truth value
 * (each by value), p any pointer, * a list, > a pointer to a struct, = a struct by value.
 */
const definitions: Readonly<Record<string, string>> = {
  PodSpec:
    'Volumes=volumes:*Volume InitContainers=initContainers:*Container Containers=containers:*Container EphemeralContainers=ephemeralContainers:*Container RestartPolicy=restartPolicy:s TerminationGracePeriodSeconds=terminationGracePeriodSeconds:p ActiveDeadlineSeconds=activeDeadlineSeconds:p DNSPolicy=dnsPolicy:s NodeSelector=nodeSelector:p ServiceAccountName=serviceAccountName:s AutomountServiceAccountToken=automountServiceAccountToken:p NodeName=nodeName:s SecurityContext=securityContext:>PodSecurityContext ImagePullSecrets=imagePullSecrets:*Named Hostname=hostname:s Subdomain=subdomain:s SetHostnameAsFQDN=setHostnameAsFQDN:p Affinity=affinity:>Other SchedulerName=schedulerName:s Tolerations=tolerations:*Toleration HostAliases=hostAliases:*Other PriorityClassName=priorityClassName:s Priority=priority:p PreemptionPolicy=preemptionPolicy:p DNSConfig=dnsConfig:>Other ReadinessGates=readinessGates:*Other RuntimeClassName=runtimeClassName:p Overhead=overhead:p EnableServiceLinks=enableServiceLinks:p TopologySpreadConstraints=topologySpreadConstraints:*Other OS=os:>Other SchedulingGates=schedulingGates:*Other ResourceClaims=resourceClaims:*Other Resources=resources:>Resources HostnameOverride=hostnameOverride:p',
  PodSecurityContext:
    'HostNetwork=hostNetwork:b HostPID=hostPID:b HostIPC=hostIPC:b ShareProcessNamespace=shareProcessNamespace:p HostUsers=hostUsers:p SELinuxOptions=seLinuxOptions:>Other WindowsOptions=windowsOptions:>Other RunAsUser=runAsUser:p RunAsGroup=runAsGroup:p RunAsNonRoot=runAsNonRoot:p SupplementalGroups=supplementalGroups:p SupplementalGroupsPolicy=supplementalGroupsPolicy:p FSGroup=fsGroup:p FSGroupChangePolicy=fsGroupChangePolicy:p Sysctls=sysctls:*Other SeccompProfile=seccompProfile:>Other AppArmorProfile=appArmorProfile:>Other SELinuxChangePolicy=seLinuxChangePolicy:p',
  Container:
    'Name=name:s Image=image:s Command=command:p Args=args:p WorkingDir=workingDir:s Ports=ports:*ContainerPort EnvFrom=envFrom:*Other Env=env:*EnvVar Resources=resources:=Resources ResizePolicy=resizePolicy:*Other RestartPolicy=restartPolicy:p RestartPolicyRules=restartPolicyRules:*Other VolumeMounts=volumeMounts:*VolumeMount VolumeDevices=volumeDevices:*Other LivenessProbe=livenessProbe:>Probe ReadinessProbe=readinessProbe:>Probe StartupProbe=startupProbe:>Probe Lifecycle=lifecycle:>Other TerminationMessagePath=terminationMessagePath:s TerminationMessagePolicy=terminationMessagePolicy:s ImagePullPolicy=imagePullPolicy:s SecurityContext=securityContext:>SecurityContext Stdin=stdin:b StdinOnce=stdinOnce:b TTY=tty:b',
  ContainerPort:
    'Name=name:s HostPort=hostPort:i ContainerPort=containerPort:i Protocol=protocol:s HostIP=hostIP:s',
  EnvVar: 'Name=name:s Value=value:s ValueFrom=valueFrom:>Other',
  Resources: 'Limits=limits:p Requests=requests:p Claims=claims:*Other',
  VolumeMount:
    'Name=name:s ReadOnly=readOnly:b RecursiveReadOnly=recursiveReadOnly:p MountPath=mountPath:s SubPath=subPath:s MountPropagation=mountPropagation:p SubPathExpr=subPathExpr:s',
  Probe:
    'Exec=exec:>Other HTTPGet=httpGet:>HTTPGet TCPSocket=tcpSocket:>Other GRPC=grpc:>Other InitialDelaySeconds=initialDelaySeconds:i TimeoutSeconds=timeoutSeconds:i PeriodSeconds=periodSeconds:i SuccessThreshold=successThreshold:i FailureThreshold=failureThreshold:i TerminationGracePeriodSeconds=terminationGracePeriodSeconds:p',
  HTTPGet: 'Path=path:s Port=port:p Host=host:s Scheme=scheme:s HTTPHeaders=httpHeaders:*Other',
  SecurityContext:
    'Capabilities=capabilities:>Capabilities Privileged=privileged:p SELinuxOptions=seLinuxOptions:>Other WindowsOptions=windowsOptions:>Other RunAsUser=runAsUser:p RunAsGroup=runAsGroup:p RunAsNonRoot=runAsNonRoot:p ReadOnlyRootFilesystem=readOnlyRootFilesystem:p AllowPrivilegeEscalation=allowPrivilegeEscalation:p ProcMount=procMount:p SeccompProfile=seccompProfile:>Profile AppArmorProfile=appArmorProfile:>Profile',
  Capabilities: 'Add=add:p Drop=drop:p',
  Profile: 'Type=type:s LocalhostProfile=localhostProfile:p',
  Toleration:
    'Key=key:s Operator=operator:s Value=value:s Effect=effect:s TolerationSeconds=tolerationSeconds:p',
  Named: 'Name=name:s',
  ClaimSpec:
    'AccessModes=accessModes:p Selector=selector:p Resources=resources:=ClaimResources VolumeName=volumeName:s StorageClassName=storageClassName:p VolumeMode=volumeMode:p DataSource=dataSource:>DataSource DataSourceRef=dataSourceRef:>DataReference VolumeAttributesClassName=volumeAttributesClassName:p',
  ClaimResources: 'Limits=limits:p Requests=requests:p',
  DataSource: 'APIGroup=apiGroup:p Kind=kind:s Name=name:s',
  DataReference: 'APIGroup=apiGroup:p Kind=kind:s Name=name:s Namespace=namespace:p',
  VolumeSource:
    'GCEPersistentDisk=gcePersistentDisk:>Other AWSElasticBlockStore=awsElasticBlockStore:>Other HostPath=hostPath:>HostPath Glusterfs=glusterfs:>Other NFS=nfs:>NFS RBD=rbd:>Other Quobyte=quobyte:>Other ISCSI=iscsi:>Other FlexVolume=flexVolume:>Other Cinder=cinder:>Other CephFS=cephfs:>Other FC=fc:>Other Flocker=flocker:>Other AzureFile=azureFile:>Other VsphereVolume=vsphereVolume:>Other AzureDisk=azureDisk:>Other PhotonPersistentDisk=photonPersistentDisk:>Other PortworxVolume=portworxVolume:>Other ScaleIO=scaleIO:>Other Local=local:>Local StorageOS=storageos:>Other CSI=csi:>VolumeDriver',
  HostPath: 'Path=path:s Type=type:p',
  NFS: 'Server=server:s Path=path:s ReadOnly=readOnly:b',
  Local: 'Path=path:s FSType=fsType:p',
  VolumeDriver:
    'Driver=driver:s VolumeHandle=volumeHandle:s ReadOnly=readOnly:b FSType=fsType:s VolumeAttributes=volumeAttributes:p ControllerPublishSecretRef=controllerPublishSecretRef:>SecretReference NodeStageSecretRef=nodeStageSecretRef:>SecretReference NodePublishSecretRef=nodePublishSecretRef:>SecretReference ControllerExpandSecretRef=controllerExpandSecretRef:>SecretReference NodeExpandSecretRef=nodeExpandSecretRef:>SecretReference',
  SecretReference: 'Name=name:s Namespace=namespace:s',
  Volume:
    'Name=name:s HostPath=hostPath:>Other EmptyDir=emptyDir:>Other GCEPersistentDisk=gcePersistentDisk:>Other AWSElasticBlockStore=awsElasticBlockStore:>Other GitRepo=gitRepo:>Other Secret=secret:>Other NFS=nfs:>Other ISCSI=iscsi:>Other Glusterfs=glusterfs:>Other PersistentVolumeClaim=persistentVolumeClaim:>Other RBD=rbd:>Other Quobyte=quobyte:>Other FlexVolume=flexVolume:>Other Cinder=cinder:>Other CephFS=cephfs:>Other Flocker=flocker:>Other DownwardAPI=downwardAPI:>Other FC=fc:>Other AzureFile=azureFile:>Other ConfigMap=configMap:>Other VsphereVolume=vsphereVolume:>Other AzureDisk=azureDisk:>Other PhotonPersistentDisk=photonPersistentDisk:>Other Projected=projected:>Other PortworxVolume=portworxVolume:>Other ScaleIO=scaleIO:>Other StorageOS=storageos:>Other CSI=csi:>Other Ephemeral=ephemeral:>Other Image=image:>Other',
};

interface Field {
  readonly goName: string;
  readonly field: string;
  readonly kind: string;
  readonly type: string;
}
const fieldsByType = new Map<string, Field[]>();

function fieldsOf(type: string): Field[] | undefined {
  const text = definitions[type];
  const before = fieldsByType.get(type);
  if (before !== undefined || text === undefined) return before;
  const fields = Array.from(
    text.matchAll(/(\w+)=(\w+):([sibp*>=])(\w*)/g),
    ([, goName = '', field = '', kind = '', name = '']) => ({
      goName,
      field,
      kind,
      type: name,
    }),
  );
  fieldsByType.set(type, fields);
  return fields;
}

/** A value of none of the types above: its fields under their Go names, in the given order. */
const untyped = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(untyped);
  if (!isRec(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => [
      `${field.charAt(0).toUpperCase()}${field.slice(1)}`,
      untyped(one),
    ]),
  );
};

function struct(type: string, value: Rec): unknown {
  const fields = fieldsOf(type);
  if (fields === undefined) return untyped(value);
  return Object.fromEntries(
    fields.map(({ goName, field, kind, type: inner }) => [goName, goValue(kind, inner, value[field])]),
  );
}

const empty: Readonly<Record<string, unknown>> = { s: '', i: 0, b: false };

function goValue(kind: string, type: string, value: unknown): unknown {
  if (kind === '=') return struct(type, isRec(value) ? value : {});
  if (value === undefined) return empty[kind] ?? null;
  if (kind === '*') return recs(value).map((one) => struct(type, one));
  return kind === '>' && isRec(value) ? struct(type, value) : value;
}

/** A struct as the server holds it: every field of its type, in declaration order. */
export function goStruct(
  type: 'ClaimSpec' | 'Profile' | 'SecurityContext' | 'VolumeSource',
  value: Rec,
): unknown {
  return struct(type, value);
}

/** A pod's spec as the server holds it: some fields of the API's spec lie inside the security context. */
export function goPodSpec(spec: Rec): unknown {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } = spec;
  const shared = Object.entries({ hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers });
  const securityContext = {
    ...(isRec(spec['securityContext']) ? spec['securityContext'] : {}),
    ...Object.fromEntries(shared.filter(([, value]) => value !== undefined)),
  };
  return struct('PodSpec', { ...spec, securityContext });
}

/** A pod template as the server holds it: metadata and spec. */
export function goPodTemplate(template: Rec): unknown {
  const { metadata, spec } = template;
  return { ...(isRec(metadata) ? metadata : {}), Spec: goPodSpec(isRec(spec) ? spec : {}) };
}
