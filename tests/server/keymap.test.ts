import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keymapLimit } from '../../src/contract/keymap.ts';
import { preferences } from '../../src/server/store/schema/profile.ts';
import { startConsole, type TestConsole, type TestPerson } from './harness.ts';
import { openLive } from './live/live-client.ts';

let console: TestConsole;
const pageOf = ({ client }: TestPerson) =>
  openLive(console.url, {
    origin: console.url,
    cookie: `${client.sessionCookie}=${client.cookies.get(client.sessionCookie)}`,
  });
let person: TestPerson;
beforeAll(async () => {
  console = await startConsole();
  person = await console.person({ companyId: await console.company() });
});
afterAll(() => console.close());

describe('a person’s keys', () => {
  test('are none at first, and what was saved afterwards, for this person alone', async () => {
    expect(await person.client.call('keymap', {})).toEqual({ keymap: [] });
    const keymap = [
      { keys: 'mod+e', command: 'pod.list' },
      { keys: 'x', command: null, when: { focus: ['table', 'page'] } },
      { keys: 'g z', command: 'of.tomorrow', when: [{ kind: 'pod' }, { moon: 'full' }] },
    ];
    expect(await person.client.call('saveKeymap', { body: { keymap } })).toEqual({ keymap });
    expect(await person.client.call('keymap', {})).toEqual({ keymap });
    await person.client.call('saveKeymap', { body: { keymap: [] } });
    await person.client.call('saveKeymap', { body: { keymap } });
    expect(await person.client.call('keymap', {})).toEqual({ keymap });
    const other = await console.person({ companyId: await console.company() });
    expect(await other.client.call('keymap', {})).toEqual({ keymap: [] });
  });

  test.each([
    ['an unknown field', [{ keys: 'x', command: null, args: {} }]],
    ['no keys', [{ keys: ' ', command: null }]],
    ['no command', [{ keys: 'x' }]],
    ['endless keys', [{ keys: 'x'.repeat(61), command: null }]],
    ['a condition that is no value', [{ keys: 'x', command: null, when: { focus: 1 } }]],
    ['a condition of another form', [{ keys: 'x', command: null, when: { '__proto__ ': 'x' } }]],
    ['too many lines', Array.from({ length: keymapLimit + 1 }, () => ({ keys: 'x', command: null }))],
  ])('with %s are refused', async (_name, keymap) => {
    await expect(
      person.client.call('saveKeymap', { body: { keymap: keymap as never } }),
    ).rejects.toMatchObject({ status: 400 });
  });

  test('that another version stored do not keep the console from working', async () => {
    const { id, client } = await console.person({ companyId: await console.company() });
    await client.call('saveKeymap', { body: { keymap: [] } });
    await console.store.db.update(preferences).set({ keymap: [{ chords: ['x'] }] });
    expect(await client.call('keymap', {})).toEqual({ keymap: [] });
    expect(id).toBeGreaterThan(0);
  });

  test("a change reaches every open page of the person, and no other person's", async () => {
    const other = await console.person({ companyId: await console.company() });
    const mine = await pageOf(person);
    const theirs = await pageOf(other);
    await person.client.call('saveKeymap', { body: { keymap: [] } });
    await mine.until('the page is told', () => mine.preferences === 1);
    await other.client.call('saveKeymap', { body: { keymap: [] } });
    await theirs.until('the other page is told of its own', () => theirs.preferences === 1);
    expect(mine.preferences).toBe(1);
    await mine.close();
    await theirs.close();
  });
});
