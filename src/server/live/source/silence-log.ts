import type { Logger } from 'pino';
import type { Pulse } from './pulse.ts';

/** Writes one line to the log when a cluster no longer answers, and one when it does again. */
export function logSilences(pulse: Pick<Pulse, 'follow'>, log: Pick<Logger, 'info' | 'warn'>): void {
  let isSilent = false;
  pulse.follow({
    silent: ({ since, message }) => {
      if (isSilent) return;
      isSilent = true;
      log.warn({ since: new Date(since).toISOString(), reason: message }, 'A cluster does not answer');
    },
    back: () => {
      if (!isSilent) return;
      isSilent = false;
      log.info('A cluster answers again');
    },
  });
}
