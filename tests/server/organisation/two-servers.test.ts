import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import { type TokenScope, tokenScopes } from '../../../src/contract/token-scopes.ts';
import { tokenEndpoints } from '../../../src/contract/tokens.ts';
import type { Deployment } from '../../../src/kube/apps.ts';
import { openSorts, type OpenSortName } from '../../../src/server/access/open-state.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { jobs } from '../../../src/server/store/schema/jobs.ts';
import { shellRecordings } from '../../../src/server/store/schema/recordings.ts';
import { passkeys } from '../../../src/server/store/schema/passkeys.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { temporaryGrants } from '../../../src/server/store/schema/temporary-access.ts';
import { startIssuer } from '../../issuer.ts';
import type { TestConsole } from '../harness.ts';
import { BearerClient, type TestClient } from '../http-client.ts';
import { deploymentOf, type PlaygroundConsole } from '../playground-console.ts';
import { hasten } from './access-office.ts';
import { expectEnds, ServerPair } from './server-pair.ts';
import { type Office, waysToTake } from './ways-to-take.ts';

let pair: ServerPair;
let here: PlaygroundConsole;
let there: TestConsole;
let office: Office;

beforeAll(async () => {
  const [started, issuer] = await Promise.all([ServerPair.start(), startIssuer()]);
  pair = started;
  ({ here, there } = pair);
  office = { pair, issuer, owner: await there.session(here.owner.id, here.companyId) };
});
afterAll(async () => {
  await pair.close();
  await office.issuer.close();
});

/** Something that somebody can take a right from. */
interface Taken {
  readonly teamId: number;
  readonly userId: number;
}

/** Leaves the company, on the other server. */
const leave = async (userId: number) =>
  await (await there.session(userId, here.companyId)).call('leaveCompany', {});

/** Whether shells are recorded, which an Owner says on the other server. */
const record = async (isShellRecorded: boolean) =>
  await office.owner.call('saveGlobalSettings', {
    params: { clusterId: here.clusterId },
    body: { isProtected: false, isReadOnly: false, isShellAllowed: true, isShellRecorded },
  });

/** A recording of somebody, as it is open while its shell is. */
function recordingOf(userId: number) {
  const read = async () => {
    const of = eq(shellRecordings.userId, userId);
    const [row] = await there.store.db.select().from(shellRecordings).where(of);
    return row;
  };
  return { read, open: { isEnded: async () => (await read())?.endedAt !== null, close: () => undefined } };
}

/** Ways to end an API token, on the other server. */
const revocations: Readonly<
  Record<string, (owner: TestClient, of: Taken & { tokenId: number }) => Promise<unknown>>
> = {
  'revoking it': (owner, { tokenId }) => owner.call('revokeMemberToken', { params: { tokenId } }),
  'a suspension': (owner, { userId }) =>
    owner.call('changeMember', { params: { userId }, body: { isSuspended: true } }),
  'the removal of its person': (owner, { userId }) => owner.call('removeMember', { params: { userId } }),
  'its person leaving': async (_owner, { userId }) => await leave(userId),
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

it('two servers count the calls of a person together, and both say when to try again', async () => {
  const { companyId, console: first } = here;
  const person = await first.person({ companyId });
  const clients = [person.client, await there.session(person.id, companyId)] as const;
  const { createToken } = tokenEndpoints;
  // What is refused for its contents counts as well.
  const ask = async (call: number) =>
    await clients[call % 2 === 0 ? 0 : 1].send('POST', createToken.path, {});
  for (let call = 0; call < createToken.perMinute; call += 1) expect((await ask(call)).status).toBe(400);
  for (const call of [0, 1]) {
    const { status, json, headers } = await ask(call);
    expect(status).toBe(429);
    const seconds = Number(headers['retry-after']);
    expect(seconds > 0 && seconds <= 60).toBe(true);
    expect(json).toMatchObject({ title: `Too many requests. Try again in ${seconds} seconds.` });
  }
});

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
      const open = await Promise.all(
        (['logs', 'downloads', 'terminals', 'jobs'] as const).map((what) => pair.opening[what](person)),
      );
      await expectEnds(open, async () => {
        const began = performance.now();
        await end(office.owner, { teamId, userId: person.id, tokenId });
        return began;
      });
      const refused = await person.client.send('GET', `/api/clusters/${here.clusterId}/counts`);
      expect([401, 404]).toContain(refused.status);
    },
    30_000,
  );
});

it('a shell opened by a token is recorded, and ends with its recording within two seconds of the end of its person', async () => {
  await record(true);
  try {
    const { person } = await scriptOf(tokenScopes);
    const shell = await pair.opening.terminals(person);
    const recording = recordingOf(person.id);
    await expectEnds([shell, recording.open], async () => {
      const began = performance.now();
      await leave(person.id);
      return began;
    });
    expect((await recording.read())?.ending).toBe('The person left the organisation.');
  } finally {
    await record(false);
  }
});

it('a shell without a recording ends on one within two seconds of switching recording on on the other', async () => {
  const person = await here.console.person({ companyId: here.companyId, isOwner: true });
  const shell = await pair.opening.terminals(person);
  try {
    await expectEnds([shell], async () => {
      const began = performance.now();
      await record(true);
      return began;
    });
  } finally {
    await record(false);
  }
});

/** What is open by what teams give; replays are for Owners. */
const ofTeams = (Object.keys(openSorts) as OpenSortName[]).filter((what) => what !== 'replays');

/** Ways to take from an Owner what only Owners have, on the other server, and what the recording of their shell says. */
const ownersTakings: readonly (readonly [
  name: string,
  ending: string | RegExp,
  take: (owner: TestClient, userId: number) => Promise<unknown>,
])[] = [
  [
    'a suspension',
    'The person was suspended.',
    (owner, userId) => owner.call('changeMember', { params: { userId }, body: { isSuspended: true } }),
  ],
  [
    'a removal',
    'The person was removed from the organisation.',
    (owner, userId) => owner.call('removeMember', { params: { userId } }),
  ],
  [
    'the loss of the role',
    /^(There is no such cluster\.|You lack)/,
    (owner, userId) => owner.call('changeMember', { params: { userId }, body: { orgRole: orgRoles.Member } }),
  ],
];

describe('on two servers over one PostgreSQL', () => {
  it('what somebody has open by session and token ends on one within two seconds of becoming an Owner who lacks the passkey', async () => {
    const { companyId, console: first, clusterId, owner } = here;
    const { db } = first.store;
    const person = await first.person({ companyId });
    await first.grant(companyId, person.id, clusterId, teamRoles.TeamAdmin);
    const { secret } = await person.client.call('createToken', {
      body: { name: 'script', scopes: [...tokenScopes] },
    });
    const script = { ...person, client: new BearerClient(first.url, secret) };
    const elsewhere = office.owner;
    const [key] = await db
      .insert(passkeys)
      .values({
        userId: owner.id,
        credentialId: 'owner',
        publicKey: Buffer.alloc(1),
        counter: 0,
        transports: [],
        userHandle: 'owner',
        host: 'localhost',
        name: 'Laptop',
      })
      .returning();
    await db
      .update(sessions)
      .set({ passkeyId: key?.id ?? 0 })
      .where(eq(sessions.userId, owner.id));
    await db.update(companies).set({ ownersUsePasskeys: true }).where(eq(companies.id, companyId));
    try {
      const open = await Promise.all([
        ...(['pages', 'logs', 'terminals'] as const).map((what) => pair.opening[what](person)),
        ...(['logs', 'terminals'] as const).map((what) => pair.opening[what](script)),
      ]);
      await expectEnds(open, async () => {
        const began = performance.now();
        const body = { orgRole: orgRoles.Owner };
        await elsewhere.call('changeMember', { params: { userId: person.id }, body });
        return began;
      });
    } finally {
      await db.update(companies).set({ ownersUsePasskeys: false }).where(eq(companies.id, companyId));
    }
  });

  // First: the ways below end with what holds for everybody.
  it('what is open on temporary access ends on both within two seconds of its time, and with its revocation', async () => {
    const { companyId, console: first, clusterId } = here;
    const approver = office.owner;
    // By itself with its time; by an Owner on the other server; with the membership, whatever ends it.
    const ways: Readonly<Record<string, (requestId: number, userId: number) => Promise<number>>> = {
      expired: async (requestId) => {
        await hasten(there, requestId, 1_000);
        return performance.now() + 1_000;
      },
      revoked: async (requestId) => {
        await approver.call('endAccess', { params: { requestId } });
        return performance.now();
      },
      suspended: async (_requestId, userId) => {
        const began = performance.now();
        await approver.call('changeMember', { params: { userId }, body: { isSuspended: true } });
        return began;
      },
      removed: async (_requestId, userId) => {
        const began = performance.now();
        await approver.call('removeMember', { params: { userId } });
        return began;
      },
      left: async (_requestId, userId) => {
        const began = performance.now();
        await leave(userId);
        return began;
      },
    };
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
        pair.opening.logs(person),
        pair.opening.terminals(person),
        pair.openPage(there, await there.session(person.id, companyId)),
      ]);
      await expectEnds(open, () => end(requestId, person.id));
      const left = await there.store.db.$count(temporaryGrants, eq(temporaryGrants.requestId, requestId));
      expect([state, left]).toEqual([state, 0]);
      if (state !== 'expired' && state !== 'revoked') continue;
      const { requests } = await person.client.call('accessRequests', {});
      expect(requests[0]?.state).toBe(state);
    }
  });

  it.each(Object.entries(waysToTake))(
    'lists, logs, their downloads, terminals and jobs end on one within two seconds of taking away %s on the other',
    async (_name, { begin, goesOn = [], after }) => {
      const { person, take } = await begin(office);
      const open = await Promise.all(
        ofTeams.map(async (what) => ({ what, ...(await pair.opening[what](person)) })),
      );
      const ending = open.filter(({ what }) => !goesOn.includes(what));
      await expectEnds(ending, async () => {
        const began = performance.now();
        await take();
        return began;
      });
      for (const one of open)
        if (!ending.includes(one)) expect([one.what, await one.isEnded()]).toEqual([one.what, false]);
      await after?.(office);
    },
    30_000,
  );

  it.each(ownersTakings)(
    'a replay ends on one within two seconds of %s on the other, and so does a shell with its recording',
    async (_name, ending, take) => {
      const { companyId, console: first } = here;
      await record(true);
      const person = await first.person({ companyId, isOwner: true });
      const recording = recordingOf(person.id);
      const open = [await pair.opening.replays(person), await pair.opening.terminals(person), recording.open];
      await expectEnds(open, async () => {
        const began = performance.now();
        await take(office.owner, person.id);
        return began;
      });
      expect((await recording.read())?.ending).toMatch(ending);
      const refused = await person.client.send('GET', '/api/organization/recordings');
      expect([401, 403]).toContain(refused.status);
      await record(false);
    },
    30_000,
  );

  it('and with the company all that it had open, also what its Owners had', async () => {
    const { companyId, console: first, owner } = here;
    const others = ofTeams.filter((what) => what !== 'jobs');
    const person = await first.person({ companyId, isOwner: true });
    await pair.opening.jobs(person);
    const open = await Promise.all(
      [owner, person].flatMap((one) => others.map((what) => pair.opening[what](one))),
    );
    const { name } = await office.owner.call('company', {});
    await expectEnds(open, async () => {
      const began = performance.now();
      await office.owner.call('deleteCompany', { body: { name } });
      return began;
    });
    const left = await there.store.db.select().from(jobs).where(eq(jobs.companyId, companyId));
    expect(left).toEqual([]);
  });
});
