import { liveClose } from '../../../contract/live.ts';
import {
  type ShellEnd,
  type ShellMessage,
  type ShellQuery,
  shellChunk,
  shellPath,
} from '../../../contract/shell.ts';
import type { ObjectRef } from '../../../registry/command.ts';
import { fillPath } from '../../../registry/path.ts';

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

/** An open line, as the browser's WebSocket is one. */
export interface ShellSocket {
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** What a terminal needs of the browser. */
export interface ShellParts {
  readonly connect: (
    path: string,
    on: {
      readonly text: (text: string) => void;
      readonly data: (data: Uint8Array) => void;
      readonly closed: (code: number) => void;
    },
  ) => ShellSocket;
  readonly onData: (data: Uint8Array) => void;
  readonly onState: (state: ShellState) => void;
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

/** Why a socket closed that was not told of an end. */
function closing(code: number): ShellState {
  const title =
    code === liveClose.restart
      ? 'The console was restarted.'
      : code === liveClose.signedOut
        ? 'Your session ended.'
        : 'The connection to the console was lost.';
  return { type: 'ended', reason: 'lost', title };
}

/** Opens a terminal. It is over with its end: another one is another session. */
export function openShell(
  target: ShellTarget,
  size: { readonly columns: number; readonly rows: number },
  parts: ShellParts,
): ShellSession {
  let isOver = false;
  const encoder = new TextEncoder();
  parts.onState({ type: 'opening' });
  const socket = parts.connect(shellAddress(target, size), {
    text: (text) => {
      if (isOver) return;
      const message = JSON.parse(text) as ShellMessage;
      if (message.type === 'started') parts.onState({ type: 'running', command: message.command });
      else {
        isOver = true;
        parts.onState(message);
      }
    },
    data: (data) => {
      if (!isOver) parts.onData(data);
    },
    closed: (code) => {
      if (isOver) return;
      isOver = true;
      parts.onState(closing(code));
    },
  });
  return {
    input(text) {
      if (isOver) return;
      const bytes = encoder.encode(text);
      for (let at = 0; at < bytes.length; at += shellChunk) socket.send(bytes.slice(at, at + shellChunk));
    },
    resize(columns, rows) {
      if (!isOver) socket.send(JSON.stringify({ type: 'resize', columns, rows }));
    },
    close() {
      isOver = true;
      socket.close();
    },
  };
}
