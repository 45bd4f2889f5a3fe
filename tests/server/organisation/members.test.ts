import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import { endingNames } from '../../../src/server/organisation/endings.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { identities, identityProviders } from '../../../src/server/store/schema/identities.ts';
import { jobs } from '../../../src/server/store/schema/jobs.ts';
import { mails } from '../../../src/server/store/schema/mails.ts';
import { invitations, memberships } from '../../../src/server/store/schema/memberships.ts';
import { freshAddress, storedInvitation } from './invitation-office.ts';
import { shellRecordings } from '../../../src/server/store/schema/recordings.ts';
import { accessRequests, temporaryGrants } from '../../../src/server/store/schema/temporary-access.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { follows, notifications } from '../../../src/server/store/schema/notifications.ts';
import { happenings, webhooks } from '../../../src/server/store/schema/webhooks.ts';
import { startConsole, type TestConsole, testPassword, type TestPerson } from '../harness.ts';
import { untilWaiting } from '../until-waiting.ts';
import { BearerClient, type TestClient } from '../http-client.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

const titleOf = ({ status, json }: { status: number; json: unknown }) => [
  status,
  (json as { title?: string } | undefined)?.title,
];

/** A company with an Owner, and a Viewer of a cluster by a team. */
async function office() {
  const companyId = await console.company();
  const owner = await console.person({ companyId, isOwner: true });
  const person = await console.person({ companyId });
  const clusterId = await console.cluster(companyId, 'production');
  const teamId = await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
  return { companyId, owner, person, clusterId, teamId };
}

const change = (by: TestPerson, userId: number, body: unknown) =>
  by.client.send('PUT', `/api/organization/members/${userId}`, body);

describe('members of a company', () => {
  it('are listed with role, teams and sign-in ways; the page of one says what they reach and by which team', async () => {
    const { owner, person, clusterId, teamId } = await office();
    const list = await owner.client.call('members', {});
    expect(
      list.map(({ userId, orgRole, teams, isSuspended }) => ({ userId, orgRole, teams, isSuspended })),
    ).toEqual(
      expect.arrayContaining([
        { userId: owner.id, orgRole: 1, teams: [], isSuspended: false },
        {
          userId: person.id,
          orgRole: 2,
          teams: [{ id: teamId, name: expect.stringMatching(/^team /), role: teamRoles.Viewer }],
          isSuspended: false,
        },
      ]),
    );
    const detail = await owner.client.call('member', { params: { userId: person.id } });
    expect(detail).toMatchObject({
      email: person.email,
      sessions: 1,
      clusters: [{ id: clusterId, name: 'production', teams: [{ id: teamId, role: teamRoles.Viewer }] }],
    });
    expect(detail.clusters[0]?.permissions.map(({ name }) => name)).not.toContain('secrets.view');
  });

  it('show single sign-on where the installation or the company has the provider, not where another company has it', async () => {
    const { companyId, owner, person } = await office();
    const other = await console.company();
    const ways = async () =>
      (await owner.client.call('member', { params: { userId: person.id } })).signInWays;
    const connect = async (company: number | null, subject: string) => {
      const [provider] =
        company === null
          ? []
          : await console.store.db
              .insert(identityProviders)
              .values({
                companyId: company,
                key: `key-${subject}`,
                name: 'Staff',
                issuer: 'https://id.example.org',
                clientId: 'console',
                clientSecret: Buffer.from('sealed'),
              })
              .returning({ id: identityProviders.id });
      const [identity] = await console.store.db
        .insert(identities)
        .values({
          userId: person.id,
          providerId: provider?.id ?? null,
          issuer: 'https://id.example.org',
          subject,
        })
        .returning({ id: identities.id });
      return async () => {
        await console.store.db.delete(identities).where(eq(identities.id, identity?.id ?? 0));
      };
    };
    await connect(other, 'elsewhere');
    expect(await ways()).not.toContain('provider');
    const disconnect = await connect(companyId, 'here');
    expect(await ways()).toContain('provider');
    await disconnect();
    expect(await ways()).not.toContain('provider');
    await connect(null, 'installation');
    expect(await ways()).toContain('provider');
  });

  it('who is suspended is signed out of the company at once, and has everything again when let in', async () => {
    const { owner, person, clusterId } = await office();
    expect((await change(owner, person.id, { isSuspended: true })).status).toBe(200);
    expect(await person.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    const detail = await owner.client.call('member', { params: { userId: person.id } });
    expect(detail).toMatchObject({ isSuspended: true, sessions: 0, clusters: [] });
    expect((await change(owner, person.id, { isSuspended: false })).json).toMatchObject({
      isSuspended: false,
      clusters: [{ id: clusterId }],
    });
  });

  it('role and suspension that change at once are one change', async () => {
    const { companyId, owner } = await office();
    const other = await console.person({ companyId, isOwner: true });
    const { db } = console.store;
    const membership = async () =>
      (await db.select().from(memberships).where(eq(memberships.userId, other.id))).map(
        ({ orgRole, state }) => [orgRole, state],
      );
    const asked = await db.transaction(async (tx) => {
      // The suspension waits for what it ends.
      await tx.select().from(sessions).where(eq(sessions.userId, other.id)).for('update');
      const answer = change(owner, other.id, { orgRole: orgRoles.Member, isSuspended: true });
      await untilWaiting(console);
      expect(await membership()).toEqual([[orgRoles.Owner, 'active']]);
      return { answer };
    });
    expect((await asked.answer).status).toBe(200);
    expect(await membership()).toEqual([[orgRoles.Member, 'suspended']]);
  });

  it('who is removed is gone from teams and list; the account, its sessions elsewhere and the past stay', async () => {
    const { companyId, owner, person, teamId } = await office();
    const elsewhere = await office();
    const values = { userId: person.id, companyId: elsewhere.companyId, orgRole: orgRoles.Member };
    await console.store.db.insert(memberships).values(values);
    const other = await console.session(person.id, elsewhere.companyId);
    await owner.client.call('removeMember', { params: { userId: person.id } });
    expect(await owner.client.call('teamMembers', { params: { teamId } })).toEqual([]);
    expect((await owner.client.call('members', {})).map(({ userId }) => userId)).toEqual([owner.id]);
    expect(await person.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    expect(await other.call('isAuthenticated', {})).toMatchObject({
      user: { id: person.id, companyId: elsewhere.companyId },
    });
    const past = await console.store.db
      .select()
      .from(memberships)
      .where(eq(memberships.companyId, companyId));
    expect(past).toContainEqual(expect.objectContaining({ userId: person.id, state: 'left' }));
  });

  it('an Owner ends the sessions of this company only', async () => {
    const { owner, person } = await office();
    const elsewhere = await office();
    const values = { userId: person.id, companyId: elsewhere.companyId, orgRole: orgRoles.Member };
    await console.store.db.insert(memberships).values(values);
    const other = await console.session(person.id, elsewhere.companyId);
    await owner.client.call('endMemberSessions', { params: { userId: person.id } });
    expect(await person.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    expect(await other.call('isAuthenticated', {})).toMatchObject({ isAuthenticated: true });
  });

  it('what an Owner offered is taken back when they are one no more', async () => {
    const { companyId, owner } = await office();
    const second = await console.person({ companyId, isOwner: true });
    const { invitation } = await second.client.call('invite', {
      body: { email: 'accomplice@example.org', orgRole: 1 },
    });
    const { db } = console.store;
    await db.insert(mails).values({
      id: randomUUID(),
      purpose: 'invitation',
      content: Buffer.alloc(0),
      invitationId: invitation.inviteId,
      giveUpAt: invitation.expiresAt,
    });
    expect((await owner.client.call('invitations', {})).invitations).toHaveLength(1);
    expect((await change(owner, second.id, { orgRole: 2 })).status).toBe(200);
    expect((await owner.client.call('invitations', {})).invitations).toEqual([]);
    expect(await db.$count(mails), 'a mail that waits is not sent any more').toBe(0);
  });

  it('people of another company do not exist', async () => {
    const [one, other] = [await office(), await office()];
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { orgRole: 1 }],
      ['DELETE', ''],
      ['DELETE', '/sessions'],
    ] as const) {
      const answer = await one.owner.client.send(
        method,
        `/api/organization/members/${other.person.id}${path}`,
        body,
      );
      expect(titleOf(answer)).toEqual([404, 'Your organisation has no such person.']);
    }
    expect(await other.person.client.call('isAuthenticated', {})).toMatchObject({ isAuthenticated: true });
  });
});

describe('who belongs to no company any more', () => {
  const userOf = async (client: TestClient) => (await client.call('isAuthenticated', {})).user;

  it('is told that they are suspended, and goes on in the same browser once they are let in again', async () => {
    const { companyId, owner, clusterId } = await office();
    const person = await console.person({ companyId, password: testPassword });
    await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
    await change(owner, person.id, { isSuspended: true });
    const browser = console.visitor();
    const signedIn = await browser.call('signIn', { body: { email: person.email, password: testPassword } });
    const before = browser.session;
    const formerCompany = { name: expect.stringMatching(/^company /), reason: 'suspended' };
    expect(signedIn).toMatchObject({ companyId: 0, isInviteNotFound: true, formerCompany });
    expect(await userOf(browser)).toMatchObject({ companyId: 0, formerCompany });
    expect(browser.session).toBe(before);
    await change(owner, person.id, { isSuspended: false });
    expect(await userOf(browser)).toMatchObject({ companyId, isInviteNotFound: false });
    expect(browser.session).not.toBe(before);
    expect(await browser.call('clusters', {})).toHaveLength(1);
  });

  it('is told whether they left or were removed, and so is the record of changes', async () => {
    const { companyId, owner } = await office();
    for (const reason of ['removed', 'left'] as const) {
      const person = await console.person({ companyId, password: testPassword });
      if (reason === 'left') await person.client.call('leaveCompany', {});
      else await owner.client.call('removeMember', { params: { userId: person.id } });
      const browser = console.visitor();
      await browser.call('signIn', { body: { email: person.email, password: testPassword } });
      expect(await userOf(browser)).toMatchObject({
        companyId: 0,
        isInviteNotFound: true,
        formerCompany: { reason },
      });
      const rows = await console.store.db
        .select({ actor: audit.actor, subject: audit.subject })
        .from(audit)
        .where(eq(audit.companyId, companyId));
      expect(rows).toContainEqual({
        actor: reason === 'left' ? person.email : owner.email,
        subject: {
          userId: person.id,
          ending: reason,
          teams: '',
          ...(reason === 'removed' ? { email: person.email } : {}),
        },
      });
    }
  });
});

/** What somebody has by a membership, and whether it goes on; one for each thing that ends with it. */
const held: Readonly<
  Record<string, (of: Awaited<ReturnType<typeof office>>) => Promise<() => Promise<boolean>>>
> = {
  sessions: ({ person }) =>
    Promise.resolve(async () => (await person.client.call('isAuthenticated', {})).isAuthenticated),
  teams: ({ owner, teamId }) =>
    Promise.resolve(async () => (await owner.client.call('teamMembers', { params: { teamId } })).length > 0),
  access: async (of) => {
    const wish = { clusterId: of.clusterId, reason: 'An incident', minutes: 60 };
    const askFor = async (permission: 'pods.manage' | 'secrets.view') =>
      (await of.person.client.call('askAccess', { body: { ...wish, permissions: [permission] } })).id;
    const requestId = await askFor('pods.manage');
    await of.owner.client.call('approveAccess', { params: { requestId } });
    const waiting = await askFor('secrets.view');
    return async () => {
      const { db } = console.store;
      const grants = await db.select().from(temporaryGrants).where(eq(temporaryGrants.requestId, requestId));
      const [row] = await db.select().from(accessRequests).where(eq(accessRequests.id, waiting));
      expect(row?.state).toBe(grants.length === 1 ? 'pending' : 'withdrawn');
      return grants.length === 1;
    };
  },
  invitations: async ({ companyId, person }) => {
    const expiresAt = Date.now() + 60_000;
    const { inviteId } = await storedInvitation(console, {
      companyId,
      email: freshAddress(),
      invitedBy: person.id,
      expiresAt,
    });
    return async () => {
      const [row] = await console.store.db.select().from(invitations).where(eq(invitations.id, inviteId));
      return row?.state === 'pending';
    };
  },
  recordings: async ({ companyId, clusterId, person }) => {
    const id = randomUUID();
    const pod = { mode: 'exec', namespace: 'shop', name: 'web', key: Buffer.of(1) };
    const of = { id, companyId, clusterId, cluster: 'prod', userId: person.id, actor: person.email };
    await console.store.db.insert(shellRecordings).values({ ...of, ...pod });
    return async () => {
      const [row] = await console.store.db.select().from(shellRecordings).where(eq(shellRecordings.id, id));
      expect(row?.ending ?? null).toBe(
        row?.endedAt === null ? null : 'The person was removed from the organisation.',
      );
      return row?.endedAt === null;
    };
  },
  tokens: async ({ person }) => {
    const { secret } = await person.client.call('createToken', {
      body: { name: 'deploys', scopes: ['pods.view'] },
    });
    return async () => {
      const { status } = await new BearerClient(console.url, secret).send('GET', api.clusters.path);
      return status === 200;
    };
  },
  webhooks: async ({ clusterId, person }) => {
    const { id } = await person.client.call('addWebhook', {
      params: { clusterId },
      body: { url: 'https://hooks.example.org/', events: ['job.failed'] },
    });
    return async () => {
      const rows = await console.store.db.select().from(webhooks).where(eq(webhooks.id, id));
      return rows.length > 0;
    };
  },
  notifications: async ({ companyId, clusterId, person }) => {
    await person.client.call('follow', { params: { clusterId }, body: {} });
    const happening = { id: randomUUID(), key: randomUUID(), companyId, clusterId };
    await console.store.db
      .insert(happenings)
      .values({ ...happening, type: 'job.failed', permission: '', namespace: '', data: {} });
    const own = { companyId, userId: person.id };
    await console.store.db
      .insert(notifications)
      .values({ ...own, id: randomUUID(), happeningId: happening.id });
    return async () => {
      const told = await console.store.db
        .select()
        .from(notifications)
        .where(eq(notifications.userId, person.id));
      const followed = await console.store.db.select().from(follows).where(eq(follows.userId, person.id));
      return told.length + followed.length > 0;
    };
  },
  jobs: async ({ companyId, clusterId, person }) => {
    const values = { companyId, clusterId, userId: person.id, actor: person.email, action: 'node.drain' };
    const of = {
      kind: 'node',
      namespace: '',
      name: 'worker',
      title: 'Drain worker',
      message: '',
      server: 'x',
    };
    const [row] = await console.store.db
      .insert(jobs)
      .values({ ...values, ...of })
      .returning();
    return async () => {
      const [now] = await console.store.db
        .select()
        .from(jobs)
        .where(eq(jobs.id, row?.id ?? 0));
      return now?.cancelledBy === null;
    };
  },
};

describe('what ends with a membership', () => {
  it('has a case each', () => {
    expect(Object.keys(held).sort()).toEqual([...endingNames].sort());
  });

  it.each(Object.entries(held))('%s end with removal, and nothing ends before', async (_name, begin) => {
    const of = await office();
    const goesOn = await begin(of);
    expect(await goesOn()).toBe(true);
    await of.owner.client.call('removeMember', { params: { userId: of.person.id } });
    expect(await goesOn()).toBe(false);
  });
});
