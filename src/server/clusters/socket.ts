import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { type AddressGuard, AddressRefused, guardedLookup, type Resolver } from './address.ts';
import type { LiveCredential } from './credentials.ts';
import type { Target } from './target.ts';

const openMs = 15_000;
/** Most bytes in one message of a cluster: it sends as its processes write. */
const maxMessageLength = 4 * 1024 * 1024;
/** Bytes read of an answer that refuses. */
const maxRefusalLength = 64 * 1024;

/** An answer that did not become a socket. */
export class UpgradeRefused extends Error {
  readonly status: number;
  /** The parsed body, when it is JSON. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`The upgrade was answered with ${status}.`);
    this.name = 'UpgradeRefused';
    this.status = status;
    this.body = body;
  }
}

export interface Dialling {
  readonly target: Target;
  readonly credential: LiveCredential;
  readonly guard: AddressGuard;
  readonly resolve: Resolver | undefined;
  /** With query, behind the server's address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly protocols: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Opens a WebSocket to a cluster behind the address guard; redirects are not followed. The socket is paused: nothing
 * is lost before somebody listens. Throws UpgradeRefused, or an error of the network.
 */
export async function dial(dialling: Dialling): Promise<WebSocket> {
  const { target, credential, guard, signal } = dialling;
  const url = new URL(target.server);
  const refusal = guard.refusalOfHost(url.hostname);
  if (refusal !== undefined) throw new AddressRefused(url.hostname, refusal);
  signal?.throwIfAborted();
  const socket = new WebSocket(`wss://${url.host}${dialling.path}`, [...dialling.protocols], {
    headers: { ...dialling.headers },
    lookup: guardedLookup(guard, dialling.resolve),
    handshakeTimeout: openMs,
    maxPayload: maxMessageLength,
    perMessageDeflate: false,
    followRedirects: false,
    ...(target.ca === undefined ? {} : { ca: target.ca }),
    ...(target.tlsServerName === undefined ? {} : { servername: target.tlsServerName }),
    ...(credential.certificate === undefined ? {} : { cert: credential.certificate }),
    ...(credential.key === undefined ? {} : { key: credential.key }),
  });
  const opened = Promise.withResolvers<WebSocket>();
  const leave = () => {
    opened.reject(signal?.reason);
    socket.terminate();
  };
  signal?.addEventListener('abort', leave, { once: true });
  socket.on('open', () => {
    socket.pause();
    opened.resolve(socket);
  });
  // Also after the upgrade: an error without a listener would end the process; the close event reports the rest.
  socket.on('error', (error) => opened.reject(error));
  socket.on('close', () => opened.reject(new Error('The connection ended before it was established.')));
  socket.on('unexpected-response', (_request, answer: IncomingMessage) => {
    void readRefusal(answer).catch((error: unknown) => opened.reject(error));
  });
  try {
    return await opened.promise;
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

async function readRefusal(answer: IncomingMessage): Promise<never> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > maxRefusalLength) break;
      chunks.push(bytes);
    }
  } catch {
    // A partial body is enough: the status says the rest.
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    body = undefined;
  }
  throw new UpgradeRefused(answer.statusCode ?? 0, body);
}
