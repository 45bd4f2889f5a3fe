import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatModel } from '../../../src/contract/chat-model.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { chatModels } from '../../../src/server/store/schema/chat.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type ModelStub, said, startModelStub } from './model-stub.ts';

let stub: ModelStub;
let console: TestConsole;
let owner: TestPerson;

beforeAll(async () => {
  stub = await startModelStub();
  console = await startConsole({ config: { allowCidrs: ['127.0.0.0/8'] } });
  owner = await console.person({ companyId: await console.company(), isOwner: true });
});
afterAll(async () => {
  await console.close();
  await stub.close();
});

const apiKey = 'canary-key-of-the-provider';
const settings = (more: object = {}) => ({
  provider: 'anthropic' as const,
  baseUrl: stub.url.href,
  model: 'stub',
  ...more,
});
const save = (more?: object): Promise<ChatModel> =>
  owner.client.call('saveChatModel', { body: settings(more) });
const test = () => owner.client.call('testChatModel', {});

describe('a model that an Owner enters', () => {
  it('has a key that is sealed, said by whom it was set, never told again and in no row of the audit', async () => {
    const saved = await save({ apiKey });
    expect(saved.entered).toMatchObject({ model: 'stub', key: { setBy: 'Robin Example' } });
    const kept = await save({ model: 'other' });
    expect(kept.entered).toMatchObject({ model: 'other', key: saved.entered?.key });
    const { db } = console.store;
    const [row] = await db.select().from(chatModels);
    expect(row?.apiKey?.toString('latin1')).not.toContain('canary');
    const audited = JSON.stringify(await db.select().from(audit));
    expect(audited).toContain('saveChatModel');
    expect(JSON.stringify([saved, kept, audited, console.log])).not.toContain('canary');
  });

  it('keeps its key from another address and another provider', async () => {
    await save({ apiKey });
    for (const elsewhere of [{ baseUrl: 'https://evil.example/v1' }, { provider: 'openai-compatible' }])
      await expect(save(elsewhere)).rejects.toMatchObject({
        status: 400,
        issues: [{ path: 'apiKey' }],
      });
    expect((await save({ provider: 'openai-compatible', apiKey: null })).entered?.key).toBeNull();
  });

  it.each([
    'http://169.254.169.254/v1',
    'https://localhost./v1',
    'https://10.0.0.1/v1',
    'https://[::ffff:192.168.1.1]/v1',
    'https://user:password@models.example/v1',
    'ftp://models.example',
    'nonsense',
  ])('is refused at %s, and nothing is stored', async (baseUrl) => {
    const strict = await startStrict();
    await expect(
      strict.client.call('saveChatModel', { body: settings({ baseUrl, apiKey }) }),
    ).rejects.toMatchObject({ status: 400 });
    expect((await strict.client.call('chatModel', {})).entered).toBeNull();
  });

  it('is removed with its key; the limits stay', async () => {
    await save({ apiKey });
    await owner.client.call('setChatBudget', { body: { personLimit: 10, companyLimit: null } });
    const { entered, personLimit } = await owner.client.call('removeChatModel', {});
    expect([entered, personLimit]).toEqual([null, 10]);
    const [row] = await console.store.db.select().from(chatModels);
    expect(row).toMatchObject({ apiKey: null, keySetAt: null, keySetBy: null, tokensPerPerson: 10 });
    await expect(test()).rejects.toMatchObject({ status: 409 });
  });
});

describe.each(['openai-compatible', 'anthropic'] as const)('a test of a model at %s', (provider) => {
  beforeAll(() => save({ provider, apiKey }));

  it('makes one tiny request, and counts what it took', async () => {
    stub.script = [said('OK')];
    stub.received.length = 0;
    const { company: before } = (await owner.client.call('chatModel', {})).usedToday;
    expect(await test()).toMatchObject({ ok: true, sentence: expect.stringMatching(/^stub at .* answered/) });
    expect(stub.received).toHaveLength(1);
    const { usedToday } = await owner.client.call('chatModel', {});
    expect(usedToday.company).toBe(before + 10);
    expect(usedToday.people).toEqual([{ name: 'Robin Example', used: before + 10 }]);
  });

  it.each([
    ['a wrong key', { status: 401 }, /refuses the key/],
    ['an unknown model', { status: 404 }, /no such model/],
    ['a limit', { status: 429, headers: { 'retry-after': '7' } }, /takes no more questions.* in 7 s/],
    ['a failure', { status: 529 }, /failed \(529\)/],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, /redirects are not/],
    ['nonsense', { raw: ['nonsense'] }, /no answer that can be read/],
  ] as const)('says of %s what it is, and nothing that the provider said', async (_, answer, sentence) => {
    stub.script = [answer];
    const result = await test();
    expect(result).toEqual({ ok: false, sentence: expect.stringMatching(sentence) });
    expect(result.sentence).not.toContain('canary');
  });

  it('says that nothing listens, and that a name leads nowhere', async () => {
    await save({ provider, apiKey, baseUrl: 'http://127.0.0.1:1/v1' });
    expect((await test()).sentence).toMatch(/cannot be reached/);
    await save({ provider, apiKey, baseUrl: 'https://0.0.0.0.nip.example/v1' });
    expect((await test()).sentence).toMatch(/cannot be reached/);
    await save({ provider, apiKey });
  });
});

let strict: TestConsole | undefined;
afterAll(() => strict?.close());

/** An Owner of a console whose operator allows no private address. */
async function startStrict(): Promise<TestPerson> {
  strict ??= await startConsole();
  return await strict.person({ companyId: await strict.company(), isOwner: true });
}
