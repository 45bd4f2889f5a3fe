import { and, desc, eq, gt, inArray, isNotNull, lt, notInArray, or, sql } from 'drizzle-orm';
import type { JobStep } from '../../contract/jobs.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { type JobRow, jobs } from '../store/schema/jobs.ts';
import { isSilent } from '../store/signs-of-life.ts';
import type { Database } from '../store/store.ts';

/** Job rows that a list returns at most. */
const listLimit = 50;
/** No server goes on with a job that began so long ago, hours: no time limit of a job is longer than a day. */
const resumedWithin = 25;
/** Jobs that a server takes over at a time. */
const takenOver = 5;
/** A job that moved so often is left to a person: it may be what ends the servers. */
export const movesLimit = 5;

/**
 * A job as an execution of it knows it. Once any server took it over it is not its own any more, also where the job came
 * back to the same server: then the epoch is another.
 */
export type OwnJob = Pick<JobRow, 'id' | 'server' | 'epoch'>;
/** Whether a row still is the job that an execution knows, and runs. */
export const isOwn = ({ id, server, epoch }: OwnJob) =>
  and(eq(jobs.id, id), eq(jobs.server, server), eq(jobs.epoch, epoch), eq(jobs.status, 'running'));

/** The cluster of a job. Both ids are compared, so that no company reaches the jobs of another. */
export type JobCluster = Pick<ClusterRow, 'id' | 'companyId'>;

/** Whether a row is of a cluster. */
export const ofCluster = (cluster: JobCluster) =>
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

/** Stores progress of a job, unless it has ended or moved meanwhile. Throws errors of the database. */
export async function updateProgress(
  db: Database,
  job: OwnJob,
  progress: { readonly steps: readonly JobStep[]; readonly message: string },
): Promise<void> {
  await db.update(jobs).set(progress).where(isOwn(job));
}

/**
 * Gives a running job to whichever server takes it next; false where it has ended or moved already. Throws errors of the
 * database.
 */
export async function releaseJob(
  db: Database,
  job: OwnJob,
  values: { readonly steps?: readonly JobStep[]; readonly message?: string; readonly moves?: number } = {},
): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ ...values, server: '' })
    .where(and(isOwn(job), isNotNull(jobs.resumption)))
    .returning({ id: jobs.id });
  return rows.length > 0;
}

const isResumable = and(
  isNotNull(jobs.resumption),
  lt(jobs.moves, movesLimit),
  gt(jobs.startedAt, sql`now() - make_interval(hours => ${resumedWithin})`),
);
const isFree = or(eq(jobs.server, ''), isSilent(jobs.beatAt));
/** Running jobs that nobody has and none may go on with. */
export const isLeft = and(eq(jobs.status, 'running'), isFree, sql`(${isResumable}) is not true`);

/**
 * Takes some of the jobs that were released or whose server fell silent, so that this server goes on with them: first those
 * that nobody had for longest, so that jobs that nobody can go on with now keep no other waiting. Throws errors of the
 * database.
 * @param except ids of the jobs that this server has already
 */
export async function takeOverJobs(
  db: Database,
  server: string,
  except: readonly number[],
): Promise<JobRow[]> {
  const free = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.status, 'running'), isResumable, isFree, notInArray(jobs.id, [...except])))
    .orderBy(jobs.beatAt, jobs.id)
    .limit(takenOver)
    .for('update', { skipLocked: true });
  return await db
    .update(jobs)
    .set({ server, beatAt: sql`now()`, moves: sql`${jobs.moves} + 1`, epoch: sql`${jobs.epoch} + 1` })
    .where(inArray(jobs.id, free))
    .returning();
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

/** A job as it is stored now; undefined where it has ended or moved already. Throws errors of the database. */
export async function findOwn(db: Database, job: OwnJob): Promise<JobRow | undefined> {
  const [row] = await db.select().from(jobs).where(isOwn(job));
  return row;
}

/**
 * Renews the heartbeat of the jobs that a server runs; returns those that still are its own, with whether somebody asked
 * them to stop. Throws errors of the database.
 */
export async function renewHeartbeats(
  db: Database,
  held: readonly OwnJob[],
): Promise<{ readonly id: number; readonly isCancelled: boolean }[]> {
  if (held.length === 0) return [];
  // In the order in which the removal of a cluster locks its jobs: neither waits for the other for ever.
  const own = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(or(...held.map(isOwn)))
    .orderBy(jobs.id)
    .for('update');
  const rows = await db
    .update(jobs)
    .set({ beatAt: sql`now()` })
    .where(inArray(jobs.id, own))
    .returning({ id: jobs.id, by: jobs.cancelledBy });
  return rows.map(({ id, by }) => ({ id, isCancelled: by !== null }));
}
