import { randomBytes } from 'node:crypto';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AccountTokens } from './access/account-tokens.ts';
import { administrator, Tokens } from './access/users.ts';
import { type Api, serve } from './api/api.ts';
import { readBody } from './api/request.ts';
import type { Certificates } from './certificates.ts';
import { type Clock, systemClock } from './kit/clock.ts';
import { issueCertificates } from './issue.ts';
import { kubeconfig } from './kubeconfig.ts';
import type { World } from './store/world.ts';
import { publishAuthority } from './life/authority.ts';
import { keyedChance, machineChance } from './kit/random.ts';
import { loadRegistry } from './registry/registry.ts';
import { historyFile, readHistory, writeHistory } from './seeds/history-file.ts';
import { plant } from './seeds/plant.ts';
import { Store } from './store/store.ts';

/** Options of a playground; all have defaults. */
export interface PlaygroundOptions {
  /** 0: any free port. */
  readonly port?: number;
  /** The administrator's bearer token; random by default. */
  readonly token?: string;
  /** `company`, `staging` (the same, smaller and newer), `none`, or `bulk:N` for N pods. */
  readonly seed?: string;
  /** Whether controllers run, which create and run pods. */
  readonly controllers?: boolean;
  /** Whether to simulate releases, scalings and evictions; true by default. */
  readonly activity?: boolean;
  /**
   * Number of changes kept for watches and continued lists: 10,000, or 3,000 for the company (about twenty
   * minutes).
   */
  readonly history?: number;
  /** Changes of pods per second, for load tests. */
  readonly churn?: number;
  /** Name of the context in the kubeconfig. */
  readonly name?: string;
  /** The server's certificates; generated once per process by default. */
  readonly certificates?: Certificates;
  readonly clock?: Clock;
  /** Random seed: names and uids are then the same at every start. */
  readonly chance?: number;
}

/** A running playground. */
export interface Playground {
  readonly port: number;
  /** https://127.0.0.1:PORT */
  readonly server: string;
  readonly token: string;
  /** Certificate of the authority to trust, PEM. */
  readonly authority: string;
  readonly kubeconfig: string;
  /** The state, for tests. */
  readonly world: World;
  /** Ends every stream and stops listening. */
  close(): Promise<void>;
}

/** Milliseconds after which an unused connection is closed. */
const idle = 90_000;

/** Starts a playground on loopback. Throws when the port is taken or the seed is unknown. */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const clock = options.clock ?? systemClock;
  const issued = options.certificates ?? issueCertificates();
  const token = options.token ?? randomBytes(24).toString('hex');
  const company = options.seed === 'company';
  const file = company ? historyFile(options) : undefined;
  const history = file === undefined ? undefined : readHistory(file, clock.now());
  const limit = options.history ?? (company ? 3_000 : 10_000);
  const store = new Store(limit, company ? 4_811_200 : 1, history?.store);
  const world: World = {
    store,
    registry: loadRegistry(),
    clock,
    chance: options.chance === undefined ? machineChance() : keyedChance(options.chance, store.memory),
    trust: {},
  };
  const tokens = new Tokens(new AccountTokens(world.store));
  tokens.add(token, administrator);
  const stopLife = plant(world, {
    seed: options.seed ?? 'none',
    controllers: options.controllers ?? false,
    activity: options.activity ?? true,
    churn: options.churn ?? 0,
    ...(history === undefined ? {} : { history }),
    ...(file === undefined ? {} : { onPlayed: (played) => writeHistory(file, played) }),
  });
  const certificates = await issued;
  publishAuthority(world, certificates.authority);
  const streams = new Set<() => void>();
  let address = '';
  const api: Api = { world: stopLife.world, tokens, streams, address: () => address };
  const server = createSecureServer(
    {
      key: certificates.key,
      cert: certificates.certificate,
      allowHTTP1: true,
      settings: { maxConcurrentStreams: 1000 },
    },
    (request, response) => {
      // Clients take an API server's clock from it; Node's own header is by the machine's.
      response.setHeader('date', new Date(clock.answerDate?.() ?? clock.now()).toUTCString());
      // The client left before the answer was complete.
      handle(api, request, response).catch(() => response.stream?.destroy());
    },
  );
  // The API server's idle timeout for HTTP/1; Node's types lack this option here.
  Object.assign(server, { keepAliveTimeout: idle });
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Loaded on first use: most playgrounds never run a terminal.
    import('./exec/upgrade.ts').then(
      ({ serveUpgrade }) => serveUpgrade(api, request, socket, head),
      () => socket.destroy(),
    );
  });
  server.on('sessionError', () => undefined);
  server.on('tlsClientError', () => undefined);
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  address = `127.0.0.1:${port}`;
  const url = `https://${address}`;
  return {
    port,
    server: url,
    token,
    authority: certificates.authority,
    kubeconfig: kubeconfig(options.name ?? 'playground', url, certificates.authority, token),
    world: stopLife.world,
    close: async () => {
      stopLife.stop();
      for (const end of Array.from(streams)) end();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function listen(server: Http2SecureServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function handle(api: Api, request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
  const url = new URL(request.url, 'https://playground');
  response.on('error', () => undefined);
  request.on('error', () => undefined);
  await serve(
    api,
    {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: () => readBody(request),
    },
    response,
  );
}
