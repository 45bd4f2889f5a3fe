import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CountedCall, SharedRates } from '../../../src/server/access/rates.ts';
import { openStore } from '../../../src/server/store/open.ts';
import type { Store } from '../../../src/server/store/store.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';

const log = pino({ level: 'silent' });
const minute = 60_000;
let database: FreshDatabase;
let store: Store;
let count = 0;

beforeAll(async () => {
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** Servers of one store, and a rate that no other test uses. */
function serversWith(limit: number, window = minute) {
  count += 1;
  const rate = { key: `call ${count}`, limit, window };
  const isAllowed = ({ current }: CountedCall) => current <= limit;
  const [one, other] = [new SharedRates({ store, log }), new SharedRates({ store, log })];
  return { one, other, rate, isAllowed };
}

describe('the rate of a call', () => {
  it('holds for the sum over two servers, which say until when', async () => {
    const { one, other, rate, isAllowed } = serversWith(5);
    const counted = [];
    for (const server of [one, other, one, other, one, other, one]) counted.push(await server.count(rate));
    expect(counted.map(isAllowed)).toEqual([true, true, true, true, true, false, false]);
    for (const { ttl } of counted) expect(ttl > 0 && ttl <= minute).toBe(true);
    // Somebody else is not meant.
    expect(isAllowed(await other.count({ ...rate, key: `${rate.key} of another` }))).toBe(true);
  });

  it('is never passed where servers take shares, and missed by less than a share for each other server', async () => {
    const { one, other, rate, isAllowed } = serversWith(600);
    const calls = Array.from({ length: 800 }, async (_, index) =>
      isAllowed(await (index % 3 === 0 ? one : other).count(rate)),
    );
    const allowed = (await Promise.all(calls)).filter(Boolean).length;
    expect(allowed).toBeLessThanOrEqual(600);
    // One by one, so that what is left is taken in shares of ten.
    let more = 0;
    while (isAllowed(await one.count(rate))) more += 1;
    while (isAllowed(await other.count(rate))) more += 1;
    expect(allowed + more).toBe(600);
    const next = serversWith(600);
    expect(next.isAllowed(await next.other.count(next.rate))).toBe(true);
    let alone = 0;
    while (next.isAllowed(await next.one.count(next.rate))) alone += 1;
    expect(alone).toBe(590);
  });

  it('begins anew when its window is over, whichever server counts', async () => {
    const { one, other, rate, isAllowed } = serversWith(1, 300);
    expect([await one.count(rate), await other.count(rate)].map(isAllowed)).toEqual([true, false]);
    await expect.poll(async () => isAllowed(await other.count(rate)), { interval: 20 }).toBe(true);
    expect(isAllowed(await one.count(rate))).toBe(false);
  });

  it('is counted by each server alone while the store is away: nobody waits, and nobody is let in without bound', async () => {
    const pool = new Pool({ host: '127.0.0.1', port: 1 });
    const alone = new SharedRates({ store: { pool }, log });
    const { rate, isAllowed } = serversWith(3);
    const counted = [];
    for (let call = 0; call < 5; call += 1) counted.push(await alone.count(rate));
    expect(counted.map(isAllowed)).toEqual([true, true, true, false, false]);
    await pool.end();
  });

  it('is remembered for who calls again and again, however many others call once', async () => {
    const pool = new Pool({ host: '127.0.0.1', port: 1 });
    // What is forgotten while the store is away is counted from the start.
    const alone = new SharedRates({ store: { pool }, log });
    const { rate, isAllowed } = serversWith(1);
    expect(isAllowed(await alone.count(rate))).toBe(true);
    for (let other = 0; other < 25_000; other += 1) {
      await alone.count({ ...rate, key: `other ${other}` });
      if (other % 5_000 === 0) expect(isAllowed(await alone.count(rate))).toBe(false);
    }
    expect(isAllowed(await alone.count(rate))).toBe(false);
    await pool.end();
  });

  it('belongs to one window with the moment at which that ends, however the clock goes meanwhile', async () => {
    // Each reading of this clock is a second after the one before.
    await store.pool.query(`create schema slow; create sequence slow.reading;
      create function slow.clock_timestamp() returns timestamptz language sql volatile
        as 'select timestamptz ''2030-01-01Z'' + make_interval(secs => nextval(''slow.reading''))'`);
    const pool = new Pool({
      connectionString: database.url,
      options: '-c search_path=slow,pg_catalog,public',
      max: 1,
    });
    const seen = new Set<string>();
    for (let until = 2; until < 10; until += 1) {
      const { rate } = serversWith(60);
      await pool.query('select setval($1, 1, false)', ['slow.reading']);
      await new SharedRates({ store: { pool }, log }).count({ ...rate, window: until * 1_000 });
      const digest = createHash('sha256').update(rate.key).digest();
      const end = async () =>
        (
          await pool.query<{ taken: number; end: string }>(
            'select taken, ends_at::text as end from rate_windows where key = $1',
            [digest],
          )
        ).rows[0];
      const before = await end();
      // One call more, in the window of before or in one of a minute.
      const pieces = new SharedRates({ store: { pool }, log });
      await pieces.count(rate);
      const after = await end();
      const isSame = after?.end === before?.end;
      seen.add(isSame ? 'same' : 'next');
      expect(after?.taken).toBe(isSame ? 2 : 1);
    }
    expect([...seen].sort()).toEqual(['next', 'same']);
    await pool.end();
  });

  it('says until when the window lasts, however long the store took to answer', async () => {
    const { rate } = serversWith(1);
    const pool = {
      query: async (text: string, values: unknown[]) => {
        await delay(500);
        return await store.pool.query(text, values);
      },
    } as unknown as Store['pool'];
    const { ttl } = await new SharedRates({ store: { pool }, log }).count(rate);
    expect(ttl).toBeGreaterThan(minute - 400);
  });

  it('leaves no row once its window is over and old windows are dropped, but those that are in use', async () => {
    const { one, rate } = serversWith(1, 1);
    await one.count(rate);
    const { one: later, rate: running } = serversWith(1);
    await later.count(running);
    const rows = async () =>
      (
        await store.pool.query<{ over: boolean }>(
          'select ends_at <= clock_timestamp() as over from rate_windows',
        )
      ).rows;
    await expect.poll(async () => (await rows()).some(({ over }) => over)).toBe(true);
    await store.pool.query(`insert into rate_windows (key, taken, ends_at)
      select sha256(n::text::bytea), 1, now() - interval '1 minute' from generate_series(1, 10100) n`);
    const user = await store.pool.connect();
    await user.query('begin');
    await user.query(`select from rate_windows where key = sha256('7') for update`);
    await one.dropEnded();
    expect((await rows()).filter(({ over }) => over)).toHaveLength(1);
    await user.query('commit');
    user.release();
    await one.dropEnded();
    const left = await rows();
    expect(left.length).toBeGreaterThan(0);
    expect(left.some(({ over }) => over)).toBe(false);
  });
});
