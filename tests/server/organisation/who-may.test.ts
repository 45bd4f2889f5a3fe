import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import { createGrants } from '../../../src/server/access/grants.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { whoMay, type WhoMayQuestion } from '../../../src/server/organisation/who-may.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { teamClusters } from '../../../src/server/store/schema/teams.ts';
import { startConsole, type TestConsole } from '../harness.ts';

let console: TestConsole;
let companyId: number;
let clusterId: number;
const ids = new Map<string, number>();

/** A person of the company by name. */
async function named(name: string, isOwner = false): Promise<number> {
  const { id } = await console.person({ companyId, isOwner });
  await console.store.db.update(users).set({ name }).where(eq(users.id, id));
  ids.set(name, id);
  return id;
}

beforeAll(async () => {
  console = await startConsole();
  companyId = await console.company();
  clusterId = await console.cluster(companyId);
  await named('Olga', true);
  const [mia, tom, sara, gone] = [
    await named('Mia'),
    await named('Tom'),
    await named('Sara'),
    await named('Gone'),
  ];
  const shop = await console.team(companyId);
  await console.join(companyId, shop, mia, teamRoles.Viewer);
  await console.join(companyId, shop, tom, teamRoles.TeamAdmin);
  await console.join(companyId, shop, gone, teamRoles.TeamAdmin);
  await console.store.db
    .insert(teamClusters)
    .values({ companyId, teamId: shop, clusterId, namespaces: ['shop', 'pay'] });
  await console.grant(companyId, sara, clusterId, teamRoles.TeamAdmin);
  // Tom has more by another team, which Mia is not in.
  await console.grant(companyId, tom, clusterId, teamRoles.SecretViewer);
  await console.store.db.update(memberships).set({ state: 'suspended' }).where(eq(memberships.userId, gone));
});
afterAll(() => console.close());

const ask = (who: string, question: Omit<WhoMayQuestion, 'clusterId'>) => {
  const id = ids.get(who) ?? 0;
  const orgRole = who === 'Olga' ? orgRoles.Owner : orgRoles.Member;
  const person = { id, companyId, orgRole, token: null } as Member;
  const { store } = console;
  return whoMay({ store, grants: createGrants(store) }, person, { clusterId, ...question });
};
const namesOf = async (who: string, question: Omit<WhoMayQuestion, 'clusterId'>) => {
  const { owners, people } = await ask(who, question);
  return [owners, people.map(({ name }) => name)];
};

describe('the list of people who may do something', () => {
  it('is told to an Owner of everybody who is active', async () => {
    expect(await namesOf('Olga', { need: 'pods.manage', namespace: 'shop' })).toEqual([
      ['Olga'],
      ['Sara', 'Tom'],
    ]);
    expect(await namesOf('Olga', { need: 'pods.manage', namespace: 'other' })).toEqual([['Olga'], ['Sara']]);
    expect(await namesOf('Olga', { need: 'pods.view', namespace: 'shop' })).toEqual([
      ['Olga'],
      ['Mia', 'Sara', 'Tom'],
    ]);
    expect(await namesOf('Olga', { need: 'owner' })).toEqual([['Olga'], []]);
  });

  it('has apart those whom nothing that the asker may know gives it', async () => {
    const others = async (who: string) => (await ask(who, { need: 'pods.manage', namespace: 'shop' })).others;
    expect(await others('Olga')).toEqual(['Mia']);
    expect(await others('Mia')).toEqual(['Mia']);
    // Of a person outside of their own teams a Member is told nothing.
    expect(await others('Sara')).toEqual([]);
  });

  it('says where, if no namespace is asked about', async () => {
    const { people } = await ask('Olga', { need: 'pods.manage' });
    expect(people).toEqual([
      { name: 'Sara', namespaces: 'all' },
      { name: 'Tom', namespaces: new Set(['shop', 'pay']) },
    ]);
  });

  it('is told to a Member of their own teams alone, and by what these give', async () => {
    expect(await namesOf('Mia', { need: 'pods.manage', namespace: 'shop' })).toEqual([['Olga'], ['Tom']]);
    // By the other team he may.
    expect(await namesOf('Mia', { need: 'secrets.view', namespace: 'other' })).toEqual([['Olga'], []]);
    expect(await namesOf('Mia', { need: 'pods.view', namespace: 'pay' })).toEqual([['Olga'], ['Mia', 'Tom']]);
    expect(await ask('Mia', { need: 'pods.view' })).toMatchObject({ isWhole: false });
  });

  it('is told to nobody who does not reach the cluster', async () => {
    await named('Stranger');
    await expect(ask('Stranger', { need: 'pods.view' })).rejects.toMatchObject({ status: 404 });
  });
});
