import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  brakeRules,
  createThrottle,
  type Guess,
  type Throttle,
  TooManyTries,
} from '../../../src/server/access/throttle.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { brakes } from '../../../src/server/store/schema/accounts.ts';
import type { Store } from '../../../src/server/store/store.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';
import { clockAt } from '../clock-at.ts';

const silent = pino({ level: 'silent' });
let database: FreshDatabase;
let store: Store;
let time = Date.parse('2026-03-02T08:00:00Z');
const clock = clockAt(() => time);
let throttle: Throttle;
let count = 0;
/** Names that no other test uses. */
const fresh = (what: string) => {
  count += 1;
  return `${what}-${count}`;
};

beforeAll(async () => {
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  throttle = createThrottle(store, silent, clock);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const signIn = (account: string, network: string, device?: string): Guess => ({
  what: 'sign-in',
  account,
  network,
  device,
});
/** Seconds to wait before a try, 0 where it may be made at once. */
async function wait(guess: Guess, by = throttle): Promise<number> {
  try {
    await by.check(guess);
    return 0;
  } catch (error) {
    if (error instanceof TooManyTries) return error.retryAfter;
    throw error;
  }
}
/** Tries until a brake holds; how many tries were let through. */
async function fill(guess: Guess, most = 100): Promise<number> {
  for (let tries = 0; tries < most; tries += 1) {
    if ((await wait(guess)) > 0) return tries;
    await throttle.failed(guess);
  }
  return most;
}
const inAll = async () => await store.db.$count(brakes);

describe('a brake', () => {
  it('lets some failures through at once, then one for each that leaked away', async () => {
    const guess = signIn(fresh('account'), fresh('network'));
    const { capacity, interval } = brakeRules.pair;
    expect(await fill(guess)).toBe(capacity);
    expect(await wait(guess)).toBe(interval / 1000);
    time += interval - 1_000;
    expect(await wait(guess)).toBe(1);
    time += 1_000;
    expect(await fill(guess)).toBe(1);
    time += 3 * interval;
    expect(await fill(guess)).toBe(3);
  });

  it('is the same on every server of a store', async () => {
    const guess = signIn(fresh('account'), fresh('network'));
    await fill(guess);
    expect(await wait(guess, createThrottle(store, silent, clock))).toBeGreaterThan(0);
  });

  it('writes nothing for a try that it refuses, nor for one that succeeds at once', async () => {
    const guess = signIn(fresh('account'), fresh('network'));
    const rows = async () => JSON.stringify(await store.db.select().from(brakes).orderBy(brakes.key));
    const before = await rows();
    await throttle.check(guess);
    await throttle.succeeded(guess);
    expect(await rows()).toBe(before);
    await fill(guess);
    const full = await rows();
    const written = async () => {
      const { rows: found } = await store.db.execute<{ n: string }>(
        sql`select xmin::text || ctid::text as n from brakes order by key`,
      );
      return JSON.stringify(found);
    };
    const versions = await written();
    for (let tries = 0; tries < 20; tries += 1) expect(await wait(guess)).toBeGreaterThan(0);
    expect([await rows(), await written()]).toEqual([full, versions]);
  });

  it('does not hold for longer because a clock was wrong for a while', async () => {
    const [account, network] = [fresh('account'), fresh('network')];
    time += 30 * 24 * 3_600_000;
    await fill(signIn(account, network));
    time -= 30 * 24 * 3_600_000;
    expect(await fill(signIn(account, network))).toBe(brakeRules.pair.capacity);
  });

  it('stores neither the accounts nor the addresses of failed tries in readable form', async () => {
    await throttle.failed(signIn('typed.into.the.wrong@field.example', '192.0.2.77'));
    const { rows } = await store.db.execute<{ text: string }>(
      sql`select encode(key, 'escape') || encode(coalesce(network, ''), 'escape') as text from brakes`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/wrong|192\.0\.2/);
  });
});

describe('signing in', () => {
  it('from an unknown browser is braked for an account, wherever the failures come from', async () => {
    const account = fresh('account');
    const { capacity, interval } = brakeRules.account;
    let tries = 0;
    while ((await wait(signIn(account, `bot-${tries}`))) === 0) {
      await throttle.failed(signIn(account, `bot-${tries}`));
      tries += 1;
    }
    expect(tries).toBe(capacity);
    expect(await wait(signIn(account, fresh('network')))).toBe(interval / 1000);
  });

  it('from a known browser is spared what strangers do, and has a brake of its own', async () => {
    const [account, network] = [fresh('account'), fresh('network')];
    for (let tries = 0; tries < 60; tries += 1) await throttle.failed(signIn(account, `bot-${tries}`));
    await fill(signIn(account, network));
    const known = signIn(account, network, 'a known browser');
    expect(await wait(signIn(account, network))).toBeGreaterThan(0);
    expect(await fill(known)).toBe(brakeRules.device.capacity);
    expect(await wait(known)).toBe(brakeRules.device.interval / 1000);
    // Another browser, or the same for another account, is not.
    expect(await wait(signIn(account, network, 'another known browser'))).toBe(0);
    expect(await wait(signIn(fresh('account'), network, 'a known browser'))).toBe(0);
  });

  it('is not braked by failures at other addresses of its network, however many', async () => {
    const network = fresh('network');
    for (let at = 0; at < 200; at += 1) await throttle.failed(signIn(fresh('made-up'), network));
    expect(await wait(signIn(fresh('account'), network))).toBe(0);
  });

  it.each([
    ['strangers of all networks', (at: number) => signIn('guessed', `bot-${at}`)],
    ['a known browser', () => signIn('guessed', 'network', 'known')],
    ['a session', (): Guess => ({ what: 'current-password', userId: 4711 })],
  ])('is guessed at by %s at most 100 times a day, two servers included', async (_who, guessOf) => {
    const begin = time;
    let guesses = 0;
    // The fullest day begins with an empty bucket.
    for (let at = 0; time < begin + 24 * 3_600_000; at += 1) {
      const guess = guessOf(at);
      if ((await wait(guess)) === 0) {
        guesses += 1;
        await throttle.failed(guess);
      } else time += 60_000;
    }
    // Two of each further server may be under way when it fills up.
    expect(guesses + 2 * 2).toBeLessThanOrEqual(100);
    expect(guesses).toBeGreaterThan(50);
  });

  it('never blocks by succeeding, however often', async () => {
    const network = fresh('network');
    const account = fresh('account');
    for (let tries = 0; tries < 200; tries += 1) {
      const guess = signIn(tries % 2 === 0 ? account : fresh('account'), network);
      expect(await wait(guess)).toBe(0);
      await throttle.succeeded(guess);
    }
  });
});

it('a current password and set-up links are braked as well', async () => {
  const person: Guess = { what: 'current-password', userId: 7 };
  expect(await fill(person)).toBe(brakeRules.person.capacity);
  expect(await wait({ what: 'current-password', userId: 8 })).toBe(0);
  expect(await fill({ what: 'setup-link', network: '192.0.2.1' })).toBe(brakeRules.setup.capacity);
  expect(await wait({ what: 'setup-link', network: '192.0.2.2' })).toBe(0);
});

it('emptied buckets are deleted', async () => {
  const own = createThrottle(store, silent, clock);
  await own.failed(signIn(fresh('account'), fresh('network')));
  expect(await inAll()).toBeGreaterThan(1);
  time += 24 * 3_600_000;
  await own.failed({ what: 'current-password', userId: 9 });
  expect(await inAll()).toBe(1);
});

it('a brake that fills up slowly is not taken for one of a wrong clock', async () => {
  const own = createThrottle(store, silent, clock);
  const account = fresh('account');
  for (let at = 0; at < brakeRules.account.capacity; at += 1) await own.failed(signIn(account, `bot-${at}`));
  time += 11 * 60_000;
  // Tidies up.
  await own.failed({ what: 'current-password', userId: 10 });
  expect(await wait(signIn(account, fresh('network')), own)).toBeGreaterThan(0);
});
