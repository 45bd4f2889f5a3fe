import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { turnPageSize } from '../../../src/contract/chat.ts';
import { type TeamRole, teamRoles } from '../../../src/contract/permissions.ts';
import { chatEvents, chatTurns } from '../../../src/server/store/schema/chat.ts';
import type { TestPerson } from '../harness.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { readAnswer } from './answers.ts';

let place: PlaygroundConsole;
let owner: TestPerson;
let clusterId: number;

beforeAll(async () => {
  place = await startPlaygroundConsole('shop');
  ({ owner, clusterId } = place);
  await place.transport.json({
    method: 'POST',
    path: '/apis/apps/v1/namespaces/shop/deployments',
    body: deploymentOf('shop', 'web', 'example/web:9.9-missing', 1),
  });
  const { spec, ...rest } = deploymentOf('shop', 'unset', 'example/web:1.0', 1);
  const { template } = spec;
  const containers = template.spec.containers.map((one) => ({
    ...one,
    envFrom: [{ secretRef: { name: 'database' } }],
  }));
  await place.transport.json({
    method: 'POST',
    path: '/apis/apps/v1/namespaces/shop/deployments',
    body: { ...rest, spec: { ...spec, template: { ...template, spec: { containers } } } },
  });
});
afterAll(() => place.console.close());

const begin = (who: TestPerson, title = 'Trouble') =>
  who.client.call('addConversation', { params: { clusterId }, body: { title } });
const ask = (
  who: TestPerson,
  conversationId: string,
  question: string,
  about?: { kind: string; namespace: string; name: string },
) =>
  who.client.call('askChat', {
    params: { clusterId, conversationId },
    body: { question, ...(about === undefined ? {} : { about }) },
  });
const web = { kind: 'deployment', namespace: 'shop', name: 'web' };
const unset = { kind: 'deployment', namespace: 'shop', name: 'unset' };

/** Asks until the rules see the cause: the cluster needs a moment to fail. */
const askUntilFound = async (who: TestPerson, conversationId: string, question: string) =>
  await vi.waitUntil(
    async () => {
      const { id } = await ask(who, conversationId, question, web);
      const answer = await readAnswer(who.client, clusterId, id);
      return answer.parts.some(({ part }) => part.type === 'text' && part.text.includes('9.9-missing'))
        ? { id, answer }
        : undefined;
    },
    { timeout: 60_000, interval: 1_000 },
  );

describe('the chat answers by rules', () => {
  it('names the cause with evidence, numbered from 1, and is read again from any part', async () => {
    const { id } = await begin(owner);
    const { id: turnId, answer } = await askUntilFound(owner, id, 'Why is it down?');
    expect(answer.status).toBe(200);
    expect(answer.parts.map(({ number }) => number)).toEqual(answer.parts.map((_, index) => index + 1));
    expect(answer.parts.at(-1)?.part).toEqual({ type: 'end', state: 'done', text: null });
    const told = answer.parts.map(({ part }) => part);
    const notice = told.find((part) => part.type === 'notice');
    expect(notice).toMatchObject({ text: expect.stringContaining('from rules, not from a model') });
    const evidence = new Set(told.flatMap((part) => (part.type === 'evidence' ? [part.id] : [])));
    const sentences = told.filter((part) => part.type === 'text');
    for (const { cites } of sentences) {
      expect(cites.length).toBeGreaterThan(0);
      expect(cites.every((cite) => evidence.has(cite))).toBe(true);
    }
    const rest = await readAnswer(owner.client, clusterId, turnId, 3);
    expect(rest.parts).toEqual(answer.parts.slice(3));
    const { turns } = await owner.client.call('conversation', { params: { clusterId, conversationId: id } });
    expect(turns.at(-1)).toMatchObject({ id: turnId, state: 'done', parts: answer.parts });
    // Nothing more can be asked about what the person may not see, and nothing else was written.
    expect((await owner.client.call('chat', { params: { clusterId } })).suggestions.length).toBeGreaterThan(
      0,
    );
  });

  it('finds what a question calls by its name', async () => {
    const { id } = await begin(owner);
    const { id: turnId } = await ask(owner, id, 'Hey, what is wrong with web today?');
    const { parts } = await readAnswer(owner.client, clusterId, turnId);
    expect(parts[0]?.part).toMatchObject({ about: 'What the rules find in shop/web' });
  });

  it('says what is missing where the object is not there', async () => {
    const { id } = await begin(owner);
    const { id: turnId } = await ask(owner, id, 'Why?', { ...web, name: 'nothing' });
    const { parts } = await readAnswer(owner.client, clusterId, turnId);
    expect(parts.at(-1)?.part).toMatchObject({ state: 'done' });
    expect(parts.flatMap(({ part }) => (part.type === 'text' ? [part] : []))).toMatchObject([
      {
        text: expect.stringMatching(/^Deployment shop\/nothing does not exist: it was deleted/),
        cites: ['e1'],
      },
    ]);
  });
});

describe('conversations', () => {
  it('are their person’s alone, found by title and question, renamed and deleted', async () => {
    const { id } = await begin(owner, 'Disk questions');
    await readAnswer(owner.client, clusterId, (await ask(owner, id, 'Is the zebra well?')).id);
    const list = async (search: string, who = owner) =>
      (await who.client.call('conversations', { params: { clusterId }, query: { search } })).map(
        (one) => one.id,
      );
    expect(await list('ZEBRA')).toEqual([id]);
    expect(await list('disk')).toEqual([id]);
    expect(await list('%')).toEqual([]);
    const params = { clusterId, conversationId: id };
    await owner.client.call('changeConversation', { params, body: { title: 'Zoo' } });
    expect(await list('zoo')).toEqual([id]);
    const other = await place.console.person({ companyId: place.companyId, isOwner: true });
    expect(await list('', other)).toEqual([]);
    await expect(other.client.call('conversation', { params })).rejects.toMatchObject({ status: 404 });
    await expect(ask(other, id, 'Mine?')).rejects.toMatchObject({ status: 404 });
    await owner.client.call('deleteConversation', { params });
    await expect(owner.client.call('deleteConversation', { params })).rejects.toMatchObject({ status: 404 });
    await expect(owner.client.call('conversation', { params })).rejects.toMatchObject({ status: 404 });
  });

  it('that are shared show a reader only what their own grants allow at that moment', async () => {
    const { id } = await begin(owner, 'Shared');
    const { id: turnId } = await askUntilFound(owner, id, 'Why is it down?');
    const reader = await place.console.person({ companyId: place.companyId });
    const teamId = await place.console.grant(place.companyId, reader.id, clusterId, teamRoles.Viewer, [
      'elsewhere',
    ]);
    const params = { clusterId, conversationId: id };
    await expect(reader.client.call('conversation', { params })).rejects.toMatchObject({ status: 404 });
    await owner.client.call('changeConversation', { params, body: { teamId } });
    const { conversation, turns } = await reader.client.call('conversation', { params });
    expect(conversation.owner).toEqual(expect.any(String));
    expect(turns.at(-1)).toMatchObject({
      question: null,
      about: null,
      parts: [],
      withheld: expect.stringMatching(/hidden.*may not view/),
    });
    expect(JSON.stringify(turns)).not.toContain('9.9-missing');
    expect(conversation.title).toMatch(/^Conversation of \d{4}-\d\d-\d\d$/);
    const listed = (search: string) =>
      reader.client.call('conversations', { params: { clusterId }, query: { search } });
    expect(await listed('Shared')).toEqual([]);
    expect((await listed('')).map(({ title }) => title)).toEqual([conversation.title]);
    const streamed = await readAnswer(reader.client, clusterId, turnId);
    expect(streamed).toMatchObject({ parts: [], withheld: expect.stringContaining('hidden') });
    await expect(ask(reader, id, 'May I?')).rejects.toMatchObject({ status: 404 });

    await place.console.grant(place.companyId, reader.id, clusterId, teamRoles.Viewer, null);
    const seen = await reader.client.call('conversation', { params });
    expect(JSON.stringify(seen.turns)).toContain('9.9-missing');
    expect(seen.conversation.title).toBe('Shared');
  });

  it('that are shared offer a missing object to those readers alone who may create it', async () => {
    const { id } = await begin(owner);
    const { turnId } = await vi.waitUntil(
      async () => {
        const { id: asked } = await ask(owner, id, 'Why is it down?', unset);
        const { parts } = await readAnswer(owner.client, clusterId, asked);
        return parts.some(({ part }) => part.type === 'text' && part.text.includes('Secret database'))
          ? { turnId: asked }
          : undefined;
      },
      { timeout: 60_000, interval: 1_000 },
    );
    const reader = await place.console.person({ companyId: place.companyId });
    const grant = (role: TeamRole) => place.console.grant(place.companyId, reader.id, clusterId, role, null);
    const teamId = await grant(teamRoles.Viewer);
    const params = { clusterId, conversationId: id };
    await owner.client.call('changeConversation', { params, body: { teamId } });
    /** What a reader is offered, in the conversation and in the stream of the answer. */
    const offered = async (who: TestPerson) => {
      const { turns } = await who.client.call('conversation', { params });
      const streamed = await readAnswer(who.client, clusterId, turnId);
      return [turns.at(-1)?.parts ?? [], streamed.parts].map((parts) => {
        const text = parts.map(({ part }) => part).find((part) => part.type === 'text');
        expect(text?.text).toContain('Secret database');
        return text?.creates?.map(({ ref }) => ref);
      });
    };
    const secret = [{ kind: 'secret', namespace: 'shop', name: 'database' }];
    expect(await offered(owner)).toEqual([secret, secret]);
    expect(await offered(reader)).toEqual([undefined, undefined]);
    await grant(teamRoles.TeamAdmin);
    expect(await offered(reader)).toEqual([secret, secret]);
  });
});

describe('a conversation is read by pages, the newest turns first', () => {
  const secret = { kind: 'secret', namespace: 'shop', name: 'hidden' };
  const stored = 45;
  /** Every third turn tells of a Secret. @param firstAbout what the first question is about */
  const fill = async (firstAbout: typeof web) => {
    const { id } = await begin(owner, 'The title');
    const { db } = place.console.store;
    const turns = Array.from({ length: stored }, (_, index) => {
      const number = index + 1;
      const about = number === 1 ? firstAbout : number % 3 === 0 ? secret : web;
      return { id: randomUUID(), conversationId: id, number, question: `Question ${number}`, about };
    });
    await db.insert(chatTurns).values(turns.map((turn) => ({ ...turn, state: 'done' as const })));
    await db.insert(chatEvents).values(
      turns.flatMap(({ id: turnId, number, about }) => [
        {
          turnId,
          number: 1,
          event: { type: 'tool.started', id: 'rules', tool: 'findings', about: 'It' },
          objects: [about],
        },
        {
          turnId,
          number: 2,
          event: { type: 'text', by: 'rules', text: `Answer ${number}`, cites: ['e1'] },
          objects: [about],
        },
      ]),
    );
    return { clusterId, conversationId: id };
  };
  const pagesOf = async (who: TestPerson, params: { clusterId: number; conversationId: string }) => {
    const pages = [await who.client.call('conversation', { params })];
    for (let last = pages[0]; last !== undefined && last.earlier !== null; last = pages.at(-1))
      pages.push(await who.client.call('conversation', { params, query: { before: last.earlier } }));
    return pages;
  };

  it('each of a bounded size, without gaps and doubles, with its answers', async () => {
    const params = await fill(web);
    const pages = await pagesOf(owner, params);
    expect(pages.map(({ turns }) => turns.length)).toEqual([turnPageSize, turnPageSize, 5]);
    const turns = pages.toReversed().flatMap((page) => page.turns);
    expect(turns.map(({ question }) => question)).toEqual(
      Array.from({ length: stored }, (_, index) => `Question ${index + 1}`),
    );
    for (const [index, { parts }] of turns.entries())
      expect(parts.at(-1)?.part).toMatchObject({ text: `Answer ${index + 1}` });
    for (const before of [0, -1, 1.5, 3_000_000_000])
      await expect(owner.client.call('conversation', { params, query: { before } })).rejects.toMatchObject({
        status: 400,
      });
    // What stands on an earlier page is found as well.
    const found = await owner.client.call('conversations', {
      params: { clusterId },
      query: { search: 'question 2' },
    });
    expect(found.map(({ id }) => id)).toContain(params.conversationId);
  });

  it('of which a reader sees on every page what their grants allow, and the title by its first question', async () => {
    const reader = await place.console.person({ companyId: place.companyId });
    const teamId = await place.console.grant(place.companyId, reader.id, clusterId, teamRoles.Viewer);
    for (const [firstAbout, title] of [
      [web, 'The title'],
      [secret, expect.stringMatching(/^Conversation of /)],
    ] as const) {
      const params = await fill(firstAbout);
      await owner.client.call('changeConversation', { params, body: { teamId } });
      const pages = await pagesOf(reader, params);
      expect(pages.map(({ conversation }) => conversation.title)).toEqual([title, title, title]);
      const turns = pages.toReversed().flatMap((page) => page.turns);
      const hidden = turns.flatMap(({ withheld }, index) => (withheld === null ? [] : [index + 1]));
      expect(hidden).toEqual([
        ...(firstAbout === secret ? [1] : []),
        ...Array.from({ length: 15 }, (_, index) => 3 * (index + 1)),
      ]);
      for (const number of hidden)
        expect(turns[number - 1]).toMatchObject({ question: null, about: null, parts: [] });
    }
  });
});

describe('a reader of a shared question', () => {
  const sharedWith = async (namespaces: readonly string[] | null, question: string) => {
    const { id } = await begin(owner, question);
    await readAnswer(owner.client, clusterId, (await ask(owner, id, question)).id);
    const reader = await place.console.person({ companyId: place.companyId });
    const teamId = await place.console.grant(
      place.companyId,
      reader.id,
      clusterId,
      teamRoles.Viewer,
      namespaces,
    );
    const params = { clusterId, conversationId: id };
    await owner.client.call('changeConversation', { params, body: { teamId } });
    const { conversation, turns } = await reader.client.call('conversation', { params });
    return { title: conversation.title, turn: turns[0] };
  };

  it('learns no name of an object that they may not view, whatever else the question names', async () => {
    await place.transport.json({
      method: 'POST',
      path: '/api/v1/namespaces/shop/secrets',
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'prod-key', namespace: 'shop' } },
    });
    const question = 'Did prod-key break web?';
    await vi.waitUntil(
      async () =>
        (await owner.client.call('search', { query: { q: 'prod-key', cluster: clusterId } })).hits.length > 0,
      { timeout: 30_000 },
    );
    const { title, turn } = await sharedWith(null, question);
    expect(turn).toMatchObject({ question: null, parts: [], withheld: expect.stringContaining('hidden') });
    expect(title).not.toContain('prod-key');
  });

  it('learns no name of something that is not there, and reads the answer', async () => {
    const { title, turn } = await sharedWith(null, 'Did merger-bot break web?');
    expect(turn).toMatchObject({ question: null, withheld: null });
    expect(turn?.parts.length).toBeGreaterThan(1);
    expect(title).not.toContain('merger-bot');
  });

  it.each([
    'How many pods are there?',
    'Which jobs have failed?',
    'Which nodes are not ready?',
    'Which namespaces are there?',
    'What is wrong?',
    'What changed in the last hour?',
    'Are there warnings?',
    'Are all rollouts complete?',
    'Which pods use the most memory?',
  ])(
    'is told of the namespaces they see, never of the cluster, where they see a part: %s',
    async (question) => {
      const reader = await place.console.person({ companyId: place.companyId });
      await place.console.grant(place.companyId, reader.id, clusterId, teamRoles.Viewer, ['default']);
      const { id } = await begin(reader);
      const turn = await ask(reader, id, question);
      const { parts } = await readAnswer(reader.client, clusterId, turn.id);
      const text = JSON.stringify(parts);
      expect(text).not.toMatch(/in the (?:whole )?cluster|wrong with the cluster/i);
      expect(text).toMatch(/namespaces (?:that )?you (?:see|may view)|have the permission|may not|cannot/);
    },
  );

  it('learns about the whole cluster only where they may view the whole cluster', async () => {
    const question = 'What is wrong in this cluster?';
    expect((await sharedWith(['shop'], question)).turn).toMatchObject({ question: null, parts: [] });
    expect((await sharedWith(null, question)).turn).toMatchObject({ question, withheld: null });
  });
});
