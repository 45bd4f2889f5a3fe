import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type AppOptions, createApp } from './app.ts';
import { reviewCarriedOver } from './carried-over.ts';
import { createClusterWorkEnd } from './cluster-work.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import type { Config } from '../kit/config.ts';
import { serveDevelopment } from './dev-server.ts';
import { type Ends, unwind } from './ends.ts';
import { type FirstStart, prepareFirstStart } from './first-start.ts';
import { createLog } from '../kit/log.ts';
import { type PlaygroundProcess, startPlaygroundProcess } from './playground-process.ts';
import { removePlaygroundRow } from './playground-row.ts';
import { type OpenServices, openServices } from './services.ts';
import type { Services } from '../http/services.ts';
import { StartError } from '../kit/start-error.ts';
import { openTracer } from '../kit/tracer.ts';
import type { EmbeddedOptions } from '../store/embedded/supervisor.ts';
import { openKeys } from '../store/open-vault.ts';
import { type OpenStore, openStore } from '../store/open.ts';
import { leaveServers } from '../store/shared-keys.ts';

/** A call that is being answered when the console closes has this long to end, ms. */
const answerLimit = 3_000;
/** Meanwhile connections without a call are looked for so often, ms. */
const reapInterval = 50;

/** How a console is opened, beside its configuration. */
export interface ConsoleOptions extends AppOptions {
  /** Hash of the page's build. */
  readonly build: string;
  /** Folder of the built page; null where no page is served. */
  readonly pageDir: string | null;
  /** Serves the page from its sources, by Vite. */
  readonly isDevelopment?: boolean;
  readonly log?: Logger;
  /** Arguments of the playground's process, e.g. `['--seed', 'none']`. */
  readonly playgroundArguments?: readonly string[];
  readonly embedded?: EmbeddedOptions;
  /** The machine's own without it. */
  readonly clock?: Clock;
  /** Called once where all other servers have moved to a key that this one does not have: it has to end. */
  readonly onUnfit?: (error: StartError) => void;
}

/** A console that listens. */
export interface OpenConsole {
  /** Where people open it, without a slash at the end. */
  readonly url: string;
  /** Where this process listens: the same without WHEELHOUSE_URL. */
  readonly address: string;
  readonly services: Services;
  readonly store: OpenStore;
  readonly firstStart: FirstStart;
  /** Process id of the playground, undefined without one. */
  playgroundPid(): number | undefined;
  /** Unready at once, then everything ends in order. */
  close(): Promise<void>;
}

/**
 * Puts the whole server together and listens. Throws StartError with what to do, and leaves nothing running then.
 */
export async function openConsole(config: Config, options: ConsoleOptions): Promise<OpenConsole> {
  const log = options.log ?? createLog(config);
  const clock = options.clock ?? systemClock;
  const ends: Ends = [];
  try {
    const collected = await openTracer(process.env, (sentence) => log.warn(sentence));
    if (collected !== undefined) ends.push(() => collected.close());
    const store = await openStore(config, log, options.embedded);
    ends.push(() => store.close());
    void reviewCarriedOver(store, config, log);
    const server = randomBytes(6).toString('hex');
    const keys = await openKeys(config, store, { log, server, onUnfit: options.onUnfit });
    ends.push(() => leaveServers(store, server));
    const { vault } = keys;
    let playground: PlaygroundProcess | undefined;
    if (config.playground) {
      const started = startPlaygroundProcess(log, options.playgroundArguments);
      playground = started;
      ends.push(() => started.close());
    } else {
      await removePlaygroundRow(store, createClusterWorkEnd(store, vault));
    }
    const { build, pageDir } = options;
    const self = { server, keys };
    const opened = await openServices(
      { config, log, clock, store, vault, self, playground, tracer: collected, build, pageDir },
      ends,
    );
    // In development Vite shares our server, which therefore listens before the app is made.
    const shared = options.isDevelopment === true ? await listenFirst(config, ends) : null;
    const services: OpenServices =
      shared === null ? opened : { ...opened, config: { ...config, port: portOf(shared) }, pageDir: null };
    const app = createApp(services, options);
    ends.push(() => closeApp(app));
    if (shared === null) await listen(config, () => app.listen({ host: config.host, port: config.port }));
    else {
      const development = await serveDevelopment(app, shared, config.helpUrl !== null);
      ends.push(() => development.close());
    }
    const port = portOf(shared ?? app.server);
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    const address = `http://${host}:${port}`;
    const url = config.url?.origin ?? address;
    const firstStart = await prepareFirstStart(store, config, url, clock.now());
    if (firstStart.kind === 'created') await services.clusters.adopt();
    let closing: Promise<void> | null = null;
    return {
      url,
      address,
      services,
      store,
      firstStart,
      playgroundPid: () => playground?.pid(),
      close() {
        app.drain();
        closing ??= unwind(ends, log);
        return closing;
      },
    };
  } catch (error) {
    await unwind(ends, log);
    throw error;
  }
}

/** Waits for calls that are under way, but not for ever: a stalled one is cut off. */
async function closeApp(app: ReturnType<typeof createApp>): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), answerLimit);
  // A connection that is kept after its last answer is closed as those are that were idle before.
  const reaping = setInterval(() => {
    if (!app.server.listening) app.server.closeIdleConnections();
  }, reapInterval);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
    clearInterval(reaping);
  }
}

async function listenFirst(config: Config, ends: Ends): Promise<Server> {
  const server = createServer();
  await listen(config, async () => {
    server.listen({ host: config.host, port: config.port });
    await once(server, 'listening');
  });
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

async function listen(config: Config, begin: () => Promise<unknown>): Promise<void> {
  try {
    await begin();
  } catch (error) {
    throw listenFailure(config, error);
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listenFailure(config: Config, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const place = `${config.host}:${config.port}`;
  if (code === 'EADDRINUSE')
    return new StartError(
      `Another program already listens on ${place}. Stop it, or choose another port: PORT=8081 npm start`,
      { cause: error },
    );
  if (code === 'EACCES')
    return new StartError(`This user may not listen on ${place}. Choose a PORT above 1023.`, {
      cause: error,
    });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`HOST is "${config.host}", which is not an address of this machine.`, {
      cause: error,
    });
  return error;
}
