import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';

/**
 * Logs of containers, merged by time: one WebSocket for each view, JSON text messages. The page's first and only
 * message says what to read; it closes the socket to end. Every line has the time that the cluster gave it. A page that
 * reconnects sends, for each source, the time of its last line and how many of its lines had exactly that time: no line
 * is sent twice, and none that the cluster still has is missed.
 */
export const logPath = '/api/clusters/:clusterId/log';
/** A log as a file, with `request` as JSON: everything that the cluster has, as the containers wrote it. */
export const logFilePath = '/api/clusters/:clusterId/log/file';
/** Maximum number of lines in a message. */
export const logBatch = 500;
/** Maximum number of containers that a view reads at a time; a message lists the others. */
export const logSources = 40;

/** Stands for every container of a pod. */
export const everyContainer = '*';

export const logParams = clusterParams;

const word = z.string().check(z.minLength(1), z.maxLength(253));
const count = z.int().check(z.minimum(0));
const time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/));

/** What a page wants to read. */
export const logRequest = z.strictObject({
  /** Pods by name, or an object whose present and future pods are meant. */
  of: z.union([
    z.strictObject({
      pods: z.array(z.strictObject({ namespace: word, name: word })).check(z.minLength(1), z.maxLength(100)),
    }),
    z.strictObject({ kind: word, namespace: word, name: word }),
  ]),
  /** A name; `*` or absent for all containers of each pod. */
  container: z.optional(word),
  /** The previous run of the container. */
  previous: z._default(z.boolean(), false),
  follow: z._default(z.boolean(), true),
  /** Lines from the end of each container; all if absent. */
  tailLines: z.optional(count.check(z.maximum(100_000))),
  sinceSeconds: z.optional(count.check(z.minimum(1), z.maximum(31_536_000))),
  /** The position of a reconnecting page, by source key. */
  resume: z.optional(
    z
      .record(
        z.string().check(z.maxLength(800)),
        z.strictObject({ after: time, skip: count.check(z.maximum(100_000)) }),
      )
      .check(z.refine((value) => Object.keys(value).length <= 500)),
  ),
});
export type LogRequest = z.infer<typeof logRequest>;

/** The part of a request that applies to files. */
export const logFileRequest = z.pick(logRequest, {
  of: true,
  container: true,
  previous: true,
  tailLines: true,
});
export type LogFileRequest = z.infer<typeof logFileRequest>;

/** A container whose log is read. */
export interface LogSource {
  /** Identifies the source on its lines; counted from 0 in order of appearance. */
  readonly id: number;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Identifies a source across sockets. */
export const sourceKey = ({ namespace, pod, container }: Omit<LogSource, 'id'>): string =>
  `${namespace}/${pod}/${container}`;

/**
 * Time (RFC 3339 with nanoseconds; empty if the cluster gave none), text with colours (SGR), source id, and `mark` for
 * lines of the console itself: a container was restarted, a pod is gone.
 */
export type LogLine = readonly [time: string, text: string, source: number, mark?: 'mark'];

/**
 * Why a log ended.
 * - `ended`: everything was sent and nothing runs any more (or `follow` was not requested)
 * - `gone`: there is no such pod (any more)
 * - `no-previous`: the container has no previous run, or its log was deleted
 * - `wrong`: the cluster rejects the request (no such container)
 * - `forbidden`: the console's credential cannot read logs there
 * - `denied`: the person may not see this (any more)
 * - `unreachable`: the cluster did not respond for longer than the console retries
 */
export type LogEnd = 'ended' | 'gone' | 'no-previous' | 'wrong' | 'forbidden' | 'denied' | 'unreachable';

export type LogMessage =
  /** Precedes the first line of the source. */
  | { readonly type: 'source'; readonly source: LogSource }
  | {
      readonly type: 'lines';
      readonly lines: readonly LogLine[];
      /** Number of lines omitted before these, because the page lagged. */
      readonly dropped?: number;
    }
  /**
   * `live`: read and followed; `waiting`: no container has started; `reconnecting`: a stream of the cluster broke and
   * is being resumed. The message is one sentence.
   */
  | {
      readonly type: 'state';
      readonly status: 'live' | 'waiting' | 'reconnecting';
      readonly message?: string;
    }
  /** Containers that are not read because there are too many; empty if all are read. */
  | { readonly type: 'left-out'; readonly names: readonly string[] }
  /** The last message; the server closes the socket. */
  | { readonly type: 'ended'; readonly reason: LogEnd; readonly title: string };
