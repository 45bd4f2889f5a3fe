import { and, desc, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { JobStatus, JobStep } from '../../contract/jobs.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { type JobRow, jobs } from '../store/schema/jobs.ts';
import type { Database } from '../store/store.ts';

/** Job rows that a list returns at most. */
const listLimit = 50;
/** A running job without a heartbeat for this long was abandoned by a server that ended, seconds. */
const abandonedAfter = 45;

/** The cluster of a job. Both ids are compared, so that no company reaches the jobs of another. */
export type JobCluster = Pick<ClusterRow, 'id' | 'companyId'>;

const ofCluster = (cluster: JobCluster) =>
  and(eq(jobs.clusterId, cluster.id), eq(jobs.companyId, cluster.companyId));

/** Inserts a running job; undefined when its object already has one. Throws errors of the database. */
export async function insertJob(db: Database, values: typeof jobs.$inferInsert): Promise<JobRow | undefined> {
  const [row] = await db.insert(jobs).values(values).onConflictDoNothing().returning();
  return row;
}

/** How many jobs of a cluster are running on all servers. Throws errors of the database. */
export async function countRunning(db: Database, cluster: JobCluster): Promise<number> {
  const [count] = await db
    .select({ running: sql<number>`count(*)::int` })
    .from(jobs)
    .where(and(ofCluster(cluster), eq(jobs.status, 'running')));
  return count?.running ?? 0;
}

/** The jobs of a cluster that run or began within a day, newest first. Throws errors of the database. */
export async function listJobs(db: Database, cluster: JobCluster): Promise<JobRow[]> {
  const isRecent = or(eq(jobs.status, 'running'), gt(jobs.startedAt, sql`now() - interval '1 day'`));
  return await db
    .select()
    .from(jobs)
    .where(and(ofCluster(cluster), isRecent))
    .orderBy(desc(jobs.id))
    .limit(listLimit);
}

/** One job of a cluster. Throws errors of the database. */
export async function findJob(db: Database, cluster: JobCluster, id: number): Promise<JobRow | undefined> {
  const [row] = await db
    .select()
    .from(jobs)
    .where(and(ofCluster(cluster), eq(jobs.id, id)));
  return row;
}

/** Stores progress of a job, unless it has ended meanwhile. Throws errors of the database. */
export async function updateProgress(
  db: Database,
  id: number,
  progress: { readonly steps: readonly JobStep[]; readonly message: string },
): Promise<void> {
  await db
    .update(jobs)
    .set(progress)
    .where(and(eq(jobs.id, id), eq(jobs.status, 'running')));
}

/** Stores how a job ended. Throws errors of the database. */
export async function finishJob(
  db: Database,
  id: number,
  result: { readonly status: JobStatus; readonly message: string; readonly steps: readonly JobStep[] },
): Promise<void> {
  await db
    .update(jobs)
    .set({ ...result, finishedAt: sql`now()` })
    .where(eq(jobs.id, id));
}

/** Requests that a running job stops; false when it has already ended. Throws errors of the database. */
export async function requestCancel(
  db: Database,
  cluster: JobCluster,
  id: number,
  by: string,
): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ cancelledBy: by })
    .where(and(ofCluster(cluster), eq(jobs.id, id), eq(jobs.status, 'running')))
    .returning({ id: jobs.id });
  return rows.length > 0;
}

/** Whether somebody requested that a job stops. Throws errors of the database. */
export async function isCancelRequested(db: Database, id: number): Promise<boolean> {
  const [row] = await db.select({ by: jobs.cancelledBy }).from(jobs).where(eq(jobs.id, id));
  return row !== undefined && row.by !== null;
}

/**
 * Renews the heartbeat of every running job of a server; returns the ids of those that somebody asked to stop. Throws
 * errors of the database.
 */
export async function renewHeartbeats(db: Database, server: string): Promise<number[]> {
  const rows = await db
    .update(jobs)
    .set({ beatAt: sql`now()` })
    .where(and(eq(jobs.server, server), eq(jobs.status, 'running')))
    .returning({ id: jobs.id, by: jobs.cancelledBy });
  return rows.filter(({ by }) => by !== null).map(({ id }) => id);
}

/**
 * Marks the running jobs of every server whose heartbeat stopped as interrupted and returns them. Throws errors of the
 * database.
 */
export async function interruptAbandoned(db: Database, message: string): Promise<JobRow[]> {
  // The database's clock decides, as the clocks of two servers may differ.
  const isAbandoned = lt(jobs.beatAt, sql`now() - make_interval(secs => ${abandonedAfter})`);
  return await db
    .update(jobs)
    .set({ status: 'interrupted', message, finishedAt: sql`now()` })
    .where(and(eq(jobs.status, 'running'), isAbandoned))
    .returning();
}
