import type { WebSocket } from 'ws';
import { rec } from '../kit/values.ts';

/** The subprotocols of `kubectl exec` over WebSocket, best first. */
export const subprotocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** Receiver of a client's messages. */
export interface Listener {
  input(text: string): void;
  /** The client closed standard input (v5). */
  inputEnded(): void;
  resized(columns: number, rows: number): void;
  /** The client disconnected. */
  disconnected(): void;
}

/** One connection of the remote command protocol: the first byte of every message is its channel number. */
export interface Channels {
  out(text: string): void;
  err(text: string): void;
  /** Sends the command's Status on the error channel and closes the connection. */
  end(status: unknown): void;
  listen(listener: Listener): void;
}

const framed = (number: number, text: string) => Buffer.concat([Buffer.of(number), Buffer.from(text)]);

/** Wraps a socket. Sends an empty message first, which tells the client that the connection is established. */
export function channelsOf(socket: WebSocket, streams: { stdout: boolean; stderr: boolean }): Channels {
  const send = (number: number, text: string) => {
    if (socket.readyState === socket.OPEN) socket.send(framed(number, text));
  };
  send(streams.stdout ? channel.stdout : streams.stderr ? channel.stderr : channel.error, '');
  return {
    out: (text) => {
      if (streams.stdout && text !== '') send(channel.stdout, text);
    },
    err: (text) => {
      if (streams.stderr && text !== '') send(channel.stderr, text);
    },
    end: (status) => {
      send(channel.error, JSON.stringify(status));
      socket.close(1000);
    },
    listen: (listener) => {
      const decoder = new TextDecoder();
      socket.on('message', (data: Buffer) => {
        const [number] = data;
        if (number === channel.stdin) listener.input(decoder.decode(data.subarray(1), { stream: true }));
        else if (number === channel.close && data[1] === channel.stdin) listener.inputEnded();
        else if (number === channel.resize) {
          const { Width, Height } = rec(jsonOf(data.subarray(1).toString('utf8')));
          if (typeof Width === 'number' && typeof Height === 'number') listener.resized(Width, Height);
        }
      });
      socket.on('close', () => listener.disconnected());
      socket.on('error', () => listener.disconnected());
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
