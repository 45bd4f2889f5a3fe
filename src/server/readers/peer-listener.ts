import {
  performServerHandshake,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { isIP } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { describeError } from '../kit/describe-error.ts';
import { StartError } from '../kit/start-error.ts';
import { parsePeerAddress } from '../kit/peer-address.ts';
import { peerTls, protocolHeader, pskIdentity } from './peer-tls.ts';

/** Time in which a connection has to prove that it has the key, ms. */
const handshakeTimeout = 5_000;
/** Connections at a time: one of each other server, and those that are replaced. */
const maxConnections = 200;

/** One request of another server. */
export interface PeerRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly stream: ServerHttp2Stream;
}

/** Inputs of a listener. */
export interface PeerListenerParts {
  /** Where it listens: at the address itself where that is one, else at all of the machine. */
  readonly address: string;
  readonly key: () => Buffer;
  readonly protocol: string;
  /** Answers a request of a server that has the key and speaks the protocol. */
  readonly answer: (request: PeerRequest) => void;
  readonly log: Logger;
}

/** Answers a request with a status, and with JSON where there is any. */
export function answerWith(stream: ServerHttp2Stream, status: number, body?: unknown): void {
  if (stream.closed || stream.destroyed) return;
  stream.respond({ ':status': status });
  stream.end(body === undefined ? '' : JSON.stringify(body));
}

/** Where the other servers of an installation ask this one. */
export class PeerListener {
  readonly #parts: PeerListenerParts;
  readonly #server: Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(parts: PeerListenerParts) {
    this.#parts = parts;
    const { key, log } = parts;
    this.#server = createServer({
      ...peerTls,
      handshakeTimeout,
      pskCallback: (_socket, identity) => (identity === pskIdentity ? key() : null),
    });
    this.#server.maxConnections = maxConnections;
    this.#server.on('secureConnection', (socket) => this.#accept(socket));
    this.#server.on('tlsClientError', (error, { remoteAddress }) =>
      log.warn(
        { err: describeError(error), remoteAddress },
        'A connection of no server of this installation',
      ),
    );
  }

  /** Listens; resolves with the address at which it does. Throws StartError where the address cannot be had. */
  async listen(): Promise<string> {
    const { address } = this.#parts;
    const parsed = parsePeerAddress(address);
    if (parsed === undefined) throw new Error(`“${address}” is no address of a server.`);
    const { host, port } = parsed;
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error) =>
        reject(
          new StartError(
            `WHEELHOUSE_PEER_ADDRESS is "${address}", but this server cannot listen there (${error.message}).`,
            { cause: error },
          ),
        );
      this.#server.once('error', fail);
      this.#server.listen({ port, ...(isIP(host) === 0 ? {} : { host }) }, () => {
        this.#server.off('error', fail);
        resolve();
      });
    });
    this.#server.on('error', (error) =>
      this.#parts.log.error({ err: describeError(error) }, 'Servers cannot reach this one'),
    );
    const bound = this.#server.address();
    const own = typeof bound === 'object' && bound !== null ? bound.port : port;
    return `${host.includes(':') ? `[${host}]` : host}:${own}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.destroy();
    await closed;
  }

  #accept(socket: TLSSocket): void {
    const session = performServerHandshake(socket, { settings: { maxConcurrentStreams: 20_000 } });
    this.#sessions.add(session);
    session.on('close', () => this.#sessions.delete(session));
    session.on('error', (error) => this.#parts.log.debug({ err: describeError(error) }, 'A server was lost'));
    session.on('stream', (stream, headers) => this.#answer(stream, headers));
  }

  #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { protocol, answer, log } = this.#parts;
    stream.on('error', (error) =>
      log.debug({ err: describeError(error) }, 'A request of a server broke off'),
    );
    if (headers[protocolHeader] !== protocol) {
      answerWith(stream, 426);
      return;
    }
    const url = new URL(headers[':path'] ?? '/', 'https://server');
    answer({ path: url.pathname, query: url.searchParams, stream });
  }
}
