import type { Condition, KubeObject } from './object.ts';

/** The parts of core/v1 that the console reads. Everything is optional: a bare object must survive. */
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

export interface Container {
  name?: string;
  image?: string;
  restartPolicy?: string;
  command?: string[];
  args?: string[];
  ports?: { name?: string; containerPort?: number; protocol?: string }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
}

export interface PodSpec {
  nodeName?: string;
  serviceAccountName?: string;
  restartPolicy?: string;
  containers?: Container[];
  initContainers?: Container[];
  nodeSelector?: Record<string, string>;
  terminationGracePeriodSeconds?: number;
  readinessGates?: { conditionType?: string }[];
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  podIP?: string;
  hostIP?: string;
  qosClass?: string;
  startTime?: string;
  conditions?: Condition[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
}

export interface Pod extends KubeObject {
  spec?: PodSpec;
  status?: PodStatus;
}

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: Condition[] };
}
