import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgRoles, permissions, rolePermissions, teamRoles } from '../../../src/contract/permissions.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { startConsole, type TestConsole } from '../harness.ts';

describe('grants', () => {
  let console: TestConsole;
  let companyId: number;
  let clusterId: number;

  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company();
    clusterId = await console.cluster(companyId, 'production');
  });
  afterAll(() => console.close());

  const member = async (isOwner = false) => {
    const { id } = await console.person({ companyId, isOwner });
    return { id, companyId, orgRole: isOwner ? orgRoles.Owner : orgRoles.Member, token: null };
  };
  const held = async (person: Awaited<ReturnType<typeof member>>, id = clusterId) => [
    ...(await console.services.grants.held(person, id)).names,
  ];

  it('an Owner has everything on every cluster of the company, and nothing elsewhere', async () => {
    const owner = await member(true);
    expect(await held(owner)).toEqual([...permissions]);
    const foreign = await console.cluster(await console.company());
    expect(await held(owner, foreign)).toEqual([]);
    await expect(console.services.grants.cluster(owner, foreign)).rejects.toMatchObject({
      status: 404,
      title: 'There is no such cluster.',
    });
  });

  it.each(Object.entries(teamRoles))('%s has what the role says', async (_name, role) => {
    const person = await member();
    await console.grant(companyId, person.id, clusterId, role);
    expect(await held(person)).toEqual([...rolePermissions[role]].sort());
  });

  it('several teams add up', async () => {
    const person = await member();
    await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
    await console.grant(companyId, person.id, clusterId, teamRoles.SecretViewer);
    expect(await held(person)).toEqual([...rolePermissions[teamRoles.SecretViewer]].sort());
  });

  it('a team of another company gives its members nothing', async () => {
    const person = await member();
    const otherId = await console.company();
    // The database itself ties people, teams and clusters to one company.
    await expect(console.grant(otherId, person.id, clusterId, teamRoles.TeamAdmin)).rejects.toMatchObject({
      cause: { constraint: 'team_members_membership' },
    });
    await console.store.db
      .insert(memberships)
      .values({ userId: person.id, companyId: otherId, orgRole: orgRoles.Owner });
    await expect(console.grant(otherId, person.id, clusterId, teamRoles.TeamAdmin)).rejects.toMatchObject({
      cause: { constraint: 'team_clusters_cluster_of_company' },
    });
    expect(await held(person)).toEqual([]);
  });

  it('an unknown role gives nothing', async () => {
    const person = await member();
    const teamId = await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
    await console.store.db.update(teamMembers).set({ role: 9 }).where(eq(teamMembers.teamId, teamId));
    await expect(console.services.grants.cluster(person, clusterId)).rejects.toMatchObject({ status: 404 });
  });

  it('an ungranted cluster is answered like a missing one; a missing permission is named', async () => {
    const { grants } = console.services;
    const person = await member();
    const none = { status: 404, title: 'There is no such cluster.' };
    await expect(grants.require(person, clusterId, 'pods.view', 'cluster')).rejects.toMatchObject(none);
    for (const id of [999_999, 0, -1, 1.5, Number.NaN, 2 ** 31, 2 ** 40]) {
      await expect(grants.cluster(person, id), String(id)).rejects.toMatchObject(none);
    }
    await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
    expect(await grants.require(person, clusterId, 'pods.view', 'cluster')).toMatchObject({ id: clusterId });
    await expect(grants.require(person, clusterId, 'secrets.view', 'cluster')).rejects.toMatchObject({
      status: 403,
      title:
        'You lack the permission "secrets.view" on production. An Owner of your organisation can grant it.',
    });
  });

  it('hold from the next question on: for a demoted Owner, a removed member, an old picture of the person', async () => {
    const owner = await member(true);
    const { db } = console.store;
    await db.update(memberships).set({ orgRole: orgRoles.Member }).where(eq(memberships.userId, owner.id));
    expect(await held(owner)).toEqual([]);
    const teamId = await console.grant(companyId, owner.id, clusterId, teamRoles.Viewer);
    expect(await held(owner)).not.toEqual([]);
    await db.delete(teamMembers).where(eq(teamMembers.teamId, teamId));
    expect(await held(owner)).toEqual([]);
    await console.grant(companyId, owner.id, clusterId, teamRoles.Viewer);
    for (const state of ['suspended', 'left'] as const) {
      await db.update(memberships).set({ state }).where(eq(memberships.userId, owner.id));
      expect(await held(owner), state).toEqual([]);
    }
  });

  it('clusters are listed in the order they were added, the reachable ones only', async () => {
    const id = await console.company();
    const names = ['zebra', 'Älpha', 'alpha-2', 'Beta'];
    const ids = [];
    for (const name of names) ids.push(await console.cluster(id, name));
    const list = async (person: { id: number }, orgRole: 1 | 2) =>
      (await console.services.grants.clusters({ id: person.id, companyId: id, orgRole, token: null })).map(
        (row) => row.name,
      );
    expect(await list(await console.person({ companyId: id, isOwner: true }), 1)).toEqual([
      'zebra',
      'Älpha',
      'alpha-2',
      'Beta',
    ]);
    const person = await console.person({ companyId: id });
    await console.grant(id, person.id, ids[0] ?? 0, teamRoles.Viewer);
    expect(await list(person, 2)).toEqual(['zebra']);
  });
});
