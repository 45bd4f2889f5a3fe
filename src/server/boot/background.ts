import type { FastifyInstance } from 'fastify';
import { kinds } from '../../../commands/kinds/index.ts';
import type { SharedRates } from '../access/rates.ts';
import { AuditUpkeep } from '../audit/upkeep.ts';
import { accessRequestLapse, temporaryAccessExpiry } from '../organisation/access-expiry.ts';
import { Expiry } from '../organisation/expiry.ts';
import { groupPlacesExpiry } from '../organisation/group-places.ts';
import { dropOldRecordings, dropOrphanedParts } from '../recordings/expiry.ts';
import { createFileSink, createHttpsSink } from '../streams/sinks.ts';
import { AuditStreams } from '../streams/streams.ts';
import type { PlanLimits } from '../plans/limits.ts';
import { type InstalledBilling, installBilling } from './billing.ts';
import { Detection } from '../detection/detection.ts';
import { LockedDuties } from '../duties/duties.ts';
import type { Services } from '../http/services.ts';
import { MailQueue } from '../mail/mail-queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import { alertMailDuty } from '../notifications/alert-mails.ts';
import { StoredFollowers } from '../notifications/followers.ts';
import { tokenReminderDuty } from '../organisation/token-reminders.ts';
import { StoredQueue } from '../queue/queue.ts';
import { Deliveries } from '../webhooks/deliveries.ts';
import { Happenings } from '../webhooks/happenings.ts';
import { forgettingDuty } from '../webhooks/old-rows.ts';
import { Webhooks } from '../webhooks/webhooks.ts';

/** Rights that end at a time which stands in the store. */
const expiringRights = [temporaryAccessExpiry, accessRequestLapse, groupPlacesExpiry];

/** What a server does in the background, from when it listens until it closes. */
export interface Background {
  readonly mailer: Mailer;
  readonly webhooks: Webhooks;
  /** Undefined where the console sells nothing. */
  readonly selling: InstalledBilling | undefined;
}

/** What the background takes of the server besides its services. */
export interface BackgroundParts {
  /** Where people open the console. */
  readonly origin: () => string;
  readonly limits: PlanLimits;
}

/** Makes the queue and what is done by it, and ties them to the life of the server. */
export function installBackground(
  app: FastifyInstance,
  services: Services,
  { origin, limits }: BackgroundParts,
): Background {
  const { clock, config, store, vault, self, grants, log, measures } = services;
  const parts = { store, log, clock };
  const queue = new StoredQueue(parts);
  const mailer = new MailQueue({ ...parts, queue, settings: config.mail, vault });
  const policy = config.webhooks;
  const followers = new StoredFollowers(store, log, clock);
  const happenings = new Happenings({
    store,
    grants,
    queue,
    origin,
    followers,
  });
  const webhooks = new Webhooks({ store, vault, queue, happenings, policy, origin, clock });
  const deliveries = new Deliveries({ ...parts, queue, vault, happenings, mailer, policy, origin });
  const duties = new LockedDuties({ ...parts, ...self, measures });
  duties.add(forgettingDuty(store, clock));
  duties.add(tokenReminderDuty({ ...parts, mailer, origin }));
  duties.add(alertMailDuty({ ...parts, happenings, mailer, origin }));
  const { file, ...receivers } = config.auditStreams;
  const https = createHttpsSink({ vault, policy: receivers, clock });
  for (const sink of [https, ...(file === null ? [] : [createFileSink(file)])])
    duties.add(new AuditStreams({ ...parts, sink }));
  const selling = installBilling(app, services, { limits, queue, duties, clock });
  const { hub, clusters } = services;
  const detection = new Detection({ ...parts, duties, hub, clusters, kinds, happenings, followers });
  app.addHook('onReady', async () => {
    await mailer.start();
    await deliveries.start();
    duties.start();
    detection.start();
    await services.readers?.start({ hub, duties });
    services.fleet.start();
  });
  app.addHook('onClose', async () => {
    await services.readers?.close();
    await detection.close();
    await duties.close();
    await self?.keys.close();
    await queue.close();
  });
  return { mailer, webhooks, selling };
}

/** Keeps the store in order as long as the app runs: closing the audit, dropping what is old, ending access. */
export function installUpkeep(
  app: FastifyInstance,
  { store, log, clock }: Pick<Services, 'store' | 'log' | 'clock'>,
  rates: SharedRates,
): void {
  const upkeep = new AuditUpkeep({
    store,
    log,
    clock,
    dropMore: (...asked) => dropOldRecordings(store, ...asked),
    dropLeft: [(isStopped) => rates.dropEnded(isStopped), (isStopped) => dropOrphanedParts(store, isStopped)],
  });
  const expiry = new Expiry({ store, log, clock, sorts: expiringRights });
  for (const one of [upkeep, expiry]) {
    app.addHook('onReady', () => one.start());
    app.addHook('onClose', () => one.close());
  }
}
