import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { makeCertificates } from '../../../src/playground/certificates.ts';

/** What a request is about. */
export type Sort = 'list' | 'page' | 'watch' | 'other';

/**
 * What happens to a request in place of the cluster's answer.
 * `drop`: the connection is destroyed; `hang`: nothing comes, ever.
 */
export type Fault =
  | 'drop'
  | 'hang'
  | { readonly status: number; readonly reason?: string; readonly retryAfter?: number };

/** Stands between the console and a cluster, and does what networks and API servers do on bad days. */
export interface FaultProxy {
  /** https://127.0.0.1:PORT */
  readonly server: string;
  /** The authority to trust, PEM. */
  readonly authority: string;
  /** Requests so far; `list` counts first pages, `page` those with a token. */
  readonly counts: Record<Sort, number>;
  /** Bytes of answers so far, as the cluster sent them. */
  readonly bytes: number;
  /** Connections that the console opened so far. */
  readonly connections: number;
  readonly openWatches: number;
  /** The next requests of a sort meet these faults, one each. */
  next(sort: Sort, ...faults: Fault[]): void;
  /** Every request meets this fault, until undefined. */
  always(fault: Fault | undefined): void;
  /** Requests of paths that this fits are never answered, also those that wait when it is changed; undefined: none. */
  swallow(paths: RegExp | undefined): void;
  /** From now on the headers of a watch are held back until it brings something. */
  holdHeaders(): void;
  /** The clock of the cluster is ahead by this from now on, ms. */
  shiftClock(ms: number): void;
  /** No fault waits any more. */
  heal(): void;
  /** Every part of an answer waits so long, ms. */
  slow(ms: number): void;
  /** Each page of a list of all pods, whole ones, is asked for only once this is over; it is told of each, from 1. */
  beforePage(until: (page: number) => Promise<unknown>): void;
  /** Destroys the connections of the open watches. */
  drop(): void;
  /** Sends half an event on every open watch, then destroys its connection. */
  halfLine(): void;
  /** Ends every open watch with an in-stream error: HTTP 200 long ago, `ERROR` now. */
  error(code: number, reason: string): void;
  /** Lets nothing more through on the open watches, but keeps them open. */
  stall(): void;
  /** Ends the open watches as a server does when their time is up. */
  end(): void;
  close(): Promise<void>;
}

interface OpenWatch {
  readonly response: Http2ServerResponse;
  isStalled: boolean;
}

/** A Status, as an API server writes it. */
function status(code: number, reason = 'InternalError'): string {
  const message = code === 410 ? 'too old resource version' : `the proxy says ${code}`;
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message });
}

function sortOf(method: string, query: URLSearchParams, path: string): Sort {
  if (method !== 'GET') return 'other';
  if (query.get('watch') === 'true') return 'watch';
  if (query.has('continue')) return 'page';
  return /\/(pods|namespaces)$/.test(path) ? 'list' : 'other';
}

/** Starts a proxy in front of a cluster. @param upstream its address and authority (PEM) */
export async function startFaultProxy(upstream: { server: string; authority: string }): Promise<FaultProxy> {
  const certificates = await makeCertificates(Date.now());
  const agent = new Agent({ ca: upstream.authority, keepAlive: true });
  const counts: Record<Sort, number> = { list: 0, page: 0, watch: 0, other: 0 };
  const faults = new Map<Sort, Fault[]>();
  const watches = new Set<OpenWatch>();
  const sockets = new Set<Socket>();
  let connections = 0;
  let bytes = 0;
  let always: Fault | undefined;
  let swallowed: RegExp | undefined;
  let holdsHeaders = false;
  let delay = 0;
  let clockShift = 0;
  let beforePage: (page: number) => Promise<unknown> = () => Promise.resolve();
  /** Pages of the list of pods, by the token that asks for each. */
  const pageTokens = new Map<string, number>();

  const destroy = (response: Http2ServerResponse) => {
    // Over HTTP/2 the connection belongs to the session; either is undefined once the answer is over.
    const { stream, socket } = response as {
      readonly stream?: { readonly session?: { readonly socket: Socket } | undefined };
      readonly socket?: Socket;
    };
    (stream?.session?.socket ?? socket)?.destroy();
  };

  function misbehave(fault: Fault, response: Http2ServerResponse): void {
    if (fault === 'hang') return;
    if (fault === 'drop') {
      destroy(response);
      return;
    }
    const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
    response.writeHead(fault.status, { 'content-type': 'application/json', ...headers });
    response.end(status(fault.status, fault.reason));
  }

  async function relay(answer: IncomingMessage, response: Http2ServerResponse, watch: OpenWatch | undefined) {
    const headers = Object.entries(answer.headers).filter(
      ([name]) => !['connection', 'transfer-encoding', 'keep-alive'].includes(name),
    );
    const begin = () => {
      if (response.headersSent) return;
      const date = new Date(Date.now() + clockShift).toUTCString();
      response.writeHead(answer.statusCode ?? 502, { ...Object.fromEntries(headers), date });
    };
    // An API server sends the head of a watch at once.
    if (watch === undefined || !holdsHeaders) {
      begin();
      (response as Http2ServerResponse & { flushHeaders?: () => void }).flushHeaders?.();
    }
    for await (const chunk of answer) {
      begin();
      if (delay > 0) await wait(delay);
      bytes += (chunk as Buffer).length;
      if (watch?.isStalled !== true && response.writable) response.write(chunk as Buffer);
    }
    begin();
    if (watch?.isStalled !== true) response.end();
  }

  function forward(request: Http2ServerRequest, response: Http2ServerResponse, isWatch: boolean): void {
    const {
      ':method': _m,
      ':path': _p,
      ':scheme': _s,
      ':authority': _a,
      host: _h,
      ...headers
    } = request.headers;
    const call = httpsRequest(
      upstream.server + request.url,
      { agent, method: request.method, headers },
      (answer) => {
        const watch = isWatch && answer.statusCode === 200 ? { response, isStalled: false } : undefined;
        if (watch !== undefined) watches.add(watch);
        response.on('close', () => {
          if (watch !== undefined) watches.delete(watch);
          answer.destroy();
        });
        relay(answer, response, watch).catch(() => destroy(response));
      },
    );
    call.on('error', () => destroy(response));
    response.on('close', () => call.destroy());
    request.pipe(call);
  }

  const server = createSecureServer(
    {
      key: certificates.key,
      cert: certificates.certificate,
      allowHTTP1: true,
      settings: { maxConcurrentStreams: 1000 },
    },
    (request, response) => {
      const url = new URL(request.url, 'https://proxy');
      const sort = sortOf(request.method, url.searchParams, url.pathname);
      counts[sort] += 1;
      response.on('error', () => {});
      request.on('error', () => {});
      const isSwallowed = swallowed?.test(url.pathname) === true;
      const fault = isSwallowed ? 'hang' : (always ?? faults.get(sort)?.shift());
      const answer = () => {
        if (fault === undefined) forward(request, response, sort === 'watch');
        else misbehave(fault, response);
      };
      // Names and counts are asked for in another form.
      const isWhole = !(request.headers.accept ?? '').includes('PartialObjectMetadata');
      const isPodPage = isWhole && url.pathname === '/api/v1/pods' && (sort === 'list' || sort === 'page');
      if (!isPodPage) {
        answer();
        return;
      }
      // A page that is asked for once more is the same page.
      const token = url.searchParams.get('continue') ?? '';
      const page = pageTokens.get(token) ?? pageTokens.size + 1;
      pageTokens.set(token, page);
      beforePage(page).then(answer, () => destroy(response));
    },
  );
  server.on('secureConnection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority: certificates.authority,
    counts,
    get bytes() {
      return bytes;
    },
    get connections() {
      return connections;
    },
    get openWatches() {
      return watches.size;
    },
    next: (sort, ...more) => void faults.set(sort, [...(faults.get(sort) ?? []), ...more]),
    always(fault) {
      always = fault;
    },
    swallow(paths) {
      swallowed = paths;
    },
    holdHeaders() {
      holdsHeaders = true;
    },
    shiftClock(ms) {
      clockShift = ms;
    },
    heal() {
      always = undefined;
      swallowed = undefined;
      holdsHeaders = false;
      delay = 0;
      faults.clear();
    },
    slow(ms) {
      delay = ms;
    },
    beforePage(until) {
      beforePage = until;
    },
    drop() {
      for (const { response } of watches) destroy(response);
    },
    halfLine() {
      for (const { response } of watches) {
        response.write('{"type":"MODIFIED","object":{"kind":"Pod","metadata":{"na', () => destroy(response));
      }
    },
    error(code, reason) {
      for (const { response } of watches) {
        response.end(
          `${JSON.stringify({ type: 'ERROR', object: JSON.parse(status(code, reason)) as unknown })}\n`,
        );
      }
    },
    stall() {
      for (const watch of watches) watch.isStalled = true;
    },
    end() {
      for (const { response } of watches) response.end();
    },
    async close() {
      agent.destroy();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
