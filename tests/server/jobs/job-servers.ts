import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { OpenRights } from '../../../src/server/access/open-rights.ts';
import type { JobStart } from '../../../src/server/jobs/job-execution.ts';
import { StoredJobs } from '../../../src/server/jobs/jobs.ts';
import type { Resumption } from '../../../src/server/jobs/resumption.ts';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { type JobRow, jobs } from '../../../src/server/store/schema/jobs.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { createFastClock } from '../live/fast-clock.ts';
import { freshDatabase } from '../postgres.ts';
import { noteSteadySigns } from '../steady-signs.ts';

/** How long tests wait for what servers do in the background. */
export const patience = { timeout: 60_000, interval: 20 };

/** For `beatAt` of a job: its server has been silent for a minute. */
export const aMinuteAgo = sql`now() - interval '1 minute'` as never;

const log = pino({ level: 'silent' });

/** By what another server goes on with a drain. */
export const resumption = (): Resumption => ({
  args: { data: 'stop', unmanaged: 'stop', limit: 10 },
  uid: 'u1',
  needs: [],
  afterCancel: 'The node stays cordoned.',
  cluster: { name: 'prod', isImpersonating: false },
  tokenId: null,
  actor: 'robin@example.org',
  address: '127.0.0.1',
  requestId: 'test',
});

/** Rows of jobs as several servers write them: no server runs but those that a test makes. */
export interface JobServers {
  readonly database: FreshDatabase;
  readonly store: OpenStore;
  readonly clusterId: number;
  /** Whoever began a job may go on with it. */
  readonly grants: never;
  /** A drain that a server released, unless said otherwise. */
  readonly addJob: (more?: Partial<typeof jobs.$inferInsert>) => Promise<JobRow>;
  readonly rowOf: (id: number) => Promise<JobRow | undefined>;
  /** What the audit says of how a job ended. */
  readonly endsOf: (id: number) => Promise<(typeof auditRows.$inferSelect)[]>;
  /** A server, for one test. */
  readonly server: (more?: Partial<ConstructorParameters<typeof StoredJobs>[0]>) => StoredJobs;
  /** A job that runs until it is stopped. */
  readonly waitingJob: (isResumable: boolean, onRun?: () => void) => JobStart;
}

/**
 * One database for the tests of a file; its jobs, and the servers, go with each of them. It counts as one that was never
 * away: servers that are silent are gone.
 */
export function sharedJobServers(makeDatabase: () => Promise<FreshDatabase> = freshDatabase): JobServers {
  const found: { database?: FreshDatabase; store?: OpenStore } = {};
  const ids = { company: 0, cluster: 0, user: 0 };
  const servers: StoredJobs[] = [];
  const rights: OpenRights[] = [];
  let count = 0;
  const there = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('The database was not made yet.');
    return one;
  };
  const cluster = () => ({
    id: ids.cluster,
    companyId: ids.company,
    name: 'prod',
    isImpersonating: false,
  });
  const grants = {
    access: () => Promise.resolve({ held: { may: () => true, isOwner: true }, cluster: cluster() }),
  } as never;

  beforeAll(async () => {
    found.database = await makeDatabase();
    found.store = await openStore({ databaseUrl: found.database.url, dataDir: '/nowhere' });
    const { db } = found.store;
    const [company] = await db.insert(companies).values({ name: 'Example' }).returning();
    ids.company = there(company).id;
    const [user] = await db.insert(users).values({ name: 'Robin', email: 'robin@example.org' }).returning();
    ids.user = there(user).id;
    await db
      .insert(memberships)
      .values({ userId: ids.user, companyId: ids.company, orgRole: orgRoles.Owner });
    const [made] = await db
      .insert(clusters)
      .values({
        companyId: ids.company,
        name: 'prod',
        source: 'kubeconfig',
        server: 'https://prod',
        colour: 1,
      })
      .returning();
    ids.cluster = there(made).id;
  });
  beforeEach(async () => {
    await noteSteadySigns(there(found.store).db);
  });
  afterEach(async () => {
    for (const one of servers.splice(0)) await one.close();
    for (const one of rights.splice(0)) one.close();
    await there(found.store).db.delete(jobs);
  });
  afterAll(async () => {
    await found.store?.close();
    await found.database?.drop();
  });

  return {
    get database() {
      return there(found.database);
    },
    get store() {
      return there(found.store);
    },
    get clusterId() {
      return ids.cluster;
    },
    grants,
    async addJob(more = {}) {
      count += 1;
      const [row] = await there(found.store)
        .db.insert(jobs)
        .values({
          companyId: ids.company,
          clusterId: ids.cluster,
          userId: ids.user,
          actor: 'Robin',
          action: 'node.drain',
          kind: 'node',
          namespace: '',
          name: `node-${count}`,
          title: 'Drain',
          message: '',
          server: '',
          resumption: resumption(),
          ...more,
        })
        .returning();
      return there(row);
    },
    async rowOf(id) {
      const [row] = await there(found.store).db.select().from(jobs).where(eq(jobs.id, id));
      return row;
    },
    endsOf: (id) =>
      there(found.store)
        .db.select()
        .from(auditRows)
        .where(sql`${auditRows.action} like '%.end' and ${auditRows.subject}->>'jobId' = ${String(id)}`),
    server(more = {}) {
      const store = more.store ?? there(found.store);
      const watched = new OpenRights({ store, log });
      rights.push(watched);
      const one = new StoredJobs({
        store,
        grants,
        rights: watched,
        log,
        clock: createFastClock(20),
        ...more,
      });
      servers.push(one);
      return one;
    },
    waitingJob(isResumable, onRun = () => undefined) {
      count += 1;
      return {
        cluster: cluster(),
        person: {
          id: ids.user,
          companyId: ids.company,
          name: 'Robin',
          email: 'robin@example.org',
          token: null,
        },
        action: 'node.drain',
        ref: { kind: 'node', name: `node-${count}` },
        prepared: {
          title: 'Wait',
          namespaces: null,
          needs: [],
          afterCancel: '',
          ...(isResumable ? { again: { args: {}, uid: 'u1' } } : {}),
          run: async ({ signal }: { signal: AbortSignal }) => {
            onRun();
            return await new Promise<string>((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('stopped')));
            });
          },
        },
        address: '127.0.0.1',
        requestId: 'test',
      } as unknown as JobStart;
    },
  };
}
