import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { preferences } from '../../src/server/store/schema/profile.ts';
import { startConsole, type TestConsole } from './harness.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

describe('how a person likes to work', () => {
  test('is careful at first, what was saved afterwards, and for this person alone', async () => {
    const companyId = await console.company();
    const { client } = await console.person({ companyId });
    const other = await console.person({ companyId });
    expect(await client.call('preferences', {})).toEqual({ changes: 'confirm' });
    expect(await client.call('savePreferences', { body: { changes: 'hold' } })).toEqual({ changes: 'hold' });
    expect(await client.call('preferences', {})).toEqual({ changes: 'hold' });
    expect(await other.client.call('preferences', {})).toEqual({ changes: 'confirm' });
  });

  test('stays as it is when the keys are saved, and leaves the keys as they are', async () => {
    const { client } = await console.person({ companyId: await console.company() });
    const keymap = [{ keys: 'x', command: null }];
    await client.call('savePreferences', { body: { changes: 'hold' } });
    await client.call('saveKeymap', { body: { keymap } });
    await client.call('savePreferences', { body: { changes: 'hold' } });
    expect(await client.call('preferences', {})).toEqual({ changes: 'hold' });
    expect(await client.call('keymap', {})).toEqual({ keymap });
  });

  test('is careful again where another version stored something else, and takes nothing else', async () => {
    const { client } = await console.person({ companyId: await console.company() });
    await client.call('savePreferences', { body: { changes: 'hold' } });
    await console.store.db.update(preferences).set({ changes: 'at-once' });
    expect(await client.call('preferences', {})).toEqual({ changes: 'confirm' });
    await expect(
      client.call('savePreferences', { body: { changes: 'at-once' as never } }),
    ).rejects.toMatchObject({
      status: 400,
    });
  });
});
