import * as z from 'zod/mini';
import type { AttentionLine, Dashboard, UsageState } from './dashboard.ts';
import type { ActionState, ObjectBody } from './objects.ts';

/**
 * The live protocol: one WebSocket for each browser tab (`/api/live`), JSON text messages, subscriptions inside it.
 *
 * The server begins with `hello`. Every message of a subscription has `seq`, counting from 1 without gaps, and a
 * `state` message follows each change of its freshness. There are five types of subscription:
 * - a list: `snapshot` chunks (the last one `done`), then `changes`, at most one every 100 ms; a page that lags gets a
 *   new snapshot. While the cluster is still being read the chunks bring what is there, `changes` the rows that come, and
 *   a chunk without rows is `done`. Labels, for filters, are the cells of the column `labels`.
 * - one object: `object` for its present and each later version, `surroundings` if only related data changed (problems
 *   of its pods, joined values, actions), `gone` if there is no such object (any more); `kind` precedes both if the
 *   page does not know the kind
 * - the dashboard of a cluster: `dashboard`, complete, after a change, at most four a second
 * - the tallies of a cluster: `tallies`, complete, after a change, at most two a second
 * - a graph of objects: as a list, each row an object with its links, see `graph.ts`
 *
 * What both ends need of the socket itself is in `live-socket.ts`.
 */

/** Minimum time between two batches of changes, ms; after a pause the first batch is sent at once. */
export const flushInterval = 100;
/** Number of rows in a snapshot message. */
export const snapshotChunk = 1_000;

/** The value of a cell: plain data by the column's format. Lists are for columns with several values. */
export type CellValue = string | number | boolean | null | readonly (string | number | null)[];
/** One row: the object's uid and its cells in the order of the kind's columns. */
export type Row = readonly [uid: string, cells: readonly CellValue[]];

/**
 * How fresh a subscription is.
 * - `loading`: no complete list yet; its rows come as they are read
 * - `live`: the list is complete and watched
 * - `polled`: the list is complete but cannot be watched; it is read every 30 s, the rows are as of `since`
 * - `silent`: the watch is open, but the cluster does not respond; the rows are as of `since`
 * - `reconnecting`: the watch broke and is being resumed; the rows are as of `since`
 * - `stale`: it could not be resumed for a while; the rows are as of `since`
 * - `forbidden`: the console's credential cannot list the kind in the cluster
 * - `unreachable`: there never was a complete list: the cluster does not respond, or its list is too large to hold; rows
 *   that were read until then stay
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

/** The state of a list, with the server's explanation. */
export interface ListState {
  readonly status: Freshness;
  /**
   * Start of the state, ISO. For `polled`, `silent`, `reconnecting` and `stale`: when the rows were last known to be
   * true.
   */
  readonly since: string;
  /** Number of attempts so far, while not live. */
  readonly attempt?: number;
  /** What went wrong: one sentence. */
  readonly message?: string;
  /** The remedy: an Owner names the namespaces that the credential may read, in the cluster's settings for everyone. */
  readonly remedy?: 'namespaces';
}

const subscribe = {
  type: z.literal('subscribe'),
  id: z.int().check(z.positive()),
  clusterId: z.int().check(z.positive()),
};

/** Conditions on the rows of a list; all of them must hold. */
export const whereSchema = z.strictObject({
  /** Uid of an owner. */
  owner: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  /** A label selector in kubectl's syntax. */
  labels: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
  /** Only pods of this node. */
  node: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
  /** Only objects that refer to the object with this reference key. */
  refers: z.optional(z.string().check(z.minLength(1), z.maxLength(1_000))),
  /** Only events about the object with this uid. */
  about: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
});
export type Where = z.infer<typeof whereSchema>;

const subscribeListSchema = z.strictObject({
  ...subscribe,
  /** A kind's id, or a name of a kind without a file. */
  kind: z.string().check(z.maxLength(400)),
  /** Only this namespace; all if absent. */
  namespace: z.optional(z.string().check(z.maxLength(253))),
  where: z.optional(whereSchema),
  /** Also compute the joined columns of the wide table; otherwise their cells are null. */
  wide: z.optional(z.literal(true)),
  /** With the namespaces that the person leaves out of their views. */
  withExcluded: z.optional(z.literal(true)),
  /** For unbounded kinds (events): only the first `limit` rows by this column, descending with a leading minus. */
  sort: z.optional(z.string().check(z.maxLength(64))),
  limit: z.optional(z.int().check(z.positive(), z.maximum(10_000))),
});
export type SubscribeList = z.infer<typeof subscribeListSchema>;

const subscribeObjectSchema = z.strictObject({
  ...subscribe,
  /** A kind's id, or a name of a kind without a file. */
  kind: z.string().check(z.maxLength(400)),
  /** Absent for cluster-scoped objects. */
  namespace: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
  name: z.string().check(z.minLength(1), z.maxLength(253)),
});
export type SubscribeObject = z.infer<typeof subscribeObjectSchema>;

const subscribeDashboardSchema = z.strictObject({
  ...subscribe,
  dashboard: z.literal(true),
  /** With the namespaces that the person leaves out of their views. */
  withExcluded: z.optional(z.literal(true)),
});
export type SubscribeDashboard = z.infer<typeof subscribeDashboardSchema>;

const subscribeTalliesSchema = z.strictObject({
  ...subscribe,
  /** `sidebar`: the sidebar's kinds that have a health; `custom`: the cluster's custom kinds that have one. */
  tallies: z.enum(['sidebar', 'custom']),
  /** Of kinds that have namespaces, only what is in this one. */
  namespace: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
});
export type SubscribeTallies = z.infer<typeof subscribeTalliesSchema>;

const subscribeGraphSchema = z.strictObject({
  ...subscribe,
  graph: z.union([
    /** The graph of the objects in a namespace. */
    z.strictObject({ namespace: z.string().check(z.minLength(1), z.maxLength(253)) }),
    /** The graph around one object, which `kind` and name identify. */
    z.strictObject({
      kind: z.string().check(z.maxLength(400)),
      namespace: z.optional(z.string().check(z.minLength(1), z.maxLength(253))),
      name: z.string().check(z.minLength(1), z.maxLength(253)),
    }),
  ]),
  /** With the namespaces that the person leaves out of their views. */
  withExcluded: z.optional(z.literal(true)),
});
export type SubscribeGraph = z.infer<typeof subscribeGraphSchema>;

export const clientMessageSchema = z.union([
  subscribeListSchema,
  subscribeObjectSchema,
  subscribeDashboardSchema,
  subscribeTalliesSchema,
  subscribeGraphSchema,
  z.strictObject({ type: z.literal('unsubscribe'), id: z.int().check(z.positive()) }),
  /** Retry at once instead of waiting for the next attempt (the Retry button). */
  z.strictObject({ type: z.literal('retry'), id: z.int().check(z.positive()) }),
  z.strictObject({ type: z.literal('beat') }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** Data about an object from elsewhere; a member is absent if the object's kind does not have it. */
export interface JoinedValues {
  /** The autoscaler that controls the replica count; null if there is none or it is not permitted. */
  readonly scaledBy?: {
    /** The Kubernetes kind. */
    readonly kind: string;
    readonly name: string;
    readonly min: number;
    readonly max: number;
  } | null;
  /** Number of pods on this node; null if not permitted or not known yet. */
  readonly podsOfNode?: number | null;
  /** Usage of a pod or node, or the sum of a workload's pods, in cores and bytes. */
  readonly usage?: UsageState & {
    readonly cpu: number | null;
    readonly memory: number | null;
    /** Number of measured pods of a workload. */
    readonly pods?: number;
    readonly history: UsageHistory;
    /**
     * Set if the cluster has more pods or nodes than the server records, and one of these is not among them: how many it
     * records.
     */
    readonly recorded?: number;
  };
}

/**
 * Usage samples of at most an hour, oldest first; null if nothing was measured. They are 15 s apart while a page showed
 * usage and a minute apart otherwise; further apart means that the server did not sample.
 */
export interface UsageHistory {
  /** Epoch seconds. */
  readonly times: readonly number[];
  /** Cores. */
  readonly cpu: readonly (number | null)[];
  /** Bytes. */
  readonly memory: readonly (number | null)[];
}

/** Data about an object that changes independently of it. */
export interface ObjectSurroundings {
  /** Also changes with time: a starting workload is in progress until its deadline. */
  readonly status: readonly [label: string, tone: string] | null;
  /** Problems, the cause first: those of its pods, then its own. */
  readonly attention: readonly AttentionLine[];
  readonly joined: JoinedValues;
  /**
   * Reference keys (`refKey`) of objects that it refers to and that do not exist. Only of kinds that this person may
   * view and whose list is complete.
   */
  readonly missing: readonly string[];
  /** The actions that this person may run on it, and why one cannot run now. */
  readonly actions: readonly ActionState[];
}

/** How many objects of a kind exist, and how many of them fail. */
export interface Tally {
  readonly total: number;
  readonly bad: number;
}

/** A kind as plain data: the registry's complete kind facts. */
export interface KindDescription {
  readonly id: string;
  readonly [part: string]: unknown;
}

/** One version of an object for one person. */
export interface ObjectView extends ObjectSurroundings {
  /** Cleaned as in the API: no managed fields, a Secret's values masked. Its resourceVersion is the version. */
  readonly object: ObjectBody;
  /** Facts of the object, see the kinds' `facts`. */
  readonly facts: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

export type ServerMessage =
  | {
      readonly type: 'hello';
      readonly protocol: number;
      /** Hash of the page's build that the server serves. */
      readonly build: string;
      /** Column ids of each kind in the order of a row's cells. */
      readonly columns: Readonly<Record<string, readonly string[]>>;
      /** The server's clock, ISO; ages are computed against it. */
      readonly now: string;
    }
  | {
      readonly type: 'snapshot';
      readonly id: number;
      readonly seq: number;
      /** True on the first chunk: discard all earlier rows. */
      readonly reset: boolean;
      readonly done: boolean;
      readonly rows: readonly Row[];
      /** Number of rows in total, if `limit` cuts them. */
      readonly total?: number;
    }
  | {
      readonly type: 'changes';
      readonly id: number;
      readonly seq: number;
      readonly upserts: readonly Row[];
      /** Uids of deleted rows. */
      readonly removes: readonly string[];
      readonly total?: number;
    }
  /** A version of the object; each is sent once. After `gone`: another object of the same name. */
  | ({ readonly type: 'object'; readonly id: number; readonly seq: number } & ObjectView)
  /** Related data changed, not the object. */
  | ({ readonly type: 'surroundings'; readonly id: number; readonly seq: number } & ObjectSurroundings)
  /** There is no such object. `at`: when its deletion was seen, ISO; null if it never existed. */
  | { readonly type: 'gone'; readonly id: number; readonly seq: number; readonly at: string | null }
  | {
      readonly type: 'dashboard';
      readonly id: number;
      readonly seq: number;
      readonly dashboard: Dashboard;
    }
  /** By kind id; without kinds that the person may not view or that are not read yet. */
  | {
      readonly type: 'tallies';
      readonly id: number;
      readonly seq: number;
      readonly tallies: Readonly<Record<string, Tally>>;
    }
  /**
   * The description of the kind: sent first if the page does not know it, and again after its definition changed. Rows
   * of the next snapshot have its columns, earlier rows those of the previous description.
   */
  | { readonly type: 'kind'; readonly id: number; readonly seq: number; readonly kind: KindDescription }
  | { readonly type: 'state'; readonly id: number; readonly seq: number; readonly state: ListState }
  /** The subscription ended: the grant or the cluster is gone, or the request was invalid. */
  | { readonly type: 'ended'; readonly id: number; readonly status: number; readonly title: string }
  /** The person's grants or clusters changed: fetch them again. */
  | { readonly type: 'grants' }
  /** The person's preferences changed, here or elsewhere: fetch them again. */
  | { readonly type: 'preferences' }
  /** What the person's company is called, or the invitations that wait for them, changed: fetch them again. */
  | { readonly type: 'account' }
  /** What the person was told of what they follow, or what they follow, changed: fetch both again. */
  | { readonly type: 'notifications' }
  /** A job of a cluster that this page shows started, progressed or ended: fetch the jobs again. */
  | { readonly type: 'jobs'; readonly clusterId: number }
  /**
   * When a cluster that this page shows last responded, ISO: by an event or bookmark of a watch, or to the console's
   * own request, which follows 5 s of silence. Sent every 5 s while it responds, and with the first subscription to it.
   * `ahead`: how far the cluster's clock is ahead of the server's, ms; absent while they agree.
   */
  | { readonly type: 'heard'; readonly clusterId: number; readonly at: string; readonly ahead?: number }
  /**
   * Since when the database does not answer, ISO; null once it does again. Subscriptions go on for `storeGrace`, and calls
   * are refused with 503: what they read before is as of then.
   */
  | { readonly type: 'store'; readonly awaySince: string | null }
  | { readonly type: 'beat'; readonly now: string };
