import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
let companyId: number;
let clusterId: number;
let person: TestPerson;
let other: TestPerson;

beforeAll(async () => {
  console = await startConsole();
  companyId = await console.company();
  clusterId = await console.cluster(companyId, 'prod');
  person = await console.person({ companyId });
  other = await console.person({ companyId });
  for (const { id } of [person, other]) await console.grant(companyId, id, clusterId, teamRoles.Viewer);
});
afterAll(() => console.close());

const read = (who = person, id = clusterId) => who.client.call('userSettings', { params: { clusterId: id } });
const save = (body: { excludedNamespaces: string[]; webhooks?: { id: number }[] }, who = person) =>
  who.client.call('saveUserSettings', { params: { clusterId }, body });

describe('a person’s settings of a cluster', () => {
  it('leave nothing out at first, then what was saved, for this person and cluster alone', async () => {
    expect(await read()).toEqual({ excludedNamespaces: [], webhooks: [] });
    const saved = { excludedNamespaces: ['kube-system', 'lab'], webhooks: [] };
    expect(await save({ excludedNamespaces: ['lab', 'kube-system', 'lab'] })).toEqual(saved);
    expect(await read()).toEqual(saved);
    expect(await read(other)).toEqual({ excludedNamespaces: [], webhooks: [] });
    const second = await console.cluster(companyId, 'second');
    await console.grant(companyId, person.id, second, teamRoles.Viewer);
    expect(await read(person, second)).toEqual({ excludedNamespaces: [], webhooks: [] });
    expect(await save({ excludedNamespaces: [] })).toEqual({ excludedNamespaces: [], webhooks: [] });
  });

  it('are nobody’s business: they leave no audit rows', async () => {
    await save({ excludedNamespaces: ['lab'] });
    expect(await console.store.db.select().from(audit)).toEqual([]);
  });

  it('take a list of webhooks only if it is the one that is there', async () => {
    await save({ excludedNamespaces: ['lab'], webhooks: [] });
    await expect(save({ excludedNamespaces: [], webhooks: [{ id: 1 }] })).rejects.toMatchObject({
      status: 400,
      title: expect.stringContaining('added and deleted one by one'),
    });
    expect((await read()).excludedNamespaces).toEqual(['lab']);
  });

  it('name nothing that could not be a namespace', async () => {
    await expect(save({ excludedNamespaces: ['lab', 'Shop/../x'] })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'excludedNamespaces.1', message: expect.any(String) }],
    });
  });

  it('are reached by whoever reaches the cluster', async () => {
    const stranger = await console.person({ companyId });
    await expect(read(stranger)).rejects.toMatchObject({ status: 404 });
    await expect(save({ excludedNamespaces: [] }, stranger)).rejects.toMatchObject({ status: 404 });
  });

  it('are told to every open page of the person', async () => {
    const told = new Promise((resolve) => console.store.channel.on('userSettings', resolve));
    await save({ excludedNamespaces: ['shop'] });
    expect(await told).toEqual({ userId: person.id, clusterId });
  });
});
