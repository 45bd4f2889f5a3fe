import { randomUUID } from 'node:crypto';
import { and, arrayContains, count, eq, gt, isNull, sql } from 'drizzle-orm';
import { type Need, orgRoles } from '../../contract/permissions.ts';
import type { WebhookEvent, WebhookFormat } from '../../contract/webhooks.ts';
import { Problem } from '../../contract/problem.ts';
import { mayEnter } from '../access/enforced.ts';
import type { Asker, Grants, Reach } from '../access/grants.ts';
import type { Queue } from '../queue/queue.ts';
import { happenings, webhookDeliveries, webhooks } from '../store/schema/webhooks.ts';
import type { Store, Transaction } from '../store/store.ts';
import { bodyOf, type HappeningData } from './bodies.ts';

/** More than this many messages in a while are one summary. */
const cap = { messages: 60, minutes: 10 };

/** Something that happened on a cluster. */
export interface Happening {
  /** What makes it one, on whichever server it was seen. */
  readonly key: string;
  readonly type: WebhookEvent;
  readonly companyId: number;
  readonly clusterId: number;
  /** What one needs to hear of it, with blanks between; empty where reaching the cluster is enough. */
  readonly permission: string;
  /** Empty for the cluster. */
  readonly namespace: string;
  readonly data: HappeningData;
}

/** Whose webhook on which cluster. */
export interface WebhookOwner {
  readonly userId: number;
  readonly companyId: number;
  readonly clusterId: number;
}

/** What of a happening decides who may hear of it. */
export type Audience = Pick<Happening, 'permission' | 'namespace'>;

/** Stores what happens, and queues a message to every webhook whose owner may hear of it. */
export class Happenings {
  readonly #store: Pick<Store, 'db'>;
  readonly #grants: Pick<Grants, 'access'>;
  readonly #queue: Queue;
  readonly #origin: () => string;

  constructor(parts: {
    readonly store: Pick<Store, 'db'>;
    readonly grants: Pick<Grants, 'access'>;
    readonly queue: Queue;
    /** Where people open the console. */
    readonly origin: () => string;
  }) {
    this.#store = parts.store;
    this.#grants = parts.grants;
    this.#queue = parts.queue;
    this.#origin = parts.origin;
  }

  /**
   * Stores a happening with its messages, once for its key.
   * @param isFirst asked within the transaction, before anything is stored: where it says no, nothing is
   */
  async record(happening: Happening, isFirst?: (tx: Transaction) => Promise<boolean>): Promise<void> {
    const { key, type, companyId, clusterId, permission, namespace, data } = happening;
    const wanting = await this.#store.db
      .select()
      .from(webhooks)
      .where(
        and(
          eq(webhooks.clusterId, clusterId),
          arrayContains(webhooks.events, [type]),
          isNull(webhooks.disabledAt),
        ),
      );
    const allowed: (typeof wanting)[number][] = [];
    for (const webhook of wanting) if (await this.mayHear(webhook, happening)) allowed.push(webhook);
    await this.#store.db.transaction(async (tx) => {
      if (isFirst !== undefined && !(await isFirst(tx))) return;
      const id = randomUUID();
      const [stored] = await tx
        .insert(happenings)
        .values({ id, key, type, companyId, clusterId, permission, namespace, data })
        .onConflictDoNothing()
        .returning({ at: happenings.at });
      if (stored === undefined) return;
      for (const { id: webhookId, format } of allowed)
        if (!(await this.#isOverCap(tx, happening, webhookId, format as WebhookFormat)))
          await this.#queueMessage(tx, {
            webhookId,
            happeningId: id,
            type,
            body: bodyOf(format as WebhookFormat, { type, at: stored.at, data }, this.#origin()),
          });
    });
  }

  /**
   * Whether the owner of a webhook may hear of something by the grants and the rules of the company for signing in of
   * this moment, and has not left it out.
   */
  async mayHear(owner: WebhookOwner, { permission, namespace }: Audience): Promise<boolean> {
    const { userId, companyId, clusterId } = owner;
    if (!(await mayEnter(this.#store.db, owner))) return false;
    const asker = { id: userId, companyId, orgRole: orgRoles.Member, token: null };
    const reach = await this.#reach(asker, clusterId);
    if (reach === undefined) return false;
    const place = namespace === '' ? ('cluster' as const) : { namespace };
    const needed = permission.split(' ').filter((one) => one !== '');
    return needed.every((one) => reach.held.may(one as Need, place)) && !reach.excluded.has(namespace);
  }

  async #reach(asker: Asker, clusterId: number): Promise<Reach | undefined> {
    try {
      return await this.#grants.access(asker, clusterId);
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return undefined;
      throw error;
    }
  }

  async #queueMessage(
    tx: Transaction,
    message: Pick<typeof webhookDeliveries.$inferInsert, 'webhookId' | 'happeningId' | 'type' | 'body'>,
  ): Promise<void> {
    const id = randomUUID();
    await tx.insert(webhookDeliveries).values({ id, ...message });
    await this.#queue.add('webhook', { id, tries: 0 }, tx);
  }

  /** Whether a webhook got as many messages as it gets in a while; the first time it is told that there are more. */
  async #isOverCap(
    tx: Transaction,
    happening: Happening,
    webhookId: string,
    format: WebhookFormat,
  ): Promise<boolean> {
    const [sent] = await tx
      .select({ messages: count() })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.webhookId, webhookId),
          gt(webhookDeliveries.createdAt, sql`now() - make_interval(mins => ${cap.minutes})`),
        ),
      );
    const messages = sent?.messages ?? 0;
    if (messages < cap.messages) return false;
    if (messages > cap.messages) return true;
    const { cluster } = happening.data;
    const data: HappeningData = {
      title: `More happens than is told one by one: over ${cap.messages} events in ${cap.minutes} minutes`,
      cluster,
      path: `/clusters/${cluster.id}`,
    };
    const at = new Date().toISOString();
    const body = bodyOf(format, { type: 'webhook.summary', at, data }, this.#origin());
    await this.#queueMessage(tx, { webhookId, happeningId: null, type: 'webhook.summary', body });
    return true;
  }
}
