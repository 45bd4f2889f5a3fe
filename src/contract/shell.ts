import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';

/**
 * A terminal in a container: one WebSocket each. Binary messages are raw input and output; text messages are JSON. The
 * page closes the socket to end.
 */
export const shellPath = '/api/clusters/:clusterId/pods/:namespace/:name/shell';

/** Maximum number of bytes of input in a message. */
export const shellChunk = 32 * 1024;

/** A name by Kubernetes' rule (RFC 1123 subdomain). */
const nameSchema = z.string().check(z.maxLength(253), z.regex(/^[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$/));

export const shellParams = z.extend(clusterParams, { namespace: nameSchema, name: nameSchema });

const size = (max: number, usual: number) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(2), z.maximum(max)), usual);

export const shellQuery = z.strictObject({
  /** Optional if the pod has one container. */
  container: z.optional(nameSchema),
  /** A new shell, or the container's own process. */
  mode: z._default(z.enum(['exec', 'attach']), 'exec'),
  columns: size(1000, 80),
  rows: size(1000, 24),
  /** The cluster's name, typed by the person, on a protected cluster. */
  confirm: z.optional(z.string().check(z.maxLength(253))),
});
export type ShellQuery = z.infer<typeof shellQuery>;

/** Control messages of the page. */
export const shellRequest = z.strictObject({
  type: z.literal('resize'),
  columns: z.int().check(z.minimum(2), z.maximum(1000)),
  rows: z.int().check(z.minimum(2), z.maximum(1000)),
});

/**
 * Why a terminal closed.
 * - `exited`: the process ended by itself
 * - `no-shell`: the image has no shell
 * - `not-running`: the container does not run (any more)
 * - `forbidden`: the console's credential lacks the permission
 * - `denied`: the person lost the permission
 * - `lost`: the connection to the cluster broke or failed
 * - `passkey-needed`: it opens directly after the person used a passkey for it
 * - `refused`: the cluster refuses, in its own words
 * - `recorded`: its recording is as large or as long as one may be
 * - `unrecorded`: its recording cannot be stored
 */
export type ShellEnd =
  | 'exited'
  | 'no-shell'
  | 'not-running'
  | 'forbidden'
  | 'denied'
  | 'lost'
  | 'passkey-needed'
  | 'refused'
  | 'recorded'
  | 'unrecorded';

/** Said before a recorded shell opens and while it is open. */
export const recordedNotice =
  'This shell is recorded: its output is kept, and Owners of the organisation can replay it.';

export type ShellMessage =
  /** What it shows is recorded; the first message, before anything opens. */
  | { readonly type: 'recorded' }
  /** The process runs and receives input. */
  | { readonly type: 'started'; readonly command: string }
  /** The last message; the server closes the socket. The title is one sentence. */
  | { readonly type: 'ended'; readonly reason: ShellEnd; readonly title: string };
