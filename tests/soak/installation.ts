import { z } from 'zod';
import { teamRoles } from '../../src/contract/permissions.ts';
import { type ApiCall, openApi } from '../bench/api.ts';
import { startCluster } from '../e2e/product.ts';
import { addPerson } from '../e2e/store.ts';
import { type RoundRobin, startRoundRobin } from '../round-robin.ts';
import { type Receiver, startReceiver } from '../server/webhooks/receiver.ts';
import { createDatabase, startTestPostgres, type StartedPostgres } from '../test-postgres.ts';
import { OriginClient } from './origin-client.ts';
import { type SoakServer, startServers } from './servers.ts';

/** Everything that a soak looks at. */
export interface Installation {
  readonly postgres: StartedPostgres;
  readonly roundRobin: RoundRobin;
  readonly servers: readonly SoakServer[];
  readonly receiver: Receiver;
  /** Paths of the receiver, one for each webhook. */
  readonly webhooks: readonly string[];
  /** Calls the cluster's own API. */
  readonly call: ApiCall;
  readonly clusterId: number;
  readonly owner: OriginClient;
  /** People who reach the cluster by a team of their own alone, which does not reach it yet. */
  readonly viewers: readonly Viewer[];
  /** Signs the Owner in once more, through the round-robin: a session may have so many sockets. */
  signIn(): Promise<OriginClient>;
}

/** Somebody and the team by which they may reach the cluster. */
export interface Viewer {
  readonly client: OriginClient;
  readonly teamId: number;
}

/** What has to be ended, the newest first. */
export type Ends = (() => unknown)[];

const people = { email: 'soak@example.org', password: 'correct horse battery staple' };
const viewerCount = 2;
const webhookCount = 3;

/**
 * Starts PostgreSQL, a playground, the servers and the round-robin before them; founds a company, adds the playground by
 * its kubeconfig, and adds webhooks.
 * @param ends is given what ends each part as it starts
 */
export async function startInstallation(
  { servers: count, pods }: { readonly servers: number; readonly pods: number },
  ends: Ends,
): Promise<Installation> {
  const starting = startTestPostgres();
  ends.push(async () => await (await starting).stop());
  const postgres = await starting;
  const database = await createDatabase(postgres.place);
  const cluster = await startCluster(['--seed', `bulk:${pods}`, '--controllers', 'off'], true);
  ends.push(() => cluster.stop());
  const api = openApi(cluster);
  ends.push(() => api.close());
  const receiver = await startReceiver();
  ends.push(() => receiver.close());
  const roundRobin = await startRoundRobin();
  ends.push(() => roundRobin.close());
  const servers = await startServers(count, roundRobin, {
    DATABASE_URL: database.url,
    WHEELHOUSE_SETUP_EMAIL: people.email,
    WHEELHOUSE_SETUP_PASSWORD: people.password,
    WHEELHOUSE_WEBHOOK_ALLOW_PORTS: String(receiver.port),
    WHEELHOUSE_WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  });
  ends.push(() => Promise.all(servers.map((server) => server.kill())));

  const signInAs = async (email: string): Promise<OriginClient> => {
    const client = new OriginClient(roundRobin.url, roundRobin.url);
    await client.call('signIn', { body: { email, password: people.password } });
    return client;
  };
  const first = await signInAs(people.email);
  const { id: clusterId } = await first.call('addCluster', {
    body: { name: 'soak', description: '', kubeConfigContent: cluster.kubeconfig },
  });
  const connection = { databaseConnection: () => Promise.resolve({ connectionString: database.url }) };
  const viewers: Viewer[] = [];
  for (let index = 0; index < viewerCount; index += 1) {
    const email = `viewer-${index}@example.org`;
    const { userId } = await addPerson(connection, email, 'Kim Viewer');
    const { id: teamId } = await first.call('createTeam', { body: { name: `viewers ${index}` } });
    const body = { UserId: String(userId), Role: teamRoles.Viewer };
    await first.call('setTeamMember', { params: { teamId }, body });
    viewers.push({ client: await signInAs(email), teamId });
  }
  const webhooks = Array.from({ length: webhookCount }, (_, index) => `/hooks/${index}`);
  for (const path of webhooks)
    await first.call('addWebhook', {
      params: { clusterId },
      body: {
        url: `http://127.0.0.1:${receiver.port}${path}`,
        events: ['console.changed'],
        format: 'standard',
      },
    });
  return {
    postgres,
    roundRobin,
    servers,
    receiver,
    webhooks,
    call: api.call,
    clusterId,
    owner: first,
    viewers,
    signIn: () => signInAs(people.email),
  };
}

const nameList = z.object({
  items: z.array(z.object({ metadata: z.object({ namespace: z.string(), name: z.string() }) })),
});

/** Names of all objects at a path of the cluster's API. */
export async function namesAt(
  call: ApiCall,
  path: string,
): Promise<readonly { readonly namespace: string; readonly name: string }[]> {
  const { items } = nameList.parse(JSON.parse(await call('GET', path)));
  return items.map(({ metadata }) => metadata);
}
