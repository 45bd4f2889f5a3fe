import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import type { Store } from '../store/store.ts';
import { rightsInterval, type RightsWatch, type Watched, watchSessionRights } from './rights-watch.ts';

/**
 * Everything that lives on people's grants, and ends at once when one is taken away. Whatever comes to stay open
 * (a conversation, a stream of events …) is named here and enrols by `endWithGrants`; the test with two servers has a
 * case for each. What ends with a membership besides is in `organisation/endings.ts`.
 */
export const openOnGrants = ['pages', 'logs', 'downloads', 'terminals', 'replays', 'jobs'] as const;
export type OpenOnGrants = (typeof openOnGrants)[number];

/** One sort of what stays open, as it hears of rights that were taken away. */
export type Enrolment = OfSessions | OfPeople;

/** What ends with the session that opened it too. */
export interface OfSessions {
  /** Its name, also in the log. */
  readonly what: OpenOnGrants;
  /** All that is open of it, to compare with what its people may do now. */
  readonly open: () => Iterable<Watched>;
  /**
   * Ends what is open by a session of a person. Without a hash any of their sessions may have ended: what is open asks
   * for its own.
   */
  readonly endSession: (userId: number, tokenHash: string | undefined) => void;
}

/** What goes on when its person signs out: jobs. */
export interface OfPeople {
  readonly what: OpenOnGrants;
  /** Asks again for what is open by people of a company; by anybody without one. */
  readonly recheck: (companyId: number | undefined) => void;
}

export interface EndWithGrantsOptions {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * Tells one sort of what is open of every change that may take a right away, on whichever server it was made: grants,
 * clusters and their settings, sessions. Notices that were lost, with the connection to the store or otherwise, are made
 * up for by reading all rights again: at once when the connection is back, and every few seconds. That read does not
 * hold anything up: a connection that comes and goes would stop what the absence of the store alone does not.
 * Returns a function that ends it.
 */
export function endWithGrants({ store, log, clock }: EndWithGrantsOptions, enrolment: Enrolment): () => void {
  const { channel, db } = store;
  const { what } = enrolment;
  const watch =
    'recheck' in enrolment
      ? repeat(clock, enrolment.recheck)
      : watchSessionRights({ db, log, clock, what, open: enrolment.open });
  const disposers = [
    channel.on('grants', ({ companyId }) => watch.confirm(companyId)),
    channel.on('clusters', ({ companyId }) => watch.confirm(companyId)),
    channel.onGap(() => watch.look()),
    ...('recheck' in enrolment
      ? []
      : [channel.on('sessions', ({ userId, tokenHash }) => enrolment.endSession(userId, tokenHash))]),
  ];
  return () => {
    watch.end();
    for (const dispose of disposers) dispose();
  };
}

/** Asks as often as the rights of open sockets are read, and whenever a notice says so. */
function repeat(clock: Clock, recheck: OfPeople['recheck']): RightsWatch {
  const again = () => {
    cancel = clock.after(rightsInterval, again);
    recheck(undefined);
  };
  let cancel = clock.after(rightsInterval, again);
  return { look: () => recheck(undefined), confirm: recheck, end: () => cancel() };
}
