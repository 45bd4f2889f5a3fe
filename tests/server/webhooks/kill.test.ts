import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { eq, ne } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { StoredQueue } from '../../../src/server/queue/queue.ts';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { webhookDeliveries } from '../../../src/server/store/schema/webhooks.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import { Webhooks } from '../../../src/server/webhooks/webhooks.ts';
import pino from 'pino';
import { chance, rounds } from '../../prove.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const kills = rounds(1, 20);
const messages = rounds(30, 500);
const random = chance();
const key = randomBytes(32);

let database: FreshDatabase;
let store: OpenStore;
let receiver: Receiver;
let child: ChildProcess | undefined;

beforeAll(async () => {
  database = await freshDatabase();
  store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  receiver = await startReceiver();
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await store.close();
  await database.drop();
  await receiver.close();
});

async function startSender(): Promise<ChildProcess> {
  const started = spawn(
    process.execPath,
    [join(import.meta.dirname, 'sender.ts'), database.url, key.toString('base64'), String(receiver.port)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(started.stdout, 'data');
  return started;
}

/** An Owner's webhook, and messages that wait for it. */
async function queueMessages(): Promise<readonly string[]> {
  const [company] = await store.db.insert(companies).values({ name: 'Acme' }).returning();
  const [user] = await store.db.insert(users).values({ name: 'Kim', email: 'kim@example.org' }).returning();
  const companyId = company?.id ?? 0;
  const userId = user?.id ?? 0;
  await store.db.insert(memberships).values({ companyId, userId, orgRole: orgRoles.Owner });
  const [cluster] = await store.db
    .insert(clusters)
    .values({ companyId, name: 'prod', source: 'pasted', server: 'https://127.0.0.1:1', colour: 0 })
    .returning();
  const queue = new StoredQueue({ store, log: pino({ level: 'silent' }), clock: systemClock });
  const webhooks = new Webhooks({
    store,
    queue,
    happenings: { mayHear: async () => true },
    vault: createVault({ current: 'k1', keys: new Map([['k1', key]]) }),
    policy: { allowPorts: [receiver.port], allowCidrs: ['127.0.0.1/32'] },
    origin: () => 'http://console.test',
    clock: systemClock,
  });
  const owner = { userId, companyId, clusterId: cluster?.id ?? 0 };
  const { id: webhookId } = await webhooks.add(owner, {
    url: receiver.url,
    events: ['job.failed'],
    format: 'standard',
  });
  const ids = Array.from({ length: messages }, () => randomUUID());
  await store.db.transaction(async (tx) => {
    for (const id of ids) {
      await tx
        .insert(webhookDeliveries)
        .values({ id, webhookId, type: 'job.failed', body: JSON.stringify({ id }) });
      await queue.add('webhook', { id, tries: 0 }, tx);
    }
  });
  await queue.close();
  return ids;
}

it(
  'no delivery is lost when servers are killed at any point, and what comes twice bears the same id',
  async () => {
    const ids = await queueMessages();
    for (let kill = 0; kill < kills; kill += 1) {
      child = await startSender();
      const target = Math.floor(((kill + random()) / (kills + 1)) * messages);
      await expect
        .poll(() => receiver.received.length, { timeout: 60_000, interval: 5 })
        .toBeGreaterThanOrEqual(target);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    child = await startSender();
    await expect
      .poll(
        async () =>
          (
            await store.db
              .select({ id: webhookDeliveries.id })
              .from(webhookDeliveries)
              .where(ne(webhookDeliveries.state, 'delivered'))
          ).length,
        { timeout: 90_000, interval: 200 },
      )
      .toBe(0);
    const came = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(came).toEqual(new Set(ids));
    for (const { headers, body } of receiver.received)
      expect(JSON.parse(body)).toEqual({ id: headers['webhook-id'] });
    const [row] = await store.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.id, ids[0] ?? ''));
    expect(row?.state).toBe('delivered');
  },
  rounds(150_000, 1_800_000),
);
