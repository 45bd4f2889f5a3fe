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
import { ReconnectingSocket } from '../../data/socket/reconnecting-socket.ts';
import type { Connect } from '../../data/socket/socket.ts';
import type { LogPosition } from '../../../kube/log-position.ts';

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

/** Browser functions that reading a log needs. */
export interface LogParts {
  /** Opens a connection at a path. */
  readonly connect: (path: string) => Connect;
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

/** The request that is sent to the server. */
export function requestOf(
  { of, container, previous, tailLines, sinceSeconds, isOnce }: LogTarget,
  parts: Pick<LogParts, 'positions' | 'sources'>,
): LogRequest {
  const positions = parts.positions();
  const resume = Object.fromEntries(
    parts.sources().flatMap((source) => {
      const position = positions.get(source.id);
      return position === undefined
        ? []
        : [[sourceKey(source), { after: position.time, skip: position.count }]];
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

/** The page's own number of each source for those of one connection. */
class SourceNumbers {
  readonly #parts: Pick<LogParts, 'sources' | 'onSource'>;
  readonly #numbers = new Map<number, number>();

  constructor(parts: Pick<LogParts, 'sources' | 'onSource'>) {
    this.#parts = parts;
  }

  learn(source: LogSource): void {
    const { sources, onSource } = this.#parts;
    const key = sourceKey(source);
    const known = sources().find((one) => sourceKey(one) === key);
    const own = known ?? { ...source, id: sources().length };
    if (known === undefined) onSource(own);
    this.#numbers.set(source.id, own.id);
  }

  line([time, text, source, mark]: LogLine): LogLine {
    const own = this.#numbers.get(source) ?? 0;
    return mark === undefined ? [time, text, own] : [time, text, own, mark];
  }
}

/** Passes a message of the server on. */
function take(message: LogMessage, numbers: SourceNumbers, parts: LogParts): void {
  switch (message.type) {
    case 'source':
      numbers.learn(message.source);
      break;
    case 'lines':
      parts.onLines(
        message.lines.map((line) => numbers.line(line)),
        message.dropped ?? 0,
      );
      break;
    case 'left-out':
      parts.onLeftOut(message.names);
      break;
    case 'state': {
      const reason = message.message === undefined ? {} : { message: message.message };
      parts.onState({ type: message.status, ...reason });
      break;
    }
    case 'ended':
      parts.onState(message);
      break;
    default:
      message satisfies never;
  }
}

/** Reads logs until they end or it is closed; a connection that breaks is opened again where it broke. @returns how to close it */
export function readLog(target: LogTarget, parts: LogParts): () => void {
  let numbers = new SourceNumbers(parts);
  const socket = new ReconnectingSocket({
    connect: parts.connect(logAddress(target)),
    later: parts.later,
    random: parts.random,
    isFinal: () => false,
    onState: ({ phase }) => {
      if (phase === 'connecting') parts.onState({ type: 'opening' });
      if (phase === 'lost')
        parts.onState({ type: 'reconnecting', message: 'The connection to the console was lost.' });
    },
    onOpen: () => {
      numbers = new SourceNumbers(parts);
      socket.send(JSON.stringify(requestOf(target, parts)));
    },
    onMessage: (text) => {
      socket.confirm();
      const message = JSON.parse(text) as LogMessage;
      if (message.type === 'ended') socket.close();
      take(message, numbers, parts);
    },
  });
  socket.open();
  return () => socket.close();
}
