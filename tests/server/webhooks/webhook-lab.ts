import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { Delivery } from '../../../src/contract/webhooks.ts';
import { webhooks } from '../../../src/server/store/schema/webhooks.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

/** What is the same for all tests of a file. */
interface Started {
  readonly console: TestConsole;
  readonly receiver: Receiver;
  readonly second: Receiver;
  /** Ports that the operator opened. */
  readonly ports: number[];
  readonly companyId: number;
  readonly clusterId: number;
}

/** Who is new for each test. */
interface People {
  readonly person: TestPerson;
  readonly other: TestPerson;
  /** The team that gives the person the cluster. */
  readonly teamId: number;
}

async function start(): Promise<Started> {
  const receiver = await startReceiver();
  const second = await startReceiver();
  const ports = [receiver.port, second.port];
  const console = await startConsole({
    config: { webhooks: { allowPorts: ports, allowCidrs: ['127.0.0.1/32'] } },
  });
  const companyId = await console.company();
  return { console, receiver, second, ports, companyId, clusterId: await console.cluster(companyId, 'prod') };
}

/** What an independent implementation of Standard Webhooks reads from a message. Throws where the signature is wrong. */
export const verify = (secret: string, { headers, body }: Received): unknown =>
  new Verifier(secret).verify(body, headers);

/**
 * A console with a cluster and two receivers, and two people who may view the cluster, new for each test. To be called
 * where tests are declared: it starts all that before them and ends it after them.
 */
export function shareWebhooks() {
  let started: Started | undefined;
  let people: People | undefined;
  const shared = (): Started => {
    if (started === undefined) throw new Error('The console is there only while tests run.');
    return started;
  };
  const present = (): People => {
    if (people === undefined) throw new Error('The people are there only while tests run.');
    return people;
  };
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    await started?.console.close();
    await started?.receiver.close();
    await started?.second.close();
  });
  beforeEach(async () => {
    const { console, receiver, second, companyId, clusterId } = shared();
    // Messages that wait for another try would take the answers of this test.
    await console.store.db.delete(webhooks);
    receiver.forgetAnswers();
    second.forgetAnswers();
    const person = await console.person({ companyId });
    const other = await console.person({ companyId });
    const teamId = await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
    await console.grant(companyId, other.id, clusterId, teamRoles.Viewer);
    people = { person, other, teamId };
  });
  const deliveries = (webhookId: string) =>
    present().person.client.call('webhookDeliveries', {
      params: { clusterId: shared().clusterId, webhookId },
    });
  return {
    get shared() {
      return shared();
    },
    get people() {
      return present();
    },
    add: (body: Record<string, unknown> = {}, who = present().person) =>
      who.client.call('addWebhook', {
        params: { clusterId: shared().clusterId },
        body: { url: shared().receiver.url, events: ['job.failed'], ...body },
      }),
    test: (webhookId: string) =>
      present().person.client.call('testWebhook', { params: { clusterId: shared().clusterId, webhookId } }),
    deliveries,
    list: async (who = present().person) =>
      (await who.client.call('userSettings', { params: { clusterId: shared().clusterId } })).webhooks,
    /** Waits for the delivery of a test to be in a state. */
    settled: async (webhookId: string, deliveryId: string, state: Delivery['state']): Promise<Delivery> => {
      let found: Delivery | undefined;
      await expect
        .poll(
          async () => {
            found = (await deliveries(webhookId)).find(({ id }) => id === deliveryId);
            return found?.state;
          },
          { timeout: 60_000 },
        )
        .toBe(state);
      if (found === undefined) throw new Error('No such delivery.');
      return found;
    },
    ofDelivery: (id: string): Received[] =>
      shared().receiver.received.filter(({ headers }) => headers['webhook-id'] === id),
  };
}
