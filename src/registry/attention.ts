/**
 * What is wrong with one object, said so that a person can act: the first line of its detail, and its line on the
 * cluster's dashboard. Each `rule` is tested by itself.
 */
export interface Attention {
  /** Stable id, kind first: `pod.crash-loop`. */
  readonly rule: string;
  readonly tone: 'warn' | 'bad';
  /** What is wrong, a whole sentence. */
  readonly title: string;
  /** The cause in the cluster's own words. */
  readonly detail?: string;
  /** The action that helps, by id: on this object, or on the owner that has it. Nothing where there is none. */
  readonly action?: string;
  /** Since when, epoch seconds. */
  readonly since?: number;
  /** Not yet trouble before this time, epoch seconds (a probe is given a minute). */
  readonly notBefore?: number;
  /** No trouble any more after this time, epoch seconds (a container that was started again stays up). */
  readonly notAfter?: number;
  /** The container of a pod whose last lines say more, and whether they are those of the run before. */
  readonly log?: { readonly container: string; readonly previous: boolean };
}
