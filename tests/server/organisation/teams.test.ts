import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TeamRole, teamRoles } from '../../../src/contract/permissions.ts';
import { invitations, memberships } from '../../../src/server/store/schema/memberships.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

describe('teams', () => {
  let console: TestConsole;
  let companyId: number;
  let clusterId: number;
  let owner: TestPerson;

  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company();
    clusterId = await console.cluster(companyId, 'production');
    owner = await console.person({ companyId, isOwner: true });
  });
  afterAll(() => console.close());

  const join = (client: TestPerson['client'], teamId: number, userId: number, role: number) =>
    client.send('POST', `/api/team/${teamId}/members`, { UserId: String(userId), Role: role });
  const create = async (name: string) => (await owner.client.call('createTeam', { body: { name } })).id;
  const titleOf = ({ status, json }: { status: number; json: unknown }) => [
    status,
    (json as { title?: string }).title,
  ];

  it('a team is created, described, filled, and gives its members what it reaches', async () => {
    const teamId = await create('Checkout');
    await owner.client.call('updateTeam', {
      params: { teamId },
      body: { name: 'Checkout', description: 'Pays the bills.' },
    });
    const person = await console.person({ companyId });
    expect(await person.client.call('clusters', {})).toEqual([]);
    expect((await join(owner.client, teamId, person.id, teamRoles.Viewer)).json).toEqual({
      userId: person.id,
      name: 'Robin Example',
      email: person.email,
      role: teamRoles.Viewer,
      pending: false,
      isSuspended: false,
    });
    const cluster = { clusterId: String(clusterId) };
    expect((await owner.client.send('POST', `/api/team/${teamId}/clusters`, cluster)).status).toBe(204);
    expect(await person.client.call('clusters', {})).toMatchObject([{ id: clusterId }]);
    expect(await person.client.call('teams', {})).toEqual([
      {
        id: teamId,
        name: 'Checkout',
        description: 'Pays the bills.',
        memberCount: 1,
        clusterCount: 1,
        ownRole: teamRoles.Viewer,
      },
    ]);
    expect(await person.client.call('teamClusters', { params: { teamId } })).toMatchObject([
      { id: clusterId, name: 'production' },
    ]);
    await owner.client.call('removeTeamCluster', { params: { teamId, clusterId } });
    expect(await person.client.call('clusters', {})).toEqual([]);
    await owner.client.call('deleteTeam', { params: { teamId } });
    expect(await person.client.call('teams', {})).toEqual([]);
  });

  it('shows its members who is invited to it, until they accept or the invitation is over', async () => {
    const [teamId, otherId] = [await create('Invited'), await create('Not invited')];
    const viewer = await console.person({ companyId });
    await join(owner.client, teamId, viewer.id, teamRoles.Viewer);
    // One address has an account elsewhere, which nobody in the company learns.
    const elsewhere = await console.person({ companyId: await console.company() });
    const invite = async (email: string, role: TeamRole) =>
      (await owner.client.call('invite', { body: { email, orgRole: 2, teams: [{ teamId, role }] } }))
        .invitation.inviteId;
    const unknown = 'zz.nobody@example.org';
    const inviteId = await invite(unknown, teamRoles.TeamAdmin);
    await invite(elsewhere.email, teamRoles.Viewer);
    const pending = async (of = teamId) =>
      (await viewer.client.call('teamMembers', { params: { teamId: of } })).filter((one) => one.pending);
    const place = { userId: 0, name: '', pending: true, isSuspended: false };
    expect(await pending()).toEqual([
      { ...place, email: elsewhere.email, role: teamRoles.Viewer },
      { ...place, email: unknown, role: teamRoles.TeamAdmin },
    ]);
    const [team] = await viewer.client.call('teams', {});
    expect(team).toMatchObject({ id: teamId, memberCount: 1 });
    await owner.client.call('revokeInvitation', { params: { inviteId } });
    await console.store.db.update(invitations).set({ expiresAt: new Date().toISOString() });
    expect(await pending()).toEqual([]);
    expect(await owner.client.call('teamMembers', { params: { teamId: otherId } })).toEqual([]);
  });

  it('a grant names namespaces or none, and the call without them never widens it', async () => {
    const teamId = await create('Namespaces');
    const person = await console.person({ companyId });
    await join(owner.client, teamId, person.id, teamRoles.Viewer);
    const grant = async (more: object) => {
      const body = { clusterId: String(clusterId), ...more };
      const answer = await owner.client.send('POST', `/api/team/${teamId}/clusters`, body);
      const [cluster] = await owner.client.call('teamClusters', { params: { teamId } });
      const [seen] = await person.client.call('clusters', {});
      return [answer.status, cluster?.namespaces, seen?.namespaces];
    };
    expect(await grant({ namespaces: ['shop', 'data', 'shop'] })).toEqual([
      204,
      ['data', 'shop'],
      ['data', 'shop'],
    ]);
    expect(await grant({})).toEqual([204, ['data', 'shop'], ['data', 'shop']]);
    for (const namespaces of [[], ['Not A Name'], ['a/b'], 'shop', [1]])
      expect(await grant({ namespaces }), JSON.stringify(namespaces)).toEqual([
        400,
        ['data', 'shop'],
        ['data', 'shop'],
      ]);
    const detail = await owner.client.call('member', { params: { userId: person.id } });
    expect(detail.clusters[0]?.permissions).toContainEqual({
      name: 'pods.view',
      namespaces: ['data', 'shop'],
    });
    expect(await grant({ namespaces: null })).toEqual([204, null, undefined]);
  });

  it('the same person again changes the role', async () => {
    const teamId = await create('Roles');
    const { id } = await console.person({ companyId });
    await join(owner.client, teamId, id, teamRoles.Viewer);
    await join(owner.client, teamId, id, teamRoles.SecretViewer);
    expect(await owner.client.call('teamMembers', { params: { teamId } })).toMatchObject([
      { userId: id, role: teamRoles.SecretViewer },
    ]);
  });

  it('bodies are the ones of the specification: ids as text, roles as numbers', async () => {
    const teamId = await create('Bodies');
    const { id } = await console.person({ companyId });
    const members = `/api/team/${teamId}/members`;
    for (const body of [
      { UserId: id, Role: 6 },
      { userId: String(id), role: 6 },
      { UserId: String(id), Role: '6' },
      { UserId: String(id), Role: 5 },
      { UserId: 'everybody', Role: 6 },
    ]) {
      expect((await owner.client.send('POST', members, body)).status, JSON.stringify(body)).toBe(400);
    }
    const clusters = `/api/team/${teamId}/clusters`;
    expect((await owner.client.send('POST', clusters, { clusterId })).status).toBe(400);
  });

  it('a TeamAdmin manages the members of the own team alone, and never its clusters', async () => {
    const [teamId, otherTeam] = [await create('Own'), await create('Other')];
    const [admin, colleague] = [await console.person({ companyId }), await console.person({ companyId })];
    await join(owner.client, teamId, admin.id, teamRoles.TeamAdmin);
    expect(await admin.client.call('teamCandidates', { params: { teamId } })).toContainEqual(
      expect.objectContaining({ userId: colleague.id }),
    );
    expect((await join(admin.client, teamId, colleague.id, teamRoles.TeamAdmin)).status).toBe(200);
    expect(titleOf(await join(admin.client, otherTeam, colleague.id, teamRoles.Viewer))).toEqual([
      404,
      'No such team.',
    ]);
    const cluster = { clusterId: String(clusterId) };
    expect((await admin.client.send('POST', `/api/team/${teamId}/clusters`, cluster)).status).toBe(403);
    await admin.client.call('removeTeamMember', { params: { teamId, userId: admin.id } });
    // Who left the team by their own hand manages nothing there any more.
    expect((await join(admin.client, teamId, admin.id, teamRoles.TeamAdmin)).status).toBe(404);
  });

  it('a TeamAdmin or Owner who loses that while a member is being put in puts nobody in', async () => {
    const teamId = await create('While it is taken away');
    const colleague = await console.person({ companyId });
    const admin = await console.person({ companyId });
    await join(owner.client, teamId, admin.id, teamRoles.TeamAdmin);
    const second = await console.person({ companyId, isOwner: true });
    const { db } = console.store;
    const demotions = [
      [
        admin,
        db.update(teamMembers).set({ role: teamRoles.Viewer }).where(eq(teamMembers.userId, admin.id)),
        403,
      ],
      [second, db.update(memberships).set({ orgRole: 2 }).where(eq(memberships.userId, second.id)), 404],
    ] as const;
    for (const [person, demotion, status] of demotions) {
      const joining = await db.transaction(async (tx) => {
        await tx.execute(demotion.getSQL());
        const answer = join(person.client, teamId, colleague.id, teamRoles.TeamAdmin);
        await expect
          .poll(async () => (await db.execute(sql`select 1 from pg_locks where not granted`)).rows.length)
          .toBeGreaterThan(0);
        return { answer };
      });
      expect((await joining.answer).status).toBe(status);
    }
    const members = await owner.client.call('teamMembers', {
      params: { teamId },
    });
    expect(members.map(({ userId }) => userId)).toEqual([admin.id]);
  });

  it('a name is had by one team of the company only', async () => {
    await create('Unique');
    const taken = [409, 'A team named "Unique" exists already. Choose another name.'];
    expect(titleOf(await owner.client.send('POST', '/api/team', { name: 'Unique' }))).toEqual(taken);
    const teamId = await create('Rename me');
    expect(titleOf(await owner.client.send('PUT', `/api/team/${teamId}`, { name: 'Unique' }))).toEqual(taken);
  });

  it('people, clusters and teams of another company do not exist', async () => {
    const teamId = await create('Walls');
    const otherCompany = await console.company();
    const stranger = await console.person({ companyId: otherCompany, isOwner: true });
    const foreignCluster = await console.cluster(otherCompany);
    expect(titleOf(await join(owner.client, teamId, stranger.id, teamRoles.Viewer))).toEqual([
      404,
      'Your organisation has no such person.',
    ]);
    const cluster = { clusterId: String(foreignCluster) };
    expect(titleOf(await owner.client.send('POST', `/api/team/${teamId}/clusters`, cluster))).toEqual([
      404,
      'There is no such cluster.',
    ]);
    expect(await stranger.client.call('teams', {})).toEqual([]);
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['GET', '/members'],
      ['DELETE', `/members/${owner.id}`],
      ['POST', '/clusters', cluster],
    ] as const) {
      const answer = await stranger.client.send(method, `/api/team/${teamId}${path}`, body);
      expect([method, path, ...titleOf(answer)]).toEqual([method, path, 404, 'No such team.']);
    }
  });
});
