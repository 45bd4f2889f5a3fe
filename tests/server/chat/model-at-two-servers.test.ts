import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { openLive } from '../live/live-client.ts';
import type { PlaygroundConsole } from '../playground-console.ts';
import { type ModelStub, said } from './model-stub.ts';
import { askModel, sharedModelChat, web } from './model-chat.ts';

const chat = sharedModelChat();
let stub: ModelStub;
let place: PlaygroundConsole;
let owner: TestPerson;
let clusterId: number;

beforeAll(async () => {
  ({ stub, place, owner, clusterId } = chat());
});

describe('with two servers', () => {
  let there: TestConsole;
  let atThere: TestPerson['client'];
  /** Nobody who asked before: a person has 30 questions a minute. */
  let asker: TestPerson;
  beforeAll(async () => {
    asker = await place.console.person({ companyId: place.companyId, isOwner: true });
    const { databaseUrl, modelPolicy } = place.console.services.config;
    there = await startConsole({ config: { databaseUrl, modelPolicy } });
    atThere = await there.session(owner.id, place.companyId);
  });
  afterAll(() => there.close());

  /** Which model the next question here is put to, and with which key; undefined where the rules answer alone. */
  const nextAsked = async () => {
    stub.script = [said('Well.')];
    stub.received.length = 0;
    await askModel(chat(), { who: asker, about: web });
    const [, name] = /"model":"([^"]*)"/.exec(stub.received.at(-1) ?? '') ?? [];
    const { authorization, 'x-api-key': key } = stub.headers.at(-1) ?? {};
    return name === undefined ? undefined : `${name} with ${String(authorization ?? key)}`;
  };

  it('a model that is saved, changed or removed at one answers the next question at the other, whose pages hear of it', async () => {
    const { url } = place.console;
    const page = await openLive(url, { cookie: owner.client.cookie, origin: url });
    const shown = async () => (await owner.client.call('chat', { params: { clusterId } })).model?.name;
    const change = async (make: () => Promise<unknown>) => {
      const before = page.account;
      await make();
      await page.until('a notice of the change', () => page.account > before);
    };
    const save = (body: { provider: 'openai-compatible' | 'anthropic'; model: string; apiKey?: string }) =>
      change(() => atThere.call('saveChatModel', { body: { baseUrl: stub.url.href, ...body } }));
    try {
      expect(await nextAsked()).toBe('stub with Bearer key-of-the-provider');
      await save({ provider: 'openai-compatible', model: 'first', apiKey: 'first-key' });
      expect(await shown()).toBe('first');
      expect(await nextAsked()).toBe('first with Bearer first-key');
      await save({ provider: 'anthropic', model: 'second', apiKey: 'second-key' });
      expect(await shown()).toBe('second');
      expect(await nextAsked()).toBe('second with second-key');
      await change(() => atThere.call('setChatBudget', { body: { personLimit: 1, companyLimit: null } }));
      expect(await nextAsked()).toBeUndefined();
      await change(() => atThere.call('setChatBudget', { body: { personLimit: null, companyLimit: null } }));
      await change(() => atThere.call('removeChatModel', {}));
      expect(await shown()).toBe('stub');
      expect(await nextAsked()).toBe('stub with Bearer key-of-the-provider');
    } finally {
      page.socket.terminate();
      await atThere.call('removeChatModel', {});
    }
  });
});
