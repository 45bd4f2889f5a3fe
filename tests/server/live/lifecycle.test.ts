import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rightsInterval } from '../../../src/server/access/open-rights.ts';
import { flushInterval } from '../../../src/contract/live.ts';
import { beatInterval, liveClose } from '../../../src/contract/live-socket.ts';
import { feedGrace } from '../../../src/server/live/feed/audience.ts';
import { flushOfMany } from '../../../src/server/live/feed/fan-out.ts';
import { reflectorsPerCluster } from '../../../src/server/live/cluster/open-feeds.ts';
import { pageLimits } from '../../../src/server/live/wire/page-limits.ts';
import { kindPatience } from '../../../src/server/live/page/waiting-channel.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { createFakeClock, type FakeClock, settle } from './fake-clock.ts';
import type { LiveClient, LiveList } from './live-client.ts';
import { type LiveConsole, startLive } from './live-console.ts';
import {
  createScriptedTransport,
  listOf,
  podOf,
  refusal,
  type ScriptedTransport,
} from './script-transport.ts';
import { sendNotice } from '../notice.ts';

let clock: FakeClock;
let live: LiveConsole;
let transport: ScriptedTransport;
let clusterId: number;
let client: LiveClient;
let list: LiveList;

beforeEach(async () => {
  clock = createFakeClock();
  live = await startLive(clock);
  transport = createScriptedTransport();
  transport.onList = () => listOf('10', [podOf('a', '1')]);
  clusterId = await live.cluster(transport);
  client = await live.open(await live.person({ isOwner: true }));
  list = client.subscribe({ clusterId, kind: 'pod' });
  await client.until('live', () => list.state?.status === 'live');
});
afterEach(() => live.close());

/** Lets the clock run until something is true, which takes the network a moment. */
async function runUntil(what: string, isTrue: () => boolean, step = flushInterval): Promise<void> {
  for (let round = 0; round < 2_000 && !isTrue(); round += 1) await clock.advance(step);
  expect(isTrue(), what).toBe(true);
}

/** Lets the clock run until the next beat, and the page answer it. */
async function answerBeat(): Promise<void> {
  const before = client.beats;
  await clock.advance(beatInterval);
  await client.until('a beat', () => client.beats > before);
  // The pong is on its way: a message after it shows that it arrived.
  const seen = client.subscribe({ clusterId, kind: 'nonsense' });
  await client.until('the server got there', () => seen.ended !== undefined);
}

describe('a feed', () => {
  test('goes on for a minute after its last subscriber, then leaves nothing behind', async () => {
    client.send({ type: 'unsubscribe', id: list.id });
    await expect.poll(() => live.hub.stats().subscriptions).toBe(0);
    await clock.advance(feedGrace - 1_000);
    expect(live.hub.stats().reflectors).toBe(1);
    await clock.advance(2_000);
    expect(live.hub.stats()).toMatchObject({
      sockets: 1,
      subscriptions: 0,
      reflectors: 0,
      objects: 0,
      heldBytes: 0,
    });
    expect(transport.watches.every((watch) => watch.isClosed)).toBe(true);
  });

  test('is there at once for who comes back within the minute', async () => {
    client.send({ type: 'unsubscribe', id: list.id });
    await expect.poll(() => live.hub.stats().subscriptions).toBe(0);
    await clock.advance(feedGrace - 1_000);
    const again = client.subscribe({ clusterId, kind: 'pod' });
    await client.until('live', () => again.state?.status === 'live');
    await clock.advance(10_000);
    expect(again.statuses).toEqual(['live']);
    expect(transport.calls).toEqual(['list', 'watch']);
    expect(live.hub.stats().reflectors).toBe(1);
  });

  test('ends with the page that closes its window', async () => {
    await client.close();
    await expect.poll(() => live.hub.stats().sockets).toBe(0);
    await clock.advance(feedGrace);
    expect(live.hub.stats().reflectors).toBe(0);
  });

  test('of one cluster may have so many reflectors and no more; what is refused opens once there is a place', async () => {
    const denied = createScriptedTransport();
    denied.onList = ({ path }) => {
      if (path === '/api/v1/pods') throw refusal(403);
      return listOf('1');
    };
    const namespaces = Array.from({ length: reflectorsPerCluster + 20 }, (_, index) => `ns-${index}`);
    const id = await live.cluster(denied, { namespaces });
    const many = client.subscribe({ clusterId: id, kind: 'pod' });
    await client.until('live', () => many.state?.status === 'live');
    expect(live.hub.stats().reflectors).toBe(reflectorsPerCluster + 1);
    expect(many.state?.message).toMatch(/and 15 more\.$/);
    const refused = client.subscribe({ clusterId: id, kind: 'namespace' });
    await client.until('refused', () => refused.state?.status === 'unreachable');
    expect(refused.state?.message).toMatch(/has 350 lists open in this console, the maximum\./);
    client.send({ type: 'unsubscribe', id: many.id });
    await runUntil('it is live', () => refused.state?.status === 'live', kindPatience);
  });
});

describe('a socket', () => {
  test('gets a beat every fifteen seconds', async () => {
    await clock.advance(beatInterval);
    await client.until('a beat', () => client.beats === 1);
    await clock.advance(beatInterval);
    await client.until('another', () => client.beats === 2);
  });

  test('that answers no ping is given up, and its lists with it', async () => {
    client.socket.pause();
    await runUntil('gone', () => live.hub.stats().sockets === 0, beatInterval);
    expect(live.hub.stats().subscriptions).toBe(0);
  });

  test('whose session expired is closed within seconds', async () => {
    const { db } = live.store;
    await db.update(sessions).set({ idleExpiresAt: new Date(Date.now() - 1_000).toISOString() });
    await clock.advance(rightsInterval);
    await client.until('closed', () => client.closed?.code === liveClose.signedOut);
  });

  test('that goes on answering is kept', async () => {
    for (let round = 0; round < 6; round += 1) await answerBeat();
    expect(client.closed).toBeUndefined();
  });
});

describe('grants that cannot be read', () => {
  test('hold every row back, and let the newest through once they can', async () => {
    live.isStoreAway = true;
    await sendNotice(live.store, 'grants', { companyId: live.companyId });
    await client.until('told', () => client.grants > 0);
    transport.lastWatch.say({ type: 'ADDED', object: podOf('b', '11') });
    for (let round = 0; round < 5; round += 1) await clock.advance(pageLimits.recheck);
    const before = client.beats;
    await clock.advance(beatInterval);
    await client.until('a beat, which is sent after all that', () => client.beats > before);
    expect(list.rows.has('uid-b')).toBe(false);
    expect(list.ended).toBeUndefined();
    live.isStoreAway = false;
    await runUntil('the row is there', () => list.rows.has('uid-b'), pageLimits.recheck / 10);
  });

  test('let rows come on for five minutes, and hold them back from then on until they can', async () => {
    live.isStoreAway = true;
    transport.lastWatch.say({ type: 'ADDED', object: podOf('b', '11') });
    await runUntil('the row is there', () => list.rows.has('uid-b'));
    const before = client.grants;
    for (let round = 0; client.grants === before && round < 30; round += 1) await answerBeat();
    expect(client.grants).toBeGreaterThan(before);
    transport.lastWatch.say({ type: 'ADDED', object: podOf('c', '12') });
    for (let round = 0; round < 2; round += 1) await answerBeat();
    expect([list.rows.has('uid-c'), list.ended]).toEqual([false, undefined]);
    live.isStoreAway = false;
    await runUntil('the row is there', () => list.rows.has('uid-c'), pageLimits.recheck / 10);
  });

  test('let rows come on while the connection to the store alone comes and goes', async () => {
    const away = Object.assign(new Error('The store is away.'), { code: '57P01' });
    const asked = vi.spyOn(live.store.db, 'execute').mockRejectedValue(away);
    const [before, reads] = [client.grants, asked.mock.calls.length];
    await live.store.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query ilike 'listen%'`,
    );
    await client.until('the connection is back', () => client.grants > before);
    await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(reads);
    transport.lastWatch.say({ type: 'ADDED', object: podOf('b', '11') });
    await runUntil('the row is there', () => list.rows.has('uid-b'));
    asked.mockRestore();
  });

  test('let a list that is opened meanwhile wait for them', async () => {
    live.isStoreAway = true;
    const opened = client.subscribe({ clusterId, kind: 'pod' });
    const left = client.subscribe({ clusterId, kind: 'pod' });
    client.send({ type: 'unsubscribe', id: left.id });
    // Its end needs no grants: the server has read all that was sent before it.
    const unknown = client.subscribe({ clusterId, kind: 'nothings.example.org' });
    await client.until('an answer', () => unknown.ended !== undefined);
    for (let round = 0; round < 3; round += 1) await clock.advance(pageLimits.recheck);
    const before = client.beats;
    await clock.advance(beatInterval);
    await client.until('a beat, which is sent after all that', () => client.beats > before);
    expect([opened.ended, opened.snapshots]).toEqual([undefined, 0]);
    live.isStoreAway = false;
    await runUntil('its rows are there', () => opened.rows.has('uid-a'), pageLimits.recheck / 10);
    expect(left.state).toBeUndefined();
  });
});

describe('a page that does not read', () => {
  /** A text that compression makes little smaller, also where another row has the same. */
  const wide = randomBytes(7_500).toString('base64');
  const isTold = (row: unknown, round: number) =>
    row !== undefined && JSON.stringify(row).includes(`${round}:${wide}`);

  /** Changes 200 wide rows and lets them be sent. */
  async function churn(round: number): Promise<void> {
    for (let index = 0; index < 200; index += 1) {
      transport.lastWatch.say({
        type: 'MODIFIED',
        object: podOf(`wide-${index}`, `${round}.${index}`, `${round}:${wide}`),
      });
    }
    await settle();
    await expect.poll(() => clock.advance(flushOfMany).then(() => live.hub.stats().objects)).toBe(201);
  }

  test('gets each row that changed meanwhile once, as it is when the page reads again', async () => {
    client.socket.pause();
    for (let round = 0; round < 12; round += 1) await churn(round);
    expect(live.hub.stats().sockets).toBe(1);
    client.socket.resume();
    await client.until('the newest rows', () => isTold(list.rows.get('uid-wide-199'), 11));
    expect(list.rows.size).toBe(201);
    for (let index = 0; index < 200; index += 1)
      expect(isTold(list.rows.get(`uid-wide-${index}`), 11)).toBe(true);
    expect(list.snapshots, 'nothing was sent anew').toBe(1);
    expect(list.upserts, 'of 2,400 changes').toBeLessThan(1_200);
  });

  test('gets the first rows of another list before the changes of those that it has', async () => {
    client.socket.pause();
    for (let round = 0; round < 12; round += 1) await churn(round);
    const answered = live.grantsAnswered;
    const other = client.subscribe({ clusterId, kind: 'pod', namespace: 'shop' });
    // Until the server has read what its person may see, the other list is not open, and the changes go on.
    await expect.poll(() => live.grantsAnswered).toBe(answered + 1);
    await settle();
    let wasTold: boolean | undefined;
    client.socket.resume();
    await client.until('the other list', () => {
      if (other.snapshots === 1) wasTold ??= isTold(list.rows.get('uid-wide-199'), 11);
      return wasTold !== undefined;
    });
    expect(wasTold).toBe(false);
    await client.until('the newest rows', () => isTold(list.rows.get('uid-wide-199'), 11));
    expect(other.rows.size).toBe(201);
  });

  test('for half a minute is closed with the code for a reconnect', async () => {
    client.socket.pause();
    for (let round = 0; round < 12; round += 1) await churn(round);
    await clock.advance(pageLimits.patience);
    expect(live.hub.stats().sockets).toBe(0);
    client.socket.resume();
    await client.until('closed', () => client.closed !== undefined);
  });

  test('is kept however often it falls behind, as long as it goes on reading', async () => {
    for (let time = 0; time < 4; time += 1) {
      const last = (time + 1) * 12 - 1;
      client.socket.pause();
      for (let round = last - 11; round <= last; round += 1) await churn(round);
      client.socket.resume();
      await client.until('the newest rows', () => isTold(list.rows.get('uid-wide-199'), last));
    }
    expect(client.closed).toBeUndefined();
    expect(list.snapshots).toBe(1);
  });

  test('delays no other page', async () => {
    const other = await live.open(await live.person({ isOwner: true }));
    const seen = other.subscribe({ clusterId, kind: 'pod' });
    await other.until('live', () => seen.state?.status === 'live');
    client.socket.pause();
    for (let round = 0; round < 12; round += 1) {
      await churn(round);
      await other.until(`round ${round}`, () => isTold(seen.rows.get('uid-wide-199'), round));
    }
    expect(seen.snapshots).toBe(1);
  });
});

describe('closing the hub', () => {
  test('closes every page with the code for a reconnect and leaves no socket, reflector or timer', async () => {
    await live.hub.close();
    await client.until('closed', () => client.closed !== undefined);
    expect(client.closed?.code).toBe(liveClose.restart);
    await settle();
    expect(live.hub.stats()).toMatchObject({
      sockets: 0,
      subscriptions: 0,
      reflectors: 0,
      objects: 0,
      heldBytes: 0,
    });
    expect(clock.pending).toBe(0);
    expect(transport.watches.every((watch) => watch.isClosed)).toBe(true);
  });
});
