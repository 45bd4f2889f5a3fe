import { Client, type Dispatcher, Pool } from 'undici';
import { type AddressGuard, createGuardedConnector, type Resolver } from './address.ts';
import type { LiveCredential } from './credentials.ts';
import { errorCode } from './failures.ts';
import type { Target } from './target.ts';

/** An answer whose head has arrived; `release` is called once its body is done with. */
export interface Answer {
  readonly response: Dispatcher.ResponseData;
  release(): void;
}

/** The open connections to one cluster. */
export interface Connections {
  request(credential: LiveCredential, options: Dispatcher.RequestOptions): Promise<Answer>;
  stream(credential: LiveCredential, options: Dispatcher.RequestOptions): Promise<Answer>;
  /**
   * A short request over a connection of its own, or over one that streams use (each of them in turn, as far as they
   * are of HTTP/2).
   */
  ping(credential: LiveCredential, options: Dispatcher.RequestOptions, isFresh: boolean): Promise<Answer>;
  /** What comes next goes over new connections; what runs on the old ones may end there. */
  renew(): void;
  /** Ends every connection; whatever runs on them fails. */
  close(): Promise<void>;
}

const http2Missing = 'HTTP2_MISSING';
const unsent: ReadonlySet<string> = new Set(['ERR_HTTP2_INVALID_SESSION', 'ERR_HTTP2_GOAWAY_SESSION']);
const connectTimeoutMs = 5_000;
/** Servers allow 100 streams on a connection or more; the rest is for those that are ending. */
const streamsPerConnection = 90;

interface Lane {
  readonly client: Client;
  open: number;
}

interface Dispatchers {
  readonly certificate: string | undefined;
  readonly requests: Pool;
  readonly http1Streams: Pool;
  readonly lanes: Lane[];
}

/** Connections are opened as needed and opened anew when the client certificate changes. */
export function createConnections(target: Target, guard: AddressGuard, resolve?: Resolver): Connections {
  const { origin } = new URL(target.server);
  // undici joins repeated headers with commas on HTTP/2, and Kubernetes reads the result as one group.
  const isHttp2Safe =
    (target.impersonate?.groups.length ?? 0) < 2 &&
    Object.values(target.impersonate?.extra ?? {}).every((values) => values.length < 2);
  let hasHttp2 = isHttp2Safe;
  let current: Dispatchers | undefined;
  let isClosed = false;
  /** Pings so far. */
  let turn = 0;
  const all = new Set<Dispatchers>();

  const tls = (credential: LiveCredential) => ({
    timeout: connectTimeoutMs,
    ...(target.ca === undefined ? {} : { ca: target.ca }),
    ...(target.tlsServerName === undefined ? {} : { servername: target.tlsServerName }),
    ...(credential.certificate === undefined ? {} : { cert: credential.certificate }),
    ...(credential.key === undefined ? {} : { key: credential.key }),
  });

  const connectHttp1 = (credential: LiveCredential) =>
    createGuardedConnector({ ...tls(credential), allowH2: false }, guard, resolve);

  const dispatchers = (credential: LiveCredential): Dispatchers => {
    if (isClosed) throw new Error('The connections are closed.');
    if (current !== undefined && current.certificate === credential.certificate) return current;
    const common = { connect: connectHttp1(credential), allowH2: false, pipelining: 1 } as const;
    renew();
    current = {
      certificate: credential.certificate,
      requests: new Pool(origin, { ...common, connections: 16 }),
      http1Streams: new Pool(origin, common),
      lanes: [],
    };
    all.add(current);
    return current;
  };

  const renew = () => {
    const previous = current;
    current = undefined;
    if (previous !== undefined) void end(previous, 'close').then(() => all.delete(previous));
  };

  const openLane = (credential: LiveCredential): Lane => {
    const connect = createGuardedConnector(
      { ...tls(credential), allowH2: true, preferH2: true },
      guard,
      resolve,
    );
    const client = new Client(origin, {
      allowH2: true,
      pipelining: 100,
      connect: (options, callback) => {
        connect(options, (error, socket) => {
          if (error !== null) callback(error, null);
          else if (!('alpnProtocol' in socket) || socket.alpnProtocol !== 'h2') {
            socket.destroy();
            callback(Object.assign(new Error('The server has no HTTP/2.'), { code: http2Missing }), null);
          } else callback(null, socket);
        });
      },
    });
    return { client, open: 0 };
  };

  const addLane = (lanes: Lane[], credential: LiveCredential): Lane => {
    const lane = openLane(credential);
    lanes.push(lane);
    return lane;
  };

  const overHttp2 = async (
    credential: LiveCredential,
    options: Dispatcher.RequestOptions,
    choose: (lanes: readonly Lane[]) => Lane | undefined,
  ) => {
    const { lanes } = dispatchers(credential);
    const used = choose(lanes) ?? addLane(lanes, credential);
    used.open += 1;
    let isReleased = false;
    const release = () => {
      if (!isReleased) used.open -= 1;
      isReleased = true;
    };
    try {
      const response = await used.client.request(options).catch((error: unknown) => {
        // It never left: its connection ended at that very moment. A new one is opened for it.
        if (!unsent.has(errorCode(error) ?? '')) throw error;
        return used.client.request(options);
      });
      return { response, release };
    } catch (error) {
      release();
      throw error;
    }
  };

  const withRoom = (lanes: readonly Lane[]) =>
    lanes.find((candidate) => candidate.open < streamsPerConnection);
  const inTurn = (lanes: readonly Lane[]) => {
    turn += 1;
    return lanes[turn % lanes.length];
  };

  /** Over HTTP/2, or over HTTP/1.1 where the server has no other. */
  const overEither = async <T>(http2: () => Promise<T>, http1: () => Promise<T>): Promise<T> => {
    if (hasHttp2) {
      try {
        return await http2();
      } catch (error) {
        if (errorCode(error) !== http2Missing) throw error;
        hasHttp2 = false;
      }
    }
    return await http1();
  };

  const overOwn = async (client: Client, options: Dispatcher.RequestOptions): Promise<Answer> => {
    const release = () => void client.destroy().catch(() => {});
    try {
      return { response: await client.request(options), release };
    } catch (error) {
      release();
      throw error;
    }
  };

  const request = async (credential: LiveCredential, options: Dispatcher.RequestOptions) => ({
    response: await dispatchers(credential).requests.request(options),
    release() {},
  });

  return {
    request,
    stream: (credential, options) =>
      overEither<Answer>(
        () => overHttp2(credential, options, withRoom),
        async () => ({
          response: await dispatchers(credential).http1Streams.request(options),
          release() {},
        }),
      ),
    ping(credential, options, isFresh) {
      if (isClosed) throw new Error('The connections are closed.');
      return overEither<Answer>(
        () =>
          isFresh ? overOwn(openLane(credential).client, options) : overHttp2(credential, options, inTurn),
        () =>
          isFresh
            ? overOwn(new Client(origin, { connect: connectHttp1(credential), allowH2: false }), options)
            : request(credential, options),
      );
    },
    renew,
    async close() {
      isClosed = true;
      await Promise.all([...all].map((held) => end(held, 'destroy')));
      all.clear();
      current = undefined;
    },
  };
}

async function end(held: Dispatchers, how: 'close' | 'destroy'): Promise<void> {
  const clients = [held.requests, held.http1Streams, ...held.lanes.map((lane) => lane.client)];
  // Closing twice is an error to undici and none to us.
  await Promise.allSettled(clients.map((client) => client[how]()));
}
