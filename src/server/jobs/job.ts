import type { JobPlan, Ref } from '../../contract/objects.ts';
import type { Need } from '../../contract/permissions.ts';
import type { ObjectAddress } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Place, PlacedNeed } from '../access/held.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';

/** Inputs of a job. */
export interface JobContext {
  readonly cluster: ClusterRow;
  readonly transport: Transport;
  readonly kind: AnyKind;
  readonly object: KubeObject;
  readonly ref: Ref;
  readonly address: ObjectAddress;
  /** Validated already. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly kinds: KindCatalogue;
  readonly clock: Clock;
  /** When another server began it, epoch ms; absent where it begins here. */
  readonly begunAt?: number;
  /**
   * Throws Problem when the person lacks something in a place now, or the cluster became read-only. Asked anew before
   * each change: a job may take hours.
   */
  readonly require: (need: Need, place: Place) => Promise<void>;
}

/** How a running job tells what it does. */
export interface JobHandle {
  /** Aborted when somebody cancels it or the server ends. */
  readonly signal: AbortSignal;
  /** Names of the parts that servers before this one have done. */
  readonly doneBefore: readonly string[];
  /** Names the parts, all of them waiting unless they say otherwise. */
  steps(steps: readonly { readonly name: string; readonly skipped?: string }[]): void;
  step(name: string, status: 'running' | 'done' | 'failed' | 'skipped', message?: string): void;
  message(text: string): void;
}

/** A job that is ready to begin. */
export interface PreparedJob {
  /** `Drain node a`. */
  readonly title: string;
  /** Does it; answers how it ended, a sentence. Throws Problem when it failed. */
  run(handle: JobHandle): Promise<string>;
  /** The namespaces of what it works on; null where objects of the cluster itself are among it. */
  readonly namespaces: readonly string[] | null;
  /** What whoever began it has to hold until it is done: without it the job stops. */
  readonly needs: readonly PlacedNeed[];
  /** The message of a job that was stopped, after its counts: what stays as it is. */
  readonly afterCancel: string;
  /** By what another server prepares it again if this one ends; absent for a job that must not be begun twice. */
  readonly again?: JobAgain;
}

/** By what a job is prepared again. It is stored in the clear. */
export interface JobAgain {
  /** The arguments of the action. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The object that it is about: one that took its name meanwhile is another. */
  readonly uid: string;
  /** Its own time limit, epoch ms: it ends then, also where no server can go on with it. Absent where it has none. */
  readonly until?: number;
}

/** One sort of job. */
export interface JobDefinition {
  /** The plan of a job. Throws Problem when it cannot be done at all. Changes nothing. */
  plan(context: JobContext): Promise<JobPlan>;
  /** Throws Problem when it cannot be begun. Changes nothing yet. */
  prepare(context: JobContext): Promise<PreparedJob>;
}
