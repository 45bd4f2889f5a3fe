import * as z from 'zod/mini';
import type { AttentionLine, Dashboard, UsageState } from './dashboard.ts';
import type { ActionState, ObjectBody } from './objects.ts';

/**
 * The live protocol: one WebSocket a browser tab (`/api/live`), JSON text messages, subscriptions inside it.
 *
 * The server greets with `hello`. Every message of a subscription carries `seq`, counting from 1 without gaps, and
 * `state` tells whenever its freshness changes. There are five sorts of subscription:
 * - a list: `snapshot` chunks (the last one `done`), then `changes`, at most one every 100 ms; a page that did not keep
 *   up gets a new snapshot. Labels, for filters, are the cells of the column `labels`.
 * - one object: `object` for its present version and each later one, `surroundings` when only what belongs to it
 *   changed (trouble of its pods, joined values, actions), `gone` when there is none (any more)
 *   (both are preceded by `kind` where the page does not know the kind)
 * - the dashboard of a cluster: `dashboard`, whole, when something on it changed, at most four a second
 * - the tallies of a cluster: `tallies`, whole, when one of them changed, at most two a second
 * - a graph of objects: as a list, each row an object with what it is tied to, see `graph.ts`
 */
export const liveProtocol = 1;
/** The server sends `beat` this often (ms); a page that hears nothing for 2.5 beats reconnects. */
export const beatInterval = 15_000;
/** Changes are flushed at most this often (ms); the first after a quiet while at once. */
export const flushInterval = 100;
/** Rows in one snapshot message. */
export const snapshotChunk = 1_000;

/** The value of one cell: plain data by the column's format. Lists are for columns of several values. */
export type CellValue = string | number | boolean | null | readonly (string | number | null)[];
/** One row: the object's uid and its cells in the order of the kind's columns. */
export type Row = readonly [uid: string, cells: readonly CellValue[]];

/**
 * How fresh a subscription is.
 * - `loading`: no list yet
 * - `live`: the list is complete and watched
 * - `polled`: the list is complete but cannot be watched: it is read every 30 s; rows are as of `since`
 * - `silent`: the watch is open, but the cluster does not answer; rows are as of `since`
 * - `reconnecting`: the watch broke and is being resumed; rows are as of `since`
 * - `stale`: it could not be resumed for a while; rows are as of `since`
 * - `forbidden`: the console's credential may not list this in the cluster
 * - `unreachable`: there never was a list: the cluster does not answer, or not with one that can be held
 * - `absent`: the cluster does not serve this kind
 */
export const freshness = [
  'loading',
  'live',
  'polled',
  'silent',
  'reconnecting',
  'stale',
  'forbidden',
  'unreachable',
  'absent',
] as const;
export type Freshness = (typeof freshness)[number];

/** The state of a list, said by the server in words as well. */
export interface ListState {
  readonly status: Freshness;
  /** Since when, ISO. For `polled`, `silent`, `reconnecting` and `stale`: when the rows were last known to be true. */
  readonly since: string;
  /** Tries so far, while not live. */
  readonly attempt?: number;
  /** What went wrong, one sentence. */
  readonly message?: string;
}

const subscribe = {
  type: z.literal('subscribe'),
  id: z.int().check(z.positive()),
  clusterId: z.int().check(z.positive()),
};

/** Which rows of a list: those that meet every condition. */
export const whereSchema = z.strictObject({
  /** Uid of an object that owns them. */
  owner: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  /** A label selector, as kubectl takes it. */
  labels: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
  /** Pods of this node. */
  node: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
  /** Those that name this object, by its reference key. */
  refers: z.optional(z.string().check(z.minLength(1), z.maxLength(1_000))),
  /** Events about the object with this uid. */
  about: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
});
export type Where = z.infer<typeof whereSchema>;

const subscribeListSchema = z.strictObject({
  ...subscribe,
  /** A kind's id, or a name of one without a file. */
  kind: z.string().check(z.maxLength(400)),
  /** Only this namespace; all without it. */
  namespace: z.optional(z.string().check(z.maxLength(253))),
  where: z.optional(whereSchema),
  /** The joined columns of the wide table are wanted as well; their cells are null without it. */
  wide: z.optional(z.literal(true)),
  /** For kinds without an end (events): only the first `limit` rows by this column, descending with a minus. */
  sort: z.optional(z.string().check(z.maxLength(64))),
  limit: z.optional(z.int().check(z.positive(), z.maximum(10_000))),
});
export type SubscribeList = z.infer<typeof subscribeListSchema>;

const subscribeObjectSchema = z.strictObject({
  ...subscribe,
  /** A kind's id, or a name of one without a file. */
  kind: z.string().check(z.maxLength(400)),
  /** Absent for objects of the cluster. */
  namespace: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
  name: z.string().check(z.minLength(1), z.maxLength(253)),
});
export type SubscribeObject = z.infer<typeof subscribeObjectSchema>;

const subscribeDashboardSchema = z.strictObject({ ...subscribe, dashboard: z.literal(true) });
export type SubscribeDashboard = z.infer<typeof subscribeDashboardSchema>;

/** `sidebar`: of the kinds of the sidebar that have a health; `custom`: of the cluster's custom kinds that have one. */
const subscribeTalliesSchema = z.strictObject({ ...subscribe, tallies: z.enum(['sidebar', 'custom']) });
export type SubscribeTallies = z.infer<typeof subscribeTalliesSchema>;

const subscribeGraphSchema = z.strictObject({
  ...subscribe,
  graph: z.union([
    /** What stands in a namespace. */
    z.strictObject({ namespace: z.string().check(z.minLength(1), z.maxLength(253)) }),
    /** What belongs to one object, which `kind` and name say as for an object. */
    z.strictObject({
      kind: z.string().check(z.maxLength(400)),
      namespace: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
      name: z.string().check(z.minLength(1), z.maxLength(253)),
    }),
  ]),
});
export type SubscribeGraph = z.infer<typeof subscribeGraphSchema>;

export const clientMessageSchema = z.union([
  subscribeListSchema,
  subscribeObjectSchema,
  subscribeDashboardSchema,
  subscribeTalliesSchema,
  subscribeGraphSchema,
  z.strictObject({ type: z.literal('unsubscribe'), id: z.int().check(z.positive()) }),
  /** Ask again at once instead of waiting for the next try (the Retry button). */
  z.strictObject({ type: z.literal('retry'), id: z.int().check(z.positive()) }),
  z.strictObject({ type: z.literal('beat') }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** What belongs to an object but stands elsewhere; a member is absent where its kind has none of it. */
export interface JoinedValues {
  /** The autoscaler that owns the replica count; null: none, or not for this person to see. */
  readonly scaledBy?: {
    /** Kubernetes' own name of the kind. */
    readonly kind: string;
    readonly name: string;
    readonly min: number;
    readonly max: number;
  } | null;
  /** Pods on this node; null: not for this person to see, or not known yet. */
  readonly podsOfNode?: number | null;
  /** Usage of a pod or node, or of the pods of a workload together, in cores and bytes. */
  readonly usage?: UsageState & {
    readonly cpu: number | null;
    readonly memory: number | null;
    /** Pods that are measured together, of a workload. */
    readonly pods?: number;
    readonly history: UsageHistory;
  };
}

/** What was used while anybody looked, oldest first; a null where nothing was measured, times far apart where nobody looked. */
export interface UsageHistory {
  /** Epoch seconds. */
  readonly times: readonly number[];
  /** Cores. */
  readonly cpu: readonly (number | null)[];
  /** Bytes. */
  readonly memory: readonly (number | null)[];
}

/** What of an object changes without it. */
export interface ObjectSurroundings {
  /** Time alone changes it too: what starts is progress until its deadline. */
  readonly status: readonly [label: string, tone: string] | null;
  /** Trouble, the cause first: that of its pods, then its own. */
  readonly attention: readonly AttentionLine[];
  readonly joined: JoinedValues;
  /**
   * Keys of the objects that it refers to and that do not exist, as `refKey` writes them. Only of kinds that this person
   * may view and whose list is complete.
   */
  readonly missing: readonly string[];
  /** The actions that this person may do on it, and what keeps one from being done now. */
  readonly actions: readonly ActionState[];
}

/** How many objects of a kind there are, and how many of them fail. */
export interface Tally {
  readonly total: number;
  readonly bad: number;
}

/** A kind as plain data: the kind facts of the registry, complete. */
export interface KindDescription {
  readonly id: string;
  readonly [part: string]: unknown;
}

/** One version of an object as one person may see it. */
export interface ObjectView extends ObjectSurroundings {
  /** Cleaned as by the API: no managed fields, a Secret's values masked. Its resourceVersion is the version. */
  readonly object: ObjectBody;
  /** What the kind knows of it, see the kinds' `facts`. */
  readonly facts: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

export type ServerMessage =
  | {
      readonly type: 'hello';
      readonly protocol: number;
      /** Hash of the page's build the server serves. */
      readonly build: string;
      /** Column ids of each kind in the order of a row's cells. */
      readonly columns: Readonly<Record<string, readonly string[]>>;
      /** The server's clock, ISO: ages are computed against it. */
      readonly now: string;
    }
  | {
      readonly type: 'snapshot';
      readonly id: number;
      readonly seq: number;
      /** True on the first chunk: forget the rows known so far. */
      readonly reset: boolean;
      readonly done: boolean;
      readonly rows: readonly Row[];
      /** Rows that exist in all, where a `limit` cuts them. */
      readonly total?: number;
    }
  | {
      readonly type: 'changes';
      readonly id: number;
      readonly seq: number;
      readonly upserts: readonly Row[];
      /** Uids of rows that are gone. */
      readonly removes: readonly string[];
      readonly total?: number;
    }
  /** A version of the object, each once. After `gone`: another object of that name. */
  | ({ readonly type: 'object'; readonly id: number; readonly seq: number } & ObjectView)
  /** Something around the last version changed, not the object. */
  | ({ readonly type: 'surroundings'; readonly id: number; readonly seq: number } & ObjectSurroundings)
  /** There is no such object. `at`: when it was seen to be deleted, ISO; null when it was not there to begin with. */
  | { readonly type: 'gone'; readonly id: number; readonly seq: number; readonly at: string | null }
  | {
      readonly type: 'dashboard';
      readonly id: number;
      readonly seq: number;
      readonly dashboard: Dashboard;
    }
  /** By kind id; kinds that the person may not view, or that are not read yet, are absent. */
  | {
      readonly type: 'tallies';
      readonly id: number;
      readonly seq: number;
      readonly tallies: Readonly<Record<string, Tally>>;
    }
  /**
   * What the kind is, first of all for one that pages do not know, and again when its definition became another. Rows
   * of the next snapshot are by its columns, those before by the columns of the kind before.
   */
  | { readonly type: 'kind'; readonly id: number; readonly seq: number; readonly kind: KindDescription }
  | { readonly type: 'state'; readonly id: number; readonly seq: number; readonly state: ListState }
  /** The subscription is over: the grant or the cluster is gone, or the request was wrong. */
  | { readonly type: 'ended'; readonly id: number; readonly status: number; readonly title: string }
  /** The person's grants or clusters changed: ask for them again. */
  | { readonly type: 'grants' }
  /** How the person likes the console changed, here or elsewhere: ask for it again. */
  | { readonly type: 'preferences' }
  /** A job of a cluster that this page looks at began, went on or ended: ask for them again. */
  | { readonly type: 'jobs'; readonly clusterId: number }
  /**
   * When a cluster that this page looks at last said anything, ISO: an event or bookmark of a watch, or an answer to the
   * console's own question, which it asks after 5 s of silence. Sent every 5 s while it does, and with the first
   * subscription to it.
   */
  | { readonly type: 'heard'; readonly clusterId: number; readonly at: string }
  | { readonly type: 'beat'; readonly now: string };

/** WebSocket close codes of the live socket. */
export const liveClose = {
  /** The session ended: sign in again. */
  signedOut: 4401,
  /** The server is going down: reconnect soon. */
  restart: 1012,
  /** The page lagged behind the bounded queue even after a resync: reconnect. */
  lagging: 4408,
} as const;
