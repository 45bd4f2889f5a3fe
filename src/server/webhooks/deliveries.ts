import type { Logger } from 'pino';
import type { DeliveryAttempt } from '../../contract/webhooks.ts';
import { Problem } from '../../contract/problem.ts';
import type { Resolver } from '../clusters/address.ts';
import type { Clock } from '../kit/clock.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Queue, Try } from '../queue/queue.ts';
import type { Store } from '../store/store.ts';
import { SealError, type Vault } from '../store/vault.ts';
import { parseWebhookUrl, type WebhookPolicy } from './address.ts';
import { type DeliveryEnd, type DeliveryRow, DeliveryRows, type WebhookRow } from './delivery-rows.ts';
import { type Disabling, disableWebhook } from './disable.ts';
import type { Audience, Happenings } from './happenings.ts';
import { tellNotified } from './personal-news.ts';
import { type PostResult, postWebhook } from './post.ts';
import { openWebhook } from './secrets.ts';
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
  /** Tries that a delivery's log keeps. */
  attempts: 12,
} as const;

/** Inputs of the deliveries of a server. */
export interface DeliveriesParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
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
  readonly #rows: DeliveryRows;
  readonly #waits: readonly number[];
  readonly #receivers = new Turns<string>(limits.toOne);
  readonly #owners = new Turns<number>(limits.ofPerson);

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    this.#rows = new DeliveryRows(parts);
    this.#waits = parts.waits ?? retryWaits;
  }

  /** Begins to send what waits. */
  async start(): Promise<void> {
    await this.#parts.queue.work('webhook', {
      atOnce: limits.atOnce,
      overdue: () => this.#rows.overdue(),
      perform: (attempt, signal) => this.#perform(attempt, signal),
    });
  }

  /** One try of one delivery. Throws when the server ends meanwhile: the delivery is then another server's. */
  async #perform(attempt: Try, signal: AbortSignal): Promise<void> {
    const found = await this.#rows.find(attempt);
    if (found === undefined) return;
    const { delivery, webhook, about } = found;
    const wait = Date.parse(delivery.nextAt) - this.#parts.clock.now();
    // The receiver said that it is busy after this was queued.
    if (wait > minute) {
      await this.#rows.again(delivery, { step: delivery.step, attempts: delivery.attempts }, wait);
      return;
    }
    // A worker that waited for a slow receiver would be missing to all others.
    const turn = this.#turnOf(webhook);
    if ('wait' in turn) {
      await this.#rows.again(delivery, { step: delivery.step, attempts: delivery.attempts }, turn.wait);
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
      const reason = 'The receiver answered 410: it no longer accepts these messages.';
      await this.#settle(delivery, { state: 'failed', attempts }, { webhook, reason });
      return;
    }
    const planned = this.#waits[delivery.step];
    // A test tells at once what is wrong.
    if (planned === undefined || delivery.type === 'webhook.test') {
      const reason = `Every attempt within three days failed. The last error: ${problem}`;
      const disabling = planned === undefined ? { webhook, reason } : undefined;
      await this.#settle(delivery, { state: 'failed', attempts }, disabling);
      return;
    }
    const asked = Math.max(retryAfter ?? 0, busyStatuses.has(status) ? busyWait : 0);
    const wait = Math.max(planned, asked);
    await this.#rows.again(delivery, { step: delivery.step + 1, attempts }, wait);
    if (asked > 0) await this.#rows.slowDown(webhook.id, asked);
  }

  /** Ends a delivery, and with it the webhook where `disabling` says so. */
  async #settle(delivery: Try, end: DeliveryEnd, disabling?: Disabling): Promise<void> {
    let isDisabled = false;
    await this.#rows.settle(delivery, end, async (tx) => {
      if (disabling !== undefined) isDisabled = await disableWebhook(tx, disabling, this.#parts);
    });
    const { store, log } = this.#parts;
    if (disabling !== undefined && isDisabled)
      await tellNotified(store.channel, log, [disabling.webhook.userId]);
  }

  #open(webhook: WebhookRow): ReturnType<typeof openWebhook> | undefined {
    const { vault, log, clock } = this.#parts;
    try {
      return openWebhook(vault, webhook, clock.now());
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      log.error({ webhookId: webhook.id, reason: error.reason }, 'A webhook could not be opened');
      return undefined;
    }
  }
}

const keyGone = (webhook: WebhookRow): Disabling => ({
  webhook,
  reason: 'Its address or secret could not be decrypted: the key is missing. Add the webhook again.',
});
