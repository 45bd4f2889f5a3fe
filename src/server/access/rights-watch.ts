import type { Logger } from 'pino';
import { storeGrace } from '../../contract/live-socket.ts';
import type { Clock } from '../kit/clock.ts';
import { inTime } from '../kit/in-time.ts';
import type { Database } from '../store/store.ts';
import { readSessionRights, type SessionQuery, type SessionRights } from './session-rights.ts';

/**
 * How often the rights of open sockets are read again, ms. Changes of rights are notified at once; this bounds the
 * effect of a lost notice.
 */
export const rightsInterval = 5_000;
/** Rights that could not be read are read again after this long, ms. */
const retryInterval = 1_000;
/** A read that takes longer has failed: the store may be out of reach without a word, ms. */
const readLimit = 10_000;

/** Something that stays open on somebody's rights. */
export interface Watched extends SessionQuery {
  /** The company whose grants those are. */
  readonly companyId: number;
  /**
   * Compares the rights that it was opened with.
   * @param current undefined when the session ended, or when nobody could say for too long
   */
  compare(current: SessionRights | undefined): void;
  /** Passes nothing on from now on, as its rights may have changed, until the function that it returns is given them. */
  hold(): Confirm;
}

/** Lets what is open go on where its rights are as they were, and has it see to itself where they are not. */
export type Confirm = (current: SessionRights | undefined) => void;

export interface RightsWatchOptions {
  readonly db: Pick<Database, 'execute'>;
  readonly log: Logger;
  readonly clock: Clock;
  /** Name of the open sockets in the log: `pages`. */
  readonly what: string;
  readonly open: () => Iterable<Watched>;
}

/** Reads the rights of everything of one sort that is open. */
export interface RightsWatch {
  /** Reads them at once, or once more if they are being read: that answer may be older than the reason to ask. */
  look(): void;
  /**
   * Holds up what is open of a company, or all that is, and reads its rights at once: by one statement, however many are
   * open, and by one more for all the notices that come during it.
   */
  confirm(companyId: number | undefined): void;
  end(): void;
}

/**
 * Reads the rights of all open sockets periodically, and lets each compare them with its own. While the store does not
 * answer, open sockets go on for `storeGrace`: a restart of the database is no reason to stop watching a cluster, but
 * rights may expire meanwhile, and other servers may reach a store that this one does not.
 */
export function watchSessionRights({ db, log, clock, what, open }: RightsWatchOptions): RightsWatch {
  let isEnded = false;
  let isReading = false;
  let isAskedAgain = false;
  /** When the first of the reads that fail began, epoch ms. */
  let failingSince: number | undefined;
  /** Whether what is open was told that nobody could say for too long. */
  let isGivenUp = false;
  /** What is held up, with what lets it go on. */
  const held = new Map<Watched, Confirm>();
  let isConfirming = false;
  let cancelConfirming = () => {};

  async function look(): Promise<void> {
    isAskedAgain = isReading;
    if (isReading) return;
    isReading = true;
    cancel();
    await read([...open()]);
    isReading = false;
    if (isEnded) return;
    const pause = failingSince === undefined ? rightsInterval : retryInterval;
    cancel = clock.after(isAskedAgain ? 0 : pause, () => void look());
  }

  async function read(asked: readonly Watched[]): Promise<void> {
    const began = clock.now();
    try {
      const current =
        asked.length === 0
          ? new Map<string, SessionRights>()
          : await inTime(readSessionRights(db, asked), readLimit, 'The database did not answer.');
      failingSince = undefined;
      isGivenUp = false;
      if (!isEnded) for (const one of asked) one.compare(current.get(one.sessionHash));
    } catch (error) {
      if (isEnded) return;
      if (failingSince === undefined)
        log.error(
          { err: error },
          `Rights of open ${what} could not be read; they are read again each second`,
        );
      failingSince ??= began;
      if (isGivenUp || clock.now() - failingSince < storeGrace) return;
      isGivenUp = true;
      for (const one of asked) one.compare(undefined);
    }
  }

  /** Reads the rights of what is held up; once more for what is held up during that, since the read is older. */
  async function confirmHeld(): Promise<void> {
    if (isConfirming) return;
    isConfirming = true;
    cancelConfirming();
    const asked = [...held];
    held.clear();
    const isRead = await readHeld(asked);
    isConfirming = false;
    if (held.size === 0 || isEnded) return;
    if (isRead) void confirmHeld();
    else cancelConfirming = clock.after(retryInterval, () => void confirmHeld());
  }

  /** Reads rights and gives each its own; returns whether they could be read. Those that could not stay held up. */
  async function readHeld(asked: readonly (readonly [Watched, Confirm])[]): Promise<boolean> {
    try {
      const query = readSessionRights(
        db,
        asked.map(([one]) => one),
      );
      const current = await inTime(query, readLimit, 'The database did not answer.');
      if (isEnded) return true;
      for (const [one, goOn] of asked) if (!held.has(one)) goOn(current.get(one.sessionHash));
      return true;
    } catch (error) {
      if (isEnded) return false;
      log.error({ err: error }, `Rights of open ${what} could not be read; nothing is sent until they are`);
      for (const [one, goOn] of asked) if (!held.has(one)) held.set(one, goOn);
      return false;
    }
  }

  let cancel = clock.after(rightsInterval, () => void look());
  return {
    look: () => void look(),
    confirm(companyId) {
      for (const one of open())
        if (companyId === undefined || one.companyId === companyId) held.set(one, one.hold());
      if (held.size > 0) void confirmHeld();
    },
    end: () => {
      isEnded = true;
      cancel();
      cancelConfirming();
    },
  };
}
