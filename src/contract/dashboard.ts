import type { Creation } from './diagnosis.ts';
import type { Ref } from './objects.ts';

/** The tones of the console (see the kinds' statuses). */
export type DashboardTone = 'ok' | 'info' | 'idle' | 'warn' | 'bad';

/** One line of “Needs attention”: a rule that applies to one object, or to several pods of one workload. */
export interface AttentionLine {
  /** Stable while the problem lasts: rule and place. */
  readonly key: string;
  /** Id of the rule: `pod.crash-loop`. */
  readonly rule: string;
  readonly tone: 'warn' | 'bad';
  /** What is wrong, as a whole sentence. */
  readonly title: string;
  /** The cause in the cluster's words; null if it gave none. */
  readonly detail: string | null;
  /** The affected object, or the workload of the affected pods. */
  readonly on: Ref;
  /** The Kubernetes kind, for kinds that pages do not know. */
  readonly kindName?: string;
  /** The affected objects, longest affected first, at most `attentionObjects`. */
  readonly objects: readonly Ref[];
  /** Number of affected objects. */
  readonly count: number;
  /** Start time, epoch seconds: the earliest that is known while the problem lasts; null if unknown. */
  readonly since: number | null;
  /** The problem began at `since` or earlier. */
  readonly isSinceLatest?: true;
  /** When it last got worse (more objects, fewer ready pods) or got a further cause, epoch seconds. */
  readonly worseAt?: number;
  /** It has lasted for more than a day without getting worse. */
  readonly isChronic?: true;
  /** It passed at this time, epoch seconds: the line stays for a while, in case the problem returns. */
  readonly endedAt?: number;
  /** The causes that are as bad as the line, with their extent. */
  readonly causes: readonly AttentionCause[];
  /** An action that helps and that this person may run, with its objects; null if there is none. */
  readonly action: {
    readonly id: string;
    readonly refs: readonly Ref[];
    /** Why the action cannot run now, as a whole sentence. */
    readonly reason?: string;
  } | null;
  /** The objects whose creation or change helps, as far as this person may do it. */
  readonly help?: ObjectHelp;
  /** Further problems of the same object as whole sentences: a dashboard lists an object once. */
  readonly also?: readonly string[];
  /** The problem may explain those of other objects: the line is above others as bad. */
  readonly isCause?: true;
  /** Further objects in trouble, which have no lines of their own for it. */
  readonly affected?: AttentionAffected;
  /** A container of the first object whose last log lines explain the problem. */
  readonly log?: { readonly container: string; readonly previous: boolean };
}

/** Objects besides the one in trouble that somebody creates, edits or opens to help. */
export interface ObjectHelp {
  readonly creates?: readonly Creation[];
  readonly edits?: readonly Ref[];
  readonly opens?: readonly Ref[];
}

/** A cause of trouble: another one, or one of a greater extent, is worse. */
export interface AttentionCause {
  /** Id of the rule, and after a space which of the problems that the rule reports. */
  readonly rule: string;
  /** Greatest number of affected objects or missing pods since the problem began. */
  readonly extent: number;
}

/** Number of affected objects of one kind. */
export interface AffectedKind {
  /** Id of the kind. */
  readonly kind: string;
  readonly count: number;
}

/** Objects in trouble for which the line of another one stands. */
export interface AttentionAffected {
  /** `waiting`: for that one, as the workloads of the pods of a node; `alike`: the same problem by the same cause. */
  readonly relation: 'waiting' | 'alike';
  /** The kinds, that with the most objects first. */
  readonly kinds: readonly AffectedKind[];
  /** The objects by name, at most `attentionObjects`. */
  readonly objects: readonly Ref[];
  readonly count: number;
}

/** Maximum number of objects in a line. */
export const attentionObjects = 20;
/** Maximum number of lines of a dashboard; `attentionTotal` is the full number. */
export const attentionLines = 100;
/** Maximum number of events of a dashboard. */
export const dashboardEvents = 20;

/** Number of objects of one kind by the tone of their status. */
export type ToneCounts = Readonly<Record<DashboardTone, number>> & { readonly total: number };

/** Requested against allocatable, in cores, bytes or pods; null if unknown or not permitted. */
export interface CapacityLine {
  readonly requested: number | null;
  readonly allocatable: number;
  readonly used: number | null;
}

/** Whether usage is known (metrics.k8s.io). Polled every 15 s while a page shows it. */
export interface UsageState {
  /** `absent`: the cluster has no metrics API; `forbidden`: the console's credential cannot read it. */
  readonly status: 'loading' | 'live' | 'absent' | 'forbidden' | 'unreachable';
  /** When it was read, ISO. */
  readonly at: string | null;
  /** Why usage is unknown: one sentence. */
  readonly message: string | null;
}

export interface DashboardNode {
  readonly name: string;
  readonly status: readonly [label: string, tone: DashboardTone];
  readonly roles: string | null;
  readonly cpu: CapacityLine;
  readonly memory: CapacityLine;
  /** `requested` counts the running pods; `used` is always null. */
  readonly pods: CapacityLine;
}

export interface DashboardEvent {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly reason: string;
  /** The Kubernetes kind and the name of the object concerned. */
  readonly object: readonly [kind: string, name: string];
  readonly message: string;
  readonly count: number;
  /** Epoch seconds. */
  readonly lastSeen: number | null;
}

/**
 * The events of one minute since 1970. An event counts at its first and its last occurrence only, as the API records no
 * others.
 */
export type EventMinute = readonly [minute: number, normal: number, warnings: number];

/** A custom kind whose objects no dashboard judges; its list opens all the same. */
export interface UnwatchedKind {
  /** Id of the kind: `crd:certificates.cert-manager.io`. */
  readonly id: string;
  /** The Kubernetes kind. */
  readonly kind: string;
}

/** Maximum number of unwatched kinds of a dashboard. */
export const dashboardUnwatched = 100;

/** Maximum number of changes of a dashboard. */
export const dashboardChanges = 8;

/** The latest change of an object, as the object records it; see `LastChange`. */
export interface DashboardChange {
  readonly on: Ref;
  readonly what: 'created' | 'edited' | 'rolled-out' | 'scaled' | 'cordoned';
  /** Epoch seconds. */
  readonly at: number;
  /** The field manager that made the change. */
  readonly by: string | null;
  /** The revision after a rollout, or the number of pods after scaling. */
  readonly to: number | null;
}

/** The dashboard of a cluster for one person. Parts without permission are null and counted nowhere. */
export interface Dashboard {
  /**
   * Worst first, causes above what they may explain, then what began or got worse last, then chronic ones; only kinds
   * that the person may view.
   */
  readonly attention: readonly AttentionLine[];
  readonly attentionTotal: number;
  /**
   * Custom kinds whose objects may have problems but are not watched, because there are too many or they cannot be read:
   * by name, at most `dashboardUnwatched`.
   */
  readonly unwatched: readonly UnwatchedKind[];
  readonly unwatchedTotal: number;
  /** By kind id; only kinds that the person may view and the console can read. */
  readonly workloads: Readonly<Record<string, ToneCounts>>;
  readonly capacity: {
    readonly cpu: CapacityLine;
    readonly memory: CapacityLine;
    readonly pods: CapacityLine;
  } | null;
  /** Bytes of claimed volumes and of all volumes; null if unknown, not permitted, or if there are no volumes. */
  readonly storage: { readonly claimed: number; readonly provisioned: number } | null;
  /** Worst first, then by name; null if not permitted, or if the console cannot read them (see `state`). */
  readonly nodes: readonly DashboardNode[] | null;
  /** Whether `used` is known; null with `nodes`. */
  readonly usage: UsageState | null;
  /** Recent warnings, newest first. */
  readonly events: readonly DashboardEvent[] | null;
  /** The minutes of the last hour with events, oldest first; null with `events`. */
  readonly eventMinutes: readonly EventMinute[] | null;
  /** Newest first; only kinds that the person may view. */
  readonly changes: readonly DashboardChange[];
}
