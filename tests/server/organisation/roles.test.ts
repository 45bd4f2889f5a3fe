import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { helpActions } from '../../../commands/actions/help.ts';
import { type Permission, permissionsOfRole, teamRoles } from '../../../src/contract/permissions.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { roleAdjustments } from '../../../src/server/store/schema/teams.ts';
import type { ToastOptions } from '../../../src/registry/commands/services.ts';
import { guardedCommands, questionAbout } from '../../refused-questions.ts';
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

  it('can be asked of what a refusal says is missing: on a cluster, in the organisation, in a team', async () => {
    const { viewer, clusterId, teamId } = await office();
    const lackOf = async (path: string, body: object, method: 'POST' | 'PUT' = 'POST') =>
      ((await viewer.client.send(method, path, body)).json as { lacking?: object }).lacking;
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n';
    expect(await lackOf(`/api/namespaces/clusters/${clusterId}/namespaces`, { name: 'a' })).toEqual({
      needs: ['resources.manage'],
      clusterId,
    });
    expect(await lackOf(`/api/clusters/${clusterId}/create-resource`, { yaml })).toMatchObject({
      needs: ['resources.manage'],
      clusterId,
    });
    expect(await lackOf('/api/team', { name: 'a', description: '' })).toEqual({ needs: ['owner'] });
    const lack = await lackOf(`/api/team/${teamId}/members`, { UserId: '1', Role: 6 });
    expect(lack).toEqual({ needs: ['team'], teamId });
    expect((await whyNot(viewer, { needs: 'team', teamId })).json).toEqual({
      team: expect.stringMatching(/^team /),
      missing: ['team'],
      owners: ['Robin Example'],
      teamAdmins: [{ name: 'Robin Example', team: expect.stringMatching(/^team /) }],
    });
    const elsewhere = await office();
    expect((await whyNot(viewer, { needs: 'team', teamId: elsewhere.teamId })).status).toBe(404);
    expect((await whyNot(viewer, { needs: 'team' })).status).toBe(400);
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
      title: 'Permissions apply to a cluster. Name the cluster.',
    });
  });
});

describe('every command that needs a right', () => {
  /** What the console tells somebody who asks about a command, as the palette does. */
  async function told(by: TestPerson, question: NonNullable<ReturnType<typeof questionAbout>>) {
    const said: { title: string; detail: string; actions: readonly string[] }[] = [];
    const explain = helpActions.find(({ id }) => id === 'help.whyNot');
    await explain?.run(
      { ...question, source: 'palette', target: 'here' } as never,
      {
        api: { whyNot: (call: never) => by.client.call('whyNot', call) },
        toast: {
          info: (title: string, { detail = '', actions = [] }: ToastOptions) =>
            said.push({ title, detail, actions: actions.map(({ label }) => label) }),
        },
      } as never,
    );
    return said[0];
  }

  it('tells whoever lacks it what is missing, on which cluster or team, who can grant it, and how to ask', async () => {
    const { owner, viewer, clusterId, teamId } = await office();
    // A role that holds one permission lacks every other; the two roles lack all of them together.
    const holding = async (one: Permission) => await adjust(owner, teamRoles.Viewer, [one]);
    const answers = async () => {
      const given = [];
      for (const command of guardedCommands) {
        const question = questionAbout(command, { clusterId, teamId });
        const answer = question && (await told(viewer, question));
        given.push({ id: command.id, needs: question?.args['needs'], told: answer });
      }
      return given;
    };
    await holding('clusters.view');
    const first = await answers();
    await holding('namespaces.view');
    const second = await answers();
    expect(first.length).toBeGreaterThan(100);
    for (const [index, { id, needs, told: one }] of first.entries()) {
      const hasIt = one?.title.startsWith('You have every permission that ') === true;
      const answer = hasIt ? second[index]?.told : one;
      expect(answer?.detail, id).toContain('Robin Example');
      if (needs === 'owner') {
        expect(answer?.title, id).toContain('is for Owners');
        continue;
      }
      if (needs === 'team') {
        expect(answer?.title, id).toMatch(/is for TeamAdmins and Owners in the team team /);
        continue;
      }
      expect(answer?.title, id).toMatch(/ needs (?:[a-z]+\.(?:view|manage)(?:, | and )?)+ on production/);
      expect(answer?.actions, id).toContain('Ask for it…');
    }
  });
});

const adjust = (by: TestPerson, role: number, permissions: readonly string[]) =>
  by.client.send('PUT', `/api/organization/roles/${role}`, { permissions });
const heldOn = async (person: TestPerson, clusterId: number) =>
  (await person.client.call('userPermissions', { params: { clusterId } })).map(({ name }) => name);

describe('a role that an Owner adjusts', () => {
  const viewer = permissionsOfRole(teamRoles.Viewer);

  it('holds for everybody with the role in the company at once, and for nobody of another one', async () => {
    const { companyId, owner, viewer: person, clusterId } = await office();
    const elsewhere = await office();
    const wanted = [...viewer.filter((one) => one !== 'clusters.view'), 'secrets.view'];
    const answer = await adjust(owner, teamRoles.Viewer, [
      ...wanted.filter((one) => one !== 'persistentvolumes.view'),
      'persistent-volumes.view',
    ]);
    expect(answer.json).toMatchObject({ permissions: [...wanted].sort(), defaults: viewer });
    expect(await heldOn(person, clusterId)).toEqual([...wanted].sort());
    const ofRole = await person.client.call('permissionsOfRole', {
      params: { clusterId, roleId: teamRoles.Viewer },
    });
    expect(ofRole.map(({ name }) => name)).toEqual([...wanted].sort());
    expect(await heldOn(elsewhere.viewer, elsewhere.clusterId)).toEqual(viewer);
    const kept = () =>
      console.store.db.select().from(roleAdjustments).where(eq(roleAdjustments.companyId, companyId));
    // Only what differs from the default is stored.
    expect((await kept()).map(({ permission, isHeld }) => [permission, isHeld])).toEqual(
      expect.arrayContaining([
        ['clusters.view', false],
        ['secrets.view', true],
      ]),
    );
    await adjust(owner, teamRoles.Viewer, viewer);
    expect(await kept()).toEqual([]);
    expect(await heldOn(person, clusterId)).toEqual(viewer);
  });

  it('is named in any spelling, as permissions are wherever a call takes them', async () => {
    const { viewer: person, clusterId } = await office();
    const { made } = await person.client.call('createToken', {
      body: {
        name: 'script',
        scopes: ['persistent-volumes.view', 'persistentvolumes.view', 'secrets.reveal'],
      },
    });
    expect(made.scopes).toEqual(['persistentvolumes.view', 'secrets.reveal']);
    const request = {
      clusterId,
      permissions: ['persistent-volume-claims.manage', 'persistentvolumeclaims.manage'],
      reason: 'An incident',
      minutes: 60,
    };
    expect(await person.client.call('askAccess', { body: request })).toMatchObject({
      permissions: ['persistentvolumeclaims.manage'],
    });
    for (const [path, body] of [
      ['/api/profile/tokens', { name: 'other', scopes: ['nodes.view'] }],
      ['/api/access-requests', { ...request, permissions: ['nodes.view'] }],
    ] as const)
      expect(await person.client.send('POST', path, body)).toMatchObject({ status: 400 });
  });

  it('cannot change what it may not see, and does something', async () => {
    const { owner } = await office();
    const titles: unknown[] = [];
    for (const permissions of [
      ['pods.manage'],
      ['cronjobs.manage', 'pods.view'],
      [],
      ['pods.view', 'nodes.view'],
    ]) {
      const { status, json } = await adjust(owner, teamRoles.Viewer, permissions);
      titles.push([status, (json as { title: string }).title]);
    }
    expect(titles).toEqual([
      [409, 'A role with pods.manage needs pods.view as well: people cannot change what they cannot see.'],
      [
        409,
        'A role with cronjobs.manage needs namespaces.view as well: people cannot change what they cannot see.',
      ],
      [409, 'A role needs at least one permission. To take everything away, remove people from their teams.'],
      [400, expect.any(String)],
    ]);
    expect((await adjust(owner, 5, viewer)).status).toBe(404);
  });

  it('a TeamAdmin gives no role that may do more than their own has left', async () => {
    const { companyId, owner, teamAdmin, teamId } = await office();
    const { id } = await console.person({ companyId });
    const join = (role: number) =>
      teamAdmin.client.send('POST', `/api/team/${teamId}/members`, { UserId: String(id), Role: role });
    expect((await join(teamRoles.SecretViewer)).status).toBe(200);
    const without = permissionsOfRole(teamRoles.TeamAdmin).filter((one) => one !== 'secrets.view');
    await adjust(owner, teamRoles.TeamAdmin, without);
    expect(await join(teamRoles.SecretViewer)).toMatchObject({ status: 403 });
    // Nor do they take away what they could not give back.
    expect((await join(teamRoles.Viewer)).status).toBe(403);
    const other = await console.person({ companyId });
    expect(
      (
        await teamAdmin.client.send('POST', `/api/team/${teamId}/members`, {
          UserId: String(other.id),
          Role: teamRoles.Viewer,
        })
      ).status,
    ).toBe(200);
  });

  it('is kept in the audit with what it held before and after', async () => {
    const { companyId, owner } = await office();
    await adjust(owner, teamRoles.SecretViewer, ['secrets.view', 'namespaces.view']);
    const rows = await console.store.db
      .select()
      .from(audit)
      .where(and(eq(audit.companyId, companyId), eq(audit.action, 'changeRole')));
    expect(rows).toMatchObject([
      {
        status: 200,
        subject: { role: teamRoles.SecretViewer },
        changes: {
          permissions: {
            before: permissionsOfRole(teamRoles.SecretViewer).join(', '),
            after: 'namespaces.view, secrets.view',
          },
        },
      },
    ]);
  });
});
