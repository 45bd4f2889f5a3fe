import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filtersLimit } from '../../../src/contract/filters.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
let companyId: number;
let person: TestPerson;

beforeAll(async () => {
  console = await startConsole();
  companyId = await console.company();
  person = await console.person({ companyId });
});
afterAll(() => console.close());

const save = (name: string, place: string, who = person) =>
  who.client.call('saveFilter', { params: { name }, body: { place } });
const read = async (who = person) => (await who.client.call('filters', {})).filters;

describe('saved filters of lists', () => {
  it('are kept for their person alone, by name, and leave no audit rows', async () => {
    await save('Sick pods', 'pods?q=is%3Aunhealthy&ns=shop');
    await save('all jobs', 'jobs');
    await save('Sick pods', 'pods?q=is%3Aunhealthy');
    expect(await read()).toEqual([
      { name: 'all jobs', place: 'jobs' },
      { name: 'Sick pods', place: 'pods?q=is%3Aunhealthy' },
    ]);
    expect(await read(await console.person({ companyId }))).toEqual([]);
    await person.client.call('deleteFilter', { params: { name: 'Sick pods' } });
    expect(await read()).toEqual([{ name: 'all jobs', place: 'jobs' }]);
    await expect(person.client.call('deleteFilter', { params: { name: 'Sick pods' } })).rejects.toMatchObject(
      { status: 404 },
    );
    expect(await console.store.db.select().from(audit)).toEqual([]);
  });

  it.each([
    '/pods',
    '../settings',
    'pods/../../2/pods',
    '//evil.example.com',
    'https://evil.example.com',
    'javascript:alert(1)',
    'pods?q=a b',
    'pods#x',
    '',
  ])('lead nowhere but to a list of a cluster: %j is refused', async (place) => {
    await expect(save('bad', place)).rejects.toMatchObject({ status: 400 });
  });

  it('have a visible name', async () => {
    await expect(save(' ', 'pods')).rejects.toMatchObject({ status: 400 });
    await expect(save('a\u202eb', 'pods')).rejects.toMatchObject({ status: 400 });
  });

  it('are bounded: one more is refused in words, one of a name that is there is not', async () => {
    const other = await console.person({ companyId });
    for (let at = 0; at < filtersLimit; at += 1) await save(`filter ${at}`, 'pods', other);
    await expect(save('one more', 'pods', other)).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining('Delete one'),
    });
    await save('filter 0', 'jobs', other);
  });
});
