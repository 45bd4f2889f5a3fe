import { createHash } from 'node:crypto';
import { and, desc, eq, gt, inArray, lte, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import { counted } from '../../registry/counted.ts';
import { describeError } from '../kit/describe-error.ts';
import { brakes } from '../store/schema/accounts.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from '../kit/clock.ts';

/** Refused for now: `retryAfter` seconds are also sent as Retry-After. */
export class TooManyTries extends Problem {
  readonly retryAfter: number;

  constructor(title: string, retryAfter: number) {
    super({ status: 429, title, retryable: true });
    this.name = 'TooManyTries';
    this.retryAfter = retryAfter;
  }
}

const minute = 60_000;

/**
 * Each brake is a bucket that leaks: a failure adds one, one leaks away every `interval` ms, and at `capacity` it is
 * full. Guesses at what it guards are therefore at most `capacity` at once and one each `interval` after that, plus
 * those that were under way when it filled up (two for each server). At a password that is less than 100 a day, from all
 * networks together.
 */
export const brakeRules = {
  /** A browser that is known by its device cookie, for one account. */
  device: { capacity: 10, interval: 20 * minute },
  /** One account from one network, by unknown browsers. */
  pair: { capacity: 10, interval: 5 * minute },
  /** One account from everywhere, by unknown browsers. */
  account: { capacity: 20, interval: 20 * minute },
  /** The current password of somebody who is signed in. */
  person: { capacity: 10, interval: 20 * minute },
  /** Set-up links from one network. */
  setup: { capacity: 10, interval: minute },
  /** Passkeys from one network: an office may bring many that open nothing any more. */
  passkey: { capacity: 60, interval: minute },
  /** Reset links from one network. */
  reset: { capacity: 30, interval: minute },
  /** Invitation links from one network, of which a whole office may open old ones. */
  invitation: { capacity: 60, interval: minute },
  /** API tokens that never were, from one network. */
  token: { capacity: 60, interval: minute },
} as const;

/** No bucket is ever this full, ms: a row that says so was written by a server with a wrong clock and is ignored. */
const impossible = (rule: Brake['rule']) => (2 * brakeRules[rule].capacity + 1) * brakeRules[rule].interval;
const impossibleForAll = Math.max(
  ...Object.values(brakeRules).map(({ capacity, interval }) => (2 * capacity + 1) * interval),
);

/** Limits that keep the table small. */
const tidying = {
  /** Emptied buckets are deleted once in this many failures … */
  every: 500,
  /** … or this long after the last deletion, ms. */
  interval: 10 * minute,
  /** More buckets than this are not kept: those go that are empty soonest. */
  rows: 200_000,
};

/** Who tries to guess what. */
export type Guess =
  | {
      readonly what: 'sign-in';
      /** The email address that was typed, whether it is anybody's or not. */
      readonly account: string;
      /** Where the try comes from, see `networkOf`. */
      readonly network: string;
      /** The id of a browser that has signed in as this account before; it is spared the brakes of strangers. */
      readonly device: string | undefined;
    }
  | { readonly what: 'current-password'; readonly userId: number }
  | { readonly what: 'setup-link'; readonly network: string }
  | { readonly what: 'invitation-link'; readonly network: string }
  | { readonly what: 'reset-link'; readonly network: string }
  | { readonly what: 'api-token'; readonly network: string }
  | { readonly what: 'passkey'; readonly network: string };

/**
 * Slows down guessing, on all servers of one store together. Only failures count: a success leaves nothing behind and
 * takes back those of its own browser or network. Failures at one address brake no other one: whoever makes addresses up
 * keeps nobody out, and what is braked tells of no account.
 */
export interface Throttle {
  /** Throws TooManyTries while a brake holds. Writes nothing. */
  check(guess: Guess): Promise<void>;
  /** @returns whether a brake holds from now on */
  failed(guess: Guess): Promise<boolean>;
  succeeded(guess: Guess): Promise<void>;
}

interface Brake {
  readonly rule: keyof typeof brakeRules;
  /** A digest: nobody can read what was typed, nor where. */
  readonly key: Buffer;
}

const digest = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest();

function brake(rule: Brake['rule'], of: readonly string[]): Brake {
  return { rule, key: digest(rule, ...of) };
}

/** The brakes of a guess; first the one that a success resets. */
function brakesOf(guess: Guess): readonly [Brake, ...Brake[]] {
  if (guess.what === 'current-password') return [brake('person', [String(guess.userId)])];
  const { network } = guess;
  if (guess.what === 'passkey') return [brake('passkey', [network])];
  if (guess.what === 'reset-link') return [brake('reset', [network])];
  if (guess.what === 'api-token') return [brake('token', [network])];
  if (guess.what === 'setup-link') return [brake('setup', [network])];
  if (guess.what === 'invitation-link') return [brake('invitation', [network])];
  const { account, device } = guess;
  if (device !== undefined) return [brake('device', [account, device])];
  return [brake('pair', [account, network]), brake('account', [account])];
}

/** The throttle of a store. */
export function createThrottle({ db }: Pick<Store, 'db'>, log: Logger, clock: Clock): Throttle {
  let failures = 0;
  let tidiedAt = clock.now();

  async function tidy(time: number): Promise<void> {
    failures += 1;
    if (failures < tidying.every && time - tidiedAt < tidying.interval) return;
    failures = 0;
    tidiedAt = time;
    try {
      const latest = iso(time + impossibleForAll);
      await db.delete(brakes).where(or(lte(brakes.emptyAt, iso(time)), gt(brakes.emptyAt, latest)));
      const tooMany = db
        .select({ key: brakes.key })
        .from(brakes)
        .orderBy(desc(brakes.emptyAt))
        .offset(tidying.rows);
      await db.delete(brakes).where(inArray(brakes.key, tooMany));
    } catch (error) {
      log.warn({ err: describeError(error) }, 'Old failed tries could not be forgotten');
    }
  }

  return {
    async check(guess) {
      const time = clock.now();
      const own = brakesOf(guess);
      const rows = await db
        .select()
        .from(brakes)
        .where(
          and(
            inArray(
              brakes.key,
              own.map(({ key }) => key),
            ),
            gt(brakes.emptyAt, iso(time)),
          ),
        );
      for (const { rule, key } of own) {
        const row = rows.find((one) => one.key.equals(key));
        if (row === undefined) continue;
        const { capacity, interval } = brakeRules[rule];
        const held = Date.parse(row.emptyAt) - time;
        const wait = held > impossible(rule) ? 0 : held - (capacity - 1) * interval;
        if (wait > 0) throw refusal(rule, wait);
      }
    },

    async failed(guess) {
      const time = clock.now();
      const at = sql`${iso(time)}::timestamptz`;
      let isBraked = false;
      for (const { rule, key } of brakesOf(guess)) {
        const { capacity, interval } = brakeRules[rule];
        const before = sql`case when ${brakes.emptyAt} > ${iso(time + impossible(rule))} then ${at}
          else greatest(${brakes.emptyAt}, ${at}) end`;
        const [row] = await db
          .insert(brakes)
          .values({ key, emptyAt: iso(time + interval) })
          .onConflictDoUpdate({
            target: brakes.key,
            set: {
              emptyAt: sql`least(${before} + ${interval} * interval '1 millisecond', ${iso(time + impossible(rule))})`,
            },
          })
          .returning({ emptyAt: brakes.emptyAt });
        const held = row === undefined ? 0 : Date.parse(row.emptyAt) - time;
        isBraked ||= held > (capacity - 1) * interval;
      }
      await tidy(time);
      return isBraked;
    },

    async succeeded(guess) {
      const [{ key }] = brakesOf(guess);
      await db.delete(brakes).where(eq(brakes.key, key));
    },
  };
}

const iso = (time: number) => new Date(time).toISOString();

function refusal(rule: Brake['rule'], wait: number): TooManyTries {
  const seconds = Math.ceil(wait / 1000);
  const isLong = seconds > 90;
  const duration = isLong ? counted(Math.ceil(seconds / 60), 'minute') : counted(seconds, 'second');
  const title =
    rule === 'account'
      ? `Too many failed attempts for this account. Wait ${duration}, or sign in from a browser in which you have signed in before.`
      : `Too many failed attempts. Wait ${duration} and try again.`;
  return new TooManyTries(title, seconds);
}
