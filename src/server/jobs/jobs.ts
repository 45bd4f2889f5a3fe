import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import { type Grants, noSuchCluster } from '../access/grants.ts';
import type { OpenRights } from '../access/open-rights.ts';
import { describeError } from '../kit/describe-error.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { isMissingReference } from '../store/problem.ts';
import type { JobRow } from '../store/schema/jobs.ts';
import { noteSignOfLife } from '../store/signs-of-life.ts';
import type { Database, Store } from '../store/store.ts';
import { finishJob, interruptAbandoned } from './job-end.ts';
import {
  interruptedMessage,
  JobExecution,
  type JobStart,
  movedTooOftenMessage,
  notBegunMessage,
} from './job-execution.ts';
import {
  countRunning,
  findJob,
  findOwn,
  insertJob,
  type JobCluster,
  listJobs,
  releaseJob,
  renewHeartbeats,
  requestCancel,
  takeOverJobs,
} from './job-rows.ts';
import { endResumption, type Resumed, resumptionOf, type ResumeJob, starterOf } from './resumption.ts';

/** Interval of the heartbeats of a server's jobs, ms. */
const heartbeatInterval = 5_000;
/** Time that stopped jobs have to store how they ended before the server ends, ms. */
const closeTimeout = 2_500;
/** Jobs that one cluster may run at a time. */
const runningLimit = 20;

const stopping = () => new Problem({ status: 503, title: 'The server is stopping. Try again in a moment.' });

/** The jobs of this server, and the stored ones of all servers. */
export interface Jobs {
  /**
   * Starts a job and returns its id. Throws Problem 409 when its object already has one, 429 when its cluster runs as
   * many as it may, 503 while the server stops.
   */
  start(job: JobStart): Promise<number>;
  /** The jobs of a cluster that run or began within a day, newest first. */
  list(cluster: JobCluster): Promise<JobRow[]>;
  find(cluster: JobCluster, id: number): Promise<JobRow | undefined>;
  /** Requests that a job stops, whichever server runs it. Throws Problem 409 when it has already ended. */
  cancel(cluster: JobCluster, id: number, by: string): Promise<void>;
  /** Stops the jobs of this server: hands over those that another can go on with, stores the rest as interrupted. */
  close(): Promise<void>;
}

/** Inputs of the jobs of a server. */
export interface JobsParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  /** Whoever began a job has to be allowed to until it ends. */
  readonly grants: Pick<Grants, 'access'>;
  readonly rights: OpenRights;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Prepares jobs of servers that ended; without it this server takes none over. */
  readonly resume?: ResumeJob;
}

/** Runs jobs and stores them. Goes on with those that ended servers left, or marks them as interrupted, from the moment it is made. */
export class StoredJobs implements Jobs {
  readonly #db: Database;
  readonly #channel: Store['channel'];
  readonly #grants: Pick<Grants, 'access'>;
  readonly #rights: OpenRights;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #resumeJob: ResumeJob | undefined;
  /** Jobs that are prepared here again. */
  readonly #resuming = new Map<number, JobRow>();
  /** Id of this server in the rows of its jobs. */
  readonly #server = randomBytes(6).toString('hex');
  readonly #running = new Map<number, { readonly execution: JobExecution; readonly ended: Promise<void> }>();
  readonly #disposers: readonly (() => void)[];
  #isClosed = false;
  #cancelHeartbeat: () => void;
  /** Heartbeats that are under way. */
  readonly #beats = new Set<Promise<void>>();
  /** The look for jobs of other servers that is under way. */
  #looking: Promise<void> | undefined;

  constructor({ store, grants, rights, log, clock = systemClock, resume }: JobsParts) {
    this.#db = store.db;
    this.#channel = store.channel;
    this.#grants = grants;
    this.#rights = rights;
    this.#log = log;
    this.#clock = clock;
    this.#resumeJob = resume;
    this.#cancelHeartbeat = clock.after(heartbeatInterval, () => this.#heartbeat());
    this.#beginBeat();
    this.#disposers = [
      store.channel.on(
        'jobs',
        ({ jobId, isFree }) => void (isFree === true ? this.#takeOver() : this.#checkCancelled(jobId)),
      ),
      store.channel.onGap(() => {
        for (const jobId of this.#running.keys()) void this.#checkCancelled(jobId);
      }),
    ];
  }

  async start(start: JobStart): Promise<number> {
    const { cluster, ref } = start;
    if (this.#isClosed) throw stopping();
    if ((await countRunning(this.#db, cluster)) >= runningLimit) {
      throw new Problem({
        status: 429,
        title: `${cluster.name} has ${runningLimit} jobs in progress, the maximum. Wait until one ends.`,
      });
    }
    const row = await this.#insert(start);
    if (row === undefined) {
      throw new Problem({
        status: 409,
        title: `${ref.name} already has a job in progress. Wait until it ends, or cancel it first.`,
      });
    }
    // Whoever closes looked at what ran: this one would be missed.
    if (this.#isClosed) {
      await finishJob(this.#db, row, { status: 'interrupted', message: notBegunMessage, steps: [] });
      throw stopping();
    }
    this.#run(row, start);
    await this.#announce(row.clusterId, row.id);
    return row.id;
  }

  async list(cluster: JobCluster): Promise<JobRow[]> {
    return await listJobs(this.#db, cluster);
  }

  async find(cluster: JobCluster, id: number): Promise<JobRow | undefined> {
    return await findJob(this.#db, cluster, id);
  }

  async cancel(cluster: JobCluster, id: number, by: string): Promise<void> {
    if (!(await requestCancel(this.#db, cluster, id, by))) {
      throw new Problem({ status: 409, title: 'This job has already ended: there is nothing to cancel.' });
    }
    this.#stop(id);
    await this.#announce(cluster.id, id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelHeartbeat();
    for (const dispose of this.#disposers) dispose();
    for (const { execution } of this.#running.values()) execution.leave();
    // A job that hangs on its cluster is not waited for: the sweep of another server, or of the next start, finds it.
    let cancelTimeout = () => {};
    const timeout = new Promise<void>((resolve) => {
      cancelTimeout = this.#clock.after(closeTimeout, resolve);
    });
    const ended = [...this.#running.values()].map((job) => job.ended);
    await Promise.race([Promise.all([...this.#beats, ...ended]), timeout]);
    cancelTimeout();
    for (const row of this.#held()) await this.#release(row);
  }

  async #insert(start: JobStart): Promise<JobRow | undefined> {
    const { cluster, person, action, ref, prepared } = start;
    const values = {
      companyId: cluster.companyId,
      clusterId: cluster.id,
      userId: person.id,
      actor: person.name,
      action,
      kind: ref.kind,
      namespace: ref.namespace ?? '',
      name: ref.name,
      namespaces: prepared.namespaces === null ? null : [...prepared.namespaces],
      title: prepared.title,
      message: 'It is starting.',
      server: this.#server,
      resumption: resumptionOf(start),
      starter: starterOf(start),
    };
    try {
      return await insertJob(this.#db, values);
    } catch (error) {
      // It was removed since it was looked for.
      throw isMissingReference(error) ? noSuchCluster() : error;
    }
  }

  #run(row: JobRow, start: JobStart): void {
    const execution = new JobExecution({
      row,
      start,
      db: this.#db,
      grants: this.#grants,
      log: this.#log,
      clock: this.#clock,
      announce: ({ clusterId, id }) => this.#announce(clusterId, id),
    });
    const open = this.#rights.open({
      sort: 'jobs',
      person: start.person,
      clusterId: row.clusterId,
      judge({ rights }) {
        execution.judge(rights.get(row.clusterId));
        return false;
      },
      end: (why) => execution.stop('cancelled', why instanceof Problem ? why.title : undefined),
    });
    const ended = execution.run().then(async () => {
      this.#rights.end(open);
      if (this.#running.get(row.id)?.execution === execution) this.#running.delete(row.id);
      await this.#announce(row.clusterId, row.id, this.#isClosed && execution.isResumable);
    });
    this.#running.set(row.id, { execution, ended });
    // A right may have gone while it was prepared, before any notice was listened to.
    this.#rights.ask('doubt', [open]);
  }

  #stop(jobId: number): void {
    this.#running.get(jobId)?.execution.stop('cancelled');
  }

  /** Tells the pages of all servers that a job changed. @param isFree whether any server may take it over */
  async #announce(clusterId: number, jobId: number, isFree = false): Promise<void> {
    try {
      await this.#channel.notify('jobs', { clusterId, jobId, ...(isFree ? { isFree } : {}) });
    } catch (error) {
      this.#log.warn(
        { err: describeError(error), jobId },
        'Pages were not told of a job; they see it when they ask',
      );
    }
  }

  #heartbeat(): void {
    if (this.#isClosed) return;
    this.#cancelHeartbeat = this.#clock.after(heartbeatInterval, () => this.#heartbeat());
    this.#beginBeat();
  }

  #beginBeat(): void {
    const beat = this.#beat().finally(() => this.#beats.delete(beat));
    this.#beats.add(beat);
  }

  /** The jobs that this server has. */
  #held(): JobRow[] {
    return [...[...this.#running.values()].map(({ execution }) => execution.row), ...this.#resuming.values()];
  }

  /** Goes on with jobs that other servers released, or left by silence. */
  async #takeOver(): Promise<void> {
    if (this.#isClosed || this.#resumeJob === undefined) return;
    try {
      // One that it has and did not renew in time, as after a freeze, is not begun a second time beside the first.
      const held = this.#held().map(({ id }) => id);
      for (const row of await takeOverJobs(this.#db, this.#server, held))
        void this.#resume(row, this.#resumeJob);
    } catch (error) {
      this.#log.warn(
        { err: describeError(error) },
        'Jobs of other servers could not be taken over; it is tried again soon',
      );
    }
  }

  /** Never throws: what fails for now is released, and taken over again with the next look. */
  async #resume(row: JobRow, resume: ResumeJob): Promise<void> {
    this.#resuming.set(row.id, row);
    try {
      let resumed: Resumed = this.#isClosed ? { type: 'later' } : await resume(row);
      // Nothing ran here yet that a notice of a cancellation could have stopped.
      const stored = await findOwn(this.#db, row);
      if (stored === undefined) return;
      if (stored.cancelledBy !== null && resumed.type === 'goes on') resumed = await resume(stored);
      if (this.#isClosed) {
        await this.#release(row, { moves: row.moves - 1 });
        return;
      }
      if (resumed.type === 'ends') await endResumption(this.#db, row, resumed);
      else if (resumed.type === 'later') await releaseJob(this.#db, row, { moves: row.moves - 1 });
      else {
        this.#run(row, resumed.start);
        // Or it came between the look at the row and this moment.
        void this.#checkCancelled(row.id);
      }
      await this.#announce(row.clusterId, row.id);
    } catch (error) {
      // Without a heartbeat from here it is taken over again soon.
      this.#log.error({ err: describeError(error), jobId: row.id }, 'A job could not be taken over');
    } finally {
      this.#resuming.delete(row.id);
    }
  }

  /** Gives a job back that this server, which closes, did not begin or bring to an end in time. */
  async #release(row: JobRow, values: { readonly moves?: number } = {}): Promise<void> {
    try {
      if (await releaseJob(this.#db, row, values)) await this.#announce(row.clusterId, row.id, true);
    } catch (error) {
      this.#log.warn({ err: describeError(error), jobId: row.id }, 'A job could not be handed over in time');
    }
  }

  /**
   * Renews the heartbeat of this server's jobs, then looks for those that other servers abandoned: else it would count its
   * own to them after a freeze. However long that look takes, the next heartbeat is not held up: others would take this
   * server for dead. Never throws.
   */
  async #beat(): Promise<void> {
    try {
      await this.#renew();
      await noteSignOfLife(this.#db);
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    } catch (error) {
      this.#log.warn({ err: describeError(error) }, 'Jobs could not be looked after; it is tried again soon');
    }
  }

  async #renew(): Promise<void> {
    const held = this.#held();
    const renewed = new Map(
      (await renewHeartbeats(this.#db, held)).map(({ id, isCancelled }) => [id, isCancelled]),
    );
    // The notice of a cancellation on another server may have been lost: the row has it too.
    for (const [id, isCancelled] of renewed) if (isCancelled) void this.#checkCancelled(id);
    // Another server took this one for dead: it goes on with what this one had, or said that it was interrupted.
    for (const row of held) {
      const execution = this.#running.get(row.id)?.execution;
      if (!renewed.has(row.id) && execution?.row === row) execution.leave();
    }
  }

  /** Ends the jobs that nobody may go on with, and takes over those that this server may. */
  async #look(): Promise<void> {
    for (const row of await interruptAbandoned(this.#db, {
      abandoned: interruptedMessage,
      movedTooOften: movedTooOftenMessage,
    }))
      await this.#announce(row.clusterId, row.id);
    await this.#takeOver();
  }

  /**
   * Stops a job of this server when its row says that somebody cancelled it, or that its person may not go on. One that
   * it has no more, as with the removal of its cluster, it leaves.
   */
  async #checkCancelled(jobId: number): Promise<void> {
    const job = this.#running.get(jobId);
    if (job === undefined) return;
    try {
      const row = await findOwn(this.#db, job.execution.row);
      if (row === undefined) job.execution.leave();
      if (row === undefined || row.cancelledBy === null) return;
      await job.execution.stopIfJudged();
      this.#stop(jobId);
    } catch (error) {
      this.#log.warn({ err: describeError(error), jobId }, 'Whether a job was cancelled could not be read');
    }
  }
}
