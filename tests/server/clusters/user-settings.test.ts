import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { api } from '../../../src/contract/api.ts';
import type { CallOf } from '../../../src/contract/endpoint.ts';
import { userClusterSettings } from '../../../src/server/store/schema/clusters.ts';
import type { Webhook } from '../../../src/contract/webhooks.ts';
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
type Body = CallOf<typeof api.saveUserSettings>['body'];
const save = (body: Body, who = person) =>
  who.client.call('saveUserSettings', { params: { clusterId }, body });
/** What somebody has who never said anything. */
const usual = {
  excludedNamespaces: [],
  favouriteNamespaces: [],
  sort: null,
  isWide: false,
  webhooks: [],
};

describe('a person’s settings of a cluster', () => {
  it('leave nothing out at first, then what was saved, for this person and cluster alone', async () => {
    expect(await read()).toEqual(usual);
    const saved = { ...usual, excludedNamespaces: ['kube-system', 'lab'] };
    expect(await save({ excludedNamespaces: ['lab', 'kube-system', 'lab'] })).toEqual(saved);
    expect(await read()).toEqual(saved);
    expect(await read(other)).toEqual(usual);
    const second = await console.cluster(companyId, 'second');
    await console.grant(companyId, person.id, second, teamRoles.Viewer);
    expect(await read(person, second)).toEqual(usual);
    expect(await save({ excludedNamespaces: [] })).toEqual(usual);
  });

  it('say how lists begin, which the list of clusters tells the page', async () => {
    const defaults = { favouriteNamespaces: ['shop', 'lab'], sort: '-age' as const, isWide: true };
    const seen = async (who: TestPerson) =>
      (await who.client.call('clusters', {})).find(({ id }) => id === clusterId)?.defaults;
    expect(await seen(person)).toBeUndefined();
    const saved = await save({
      excludedNamespaces: ['lab'],
      ...defaults,
      favouriteNamespaces: ['shop', 'lab', 'shop'],
    });
    expect(saved).toEqual({ ...usual, ...defaults, excludedNamespaces: ['lab'] });
    expect(await seen(person)).toEqual(defaults);
    expect(await seen(other)).toBeUndefined();
    // What a client does not know stays as it is.
    expect(await save({ excludedNamespaces: [] })).toEqual({ ...usual, ...defaults });
    await expect(save({ excludedNamespaces: [], sort: 'status' as 'name' })).rejects.toMatchObject({
      status: 400,
    });
    await console.store.db.update(userClusterSettings).set({ sort: 'by-moon' });
    expect((await read()).sort).toBeNull();
    await save(usual);
    expect(await seen(person)).toBeUndefined();
  });

  it('are nobody’s business: they leave no audit rows', async () => {
    await save({ excludedNamespaces: ['lab'] });
    expect(await console.store.db.select().from(audit)).toEqual([]);
  });

  it('take a list of webhooks only if it is the one that is there', async () => {
    const unknown: Webhook = {
      id: '00000000-0000-4000-8000-000000000000',
      origin: 'https://hooks.example.org',
      format: 'standard',
      events: ['job.failed'],
      createdAt: new Date(0).toISOString(),
      previousUntil: null,
      disabledReason: null,
    };
    await save({ excludedNamespaces: ['lab'], webhooks: [] });
    await expect(save({ excludedNamespaces: [], webhooks: [unknown] })).rejects.toMatchObject({
      status: 400,
      title: expect.stringContaining('add and delete them one by one'),
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
