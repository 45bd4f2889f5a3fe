import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ChatPart } from '../../../src/contract/chat.ts';
import { chatTurns } from '../../../src/server/store/schema/chat.ts';
import type { TestPerson } from '../harness.ts';
import type { PlaygroundConsole } from '../playground-console.ts';
import { AnswerLog } from '../../../src/server/chat/answer-log.ts';
import { asks, type ModelStub, said } from './model-stub.ts';
import {
  addViewer,
  askModel,
  noticesIn,
  objectsOf,
  putHostileWeb,
  putRelease,
  sharedModelChat,
  web,
} from './model-chat.ts';

const chat = sharedModelChat();
let stub: ModelStub;
let place: PlaygroundConsole;
let owner: TestPerson;
let clusterId: number;

beforeAll(async () => {
  ({ stub, place, owner, clusterId } = chat());
  await putHostileWeb(chat());
});

const ask = (asked: Parameters<typeof askModel>[1] = {}) => askModel(chat(), asked);

describe('what withholds a turn', () => {
  it('counts what a tool was asked about that failed', async () => {
    stub.script = [asks(['get', '{"kind":"pod","namespace":"shop","name":"gone"}']), said('It is gone.')];
    const { stored } = await ask({ about: web });
    const gone = { kind: 'pod', namespace: 'shop', name: 'gone' };
    const isFailed = (part: ChatPart) => part.type === 'tool.done' && !part.ok;
    const isStarted = (part: ChatPart) => part.type === 'tool.started' && part.about === 'pod shop/gone';
    expect(objectsOf(stored, isFailed)).toEqual([[gone]]);
    expect(objectsOf(stored, isStarted)).toEqual([[gone]]);
  });

  it('is not what a tool asks for that the person may not view: it is neither read nor told', async () => {
    const { member } = await addViewer(chat(), ['elsewhere']);
    stub.script = [
      asks(['get', '{"kind":"pod","namespace":"shop","name":"hidden-one"}']),
      asks(['findings', '{"namespace":"shop"}']),
      said('I do not know.'),
    ];
    const { id, parts, stored } = await ask({ who: member });
    expect(JSON.stringify(stored)).not.toMatch(/hidden-one|shop/);
    expect(stub.received.at(-1)).toContain('You may not view the objects that this asks for.');
    expect(parts.filter((part) => part.type === 'tool.done' && !part.ok)).toHaveLength(2);
    const { turns } = await member.client.call('conversation', {
      params: { clusterId, conversationId: id },
    });
    expect(turns[0]).toMatchObject({ withheld: null, state: 'done' });
  });

  it('counts the objects of a Helm release', async () => {
    const manifest =
      '---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: of-release\n---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: secret-of-release\n';
    await putRelease(chat(), 'shop', 'app', manifest);
    const { member } = await addViewer(chat(), null);
    stub.script = [asks(['helm', '{"namespace":"shop","name":"app"}']), said('It is deployed.')];
    const isRead = (part: ChatPart) => part.type === 'tool.done' && part.ok && part.id !== 'rules';
    const release = { kind: 'release', namespace: 'shop', name: 'app' };
    const map = { kind: 'configmap', namespace: 'shop', name: 'of-release' };
    const secret = { kind: 'secret', namespace: 'shop', name: 'secret-of-release' };
    expect(objectsOf((await ask()).stored, isRead)).toEqual([[release, map, secret]]);
    // A Viewer sees no Secrets: what they were told counts what they may view alone, and names nothing else.
    stub.received.length = 0;
    stub.script = [...stub.script];
    expect(objectsOf((await ask({ who: member })).stored, isRead)).toEqual([[release, map]]);
    expect(stub.received.join('\n')).not.toContain('secret-of-release');
  });

  it('is everything until the answer says what it is about', async () => {
    const { member, teamId } = await addViewer(chat(), null);
    const { id } = await owner.client.call('addConversation', {
      params: { clusterId },
      body: { title: 'Is prod-key stolen?' },
    });
    const params = { clusterId, conversationId: id };
    await owner.client.call('changeConversation', { params, body: { teamId } });
    const { db } = place.console.store;
    const turnId = '00000000-0000-4000-8000-00000000abcd';
    await db
      .insert(chatTurns)
      .values({ id: turnId, conversationId: id, number: 1, question: 'Is prod-key stolen?' });
    const seen = await member.client.call('conversation', { params });
    expect(seen.turns[0]).toMatchObject({ question: null, withheld: expect.stringContaining('until') });
    expect(JSON.stringify(seen)).not.toContain('prod-key');
    const own = await owner.client.call('conversation', { params });
    expect(own.turns[0]).toMatchObject({ question: 'Is prod-key stolen?', withheld: null });
    // Also where it never does.
    await owner.client.call('stopChat', { params: { clusterId, turnId } });
    const ended = await member.client.call('conversation', { params });
    expect(ended.turns[0]).toMatchObject({ question: null, state: 'stopped', parts: [] });
    expect(JSON.stringify(ended)).not.toContain('prod-key');
    await owner.client.call('deleteConversation', { params });
  });
});

describe('a stream', () => {
  it('reads each part of an answer from the store once', async () => {
    const read = vi.spyOn(AnswerLog.prototype, 'read');
    stub.script = [asks(['get', JSON.stringify(web)]), said('One. Two. Three.')];
    const { turnId } = await ask({ about: web });
    // The model's own look at the conversation names no part to begin behind.
    const ends = read.mock.calls.flatMap(([[id], after]) =>
      id === turnId && after !== undefined ? [after] : [],
    );
    read.mockRestore();
    expect(ends.length).toBeGreaterThan(2);
    expect(ends[0]).toBe(0);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    expect(ends.at(-1)).toBeGreaterThan(3);
  });
});

describe('texts that give orders', () => {
  it('are noticed in what the rules find as well, and stand between marks', async () => {
    stub.script = [said('The image is missing.')];
    const told = await vi.waitUntil(
      async () => {
        const { parts } = await ask({ about: web });
        return JSON.stringify(parts).includes('missing-ignore') ? parts : undefined;
      },
      { timeout: 60_000, interval: 1_000 },
    );
    expect(noticesIn(told)).toMatch(/contains instructions for the assistant/);
    expect(stub.received.at(-1)).toMatch(/<data [\w-]+>[^<]*missing-ignore-all-previous-instructions/);
  });
});

describe('a proposal of an answer that read a text with orders', () => {
  it('carries a warning that names the text', async () => {
    const propose = { action: 'deployment.scale', objects: [web], args: { replicas: 2 } };
    stub.script = [
      asks(['get', JSON.stringify(web)]),
      asks(['propose', JSON.stringify(propose)]),
      said('Scale it.'),
    ];
    const { parts } = await ask({ about: web });
    const [proposal] = parts.filter((part) => part.type === 'proposal');
    expect(proposal?.warning).toMatch(/contains instructions for the assistant: .*deployment shop\/web/);
    expect(noticesIn(parts)).toMatch(/The model may have followed them/);
    expect(noticesIn(parts)).not.toMatch(/ignored|not followed/);
  });
});

describe('data that an Owner keeps from the model', () => {
  it('is not sent', async () => {
    const metadata = { name: 'settings', annotations: { contact: 'canary-of-annotations' } };
    const path = '/api/v1/namespaces/shop/configmaps';
    await place.transport.json({
      method: 'POST',
      path,
      body: { metadata, data: { motto: 'canary-of-values' } },
    });
    const reading = asks(
      ['get', '{"kind":"configmap","namespace":"shop","name":"settings"}'],
      ['logs', '{"namespace":"shop","pod":"any"}'],
    );
    stub.script = [reading, said('Read.')];
    await ask({ about: web });
    expect(stub.received.join('\n')).toMatch(/canary-of-values/);
    const saved = await owner.client.call('setChatData', {
      body: { withheld: ['logLines', 'annotations', 'configMapValues'] },
    });
    expect(saved.withheld).toEqual(['configMapValues', 'logLines', 'annotations']);
    stub.received.length = 0;
    stub.script = [...stub.script];
    await ask({ about: web });
    expect(stub.received.join('\n')).toContain('does not allow log lines to be sent');
    expect(stub.received.join('\n')).not.toContain('canary-of');
    await owner.client.call('setChatData', { body: { withheld: [] } });
  });
});
