import { Client, type Dispatcher, Pool } from 'undici';
import type { Answer } from './answer.ts';
import type { LiveCredential } from './credentials.ts';
import { errorCode } from './failures.ts';
import { Http2Lanes } from './http2-lanes.ts';
import type { Target } from './target.ts';
import { connectHttp1, type ConnectParts, http2Missing, openHttp2Client } from './tls-connect.ts';

/** Connections of HTTP/1.1 for requests, at most. */
const requestConnections = 16;

/** The open connections to one cluster. */
export interface Connections {
  /** Sends a request over one of the connections for requests, or over one of its own. */
  request(credential: LiveCredential, options: Dispatcher.RequestOptions, isFresh?: boolean): Promise<Answer>;
  stream(credential: LiveCredential, options: Dispatcher.RequestOptions): Promise<Answer>;
  /**
   * Sends a short request over a connection of its own, or over those that streams use (each of them in turn, as far as
   * they are of HTTP/2).
   */
  ping(credential: LiveCredential, options: Dispatcher.RequestOptions, isFresh: boolean): Promise<Answer>;
  /** Opens new connections for further requests; what runs on the old ones may end there. */
  renew(): void;
  /** Closes every connection; requests in progress fail. */
  close(): Promise<void>;
}

/** The connections that were opened with one client certificate. */
interface Dispatchers {
  readonly certificate: string | undefined;
  readonly requests: Pool;
  readonly http1Streams: Pool;
  readonly lanes: Http2Lanes;
}

/** Whether the headers of a target's requests are read correctly over HTTP/2. */
function isHttp2Safe({ impersonate }: Target): boolean {
  // undici joins repeated headers with commas on HTTP/2, and Kubernetes reads the result as one group.
  return (
    (impersonate?.groups.length ?? 0) < 2 &&
    Object.values(impersonate?.extra ?? {}).every((values) => values.length < 2)
  );
}

/** Opens connections as needed, and anew when the client certificate changes. */
export class ClusterConnections implements Connections {
  readonly #parts: ConnectParts;
  readonly #origin: string;
  readonly #all = new Set<Dispatchers>();
  #current: Dispatchers | undefined;
  /** False once the server was found to have no HTTP/2. */
  #hasHttp2: boolean;
  #isClosed = false;

  constructor(parts: ConnectParts) {
    this.#parts = parts;
    this.#origin = new URL(parts.target.server).origin;
    this.#hasHttp2 = isHttp2Safe(parts.target);
  }

  async request(
    credential: LiveCredential,
    options: Dispatcher.RequestOptions,
    isFresh = false,
  ): Promise<Answer> {
    if (isFresh) return await this.#requestFresh(credential, options);
    return { response: await this.#dispatchers(credential).requests.request(options), release() {} };
  }

  async stream(credential: LiveCredential, options: Dispatcher.RequestOptions): Promise<Answer> {
    const answer = await this.#overHttp2(() => this.#dispatchers(credential).lanes.stream(options));
    if (answer !== undefined) return answer;
    return { response: await this.#dispatchers(credential).http1Streams.request(options), release() {} };
  }

  async ping(
    credential: LiveCredential,
    options: Dispatcher.RequestOptions,
    isFresh: boolean,
  ): Promise<Answer> {
    if (this.#isClosed) throw new Error('The connections are closed.');
    const answer = await this.#overHttp2(() =>
      isFresh
        ? requestOnce(openHttp2Client(this.#origin, this.#parts, credential), options)
        : this.#dispatchers(credential).lanes.ping(options),
    );
    if (answer !== undefined) return answer;
    return await this.request(credential, options, isFresh);
  }

  async #requestFresh(credential: LiveCredential, options: Dispatcher.RequestOptions): Promise<Answer> {
    if (this.#isClosed) throw new Error('The connections are closed.');
    const connect = connectHttp1(this.#parts, credential);
    return await requestOnce(new Client(this.#origin, { connect, allowH2: false }), options);
  }

  renew(): void {
    const previous = this.#current;
    this.#current = undefined;
    if (previous !== undefined) void end(previous, 'close').then(() => this.#all.delete(previous));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((dispatchers) => end(dispatchers, 'destroy')));
    this.#all.clear();
    this.#current = undefined;
  }

  /** Those for a credential; they are replaced when its certificate changed. */
  #dispatchers(credential: LiveCredential): Dispatchers {
    if (this.#isClosed) throw new Error('The connections are closed.');
    if (this.#current !== undefined && this.#current.certificate === credential.certificate)
      return this.#current;
    const connect = connectHttp1(this.#parts, credential);
    const common = { connect, allowH2: false, pipelining: 1 } as const;
    this.renew();
    this.#current = {
      certificate: credential.certificate,
      requests: new Pool(this.#origin, { ...common, connections: requestConnections }),
      http1Streams: new Pool(this.#origin, common),
      lanes: new Http2Lanes(() => openHttp2Client(this.#origin, this.#parts, credential)),
    };
    this.#all.add(this.#current);
    return this.#current;
  }

  /** The answer over HTTP/2; undefined where the server has no HTTP/2, which is remembered. */
  async #overHttp2(send: () => Promise<Answer>): Promise<Answer | undefined> {
    if (!this.#hasHttp2) return undefined;
    try {
      return await send();
    } catch (error) {
      if (errorCode(error) !== http2Missing) throw error;
      this.#hasHttp2 = false;
      return undefined;
    }
  }
}

/** Sends a request over a connection that ends with it. */
async function requestOnce(client: Client, options: Dispatcher.RequestOptions): Promise<Answer> {
  const release = () => void client.destroy().catch(() => {});
  try {
    return { response: await client.request(options), release };
  } catch (error) {
    release();
    throw error;
  }
}

async function end({ requests, http1Streams, lanes }: Dispatchers, how: 'close' | 'destroy'): Promise<void> {
  // undici rejects a second close of a client, which does not matter here.
  await Promise.allSettled([requests, http1Streams, ...lanes.clients].map((client) => client[how]()));
}
