import { z } from 'zod';
import { clusterParams } from './clusters.ts';

/**
 * A terminal in a container: one WebSocket each. Binary messages are what is typed and what is shown, as it is; text
 * messages are JSON. The page closes it to end.
 */
export const shellPath = '/api/clusters/:clusterId/pods/:namespace/:name/shell';

/** Most bytes of input in one message. */
export const shellChunk = 32 * 1024;

export const shellParams = clusterParams.extend({
  namespace: z.string().min(1).max(253),
  name: z.string().min(1).max(253),
});

const size = (most: number, usual: number) => z.coerce.number().int().min(2).max(most).default(usual);

export const shellQuery = z.strictObject({
  /** May be left out where the pod has one container. */
  container: z.string().min(1).max(253).optional(),
  /** A shell of its own, or the container's own process. */
  mode: z.enum(['exec', 'attach']).default('exec'),
  columns: size(1000, 80),
  rows: size(1000, 24),
  /** The cluster's name, typed by the person, where it is protected. */
  confirm: z.string().max(253).optional(),
});
export type ShellQuery = z.infer<typeof shellQuery>;

/** What the page says besides what is typed. */
export const shellRequest = z.strictObject({
  type: z.literal('resize'),
  columns: z.number().int().min(2).max(1000),
  rows: z.number().int().min(2).max(1000),
});
export type ShellRequest = z.infer<typeof shellRequest>;

/**
 * Why a terminal closed.
 * - `exited`: the process ended by itself
 * - `no-shell`: the image has no shell
 * - `not-running`: the container does not run (any more)
 * - `forbidden`: the console's credential may not
 * - `denied`: the person may not any more
 * - `lost`: the line to the cluster broke, or it could not be reached
 * - `refused`: the cluster refuses, in its own words
 */
export type ShellEnd = 'exited' | 'no-shell' | 'not-running' | 'forbidden' | 'denied' | 'lost' | 'refused';

export type ShellMessage =
  /** The process runs: what is typed reaches it. */
  | { readonly type: 'started'; readonly command: string }
  /** Nothing follows; the server closes the socket. The title is one sentence. */
  | { readonly type: 'ended'; readonly reason: ShellEnd; readonly title: string };
