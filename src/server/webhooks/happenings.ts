import { randomUUID } from 'node:crypto';
import { and, arrayContains, count, eq, gt, isNull, sql } from 'drizzle-orm';
import type { AttentionCause } from '../../contract/dashboard.ts';
import { type Need, orgRoles } from '../../contract/permissions.ts';
import type { WebhookEvent, WebhookFormat } from '../../contract/webhooks.ts';
import { Problem } from '../../contract/problem.ts';
import { mayEnter } from '../access/enforced.ts';
import type { Asker, Grants, Reach } from '../access/grants.ts';
import { readRequests, type SeenRequest } from '../organisation/access-sight.ts';
import type { Queue } from '../queue/queue.ts';
import { happenings, webhookDeliveries, webhooks } from '../store/schema/webhooks.ts';
import type { Store, Transaction } from '../store/store.ts';
import { bodyOf, type HappeningData, storableData, storableText } from './bodies.ts';
import { Summaries } from './summaries.ts';

/** Of one type this many messages are sent in a while; those beyond are counted in summaries. */
const cap = { messages: 60, minutes: 10 };

/** Between the namespaces of a happening that is about several. */
export const namespaceSeparator = ', ';

/** Something that happened on a cluster. */
export interface Happening {
  /** What makes it one, on whichever server it was seen. */
  readonly key: string;
  readonly type: WebhookEvent;
  readonly companyId: number;
  readonly clusterId: number;
  /** What one needs to hear of it, with blanks between; empty where reaching the cluster is enough. */
  readonly permission: string;
  /** Empty for the cluster; several are separated by `namespaceSeparator`, and all of them are needed. */
  readonly namespace: string;
  readonly data: HappeningData;
  /** What Owners are told instead: who did it is in the audit, which is theirs. */
  readonly ownersData?: HappeningData;
  /** Who did it: their own doing is no news to them. Webhooks tell of it all the same. */
  readonly byUserId?: number | null;
  /** The causes of the trouble that it is about: whoever acknowledged them is not told of it. */
  readonly causes?: readonly AttentionCause[];
  /** The access request that it is about: instead of who holds the permission, whoever may decide on it hears of it. */
  readonly accessRequestId?: number | null;
}

/** Whose webhook on which cluster. */
export interface WebhookOwner {
  readonly userId: number;
  readonly companyId: number;
  readonly clusterId: number;
}

/** Somebody who follows what a happening is about. */
export interface Hearer extends WebhookOwner {
  /** They asked to be alerted to such trouble. */
  readonly isAlert: boolean;
}

/** What of a happening decides who may hear of it. */
export interface Audience extends Pick<Happening, 'permission' | 'namespace' | 'accessRequestId'> {
  /** Besides, whoever asked hears what is granted to them. */
  readonly type?: string;
}

/** The people who follow something in the console; what is stored for them stands beside the messages of webhooks. */
export interface Followers {
  /** Whose follows a happening concerns, each once. Whether they may hear of it is asked elsewhere. */
  wanting(happening: Happening): Promise<readonly Hearer[]>;
  /** Stores a happening for people, once for each. */
  store(tx: Transaction, happening: { readonly id: string }, hearers: readonly Hearer[]): Promise<void>;
  /** Tells their open pages, once the transaction is committed. */
  tell(hearers: readonly WebhookOwner[]): Promise<void>;
}

/** Whether somebody who reaches a cluster so may hear of something, and has not left it out. */
export function mayHearOf({ held, excluded }: Pick<Reach, 'held' | 'excluded'>, of: Audience): boolean {
  const namespaces = of.namespace.split(namespaceSeparator);
  const needed = of.permission.split(' ').filter((one) => one !== '');
  return (
    namespaces.every((one) => {
      const place = one === '' ? ('cluster' as const) : { namespace: one };
      return needed.every((need) => held.may(need as Need, place));
    }) && !namespaces.every((one) => excluded.has(one))
  );
}

/**
 * Whether somebody may decide on an access request at this moment, or asked for what was granted by it.
 * @param type of the event
 */
async function isPartOfRequest(
  db: Store['db'],
  { userId, companyId }: Pick<WebhookOwner, 'userId' | 'companyId'>,
  id: number,
  type: string | undefined,
): Promise<boolean> {
  return isPartOf((await readRequests(db, { id: userId, companyId }, [id])).requests[0], type);
}

/** Whether a request that somebody sees so is theirs to hear of. @param type of the event */
export function isPartOf(seen: SeenRequest | undefined, type: string | undefined): boolean {
  if (seen === undefined) return false;
  return seen.request.isOwn ? type === 'access.granted' : seen.authority !== undefined;
}

/** Stores what happens, and queues a message to every webhook whose owner may hear of it. */
export class Happenings {
  readonly #store: Pick<Store, 'db'>;
  readonly #grants: Pick<Grants, 'access'>;
  readonly #queue: Queue;
  readonly #origin: () => string;
  readonly #followers: Followers | undefined;
  readonly #summaries: Summaries;

  constructor(parts: {
    readonly store: Pick<Store, 'db'>;
    readonly grants: Pick<Grants, 'access'>;
    readonly queue: Queue;
    /** Where people open the console. */
    readonly origin: () => string;
    /** Absent where nobody reads notifications: a process that only sends. */
    readonly followers?: Followers;
  }) {
    this.#store = parts.store;
    this.#grants = parts.grants;
    this.#queue = parts.queue;
    this.#origin = parts.origin;
    this.#followers = parts.followers;
    this.#summaries = new Summaries(parts);
  }

  /**
   * Stores a happening with its messages, once for its key.
   * @param isFirst asked within the transaction, before anything is stored: where it says no, nothing is
   */
  async record(happening: Happening, isFirst?: (tx: Transaction) => Promise<boolean>): Promise<void> {
    const { type, clusterId, ownersData } = happening;
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
    // A happening of its own, so that a message with a name is dropped once its receiver is no Owner any more.
    const forOwners = ownersData && {
      ...happening,
      key: `${happening.key}/owners`,
      permission: `owner ${happening.permission}`,
      data: ownersData,
    };
    const webhooksOf = await this.#sortedOf(wanting, happening, forOwners);
    const following = (await this.#followers?.wanting(happening)) ?? [];
    const people = await this.#sortedOf(following, happening, forOwners);
    const isNew = await this.#store.db.transaction(async (tx) => {
      if (isFirst !== undefined && !(await isFirst(tx))) return false;
      if (!(await this.#recordOne(tx, happening, webhooksOf.others, people.others))) return false;
      if (forOwners !== undefined && webhooksOf.owners.length + people.owners.length > 0)
        await this.#recordOne(tx, forOwners, webhooksOf.owners, people.owners);
      return true;
    });
    if (isNew) await this.#followers?.tell([...people.others, ...people.owners]);
  }

  /** Those who may hear of a happening, and apart from them those who are told what is for Owners. */
  async #sortedOf<T extends WebhookOwner>(
    wanting: readonly T[],
    happening: Audience,
    forOwners: Audience | undefined,
  ): Promise<{ readonly owners: readonly T[]; readonly others: readonly T[] }> {
    const [owners, others]: [T[], T[]] = [[], []];
    for (const one of wanting) {
      const reach = await this.reachOf(one);
      if (reach === undefined || !(await this.#mayHear(one, reach, happening))) continue;
      const isOwner = forOwners !== undefined && (await this.#mayHear(one, reach, forOwners));
      (isOwner ? owners : others).push(one);
    }
    return { owners, others };
  }

  /** Stores one happening with its messages and what people are notified of; says whether it is new. */
  async #recordOne(
    tx: Transaction,
    happening: Happening,
    hearers: readonly { readonly id: string; readonly format: string }[],
    people: readonly Hearer[],
  ): Promise<boolean> {
    const { type, companyId, clusterId, accessRequestId = null } = happening;
    const id = randomUUID();
    const data = storableData(happening.data);
    const [key, permission, namespace] = [
      storableText(happening.key),
      storableText(happening.permission),
      storableText(happening.namespace),
    ];
    const [stored] = await tx
      .insert(happenings)
      .values({ id, key, type, companyId, clusterId, permission, namespace, data, accessRequestId })
      .onConflictDoNothing()
      .returning({ at: happenings.at });
    if (stored === undefined) return false;
    if (people.length > 0) await this.#followers?.store(tx, { id }, people);
    for (const hearer of hearers) {
      const [webhookId, format] = [hearer.id, hearer.format as WebhookFormat];
      if (await this.#isOverCap(tx, type, webhookId)) {
        await this.#summaries.count(tx, { id, type, cluster: data.cluster }, { id: webhookId, format });
        continue;
      }
      const body = bodyOf(format, { type, at: stored.at, data }, this.#origin());
      await this.#queueMessage(tx, { webhookId, happeningId: id, type, body });
    }
    return true;
  }

  /**
   * Whether the owner of a webhook may hear of something by the grants and the rules of the company for signing in of
   * this moment, and has not left it out.
   */
  async mayHear(owner: WebhookOwner, audience: Audience): Promise<boolean> {
    const reach = await this.reachOf(owner);
    return reach !== undefined && (await this.#mayHear(owner, reach, audience));
  }

  /** The permissions of a person on a cluster now; undefined where they do not reach it, or the company's rules keep them out. */
  async reachOf(owner: WebhookOwner): Promise<Reach | undefined> {
    const { userId, companyId, clusterId } = owner;
    if (!(await mayEnter(this.#store.db, owner))) return undefined;
    return await this.#reach({ id: userId, companyId, orgRole: orgRoles.Member, token: null }, clusterId);
  }

  async #mayHear(owner: WebhookOwner, reach: Reach, audience: Audience): Promise<boolean> {
    return typeof audience.accessRequestId === 'number'
      ? await isPartOfRequest(this.#store.db, owner, audience.accessRequestId, audience.type)
      : mayHearOf(reach, audience);
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

  /**
   * Whether a webhook got as many messages of a type as it gets in a while. Each type has its own number, so that edits
   * never keep an alarm back; of access, all are told.
   */
  async #isOverCap(tx: Transaction, type: WebhookEvent, webhookId: string): Promise<boolean> {
    if (type.startsWith('access.')) return false;
    const [sent] = await tx
      .select({ messages: count() })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.webhookId, webhookId),
          eq(webhookDeliveries.type, type),
          gt(webhookDeliveries.createdAt, sql`now() - make_interval(mins => ${cap.minutes})`),
        ),
      );
    return (sent?.messages ?? 0) >= cap.messages;
  }
}
