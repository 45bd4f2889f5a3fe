import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { type Logger, pino } from 'pino';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { WebSocketServer } from 'ws';
import { kinds } from '../../../commands/kinds/index.ts';
import { orgRoles, type Permission, type TeamRole } from '../../../src/contract/permissions.ts';
import { createGrants, noSuchCluster } from '../../../src/server/access/grants.ts';
import { OpenRights } from '../../../src/server/access/open-rights.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { Member } from '../../../src/server/access/person.ts';
import type { LiveTransport } from '../../../src/server/clusters/transport.ts';
import { type Clock, systemClock } from '../../../src/server/kit/clock.ts';
import { Measures } from '../../../src/server/kit/measures.ts';
import { MemoryBudget } from '../../../src/server/kit/memory-budget.ts';
import { createHub, type Hub } from '../../../src/server/live/page/hub.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { teamClusters, teamMembers, teams } from '../../../src/server/store/schema/teams.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { narrowed } from '../narrowed.ts';
import { freshDatabase } from '../postgres.ts';
import { type LiveClient, openLive } from './live-client.ts';
import { createScriptedTransport, listOf, podOf, type ScriptedTransport } from './script-transport.ts';
import { sendNotice } from '../notice.ts';

/** A hub over a real store and real sockets; only the ways to the clusters are the test's. */
export interface LiveConsole {
  readonly hub: Hub;
  readonly store: Store;
  readonly measures: Measures;
  readonly companyId: number;
  /** A cluster of the company, reached by this transport. */
  cluster(
    transport: LiveTransport,
    input?: { companyId?: number; namespaces?: string[]; name?: string },
  ): Promise<number>;
  /** Exchanges the way to a cluster, as if its credential had been replaced. */
  replace(clusterId: number, transport: LiveTransport): Promise<void>;
  /** The same while nobody is told of it. */
  replaceQuietly(clusterId: number, transport: LiveTransport): void;
  /** While true, grants cannot be read. */
  isStoreAway: boolean;
  /** Answers about grants are given only once this is over; they are of the moment they were asked. */
  grantsAnswer: Promise<void>;
  /** How many answers about grants were given. */
  grantsAnswered: number;
  /** Takes a cluster out of store and directory. */
  remove(clusterId: number): Promise<void>;
  /** Leaves somebody only these permissions of those that their grants give them, as a later role might. */
  narrow(person: Member, permissions: readonly Permission[]): Promise<void>;
  company(): Promise<number>;
  person(input?: { companyId?: number; isOwner?: boolean }): Promise<Member>;
  /** The same person in another session. */
  session(person: Member): Promise<Member>;
  /** Makes a team of this person, in this role, on this cluster; returns its end. */
  grant(person: Member, clusterId: number, role: TeamRole): Promise<() => Promise<void>>;
  /** A page of this person. */
  open(person: Member): Promise<LiveClient>;
  close(): Promise<void>;
}

const unique = () => randomBytes(4).toString('hex');

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('Nothing was stored.');
  return row;
}

/** Starts a hub on a free port of 127.0.0.1. */
export async function startLive(clock: Clock = systemClock): Promise<LiveConsole> {
  const database = await freshDatabase();
  const log: Logger = pino({ level: 'silent' });
  const store = await openStore({ databaseUrl: database.url, dataDir: '' }, log);
  const { db } = store;
  const transports = new Map<number, LiveTransport>();
  const listeners = new Set<(clusterId: number) => void>();
  const people = new Map<string, Member>();
  const { grants, narrow, narrowedStore } = narrowed(createGrants(store));
  const failWhileAway = () => {
    // As PostgreSQL says when it is shut down.
    if (console.isStoreAway) throw Object.assign(new Error('The store is away.'), { code: '57P01' });
  };
  const execute: Store['db']['execute'] = (async (query: never) => {
    failWhileAway();
    return await db.execute(query);
  }) as never;
  const seen = { ...store, db: Object.assign(Object.create(db) as Store['db'], { execute }) };
  const rights = new OpenRights({ store: narrowedStore(seen), log, clock });
  const measures = new Measures();
  const memory = new MemoryBudget(clock);
  const hub = createHub({
    grants: {
      ...grants,
      access: async (...asked) => {
        failWhileAway();
        const answer = await grants.access(...asked);
        await console.grantsAnswer;
        console.grantsAnswered += 1;
        return answer;
      },
    },
    clusters: {
      transport: async (id) => {
        const transport = transports.get(id);
        if (transport === undefined) throw noSuchCluster();
        return await Promise.resolve(transport);
      },
      namespaces: async (id) => {
        const [row] = await db.select().from(clusters).where(eq(clusters.id, id));
        return row?.namespaces ?? [];
      },
      probe: () => Promise.resolve({ status: 'unknown' }),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onGrants: (listener) => store.channel.on('grants', ({ companyId }) => listener(companyId)),
    },
    rights,
    store: seen,
    kinds,
    build: 'test-build',
    log,
    clock,
    memory,
    measures,
  });
  const server = createServer();
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: { serverNoContextTakeover: true },
  });
  server.on('upgrade', (request, socket, head) => {
    const person = people.get(String(request.headers.cookie));
    if (person === undefined) socket.destroy();
    else sockets.handleUpgrade(request, socket, head, (webSocket) => hub.connect(webSocket, person, socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const makeCompany = async () =>
    only(
      await db
        .insert(companies)
        .values({ name: `company ${unique()}` })
        .returning(),
    ).id;
  const companyId = await makeCompany();
  const startSession = async (userId: number, inCompany: number) => {
    const sessionHash = createHash('sha256').update(unique()).digest('hex');
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const tokenHash = Buffer.from(sessionHash, 'hex');
    await db
      .insert(sessions)
      .values({ tokenHash, userId, companyId: inCompany, idleExpiresAt: later, expiresAt: later });
    return sessionHash;
  };
  const clients = new Set<LiveClient>();
  const changed = async (company: number, clusterId: number) => {
    for (const listener of listeners) listener(clusterId);
    await sendNotice(store, 'clusters', { companyId: company, clusterId });
  };

  const console: LiveConsole = {
    hub,
    store,
    measures,
    companyId,
    isStoreAway: false,
    grantsAnswer: Promise.resolve(),
    grantsAnswered: 0,
    async narrow(person, permissions) {
      narrow(person.id, permissions);
      await sendNotice(store, 'grants', { companyId: person.companyId });
    },
    company: makeCompany,
    async cluster(transport, input = {}) {
      const row = only(
        await db
          .insert(clusters)
          .values({
            companyId: input.companyId ?? companyId,
            name: input.name ?? `prod-${unique()}`,
            namespaces: input.namespaces ?? [],
            source: 'kubeconfig',
            server: 'https://10.0.0.1',
            colour: 1,
          })
          .returning(),
      );
      transports.set(row.id, transport);
      return row.id;
    },
    async replace(clusterId, transport) {
      transports.set(clusterId, transport);
      await changed(companyId, clusterId);
    },
    replaceQuietly(clusterId, transport) {
      transports.set(clusterId, transport);
    },
    async remove(clusterId) {
      transports.delete(clusterId);
      await db.delete(clusters).where(eq(clusters.id, clusterId));
      await changed(companyId, clusterId);
    },
    async person(input = {}) {
      const company = input.companyId ?? companyId;
      const row = only(
        await db
          .insert(users)
          .values({
            name: 'Robin',
            email: `${unique()}@example.org`,
          })
          .returning(),
      );
      const orgRole = input.isOwner === true ? orgRoles.Owner : orgRoles.Member;
      await db.insert(memberships).values({ userId: row.id, companyId: company, orgRole });
      return {
        id: row.id,
        companyId: company,
        companyName: '',
        orgRole,
        name: row.name,
        email: row.email,
        sessionHash: await startSession(row.id, company),
        providerId: null,
        token: null,
      };
    },
    session: async (person) => ({ ...person, sessionHash: await startSession(person.id, person.companyId) }),
    async grant(person, clusterId, role) {
      const company = person.companyId;
      const team = only(
        await db
          .insert(teams)
          .values({ companyId: company, name: `team ${unique()}` })
          .returning(),
      );
      await db.insert(teamMembers).values({ companyId: company, teamId: team.id, userId: person.id, role });
      await db.insert(teamClusters).values({ companyId: company, teamId: team.id, clusterId });
      await sendNotice(store, 'grants', { companyId: company });
      return async () => {
        await db.delete(teams).where(eq(teams.id, team.id));
        await sendNotice(store, 'grants', { companyId: company });
      };
    },
    async open(person) {
      people.set(person.sessionHash, person);
      const client = await openLive(url, { cookie: person.sessionHash });
      clients.add(client);
      return client;
    },
    async close() {
      const closed = hub.close();
      for (const client of clients) client.socket.terminate();
      await closed;
      rights.close();
      memory.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await store.close();
      await database.drop();
    },
  };
  return console;
}

/** A console that the tests of a file, or of a part of it, share, with an Owner; the pages that a test opens end with it. */
export interface SharedLive {
  /** There once the tests run. */
  readonly live: LiveConsole;
  /** A page of this person, or of the Owner. */
  open(this: void, person?: Member): Promise<LiveClient>;
  /** A cluster with these pods (two of them, without), and what the test says of it. */
  cluster(
    this: void,
    pods?: readonly KubeObject[],
    input?: Parameters<LiveConsole['cluster']>[1],
  ): Promise<{ readonly transport: ScriptedTransport; readonly id: number }>;
}

/** To be called where tests are declared: it starts the console before them and ends it after them. */
export function shareLive(clock: Clock = systemClock): SharedLive {
  let started: { readonly live: LiveConsole; readonly owner: Member } | undefined;
  const clients: LiveClient[] = [];
  const shared = () => {
    if (started === undefined) throw new Error('The console is there only while tests run.');
    return started;
  };
  beforeAll(async () => {
    const live = await startLive(clock);
    started = { live, owner: await live.person({ isOwner: true }) };
  });
  afterAll(() => started?.live.close());
  afterEach(() => {
    for (const client of clients.splice(0)) client.socket.terminate();
  });
  return {
    get live() {
      return shared().live;
    },
    async open(person) {
      const { live, owner } = shared();
      const client = await live.open(person ?? owner);
      clients.push(client);
      return client;
    },
    async cluster(pods = [podOf('a', '1'), podOf('b', '2', 'Running', 'other')], input = {}) {
      const transport = createScriptedTransport();
      transport.onList = () => listOf('10', [...pods]);
      return { transport, id: await shared().live.cluster(transport, input) };
    },
  };
}
