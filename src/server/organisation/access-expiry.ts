import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { auditRows } from '../store/schema/audit.ts';
import type { Store } from '../store/store.ts';

const waits = {
  /** The next ending is read again after this at the latest, ms: a notice may be lost. */
  longest: 30_000,
  /** After a failure, ms. What has ended is not held meanwhile: the judge reads the time itself. */
  failed: 1_000,
} as const;

/** The action of the row that tells of an ending. */
const expiry = 'access.expire';

interface EndedRow extends Record<string, unknown> {
  readonly request_id: number;
  readonly company_id: number;
  readonly user_id: number;
  readonly email: string;
  readonly cluster_id: number;
  readonly permissions: string[];
  readonly namespaces: string[] | null;
}

/**
 * Ends temporary grants at their time, by the database's clock, which all servers share. Each server has a timer for the
 * next ending; the first one to come removes the grant, writes the audit and tells all servers with one commit, so that
 * whatever is open on it ends. No call depends on it: the judge never counts a grant whose time is over.
 */
export class AccessExpiry {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #log: Logger;
  readonly #clock: Clock;
  #stopTimer: () => void = () => undefined;
  #disposers: readonly (() => void)[] = [];
  #running: Promise<void> | undefined;
  #isAskedAgain = false;
  #isClosed = false;

  constructor({
    store,
    log,
    clock,
  }: { readonly store: Pick<Store, 'db' | 'channel'>; readonly log: Logger; readonly clock: Clock }) {
    this.#store = store;
    this.#log = log;
    this.#clock = clock;
  }

  /** Begins; `close` ends it. */
  start(): void {
    const { channel } = this.#store;
    this.#disposers = [channel.on('grants', () => this.#look()), channel.onGap(() => this.#look())];
    this.#look();
  }

  /** Ends it, after what it is just doing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    for (const dispose of this.#disposers) dispose();
    await this.#running;
  }

  #look(): void {
    if (this.#isClosed) return;
    this.#stopTimer();
    // What comes while the store is asked may have come too late for its answer.
    if (this.#running !== undefined) {
      this.#isAskedAgain = true;
      return;
    }
    this.#running = this.#round().then((wait) => {
      this.#running = undefined;
      if (this.#isClosed) return;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.#look();
      } else this.#stopTimer = this.#clock.after(wait, () => this.#look());
    });
  }

  /** Ends what has to end. Answers after how long to look again, ms; never throws. */
  async #round(): Promise<number> {
    try {
      const { rows } = await this.#store.db.execute<{ wait: number | null }>(sql`
        select (extract(epoch from min(ends_at) - clock_timestamp()) * 1000)::float8 as wait from temporary_grants`);
      const wait = rows[0]?.wait ?? null;
      if (wait === null) return waits.longest;
      if (wait > 0) return Math.min(Math.ceil(wait), waits.longest);
      await this.#end();
      return 0;
    } catch (error) {
      this.#log.warn({ err: describeError(error) }, 'Temporary access could not be ended; trying again');
      return waits.failed;
    }
  }

  async #end(): Promise<void> {
    const { db, channel } = this.#store;
    await db.transaction(async (tx) => {
      const { rows } = await tx.execute<EndedRow>(sql`
        with over as (select request_id from temporary_grants where ends_at <= clock_timestamp()
          order by request_id limit 100 for update skip locked)
        delete from temporary_grants g using over, users u
        where g.request_id = over.request_id and u.id = g.user_id
        returning g.request_id, g.company_id, g.user_id, u.email, g.cluster_id, g.permissions, g.namespaces`);
      if (rows.length === 0) return;
      await tx.insert(auditRows).values(rows.map(rowOf));
      for (const companyId of new Set(rows.map(({ company_id }) => company_id)))
        await channel.notify('grants', { companyId }, tx);
    });
  }
}

function rowOf(ended: EndedRow) {
  return {
    companyId: ended.company_id,
    actor: 'expiry',
    action: expiry,
    clusterId: ended.cluster_id,
    subject: {
      requestId: ended.request_id,
      userId: ended.user_id,
      email: ended.email,
      permissions: ended.permissions.join(', '),
      namespaces: ended.namespaces?.join(', ') ?? 'all',
    },
    changes: { state: { before: 'active', after: 'expired' } },
    address: 'console',
    requestId: 'expiry',
    finishedAt: sql`date_trunc('milliseconds', now())`,
    status: 200,
  };
}
