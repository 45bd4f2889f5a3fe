import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { TestClient } from '../http-client.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

describe('the key of the last known rows', () => {
  let console: TestConsole;
  let companyId: number;
  let clusterId: number;
  let owner: TestPerson;

  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company();
    clusterId = await console.cluster(companyId);
    owner = await console.person({ companyId, isOwner: true });
  });
  afterAll(() => console.close());

  const keyOf = async ({ client }: Pick<TestPerson, 'client'>): Promise<string | undefined> =>
    (await client.call('isAuthenticated', {})).keptRowsKey;

  it('is the same at each visit of a session, and of 32 bytes', async () => {
    const key = await keyOf(owner);
    expect(Buffer.from(key ?? '', 'base64url')).toHaveLength(32);
    expect(await keyOf(owner)).toBe(key);
  });

  it('is of one session alone', async () => {
    const person = await console.person({ companyId });
    const first = await keyOf(person);
    expect(await keyOf({ client: await console.session(person.id, companyId) })).not.toBe(first);
    expect(first).not.toBe(await keyOf(owner));
  });

  it('is another once what the person may view changed, with the namespaces of a grant', async () => {
    const person = await console.person({ companyId });
    const keys = [await keyOf(person)];
    await console.grant(companyId, person.id, clusterId, teamRoles.Viewer, ['shop']);
    keys.push(await keyOf(person));
    await console.grant(companyId, person.id, clusterId, teamRoles.Viewer, ['data']);
    keys.push(await keyOf(person));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is given to nobody where the organisation has no rows kept, nor to a signed-out caller', async () => {
    await owner.client.call('setKeptRows', { body: { keepsRows: false } });
    expect(await keyOf(owner)).toBeUndefined();
    const saved = await owner.client.call('setKeptRows', { body: { keepsRows: true } });
    expect(saved.keepsRows).toBe(true);
    expect(await keyOf(owner)).toBeDefined();
    expect(await keyOf({ client: new TestClient(console.url) })).toBeUndefined();
  });
});
