import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatModel, highestTokenLimit, tokenLimits } from '../../../src/contract/chat-model.ts';
import { ChatModels } from '../../../src/server/chat/chat-models.ts';
import { testModel } from '../../../src/server/chat/model-test.ts';
import type { ModelSettings } from '../../../src/server/kit/config-values.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { chatModels, chatUsage } from '../../../src/server/store/schema/chat.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type ModelStub, said, startModelStub } from './model-stub.ts';

let stub: ModelStub;
let console: TestConsole;
let owner: TestPerson;

beforeAll(async () => {
  stub = await startModelStub();
  console = await startConsole({
    config: { modelPolicy: { allowPorts: [Number(stub.url.port), 1], allowCidrs: ['127.0.0.0/8'] } },
  });
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
    const path = `${stub.url.href}/canary-path`;
    for (const elsewhere of [
      { baseUrl: 'https://evil.example/v1' },
      { baseUrl: path },
      { provider: 'openai-compatible' },
    ])
      await expect(save(elsewhere)).rejects.toMatchObject({
        status: 400,
        issues: [{ path: 'apiKey' }],
      });
    expect((await save({ baseUrl: `${stub.url.href}/` })).entered?.key).not.toBeNull();
    await save({ baseUrl: path, apiKey });
    const audited = await console.store.db.select().from(audit).orderBy(audit.id);
    expect(audited.at(-1)?.changes).toMatchObject({ path: { before: 'kept', after: 'changed' } });
    expect(JSON.stringify(audited)).not.toContain('canary');
    expect((await save({ provider: 'openai-compatible', apiKey: null })).entered?.key).toBeNull();
  });

  it.each([
    'http://169.254.169.254/v1',
    'https://localhost./v1',
    'https://models.example:6443/v1',
    'http://127.0.0.1:8080/v1',
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
    await owner.client.call('setChatBudget', { body: { personLimit: null, companyLimit: null } });
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
    ['a wrong key', { status: 401 }, /rejects the key/],
    ['an unknown model', { status: 404 }, /no such model/],
    ['a limit', { status: 429, headers: { 'retry-after': '7' } }, /accepts no more questions.* in 7 s/],
    ['a failure', { status: 529 }, /failed \(529\)/],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, /redirects are not/],
    ['nonsense', { raw: ['nonsense'] }, /could not be read/],
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

describe('the model of the environment', () => {
  const modelsOf = ({ store, services }: TestConsole) =>
    new ChatModels({
      store,
      vault: services.vault,
      ai: ofEnvironment(),
      modelPolicy: { allowPorts: [], allowCidrs: [] },
    });

  it('is asked up to the default limits, whatever an Owner sets: also by a test', async () => {
    const { client, companyId, id } = await startStrict();
    if (strict === undefined) throw new Error('There is no console.');
    await client.call('setChatBudget', {
      body: { personLimit: highestTokenLimit, companyLimit: highestTokenLimit },
    });
    const models = modelsOf(strict);
    expect(await models.limits(companyId)).toEqual(tokenLimits);
    stub.script = [said('OK')];
    stub.received.length = 0;
    expect(await client.call('testChatModel', {})).toMatchObject({ ok: true });
    const { db } = strict.store;
    const [used] = await db.select().from(chatUsage).where(eq(chatUsage.userId, id));
    expect(used).toMatchObject({ inputTokens: 9, outputTokens: 1 });
    await db.update(chatUsage).set({ inputTokens: tokenLimits.person }).where(eq(chatUsage.userId, id));
    expect(await client.call('testChatModel', {})).toEqual({
      ok: false,
      sentence: expect.stringContaining('used up today’s model tokens'),
    });
    expect(stub.received).toHaveLength(1);
    // Of their own model Owners say how much it may take; removing it brings the default back.
    await client.call('saveChatModel', { body: settings({ baseUrl: 'https://models.example/v1' }) });
    expect((await models.limits(companyId)).person).toBe(highestTokenLimit);
    await client.call('removeChatModel', {});
    expect(await models.limits(companyId)).toEqual(tokenLimits);
  });

  it('is told nothing more once an Owner enters another', async () => {
    const { client, companyId } = await startStrict();
    if (strict === undefined) throw new Error('There is no console.');
    const answering = await modelsOf(strict).of(companyId);
    if (answering === undefined) throw new Error('No model answers.');
    stub.script = [said('OK')];
    const never = new AbortController().signal;
    expect(await testModel(answering, never, pino({ level: 'silent' }))).toMatchObject({ ok: true });
    stub.received.length = 0;
    // Limits alone are no other model.
    await client.call('setChatBudget', { body: { personLimit: 1_000, companyLimit: null } });
    expect(await testModel(answering, never, pino({ level: 'silent' }))).toMatchObject({ ok: true });
    await client.call('saveChatModel', { body: settings({ baseUrl: 'https://models.example/v1' }) });
    expect((await testModel(answering, never, pino({ level: 'silent' }))).sentence).toMatch(
      /changed the model, so the answer was stopped/,
    );
    expect(stub.received).toHaveLength(1);
  });
});

it('at an address that must not be dialled is told from none that answers in the log alone', async () => {
  const { client, companyId } = await startStrict();
  if (strict === undefined) throw new Error('There is no console.');
  await client.call('saveChatModel', { body: settings({ baseUrl: 'https://nothing.invalid/v1' }) });
  const unreachable = await client.call('testChatModel', {});
  // As a name that leads to it since it was entered.
  await strict.store.db
    .update(chatModels)
    .set({ baseUrl: 'https://127.0.0.1/v1' })
    .where(eq(chatModels.companyId, companyId));
  expect(await client.call('testChatModel', {})).toEqual(unreachable);
  expect(JSON.stringify(strict.log)).toContain('loopback');
});

let strict: TestConsole | undefined;
afterAll(() => strict?.close());

/** The model of the operator of `startStrict`. */
const ofEnvironment = (): ModelSettings => ({
  provider: 'openai-compatible',
  baseUrl: stub.url,
  model: 'of-the-environment',
  apiKey: null,
});

/** An Owner of a console whose operator allows no private address, and pays a model. */
async function startStrict(): Promise<TestPerson & { readonly companyId: number }> {
  strict ??= await startConsole({
    // What clusters may have opens nothing to models.
    config: { ai: ofEnvironment(), allowCidrs: ['127.0.0.0/8'] },
  });
  const companyId = await strict.company();
  return { ...(await strict.person({ companyId, isOwner: true })), companyId };
}
