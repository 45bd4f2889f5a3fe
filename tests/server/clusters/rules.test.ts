import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
let owner: TestPerson;
let member: TestPerson;
let clusterId: number;

beforeAll(async () => {
  console = await startConsole();
  const companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
  member = await console.person({ companyId });
  clusterId = await console.cluster(companyId, 'prod');
  await console.grant(companyId, member.id, clusterId, teamRoles.TeamAdmin);
});
afterAll(() => console.close());

const rules = { isProtected: true, isReadOnly: false, isShellAllowed: false };
const saved = { ...rules, isShellRecorded: false };
const save = (who: TestPerson, body: typeof rules & { isShellRecorded?: boolean } = rules) =>
  who.client.call('saveGlobalSettings', { params: { clusterId }, body });

describe('the rules of a cluster', () => {
  it('are set by an Owner, hold for everybody, and are on record', async () => {
    expect(await owner.client.call('globalSettings', { params: { clusterId } })).toEqual({
      isProtected: false,
      isReadOnly: false,
      isShellAllowed: true,
      isShellRecorded: false,
      namespaces: [],
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
