import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { orgRoles, type Permission, type TeamRole } from '../../src/contract/permissions.ts';
import { createGrants } from '../../src/server/access/grants.ts';
import { createSessions } from '../../src/server/access/sessions.ts';
import { createApp } from '../../src/server/boot/app.ts';
import type { Ends } from '../../src/server/boot/ends.ts';
import { openServices } from '../../src/server/boot/services.ts';
import { type Clock, systemClock } from '../../src/server/kit/clock.ts';
import type { Config } from '../../src/server/kit/config.ts';
import { xsrfTokenOf } from '../../src/server/http/cookies.ts';
import { startPlaygroundProcess } from '../../src/server/boot/playground-process.ts';
import type { Services } from '../../src/server/http/services.ts';
import { openStore } from '../../src/server/store/open.ts';
import { users } from '../../src/server/store/schema/accounts.ts';
import { clusters } from '../../src/server/store/schema/clusters.ts';
import { companies } from '../../src/server/store/schema/companies.ts';
import { memberships } from '../../src/server/store/schema/memberships.ts';
import { teamClusters, teamMembers, teams } from '../../src/server/store/schema/teams.ts';
import type { Store } from '../../src/server/store/store.ts';
import { createVault } from '../../src/server/store/vault.ts';
import { cheapHash } from './cheap-hash.ts';
import { TestClient } from './http-client.ts';
import { narrowed } from './narrowed.ts';
import { freshDatabase } from './postgres.ts';
import { untilReady } from './until-ready.ts';

/**
 * What a test console may be given; everything has a sensible value without it. With `config: { playground: true }` a
 * living playground is the cluster of the first company.
 */
export interface ConsoleOptions {
  readonly config?: Partial<Config>;
  /** The machine's own without it. */
  readonly clock?: Clock;
  readonly pageDir?: string;
  /** Settings of the database's sessions, as its command line takes them. */
  readonly databaseOptions?: string;
  /** How late the event loop may be before calls are turned away, ms; never without it: test machines are busy. */
  readonly overloadedAt?: number;
  /** Arguments of the playground's process, e.g. `['--seed', 'bulk:50']`. */
  readonly playgroundArguments?: readonly string[];
  readonly onCompanyCreated?: Services['onCompanyCreated'];
  readonly tracer?: Services['tracer'];
}

/** A signed-in person of a test. */
export interface TestPerson {
  readonly id: number;
  readonly email: string;
  readonly client: TestClient;
}

/** A whole API host over its own database, and the means to people it. */
export interface TestConsole {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly store: Store;
  /** Every line of the log, parsed. */
  readonly log: Record<string, unknown>[];
  /** A browser that is signed out. */
  visitor(): TestClient;
  company(name?: string): Promise<number>;
  /** A person with a session, made in the store. Without a company: `companyId: null`. */
  person(input: {
    companyId: number | null;
    isOwner?: boolean;
    password?: string;
    email?: string;
  }): Promise<TestPerson>;
  /** Another session of a person, in one of their companies. */
  session(userId: number, companyId: number): Promise<TestClient>;
  /** A cluster row whose API server nothing listens on. */
  cluster(companyId: number, name?: string): Promise<number>;
  /** A team without members that reaches nothing. */
  team(companyId: number): Promise<number>;
  /** Puts a person into a team. */
  join(companyId: number, teamId: number, userId: number, role: TeamRole): Promise<void>;
  /** Makes a team with this person in this role that reaches this cluster. */
  grant(
    companyId: number,
    userId: number,
    clusterId: number,
    role: TeamRole,
    namespaces?: readonly string[] | null,
  ): Promise<number>;
  /** Leaves somebody only these permissions of those that their grants give them, as a later role might. */
  narrow(userId: number, permissions: readonly Permission[]): void;
  close(): Promise<void>;
}

/** The password of people made with `password: testPassword`. */
export const testPassword = 'correct horse battery staple';

const unique = () => randomBytes(4).toString('hex');

/** Starts a console on a free port of 127.0.0.1. */
export async function startConsole(options: ConsoleOptions = {}): Promise<TestConsole> {
  const database = await freshDatabase();
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    url: null,
    hasSecureSubdomains: false,
    dataDir: join(tmpdir(), 'wheelhouse-unused'),
    databaseUrl:
      options.databaseOptions === undefined
        ? database.url
        : `${database.url}&options=${encodeURIComponent(options.databaseOptions)}`,
    secretKey: null,
    allowCidrs: [],
    issuerCidrs: [],
    metricsSourceCidrs: [],
    trustedProxies: [],
    helpUrl: null,
    kubeconfigFile: null,
    playground: false,
    isSignupOpen: false,
    mail: null,
    setup: null,
    providers: [],
    metricsToken: null,
    webhooks: { allowPorts: [], allowCidrs: [] },
    auditStreams: { file: null, allowPorts: [], allowCidrs: [], sent: 'audit' },
    billing: null,
    ai: null,
    modelPolicy: { allowPorts: [], allowCidrs: [] },
    peerAddress: null,
    logLevel: 'debug',
    ...options.config,
  };
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: config.logLevel },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString('utf8')) as Record<string, unknown>);
        done();
      },
    }),
  );
  const clock = options.clock ?? systemClock;
  const ends: Ends = [() => database.drop()];
  const store = await openStore(config, log);
  ends.push(() => store.close());
  // Servers of one database share their key: what one has sealed the other opens.
  const place = (config.databaseUrl ?? database.url).replace(/&options=.*/, '');
  const key = createHash('sha256').update(place).digest();
  const vault = createVault({ current: 'test', keys: new Map([['test', key]]) });
  const { grants, narrow, narrowedStore } = narrowed(createGrants(store));
  const playground = config.playground ? startPlaygroundProcess(log, options.playgroundArguments) : undefined;
  if (playground !== undefined) {
    ends.push(() => playground.close());
    await untilReady(playground);
  }
  const services = await openServices(
    {
      config,
      log,
      clock,
      store,
      vault,
      playground,
      rightsFrom: { grants, store: narrowedStore(store) },
      tracer: options.tracer,
      build: 'test-build',
      pageDir: options.pageDir ?? null,
      onCompanyCreated: options.onCompanyCreated,
    },
    ends,
  );
  const app = createApp(services, { overloadedAt: options.overloadedAt ?? 0 });
  ends.push(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const sessions = createSessions(store, clock);
  const { db } = store;

  const only = <T>(rows: readonly T[]): T => {
    const [row] = rows;
    if (row === undefined) throw new Error('Nothing was stored.');
    return row;
  };

  const startSession = async (userId: number, companyId?: number) => {
    const client = new TestClient(url, config.url ?? undefined);
    const origin = { userAgent: 'test', address: '127.0.0.1' };
    const token = await sessions.start(userId, companyId === undefined ? origin : { ...origin, companyId });
    client.cookies.set(client.sessionCookie, token);
    client.cookies.set(client.xsrfCookie, xsrfTokenOf(token));
    return client;
  };
  const makeTeam = async (companyId: number) => {
    const values = { companyId, name: `team ${unique()}` };
    return only(await db.insert(teams).values(values).returning()).id;
  };
  const joinTeam = async (companyId: number, teamId: number, userId: number, role: TeamRole) => {
    await db.insert(teamMembers).values({ companyId, teamId, userId, role });
  };

  return {
    url,
    app,
    services,
    store,
    log: lines,
    visitor: () => new TestClient(url, config.url ?? undefined),
    async company(name = `company ${unique()}`) {
      return only(await db.insert(companies).values({ name }).returning()).id;
    },
    async person({ companyId, isOwner = false, password, email = `${unique()}@example.org` }) {
      const row = only(
        await db
          .insert(users)
          .values({
            email,
            name: 'Robin Example',
            mayFoundCompany: companyId === null,
            passwordHash: password === undefined ? null : await cheapHash(password),
          })
          .returning(),
      );
      if (companyId !== null) {
        const orgRole = isOwner ? orgRoles.Owner : orgRoles.Member;
        await db.insert(memberships).values({ userId: row.id, companyId, orgRole });
      }
      return { id: row.id, email, client: await startSession(row.id) };
    },
    session: startSession,
    async cluster(companyId, name = `cluster ${unique()}`) {
      const values = { companyId, name, source: 'operator', server: 'https://127.0.0.1:1', colour: 1 };
      return only(await db.insert(clusters).values(values).returning()).id;
    },
    team: makeTeam,
    join: joinTeam,
    async grant(companyId, userId, clusterId, role, namespaces = null) {
      const teamId = await makeTeam(companyId);
      await joinTeam(companyId, teamId, userId, role);
      await db
        .insert(teamClusters)
        .values({ companyId, teamId, clusterId, namespaces: namespaces === null ? null : [...namespaces] });
      return teamId;
    },
    narrow,
    async close() {
      for (const end of ends.reverse()) await end();
    },
  };
}
