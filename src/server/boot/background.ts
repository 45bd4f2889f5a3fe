import type { FastifyInstance } from 'fastify';
import type { Services } from '../http/services.ts';
import { systemClock } from '../kit/clock.ts';
import { MailQueue } from '../mail/mail-queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import { StoredQueue } from '../queue/queue.ts';

/** What a server does in the background, from when it listens until it closes. */
export interface Background {
  readonly mailer: Mailer;
}

/**
 * Makes the queue and what is done by it, and ties them to the life of the server.
 * @param now the time in ms, by which what is mailed is over
 */
export function installBackground(app: FastifyInstance, services: Services, now: () => number): Background {
  const parts = { store: services.store, log: services.log, clock: systemClock };
  const queue = new StoredQueue(parts);
  const mailer = new MailQueue({
    ...parts,
    now,
    queue,
    settings: services.config.mail,
    vault: services.vault,
  });
  app.addHook('onReady', () => mailer.start());
  app.addHook('onClose', () => queue.close());
  return { mailer };
}
