import type { Ref } from './objects.ts';

/** Tones of the console (see the kinds' statuses). */
export type DashboardTone = 'ok' | 'info' | 'idle' | 'warn' | 'bad';

/** One line of what needs attention: one rule that fired on one object, or on several pods of one workload. */
export interface AttentionLine {
  /** Stable while the trouble lasts: rule and place. */
  readonly key: string;
  /** Id of the rule, `pod.crash-loop`. */
  readonly rule: string;
  readonly tone: 'warn' | 'bad';
  /** What is wrong, a whole sentence. */
  readonly title: string;
  /** The cause in the cluster's words, where it gave one. */
  readonly detail: string | null;
  /** Where it is: the object, or the workload whose pods are in trouble. */
  readonly on: Ref;
  /** Kubernetes' own name of its kind, for kinds that pages do not know. */
  readonly kindName?: string;
  /** The objects in trouble, oldest trouble first, at most `attentionObjects` of them. */
  readonly objects: readonly Ref[];
  /** How many objects are in trouble. */
  readonly count: number;
  /** Since when, epoch seconds. */
  readonly since: number | null;
  /** What helps, and on which objects: an action that this person may do; null where there is none. */
  readonly action: {
    readonly id: string;
    readonly refs: readonly Ref[];
    /** Why it cannot be done now, a whole sentence. */
    readonly reason?: string;
  } | null;
  /** What else is wrong there, whole sentences: a dashboard says an object once. */
  readonly also?: readonly string[];
  /** Where the last words of what ended are: a container of the first of the objects. */
  readonly log?: { readonly container: string; readonly previous: boolean };
}

/** Most objects named in one line. */
export const attentionObjects = 20;
/** Most lines of a dashboard; `attentionTotal` says how many there are. */
export const attentionLines = 100;
/** Most events of a dashboard. */
export const dashboardEvents = 20;

/** Objects of one kind by the tone of their status. */
export type ToneCounts = Readonly<Record<DashboardTone, number>> & { readonly total: number };

/** Requested against allocatable. Cores, bytes or pods; null: not known, or not for this person to see. */
export interface CapacityLine {
  readonly requested: number | null;
  readonly allocatable: number;
  readonly used: number | null;
}

/** Whether usage is known (metrics.k8s.io). Asked for every 15 s while anybody looks. */
export interface UsageState {
  /** `absent`: the cluster has no metrics API; `forbidden`: the console's credential may not read it. */
  readonly status: 'loading' | 'live' | 'absent' | 'forbidden' | 'unreachable';
  /** When it was read, ISO. */
  readonly at: string | null;
  /** Why it is not known: one sentence. */
  readonly message: string | null;
}

export interface DashboardNode {
  readonly name: string;
  readonly status: readonly [label: string, tone: DashboardTone];
  readonly roles: string | null;
  readonly cpu: CapacityLine;
  readonly memory: CapacityLine;
  /** `requested` counts the pods that run; `used` is always null. */
  readonly pods: CapacityLine;
}

export interface DashboardEvent {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly reason: string;
  /** What it is about: Kubernetes' own name of the kind, and the name. */
  readonly object: readonly [kind: string, name: string];
  readonly message: string;
  readonly count: number;
  /** Epoch seconds. */
  readonly lastSeen: number | null;
}

/** Most minutes back that events are counted. */
export const eventMinutes = 60;

/**
 * What was seen in one minute since 1970. An event counts when it was first and when it was last seen: what repeats
 * tells no other times.
 */
export type EventMinute = readonly [minute: number, normal: number, warnings: number];

/** Most changes of a dashboard. */
export const dashboardChanges = 8;

/** What last happened to an object, by what the object itself tells; see `LastChange`. */
export interface DashboardChange {
  readonly on: Ref;
  readonly what: 'created' | 'edited' | 'rolled-out' | 'scaled' | 'cordoned';
  /** Epoch seconds. */
  readonly at: number;
  /** The field manager that did it. */
  readonly by: string | null;
  /** The revision rolled out, or the pods scaled to. */
  readonly to: number | null;
}

/** The dashboard of a cluster as one person may see it; a part they may not see is null and counted nowhere. */
export interface Dashboard {
  /** Worst first, then newest; of the kinds that the person may view. */
  readonly attention: readonly AttentionLine[];
  readonly attentionTotal: number;
  /** Custom kinds whose objects may be in trouble and are not watched: there are too many, or they may not be read. */
  readonly unwatchedKinds: number;
  /** By kind id; kinds that the person may view and the console can read. */
  readonly workloads: Readonly<Record<string, ToneCounts>>;
  readonly capacity: {
    readonly cpu: CapacityLine;
    readonly memory: CapacityLine;
    readonly pods: CapacityLine;
  } | null;
  /** Bytes of volumes with a claim, and of all volumes; null: not known, not for this person to see, or none at all. */
  readonly storage: { readonly claimed: number; readonly provisioned: number } | null;
  /** Worst first, then by name; null also where the console cannot read them, which `state` says. */
  readonly nodes: readonly DashboardNode[] | null;
  /** Whether `used` is known; null with `nodes`. */
  readonly usage: UsageState | null;
  /** Recent warnings, newest first. */
  readonly events: readonly DashboardEvent[] | null;
  /** The minutes of the last hour in which anything was seen, oldest first; null with `events`. */
  readonly eventMinutes: readonly EventMinute[] | null;
  /** Of the kinds that the person may view, newest first. */
  readonly changes: readonly DashboardChange[];
}
