import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { kinds } from '../../../commands/kinds/index.ts';
import { OpenRights } from '../access/open-rights.ts';
import { createGrants } from '../access/grants.ts';
import { createApp } from './app.ts';
import { reviewCarriedOver } from './carried-over.ts';
import { createClusterWorkEnd } from './cluster-work.ts';
import { createDirectory } from '../clusters/stored-directory.ts';
import type { Config } from '../kit/config.ts';
import { serveDevelopment } from './dev-server.ts';
import { type FirstStart, prepareFirstStart } from './first-start.ts';
import { createHub } from '../live/page/hub.ts';
import { createLog } from '../kit/log.ts';
import { Measures } from '../kit/measures.ts';
import type { ShareLimits } from '../kit/shares.ts';
import { type PlaygroundProcess, startPlaygroundProcess } from './playground-process.ts';
import { removePlaygroundRow } from './playground-row.ts';
import { createSearchIndex } from '../search/search.ts';
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
export interface ConsoleOptions {
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
  /** The time in ms. */
  readonly now?: () => number;
  /** How late the event loop may be before calls are turned away, ms; 0: never. */
  readonly overloadedAt?: number;
  /** Called once where all other servers have moved to a key that this one does not have: it has to end. */
  readonly onUnfit?: (error: StartError) => void;
  /** How many calls are worked on at a time, and how many may wait. */
  readonly callShares?: ShareLimits;
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

/** Runs clean-ups last to first; one that fails stops no other. */
async function unwind(steps: (() => Promise<void>)[], log: Logger): Promise<void> {
  for (const step of steps.reverse()) {
    try {
      await step();
    } catch (error) {
      log.error({ err: error }, 'A part did not end well');
    }
  }
}

/**
 * Puts the whole server together and listens. Throws StartError with what to do, and leaves nothing running then.
 */
export async function openConsole(config: Config, options: ConsoleOptions): Promise<OpenConsole> {
  const log = options.log ?? createLog(config);
  const now = options.now ?? Date.now;
  const ends: (() => Promise<void>)[] = [];
  try {
    const collected = await openTracer(process.env, (sentence) => log.warn(sentence));
    if (collected !== undefined) ends.push(() => collected.close());
    const measures = new Measures();
    const store = await openStore(config, log, options.embedded);
    ends.push(() => store.close());
    void reviewCarriedOver(store, config, log);
    const server = randomBytes(6).toString('hex');
    const keys = await openKeys(config, store, { log, server, onUnfit: options.onUnfit });
    ends.push(() => leaveServers(store, server));
    const { vault } = keys;
    const endWork = createClusterWorkEnd(store, vault);
    let playground: PlaygroundProcess | undefined;
    if (config.playground) {
      const started = startPlaygroundProcess(log, options.playgroundArguments);
      playground = started;
      ends.push(() => started.close());
    } else {
      await removePlaygroundRow(store, endWork);
    }
    const grants = createGrants(store);
    const rights = new OpenRights({ store, log });
    ends.push(async () => rights.close());
    const clusters = await createDirectory({
      config,
      store,
      vault,
      log,
      endWork,
      playground,
      tracer: measures.measured(collected),
    });
    ends.push(() => clusters.close());
    const hub = createHub({ grants, rights, clusters, store, kinds, build: options.build, log, measures });
    const search = createSearchIndex({
      clusters,
      kinds,
      definedKinds: (row, onChange) => hub.live(row).definedKinds(onChange),
      log,
    });
    ends.push(async () => search.close());
    // In development Vite shares our server, which therefore listens before the app is made.
    const shared = options.isDevelopment === true ? await listenFirst(config, ends) : null;
    const services: Services = {
      config: shared === null ? config : { ...config, port: portOf(shared) },
      log,
      store,
      vault,
      self: { server, keys },
      grants,
      rights,
      clusters,
      hub,
      search,
      tracer: collected,
      measures,
      build: options.build,
      pageDir: shared === null ? options.pageDir : null,
      onCompanyCreated: () => clusters.adopt(),
    };
    const app = createApp(services, now, options.overloadedAt, options.callShares);
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
    const firstStart = await prepareFirstStart(store, config, url, now());
    if (firstStart.kind === 'created') await clusters.adopt();
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

async function listenFirst(config: Config, ends: (() => Promise<void>)[]): Promise<Server> {
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
