import { liveClose } from '../../../contract/live-socket.ts';
import {
  type ShellEnd,
  type ShellMessage,
  type ShellQuery,
  shellChunk,
  shellPath,
} from '../../../contract/shell.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { fillPath } from '../../../registry/path.ts';
import { ReconnectingSocket } from '../../data/socket/reconnecting-socket.ts';
import type { Connect } from '../../data/socket/socket.ts';

/** The word of each mode in the corner of the status line. */
export const modeWord = { exec: 'SHELL', attach: 'ATTACH' } as const;

/** Which terminal is opened. */
export interface ShellTarget {
  readonly self: ObjectRef;
  readonly container: string;
  readonly mode: ShellQuery['mode'];
  /** The cluster's name as it was typed, where it is protected. */
  readonly confirm?: string;
}

/** How a terminal does. */
export type ShellState =
  | { readonly type: 'opening' }
  | { readonly type: 'running'; readonly command: string }
  | { readonly type: 'ended'; readonly reason: ShellEnd; readonly title: string };

/** Browser functions that a terminal needs. */
export interface ShellParts {
  /** Opens a connection at a path. */
  readonly connect: (path: string) => Connect;
  readonly onData: (data: Uint8Array) => void;
  readonly onState: (state: ShellState) => void;
  /** What it shows is recorded; said before it opens. */
  readonly onRecorded: () => void;
}

/** A terminal that was opened. */
export interface ShellSession {
  input(text: string): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

/** The path of a terminal's socket. */
export function shellAddress(
  { self, container, mode, confirm }: ShellTarget,
  size: { readonly columns: number; readonly rows: number },
): string {
  const path = fillPath(shellPath, {
    clusterId: self.cluster,
    namespace: self.namespace ?? '',
    name: self.name,
  });
  const query: Partial<Record<keyof ShellQuery, string>> = {
    container,
    mode,
    columns: String(size.columns),
    rows: String(size.rows),
    ...(confirm === undefined ? {} : { confirm }),
  };
  return `${path}?${new URLSearchParams(query).toString()}`;
}

/** The end of a terminal whose connection closed without one. */
function endOf(code: number): ShellState {
  const title =
    code === liveClose.restart
      ? 'The console was restarted.'
      : code === liveClose.signedOut
        ? 'Your session ended.'
        : 'The connection to the console was lost.';
  return { type: 'ended', reason: 'lost', title };
}

/** Opens a terminal. It ends with its connection: the process is lost, so another session is opened by hand. */
export function openShell(
  target: ShellTarget,
  size: { readonly columns: number; readonly rows: number },
  parts: ShellParts,
): ShellSession {
  const encoder = new TextEncoder();
  const socket = new ReconnectingSocket({
    connect: parts.connect(shellAddress(target, size)),
    isFinal: () => true,
    onState: (state) => {
      if (state.phase === 'connecting') parts.onState({ type: 'opening' });
      if (state.phase === 'closed') parts.onState(endOf(state.code));
    },
    onOpen: () => socket.confirm(),
    onMessage: (text) => {
      const message = JSON.parse(text) as ShellMessage;
      if (message.type === 'started') {
        parts.onState({ type: 'running', command: message.command });
        return;
      }
      if (message.type === 'recorded') {
        parts.onRecorded();
        return;
      }
      socket.close();
      parts.onState(message);
    },
    onData: parts.onData,
  });
  socket.open();
  return {
    input(text) {
      const bytes = encoder.encode(text);
      for (let at = 0; at < bytes.length; at += shellChunk) socket.send(bytes.slice(at, at + shellChunk));
    },
    resize: (columns, rows) => socket.send(JSON.stringify({ type: 'resize', columns, rows })),
    close: () => socket.close(),
  };
}
