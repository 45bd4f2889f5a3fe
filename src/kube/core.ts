import type { Condition, KubeObject } from './object.ts';
import type { LabelSelector } from './selector.ts';

/** The parts of core/v1 that the console reads. Everything is optional, because objects may lack any field. */
export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: {
    exitCode?: number;
    signal?: number;
    reason?: string;
    message?: string;
    startedAt?: string;
    finishedAt?: string;
    containerID?: string;
  };
}

export interface ContainerStatus {
  name?: string;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  image?: string;
  imageID?: string;
  containerID?: string;
  state?: ContainerState;
  lastState?: ContainerState;
}

/** A probe: what it asks, and its times in seconds. */
export interface Probe {
  initialDelaySeconds?: number;
  periodSeconds?: number;
  failureThreshold?: number;
  timeoutSeconds?: number;
  httpGet?: { path?: string; port?: number | string };
  tcpSocket?: { port?: number | string };
}

export interface Container {
  name?: string;
  image?: string;
  restartPolicy?: string;
  command?: string[];
  args?: string[];
  ports?: { name?: string; containerPort?: number; hostPort?: number; protocol?: string }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  env?: {
    name?: string;
    value?: string;
    valueFrom?: { configMapKeyRef?: KeyReference; secretKeyRef?: KeyReference };
  }[];
  envFrom?: { configMapRef?: SourceReference; secretRef?: SourceReference }[];
  volumeMounts?: { name?: string; mountPath?: string; subPath?: string }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { postStart?: object; preStop?: object };
}

/** Reference to an object in the same namespace. */
export interface NamedReference {
  name?: string;
}

/** Reference to a config map or Secret in the same namespace; an optional one need not exist. */
export interface SourceReference extends NamedReference {
  optional?: boolean;
}

/** Reference to one key of a config map or Secret. */
export interface KeyReference extends SourceReference {
  key?: string;
}

/** The keys of a config map or Secret that a volume has as files; all of them without a list. */
export interface KeyFiles {
  items?: { key?: string }[];
}

/** The parts of a volume that refer to other objects. */
export interface Volume {
  name?: string;
  configMap?: SourceReference & KeyFiles;
  secret?: { secretName?: string; optional?: boolean } & KeyFiles;
  persistentVolumeClaim?: { claimName?: string };
  projected?: {
    sources?: { configMap?: SourceReference & KeyFiles; secret?: SourceReference & KeyFiles }[];
  };
}

/** Required nearness of pods, or distance from them. */
interface PodAffinityRules {
  requiredDuringSchedulingIgnoredDuringExecution?: { labelSelector?: LabelSelector; topologyKey?: string }[];
}

export interface PodSpec {
  nodeName?: string;
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  restartPolicy?: string;
  dnsPolicy?: string;
  hostNetwork?: boolean;
  containers?: Container[];
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  nodeSelector?: Record<string, string>;
  affinity?: {
    nodeAffinity?: {
      requiredDuringSchedulingIgnoredDuringExecution?: {
        nodeSelectorTerms?: {
          matchExpressions?: LabelSelector['matchExpressions'];
          matchFields?: LabelSelector['matchExpressions'];
        }[];
      };
    };
    podAffinity?: PodAffinityRules;
    podAntiAffinity?: PodAffinityRules;
  };
  tolerations?: { key?: string; operator?: string; value?: string; effect?: string }[];
  topologySpreadConstraints?: {
    maxSkew?: number;
    topologyKey?: string;
    whenUnsatisfiable?: string;
    labelSelector?: LabelSelector;
  }[];
  terminationGracePeriodSeconds?: number;
  readinessGates?: { conditionType?: string }[];
  resourceClaims?: { name?: string }[];
  schedulerName?: string;
  schedulingGates?: { name?: string }[];
  imagePullSecrets?: NamedReference[];
  volumes?: Volume[];
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  podIP?: string;
  hostIP?: string;
  qosClass?: string;
  nominatedNodeName?: string;
  startTime?: string;
  conditions?: Condition[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
  ephemeralContainerStatuses?: ContainerStatus[];
}

export interface Pod extends KubeObject {
  spec?: PodSpec;
  status?: PodStatus;
}

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: Condition[] };
}

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  /** Base64. */
  binaryData?: Record<string, string>;
  immutable?: boolean;
}
