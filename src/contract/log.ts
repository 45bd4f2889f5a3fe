import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';

/**
 * Logs of containers, merged by time: one WebSocket for each view, JSON text messages. The page's first message says
 * what is to be read; nothing else comes from it. It closes the socket to end. Every line carries the time that the
 * cluster gave it. A page that comes back after its socket broke says of each source the time of its last line and how
 * many of its lines had exactly that time: nothing is sent twice, nothing is missed that the cluster still has.
 */
export const logPath = '/api/clusters/:clusterId/log';
/** A log as a file, with `request` as JSON: everything the cluster has, as the containers wrote it. */
export const logFilePath = '/api/clusters/:clusterId/log/file';
/** Most lines in one message. */
export const logBatch = 500;
/** Containers that one view reads at a time; what is beyond is named. */
export const logSources = 40;

/** What stands for every container of a pod. */
export const everyContainer = '*';

export const logParams = clusterParams;

const word = z.string().check(z.minLength(1), z.maxLength(253));
const count = z.int().check(z.minimum(0));
const time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/));

/** What a page wants to read. */
export const logRequest = z.strictObject({
  /** Pods by name, or an object whose pods are meant, also those that it will have. */
  of: z.union([
    z.strictObject({
      pods: z.array(z.strictObject({ namespace: word, name: word })).check(z.minLength(1), z.maxLength(100)),
    }),
    z.strictObject({ kind: word, namespace: word, name: word }),
  ]),
  /** A name; `*` or nothing: all of each pod. */
  container: z.optional(word),
  /** The run before the present one. */
  previous: z._default(z.boolean(), false),
  follow: z._default(z.boolean(), true),
  /** Lines from the end of each container; all without it. */
  tailLines: z.optional(count.check(z.maximum(100_000))),
  sinceSeconds: z.optional(count.check(z.minimum(1), z.maximum(31_536_000))),
  /** Where a page that comes back was, by source key. */
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

/** The part of a request that a file is made of. */
export const logFileRequest = z.pick(logRequest, { of: true, container: true, previous: true });
export type LogFileRequest = z.infer<typeof logFileRequest>;

/** A container whose log is read. */
export interface LogSource {
  /** Stands for it on its lines, counted from 0 in the order they came. */
  readonly id: number;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** What a source is known by across sockets. */
export const sourceKey = ({ namespace, pod, container }: Omit<LogSource, 'id'>): string =>
  `${namespace}/${pod}/${container}`;

/**
 * Time (RFC 3339 with nanoseconds; empty where the cluster gave none) and text, colours (SGR) left in; whose it is; and
 * `mark` for what the console itself says between the lines: a container was started again, a pod is gone.
 */
export type LogLine = readonly [time: string, text: string, source: number, mark?: 'mark'];

/**
 * Why a log ended.
 * - `ended`: everything was sent, and nothing runs any more (or `follow` was not asked for)
 * - `gone`: there is no such pod (any more)
 * - `no-previous`: the container has had no earlier run, or its log is not kept
 * - `wrong`: the cluster refuses the question (no such container)
 * - `forbidden`: the console's credential may not read logs there
 * - `denied`: the person may not see this (any more)
 * - `unreachable`: the cluster could not be asked, for longer than the console tries
 */
export type LogEnd = 'ended' | 'gone' | 'no-previous' | 'wrong' | 'forbidden' | 'denied' | 'unreachable';

export type LogMessage =
  /** Comes before the first line of the source. */
  | { readonly type: 'source'; readonly source: LogSource }
  | {
      readonly type: 'lines';
      readonly lines: readonly LogLine[];
      /** Lines left out before these, as the page did not keep up. */
      readonly dropped?: number;
    }
  /**
   * `live`: read and followed; `waiting`: nothing has started; `reconnecting`: a stream of the cluster broke and is
   * being resumed. The message is one sentence.
   */
  | {
      readonly type: 'state';
      readonly status: 'live' | 'waiting' | 'reconnecting';
      readonly message?: string;
    }
  /** Containers that are not read, as there are too many; empty when all are. */
  | { readonly type: 'left-out'; readonly names: readonly string[] }
  /** Nothing follows; the server closes the socket. */
  | { readonly type: 'ended'; readonly reason: LogEnd; readonly title: string };
