import {
  type LogEnd,
  type LogLine,
  type LogMessage,
  logPath,
  type LogRequest,
  type LogSource,
  sourceKey,
} from '../../../contract/log.ts';
import { fillPath } from '../../../registry/path.ts';
import { backoff } from '../../data/live/backoff.ts';
import type { LogPosition } from './buffer.ts';

/** Which logs are read. */
export interface LogTarget {
  readonly cluster: string;
  readonly of: LogRequest['of'];
  /** A name, or `*` for all. */
  readonly container: string;
  readonly previous: boolean;
  /** Lines from the end of each container to begin with. */
  readonly tailLines: number;
  readonly sinceSeconds?: number | undefined;
  /** Only what there is by now. */
  readonly isOnce?: true;
}

/** How a log does. */
export type LogState =
  | { readonly type: 'opening' }
  | { readonly type: 'live' | 'waiting' | 'reconnecting'; readonly message?: string }
  | { readonly type: 'ended'; readonly reason: LogEnd; readonly title: string };

/** A source as the page knows it: its number stays the same over any number of sockets. */
export type ShownSource = LogSource;

/** An open line, as the browser's WebSocket is one. */
export interface LogSocket {
  send(text: string): void;
  close(): void;
}

/** What reading a log needs of the browser. */
export interface LogParts {
  readonly connect: (
    path: string,
    on: {
      readonly open: () => void;
      readonly message: (text: string) => void;
      readonly closed: () => void;
    },
  ) => LogSocket;
  readonly later: (run: () => void, ms: number) => () => void;
  readonly random: () => number;
  /** Where each source goes on after the line to the console broke, by number. */
  readonly positions: () => ReadonlyMap<number, LogPosition>;
  /** The sources known so far. */
  readonly sources: () => readonly ShownSource[];
  readonly onSource: (source: ShownSource) => void;
  /** `dropped`: lines left out before these. */
  readonly onLines: (lines: readonly LogLine[], dropped: number) => void;
  readonly onLeftOut: (names: readonly string[]) => void;
  readonly onState: (state: LogState) => void;
}

/** The path of the socket for logs of a cluster. */
export const logAddress = ({ cluster }: Pick<LogTarget, 'cluster'>): string =>
  fillPath(logPath, { clusterId: cluster });

/** What the server is asked for. */
export function requestOf(
  { of, container, previous, tailLines, sinceSeconds, isOnce }: LogTarget,
  parts: Pick<LogParts, 'positions' | 'sources'>,
): LogRequest {
  const positions = parts.positions();
  const resume = Object.fromEntries(
    parts.sources().flatMap((source) => {
      const position = positions.get(source.id);
      return position === undefined ? [] : [[sourceKey(source), { ...position }]];
    }),
  );
  return {
    of,
    container,
    previous,
    follow: !previous && isOnce !== true,
    tailLines,
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
    ...(Object.keys(resume).length === 0 ? {} : { resume }),
  };
}

/** Reads logs until they end or it is closed; a broken line is opened again where it broke. The answer closes it. */
export function readLog(target: LogTarget, parts: LogParts): () => void {
  let isOver = false;
  let attempt = 0;
  let cancel: (() => void) | undefined;
  let socket: LogSocket | undefined;

  /** The page's own number for each of this socket's. */
  function numbersOf() {
    const numbers = new Map<number, number>();
    return {
      learn(source: LogSource) {
        const key = sourceKey(source);
        const known = parts.sources().find((one) => sourceKey(one) === key);
        const mine = known ?? { ...source, id: parts.sources().length };
        if (known === undefined) parts.onSource(mine);
        numbers.set(source.id, mine.id);
      },
      line: ([time, text, source, mark]: LogLine): LogLine => {
        const mine = numbers.get(source) ?? 0;
        return mark === undefined ? [time, text, mine] : [time, text, mine, mark];
      },
    };
  }

  const open = () => {
    const numbers = numbersOf();
    const opened = parts.connect(logAddress(target), {
      open: () => opened.send(JSON.stringify(requestOf(target, parts))),
      message: (text) => {
        if (isOver) return;
        attempt = 0;
        const message = JSON.parse(text) as LogMessage;
        switch (message.type) {
          case 'source':
            numbers.learn(message.source);
            break;
          case 'lines':
            parts.onLines(message.lines.map(numbers.line), message.dropped ?? 0);
            break;
          case 'left-out':
            parts.onLeftOut(message.names);
            break;
          case 'state':
            parts.onState({
              type: message.status,
              ...(message.message === undefined ? {} : { message: message.message }),
            });
            break;
          case 'ended':
            isOver = true;
            parts.onState(message);
            break;
          default:
            message satisfies never;
        }
      },
      closed: () => {
        if (isOver) return;
        attempt += 1;
        parts.onState({ type: 'reconnecting', message: 'The connection to the console was lost.' });
        cancel = parts.later(open, backoff(attempt, parts.random()));
      },
    });
    socket = opened;
  };
  parts.onState({ type: 'opening' });
  open();
  return () => {
    isOver = true;
    cancel?.();
    socket?.close();
  };
}
