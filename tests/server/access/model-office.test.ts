import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  brakeRules,
  createThrottle,
  type Throttle,
  TooManyTries,
} from '../../../src/server/access/throttle.ts';
import { openStore } from '../../../src/server/store/open.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { chance, rounds } from '../../prove.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';
import { clockAt } from '../clock-at.ts';

/** People behind one address, and how long a morning takes in which all of them sign in. */
const people = rounds(120, 480);
const morning = rounds(900, 3_600) * 1_000;
/** How often an attacker tries, ms. */
const pace = rounds(5_000, 1_000);
const office = '203.0.113.7';
/** Whom a botnet is after. */
const target = 'person-0@example.org';

/** What came of one morning. */
interface Morning {
  /** Right passwords, and those of them that were refused unread. */
  right: number;
  refused: number;
  /** Guesses of attackers that were checked against a password, by account. */
  readonly guesses: Map<string, number>;
}

let database: FreshDatabase;
let store: Store;
let time = 0;
let throttle: Throttle;
let random: () => number;

beforeEach(async () => {
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  time = Date.parse('2026-03-02T08:00:00Z');
  // Two servers share the store.
  const servers = [0, 1].map(() =>
    createThrottle(
      store,
      pino({ level: 'silent' }),
      clockAt(() => time),
    ),
  );
  let turn = 0;
  const next = () => {
    turn += 1;
    return servers[turn % 2] as Throttle;
  };
  throttle = {
    check: (guess) => next().check(guess),
    failed: (guess) => next().failed(guess),
    succeeded: (guess) => next().succeeded(guess),
  };
  random = chance();
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

/** One try; false when it was refused unread. */
async function attempt(account: string, network: string, isRight: boolean, device?: string) {
  const guess = { what: 'sign-in', account, network, device } as const;
  try {
    await throttle.check(guess);
  } catch (error) {
    if (error instanceof TooManyTries) return false;
    throw error;
  }
  await (isRight ? throttle.succeeded(guess) : throttle.failed(guess));
  return true;
}

/** How often somebody mistypes before they get it right: most never, a few until they give up. */
function typos(): number {
  const draw = random();
  if (draw < 0.75) return 0;
  if (draw < 0.9) return 1;
  if (draw < 0.96) return 2;
  return draw < 0.99 ? 3 : 5;
}

/** Everybody signs in once, while the attackers try as fast as their pace allows. */
async function simulate(attackers: {
  readonly areKnown: boolean;
  readonly isSprayed: boolean;
  readonly isTargeted: boolean;
}): Promise<Morning> {
  const result: Morning = { right: 0, refused: 0, guesses: new Map() };
  const begin = time;
  const events: { at: number; run: () => Promise<void> }[] = [];
  for (let person = 0; person < people; person += 1) {
    const account = `person-${person}@example.org`;
    const device = attackers.areKnown ? `browser-${person}` : undefined;
    let at = begin + random() * morning;
    const wrong = typos();
    for (let tries = 0; tries < wrong; tries += 1) {
      events.push({ at, run: async () => void (await attempt(account, office, false, device)) });
      at += 5_000 + random() * 20_000;
    }
    // Who mistypes five times gives up and asks the operator.
    if (wrong < 5) {
      events.push({
        at,
        run: async () => {
          result.right += 1;
          if (!(await attempt(account, office, true, device))) result.refused += 1;
        },
      });
    }
  }
  const guess = async (account: string, network: string) => {
    if (await attempt(account, network, false))
      result.guesses.set(account, (result.guesses.get(account) ?? 0) + 1);
  };
  for (let at = begin; at < begin + morning; at += pace) {
    if (attackers.isSprayed) {
      const whom = Math.floor(random() * people);
      events.push({ at, run: () => guess(`person-${whom}@example.org`, office) });
    }
    if (attackers.isTargeted) {
      const bot = Math.floor(random() * 5_000);
      events.push({ at: at + 1, run: () => guess(target, `bot-${bot}`) });
    }
  }
  for (const event of events.sort((a, b) => a.at - b.at)) {
    time = event.at;
    await event.run();
  }
  time = begin + 24 * 3_600_000;
  return result;
}

/** The most guesses that a brake lets through in one morning. */
const maxOf = ({ capacity, interval }: { readonly capacity: number; readonly interval: number }) =>
  capacity + Math.ceil(morning / interval);

describe(`an office of ${people} people behind one address`, () => {
  it('is let in without a refusal, also on its first day, when no browser is known', async () => {
    const first = await simulate({ areKnown: false, isSprayed: false, isTargeted: false });
    expect(first.right).toBeGreaterThan(people * 0.9);
    expect(first.refused).toBe(0);
  }, 600_000);

  it('whose browsers are known is let in while its own address is used to spray passwords', async () => {
    const sprayed = await simulate({ areKnown: true, isSprayed: true, isTargeted: false });
    expect(sprayed.right).toBeGreaterThan(people * 0.9);
    expect(sprayed.refused).toBe(0);
    expect(sprayed.guesses.size).toBeGreaterThan(0);
    for (const one of sprayed.guesses.values())
      expect(one).toBeLessThanOrEqual(Math.min(maxOf(brakeRules.pair), maxOf(brakeRules.account)));
  }, 600_000);

  it('whose browsers are known is let in while thousands of addresses guess at one account', async () => {
    const targeted = await simulate({ areKnown: true, isSprayed: false, isTargeted: true });
    expect(targeted.right).toBeGreaterThan(people * 0.9);
    expect(targeted.refused).toBe(0);
    const guesses = targeted.guesses.get(target) ?? 0;
    expect(guesses).toBeGreaterThanOrEqual(brakeRules.account.capacity);
    expect(guesses).toBeLessThanOrEqual(maxOf(brakeRules.account));
  }, 600_000);

  it('is let in on each day but the first while both attacks go on', async () => {
    await simulate({ areKnown: false, isSprayed: true, isTargeted: true });
    for (let day = 2; day <= rounds(2, 3); day += 1) {
      const { right, refused } = await simulate({ areKnown: true, isSprayed: true, isTargeted: true });
      expect([right > people * 0.9, refused]).toEqual([true, 0]);
    }
  }, 900_000);
});
