import type { KubeObject } from './object.ts';

/** What an autoscaler scales. */
export interface ScaleTarget {
  apiVersion?: string;
  kind?: string;
  name?: string;
}

/** The parts of autoscaling/v2 HorizontalPodAutoscaler that the console reads. */
export interface HorizontalPodAutoscaler extends KubeObject {
  spec?: { scaleTargetRef?: ScaleTarget; minReplicas?: number; maxReplicas?: number };
}

/** The parts of keda.sh/v1alpha1 ScaledObject that the console reads; its target is a Deployment where it says no kind. */
export interface ScaledObject extends KubeObject {
  spec?: { scaleTargetRef?: ScaleTarget; minReplicaCount?: number; maxReplicaCount?: number };
}
