import type { KubeObject } from './object.ts';

/** scheduling.k8s.io/v1 PriorityClass. */
export interface PriorityClass extends KubeObject {
  value?: number;
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: string;
}

/** The parts of coordination.k8s.io/v1 Lease that the console reads. */
export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}
