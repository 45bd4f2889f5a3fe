import { and, eq, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type DeliveryAttempt, deliveryDays } from '../../contract/webhooks.ts';
import type { Resolver } from '../clusters/address.ts';
import type { Clock } from '../kit/clock.ts';
import { createLimiter, type Limiter } from '../kit/limiter.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Queue, Try } from '../queue/queue.ts';
import { users } from '../store/schema/accounts.ts';
import { clusters } from '../store/schema/clusters.ts';
import { happenings, webhookDeliveries, webhooks } from '../store/schema/webhooks.ts';
import { webhookSecretContext, webhookUrlContext } from '../store/sealed.ts';
import type { Store, Transaction } from '../store/store.ts';
import { SealError, type Vault } from '../store/vault.ts';
import type { WebhookPolicy } from './address.ts';
import type { Happenings } from './happenings.ts';
import { type PostResult, postWebhook } from './post.ts';
import { signedHeaders } from './signature.ts';

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
  /** Deliveries of one server at a time, and to one receiver. */
  atOnce: 6,
  toOne: 2,
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
  readonly #receivers = new Map<string, Limiter>();

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
    const { store, happenings: heard } = this.#parts;
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
    const audience = about ?? { permission: '', namespace: '' };
    if (webhook.disabledAt !== null || !(await heard.mayHear(webhook, audience))) {
      await this.#settle(delivery, { state: 'dropped' });
      return;
    }
    await this.#receiver(webhook.origin).run(() => this.#try(delivery, webhook, signal), signal);
  }

  async #try(delivery: DeliveryRow, webhook: WebhookRow, signal: AbortSignal): Promise<void> {
    const { clock, policy, resolve } = this.#parts;
    const opened = this.#open(webhook);
    if (opened === undefined) {
      await this.#settle(delivery, { state: 'failed' });
      await this.#disable(webhook, 'Its address or secret could not be read: the key is gone. Add it again.');
      return;
    }
    const at = clock.now();
    const headers = signedHeaders(delivery, at, opened.secrets);
    const result = await postWebhook(
      { url: new URL(opened.url), body: delivery.body, headers },
      { policy, signal, now: at, ...(resolve === undefined ? {} : { resolve }) },
    );
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
      await this.#settle(delivery, { state: 'failed', attempts });
      await this.#disable(webhook, 'The receiver answered 410: it wants no more of this.');
      return;
    }
    const planned = this.#waits[delivery.step];
    // A test tells at once what is wrong.
    if (planned === undefined || delivery.type === 'webhook.test') {
      await this.#settle(delivery, { state: 'failed', attempts });
      if (planned === undefined)
        await this.#disable(webhook, `Every try of three days failed. The last one: ${problem}`);
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
  ): Promise<void> {
    await this.#parts.store.db
      .update(webhookDeliveries)
      .set({ ...set, tries: tries + 1 })
      .where(this.#same({ id, tries }));
  }

  #same({ id, tries }: Try) {
    return and(
      eq(webhookDeliveries.id, id),
      eq(webhookDeliveries.tries, tries),
      eq(webhookDeliveries.state, 'waiting'),
    );
  }

  /** Sends nothing more to a webhook, and mails its owner why. */
  async #disable({ id, userId, clusterId, origin }: WebhookRow, reason: string): Promise<void> {
    const { store, mailer, log } = this.#parts;
    await store.db.transaction(async (tx) => {
      const changed = await tx
        .update(webhooks)
        .set({ disabledAt: sql`now()`, disabledReason: reason })
        .where(and(eq(webhooks.id, id), isNull(webhooks.disabledAt)))
        .returning({ id: webhooks.id });
      if (changed.length === 0) return;
      log.info({ webhookId: id }, 'A webhook was disabled');
      if (mailer.isConfigured) await this.#tell(tx, { userId, clusterId, origin, reason });
    });
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

  #receiver(origin: string): Limiter {
    const known = this.#receivers.get(origin) ?? createLimiter(limits.toOne);
    this.#receivers.set(origin, known);
    return known;
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

const fromNow = (wait: number) => sql<string>`now() + make_interval(secs => ${wait / 1_000})`;
