import type { WebSocket } from 'ws';
import { isStatus, type Status } from '../../kube/object.ts';
import type { Clock } from '../kit/clock.ts';

/** The subprotocols of remote commands, best first. */
export const remoteProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** Events of a process in a cluster. */
export interface RemoteListener {
  /** It wrote something. */
  output(data: Buffer): void;
  /** Nothing more comes; without a status the line broke. Called once. */
  ended(status: Status | undefined): void;
}

/** A process in a cluster behind the remote command protocol: the first byte of every message is its channel. */
export interface Remote {
  /** @param sent called once it left this server */
  input(data: Buffer, sent: () => void): void;
  resize(columns: number, rows: number): void;
  /** Bytes of input that have not left this server. */
  readonly unsent: number;
  pause(): void;
  resume(): void;
  ping(): void;
  /** When it was last heard of, by the given clock. */
  readonly heardAt: number;
  /** Ends its input, then the line. */
  close(): void;
}

const framed = (number: number, data: Uint8Array) => Buffer.concat([Buffer.of(number), data]);

/** Takes over a socket to a cluster; it starts to flow. */
export function openRemote(socket: WebSocket, listener: RemoteListener, clock: Clock): Remote {
  let status: Status | undefined;
  let isOver = false;
  let heardAt = clock.now();
  const send = (number: number, data: Uint8Array, sent?: () => void) => {
    if (socket.readyState === socket.OPEN) socket.send(framed(number, data), sent);
    else sent?.();
  };
  const end = () => {
    if (isOver) return;
    isOver = true;
    listener.ended(status);
  };
  socket.on('message', (message: Buffer, isBinary: boolean) => {
    heardAt = clock.now();
    if (isOver || !isBinary || message.length < 1) return;
    const [number] = message;
    const data = message.subarray(1);
    if (number === channel.stdout || number === channel.stderr) {
      if (data.length > 0) listener.output(data);
    } else if (number === channel.error && data.length > 0) {
      status = statusOf(data);
      // Servers differ in who closes first.
      end();
      socket.close(1000);
    }
  });
  socket.on('pong', () => {
    heardAt = clock.now();
  });
  socket.on('close', end);
  socket.resume();
  return {
    input: (data, sent) => send(channel.stdin, data, sent),
    resize: (columns, rows) =>
      send(channel.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows }))),
    get unsent() {
      return socket.bufferedAmount;
    },
    get heardAt() {
      return heardAt;
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    ping: () => {
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    close() {
      isOver = true;
      if (socket.protocol === remoteProtocols[0]) send(channel.close, Buffer.of(channel.stdin));
      socket.close(1000);
      // A cluster that does not answer the close would keep the process and the socket.
      const cut = setTimeout(() => socket.terminate(), 2_000);
      socket.once('close', () => clearTimeout(cut));
      socket.resume();
    },
  };
}

function statusOf(data: Buffer): Status | undefined {
  try {
    const found = JSON.parse(data.toString('utf8')) as unknown;
    if (isStatus(found)) return found;
    // Runtimes leave kind and version out on this channel.
    if (typeof found === 'object' && found !== null && 'status' in found) return found as Status;
  } catch {
    // Older runtimes write plain words here.
  }
  return { kind: 'Status', status: 'Failure', message: data.toString('utf8').slice(0, 2_000) };
}
