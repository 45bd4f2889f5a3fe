import { afterAll, beforeAll, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { TestClient } from '../http-client.ts';

/** Two servers over one database. */
let here: TestConsole;
let there: TestConsole;
let companyId: number;
let owner: TestPerson;
beforeAll(async () => {
  here = await startConsole();
  there = await startConsole({ config: { databaseUrl: here.services.config.databaseUrl } });
  companyId = await here.company();
  owner = await here.person({ companyId, isOwner: true });
});
afterAll(async () => {
  await there.close();
  await here.close();
});

/** The session of somebody at the other server. */
const elsewhere = async ({ id }: Pick<TestPerson, 'id'>): Promise<TestClient> =>
  await there.session(id, companyId);
const rounds = 15;

it('what a call has changed is read by the next call, at whichever server', async () => {
  const other = await elsewhere(owner);
  const { id } = await owner.client.call('createTeam', { body: { name: 'Team 0', description: '' } });
  const servers = [owner.client, other] as const;
  for (let round = 1; round <= rounds; round += 1) {
    const [writer, reader] = round % 2 === 0 ? servers : servers.toReversed();
    if (writer === undefined || reader === undefined) throw new Error('There are two servers.');
    const name = `Team ${round}`;
    await writer.call('updateTeam', { params: { teamId: id }, body: { name, description: '' } });
    expect(await reader.call('team', { params: { teamId: id } })).toMatchObject({ name });
    expect(await writer.call('team', { params: { teamId: id } })).toMatchObject({ name });
  }
});

it('a right that a call gave or took counts for the next call, at whichever server', async () => {
  const member = await here.person({ companyId });
  const atOther = await elsewhere(member);
  const clusterId = await here.cluster(companyId);
  for (let round = 1; round <= rounds; round += 1) {
    const teamId = await here.grant(companyId, member.id, clusterId, teamRoles.Viewer);
    for (const client of [member.client, atOther])
      expect((await client.call('clusters', {})).map(({ id }) => id)).toEqual([clusterId]);
    await owner.client.call('deleteTeam', { params: { teamId } });
    for (const client of [atOther, member.client]) expect(await client.call('clusters', {})).toEqual([]);
  }
});

it('a session that one server ended opens nothing at the other from then on', async () => {
  for (let round = 1; round <= rounds; round += 1) {
    const member = await here.person({ companyId });
    const atOther = new TestClient(there.url);
    atOther.cookies.set(atOther.sessionCookie, member.client.session ?? '');
    expect(await atOther.call('isAuthenticated', {})).toMatchObject({ isAuthenticated: true });
    await member.client.call('logout', {});
    expect(await atOther.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
  }
});
