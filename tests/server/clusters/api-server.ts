import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Target } from '../../../src/server/clusters/target.ts';
import type { Authority } from './pki.ts';

/** What a request looked like to the server. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly version: string;
  readonly headers: Http2ServerRequest['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** The client's port: one for each connection. */
  readonly port: number | undefined;
}

export type Answer = (seen: SeenRequest, response: Http2ServerResponse) => void;

/** A small HTTPS server that plays an API server (HTTP/2 and HTTP/1.1) by the test's own handler. */
export interface ApiServer {
  readonly port: number;
  readonly url: string;
  readonly seen: SeenRequest[];
  /** TCP connections made so far. */
  connections(): number;
  /** TCP connections that are open. */
  open(): number;
  answer: Answer;
  /** Ends every connection, and goes on listening. */
  drop(): void;
  close(): Promise<void>;
}

/** Answers with JSON. */
export function json(response: Http2ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Starts one on a free port of 127.0.0.1. */
export async function startApiServer(
  authority: Authority,
  answer: Answer,
  options: SecureContextOptions & {
    requestCert?: boolean;
    hosts?: readonly string[];
    notAfter?: Date;
    http1Only?: boolean;
    port?: number;
  } = {},
): Promise<ApiServer> {
  const { hosts, notAfter, http1Only, port = 0, ...tls } = options;
  const pair = await authority.issue({
    ...(hosts === undefined ? {} : { hosts }),
    ...(notAfter === undefined ? {} : { notAfter }),
  });
  const sockets = new Set<Socket>();
  let connections = 0;
  const settings = { key: pair.key, cert: pair.certificate, rejectUnauthorized: false, ...tls };
  const server =
    http1Only === true ? createServer(settings) : createSecureServer({ ...settings, allowHTTP1: true });
  server.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen: SeenRequest = {
        method: request.method,
        url: request.url,
        version: request.httpVersion,
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString('utf8'),
        port: (request.stream as { session?: { socket: Socket } } | undefined)?.session?.socket.remotePort,
      };
      api.seen.push(seen);
      api.answer(seen, response);
    });
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => {});
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  const api: ApiServer = {
    port: bound,
    url: `https://127.0.0.1:${bound}`,
    seen: [],
    connections: () => connections,
    open: () => sockets.size,
    answer,
    drop: () => {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      api.drop();
      await closed;
    },
  };
  return api;
}

/** A target for a server of a test. */
export function targetFor(server: string, ca: string, more: Partial<Target> = {}): Target {
  return {
    server,
    ca,
    tlsServerName: undefined,
    disableCompression: false,
    namespace: undefined,
    credential: { token: 'secret-token-of-the-test' },
    impersonate: undefined,
    ...more,
  };
}
