import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ClientConfig } from 'pg';
import { parse } from 'yaml';
import { z } from 'zod';
import { startRoundRobin } from '../round-robin.ts';
import { createDatabase, type FreshDatabase } from '../test-postgres.ts';
import { database as embeddedDatabase, role } from '../../src/server/store/embedded/names.ts';

const root = resolve(import.meta.dirname, '../..');

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}

/** A process of the product and what it printed. */
export interface Running {
  readonly process: ChildProcess;
  output(): string;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  /** Waits for a line in the output; throws with all of it when the process ends first. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it with a signal and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** @param isApart whether a Ctrl-C in the terminal does not reach it: who started it ends it */
function run(args: readonly string[], env: NodeJS.ProcessEnv, isApart = false): Running {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: isApart,
  });
  let text = '';
  const waiting = new Set<() => void>();
  const heard = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const check of waiting) check();
  };
  child.stdout.on('data', heard);
  child.stderr.on('data', heard);
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  // However this process ends, it leaves nothing running.
  const end = (): void => {
    child.kill('SIGTERM');
  };
  process.once('exit', end);
  void ended.then(() => process.off('exit', end));
  return {
    process: child,
    output: () => text,
    ended,
    line: (pattern) =>
      new Promise((found, fail) => {
        const check = (): void => {
          const match = pattern.exec(text);
          if (match === null) return;
          waiting.delete(check);
          found(match);
        };
        waiting.add(check);
        void ended.then((code) => {
          check();
          fail(new Error(`The process ended with ${code} before it said ${pattern}:\n${text}`));
        });
        check();
      }),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The product as a newcomer starts it, on a data folder of its own. */
export interface Product {
  /** Where people open it; of several servers, their round-robin. */
  readonly url: string;
  readonly dataDir: string;
  /** The set-up link it printed at its first start. */
  readonly setupLink: string;
  output(): string;
  /** How to connect to its database. */
  databaseConnection(): Promise<ClientConfig>;
  /** Stops every process of its embedded database, as a machine that hangs does, until what this gives is called. */
  freezeDatabase(): Promise<() => void>;
  /** Runs an operator command (`npm run admin`) and gives what it says; throws where it fails. */
  admin(...args: readonly string[]): Promise<string>;
  /** Stops it, if it runs, and starts it again on the same data and port. */
  restart(): Promise<void>;
  /** Stops it and keeps its data; gives the exit code. */
  stop(): Promise<number | null>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** The environment variable that says where the run's PostgreSQL is; without it every product brings its own. */
export const postgresVariable = 'E2E_POSTGRES';

/**
 * How many servers a product with a database in the run's PostgreSQL has, behind a round-robin: `npm run soak -- --e2e`
 * says so. One without the variable, and of every other product.
 */
const serversVariable = 'E2E_SERVERS';

/** How many servers each product of this run has that can have several. */
export const serversOfRun = (): number => Number(process.env[serversVariable] ?? 1);

const postgresOfRun = z.object({ socket: z.string(), password: z.string() });

/** A database in the run's PostgreSQL for a product that needs no embedded one: as the playground does. */
async function sharedDatabase(env: Readonly<Record<string, string>>): Promise<FreshDatabase | undefined> {
  const postgres = process.env[postgresVariable];
  if (postgres === undefined || env['WHEELHOUSE_PLAYGROUND'] !== 'off') return undefined;
  return await createDatabase(postgresOfRun.parse(JSON.parse(postgres)));
}

/** How to connect to the embedded database of a product. */
async function embeddedConnection(dataDir: string, output: string): Promise<ClientConfig> {
  // Line 5 of PostgreSQL's own note is the folder of its socket.
  const note = await postmasterNote(dataDir, output);
  const password = await readFile(join(dataDir, 'database.password'), 'utf8');
  return {
    host: note.split('\n')[4] ?? '',
    user: role,
    password: password.trim(),
    database: embeddedDatabase,
  };
}

// As root it lives apart from the data.
const postmasterNote = (dataDir: string, output: string): Promise<string> =>
  readFile(join(databaseFiles(dataDir, output), 'cluster/postmaster.pid'), 'utf8');

const databaseFiles = (dataDir: string, output: string): string =>
  /The database's files are in ([^:]+):/.exec(output)?.[1] ?? join(dataDir, 'postgres');

/**
 * Starts the product the way `npm start` does, or by a program of one's own (a path, relative to the project's root). With
 * its playground it brings its own PostgreSQL; without, it has a database in that of the run, where there is one.
 */
export async function startProduct(
  env: Readonly<Record<string, string>> = {},
  program = 'src/server/start.mjs',
  ...args: readonly string[]
): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wheelhouse-e2e-'));
  const database = await sharedDatabase(env);
  const count = database === undefined ? 1 : serversOfRun();
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const roundRobin = count > 1 ? await startRoundRobin() : undefined;
  const url = roundRobin?.url ?? `http://127.0.0.1:${ports[0]}`;
  const databaseEnv =
    database === undefined
      ? {}
      : {
          DATABASE_URL: database.url,
          WHEELHOUSE_SECRET_KEY: `e2e:${randomBytes(32).toString('base64')}`,
        };
  const environment = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(ports[0]),
    WHEELHOUSE_DATA: dataDir,
    ...databaseEnv,
    ...(roundRobin === undefined ? {} : { WHEELHOUSE_URL: url }),
    ...env,
  };
  const startOne = async (port?: number): Promise<Running> => {
    const own = port === undefined ? environment : { ...environment, PORT: String(port) };
    const one = run([resolve(root, program), ...args], own);
    await one.line(/Wheelhouse is at/);
    return one;
  };
  // The first one sets the store up, and says the link.
  const startAll = async (): Promise<readonly [Running, ...Running[]]> => {
    const first = await startOne();
    const others = await Promise.all(ports.slice(1).map(startOne));
    roundRobin?.serve(ports);
    return [first, ...others];
  };
  let running = await startAll();
  const [setupLink] = await running[0].line(/http:\S+\/login#setup=\S+/);
  const stop = async (): Promise<number | null> => {
    const codes = await Promise.all(
      running.map(async (one) => (one.process.exitCode === null ? await one.stop() : one.process.exitCode)),
    );
    return codes.find((code) => code !== 0) ?? 0;
  };
  const output = (): string => running.map((one) => one.output()).join('\n');
  return {
    url,
    dataDir,
    setupLink,
    output,
    databaseConnection: async () =>
      database === undefined
        ? await embeddedConnection(dataDir, output())
        : { connectionString: database.url },
    freezeDatabase: async () => {
      const postmaster = Number((await postmasterNote(dataDir, output())).split('\n')[0]);
      // Once it stands still, it starts no others.
      process.kill(postmaster, 'SIGSTOP');
      const backends = execFileSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' });
      const pids = [postmaster, ...backends.trim().split('\n').map(Number)];
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      return () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      };
    },
    admin: async (...command) => {
      const done = run([join(root, 'src/server/start.mjs'), 'admin', ...command], environment);
      if ((await done.ended) !== 0) throw new Error(`The operator command failed: ${done.output()}`);
      return done.output();
    },
    restart: async () => {
      await stop();
      running = await startAll();
    },
    stop,
    remove: async () => {
      await stop();
      await roundRobin?.close();
      await database?.drop();
      for (const folder of [databaseFiles(dataDir, output()), dataDir])
        await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A playground of its own, as any cluster that is added by pasting its kubeconfig. */
export interface SecondCluster {
  readonly kubeconfig: string;
  readonly kubeconfigFile: string;
  /** https://127.0.0.1:PORT */
  readonly server: string;
  readonly token: string;
  /** The authority to trust, PEM. */
  readonly authority: string;
  /** Calls its own API as administrator, past the console; PATCH merges. Throws when it refuses. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The pods of a namespace by the beginning of their names, without those that are going. */
  podNames(namespace: string, prefix: string): Promise<string[]>;
  stop(): Promise<void>;
}

const podList = z.object({
  items: z.array(
    z.object({ metadata: z.object({ name: z.string(), deletionTimestamp: z.string().optional() }) }),
  ),
});

const credentials = z.object({
  clusters: z.tuple([z.object({ cluster: z.object({ 'certificate-authority-data': z.base64() }) })]),
  users: z.tuple([z.object({ user: z.object({ token: z.string() }) })]),
});

function credentialsOf(kubeconfig: string): { token: string; authority: string } {
  const { clusters, users } = credentials.parse(parse(kubeconfig));
  const data = clusters[0].cluster['certificate-authority-data'];
  return { token: users[0].user.token, authority: Buffer.from(data, 'base64').toString('utf8') };
}

/** Starts a second playground process. */
export const startSecondCluster = (...args: readonly string[]): Promise<SecondCluster> => startCluster(args);

/** The same; `isApart`: one that a Ctrl-C in the terminal does not end, as whoever started it does. */
export async function startCluster(args: readonly string[], isApart = false): Promise<SecondCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-e2e-cluster-'));
  const file = join(folder, 'kubeconfig');
  const running = run(
    // What journeys look at stays as they left it.
    [
      join(root, 'src/playground/start.mjs'),
      '--port',
      '0',
      '--kubeconfig',
      file,
      ...(args.includes('--activity') ? [] : ['--activity', 'off']),
      ...args,
    ],
    process.env,
    isApart,
  );
  const [, server = ''] = await running.line(/"server":"([^"]+)"/);
  const kubeconfig = await readFile(file, 'utf8');
  const { token, authority } = credentialsOf(kubeconfig);
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await new Promise<{ status: number; text: string }>((done, fail) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        'content-length': Buffer.byteLength(text),
      };
      const sent = request(new URL(path, server), { method, ca: authority, headers }, (response) => {
        let answered = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (answered += chunk));
        response.on('end', () => done({ status: response.statusCode ?? 0, text: answered }));
      });
      sent.on('error', fail);
      sent.end(text);
    });
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text);
  };
  return {
    kubeconfig,
    kubeconfigFile: file,
    server,
    token,
    authority,
    call,
    podNames: async (namespace, prefix) =>
      podList
        .parse(await call('GET', `/api/v1/namespaces/${namespace}/pods`))
        .items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.startsWith(prefix)),
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
