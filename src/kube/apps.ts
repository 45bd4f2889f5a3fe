import type { PodSpec } from './core.ts';
import type { Condition, KubeObject, ObjectMeta } from './object.ts';
import type { LabelSelector } from './selector.ts';

export interface PodTemplate {
  metadata?: ObjectMeta;
  spec?: PodSpec;
}

/** The parts of apps/v1 that the console reads. */
export interface Deployment extends KubeObject {
  spec?: {
    replicas?: number;
    paused?: boolean;
    selector?: LabelSelector;
    template?: PodTemplate;
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    progressDeadlineSeconds?: number;
    strategy?: {
      type?: string;
      rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string };
    };
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    unavailableReplicas?: number;
    conditions?: Condition[];
  };
}

export interface ReplicaSet extends KubeObject {
  spec?: { replicas?: number; selector?: LabelSelector; template?: PodTemplate };
  status?: {
    replicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    fullyLabeledReplicas?: number;
    observedGeneration?: number;
    conditions?: Condition[];
  };
}

export interface StatefulSet extends KubeObject {
  spec?: {
    replicas?: number;
    serviceName?: string;
    selector?: LabelSelector;
    template?: PodTemplate;
    podManagementPolicy?: string;
    updateStrategy?: {
      type?: string;
      rollingUpdate?: { partition?: number; maxUnavailable?: number | string };
    };
    volumeClaimTemplates?: KubeObject[];
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    currentReplicas?: number;
    updatedReplicas?: number;
    currentRevision?: string;
    updateRevision?: string;
    conditions?: Condition[];
  };
}

export interface DaemonSet extends KubeObject {
  spec?: {
    selector?: LabelSelector;
    template?: PodTemplate;
    minReadySeconds?: number;
    updateStrategy?: {
      type?: string;
      rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string };
    };
  };
  status?: {
    observedGeneration?: number;
    desiredNumberScheduled?: number;
    currentNumberScheduled?: number;
    numberMisscheduled?: number;
    numberReady?: number;
    numberAvailable?: number;
    numberUnavailable?: number;
    updatedNumberScheduled?: number;
    conditions?: Condition[];
  };
}

/** The controller's record of one revision of a StatefulSet or DaemonSet; `data` is a patch of its spec. */
export interface ControllerRevision extends KubeObject {
  revision?: number;
  data?: { spec?: { template?: PodTemplate & { $patch?: string } } };
}

/** Label that a Deployment's ReplicaSets add to their pod template. */
export const podTemplateHashLabel = 'pod-template-hash';
/** Annotation with the reason for a revision. */
export const changeCauseAnnotation = 'kubernetes.io/change-cause';
/** Annotation with a ReplicaSet's or Deployment's revision number. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
/** Annotation that `kubectl rollout restart` sets on a pod template. */
export const restartedAtAnnotation = 'kubectl.kubernetes.io/restartedAt';

/** The images of a pod template in order, without init containers. */
export function imagesOf(template: PodTemplate | undefined): string[] {
  return (template?.spec?.containers ?? []).flatMap((container) =>
    container.image === undefined ? [] : [container.image],
  );
}
