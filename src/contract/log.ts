import { z } from 'zod';
import { clusterParams } from './clusters.ts';

/**
 * The log of a container: one WebSocket each, JSON text messages from the server only. The page closes it to end.
 * Every line carries the time that the cluster gave it. A page that comes back after its socket broke gives the time of
 * its last line (`after`) and how many of its lines had exactly that time (`skip`): nothing is sent twice, nothing is
 * missed that the cluster still has.
 */
export const logPath = '/api/clusters/:clusterId/pods/:namespace/:name/log';
/** Most lines in one message. */
export const logBatch = 500;

const count = z.coerce.number().int().min(0);
const flag = z.enum(['true', 'false']).default('false');

export const logParams = clusterParams.extend({
  namespace: z.string().min(1).max(253),
  name: z.string().min(1).max(253),
});

export const logQuery = z.strictObject({
  /** May be left out where the pod has one container. */
  container: z.string().min(1).max(253).optional(),
  /** The run before the present one. */
  previous: flag,
  follow: flag,
  tailLines: count.max(100_000).optional(),
  sinceSeconds: count.max(31_536_000).optional(),
  /** Only lines after this time, as a line carried it; overrides `tailLines` and `sinceSeconds`. */
  after: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)
    .optional(),
  /** Lines of exactly that time that the page has already. */
  skip: count.max(100_000).default(0),
});
export type LogQuery = z.infer<typeof logQuery>;

/** Time (RFC 3339 with nanoseconds; empty where the cluster gave none) and text, colours (SGR) left in. */
export type LogLine = readonly [time: string, text: string];

/**
 * Why a log ended.
 * - `ended`: everything was sent, and the container runs no more (or `follow` was not asked for)
 * - `gone`: there is no such pod (any more)
 * - `no-previous`: the container has had no earlier run, or its log is not kept
 * - `wrong`: the cluster refuses the question (no such container, one must be chosen)
 * - `forbidden`: the console's credential may not read logs there
 * - `denied`: the person may not see pods of this cluster any more
 * - `unreachable`: the cluster could not be asked, for longer than the console tries
 */
export type LogEnd = 'ended' | 'gone' | 'no-previous' | 'wrong' | 'forbidden' | 'denied' | 'unreachable';

export type LogMessage =
  | {
      readonly type: 'lines';
      readonly lines: readonly LogLine[];
      /** Lines left out before these, as the page did not keep up. */
      readonly dropped?: number;
    }
  /**
   * `live`: read and followed; `waiting`: the container has not started; `reconnecting`: the cluster's stream broke and
   * is being resumed. The message is one sentence.
   */
  | {
      readonly type: 'state';
      readonly status: 'live' | 'waiting' | 'reconnecting';
      readonly message?: string;
    }
  /** Nothing follows; the server closes the socket. */
  | { readonly type: 'ended'; readonly reason: LogEnd; readonly title: string };
