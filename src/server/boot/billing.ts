import type { FastifyInstance } from 'fastify';
import type { Duties, Duty } from '../duties/duties.ts';
import type { Origins } from '../http/origins.ts';
import type { Services } from '../http/services.ts';
import type { Clock } from '../kit/clock.ts';
import { pause } from '../kit/pause.ts';
import type { Queue } from '../queue/queue.ts';
import { Billing } from '../billing/billing.ts';
import { ChargebeeProvider } from '../billing/chargebee.ts';
import { BillingEvents } from '../billing/events.ts';
import { PlanOffer } from '../billing/offer.ts';
import { Settlement } from '../billing/settlement.ts';
import { installCheckoutFrame } from '../http/checkout-frame.ts';
import type { PlanLimits } from '../plans/limits.ts';
import { TestPages } from '../billing/test-page.ts';
import { TestProvider } from '../billing/test-provider.ts';
import { installBillingWebhook } from '../http/billing-webhook.ts';

/** Open payment pages are asked about this often, ms: what is paid is active within a minute although nobody says so. */
const pollInterval = { chargebee: 15_000, test: 3_000 } as const;

/** Billing of one server. */
export interface InstalledBilling {
  readonly billing: Billing;
  /** Adds the routes that are no calls of the API. */
  installRoutes(app: FastifyInstance, origins: Origins): void;
}

/** What billing takes of the background. */
export interface BillingInstallParts {
  readonly limits: PlanLimits;
  readonly queue: Queue;
  readonly duties: Duties;
  readonly clock: Clock;
}

/** Ties billing to the life of the server, before its queue and duties begin. Undefined where nothing is sold. */
export function installBilling(
  app: FastifyInstance,
  { config, store, log }: Pick<Services, 'config' | 'store' | 'log'>,
  { limits, queue, duties, clock }: BillingInstallParts,
): InstalledBilling | undefined {
  const { billing: settings } = config;
  if (settings === null) return undefined;
  const isTest = settings.kind === 'test';
  const pages = new TestPages(() => test, isTest ? settings.pages : undefined);
  const test = new TestProvider({ db: store.db, clock, origin: () => pages.origin() });
  const provider = isTest ? test : new ChargebeeProvider(settings);
  const offer = new PlanOffer(provider, clock);
  const settlement = new Settlement({ store, provider, offer, log, clock });
  const billing = new Billing({ store, provider, limits, offer, settlement, log });
  const events = new BillingEvents({ store, queue, settlement, log });
  app.addHook('onReady', async () => {
    if (isTest) await pages.start(config.host);
    await events.start();
    duties.add(pollDuty(settlement, events, { clock, interval: pollInterval[settings.kind] }));
  });
  if (isTest) app.addHook('onClose', () => pages.close());
  return {
    billing,
    installRoutes(root, origins) {
      installCheckoutFrame(root, settings, { origins, testOrigin: () => pages.origin() });
      if (settings.kind === 'chargebee' && settings.webhook !== null)
        installBillingWebhook(root, settings.webhook, events);
    },
  };
}

const pollDuty = (
  settlement: Settlement,
  events: BillingEvents,
  { clock, interval }: { readonly clock: Clock; readonly interval: number },
): Duty => ({
  key: 'billing/poll',
  async run(signal) {
    while (!signal.aborted) {
      await settlement.poll(signal);
      await events.forget();
      await pause(clock, interval, signal).catch(() => undefined);
    }
  },
});
