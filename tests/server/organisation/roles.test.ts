import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permissionsOfRole, teamRoles } from '../../../src/contract/permissions.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

/** A company with a cluster, its Owner, and a team with a Viewer and a TeamAdmin. */
async function office() {
  const companyId = await console.company();
  const owner = await console.person({ companyId, isOwner: true });
  const viewer = await console.person({ companyId });
  const teamAdmin = await console.person({ companyId });
  const clusterId = await console.cluster(companyId, 'production');
  const teamId = await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
  await console.join(companyId, teamId, teamAdmin.id, teamRoles.TeamAdmin);
  return { companyId, owner, viewer, teamAdmin, clusterId, teamId };
}

const whyNot = (by: TestPerson, query: Record<string, unknown>) =>
  by.client.send(
    'GET',
    `/api/organization/why-not?${new URLSearchParams(query as Record<string, string>).toString()}`,
  );

describe('what somebody may do', () => {
  it('my permissions name each cluster, the teams with the role, and what is held', async () => {
    const { viewer, owner, clusterId, teamId } = await office();
    expect(await viewer.client.call('ownReach', {})).toEqual([
      {
        id: clusterId,
        name: 'production',
        colour: expect.any(Number),
        teams: [{ id: teamId, name: expect.stringMatching(/^team /), role: teamRoles.Viewer }],
        permissions: permissionsOfRole(teamRoles.Viewer).map((name) => ({ name, namespaces: null })),
      },
    ]);
    const [own] = await owner.client.call('ownReach', {});
    expect(own).toMatchObject({
      teams: [],
      permissions: permissionsOfRole(teamRoles.TeamAdmin).map((name) => ({ name })),
    });
  });
});

describe('why not', () => {
  it('names what is missing where, the Owners, and the TeamAdmins of the own teams', async () => {
    const { viewer, teamAdmin, owner, clusterId } = await office();
    const answer = await whyNot(viewer, { needs: 'pods.view,pods.manage', clusterId, namespace: 'shop' });
    expect(answer.json).toEqual({
      cluster: 'production',
      namespace: 'shop',
      missing: ['pods.manage'],
      owners: ['Robin Example'],
      teamAdmins: [{ name: 'Robin Example', team: expect.stringMatching(/^team /) }],
    });
    for (const person of [teamAdmin, owner]) {
      expect((await whyNot(person, { needs: 'pods.manage', clusterId })).json).toMatchObject({
        missing: [],
        teamAdmins: [],
      });
    }
  });

  it('what is for Owners no TeamAdmin can give', async () => {
    const { viewer, clusterId } = await office();
    expect((await whyNot(viewer, { needs: 'owner', clusterId })).json).toMatchObject({
      missing: ['owner'],
      teamAdmins: [],
    });
    expect((await whyNot(viewer, { needs: 'owner' })).json).toEqual({
      missing: ['owner'],
      owners: ['Robin Example'],
      teamAdmins: [],
    });
  });

  it('tells nothing of other companies, of teams that somebody is not in, and of people who left or are suspended', async () => {
    const { companyId, owner, viewer, teamAdmin, clusterId } = await office();
    const elsewhere = await office();
    expect((await whyNot(viewer, { needs: 'pods.manage', clusterId: elsewhere.clusterId })).status).toBe(404);
    const loner = await console.person({ companyId });
    expect((await whyNot(loner, { needs: 'pods.manage', clusterId })).status).toBe(404);
    // A team that reaches the same cluster, without the person who asks.
    const stranger = await console.person({ companyId });
    await console.grant(companyId, stranger.id, clusterId, teamRoles.TeamAdmin);
    const asked = { needs: 'pods.manage', clusterId };
    expect((await whyNot(viewer, asked)).json).toMatchObject({ teamAdmins: [expect.anything()] });
    await owner.client.call('changeMember', {
      params: { userId: teamAdmin.id },
      body: { isSuspended: true },
    });
    expect((await whyNot(viewer, asked)).json).toMatchObject({ teamAdmins: [] });
  });

  it('takes every spelling of the specification, and no other name', async () => {
    const { viewer, clusterId } = await office();
    const missing = async (needs: string) =>
      (await whyNot(viewer, { needs, clusterId })).json as { missing?: string[] };
    expect(await missing('persistent-volume-claims.manage,scaled-objects')).toMatchObject({
      missing: ['persistentvolumeclaims.manage'],
    });
    expect((await whyNot(viewer, { needs: 'scaled-objects.view', clusterId })).status).toBe(400);
    expect((await whyNot(viewer, { needs: 'pods.manage' })).json).toMatchObject({
      status: 400,
      title: 'A permission is held on a cluster. Name the cluster.',
    });
  });
});
