import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ChatPart, turnPageSize } from '../../../src/contract/chat.ts';
import { StandIns } from '../../../src/server/chat/stand-ins.ts';
import { chatTurns } from '../../../src/server/store/schema/chat.ts';
import type { TestPerson } from '../harness.ts';
import { deploymentOf, type PlaygroundConsole } from '../playground-console.ts';
import { changes } from '../../../src/server/chat/changes-tool.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import { Problem } from '../../../src/contract/problem.ts';
import { readAnswer } from './answers.ts';
import { asks, type ModelStub, said } from './model-stub.ts';
import { addViewer, askModel, objectsOf, putHostileWeb, putRelease, sharedModelChat } from './model-chat.ts';

const chat = sharedModelChat();
let stub: ModelStub;
let place: PlaygroundConsole;
let owner: TestPerson;
let clusterId: number;

const post = (path: string, body: object) => place.transport.json({ method: 'POST', path, body });

beforeAll(async () => {
  ({ stub, place, owner, clusterId } = chat());
  await putHostileWeb(chat());
});

const ask = (asked: Parameters<typeof askModel>[1] = {}) => askModel(chat(), asked);

describe('the tool changes', () => {
  it('knows the audit for Owners alone, revisions, and who wrote last, and says what it cannot know', async () => {
    const map = { kind: 'configmap', namespace: 'shop', name: 'rules' };
    await owner.client.call('createObject', {
      params: { clusterId, kind: 'configmap' },
      query: { namespace: 'shop' },
      body: { object: { metadata: { name: 'rules' }, data: { mode: 'dark' } } },
    });
    const asking = [asks(['changes', JSON.stringify(map)]), said('It was made by hand.')];
    stub.script = asking;
    const { stored } = await ask();
    const told = stub.received.at(-1) ?? '';
    expect(told).toMatch(/object\.create/);
    expect(told).toMatch(/who\\*":\\*"person \d{6}/);
    expect(told).toMatch(/managed fields.*data\.mode/);
    expect(told).toContain('Nothing records every change');
    const isRead = (part: ChatPart) => part.type === 'tool.done' && part.ok && part.id !== 'rules';
    expect(objectsOf(stored, isRead)).toEqual([[map, { kind: 'configmap', need: 'owner' }]]);

    const { member } = await addViewer(chat(), null);
    stub.received.length = 0;
    stub.script = [...asking];
    const { stored: theirs } = await ask({ who: member });
    const less = stub.received.at(-1) ?? '';
    expect(less).toContain('Only Owners can read the audit');
    expect(less).not.toMatch(/object\.create/);
    expect(less).toMatch(/managed fields.*data\.mode/);
    expect(objectsOf(theirs, isRead)).toEqual([[map]]);
  });

  it('knows the revisions of a rollout, and those of its Helm release for whoever may see it', async () => {
    const front = { kind: 'deployment', namespace: 'shop', name: 'front' };
    const path = '/apis/apps/v1/namespaces/shop/deployments';
    const body = deploymentOf('shop', 'front', 'example/front:1', 0);
    const annotations = {
      'meta.helm.sh/release-name': 'front',
      'meta.helm.sh/release-namespace': 'elsewhere',
    };
    await putRelease(chat(), 'elsewhere', 'front', '');
    await post(path, { ...body, metadata: { ...body.metadata, annotations } });
    const [container] = body.spec.template.spec.containers;
    const untilRevisions = (count: number) =>
      vi.waitUntil(
        async () => {
          const params = { clusterId, kind: 'deployment', name: 'front' };
          const { revisions } = await owner.client.call('revisions', {
            params,
            query: { namespace: 'shop' },
          });
          return revisions.length === count;
        },
        { timeout: 60_000 },
      );
    await untilRevisions(1);
    await place.transport.json({
      method: 'PATCH',
      path: `${path}/front`,
      contentType: 'application/merge-patch+json',
      body: {
        metadata: { annotations: { 'kubernetes.io/change-cause': 'Second release, password=canary-cause' } },
        spec: { template: { spec: { containers: [{ ...container, image: 'example/front:2' }] } } },
      },
    });
    await untilRevisions(2);
    const asking = [asks(['changes', JSON.stringify(front)]), said('It was released.')];
    const isRead = (part: ChatPart) => part.type === 'tool.done' && part.ok && part.id !== 'rules';
    const told = () => (stub.received.at(-1) ?? '').replaceAll('\\', '');
    stub.script = asking;
    const { stored } = await ask();
    for (const revision of [1, 2])
      expect(told()).toMatch(
        new RegExp(
          `"from":"rollout","revision":${revision},[^{}]*"images":\\[[^\\]]*example/front:${revision}"`,
        ),
      );
    expect(told()).toContain('Second release, password=[redacted]');
    expect(told()).toMatch(/"from":"helm","revision":1,"status":"deployed","chart":"front-chart 1\.0\.0"/);
    const release = { kind: 'release', namespace: 'elsewhere', name: 'front' };
    expect(objectsOf(stored, isRead)).toEqual([[front, release]]);

    // Whoever does not see the namespace of the release learns of the rollout alone.
    const { member } = await addViewer(chat(), ['shop']);
    stub.script = [...asking];
    const { stored: theirs } = await ask({ who: member });
    expect(told()).toMatch(/"from":"rollout","revision":2/);
    expect(told()).toContain('The history of its Helm release could not be read.');
    expect(told()).not.toMatch(/"from":"helm"|front-chart/);
    expect(objectsOf(theirs, isRead)).toEqual([[front]]);
  });

  it('tells a model no address of a person, and the answer who the stand-ins mean', async () => {
    const other = await place.console.person({ companyId: place.companyId, isOwner: true });
    const map = { kind: 'configmap', namespace: 'shop', name: 'shared' };
    const params = { clusterId, kind: 'configmap' };
    const body = {
      object: {
        metadata: {
          name: 'shared',
          annotations: { contact: `${owner.email.toUpperCase()} or ${other.email}` },
        },
        data: {},
      },
    };
    await owner.client.call('createObject', { params, query: { namespace: 'shop' }, body });
    await other.client.call('runAction', {
      params: { clusterId, actionId: 'object.labels' },
      body: { refs: [map], args: { labels: { team: 'blue' } } },
    });
    const askAll = async (conversationId: string, question: string, who = owner) => {
      const turn = await who.client.call('askChat', {
        params: { clusterId, conversationId },
        body: { question },
      });
      const { parts } = await readAnswer(who.client, clusterId, turn.id);
      return parts.map(({ part }) => part);
    };
    const people = (parts: readonly ChatPart[]) =>
      parts.flatMap((part) => (part.type === 'person' ? [`${part.id}: ${part.address}`] : []));
    const { id } = await owner.client.call('addConversation', {
      params: { clusterId },
      body: { title: 'T' },
    });
    stub.script = [
      asks(['changes', JSON.stringify(map)]),
      asks(['get', JSON.stringify(map)]),
      said('person #1 changed what person #2 made.'),
    ];
    const first = people(await askAll(id, 'Who changed shared?'));
    expect(new Set(first.map((one) => one.split(': ')[1]))).toEqual(new Set([owner.email, other.email]));
    // They stay the same in the next answer, whose question names one of them.
    stub.script = [said('It was person #1.')];
    const second = people(await askAll(id, `What else did ${owner.email} do?`));
    expect(new Set(second)).toEqual(new Set(first));
    const received = stub.received.join('\n').toLowerCase();
    for (const address of [owner.email, other.email]) expect(received).not.toContain(address.toLowerCase());
    expect(received).toContain('what else did person');
    // Whoever is no Owner reads none of it.
    const { member, teamId } = await addViewer(chat(), null);
    const shared = { clusterId, conversationId: id };
    await owner.client.call('changeConversation', { params: shared, body: { teamId } });
    const { turns } = await member.client.call('conversation', { params: shared });
    expect(turns.map(({ parts }) => parts)).toEqual([[], []]);
    expect(JSON.stringify(turns)).not.toContain('example.org');
    // They stay the same behind more turns than a page has.
    await place.console.store.db.insert(chatTurns).values(
      Array.from({ length: turnPageSize }, (_, at) => ({
        id: randomUUID(),
        conversationId: id,
        number: 3 + at,
        question: 'And now?',
        state: 'done' as const,
      })),
    );
    stub.script = [said('It was both.')];
    const later = people(await askAll(id, `What did ${other.email} and ${owner.email} do?`));
    expect(new Set(later)).toEqual(new Set(first));
  });

  it('tells a model no address of a member by other tools and by questions either, for whoever may see the texts', async () => {
    const { member } = await addViewer(chat(), ['shop']);
    const [local = ''] = owner.email.split('@');
    const map = { kind: 'configmap', namespace: 'shop', name: 'contacts' };
    // So often that the result is cut, in the middle of one.
    const annotations = { contact: `${owner.email} `.repeat(400), outside: 'desk@elsewhere.example' };
    await post('/api/v1/namespaces/shop/configmaps', { metadata: { name: map.name, annotations } });
    stub.script = [asks(['get', JSON.stringify(map)]), said('Ask person #2.')];
    const { parts, stored } = await ask({ who: member, question: `Is it of ${member.email}?` });
    const people = parts.flatMap((part) => (part.type === 'person' ? [part.address] : []));
    // Somebody else’s address is masked alike.
    expect(people.slice(0, 2)).toEqual([member.email, owner.email]);
    expect(people.slice(2)).toEqual(['desk@elsewhere.example']);
    expect(objectsOf(stored, ({ type }) => type === 'person')).toEqual([[], [map], [map]]);
    const received = stub.received.join('\n');
    expect(received).not.toContain(local);
    expect(received).not.toContain(member.email);
    expect(received).not.toContain('desk@elsewhere.example');
  });

  it('answers in 8 KB at most, and says how many there are and how to narrow it', async () => {
    const managedFields = Array.from({ length: 300 }, (_, at) => ({
      manager: `manager-${at}`,
      operation: 'Update',
      time: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
      fieldsV1: { 'f:data': { [`f:key-${at}`]: {} } },
    }));
    const done = await changes.run(
      { kind: 'configmap', namespace: 'shop', name: 'rules' },
      {
        clusterId,
        reach: () => Promise.reject(new Error('unused')),
        findKind: () => Promise.resolve(kindById('configmap') as never),
        calls: {
          read: (name: string) =>
            name === 'object'
              ? Promise.resolve({ metadata: { name: 'rules', namespace: 'shop' } })
              : Promise.reject(new Problem({ status: 403, title: 'No.' })),
        } as never,
        readLog: () => Promise.reject(new Error('unused')),
        propose: () => Promise.reject(new Error('unused')),
        people: new StandIns([]),
        withheld: new Set(),
        readManagedFields: () => Promise.resolve(managedFields),
      },
    );
    expect(Buffer.byteLength(JSON.stringify(done.data))).toBeLessThan(8 * 1024);
    expect(JSON.stringify(done.data)).toMatch(/\d+ of 300: narrow it/);
  });
});

describe('the tool list', () => {
  it('leaves out namespaces that the person excludes, says how many objects are there, and lists one that is named', async () => {
    const { member } = await addViewer(chat(), null);
    const body = { excludedNamespaces: ['shop'] };
    await member.client.call('saveUserSettings', { params: { clusterId }, body });
    const asking = [
      asks(['list', '{"kind":"deployment","filter":"web"}']),
      asks(['list', '{"kind":"deployment","namespace":"shop","filter":"web"}']),
      said('There is one.'),
    ];
    const note = /1 more in namespaces that the person excludes from views\. Name a namespace/;
    stub.script = asking;
    await ask({ who: member });
    const [, everywhere = '', named = ''] = stub.received.map((text) => text.replaceAll('\\', ''));
    expect(everywhere).toMatch(note);
    expect(everywhere).not.toContain('"name":"web"');
    expect(named).toContain('"name":"web","namespace":"shop"');
    expect(named.match(new RegExp(note, 'g'))).toHaveLength(1);

    stub.received.length = 0;
    stub.script = [...asking];
    await ask();
    expect(stub.received[1]?.replaceAll('\\', '')).toContain('"name":"web","namespace":"shop"');
    expect(stub.received.join('')).not.toContain('excludes from views');
  });
});
