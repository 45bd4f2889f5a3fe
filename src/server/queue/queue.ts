import { type Db, type Job, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { queueDatabase, queueTransaction } from '../store/queue-database.ts';
import { type QueueName, queueSchema } from '../store/queue-tables.ts';
import type { Store, Transaction } from '../store/store.ts';

/** A try of something whose row is in a table of ours: the row says what is to be done, the job that it is. */
export interface Try {
  /** Id of the row. */
  readonly id: string;
  /** How many tries came before. A job whose number is not the row's any more is out of date. */
  readonly tries: number;
}

/** How a queue's jobs are done. */
export interface Work {
  /**
   * Does one try. Never called twice at a time for the same try. Throws where the console itself failed: it is called
   * again then, on this server or another one.
   * @param signal aborted when the server ends, or when another one was given the job
   */
  perform(attempt: Try, signal: AbortSignal): Promise<void>;
  /** Rows that wait for a try which is due, with or without a job: those without one come by an import. */
  overdue(): Promise<readonly Try[]>;
  /** How many are done at a time on this server. */
  readonly atOnce: number;
}

/** Work that survives every server: its jobs are in PostgreSQL, and each is done by one server at a time. */
export interface Queue {
  /**
   * Adds a job within the transaction that writes its row; servers hear of it after the commit. The same try is never
   * queued twice.
   * @param wait until it may be done, ms
   */
  add(name: QueueName, attempt: Try, within: Transaction, wait?: number): Promise<void>;
  /** Looks for jobs of a queue once a wait (ms) is over; without it they are found some seconds later. */
  lookAfter(name: QueueName, wait: number): void;
  /** Begins to do the jobs of a queue. Returns once it does. */
  work(name: QueueName, work: Work): Promise<void>;
}

/** Inputs of a server's queue. */
export interface QueueParts {
  readonly store: Pick<Store, 'pool' | 'channel'>;
  readonly log: Logger;
  readonly clock: Clock;
}

const waits = {
  /** Jobs are asked for this often without a notice, s. */
  poll: 5,
  /** Rows without a job are looked for this often, ms. */
  overdue: 60_000,
  /** The database's clock may be behind by this, ms. */
  margin: 50,
  /** Time that jobs under way have to end when the server does, ms. */
  close: 2_500,
} as const;

/** The queue of one server, by pg-boss: see docs/decisions/0022-queue.md. */
export class StoredQueue implements Queue {
  readonly #boss: PgBoss;
  readonly #channel: Store['channel'];
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  readonly #workers = new Map<QueueName, readonly string[]>();
  readonly #timers = new Set<() => void>();
  readonly #disposers: readonly (() => void)[];
  readonly #database: Db;
  #started: Promise<unknown> | undefined;

  constructor({ store, log, clock }: QueueParts) {
    this.#channel = store.channel;
    this.#log = log;
    this.#clock = clock;
    this.#database = queueDatabase(store);
    this.#boss = new PgBoss({
      db: this.#database,
      schema: queueSchema,
      schedule: false,
      registerInstance: false,
      openTelemetry: { enabled: false },
      // Jobs of a server that was killed are given to others at the first look after their silence.
      monitorIntervalSeconds: 10,
      superviseIntervalSeconds: 10,
      maintenanceIntervalSeconds: 3_600,
    });
    this.#boss.on('error', (error) => {
      if (!this.#closing.signal.aborted)
        log.warn({ err: describeError(error) }, 'The queue met an error; it goes on');
    });
    this.#disposers = [
      store.channel.on('queue', ({ name }) => this.#fetch(name)),
      store.channel.onGap(() => {
        for (const name of this.#workers.keys()) this.#fetch(name);
      }),
    ];
  }

  async add(name: QueueName, attempt: Try, within: Transaction, wait = 0): Promise<void> {
    await this.#start();
    await this.#send(name, attempt, queueTransaction(within), wait);
    if (wait === 0) await this.#channel.notify('queue', { name }, within);
  }

  lookAfter(name: QueueName, wait: number): void {
    if (!this.#closing.signal.aborted) this.#after(wait + waits.margin, () => this.#fetch(name));
  }

  async work(name: QueueName, work: Work): Promise<void> {
    await this.#start();
    const { signal } = this.#closing;
    const workers: string[] = [];
    for (let index = 0; index < work.atOnce; index += 1)
      workers.push(
        await this.#boss.work<Try>(name, { pollingIntervalSeconds: waits.poll }, async (jobs: Job<Try>[]) => {
          try {
            for (const { data, signal: claim } of jobs)
              await work.perform(data, AbortSignal.any([signal, claim]));
          } finally {
            // Without a notice the library waits out its interval, also where more jobs are due.
            this.#fetch(name);
          }
        }),
      );
    this.#workers.set(name, workers);
    this.#lookForOverdue(name, work);
  }

  /** Takes no more jobs and waits a moment for those under way; what does not end is done by another server. */
  async close(): Promise<void> {
    for (const dispose of this.#disposers) dispose();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#closing.abort();
    if (this.#started === undefined) return;
    await this.#started.catch(() => undefined);
    await this.#boss.stop({ close: false, graceful: true, timeout: waits.close });
  }

  async #start(): Promise<void> {
    this.#started ??= this.#boss.start();
    try {
      await this.#started;
    } catch (error) {
      this.#started = undefined;
      throw error;
    }
  }

  async #send(name: QueueName, attempt: Try, db: Db, wait: number): Promise<void> {
    const { id, tries } = attempt;
    await this.#boss.send(
      name,
      { id, tries },
      {
        singletonKey: `${id}/${tries}`,
        db,
        // By the database's clock.
        ...(wait > 0 ? { startAfter: wait / 1_000 } : {}),
      },
    );
  }

  #fetch(name: QueueName): void {
    for (const worker of this.#workers.get(name) ?? []) this.#boss.notifyWorker(worker);
  }

  #after(wait: number, run: () => void): void {
    const cancel = this.#clock.after(wait, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }

  #lookForOverdue(name: QueueName, work: Work): void {
    const look = async (): Promise<void> => {
      try {
        const found = await work.overdue();
        for (const attempt of found) await this.#send(name, attempt, this.#database, 0);
        if (found.length > 0) this.#fetch(name);
      } catch (error) {
        this.#log.warn({ err: describeError(error) }, 'Rows without a job could not be looked for');
      }
      if (!this.#closing.signal.aborted) this.#after(waits.overdue, () => void look());
    };
    void look();
  }
}
