import { z } from 'zod';

/**
 * The live protocol: one WebSocket a browser tab (`/api/live`), JSON text messages, subscriptions inside it.
 *
 * The server greets with `hello`. A subscription is answered by `snapshot` chunks (the last one `done`), then by
 * `changes`, at most one every 100 ms, and by `state` whenever its freshness changes. Every message of a subscription
 * carries `seq`, counting from 1 without gaps; a page that misses one, or is told `resync`, gets a new snapshot.
 */
export const livePath = '/api/live';
export const liveProtocol = 1;
/** The server sends `beat` this often (ms); a page that hears nothing for 2.5 beats reconnects. */
export const beatInterval = 15_000;
/** Changes are flushed at most this often (ms). */
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
 * - `reconnecting`: the watch broke and is being resumed; rows are as of `since`
 * - `stale`: it could not be resumed for a while; rows are as of `since`
 * - `forbidden`: the console's credential may not list this in the cluster
 * - `unreachable`: the cluster has never answered
 * - `absent`: the cluster does not serve this kind
 */
export const freshness = [
  'loading',
  'live',
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
  /** Since when, ISO. For `reconnecting` and `stale`: when the rows were last known to be true. */
  readonly since: string;
  /** Tries so far, while not live. */
  readonly attempt?: number;
  /** What went wrong, one sentence. */
  readonly message?: string;
}

export const clientMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    id: z.number().int().positive(),
    clusterId: z.number().int().positive(),
    /** A kind's id. */
    kind: z.string().max(100),
    /** Only this namespace; all without it. */
    namespace: z.string().max(253).optional(),
    /** For kinds without an end (events): only the first `limit` rows by this column, descending with a minus. */
    sort: z.string().max(64).optional(),
    limit: z.number().int().positive().max(10_000).optional(),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), id: z.number().int().positive() }),
  /** Ask again at once instead of waiting for the next try (the Retry button). */
  z.strictObject({ type: z.literal('retry'), id: z.number().int().positive() }),
  z.strictObject({ type: z.literal('beat') }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

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
  | { readonly type: 'state'; readonly id: number; readonly seq: number; readonly state: ListState }
  /** The subscription is over: the grant or the cluster is gone, or the request was wrong. */
  | { readonly type: 'ended'; readonly id: number; readonly status: number; readonly title: string }
  /** The person's grants or clusters changed: ask for them again. */
  | { readonly type: 'grants' }
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
