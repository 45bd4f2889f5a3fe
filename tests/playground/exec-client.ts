import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Playground } from '../../src/playground/server.ts';

/** A session of the remote command protocol, as kubectl holds one. */
export interface Session {
  /** What came so far on a channel: 1 output, 2 errors, 3 how it ended. */
  text(channel: 1 | 2 | 3): string;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Closes the standard input (v5). */
  endInput(): void;
  /** The Status on the error channel, once the server closed. */
  readonly ended: Promise<{
    status: string;
    message?: string;
    reason?: string;
    details?: unknown;
    code?: number;
  }>;
  close(): void;
}

/** Opens a session on a container. Rejects with the code and the Status of a refusal. */
export async function open(
  target: Pick<Playground, 'port' | 'authority' | 'token'>,
  path: string,
  { protocol = 'v5.channel.k8s.io', token = target.token }: { protocol?: string; token?: string } = {},
): Promise<Session> {
  const socket = new WebSocket(`wss://127.0.0.1:${target.port}${path}`, [protocol], {
    ca: target.authority,
    headers: { authorization: `Bearer ${token}` },
  });
  const channels = new Map<number, string>();
  socket.on('message', (data: Buffer) => {
    const channel = data[0] ?? 0;
    channels.set(channel, (channels.get(channel) ?? '') + data.subarray(1).toString('utf8'));
  });
  const refused = new Promise<never>((_resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      response.on('end', () => reject(new Error(`${response.statusCode ?? 0} ${text}`)));
    });
    socket.on('error', reject);
  });
  await Promise.race([once(socket, 'open'), refused]);
  const send = (channel: number, text: string) =>
    socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text)]));
  return {
    text: (channel) => channels.get(channel) ?? '',
    type: (text) => send(0, text),
    resize: (Width, Height) => send(4, JSON.stringify({ Width, Height })),
    endInput: () => socket.send(Buffer.of(255, 0)),
    ended: once(socket, 'close').then(
      () => JSON.parse(channels.get(3) ?? 'null') as Awaited<Session['ended']>,
    ),
    close: () => socket.close(),
  };
}
