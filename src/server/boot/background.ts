import type { FastifyInstance } from 'fastify';
import { kinds } from '../../../commands/kinds/index.ts';
import { createFileSink, createHttpsSink } from '../streams/sinks.ts';
import { AuditStreams } from '../streams/streams.ts';
import type { PlanLimits } from '../plans/limits.ts';
import { type InstalledBilling, installBilling } from './billing.ts';
import { Detection } from '../detection/detection.ts';
import { LockedDuties } from '../duties/duties.ts';
import type { Services } from '../http/services.ts';
import { systemClock } from '../kit/clock.ts';
import { MailQueue } from '../mail/mail-queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import { StoredFollowers } from '../notifications/followers.ts';
import { tokenReminderDuty } from '../organisation/token-reminders.ts';
import { StoredQueue } from '../queue/queue.ts';
import { Deliveries } from '../webhooks/deliveries.ts';
import { Happenings } from '../webhooks/happenings.ts';
import { forgettingDuty } from '../webhooks/old-rows.ts';
import { Webhooks } from '../webhooks/webhooks.ts';

/** What a server does in the background, from when it listens until it closes. */
export interface Background {
  readonly mailer: Mailer;
  readonly webhooks: Webhooks;
  /** Undefined where the console sells nothing. */
  readonly selling: InstalledBilling | undefined;
}

/** What the background takes of the server besides its services. */
export interface BackgroundParts {
  /** The time in ms, by which what is mailed is over. */
  readonly now: () => number;
  /** Where people open the console. */
  readonly origin: () => string;
  readonly limits: PlanLimits;
}

/** Makes the queue and what is done by it, and ties them to the life of the server. */
export function installBackground(
  app: FastifyInstance,
  services: Services,
  { now, origin, limits }: BackgroundParts,
): Background {
  const { config, store, vault, self, grants, log } = services;
  const parts = { store, log, clock: systemClock };
  const queue = new StoredQueue(parts);
  const mailer = new MailQueue({ ...parts, now, queue, settings: config.mail, vault });
  const policy = config.webhooks;
  const followers = new StoredFollowers(store, log);
  const happenings = new Happenings({
    store,
    grants,
    queue,
    origin,
    followers,
  });
  const webhooks = new Webhooks({ store, vault, queue, happenings, policy, origin, now });
  const deliveries = new Deliveries({ ...parts, queue, vault, happenings, mailer, policy, origin });
  const duties = new LockedDuties({ ...parts, ...self });
  duties.add(forgettingDuty(store, systemClock));
  duties.add(tokenReminderDuty({ ...parts, mailer, now, origin }));
  const { file, ...receivers } = config.auditStreams;
  const https = createHttpsSink({ vault, policy: receivers, clock: systemClock });
  for (const sink of [https, ...(file === null ? [] : [createFileSink(file)])])
    duties.add(new AuditStreams({ ...parts, sink }));
  const selling = installBilling(app, services, { limits, queue, duties, clock: systemClock, now });
  const { hub, clusters } = services;
  const detection = new Detection({ ...parts, duties, hub, clusters, kinds, happenings, followers });
  app.addHook('onReady', async () => {
    await mailer.start();
    await deliveries.start();
    duties.start();
    detection.start();
  });
  app.addHook('onClose', async () => {
    await detection.close();
    await duties.close();
    await self?.keys.close();
    await queue.close();
  });
  return { mailer, webhooks, selling };
}
