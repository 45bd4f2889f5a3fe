import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import { createCompany, resetPassword } from '../../../src/server/access/accounts.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { removePlaygroundRow } from '../../../src/server/boot/playground-row.ts';
import { Roles } from '../../../src/server/organisation/roles.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { sendingPause } from '../../../src/server/store/outgoing.ts';
import { type ChannelMessages, topicSorts, type Transaction } from '../../../src/server/store/store.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';

let console: TestConsole;
let companyId: number;
let owner: Member;
let heard: string[] = [];
/** Whether the database accepts notices; a change must not happen without its own. */
const acceptNotices = async (isAccepted: boolean) => {
  await console.store.db.execute(sql`update notices set accepted = ${isAccepted}`);
};

beforeAll(async () => {
  // The database's own function is found after one of the same name in `public`.
  console = await startConsole({ databaseOptions: '-c search_path=public,pg_catalog' });
  const { db, channel } = console.store;
  await db.execute(sql`create table notices (accepted boolean)`);
  await db.execute(sql`insert into notices values (true)`);
  await db.execute(sql`create function public.pg_notify(channel text, payload text) returns void language plpgsql as $$
    begin
      if not (select accepted from notices) then raise exception 'No notice can be sent.'; end if;
      perform pg_catalog.pg_notify(channel, payload);
    end $$`);
  companyId = await console.company();
  const { id, email } = await console.person({ companyId, isOwner: true });
  owner = {
    id,
    companyId,
    email,
    companyName: '',
    orgRole: orgRoles.Owner,
    name: 'Robin Example',
    sessionHash: '',
    providerId: null,
    token: null,
  };
  for (const topic of ['grants', 'sessions', 'clusters'] as const)
    channel.on(topic, (message) => heard.push(`${topic} ${JSON.stringify(message)}`));
});
afterAll(() => console.close());
beforeEach(() => {
  heard = [];
});

const sessionsOf = async (userId: number) =>
  (await console.store.db.select().from(sessions).where(eq(sessions.userId, userId))).length;
const row = async (id: number) =>
  (await console.store.db.select().from(clusters).where(eq(clusters.id, id)))[0];

/** Changes that take rights away, or may: what each does, what it is seen by, and whom it tells. */
const changes: readonly {
  readonly name: string;
  readonly prepare: () => Promise<{
    readonly change: () => Promise<unknown>;
    readonly isDone: () => Promise<boolean>;
    readonly topic: 'grants' | 'sessions' | 'clusters';
  }>;
}[] = [
  {
    name: 'signing out',
    async prepare() {
      const { client, id } = await console.person({ companyId });
      const cookies = [...client.cookies];
      return {
        change() {
          // The browser forgets its session whatever comes of it.
          for (const [name, value] of cookies) client.cookies.set(name, value);
          return client.send('GET', '/api/auth/logout');
        },
        isDone: async () => (await sessionsOf(id)) === 0,
        topic: 'sessions',
      };
    },
  },
  {
    name: 'a new password, which ends the other sessions',
    async prepare() {
      const { client, id, email } = await console.person({ companyId, password: testPassword });
      await console.visitor().send('POST', '/api/auth/login', { email, password: testPassword });
      const hashOf = async () =>
        (await console.store.db.select().from(users).where(eq(users.id, id)))[0]?.passwordHash;
      const before = await hashOf();
      return {
        change: () =>
          client.send('POST', '/api/profile/password', { current: testPassword, next: 'a whole new one' }),
        isDone: async () => {
          const isChanged = (await hashOf()) !== before;
          expect((await sessionsOf(id)) === 1).toBe(isChanged);
          return isChanged;
        },
        topic: 'sessions',
      };
    },
  },
  {
    name: "the operator's reset of a password",
    async prepare() {
      const { id, email } = await console.person({ companyId });
      return {
        change: () => resetPassword(console.store, email, 'a whole new one'),
        isDone: async () => (await sessionsOf(id)) === 0,
        topic: 'sessions',
      };
    },
  },
  {
    name: 'a new organisation',
    async prepare() {
      const { id } = await console.person({ companyId: null });
      const count = async () => (await console.store.db.select().from(companies)).length;
      const before = await count();
      return {
        change: () => createCompany(console.store, { userId: id, name: 'New', isOpen: false }),
        isDone: async () => (await count()) > before,
        topic: 'grants',
      };
    },
  },
  {
    name: 'an adjusted role',
    prepare() {
      const roles = new Roles(console.store);
      const only = ['namespaces.view' as const];
      return Promise.resolve({
        change: () => roles.change(owner, teamRoles.Viewer, only),
        isDone: async () => (await roles.one({ companyId }, teamRoles.Viewer)).permissions.length === 1,
        topic: 'grants' as const,
      });
    },
  },
  {
    name: "a change of a cluster's settings",
    async prepare() {
      const id = await console.cluster(companyId);
      const settings = { isProtected: false, isReadOnly: true, isShellAllowed: false };
      return {
        change: () => console.services.clusters.configure(owner, id, settings),
        isDone: async () => (await row(id))?.isReadOnly === true,
        topic: 'clusters',
      };
    },
  },
  {
    name: 'the removal of a cluster',
    async prepare() {
      const id = await console.cluster(companyId);
      return {
        change: () => console.services.clusters.remove(owner, id),
        isDone: async () => (await row(id)) === undefined,
        topic: 'grants',
      };
    },
  },
  {
    name: 'the removal of the playground',
    async prepare() {
      const id = await console.cluster(companyId);
      await console.store.db.update(clusters).set({ source: 'playground' }).where(eq(clusters.id, id));
      return {
        change: () => removePlaygroundRow(console.store, () => Promise.resolve()),
        isDone: async () => (await row(id)) === undefined,
        topic: 'clusters',
      };
    },
  },
];

describe.each(changes)('$name', ({ prepare }) => {
  test('does not happen without its notice, and tells everybody when it does', async () => {
    const { change, isDone, topic } = await prepare();
    await acceptNotices(false);
    try {
      await change().catch(() => undefined);
      expect(await isDone()).toBe(false);
    } finally {
      await acceptNotices(true);
    }
    expect(heard).toEqual([]);
    await change();
    expect(await isDone()).toBe(true);
    await expect.poll(() => heard.some((message) => message.startsWith(topic))).toBe(true);
  });
});

test('a change that is undone tells nobody', async () => {
  const { db, channel } = console.store;
  await db
    .transaction(async (tx) => {
      await channel.notify('grants', { companyId: 4711 }, tx);
      throw new Error('It is undone.');
    })
    .catch(() => undefined);
  // Notices arrive in order: once this one is here, the other never comes.
  await db.transaction((tx) => channel.notify('grants', { companyId: 4712 }, tx));
  await expect.poll(() => heard).toEqual(['grants {"companyId":4712}']);
});

describe('a notice of', () => {
  const notify = async (topic: keyof ChannelMessages, tx: Transaction, number = 0) =>
    // Whoever listens finds nothing that has such ids.
    await console.store.channel.notify(
      topic,
      { companyId: -1, clusterId: -1, userId: -1, userIds: [-1], jobId: number, turnId: '', name: 'mail' },
      tx,
    );

  it.each(Object.entries(topicSorts))('%s, of the sort %s, keeps to its sort', async (name, sort) => {
    const topic = name as keyof typeof topicSorts;
    const { db } = console.store;
    const sendings = vi.spyOn(console.store.pool, 'query');
    // Of this topic alone: the last notices of another may wait for their turn, and the console asks with `unnest` itself.
    const own = `{\\"topic\\":\\"${topic}\\",\\"message\\":{\\"companyId\\":-1`;
    const sent = () => sendings.mock.calls.filter((call) => JSON.stringify(call).includes(own)).length;
    try {
      await acceptNotices(false);
      const change = db.transaction((tx) => notify(topic, tx));
      // What takes a right away is undone without its notice; all else does not wait for one.
      if (sort === 'rights') await expect(change).rejects.toThrow();
      else await change;
      await acceptNotices(true);
      const undone = db.transaction(async (tx) => {
        await tx.transaction((nested) => notify(topic, nested));
        throw new Error('It is undone.');
      });
      await expect(undone).rejects.toThrow('It is undone.');
      await expect.poll(sent).toBe(sort === 'rights' ? 0 : 1);
      const began = performance.now();
      for (let number = 0; number < 20; number += 1)
        await db.transaction((tx) => tx.transaction((nested) => notify(topic, nested, number)));
      const most = 3 + (performance.now() - began) / sendingPause;
      if (sort === 'rights') expect(sent()).toBe(0);
      else await expect.poll(sent).toBeGreaterThan(1);
      expect(sent()).toBeLessThanOrEqual(most);
    } finally {
      sendings.mockRestore();
      await acceptNotices(true);
    }
  });
});
