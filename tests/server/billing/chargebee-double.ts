import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chargebeeWebhookPath } from '../../../src/server/http/billing-webhook.ts';
import type { ChargebeeSettings } from '../../../src/server/kit/config-billing.ts';
import { send, type WireAnswer } from '../http-client.ts';

const apiKey = 'test_double-key-0123456789';
const webhook = { user: 'chargebee', password: 'a password of sixteen' } as const;

/** A subscription as Chargebee answers with it. */
interface DoubleSubscription {
  id: string;
  customer_id: string;
  status: 'active' | 'non_renewing' | 'cancelled';
  resource_version: number;
  currency_code: string;
  current_term_end: number;
  next_billing_at?: number;
  cancelled_at?: number | undefined;
  cancel_schedule_created_at?: number | undefined;
  subscription_items: { item_price_id: string; item_type: 'plan'; quantity: number }[];
}

interface DoublePage {
  id: string;
  state: 'requested' | 'succeeded' | 'cancelled';
  created_at: number;
  expires_at: number;
  wish: URLSearchParams;
  paidFor?: string;
}

const seconds = () => Math.floor(Date.now() / 1_000);

const price = (id: string, more: Readonly<Record<string, unknown>>) => ({
  item_price: {
    id,
    name: id,
    object: 'item_price',
    status: 'active',
    item_type: 'plan',
    pricing_model: 'per_unit',
    period: 1,
    period_unit: 'month',
    currency_code: 'EUR',
    ...more,
  },
});

/** Chargebee on loopback, as far as the console speaks with it: its API over HTTP, and the webhooks that it sends. */
export class ChargebeeDouble {
  readonly pages = new Map<string, DoublePage>();
  readonly subscriptions = new Map<string, DoubleSubscription>();
  /** Subscriptions that it does not find, although they are paid. */
  readonly hidden = new Set<string>();
  /** Method and path of every call. */
  readonly calls: string[] = [];
  /** Answers nothing of use. */
  isDown = false;
  readonly #server: Server;
  #version = 1_000;
  #pageCount = 0;
  #second = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    });
  }

  static async start(): Promise<ChargebeeDouble> {
    const double = new ChargebeeDouble();
    double.#server.listen(0, '127.0.0.1');
    await once(double.#server, 'listening');
    return double;
  }

  /** The settings that lead a console here. The site is the first part of the address. */
  settings(hasWebhook = true): ChargebeeSettings {
    const { port } = this.#server.address() as AddressInfo;
    return {
      kind: 'chargebee',
      site: '127',
      apiKey,
      webhook: hasWebhook ? webhook : null,
      hosts: {
        protocol: 'http',
        suffix: '.0.0.1',
        port,
        script: `http://127.0.0.1:${port}/chargebee.js`,
      },
    };
  }

  /** What must stand in no log and no answer. */
  get secrets(): readonly string[] {
    return [apiKey, webhook.password, Buffer.from(`${apiKey}:`).toString('base64')];
  }

  /** Pays a page, as its customer does there. @param subscriptionId another one than it was opened for */
  pay(pageId: string, subscriptionId?: string): DoubleSubscription {
    const page = this.#page(pageId);
    const { wish } = page;
    const id = subscriptionId ?? wish.get('subscription[id]') ?? '';
    const subscription: DoubleSubscription = {
      id,
      customer_id: wish.get('customer[id]') ?? this.subscriptions.get(id)?.customer_id ?? '',
      // What was cancelled stays so: a checkout changes plan and seats alone.
      status: this.subscriptions.get(id)?.status ?? 'active',
      cancel_schedule_created_at: this.subscriptions.get(id)?.cancel_schedule_created_at,
      resource_version: this.#nextVersion(),
      currency_code: 'EUR',
      current_term_end: seconds() + 86_400,
      next_billing_at: seconds() + 86_400,
      subscription_items: [
        {
          item_price_id: wish.get('subscription_items[item_price_id][0]') ?? '',
          item_type: 'plan',
          quantity: Number(wish.get('subscription_items[quantity][0]')),
        },
      ],
    };
    this.subscriptions.set(id, subscription);
    Object.assign(page, { state: 'succeeded', paidFor: id });
    return subscription;
  }

  /** Changes a subscription there. */
  change(id: string, change: Partial<DoubleSubscription>): DoubleSubscription {
    const before = this.subscriptions.get(id);
    if (before === undefined) throw new Error(`There is no subscription ${id}.`);
    const after = { ...before, ...change, resource_version: change.resource_version ?? this.#nextVersion() };
    this.subscriptions.set(id, after);
    return after;
  }

  /** Sends an event to a console. */
  async tell(
    url: string,
    id: string,
    subscription: Pick<DoubleSubscription, 'id' | 'resource_version'>,
    { password = webhook.password }: { readonly password?: string | undefined } = {},
  ): Promise<WireAnswer> {
    return await send(url, 'POST', chargebeeWebhookPath, {
      headers: {
        host: new URL(url).host,
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`${webhook.user}:${password}`).toString('base64')}`,
      },
      body: JSON.stringify({
        id,
        api_version: 'v2',
        event_type: 'subscription_changed',
        content: { subscription },
      }),
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Its times are whole seconds; two things that happen here never share one. */
  #nextSecond(): number {
    this.#second = Math.max(seconds(), this.#second + 1);
    return this.#second;
  }

  #nextVersion(): number {
    this.#version += 10;
    return this.#version;
  }

  #page(id: string): DoublePage {
    const page = this.pages.get(id);
    if (page === undefined) throw new Error(`There is no page ${id}.`);
    return page;
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://double');
    const call = `${request.method ?? ''} ${url.pathname.replace('/api/v2', '')}`;
    this.calls.push(call);
    const failure = (status: number, code: string) => ({
      status,
      body: {
        message: `Told with ${apiKey}`,
        type: 'invalid_request',
        api_error_code: code,
        http_status_code: status,
      },
    });
    if (this.isDown) return failure(503, 'site_not_ready');
    if (request.headers.authorization !== `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`)
      return failure(401, 'api_authentication_failed');
    const sent = request.method === 'GET' ? url.search : Buffer.concat(chunks).toString('utf8');
    const body = this.#resource(call, new URLSearchParams(sent));
    return body === undefined ? failure(404, 'resource_not_found') : { status: 200, body };
  }

  #resource(call: string, body: URLSearchParams): unknown {
    const [, id = ''] = /\/(?:hosted_pages|subscriptions)\/([\w-]+)/.exec(call) ?? [];
    if (call === 'GET /item_prices' && body.get('offset') === 'second')
      return { list: [price('open-EUR-Monthly', { price: 9_000 })] };
    if (call === 'GET /item_prices')
      return {
        next_offset: 'second',
        list: [
          price('team-EUR-Monthly', {
            external_name: 'Team',
            description: 'For teams.',
            price: 1_250,
            metadata: { clusters: 2, retentionDays: 30 },
          }),
          price('metered', { pricing_model: 'tiered', price: 1 }),
        ],
      };
    if (call.startsWith('POST /hosted_pages/checkout_')) {
      const page: DoublePage = {
        id: `page-${(this.#pageCount += 1)}`,
        state: 'requested',
        created_at: this.#nextSecond(),
        expires_at: seconds() + 3_600,
        wish: body,
      };
      this.pages.set(page.id, page);
      return { hosted_page: this.#shown(page) };
    }
    if (call.startsWith('GET /hosted_pages/')) {
      const page = this.pages.get(id);
      return page && { hosted_page: this.#shown(page) };
    }
    const subscription = this.subscriptions.get(id);
    if (call.endsWith('/renewal_estimate'))
      return { estimate: { invoice_estimate: { total: 3_750, currency_code: 'EUR' } } };
    if (call.endsWith('/remove_scheduled_cancellation') && subscription?.status === 'non_renewing')
      return {
        subscription: this.change(id, {
          status: 'active',
          cancelled_at: undefined,
          cancel_schedule_created_at: undefined,
        }),
      };
    if (call.endsWith('/cancel_for_items') && subscription !== undefined)
      return {
        subscription: this.change(id, {
          status: 'non_renewing',
          cancelled_at: subscription.current_term_end,
          cancel_schedule_created_at: this.#nextSecond(),
        }),
      };
    if (call.startsWith('GET /subscriptions/'))
      return this.hidden.has(id) ? undefined : subscription && { subscription };
    if (call === 'GET /invoices')
      return {
        list: [
          { invoice: { id: 'inv-1', status: 'paid', date: seconds(), total: 3_750, currency_code: 'EUR' } },
        ],
      };
    if (call === 'POST /portal_sessions')
      return {
        portal_session: { id: 'p', access_url: `https://portal.example/${body.get('customer[id]') ?? ''}` },
      };
    return undefined;
  }

  #shown({ id, state, created_at, expires_at, paidFor }: DoublePage) {
    return {
      id,
      type: 'checkout_new',
      state,
      created_at,
      expires_at,
      url: `https://pages.example/${id}`,
      ...(paidFor === undefined ? {} : { content: { subscription: this.subscriptions.get(paidFor) } }),
    };
  }
}
