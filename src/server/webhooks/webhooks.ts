import { randomUUID } from 'node:crypto';
import { and, count, desc, eq, gt, gte, inArray, lt, or, sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import {
  deliveriesPerPage,
  type Delivery,
  secretOverlapHours,
  type Webhook,
  type WebhookEvent,
  type WebhookFormat,
  webhookLimit,
} from '../../contract/webhooks.ts';
import type { Queue } from '../queue/queue.ts';
import { clusters } from '../store/schema/clusters.ts';
import { happenings, webhookDeliveries, webhooks } from '../store/schema/webhooks.ts';
import { webhookSecretContext, webhookUrlContext } from '../store/sealed.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { parseWebhookUrl, type WebhookPolicy } from './address.ts';
import { bodyOf } from './bodies.ts';
import type { DeliveryRow } from './delivery-rows.ts';
import type { Audience, Happenings, WebhookOwner } from './happenings.ts';
import { isAfter } from './secrets.ts';
import { isSecret, newSecret } from './signature.ts';
import type { Clock } from '../kit/clock.ts';

/** Deliveries that the log shows, and that may wait for a webhook where more are to be sent again. */
const limits = { shown: deliveriesPerPage, waiting: 1_000 } as const;

/** A webhook as its owner writes it. */
export interface WebhookInput {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly format: WebhookFormat;
  readonly secret?: string | undefined;
}

type WebhookRow = typeof webhooks.$inferSelect;

/** People's webhooks. Each call is about those of one person on one cluster, who was authorised for it. */
export class Webhooks {
  readonly #store: Pick<Store, 'db'>;
  readonly #vault: Vault;
  readonly #queue: Queue;
  readonly #happenings: Pick<Happenings, 'mayHear'>;
  readonly #policy: WebhookPolicy;
  readonly #origin: () => string;
  readonly #clock: Clock;

  constructor(parts: {
    readonly store: Pick<Store, 'db'>;
    readonly vault: Vault;
    readonly queue: Queue;
    readonly happenings: Pick<Happenings, 'mayHear'>;
    readonly policy: WebhookPolicy;
    /** Where people open the console. */
    readonly origin: () => string;
    readonly clock: Clock;
  }) {
    this.#store = parts.store;
    this.#vault = parts.vault;
    this.#queue = parts.queue;
    this.#happenings = parts.happenings;
    this.#policy = parts.policy;
    this.#origin = parts.origin;
    this.#clock = parts.clock;
  }

  /** The oldest first. */
  async list(owner: WebhookOwner): Promise<Webhook[]> {
    const rows = await this.#store.db.select().from(webhooks).where(own(owner)).orderBy(webhooks.createdAt);
    return rows.map((row) => this.#present(row));
  }

  /** Adds one; the answer has its secret. Throws Problem 400 for an address or secret that is none, 409 at the limit. */
  async add(owner: WebhookOwner, input: WebhookInput): Promise<Webhook & { readonly secret: string }> {
    const url = parseWebhookUrl(input.url, this.#policy);
    const secret = input.secret ?? newSecret();
    if (!isSecret(secret))
      throw new Problem({
        status: 400,
        title:
          'This is not a webhook secret: enter whsec_ followed by 24 to 64 bytes in base64, or leave it empty to get one.',
      });
    const id = randomUUID();
    const row = await this.#store.db.transaction(async (tx) => {
      // One after the other for each cluster, so that several at once are counted.
      await tx
        .select({ id: clusters.id })
        .from(clusters)
        .where(eq(clusters.id, owner.clusterId))
        .for('update');
      const [there] = await tx.select({ webhooks: count() }).from(webhooks).where(own(owner));
      if ((there?.webhooks ?? 0) >= webhookLimit)
        throw new Problem({
          status: 409,
          title: `You have ${webhookLimit} webhooks on this cluster, the maximum. Delete one first.`,
        });
      const [stored] = await tx
        .insert(webhooks)
        .values({
          id,
          ...owner,
          url: this.#vault.seal(url.href, webhookUrlContext(id)),
          origin: url.origin,
          format: input.format,
          events: [...new Set(input.events)],
          secret: this.#vault.seal(secret, webhookSecretContext(id)),
        })
        .returning();
      return stored;
    });
    if (row === undefined) throw new Error('The webhook could not be stored.');
    return { ...this.#present(row), secret };
  }

  /** Deletes one with its deliveries and gives its origin. Throws Problem 404. */
  async delete(owner: WebhookOwner, id: string): Promise<string> {
    const [gone] = await this.#store.db
      .delete(webhooks)
      .where(and(own(owner), eq(webhooks.id, id)))
      .returning({ origin: webhooks.origin });
    if (gone === undefined) throw noSuchWebhook();
    return gone.origin;
  }

  /** Changes and enables one. Throws Problem 400 for an address that is none, 404. */
  async change(
    owner: WebhookOwner,
    id: string,
    input: Pick<WebhookInput, 'events' | 'format'> & { readonly url?: string | undefined },
  ): Promise<Webhook> {
    const url = input.url === undefined ? undefined : parseWebhookUrl(input.url, this.#policy);
    return this.#present(
      await this.#update(owner, id, {
        events: [...new Set(input.events)],
        format: input.format,
        disabledAt: null,
        disabledReason: null,
        ...(url === undefined
          ? {}
          : { url: this.#vault.seal(url.href, webhookUrlContext(id)), origin: url.origin }),
      }),
    );
  }

  /**
   * Gives one a new secret; the two before are good for a while each: whoever changes it twice may not have brought the
   * first change to the receiver yet. Throws Problem 404, 409 for a third change within that while.
   */
  async changeSecret(owner: WebhookOwner, id: string): Promise<{ webhook: Webhook; secret: string }> {
    const secret = newSecret();
    const row = await this.#store.db.transaction(async (tx) => {
      const [before] = await tx
        .select()
        .from(webhooks)
        .where(and(own(owner), eq(webhooks.id, id)))
        .for('update');
      if (before === undefined) throw noSuchWebhook();
      const now = this.#clock.now();
      if (isAfter(before.olderUntil, now)) throw changedTooOften();
      const isGood = isAfter(before.previousUntil, now);
      const [changed] = await tx
        .update(webhooks)
        .set({
          olderSecret: isGood ? before.previousSecret : null,
          olderUntil: isGood ? before.previousUntil : null,
          previousSecret: before.secret,
          previousUntil: new Date(now + secretOverlapHours * 3_600_000).toISOString(),
          secret: this.#vault.seal(secret, webhookSecretContext(id)),
        })
        .where(eq(webhooks.id, id))
        .returning();
      return changed ?? before;
    });
    return { webhook: this.#present(row), secret };
  }

  /** Queues a test. Throws Problem 404, 409 for one that is disabled. */
  async test(owner: WebhookOwner, id: string): Promise<string> {
    const row = await this.#find(owner, id);
    if (row.disabledAt !== null)
      throw new Problem({ status: 409, title: 'This webhook is disabled. Enable it first.' });
    const [cluster] = await this.#store.db
      .select({ name: clusters.name })
      .from(clusters)
      .where(eq(clusters.id, owner.clusterId));
    const deliveryId = randomUUID();
    const path = `/clusters/${owner.clusterId}/settings/cluster`;
    const data = {
      title: 'A test of this webhook',
      cluster: { id: owner.clusterId, name: cluster?.name ?? '' },
      path,
    };
    const happened = { type: 'webhook.test', at: new Date(this.#clock.now()).toISOString(), data } as const;
    const body = bodyOf(row.format as WebhookFormat, happened, this.#origin());
    await this.#store.db.transaction(async (tx) => {
      await tx.insert(webhookDeliveries).values({ id: deliveryId, webhookId: id, type: happened.type, body });
      await this.#queue.add('webhook', { id: deliveryId, tries: 0 }, tx);
    });
    return deliveryId;
  }

  /**
   * Deliveries of one, the newest first, without those of what its owner may not hear of any more: as many as a page
   * shows. Throws Problem 404.
   * @param after the last delivery of the page before; of one that is gone nothing follows
   */
  async deliveries(owner: WebhookOwner, id: string, after?: string): Promise<Delivery[]> {
    await this.#find(owner, id);
    const mayHear = this.#hearingOf(owner);
    const shown: DeliveryRow[] = [];
    let last = after;
    for (;;) {
      const rows = await this.#logged(id, last);
      for (const { delivery, about } of rows)
        if (shown.length < limits.shown && (await mayHear(about ?? toAll))) shown.push(delivery);
      if (rows.length < limits.shown || shown.length === limits.shown) break;
      last = rows.at(-1)?.delivery.id;
    }
    return shown.map(({ id: deliveryId, type, body, state, createdAt, nextAt, attempts }) => ({
      id: deliveryId,
      type,
      body,
      state,
      createdAt,
      nextAt: state === 'waiting' ? nextAt : null,
      attempts: attempts as Delivery['attempts'],
    }));
  }

  /** A part of the log of a webhook, with what each delivery is about. @param after the last delivery of the part before */
  async #logged(id: string, after: string | undefined) {
    return await this.#store.db
      .select({
        delivery: webhookDeliveries,
        about: {
          permission: happenings.permission,
          namespace: happenings.namespace,
          type: happenings.type,
          accessRequestId: happenings.accessRequestId,
        },
      })
      .from(webhookDeliveries)
      .leftJoin(happenings, eq(happenings.id, webhookDeliveries.happeningId))
      .where(and(eq(webhookDeliveries.webhookId, id), after === undefined ? undefined : isBehind(after)))
      .orderBy(desc(webhookDeliveries.createdAt), webhookDeliveries.id)
      .limit(limits.shown);
  }

  /** Asks once for each audience whether somebody may hear of it. */
  #hearingOf(owner: WebhookOwner): (audience: Audience) => Promise<boolean> {
    const known = new Map<string, Promise<boolean>>();
    return (audience) => {
      const { permission, namespace, accessRequestId = null } = audience;
      const key = `${permission}/${namespace}/${accessRequestId === null ? '' : `${audience.type} ${accessRequestId}`}`;
      const answer = known.get(key) ?? this.#happenings.mayHear(owner, audience);
      known.set(key, answer);
      return answer;
    };
  }

  /**
   * Sends again what is over, with the same ids: one delivery, or all that failed since a time. Gives how many. Throws
   * Problem 404 for an unknown webhook, 409 for one that is disabled, for which as many wait as may, and where there is
   * nothing to send.
   */
  async redeliver(
    owner: WebhookOwner,
    id: string,
    which: { readonly deliveryId: string } | { readonly failedSince: string },
  ): Promise<number> {
    const row = await this.#find(owner, id);
    if (row.disabledAt !== null)
      throw new Problem({ status: 409, title: 'This webhook is disabled. Enable it first.' });
    const wanted =
      'deliveryId' in which
        ? and(eq(webhookDeliveries.id, which.deliveryId), sql`${webhookDeliveries.state} <> 'waiting'`)
        : and(
            inArray(webhookDeliveries.state, ['failed', 'dropped']),
            gte(webhookDeliveries.createdAt, which.failedSince),
          );
    const sent = await this.#store.db.transaction(async (tx) => await this.#sendAgain(tx, id, wanted));
    if (sent === 0 && 'deliveryId' in which)
      throw new Problem({
        status: 409,
        title: 'This delivery was deleted, or is already waiting to be sent.',
      });
    return sent;
  }

  async #sendAgain(tx: Transaction, webhookId: string, wanted: ReturnType<typeof and>): Promise<number> {
    const waiting = await tx.$count(
      webhookDeliveries,
      and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, 'waiting')),
    );
    if (waiting >= limits.waiting) throw tooManyWait();
    const found = await tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.webhookId, webhookId), wanted))
      .orderBy(webhookDeliveries.createdAt)
      .limit(limits.waiting - waiting)
      .for('update');
    if (found.length === 0) return 0;
    const rows = await tx
      .update(webhookDeliveries)
      .set({ state: 'waiting', step: 0, tries: sql`${webhookDeliveries.tries} + 1`, nextAt: sql`now()` })
      .where(
        inArray(
          webhookDeliveries.id,
          found.map((one) => one.id),
        ),
      )
      .returning({ id: webhookDeliveries.id, tries: webhookDeliveries.tries });
    for (const attempt of rows) await this.#queue.add('webhook', attempt, tx);
    return rows.length;
  }

  async #find(owner: WebhookOwner, id: string): Promise<WebhookRow> {
    const [row] = await this.#store.db
      .select()
      .from(webhooks)
      .where(and(own(owner), eq(webhooks.id, id)));
    if (row === undefined) throw noSuchWebhook();
    return row;
  }

  async #update(
    owner: WebhookOwner,
    id: string,
    set: Parameters<ReturnType<Store['db']['update']>['set']>[0],
  ): Promise<WebhookRow> {
    const [row] = await this.#store.db
      .update(webhooks)
      .set(set)
      .where(and(own(owner), eq(webhooks.id, id)))
      .returning();
    if (row === undefined) throw noSuchWebhook();
    return row;
  }

  #present({ id, origin, format, events, createdAt, previousUntil, disabledReason }: WebhookRow): Webhook {
    return {
      id,
      origin,
      format: format as WebhookFormat,
      events,
      createdAt,
      previousUntil: isAfter(previousUntil, this.#clock.now()) ? previousUntil : null,
      disabledReason,
    };
  }
}

/** Tests and summaries: for whoever reaches the cluster. */
const toAll: Audience = { permission: '', namespace: '' };

const own = ({ userId, companyId, clusterId }: WebhookOwner) =>
  and(eq(webhooks.userId, userId), eq(webhooks.companyId, companyId), eq(webhooks.clusterId, clusterId));

function noSuchWebhook(): Problem {
  return new Problem({ status: 404, title: 'You have no such webhook on this cluster.' });
}

function changedTooOften(): Problem {
  return new Problem({
    status: 409,
    title: `The secret of this webhook was changed twice within ${secretOverlapHours} hours, and both earlier secrets still work. Wait until the older one expires, or add a new webhook.`,
  });
}

function tooManyWait(): Problem {
  return new Problem({
    status: 409,
    title: `${limits.waiting.toLocaleString('en')} deliveries of this webhook are waiting to be sent, the maximum. Send more again when some of them have been sent.`,
  });
}

/** Whether a delivery comes behind another in the log. @param last the id of the other */
function isBehind(last: string) {
  const lastCreated = sql`(select created_at from webhook_deliveries where id = ${last})`;
  return or(
    lt(webhookDeliveries.createdAt, lastCreated),
    and(eq(webhookDeliveries.createdAt, lastCreated), gt(webhookDeliveries.id, last)),
  );
}
