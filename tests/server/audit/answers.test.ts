import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
let companyId: number;
let owner: TestPerson;
beforeAll(async () => {
  console = await startConsole();
  companyId = await console.company('Harbour');
  owner = await console.person({ companyId, isOwner: true, email: 'olga@harbour.example' });
});
afterAll(() => console.close());

const read = async (query: Record<string, string>) => (await owner.client.call('audit', { query })).entries;
const said = async (query: Record<string, string>) => (await read(query)).map(({ sentence }) => sentence);

describe('the audit answers who gave somebody that, when and by which way', () => {
  it('by names that stay when team, place and cluster are gone', async () => {
    const [clusterId, otherId] = [
      await console.cluster(companyId, 'prod-eu'),
      await console.cluster(companyId, 'test'),
    ];
    const { client } = owner;
    const team = await client.call('createTeam', { body: { name: 'Shop crew', description: '' } });
    const teamId = team.id;
    const mia = await console.person({ companyId: null, email: 'mia@elsewhere.example' });
    await console.store.db.update(users).set({ emailProvenAt: sql`now()` }).where(eq(users.id, mia.id));
    const { invitation } = await client.call('invite', {
      body: { email: mia.email, orgRole: orgRoles.Member, teams: [{ teamId, role: teamRoles.Viewer }] },
    });
    await mia.client.call('acceptInvitation', { body: { inviteId: invitation.inviteId } });
    const place = { params: { teamId }, body: { UserId: String(mia.id), Role: teamRoles.TeamAdmin } };
    await client.call('setTeamMember', place);
    const grant = (namespaces?: string[]) =>
      client.call('addTeamCluster', {
        params: { teamId },
        body: { clusterId: String(clusterId), ...(namespaces === undefined ? {} : { namespaces }) },
      });
    await grant(['shop']);
    await grant(['payments', 'shop']);
    await client.call('removeTeamCluster', { params: { teamId, clusterId } });
    await grant();
    await client.call('addTeamCluster', { params: { teamId }, body: { clusterId: String(otherId) } });
    await client.call('removeTeamMember', { params: { teamId, userId: mia.id } });
    await client.call('setTeamMember', place);
    await client.call('deleteTeam', { params: { teamId } });
    await client.call('deleteCluster', { params: { clusterId } });

    expect(await said({ words: 'SHOP crew' })).toEqual([
      'olga@harbour.example deleted the team Shop crew, with mia@elsewhere.example in it, which reached prod-eu, test.',
      'olga@harbour.example gave mia@elsewhere.example the role TeamAdmin in the team Shop crew: role none → TeamAdmin.',
      'olga@harbour.example removed mia@elsewhere.example from the team Shop crew: role TeamAdmin → none.',
      'olga@harbour.example gave the team Shop crew access to test: namespaces none → all.',
      'olga@harbour.example gave the team Shop crew access to prod-eu: namespaces none → all.',
      'olga@harbour.example took access to prod-eu from the team Shop crew: namespaces payments, shop → none.',
      'olga@harbour.example gave the team Shop crew access to prod-eu: namespaces shop → payments, shop.',
      'olga@harbour.example gave the team Shop crew access to prod-eu: namespaces none → shop.',
      'olga@harbour.example gave mia@elsewhere.example the role TeamAdmin in the team Shop crew: role Viewer → TeamAdmin.',
      `mia@elsewhere.example accepted the invitation of olga@harbour.example as Member into Shop crew (team ${teamId}) as Viewer.`,
      `olga@harbour.example invited mia@elsewhere.example as Member into Shop crew (team ${teamId}) as Viewer.`,
      'olga@harbour.example created the team Shop crew.',
    ]);
    // Words in any order, and no whole names: who did it, to whom, on which cluster, and what.
    expect(await said({ words: 'mia accept' })).toHaveLength(1);
    expect(await said({ words: 'prod gave' })).toHaveLength(3);
    expect(await said({ words: 'payments took' })).toHaveLength(1);
    expect(await said({ words: 'olga invited elsewhere' })).toHaveLength(1);
    expect(await said({ words: 'teamId' })).toEqual([]);
    expect(await said({ words: '%' })).toEqual([]);
    // A cluster that is gone has its last name.
    expect((await read({ clusterId: String(clusterId) })).map(({ cluster }) => cluster)).toEqual(
      Array.from({ length: 5 }, () => 'prod-eu'),
    );
  });

  it('also of what was refused, and of somebody who left with their places', async () => {
    const { client } = owner;
    const team = await client.call('createTeam', { body: { name: 'Pier', description: '' } });
    const kim = await console.person({ companyId, email: 'kim@harbour.example' });
    await console.join(companyId, team.id, kim.id, teamRoles.Viewer);
    const refused = await kim.client.send('POST', `/api/team/${team.id}/members`, {
      UserId: String(owner.id),
      Role: teamRoles.Viewer,
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await client.call('removeMember', { params: { userId: kim.id } });
    expect(await said({ words: 'kim' })).toEqual([
      `olga@harbour.example removed kim@harbour.example from the organisation, out of Pier (team ${team.id}) as Viewer.`,
    ]);
  });

  it('in changes only, without looks, dry runs, refusals and preferences', async () => {
    const { client } = owner;
    const at = new Date().toISOString();
    await client.call('savePreferences', { body: { changes: 'hold' } });
    await client.send('GET', '/api/organization/audit/export');
    await client.send('PUT', '/api/organization/audit/settings', { days: 30 });
    await client.send('DELETE', '/api/team/2147483647');
    expect((await read({ from: at })).map(({ action }) => action)).toEqual([
      'deleteTeam',
      'changeAuditSettings',
      'exportAudit',
      'savePreferences',
    ]);
    expect((await read({ from: at, changes: 'yes' })).map(({ action }) => action)).toEqual([
      'changeAuditSettings',
    ]);
    const file = await client.send('GET', `/api/organization/audit/export?changes=yes&from=${at}&format=csv`);
    expect(file.text).toContain(
      'olga@harbour.example set for how many days the audit is kept: days none → 30.',
    );
    expect(file.text).not.toContain('preferences');
    expect((await client.send('GET', '/api/organization/audit?changes=no')).status).toBe(400);
  });

  it('to nobody with names of another organisation', async () => {
    const otherCompany = await console.company('Other');
    const stranger = await console.person({ companyId: otherCompany, isOwner: true });
    const team = await owner.client.call('createTeam', { body: { name: 'Hidden', description: '' } });
    await stranger.client.send('DELETE', `/api/team/${team.id}`);
    await stranger.client.send('PUT', `/api/organization/members/${owner.id}`, { isSuspended: true });
    const { entries } = await stranger.client.call('audit', {});
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['changeMember']));
    expect(JSON.stringify(entries)).not.toMatch(/Hidden|olga@/);
  });
});
