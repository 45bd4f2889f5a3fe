import type { ContainerStatus } from '../../kube/core.ts';
import type { Obj, Rec } from '../kit/values.ts';

/** Inputs of a container's next state. */
export interface ContainerPlan {
  readonly pod: Obj;
  readonly container: Rec;
  readonly status: ContainerStatus | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Start of its turn: when the node admitted the pod, or the previous init container completed. */
  readonly started: number;
  /** Whether its turn has come. */
  readonly initialised: boolean;
  readonly hasInit: boolean;
  /** Whether it is one of the init containers. */
  readonly isInit: boolean;
  /** Whether the container restarts after an exit code. */
  readonly restarts: (exitCode: number) => boolean;
  /** The error in its environment, such as a missing secret. */
  readonly problem: string | undefined;
  /** Whether its node already has the image. */
  readonly present: boolean;
}

/** Reports an event of the container. */
export type ReportEvent = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** A container's state, and the ms until it changes by itself. */
export interface Next {
  readonly status: ContainerStatus;
  readonly retryAfter?: number;
}
