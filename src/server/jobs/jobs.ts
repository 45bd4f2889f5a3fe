import { randomBytes } from 'node:crypto';
import { and, desc, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type JobStatus, type JobStep, stepsLimit } from '../../contract/jobs.ts';
import type { Ref } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import type { Audit } from '../audit/audit.ts';
import { describeError } from '../kit/describe-error.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { type ClusterRow, type JobRow, jobs } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { JobHandle, PreparedJob } from './job.ts';

/** Progress is stored, and told to pages, at most this often, ms. */
const storeInterval = 500;
/** A server says this often that it still does its jobs, ms. */
const beatInterval = 10_000;
/** A job of which nobody said so for this long was left behind by a server that ended, seconds. */
const silence = 45;
/** Jobs that are stopped have so long to say so before the server ends, ms. */
const closing = 2_500;
/** Jobs of one cluster that are told. */
const most = 50;
/** Jobs that one cluster may have at a time. */
const mostRunning = 20;

/** Why a job is stopped. */
class Stop extends Error {
  readonly status: 'cancelled' | 'interrupted';
  constructor(status: Stop['status']) {
    super(status);
    this.status = status;
  }
}

/** What begins a job. */
export interface JobStart {
  readonly cluster: ClusterRow;
  readonly person: Member;
  /** Id of the action. */
  readonly action: string;
  readonly ref: Ref;
  readonly prepared: PreparedJob;
  readonly address: string;
  readonly requestId: string;
}

/** The jobs of this server, and what the store knows of those of all. */
export interface Jobs {
  /** Begins a job and answers its id. Throws Problem 409 when its object has one already. */
  start(job: JobStart): Promise<number>;
  /** Those of a cluster that run or ended within a day, newest first. */
  list(cluster: Pick<ClusterRow, 'id' | 'companyId'>): Promise<JobRow[]>;
  find(cluster: Pick<ClusterRow, 'id' | 'companyId'>, id: number): Promise<JobRow | undefined>;
  /** Asks a job to stop, wherever it runs. */
  cancel(cluster: Pick<ClusterRow, 'id' | 'companyId'>, id: number, by: string): Promise<void>;
  /** Stops those of this server and says so of them. */
  close(): Promise<void>;
}

const interrupted =
  'The server stopped before the job was done. Completed steps remain: check the result, then start again.';

/** Starts looking after jobs: those that a server left behind are marked. */
export function createJobs({
  store: { db, channel },
  audit,
  log,
  clock = systemClock,
}: {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly audit: Audit;
  readonly log: Logger;
  readonly clock?: Clock;
}): Jobs {
  const server = randomBytes(6).toString('hex');
  const running = new Map<number, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  let isClosed = false;

  const tell = async (clusterId: number, jobId: number) => {
    try {
      await channel.notify('jobs', { clusterId, jobId });
    } catch (error) {
      log.warn(
        { err: describeError(error), jobId },
        'Pages were not told of a job; they see it when they ask',
      );
    }
  };

  /** Marks what was left behind. Another server's clock does not count: the database's does. */
  async function sweep(): Promise<void> {
    try {
      const mine = await db
        .update(jobs)
        .set({ beatAt: sql`now()` })
        .where(and(eq(jobs.server, server), eq(jobs.status, 'running')))
        .returning({ id: jobs.id, by: jobs.cancelledBy });
      // Whoever cancelled one on another server sent a notice, which may have been lost.
      for (const { id, by } of mine) {
        if (by !== null) running.get(id)?.stop.abort(new Stop('cancelled'));
      }
      const lost = await db
        .update(jobs)
        .set({ status: 'interrupted', message: interrupted, finishedAt: sql`now()` })
        .where(
          and(eq(jobs.status, 'running'), lt(jobs.beatAt, sql`now() - make_interval(secs => ${silence})`)),
        )
        .returning();
      for (const row of lost) await tell(row.clusterId, row.id);
    } catch (error) {
      log.warn({ err: describeError(error) }, 'Jobs could not be looked after; it is tried again soon');
    }
  }

  function beat(): void {
    if (isClosed) return;
    cancelBeat = clock.after(beatInterval, beat);
    void sweep();
  }
  let cancelBeat = clock.after(beatInterval, beat);
  void sweep();

  const follow = async (jobId: number) => {
    const mine = running.get(jobId);
    if (mine === undefined) return;
    const [row] = await db.select({ by: jobs.cancelledBy }).from(jobs).where(eq(jobs.id, jobId));
    if (row !== undefined && row.by !== null) mine.stop.abort(new Stop('cancelled'));
  };
  const followQuietly = (jobId: number) =>
    follow(jobId).catch((error: unknown) =>
      log.warn({ err: describeError(error), jobId }, 'Whether a job was cancelled could not be read'),
    );
  const disposers = [
    channel.on('jobs', ({ jobId }) => void followQuietly(jobId)),
    channel.onGap(() => {
      for (const jobId of running.keys()) void followQuietly(jobId);
    }),
  ];

  /** What a job tells, written down now and then. */
  function recorder(row: JobRow) {
    let steps: JobStep[] = [];
    let message = row.message;
    let cancelSoon: (() => void) | undefined;
    let writing: Promise<void> = Promise.resolve();

    async function write(): Promise<void> {
      try {
        await db
          .update(jobs)
          .set({ steps, message })
          .where(and(eq(jobs.id, row.id), eq(jobs.status, 'running')));
        await tell(row.clusterId, row.id);
      } catch (error) {
        log.warn({ err: describeError(error), jobId: row.id }, 'Progress of a job could not be stored');
      }
    }
    const soon = () => {
      cancelSoon ??= clock.after(storeInterval, () => {
        cancelSoon = undefined;
        writing = writing.then(write);
      });
    };
    return {
      get steps() {
        return steps;
      },
      set: (next: readonly JobStep[]) => {
        steps = next.slice(0, stepsLimit);
        soon();
      },
      say: (text: string) => {
        message = text;
        soon();
      },
      async end() {
        cancelSoon?.();
        await writing;
      },
    };
  }

  async function run(row: JobRow, { prepared, cluster, person, ...start }: JobStart, stop: AbortController) {
    const record = recorder(row);
    const handle: JobHandle = {
      signal: stop.signal,
      steps: (parts) =>
        record.set(
          parts.map(({ name, skipped }) => ({
            name,
            status: skipped === undefined ? 'waiting' : 'skipped',
            message: skipped ?? null,
          })),
        ),
      step: (name, status, message) =>
        record.set(
          record.steps.map((step) =>
            step.name === name ? { name, status, message: message ?? null } : step,
          ),
        ),
      message: (text) => record.say(text),
    };
    let status: JobStatus = 'succeeded';
    let message: string;
    try {
      message = await prepared.run(handle);
    } catch (error) {
      const reason: unknown = stop.signal.reason;
      if (stop.signal.aborted && reason instanceof Stop) {
        status = reason.status;
        const done = record.steps.filter((step) => step.status === 'done').length;
        message =
          status === 'cancelled'
            ? `Cancelled after ${done} of ${record.steps.length} steps. ${prepared.afterCancel}`
            : interrupted;
      } else {
        status = 'failed';
        message =
          error instanceof Problem ? error.title : 'Something went wrong on the server; its log says what.';
        if (!(error instanceof Problem))
          log.error({ err: describeError(error), jobId: row.id, action: row.action }, 'A job failed');
      }
    }
    await record.end();
    // What was under way is not any more, whatever it was last said to do.
    const steps = record.steps.map(
      (step): JobStep =>
        step.status === 'running' || step.status === 'waiting'
          ? { ...step, status: 'skipped', message: step.status === 'running' ? 'Stopped.' : 'Not started.' }
          : step,
    );
    try {
      const finished = { status, message, steps, finishedAt: sql`now()` };
      await db.update(jobs).set(finished).where(eq(jobs.id, row.id));
      const entry = await audit.begin({
        companyId: cluster.companyId,
        userId: person.id,
        actor: person.email,
        action: `${row.action}.end`,
        clusterId: cluster.id,
        subject: {
          jobId: row.id,
          kind: row.kind,
          namespace: row.namespace || null,
          names: row.name,
          outcome: status,
          done: steps.filter((step) => step.status === 'done').length,
          failed: steps.filter((step) => step.status === 'failed').length,
        },
        address: start.address,
        requestId: start.requestId,
      });
      await entry.finish(status === 'succeeded' ? 200 : status === 'failed' ? 500 : 499);
    } catch (error) {
      log.error({ err: describeError(error), jobId: row.id, status }, 'The end of a job could not be stored');
    }
    running.delete(row.id);
    await tell(row.clusterId, row.id);
  }

  const ownRow = (cluster: Pick<ClusterRow, 'id' | 'companyId'>) =>
    and(eq(jobs.clusterId, cluster.id), eq(jobs.companyId, cluster.companyId));

  return {
    async start(start) {
      const { cluster, person, action, ref, prepared } = start;
      if (isClosed)
        throw new Problem({ status: 503, title: 'The server is stopping. Try again in a moment.' });
      const [count] = await db
        .select({ running: sql<number>`count(*)::int` })
        .from(jobs)
        .where(and(ownRow(cluster), eq(jobs.status, 'running')));
      if ((count?.running ?? 0) >= mostRunning) {
        throw new Problem({
          status: 429,
          title: `${cluster.name} has ${mostRunning} jobs under way, as many as it may. Wait until one ends.`,
        });
      }
      const [row] = await db
        .insert(jobs)
        .values({
          companyId: cluster.companyId,
          clusterId: cluster.id,
          userId: person.id,
          actor: person.name,
          action,
          kind: ref.kind,
          namespace: ref.namespace ?? '',
          name: ref.name,
          title: prepared.title,
          message: 'It begins.',
          server,
        })
        .onConflictDoNothing()
        .returning();
      if (row === undefined) {
        throw new Problem({
          status: 409,
          title: `${ref.name} already has a job in progress. Wait until it ends, or cancel it first.`,
        });
      }
      const stop = new AbortController();
      running.set(row.id, { stop, ended: run(row, start, stop) });
      await tell(cluster.id, row.id);
      return row.id;
    },
    list: async (cluster) =>
      await db
        .select()
        .from(jobs)
        .where(
          and(
            ownRow(cluster),
            or(eq(jobs.status, 'running'), gt(jobs.startedAt, sql`now() - interval '1 day'`)),
          ),
        )
        .orderBy(desc(jobs.id))
        .limit(most),
    async find(cluster, id) {
      const [row] = await db
        .select()
        .from(jobs)
        .where(and(ownRow(cluster), eq(jobs.id, id)));
      return row;
    },
    async cancel(cluster, id, by) {
      const [row] = await db
        .update(jobs)
        .set({ cancelledBy: by })
        .where(and(ownRow(cluster), eq(jobs.id, id), eq(jobs.status, 'running')))
        .returning();
      if (row === undefined) {
        throw new Problem({ status: 409, title: 'This job has already ended: there is nothing to cancel.' });
      }
      running.get(id)?.stop.abort(new Stop('cancelled'));
      await tell(cluster.id, id);
    },
    async close() {
      isClosed = true;
      cancelBeat();
      for (const dispose of disposers) dispose();
      for (const { stop } of running.values()) stop.abort(new Stop('interrupted'));
      // One that waits for its cluster is not waited for: another server, or this one again, marks it.
      let cancelWait = () => {};
      const late = new Promise<void>((resolve) => {
        cancelWait = clock.after(closing, resolve);
      });
      await Promise.race([Promise.all([...running.values()].map(({ ended }) => ended)), late]);
      cancelWait();
    },
  };
}
