import type { Logger } from 'pino';
import { storeGrace } from '../../contract/live-socket.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { inTime } from '../kit/in-time.ts';
import type { Store } from '../store/store.ts';
import { bearerKey, type BearerNames, type BearerRights, readBearerRights } from './bearer-rights.ts';
import { nextOpenState, type OpenEvent, type OpenSortName, openSorts, type OpenState } from './open-state.ts';

/**
 * How often the rights of all that is open are read again, ms. Changes of rights are notified at once; this bounds the
 * effect of a lost notice.
 */
export const rightsInterval = 5_000;
/** Rights that could not be read are read again after this long, ms. */
const retryInterval = 1_000;
/** A read that takes longer has failed: the store may be out of reach without a word, ms. */
const readLimit = 10_000;

/** Something that stays open on somebody's rights. Its methods are called by `OpenRights` alone. */
export interface Opening {
  readonly sort: OpenSortName;
  readonly person: BearerNames;
  /** Null where it is of no cluster. */
  readonly clusterId: number | null;
  /**
   * Takes the rights that its person has now. Throws Problem where they do not suffice for it.
   * @returns whether they differ from those that it goes on with
   */
  judge(rights: BearerRights): boolean;
  /** Passes nothing on until `release`. Called again for each event meanwhile. */
  hold?(event: OpenEvent): void;
  /** Goes on with the rights that were judged last. */
  release?(): void;
  /**
   * Is over because of its rights, or as they cannot be read. Called at most once.
   * @param why Problem, or the failure to read rights
   */
  end(why: unknown, event: OpenEvent): void;
}

/** An opening with its state. */
export interface Open {
  readonly of: Opening;
  readonly state: OpenState;
  /** Incremented by each question about its rights: grants that were read before are older than the question. */
  readonly epoch: number;
}

interface OpenOne extends Open {
  state: OpenState;
  epoch: number;
  /** The number of the first reading that counts: earlier ones are older than a question or another answer. */
  since: number;
}

export interface OpenRightsOptions {
  readonly store: {
    readonly db: Pick<Store['db'], 'execute'>;
    readonly channel: Pick<Store['channel'], 'on' | 'onGap'>;
  };
  readonly log: Logger;
  readonly clock?: Clock;
}

/**
 * Everything that is open on people's rights at this server. A change of rights, on whichever server it was made, holds
 * up what is open of its company, and one statement then says of each what becomes of it; one more answers all the
 * notices that come during it. Lost notices, with the connection to the store or otherwise, are made up for by reading
 * all rights again: at once when the connection is back, and every few seconds. That read does not hold anything up: a
 * connection that comes and goes would stop what the absence of the store alone does not. While the store does not
 * answer, what is open goes on for `storeGrace`: a restart of the database is no reason to stop watching a cluster, but
 * rights may expire meanwhile, and other servers may reach a store that this one does not.
 */
export class OpenRights {
  readonly #options: OpenRightsOptions;
  readonly #clock: Clock;
  readonly #open = new Set<OpenOne>();
  /** Those whose rights are to be read next. */
  readonly #asked = new Set<OpenOne>();
  readonly #disposers: readonly (() => void)[];
  /** The number of readings that have begun. */
  #readings = 0;
  #isClosed = false;
  #isLooking = false;
  #isLookAskedAgain = false;
  #isAnswering = false;
  /** When the first of the looks that fail began, epoch ms. */
  #failingSince: number | undefined;
  /** Whether the end of `storeGrace` has been acted on. */
  #isGivenUp = false;
  #cancelLook = () => {};
  #cancelAnswer = () => {};

  constructor(options: OpenRightsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { channel } = options.store;
    const notice = ({ companyId }: { readonly companyId: number }) =>
      this.ask(
        'notice',
        this.#openOf(({ person }) => person.companyId === companyId),
      );
    this.#disposers = [
      channel.on('grants', notice),
      channel.on('clusters', notice),
      channel.on('sessions', ({ userId, tokenHash }) => this.#endSession(userId, tokenHash)),
      channel.onGap(() => void this.#look()),
    ];
  }

  /** Begins one. It asks for its rights where those were read before: a notice may have come since. */
  open(of: Opening): Open {
    const one: OpenOne = { of, state: 'open', epoch: 0, since: 0 };
    this.#open.add(one);
    if (this.#open.size === 1) this.#lookAfter(rightsInterval);
    return one;
  }

  /** Reads the rights of some of them at once. */
  ask(event: 'notice' | 'doubt', ones: Iterable<Open>): void {
    for (const one of ones) {
      if (!this.#isOpen(one)) continue;
      one.epoch += 1;
      one.since = this.#readings + 1;
      this.#asked.add(one);
      this.#apply(one, event);
    }
    if (this.#asked.size > 0) void this.#answer();
  }

  /** One has read its rights itself, after every question about them so far, and goes on with them. */
  renew(one: Open): void {
    if (!this.#isOpen(one)) return;
    one.since = this.#readings + 1;
    this.#asked.delete(one);
    this.#apply(one, 'kept');
  }

  /** One is over by itself. */
  end(one: Open): void {
    if (this.#isOpen(one)) this.#apply(one, 'closed');
  }

  /** Reads nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
    this.#cancelAnswer();
    for (const dispose of this.#disposers) dispose();
  }

  #isOpen(one: Open): one is OpenOne {
    return this.#open.has(one as OpenOne);
  }

  #openOf(isMeant: (of: Opening) => boolean): OpenOne[] {
    return [...this.#open].filter(({ of }) => isMeant(of));
  }

  #endSession(userId: number, tokenHash: string | undefined): void {
    const ofPerson = this.#openOf(
      ({ sort, person }) => openSorts[sort].bearer === 'session' && person.id === userId,
    );
    // Without a hash any of their sessions may have ended.
    if (tokenHash === undefined) this.ask('doubt', ofPerson);
    else
      for (const one of ofPerson)
        if (one.of.person.sessionHash === tokenHash) this.#apply(one, 'signed out', sessionEnded());
  }

  #apply(one: OpenOne, event: OpenEvent, why?: unknown): void {
    const { of } = one;
    const [state, act] = nextOpenState(openSorts[of.sort], one.state, event);
    one.state = state;
    if (state === 'ended') this.#forget(one);
    try {
      if (act === 'hold' || act === 'narrow') of.hold?.(event);
      if (act === 'release' || act === 'narrow') of.release?.();
      if (act === 'end') of.end(why, event);
    } catch (error) {
      this.#options.log.error({ err: error }, `Open ${of.sort} could not follow their rights, and end`);
      if (state !== 'ended') this.#apply(one, 'lost', error);
    }
  }

  #forget(one: OpenOne): void {
    this.#open.delete(one);
    this.#asked.delete(one);
    if (this.#open.size > 0) return;
    this.#cancelLook();
    this.#cancelAnswer();
    this.#failingSince = undefined;
    this.#isGivenUp = false;
  }

  /** Reads the rights of some and judges each by its own. Throws where they cannot be read. */
  async #judge(asked: readonly OpenOne[]): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const queries = asked.map(({ of: { sort, person, clusterId } }) => ({
      by: openSorts[sort].bearer,
      person,
      clusterId,
    }));
    const current = await inTime(
      readBearerRights(this.#options.store.db, queries),
      readLimit,
      'The database did not answer.',
    );
    if (this.#isClosed) return;
    for (const one of asked) {
      if (!this.#isOpen(one) || reading < one.since) continue;
      one.since = reading;
      this.#judgeOne(one, current.get(bearerKey(openSorts[one.of.sort].bearer, one.of.person)));
    }
  }

  #judgeOne(one: OpenOne, rights: BearerRights | undefined): void {
    const { sort, person } = one.of;
    if (openSorts[sort].bearer === 'session' && rights?.companyId !== person.companyId) {
      this.#apply(one, 'signed out', sessionEnded());
      return;
    }
    let isChanged: boolean;
    try {
      isChanged = one.of.judge(rights ?? noRights(person));
    } catch (error) {
      if (!(error instanceof Problem))
        this.#options.log.error(
          { err: error },
          `Open ${sort} could not go on with the rights of their person`,
        );
      this.#apply(one, 'lost', error);
      return;
    }
    this.#apply(one, isChanged ? 'changed' : 'kept');
  }

  /** Reads the rights of those that ask; once more for those that ask during that, since the read is older. */
  async #answer(): Promise<void> {
    if (this.#isAnswering || this.#isClosed) return;
    this.#isAnswering = true;
    this.#cancelAnswer();
    const asked = [...this.#asked];
    this.#asked.clear();
    let isRead = true;
    try {
      await this.#judge(asked);
    } catch (error) {
      isRead = false;
      if (!this.#isClosed) this.#bearFailure(asked, error);
    }
    this.#isAnswering = false;
    if (this.#isClosed || this.#asked.size === 0) return;
    if (isRead) void this.#answer();
    else this.#cancelAnswer = this.#clock.after(retryInterval, () => void this.#answer());
  }

  #bearFailure(asked: readonly OpenOne[], error: unknown): void {
    const { log } = this.#options;
    log.error({ err: error }, 'Rights of what is open could not be read; nothing is sent until they are');
    for (const one of asked) {
      // Those that asked again meanwhile wait for the next read.
      if (this.#isOpen(one) && !this.#asked.has(one)) this.#apply(one, 'unread', error);
      if (this.#isOpen(one)) this.#asked.add(one);
    }
  }

  #lookAfter(pause: number): void {
    this.#cancelLook();
    if (!this.#isClosed) this.#cancelLook = this.#clock.after(pause, () => void this.#look());
  }

  /** Reads the rights of all that is open, or once more if they are being read: that answer may be older than the reason. */
  async #look(): Promise<void> {
    this.#isLookAskedAgain = this.#isLooking;
    if (this.#isLooking || this.#open.size === 0) return;
    this.#isLooking = true;
    this.#cancelLook();
    const began = this.#clock.now();
    const asked = [...this.#open];
    try {
      await this.#judge(asked);
      this.#failingSince = undefined;
      this.#isGivenUp = false;
    } catch (error) {
      if (!this.#isClosed) this.#bearSilence(asked, began, error);
    }
    this.#isLooking = false;
    if (this.#open.size === 0) return;
    const pause = this.#failingSince === undefined ? rightsInterval : retryInterval;
    this.#lookAfter(this.#isLookAskedAgain ? 0 : pause);
  }

  #bearSilence(asked: readonly OpenOne[], began: number, error: unknown): void {
    const { log } = this.#options;
    if (this.#failingSince === undefined)
      log.error({ err: error }, 'Rights of what is open could not be read; they are read again each second');
    this.#failingSince ??= began;
    if (this.#isGivenUp || this.#clock.now() - this.#failingSince < storeGrace) return;
    this.#isGivenUp = true;
    for (const one of asked) if (this.#isOpen(one)) this.#apply(one, 'unread for long', error);
  }
}

const sessionEnded = () => new Problem({ status: 401, title: 'The session ended.' });

/** The rights of somebody who is in the company no more. */
const noRights = ({ companyId }: BearerNames): BearerRights => ({
  companyId,
  orgRole: orgRoles.Member,
  rights: new Map(),
});
