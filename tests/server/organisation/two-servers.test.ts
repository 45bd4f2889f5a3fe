import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { type TokenScope, tokenScopes } from '../../../src/contract/token-scopes.ts';
import type { Deployment } from '../../../src/kube/apps.ts';
import type { Pod } from '../../../src/kube/core.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { type OpenOnGrants, openOnGrants } from '../../../src/server/access/open-grants.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { BearerClient, type TestClient } from '../http-client.ts';
import { openLive } from '../live/live-client.ts';
import { hasten } from './access-office.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';

/** How long what is open may outlive a right that was taken away on the other server (ms). */
const longest = 2_000;

/** Where people look, with the cluster. */
let here: PlaygroundConsole;
/** Where Owners change grants: another server over the same PostgreSQL. */
let there: TestConsole;
let pod: string;

beforeAll(async () => {
  here = await startPlaygroundConsole('shop');
  there = await startConsole({ config: { databaseUrl: here.console.services.config.databaseUrl } });
  await here.transport.json({
    method: 'POST',
    path: '/apis/apps/v1/namespaces/shop/deployments',
    body: deploymentOf('shop', 'web', 'nginx:1.27', 1),
  });
  const running = await vi.waitUntil(
    async () => {
      const list = await here.seen<KubeObject & { items?: Pod[] }>('/api/v1/namespaces/shop/pods');
      return list?.items?.find(({ status }) => status?.containerStatuses?.[0]?.state?.running !== undefined);
    },
    { timeout: 20_000 },
  );
  pod = running.metadata?.name ?? '';
}, 60_000);
afterAll(async () => {
  await there.close();
  await here.console.close();
});

/** Something open, by what it takes to know that it is and that it has ended. */
interface Open {
  readonly isEnded: () => boolean | Promise<boolean>;
  readonly close: () => void;
}

/** A socket of one object, open once a message says so. */
async function openSocket(
  person: TestPerson,
  path: string,
  { first, isOpen }: { readonly first?: object; readonly isOpen: (message: { type: string }) => boolean },
): Promise<Open> {
  const { url } = here.console;
  const socket = new WebSocket(url.replace('http', 'ws') + path, {
    headers: { ...person.client.handshake },
  });
  let isBegun = false;
  let isEnded = false;
  socket.on('open', () => {
    if (first !== undefined) socket.send(JSON.stringify(first));
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) isBegun ||= isOpen(JSON.parse(data.toString('utf8')) as { type: string });
  });
  socket.on('close', () => {
    isEnded = true;
  });
  await vi.waitUntil(() => isBegun, { timeout: 20_000 });
  return { isEnded: () => isEnded, close: () => socket.terminate() };
}

/** Opens each sort of what stays open on grants. */
const opening: Readonly<Record<OpenOnGrants, (person: TestPerson) => Promise<Open>>> = {
  async pages(person) {
    const { url } = here.console;
    const live = await openLive(url, { cookie: person.client.cookie, origin: url });
    const list = live.subscribe({ clusterId: here.clusterId, kind: 'pod' });
    await live.until('live', () => list.state?.status === 'live');
    return {
      isEnded: () => list.ended !== undefined || live.closed !== undefined,
      close: () => live.socket.terminate(),
    };
  },
  logs: (person) =>
    openSocket(person, `/api/clusters/${here.clusterId}/log`, {
      first: { of: { pods: [{ namespace: 'shop', name: pod }] } },
      isOpen: ({ type }) => type === 'source',
    }),
  terminals: (person) =>
    openSocket(person, `/api/clusters/${here.clusterId}/pods/shop/${pod}/shell`, {
      isOpen: ({ type }) => type === 'started',
    }),
  jobs: openDrain,
};

/** A drain of a node of its own, whose one pod waits for a finalizer that nobody takes away. */
let nodes = 0;
async function openDrain(person: TestPerson): Promise<Open> {
  nodes += 1;
  const name = `held-${nodes}`;
  await here.transport.json({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name } } });
  await here.transport.json({
    method: 'POST',
    path: '/api/v1/namespaces/shop/pods',
    body: {
      metadata: { name, finalizers: ['example.org/held'] },
      spec: {
        nodeName: name,
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'web', image: 'web:1' }],
      },
    },
  });
  const { outcomes } = await person.client.call('runAction', {
    params: { clusterId: here.clusterId, actionId: 'node.drain' },
    body: { refs: [{ kind: 'node', name }], args: { limit: 10, unmanaged: 'evict' } },
  });
  const id = outcomes[0]?.job;
  const row = async () => {
    const { jobs } = await here.owner.client.call('jobs', { params: { clusterId: here.clusterId } });
    return jobs.find((job) => job.id === id);
  };
  await vi.waitUntil(async () => (await row())?.steps.some(({ message }) => message === 'ending'), {
    timeout: 20_000,
  });
  return {
    async isEnded() {
      const job = await row();
      if (job?.status === 'running') return false;
      expect(job?.message).toMatch(
        /^Stopped after 1 of 2 steps\. Robin Example, who began it, no longer (reaches|has) .* The node stays cordoned/u,
      );
      return true;
    },
    close: () => undefined,
  };
}

/** A page on the other server, which follows the pods of the namespace; the cluster is none that it reaches. */
async function openListThere(client: TestClient): Promise<Open> {
  const live = await openLive(there.url, { cookie: client.cookie, origin: there.url });
  const list = live.subscribe({ clusterId: here.clusterId, kind: 'pod', namespace: 'shop' });
  await live.until('a first state', () => list.state !== undefined);
  return { isEnded: () => list.ended !== undefined, close: () => live.socket.terminate() };
}

/** Something that somebody can take a right from. */
interface Taken {
  readonly teamId: number;
  readonly userId: number;
}

/** Ways to take a right away, on the other server. */
const takings: Readonly<Record<string, (owner: TestClient, of: Taken) => Promise<unknown>>> = {
  'the place in the team': (owner, { teamId, userId }) =>
    owner.call('removeTeamMember', { params: { teamId, userId } }),
  'the cluster of the team': (owner, { teamId }) =>
    owner.call('removeTeamCluster', { params: { teamId, clusterId: here.clusterId } }),
  'the membership for a while': (owner, { userId }) =>
    owner.call('changeMember', { params: { userId }, body: { isSuspended: true } }),
  'the membership': (owner, { userId }) => owner.call('removeMember', { params: { userId } }),
  'the time of what groups gave': async (_owner, { teamId, userId }) => {
    await there.store.db.transaction(async (tx) => {
      await tx.execute(sql`update team_members set given_by = 'staff',
        expires_at = clock_timestamp() + interval '200 ms' where team_id = ${teamId} and user_id = ${userId}`);
      await there.store.channel.notify('grants', { companyId: here.companyId }, tx);
    });
  },
  // Last: it holds for everybody with the role from then on.
  'the permission of the role': async (owner) =>
    await owner.call('changeRole', {
      params: { roleId: teamRoles.TeamAdmin },
      body: { permissions: ['namespaces.view'] },
    }),
};

/** Ways to end an API token, on the other server. */
const revocations: Readonly<
  Record<string, (owner: TestClient, of: Taken & { tokenId: number }) => Promise<unknown>>
> = {
  'revoking it': (owner, { tokenId }) => owner.call('revokeMemberToken', { params: { tokenId } }),
  'a suspension': (owner, { userId }) =>
    owner.call('changeMember', { params: { userId }, body: { isSuspended: true } }),
  'the removal of its person': (owner, { userId }) => owner.call('removeMember', { params: { userId } }),
  'taking the cluster from the team': (owner, { teamId }) =>
    owner.call('removeTeamCluster', { params: { teamId, clusterId: here.clusterId } }),
};

/** Somebody of the company in a team of their own, and the script that has a token of theirs. */
async function scriptOf(scopes: readonly TokenScope[]) {
  const { companyId, console: first, clusterId } = here;
  const person = await first.person({ companyId });
  const teamId = await first.grant(companyId, person.id, clusterId, teamRoles.TeamAdmin);
  const { secret, made } = await person.client.call('createToken', {
    body: { name: 'script', scopes: [...scopes] },
  });
  return {
    person: { ...person, client: new BearerClient(first.url, secret) },
    teamId,
    tokenId: made.id,
    secret,
  };
}

describe('by an API token', () => {
  it('a script restarts a Deployment: plain HTTP, no cookies, nothing of a page', async () => {
    const { secret } = await scriptOf(['deployments.view', 'deployments.manage']);
    // Not the one whose pod the others look at.
    await here.transport.json({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/shop/deployments',
      body: deploymentOf('shop', 'restarted', 'nginx:1.27', 1),
    });
    const { url } = here.console;
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const clusters = (await (await fetch(`${url}/api/ClusterManagement/clusters`, { headers })).json()) as {
      id: number;
    }[];
    expect(clusters.map(({ id }) => id)).toEqual([here.clusterId]);
    const refs = [{ kind: 'deployment', namespace: 'shop', name: 'restarted' }];
    const answer = await fetch(`${url}/api/clusters/${here.clusterId}/actions/deployment.restart`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ refs }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { outcomes: [{ ok: true }] }]);
    const restarted = await here.seen<Deployment>('/apis/apps/v1/namespaces/shop/deployments/restarted');
    expect(restarted?.spec?.template?.metadata?.annotations).toHaveProperty(
      'kubectl.kubernetes.io/restartedAt',
    );
  });

  it.each(Object.entries(revocations))(
    'what a token has open ends on one server within two seconds of %s on the other',
    async (_name, end) => {
      const { person, teamId, tokenId } = await scriptOf(tokenScopes);
      const elsewhere = await there.session(here.owner.id, here.companyId);
      const open = await Promise.all(
        (['logs', 'terminals', 'jobs'] as const).map((what) => opening[what](person)),
      );
      const areEnded = () => Promise.all(open.map(async ({ isEnded }) => await isEnded()));
      expect(await areEnded()).toEqual([false, false, false]);
      const began = performance.now();
      await end(elsewhere, { teamId, userId: person.id, tokenId });
      await vi.waitUntil(async () => (await areEnded()).every(Boolean), { timeout: 10_000, interval: 10 });
      expect(performance.now() - began).toBeLessThan(longest);
      const refused = await person.client.send('GET', `/api/clusters/${here.clusterId}/counts`);
      expect([401, 404]).toContain(refused.status);
      for (const one of open) one.close();
    },
    30_000,
  );
});

describe('on two servers over one PostgreSQL', () => {
  it.each(Object.entries(takings))(
    'lists, logs, terminals and jobs end on one within two seconds of taking away %s on the other',
    async (_name, take) => {
      const { companyId, console: first, clusterId, owner } = here;
      const person = await first.person({ companyId });
      const teamId = await first.grant(companyId, person.id, clusterId, teamRoles.TeamAdmin);
      const elsewhere = await there.session(owner.id, companyId);
      const open = await Promise.all(openOnGrants.map((what) => opening[what](person)));
      const areEnded = () => Promise.all(open.map(async ({ isEnded }) => await isEnded()));
      expect(await areEnded()).toEqual(openOnGrants.map(() => false));
      const began = performance.now();
      await take(elsewhere, { teamId, userId: person.id });
      await vi.waitUntil(async () => (await areEnded()).every(Boolean), { timeout: 10_000, interval: 10 });
      expect(performance.now() - began).toBeLessThan(longest);
      for (const one of open) one.close();
    },
    30_000,
  );

  it('what is open on temporary access ends on both within two seconds of its time, and with its revocation', async () => {
    const { companyId, console: first, clusterId, owner } = here;
    const approver = await there.session(owner.id, companyId);
    // By itself with its time; by an Owner on the other server.
    const ways = {
      expired: async (requestId: number) => {
        await hasten(there, requestId, 1_000);
        return performance.now() + 1_000;
      },
      revoked: async (requestId: number) => {
        await approver.call('endAccess', { params: { requestId } });
        return performance.now();
      },
    } as const;
    for (const [state, end] of Object.entries(ways)) {
      const person = await first.person({ companyId });
      await first.grant(companyId, person.id, clusterId, teamRoles.Viewer, ['elsewhere']);
      const { id: requestId } = await person.client.call('askAccess', {
        body: {
          clusterId,
          permissions: ['pods.manage'],
          namespaces: ['shop'],
          reason: 'Incident',
          minutes: 60,
        },
      });
      await approver.call('approveAccess', { params: { requestId } });
      const open = await Promise.all([
        opening.logs(person),
        opening.terminals(person),
        openListThere(await there.session(person.id, companyId)),
      ]);
      const areEnded = () => Promise.all(open.map(async ({ isEnded }) => await isEnded()));
      expect(await areEnded()).toEqual(open.map(() => false));
      const endsAt = await end(requestId);
      await vi.waitUntil(async () => (await areEnded()).every(Boolean), { timeout: 10_000, interval: 10 });
      expect(performance.now() - endsAt, state).toBeLessThan(longest);
      for (const one of open) one.close();
      const { requests } = await person.client.call('accessRequests', {});
      expect(requests[0]?.state).toBe(state);
    }
  }, 30_000);
});
