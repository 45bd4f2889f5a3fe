import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
let owner: TestPerson;
let member: TestPerson;
let companyId: number;
let clusterId: number;

beforeAll(async () => {
  console = await startConsole();
  companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
  member = await console.person({ companyId });
  clusterId = await console.cluster(companyId, 'prod');
  await console.grant(companyId, member.id, clusterId, teamRoles.TeamAdmin);
});
afterAll(() => console.close());

const rules = { isProtected: true, isReadOnly: false, isShellAllowed: false };
/** How a cluster is called and shown until an Owner says otherwise. */
const shown = {
  name: 'prod',
  description: '',
  environment: '',
  colour: 1,
  excludedNamespaces: [],
  chatMode: 'model',
  metrics: { from: 'metrics.k8s.io' },
};
const saved = {
  ...rules,
  ...shown,
  isPasskeyRequired: false,
  isShellRecorded: false,
  isImpersonating: false,
};
const save = (who: TestPerson, body: typeof rules & { isShellRecorded?: boolean } = rules) =>
  who.client.call('saveGlobalSettings', { params: { clusterId }, body });

describe('the rules of a cluster', () => {
  it('are set by an Owner, hold for everybody, and are on record', async () => {
    expect(await owner.client.call('globalSettings', { params: { clusterId } })).toEqual({
      isProtected: false,
      isReadOnly: false,
      isShellAllowed: true,
      isPasskeyRequired: false,
      isShellRecorded: false,
      isImpersonating: false,
      namespaces: [],
      ...shown,
    });
    expect(await save(owner)).toEqual({ ...saved, namespaces: [] });
    const seen = await member.client.call('clusters', {});
    expect(seen.find(({ id }) => id === clusterId)).toMatchObject(rules);
    const rows = await console.store.db
      .select()
      .from(audit)
      .orderBy(audit.id)
      .where(eq(audit.action, 'saveGlobalSettings'));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.subject).toMatchObject({ name: 'prod', isShellAllowed: false, isProtected: true });
  });

  it('keep the namespaces that are read one by one, which a change without them leaves alone', async () => {
    const namespaces = ['shop', 'lab'];
    const first = await owner.client.call('saveGlobalSettings', {
      params: { clusterId },
      body: { ...rules, namespaces: ['shop', 'lab', 'shop'] },
    });
    expect(first).toEqual({ ...saved, namespaces });
    expect(await save(owner)).toEqual({ ...saved, namespaces });
    const rows = await console.store.db
      .select()
      .from(audit)
      .orderBy(audit.id)
      .where(eq(audit.action, 'saveGlobalSettings'));
    expect(rows.map(({ subject }) => subject)).toContainEqual(
      expect.objectContaining({ namespaces: 'shop, lab, shop' }),
    );
    await expect(
      owner.client.call('saveGlobalSettings', {
        params: { clusterId },
        body: { ...rules, namespaces: ['Shop/../x'] },
      }),
    ).rejects.toMatchObject({ status: 400 });
  });

  it('record shells if an Owner says so, which a change without it leaves alone; it is on record before and after', async () => {
    expect(await save(owner, { ...rules, isShellRecorded: true })).toMatchObject({ isShellRecorded: true });
    expect(await save(owner)).toMatchObject({ isShellRecorded: true });
    const seen = await member.client.call('clusters', {});
    expect(seen.find(({ id }) => id === clusterId)).toMatchObject({ isShellRecorded: true });
    const { entries } = await owner.client.call('audit', { query: { action: 'saveGlobalSettings' } });
    expect(entries.map(({ changes }) => changes)).toContainEqual({
      isShellRecorded: { before: false, after: true },
    });
  });

  it('name and mark the cluster for everybody, with before and after on record', async () => {
    const identity = { name: 'production', description: 'All shops', environment: 'live', colour: 5 };
    const change = (body: object) =>
      owner.client.call('saveGlobalSettings', { params: { clusterId }, body: { ...rules, ...body } });
    expect(await change(identity)).toMatchObject(identity);
    const seen = await member.client.call('clusters', {});
    expect(seen.find(({ id }) => id === clusterId)).toMatchObject(identity);
    const [last] = await console.store.db
      .select()
      .from(audit)
      .orderBy(desc(audit.id))
      .where(eq(audit.action, 'saveGlobalSettings'))
      .limit(1);
    expect(last?.subject).toMatchObject({ name: 'prod' });
    expect(last?.changes).toEqual({
      name: { before: 'prod', after: 'production' },
      description: { before: '', after: 'All shops' },
      environment: { before: '', after: 'live' },
      colour: { before: 1, after: 5 },
    });
    await console.cluster(companyId, 'staging');
    await expect(change({ name: 'staging' })).rejects.toMatchObject({
      status: 409,
      title: 'A cluster named "staging" already exists. Choose another name.',
    });
    await expect(change({ name: ' ' })).rejects.toMatchObject({ status: 400 });
    await expect(change({ colour: 9 })).rejects.toMatchObject({ status: 400 });
    expect(await change({ name: 'production' })).toMatchObject({ name: 'production' });
  });

  it('exclude namespaces from the views of everybody, who may exclude more for themself', async () => {
    const change = (excludedNamespaces: string[]) =>
      owner.client.call('saveGlobalSettings', {
        params: { clusterId },
        body: { ...rules, excludedNamespaces },
      });
    const excluded = async (who: TestPerson) =>
      (await who.client.call('clusters', {})).find(({ id }) => id === clusterId)?.excludedNamespaces;
    expect((await change(['lab', 'kube-system', 'lab'])).excludedNamespaces).toEqual(['kube-system', 'lab']);
    expect(await excluded(member)).toEqual(['kube-system', 'lab']);
    await member.client.call('saveUserSettings', {
      params: { clusterId },
      body: { excludedNamespaces: ['archive', 'lab'] },
    });
    expect(await excluded(member)).toEqual(['archive', 'kube-system', 'lab']);
    expect(await excluded(owner)).toEqual(['kube-system', 'lab']);
    await change([]);
    expect(await excluded(member)).toEqual(['archive', 'lab']);
    expect(await excluded(owner)).toBeUndefined();
  });

  it('are nothing that a Team Admin reads or changes', async () => {
    await expect(save(member)).rejects.toMatchObject({ status: 403 });
    await expect(member.client.call('globalSettings', { params: { clusterId } })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('are those of clusters of the own company only', async () => {
    const stranger = await console.person({ companyId: await console.company('Other'), isOwner: true });
    await expect(save(stranger)).rejects.toMatchObject({ status: 404 });
  });
});
