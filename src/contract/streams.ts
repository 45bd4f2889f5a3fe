import * as z from 'zod/mini';
import { turnStreamParams, turnStreamPath, turnStreamQuery } from './chat.ts';
import { endpoint } from './endpoint.ts';
import { logFilePath, logParams, logPath } from './log.ts';
import { shellParams, shellPath, shellQuery } from './shell.ts';

/** The request for a log as a file: JSON of `logFileRequest`. */
export const logFileQuery = z.strictObject({ request: z.string().check(z.maxLength(32 * 1024)) });

/**
 * What programs may use of the console besides its calls: WebSockets, and files that are read from a cluster while they
 * are sent. The client has no function for them; the server mounts each by itself.
 */
export const streams = {
  followLog: endpoint({
    method: 'GET',
    path: logPath,
    summary: 'Follow logs of containers, over a WebSocket',
    access: { permission: 'pods.view', at: 'handler' },
    params: logParams,
  }),
  logFile: endpoint({
    method: 'GET',
    path: logFilePath,
    summary: 'A log as a file, with everything that the cluster has',
    access: { permission: 'pods.view', at: 'handler' },
    download: true,
    perMinute: 20,
    params: logParams,
    query: logFileQuery,
  }),
  openShell: endpoint({
    method: 'GET',
    path: shellPath,
    summary: 'Open a terminal in a container, over a WebSocket',
    access: { permission: 'pods.manage', at: 'namespace' },
    tokens: 'shells.open',
    params: shellParams,
    query: shellQuery,
  }),
  chatAnswer: endpoint({
    method: 'GET',
    path: turnStreamPath,
    summary: 'An answer of the chat, streamed as server-sent events',
    access: 'cluster',
    tokens: 'never',
    download: true,
    perMinute: 120,
    params: turnStreamParams,
    query: turnStreamQuery,
  }),
};
