import { type LogEnd, type LogLine, type LogMessage, logPath, type LogQuery } from '../../contract/log.ts';
import type { ObjectRef } from '../../registry/command.ts';
import { fillPath } from '../../registry/path.ts';
import { backoff } from '../data/live/backoff.ts';

/** Which log is read. */
export interface LogTarget {
  readonly self: ObjectRef;
  readonly container: string;
  readonly previous: boolean;
  /** Lines from the end to begin with. */
  readonly tailLines: number;
}

/** How a log does. */
export type LogState =
  | { readonly type: 'opening' }
  | { readonly type: 'live' | 'waiting' | 'reconnecting'; readonly message?: string }
  | { readonly type: 'ended'; readonly reason: LogEnd; readonly title: string };

/** An open line, as the browser's WebSocket is one. */
export interface LogSocket {
  close(): void;
}

/** What reading a log needs of the browser. */
export interface LogParts {
  readonly connect: (
    path: string,
    on: { readonly message: (text: string) => void; readonly closed: () => void },
  ) => LogSocket;
  readonly later: (run: () => void, ms: number) => () => void;
  readonly random: () => number;
  /** Where to go on after the line to the console broke. */
  readonly resume: () => { readonly after: string; readonly skip: number } | undefined;
  /** `dropped`: lines left out before these. */
  readonly onLines: (lines: readonly LogLine[], dropped: number) => void;
  readonly onState: (state: LogState) => void;
}

/** The path of a log's socket. */
export function logAddress(
  { self, container, previous, tailLines }: LogTarget,
  resume: { readonly after: string; readonly skip: number } | undefined,
): string {
  const path = fillPath(logPath, {
    clusterId: self.cluster,
    namespace: self.namespace ?? '',
    name: self.name,
  });
  const query: Partial<Record<keyof LogQuery, string>> = {
    container,
    previous: String(previous),
    follow: String(!previous),
    tailLines: String(tailLines),
    ...(resume === undefined ? {} : { after: resume.after, skip: String(resume.skip) }),
  };
  return `${path}?${new URLSearchParams(query).toString()}`;
}

/** Reads a log until it ends or is closed; a broken line is opened again where it broke. The answer closes it. */
export function readLog(target: LogTarget, parts: LogParts): () => void {
  let isOver = false;
  let attempt = 0;
  let cancel: (() => void) | undefined;
  let socket: LogSocket | undefined;
  const open = () => {
    socket = parts.connect(logAddress(target, parts.resume()), {
      message: (text) => {
        if (isOver) return;
        attempt = 0;
        const message = JSON.parse(text) as LogMessage;
        if (message.type === 'lines') parts.onLines(message.lines, message.dropped ?? 0);
        else if (message.type === 'state')
          parts.onState({
            type: message.status,
            ...(message.message === undefined ? {} : { message: message.message }),
          });
        else {
          isOver = true;
          parts.onState(message);
        }
      },
      closed: () => {
        if (isOver) return;
        attempt += 1;
        parts.onState({ type: 'reconnecting', message: 'The line to the console broke.' });
        cancel = parts.later(open, backoff(attempt, parts.random()));
      },
    });
  };
  parts.onState({ type: 'opening' });
  open();
  return () => {
    isOver = true;
    cancel?.();
    socket?.close();
  };
}
