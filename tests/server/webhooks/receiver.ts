import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What a receiver was sent. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When, epoch ms. */
  readonly at: number;
}

/** How a receiver answers one request. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** It answers once this is over. */
  readonly after?: Promise<unknown>;
}

/** A receiver of webhooks on loopback. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: readonly Received[];
  /** The next requests are answered so, in order; the others with 204. */
  answer(...answers: readonly Answer[]): void;
  /** Answers that no request has taken are given no more. */
  forgetAnswers(): void;
  close(): Promise<void>;
}

const textsOf = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Starts a receiver on a free port of 127.0.0.1. @param tls key and certificate, PEM, for https; plain http without */
export async function startReceiver(tls?: {
  readonly key: string;
  readonly cert: string;
}): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Answer[] = [];
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: textsOf(request.headers),
        body: Buffer.concat(parts).toString('utf8'),
        at: Date.now(),
      });
      const { status, headers, body, after }: Answer = answers.shift() ?? { status: 204 };
      void Promise.resolve(after).then(() => response.writeHead(status, headers).end(body));
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hooks/T0/hush-path?token=hush-query`,
    received,
    answer: (...next) => void answers.push(...next),
    forgetAnswers: () => void (answers.length = 0),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
