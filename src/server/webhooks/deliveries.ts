import { and, eq, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type DeliveryAttempt, deliveryDays } from '../../contract/webhooks.ts';
import type { Resolver } from '../clusters/address.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Queue, Try } from '../queue/queue.ts';
import { users } from '../store/schema/accounts.ts';
import { clusters } from '../store/schema/clusters.ts';
import { happenings, webhookDeliveries, webhooks } from '../store/schema/webhooks.ts';
import { webhookSecretContext, webhookUrlContext } from '../store/sealed.ts';
import type { Store, Transaction } from '../store/store.ts';
import { SealError, type Vault } from '../store/vault.ts';
import { Problem } from '../../contract/problem.ts';
import { parseWebhookUrl, type WebhookPolicy } from './address.ts';
import type { Audience, Happenings } from './happenings.ts';
import { type PostResult, postWebhook } from './post.ts';
import { signedHeaders } from './signature.ts';
import { Turns } from './turns.ts';

const minute = 60_000;
/** Waits before each further try, ms: over three days in all. */
const retryWaits: readonly number[] = [
  5_000,
  ...[5, 30, 120, 300, 600, 840, 1_200, 1_440].map((minutes) => minutes * minute),
];
/** Receivers that say that they are busy are left alone for this long at least, ms. */
const busyWait = 2 * minute;
const busyStatuses: ReadonlySet<number | null> = new Set([429, 502, 504]);
const limits = {
  /** Deliveries of one server at a time, to one receiver, and of one person. */
  atOnce: 6,
  toOne: 2,
  ofPerson: 3,
  /** Rows without a job that are looked at together. */
  overdue: 500,
  /** Tries that a delivery's log keeps. */
  attempts: 12,
} as const;

type WebhookRow = typeof webhooks.$inferSelect;
type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** Inputs of the deliveries of a server. */
export interface DeliveriesParts {
  readonly store: Pick<Store, 'db'>;
  readonly queue: Queue;
  readonly vault: Vault;
  readonly happenings: Pick<Happenings, 'mayHear'>;
  readonly mailer: Mailer;
  readonly policy: WebhookPolicy;
  /** Where people open the console. */
  readonly origin: () => string;
  readonly log: Logger;
  readonly clock: Clock;
  /** Waits before each further try, ms. */
  readonly waits?: readonly number[];
  readonly resolve?: Resolver;
}

/** Sends what is queued for webhooks. */
export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #waits: readonly number[];
  readonly #receivers = new Turns<string>(limits.toOne);
  readonly #owners = new Turns<number>(limits.ofPerson);

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    this.#waits = parts.waits ?? retryWaits;
  }

  /** Begins to send what waits. */
  async start(): Promise<void> {
    await this.#parts.queue.work('webhook', {
      atOnce: limits.atOnce,
      overdue: () => this.#overdue(),
      perform: (attempt, signal) => this.#perform(attempt, signal),
    });
  }

  async #overdue(): Promise<Try[]> {
    const { db } = this.#parts.store;
    const old = sql`now() - make_interval(days => ${deliveryDays})`;
    await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, old));
    await db.delete(happenings).where(lt(happenings.at, old));
    return await db
      .select({ id: webhookDeliveries.id, tries: webhookDeliveries.tries })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.state, 'waiting'), lte(webhookDeliveries.nextAt, sql`now()`)))
      .limit(limits.overdue);
  }

  /** One try of one delivery. Throws when the server ends meanwhile: the delivery is then another server's. */
  async #perform({ id, tries }: Try, signal: AbortSignal): Promise<void> {
    const { store } = this.#parts;
    const [found] = await store.db
      .select({ delivery: webhookDeliveries, webhook: webhooks, about: happenings })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .leftJoin(happenings, eq(happenings.id, webhookDeliveries.happeningId))
      .where(
        and(
          eq(webhookDeliveries.id, id),
          eq(webhookDeliveries.tries, tries),
          eq(webhookDeliveries.state, 'waiting'),
        ),
      );
    if (found === undefined) return;
    const { delivery, webhook, about } = found;
    const wait = Date.parse(delivery.nextAt) - this.#parts.clock.now();
    // The receiver said that it is busy after this was queued.
    if (wait > minute) {
      await this.#again(delivery, { step: delivery.step, attempts: delivery.attempts }, wait);
      return;
    }
    // A worker that waited for a slow receiver would be missing to all others.
    const turn = this.#turnOf(webhook);
    if ('wait' in turn) {
      await this.#again(delivery, { step: delivery.step, attempts: delivery.attempts }, turn.wait);
      return;
    }
    try {
      await this.#try(delivery, webhook, about ?? { permission: '', namespace: '' }, signal);
    } finally {
      turn.end();
    }
  }

  /** A turn with the receiver and of the owner of a webhook, or how long to wait for one, ms. */
  #turnOf({ origin, userId }: WebhookRow): { readonly wait: number } | { end(): void } {
    const now = this.#parts.clock.now();
    if (!this.#receivers.take(origin)) return { wait: this.#receivers.waitOf(origin, now) };
    if (!this.#owners.take(userId)) {
      this.#receivers.end(origin);
      return { wait: this.#owners.waitOf(userId, now) };
    }
    return {
      end: () => {
        this.#receivers.end(origin);
        this.#owners.end(userId);
      },
    };
  }

  async #try(
    delivery: DeliveryRow,
    webhook: WebhookRow,
    audience: Audience,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, happenings: heard } = this.#parts;
    const opened = this.#open(webhook);
    if (opened === undefined) {
      await this.#settle(delivery, { state: 'failed' }, keyGone(webhook));
      return;
    }
    const at = clock.now();
    const headers = signedHeaders(delivery, at, opened.secrets);
    // Asked last: what follows is the POST.
    if (webhook.disabledAt !== null || !(await heard.mayHear(webhook, audience))) {
      await this.#settle(delivery, { state: 'dropped' });
      return;
    }
    const result = await this.#post({ url: opened.url, body: delivery.body, headers }, at, signal);
    const attempt: DeliveryAttempt = {
      at: new Date(at).toISOString(),
      durationMs: Math.max(0, Math.round(clock.now() - at)),
      status: result.status,
      head: result.head,
      problem: result.problem,
    };
    const attempts = [attempt, ...(delivery.attempts as DeliveryAttempt[])].slice(0, limits.attempts);
    await this.#conclude(delivery, webhook, result, attempts);
  }

  /** Sends a message if its address may still be one: the operator may have closed a port since. */
  async #post(
    message: {
      readonly url: string;
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
    },
    now: number,
    signal: AbortSignal,
  ): Promise<PostResult> {
    const { policy, resolve } = this.#parts;
    let url: URL;
    try {
      url = parseWebhookUrl(message.url, policy);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { status: null, head: '', problem: error.title, retryAfter: undefined };
    }
    return await postWebhook(
      { ...message, url },
      { policy, signal, now, ...(resolve === undefined ? {} : { resolve }) },
    );
  }

  async #conclude(
    delivery: DeliveryRow,
    webhook: WebhookRow,
    { status, problem, retryAfter }: PostResult,
    attempts: readonly DeliveryAttempt[],
  ): Promise<void> {
    if (problem === null) {
      await this.#settle(delivery, { state: 'delivered', attempts });
      return;
    }
    if (status === 410) {
      const reason = 'The receiver answered 410: it wants no more of this.';
      await this.#settle(delivery, { state: 'failed', attempts }, { webhook, reason });
      return;
    }
    const planned = this.#waits[delivery.step];
    // A test tells at once what is wrong.
    if (planned === undefined || delivery.type === 'webhook.test') {
      const reason = `Every try of three days failed. The last one: ${problem}`;
      const disabling = planned === undefined ? { webhook, reason } : undefined;
      await this.#settle(delivery, { state: 'failed', attempts }, disabling);
      return;
    }
    const asked = Math.max(retryAfter ?? 0, busyStatuses.has(status) ? busyWait : 0);
    const wait = Math.max(planned, asked);
    await this.#again(delivery, { step: delivery.step + 1, attempts }, wait);
    if (asked > 0) await this.#slowDown(webhook.id, asked);
  }

  /** Queues the next try of a delivery, unless it became another one meanwhile. */
  async #again(
    { id, tries }: DeliveryRow,
    set: { readonly step: number; readonly attempts: unknown },
    wait: number,
  ): Promise<void> {
    const { store, queue } = this.#parts;
    await store.db.transaction(async (tx) => {
      const changed = await tx
        .update(webhookDeliveries)
        .set({ ...set, tries: tries + 1, nextAt: fromNow(wait) })
        .where(this.#same({ id, tries }))
        .returning({ id: webhookDeliveries.id });
      if (changed.length > 0) await queue.add('webhook', { id, tries: tries + 1 }, tx, wait);
    });
    queue.lookAfter('webhook', wait);
  }

  /** What else waits for a receiver waits longer. */
  async #slowDown(webhookId: string, wait: number): Promise<void> {
    await this.#parts.store.db
      .update(webhookDeliveries)
      .set({ nextAt: sql`greatest(${webhookDeliveries.nextAt}, ${fromNow(wait)})` })
      .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, 'waiting')));
  }

  async #settle(
    { id, tries }: DeliveryRow,
    set: {
      readonly state: 'delivered' | 'failed' | 'dropped';
      readonly attempts?: readonly DeliveryAttempt[];
    },
    disabling?: Disabling,
  ): Promise<void> {
    await this.#parts.store.db.transaction(async (tx) => {
      await tx
        .update(webhookDeliveries)
        .set({ ...set, tries: tries + 1 })
        .where(this.#same({ id, tries }));
      if (disabling !== undefined) await this.#disable(tx, disabling);
    });
  }

  #same({ id, tries }: Try) {
    return and(
      eq(webhookDeliveries.id, id),
      eq(webhookDeliveries.tries, tries),
      eq(webhookDeliveries.state, 'waiting'),
    );
  }

  /** Sends nothing more to a webhook, and mails its owner why. */
  async #disable(tx: Transaction, { webhook, reason }: Disabling): Promise<void> {
    const { mailer, log } = this.#parts;
    const { id, userId, clusterId, origin } = webhook;
    const changed = await tx
      .update(webhooks)
      .set({ disabledAt: sql`now()`, disabledReason: reason })
      .where(and(eq(webhooks.id, id), isNull(webhooks.disabledAt)))
      .returning({ id: webhooks.id });
    if (changed.length === 0) return;
    log.info({ webhookId: id }, 'A webhook was disabled');
    if (!mailer.isConfigured) return;
    try {
      // A savepoint: it is disabled even where the mail cannot be queued.
      await tx.transaction((within) => this.#tell(within, { userId, clusterId, origin, reason }));
    } catch (error) {
      log.warn(
        { err: describeError(error), webhookId: id },
        'Its owner is not mailed that a webhook was disabled',
      );
    }
  }

  async #tell(
    tx: Transaction,
    {
      userId,
      clusterId,
      origin,
      reason,
    }: {
      readonly userId: number;
      readonly clusterId: number;
      readonly origin: string;
      readonly reason: string;
    },
  ): Promise<void> {
    const [owner] = await tx
      .select({ email: users.email, provenAt: users.emailProvenAt, cluster: clusters.name })
      .from(users)
      .innerJoin(clusters, eq(clusters.id, clusterId))
      .where(eq(users.id, userId));
    if (owner === undefined || owner.provenAt === null) return;
    await this.#parts.mailer.send(
      {
        purpose: 'webhook disabled',
        to: owner.email,
        subject: `Your webhook for ${owner.cluster} is disabled`,
        text: [
          `The console sends nothing more to your webhook at ${origin} for the cluster ${owner.cluster}.`,
          reason,
          'Change or enable it in your settings of the cluster:',
          `${this.#parts.origin()}/clusters/${clusterId}/settings/cluster`,
        ].join('\n\n'),
      },
      tx,
    );
  }

  #open(webhook: WebhookRow): { readonly url: string; readonly secrets: readonly string[] } | undefined {
    const { vault, log, clock } = this.#parts;
    const { id, url, secret, previousSecret, previousUntil } = webhook;
    try {
      const isPreviousGood = previousUntil !== null && Date.parse(previousUntil) > clock.now();
      const previous =
        previousSecret === null || !isPreviousGood
          ? []
          : [vault.open(previousSecret, webhookSecretContext(id))];
      return {
        url: vault.open(url, webhookUrlContext(id)),
        secrets: [vault.open(secret, webhookSecretContext(id)), ...previous],
      };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      log.error({ webhookId: id, reason: error.reason }, 'A webhook could not be opened');
      return undefined;
    }
  }
}

/** A webhook that gets nothing more, and why, a sentence. */
interface Disabling {
  readonly webhook: WebhookRow;
  readonly reason: string;
}

const keyGone = (webhook: WebhookRow): Disabling => ({
  webhook,
  reason: 'Its address or secret could not be read: the key is gone. Add it again.',
});

const fromNow = (wait: number) => sql<string>`now() + make_interval(secs => ${wait / 1_000})`;
