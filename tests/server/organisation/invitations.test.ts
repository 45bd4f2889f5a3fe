import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import {
  invitationRequests,
  invitations,
  memberships,
} from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { groupTeams, personGroups, teamMembers } from '../../../src/server/store/schema/teams.ts';
import { ResetLinks } from '../../../src/server/access/reset-links.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';
import { foundCompany, freshAddress, prove, stranger, titleOf, tokenOf } from './invitation-office.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';

let mail: MailServer;
let console: TestConsole;
/** A console without a mail server. */
let mute: TestConsole;
beforeAll(async () => {
  mail = await startMailServer();
  console = await startConsole({ config: { mail: mail.settings } });
  mute = await startConsole();
});
afterAll(async () => {
  await console.close();
  await mute.close();
  await mail.close();
});

const mailTo = async (email: string) => {
  const found = () =>
    mail.mails.findLast(({ to }) => (Array.isArray(to) ? to : [to]).some((one) => one?.text === email));
  await expect.poll(found).toBeDefined();
  return found()?.text ?? '';
};
const provenAt = async (of: TestConsole, email: string) =>
  (await of.store.db.select().from(users).where(eq(users.email, email)))[0]?.emailProvenAt;

describe('an invitation', () => {
  it('by mail makes an account of its address, proven, and a member with its teams in a new session', async () => {
    const { companyId, owner } = await foundCompany(console);
    const clusterId = await console.cluster(companyId);
    const teamId = await console.grant(companyId, owner.id, clusterId, teamRoles.Viewer);
    const email = freshAddress();
    const body = { email, orgRole: 2 as const, teams: [{ teamId, role: teamRoles.SecretViewer }] };
    const sent = await owner.client.call('invite', { body });
    const token = tokenOf(await mailTo(email));
    expect(token).not.toBe(tokenOf(sent.link));
    const browser = console.visitor();
    expect(await browser.call('readInvitation', { body: { token } })).toMatchObject({
      email,
      orgRole: 2,
      account: 'none',
      teams: [{ role: teamRoles.SecretViewer }],
    });
    const claim = { token, name: 'Kim', password: testPassword };
    expect(await browser.call('claimInvitation', { body: claim })).toMatchObject({
      companyId: 0,
      email,
      isInvitePending: true,
      isInviteNotFound: false,
      shouldSetupCompany: false,
    });
    expect(await provenAt(console, email)).not.toBeNull();
    const [pending] = await browser.call('pendingInvitations', {});
    const before = browser.session;
    const user = await browser.call('acceptInvitation', { body: { inviteId: pending?.inviteId ?? 0 } });
    expect(user).toMatchObject({ companyId, orgRole: 2, isInvitePending: false });
    expect(browser.session).not.toBe(before);
    expect((await browser.call('clusters', {})).map(({ id }) => id)).toEqual([clusterId]);
    expect((await owner.client.call('invitations', {})).invitations).toEqual([]);
  });

  it('better-auth 9877, superlog 77, superlog 519: by a link that was handed over makes an account whose address stays unproven and good for nothing else', async () => {
    const [here, there] = [await foundCompany(mute), await foundCompany(mute)];
    const email = freshAddress();
    const { link, invitation } = await here.owner.client.call('invite', { body: { email, orgRole: 2 } });
    expect(invitation.mail).toBe('off');
    await there.owner.client.call('invite', { body: { email, orgRole: 1 } });
    const browser = mute.visitor();
    expect(await browser.call('readInvitation', { body: { token: tokenOf(link) } })).toMatchObject({
      account: 'unknown',
    });
    const claim = { token: tokenOf(link), name: 'Kim', password: testPassword };
    await browser.call('claimInvitation', { body: claim });
    expect(await provenAt(mute, email)).toBeNull();
    expect((await browser.call('pendingInvitations', {})).map(({ inviteId }) => inviteId)).toEqual([
      invitation.inviteId,
    ]);
    const asked = await browser.send('GET', '/api/auth/request-invite');
    expect(titleOf(asked)).toEqual([
      409,
      expect.stringContaining(`${email} is not confirmed as your address`),
    ]);
  });

  it('that is rejected stays visible to its Owners, who may send it again', async () => {
    const { owner } = await foundCompany(console);
    const person = await stranger(console);
    const { invitation } = await owner.client.call('invite', { body: { email: person.email, orgRole: 2 } });
    const { inviteId } = invitation;
    expect(await person.client.call('currentUser', {})).toMatchObject({ isInvitePending: true });
    expect(await person.client.call('rejectInvitation', { params: { inviteId } })).toMatchObject({
      isInviteRejected: true,
      isInvitePending: false,
      isInviteNotFound: false,
    });
    expect((await owner.client.call('invitations', {})).invitations).toMatchObject([{ state: 'rejected' }]);
    await owner.client.call('resendInvitation', { params: { inviteId } });
    expect(await person.client.call('currentUser', {})).toMatchObject({
      isInvitePending: true,
      isInviteRejected: false,
    });
    await owner.client.call('revokeInvitation', { params: { inviteId } });
    expect(await person.client.call('currentUser', {})).toMatchObject({
      isInvitePending: false,
      isInviteNotFound: true,
    });
  });

  it('for somebody who has a company changes no flag, and accepting it leaves the session where it is', async () => {
    const [here, there] = [await foundCompany(console), await foundCompany(console)];
    const { email, client } = there.owner;
    const { invitation } = await here.owner.client.call('invite', { body: { email, orgRole: 2 } });
    const flags = { isInvitePending: false, isInviteNotFound: false, isInviteRejected: false };
    expect(await client.call('currentUser', {})).toMatchObject({ companyId: there.companyId, ...flags });
    expect(await client.call('pendingInvitations', {})).toHaveLength(1);
    const { inviteId } = invitation;
    expect(await client.call('acceptInvitation', { body: { inviteId } })).toMatchObject({
      companyId: there.companyId,
    });
    expect((await here.owner.client.call('members', {})).map(({ userId }) => userId)).toContain(
      there.owner.id,
    );
  });

  it('makes an old link void when it is sent again, and who came by it has to come by the new one', async () => {
    const { owner } = await foundCompany(console);
    const email = freshAddress();
    const person = await stranger(console, email, false);
    const first = await owner.client.call('invite', { body: { email, orgRole: 2 } });
    await person.client.call('claimInvitation', { body: { token: tokenOf(first.link) } });
    expect(await person.client.call('pendingInvitations', {})).toHaveLength(1);
    const { inviteId } = first.invitation;
    const second = await owner.client.call('resendInvitation', { params: { inviteId } });
    expect(await person.client.call('pendingInvitations', {})).toEqual([]);
    const old = await person.client.send('POST', '/api/v1/invitations/claim', {
      token: tokenOf(first.link),
    });
    expect(titleOf(old)).toEqual([410, expect.stringContaining('a newer one replaced it')]);
    await person.client.call('claimInvitation', { body: { token: tokenOf(second.link) } });
    expect(await person.client.call('pendingInvitations', {})).toHaveLength(1);
  });

  it('is taken into no account by a session that a company’s provider opened', async () => {
    const [here, there] = [await foundCompany(console), await foundCompany(console)];
    const person = await console.person({ companyId: there.companyId });
    const [provider] = await console.store.db
      .insert(identityProviders)
      .values({
        companyId: there.companyId,
        key: freshAddress(),
        name: 'Example',
        issuer: 'https://id.example.org',
        clientId: 'console',
        clientSecret: Buffer.from('sealed'),
      })
      .returning();
    await console.store.db
      .update(sessions)
      .set({ providerId: provider?.id ?? 0 })
      .where(eq(sessions.userId, person.id));
    await here.owner.client.call('invite', { body: { email: person.email, orgRole: 2 } });
    const token = tokenOf(await mailTo(person.email));
    expect((await person.client.send('POST', '/api/v1/invitations/claim', { token })).status).toBe(403);
    expect(await provenAt(console, person.email)).toBeNull();
  });

  it('that is accepted leaves the session one of the provider that opened it', async () => {
    const { owner, companyId } = await foundCompany(console);
    const person = await stranger(console);
    await console.store.db.update(sessions).set({ signInWay: 'corp' }).where(eq(sessions.userId, person.id));
    const { invitation } = await owner.client.call('invite', { body: { email: person.email, orgRole: 2 } });
    await person.client.call('acceptInvitation', { body: { inviteId: invitation.inviteId } });
    expect(
      await console.store.db.select().from(sessions).where(eq(sessions.userId, person.id)),
    ).toMatchObject([{ companyId, signInWay: 'corp' }]);
  });

  it('is refused for people of the company, and for an address that has an open one', async () => {
    const { companyId, owner } = await foundCompany(console);
    const member = await console.person({ companyId });
    const invite = (email: string) =>
      owner.client.send('POST', '/api/organization/invitations', { email, orgRole: 2 });
    expect(titleOf(await invite(member.email))).toEqual([
      409,
      `${member.email} belongs to your organisation already.`,
    ]);
    const body = { isSuspended: true };
    await owner.client.call('changeMember', { params: { userId: member.id }, body });
    expect(titleOf(await invite(member.email))).toEqual([
      409,
      expect.stringContaining('is a suspended member of your organisation. Let them in again'),
    ]);
    const email = freshAddress();
    await invite(email);
    expect(titleOf(await invite(email.toUpperCase()))).toEqual([
      409,
      `${email} has an open invitation already. Send that one again, or revoke it first.`,
    ]);
  });

  it('is neither sent nor revoked, nor anything else of Owners done, by somebody who ceased to be an Owner meanwhile', async () => {
    const { companyId, owner } = await foundCompany(console);
    const { db } = console.store;
    const own = eq(memberships.userId, owner.id);
    const name = 'Only of Owners';
    const { id: teamId } = await owner.client.call('createTeam', { body: { name } });
    const clusterId = await console.cluster(companyId);
    const { invitation } = await owner.client.call('invite', { body: { email: freshAddress(), orgRole: 2 } });
    const acts = [
      ['POST', '/api/organization/invitations', { email: freshAddress(), orgRole: 1 }],
      ['DELETE', `/api/organization/invitations/${invitation.inviteId}`],
      ['POST', '/api/team', { name: 'Another' }],
      ['PUT', `/api/team/${teamId}`, { name: 'Renamed' }],
      ['DELETE', `/api/team/${teamId}`],
      ['POST', `/api/team/${teamId}/clusters`, { clusterId: String(clusterId) }],
      ['DELETE', `/api/team/${teamId}/clusters/${clusterId}`],
      ['PUT', '/api/organization', { name: 'Renamed', domain: null }],
      ['DELETE', '/api/organization', { name: (await owner.client.call('company', {})).name }],
      ['PUT', `/api/organization/roles/${teamRoles.Viewer}`, { permissions: ['pods.view'] }],
    ] as const;
    for (const [method, path, body] of acts) {
      const doing = await db.transaction(async (tx) => {
        await tx.select().from(memberships).where(own).for('update');
        const answer = owner.client.send(method, path, body);
        await expect
          .poll(async () => (await db.execute(sql`select 1 from pg_locks where not granted`)).rows.length)
          .toBeGreaterThan(0);
        await tx.update(memberships).set({ orgRole: 2 }).where(own);
        return { answer };
      });
      expect((await doing.answer).status, `${method} ${path}`).toBe(403);
      await db.update(memberships).set({ orgRole: 1 }).where(own);
    }
    const invited = await db.select().from(invitations).where(eq(invitations.companyId, companyId));
    expect(invited).toMatchObject([{ id: invitation.inviteId, state: 'pending' }]);
    expect(await owner.client.call('teams', {})).toMatchObject([{ name, clusterCount: 0 }]);
  });

  it('offers no team of another company', async () => {
    const [here, there] = [await foundCompany(console), await foundCompany(console)];
    const teamId = await console.team(there.companyId);
    const answer = await here.owner.client.send('POST', '/api/organization/invitations', {
      email: freshAddress(),
      orgRole: 2,
      teams: [{ teamId, role: teamRoles.Viewer }],
    });
    expect(titleOf(answer)).toEqual([404, 'No such team.']);
  });

  it('says that its mail failed and why, and that it arrived once it is sent again', async () => {
    const { owner } = await foundCompany(console);
    const email = freshAddress();
    mail.refuse(email, 550);
    const { invitation } = await owner.client.call('invite', { body: { email, orgRole: 2 } });
    const listed = async () => (await owner.client.call('invitations', {})).invitations[0];
    await expect.poll(async () => (await listed())?.mail).toBe('failed');
    expect((await listed())?.mailProblem).toContain('The mail server refused the address (it answered 550)');
    await owner.client.call('resendInvitation', { params: { inviteId: invitation.inviteId } });
    await expect.poll(async () => (await listed())?.mail).toBe('sent');
    expect((await listed())?.mailProblem).toBe('');
  });

  it('leaves no token in the log, the audit, a list or the store', async () => {
    const { owner } = await foundCompany(console);
    const email = freshAddress();
    const { link } = await owner.client.call('invite', { body: { email, orgRole: 2 } });
    const secrets = [tokenOf(link), tokenOf(await mailTo(email))];
    const browser = console.visitor();
    const claim = { token: secrets[0] ?? '', name: 'Kim', password: testPassword };
    await browser.call('claimInvitation', { body: claim });
    const list = JSON.stringify(await owner.client.call('invitations', {}));
    const rows = JSON.stringify(await console.store.db.select().from(audit).orderBy(audit.id));
    const stored = JSON.stringify(await console.store.db.select().from(invitations));
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(40);
      for (const place of [list, rows, stored, JSON.stringify(console.log)])
        expect(place).not.toContain(secret);
    }
  });
});

describe('an account that somebody made for an address that is not theirs', () => {
  it('goes to the bearer of the mailed link, and whoever made it is out', async () => {
    const { owner } = await foundCompany(console);
    const email = freshAddress();
    const thief = await stranger(console, email, false);
    await owner.client.call('invite', { body: { email, orgRole: 2 } });
    const token = tokenOf(await mailTo(email));
    const browser = console.visitor();
    expect(await browser.call('readInvitation', { body: { token } })).toMatchObject({ account: 'open' });
    const claim = { token, name: 'Kim', password: testPassword };
    expect(await browser.call('claimInvitation', { body: claim })).toMatchObject({
      id: thief.id,
      name: 'Kim',
    });
    expect(await thief.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    expect(await provenAt(console, email)).not.toBeNull();
  });

  it('is not told by the refusal of a password that is easy to guess', async () => {
    const { owner } = await foundCompany(console);
    const known = await console.person({ companyId: await console.company(), password: testPassword });
    const answers = [];
    for (const email of [known.email, freshAddress()]) {
      const { link } = await owner.client.call('invite', { body: { email, orgRole: 2 } });
      const claim = { token: tokenOf(link), name: 'Kim', password: 'passwordpassword' };
      const { status, json } = await console.visitor().send('POST', '/api/v1/invitations/claim', claim);
      answers.push({ status, issues: (json as { issues?: unknown }).issues });
    }
    expect(answers[0]).toMatchObject({ status: 400, issues: [{ path: 'password' }] });
    expect(answers[1]).toEqual(answers[0]);
  });

  it('goes to nobody by an address that looks like another', async () => {
    const { owner } = await foundCompany(console);
    for (const email of ['kim@exаmple.org', 'kim@xn--exmple-4nf.org', 'kim@example。org', 'ｋim@example.org'])
      await expect(owner.client.call('invite', { body: { email, orgRole: 2 } })).rejects.toMatchObject({
        status: 400,
        issues: [{ path: 'email' }],
      });
  });

  it('loses the address to the bearer of the mailed link where it belongs to a company, which reads of it', async () => {
    const [here, there] = [await foundCompany(console), await foundCompany(console)];
    const email = freshAddress();
    const thief = await console.person({ companyId: there.companyId, email, password: testPassword });
    await here.owner.client.call('invite', { body: { email, orgRole: 2 } });
    const token = tokenOf(await mailTo(email));
    const browser = console.visitor();
    expect(await browser.call('readInvitation', { body: { token } })).toMatchObject({ account: 'unproven' });
    const claim = { token, name: 'Kim', password: 'a passphrase of the owner', takesAddress: true };
    const user = await browser.call('claimInvitation', { body: claim });
    expect(user).toMatchObject({ email, name: 'Kim', companyId: 0, isInvitePending: true });
    expect(user.id).not.toBe(thief.id);
    expect(await provenAt(console, email)).not.toBeNull();
    // Whoever had it keeps what they have in their own company, and nothing of the address.
    expect(await thief.client.call('currentUser', {})).toMatchObject({
      id: thief.id,
      companyId: there.companyId,
      email: `account-${thief.id}@unproven.invalid`,
    });
    expect(await thief.client.call('pendingInvitations', {})).toEqual([]);
    const signIn = { email, password: testPassword };
    expect((await console.visitor().send('POST', '/api/auth/login', signIn)).status).toBe(401);
    const rows = await console.store.db
      .select()
      .from(audit)
      .orderBy(audit.id)
      .where(eq(audit.action, 'loseAddress'));
    expect(rows).toMatchObject([{ companyId: there.companyId, actor: email, subject: { userId: thief.id } }]);
  });

  it('keeps an address that is proven, and one that only a link by hand asks for', async () => {
    const [here, there] = [await foundCompany(console), await foundCompany(console)];
    const person = await console.person({ companyId: there.companyId, password: testPassword });
    const { link } = await here.owner.client.call('invite', { body: { email: person.email, orgRole: 2 } });
    const claim = { name: 'Kim', password: 'a passphrase of somebody', takesAddress: true };
    const claimBy = (token: string) =>
      console.visitor().send('POST', '/api/v1/invitations/claim', { token, ...claim });
    expect((await claimBy(tokenOf(link))).status).toBe(401);
    await prove(console, person);
    expect((await claimBy(tokenOf(await mailTo(person.email)))).status).toBe(409);
    expect(await person.client.call('currentUser', {})).toMatchObject({ email: person.email });
  });

  it('has no reset link and no groups of a provider left from before', async () => {
    const [here, there] = [await foundCompany(console), await foundCompany(console)];
    const email = freshAddress();
    const thief = await console.person({ companyId: there.companyId, email });
    const { token: reset } = await new ResetLinks(console.store, systemClock).make(thief.id);
    await there.owner.client.call('removeMember', { params: { userId: thief.id } });
    const { companyId } = here;
    const of = { companyId, provider: 'corp', group: 'operators' };
    const teamId = await console.team(companyId);
    const { db } = console.store;
    await db.insert(groupTeams).values({ ...of, teamId, role: teamRoles.TeamAdmin });
    await db
      .insert(personGroups)
      .values({ ...of, userId: thief.id, expiresAt: sql`now() + interval '1 hour'` });
    await here.owner.client.call('invite', { body: { email, orgRole: 2 } });
    const token = tokenOf(await mailTo(email));
    const browser = console.visitor();
    await browser.call('claimInvitation', { body: { token, name: 'Kim', password: testPassword } });
    const [invitation] = await browser.call('pendingInvitations', {});
    await browser.call('acceptInvitation', { body: { inviteId: invitation?.inviteId ?? 0 } });
    expect(await db.$count(teamMembers, eq(teamMembers.userId, thief.id))).toBe(0);
    const stolen = { token: reset, password: 'the passphrase of a thief' };
    expect((await console.visitor().send('POST', '/api/auth/reset/password', stolen)).status).toBe(410);
  });

  it('stays with who has it when it belongs to a company: then its password is asked for', async () => {
    const [here, there] = [await foundCompany(console), await foundCompany(console)];
    const password = 'another long password';
    const member = await console.person({ companyId: there.companyId, password });
    await here.owner.client.call('invite', { body: { email: member.email, orgRole: 2 } });
    const token = tokenOf(await mailTo(member.email));
    const browser = console.visitor();
    expect(await browser.call('readInvitation', { body: { token } })).toMatchObject({ account: 'unproven' });
    const claim = (typed: string) =>
      browser.send('POST', '/api/v1/invitations/claim', { token, name: 'Kim', password: typed });
    expect(titleOf(await claim(testPassword))).toEqual([
      401,
      expect.stringContaining('has an account here with a different password'),
    ]);
    expect((await claim(password)).json).toMatchObject({ id: member.id, companyId: there.companyId });
    expect(await provenAt(console, member.email)).not.toBeNull();
  });
});

describe('asking for an invitation', () => {
  it('reaches the Owners of the company with the domain, in list and mail, and is answered alike elsewhere', async () => {
    const { companyId, owner } = await foundCompany(console);
    const domain = `${freshAddress().split('@')[0]}.example`;
    await console.store.db.update(companies).set({ domain }).where(eq(companies.id, companyId));
    const known = await stranger(console, `kim@${domain}`);
    const unknown = await stranger(console, `kim@un${domain}`);
    const answers = [];
    for (const { client } of [known, unknown])
      answers.push(await client.send('GET', '/api/auth/request-invite'));
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ]);
    const { requests } = await owner.client.call('invitations', {});
    expect(requests).toMatchObject([{ userId: known.id, email: known.email }]);
    expect(await mailTo(owner.email)).toContain(`(${known.email}) asks for an invitation`);
    const other = await foundCompany(console);
    expect((await other.owner.client.call('invitations', {})).requests).toEqual([]);
    await owner.client.call('dismissInvitationRequest', { params: { userId: known.id } });
    expect((await owner.client.call('invitations', {})).requests).toEqual([]);
  });

  it('is put away for one company only where two have the domain, and is seen again once asked again a day later', async () => {
    const domain = `${freshAddress().split('@')[0]}.example`;
    const first = await foundCompany(console);
    const second = await foundCompany(console);
    for (const { companyId } of [first, second])
      await console.store.db.update(companies).set({ domain }).where(eq(companies.id, companyId));
    const person = await stranger(console, `kim@${domain}`);
    const seen = async () =>
      await Promise.all(
        [first, second].map(async ({ owner }) =>
          (await owner.client.call('invitations', {})).requests.map(({ userId }) => userId),
        ),
      );
    const ask = async () => await person.client.send('GET', '/api/auth/request-invite');
    await ask();
    expect(await seen()).toEqual([[person.id], [person.id]]);
    await first.owner.client.call('dismissInvitationRequest', {
      params: { userId: person.id },
    });
    expect(await seen()).toEqual([[], [person.id]]);
    await ask();
    expect(await seen()).toEqual([[], [person.id]]);
    const dayAgo = new Date(Date.now() - 24 * 3_600_000 - 1000).toISOString();
    await console.store.db
      .update(invitationRequests)
      .set({ askedAt: dayAgo })
      .where(eq(invitationRequests.userId, person.id));
    await ask();
    expect(await seen()).toEqual([[person.id], [person.id]]);
  });

  it('is taken from a page of the console only', async () => {
    const person = await stranger(console);
    const answer = await person.client.send('GET', '/api/auth/request-invite', undefined, {
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).toBe(403);
  });
});
