import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { OpenRights } from '../../../src/server/access/open-rights.ts';
import { Answers, type AnswersParts } from '../../../src/server/chat/answers.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { chatTurns } from '../../../src/server/store/schema/chat.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import type { TestPerson } from '../harness.ts';
import { memberOf } from '../organisation/member-of.ts';
import { type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { noteSteadySigns } from '../steady-signs.ts';
import { createStoreGate } from '../store-gate.ts';
import { untilWaiting } from '../until-waiting.ts';
import { readAnswer } from './answers.ts';

let place: PlaygroundConsole;
let owner: TestPerson;
let clusterId: number;

beforeAll(async () => {
  place = await startPlaygroundConsole('shop');
  ({ owner, clusterId } = place);
});
afterAll(() => place.console.close());

const web = { kind: 'deployment', namespace: 'shop', name: 'web' };
const begin = (who: TestPerson) =>
  who.client.call('addConversation', { params: { clusterId }, body: { title: 'Trouble' } });
const ask = (who: TestPerson, conversationId: string, question: string) =>
  who.client.call('askChat', { params: { clusterId, conversationId }, body: { question } });

/** A question of the owner in a new conversation, as a server without an API takes it. */
async function ownQuestion(): Promise<Parameters<Answers['ask']>> {
  const { id: conversationId } = await begin(owner);
  const { db } = place.console.store;
  const [cluster] = await db.select().from(clusters).where(eq(clusters.id, clusterId));
  const [session] = await db.select().from(sessions).where(eq(sessions.userId, owner.id));
  if (cluster === undefined || session === undefined) throw new Error('A row is missing.');
  const person = {
    ...memberOf(owner, place.companyId, orgRoles.Owner),
    sessionHash: session.tokenHash.toString('hex'),
  };
  return [person, cluster, { conversationId, text: 'Why?', about: web }];
}

/** Answers of a server whose questions go on until they are stopped, unless said otherwise. */
function createAnswers(more: Partial<AnswersParts> = {}): Answers {
  const { store, rights, log } = place.console.services;
  return new Answers({
    store,
    rights,
    log,
    clock: systemClock,
    read: () => Promise.reject(new Error('Nothing is read.')),
    async reason({ signal }) {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      });
      signal.throwIfAborted();
    },
    ...more,
  });
}

/** A store behind a gate, which the test shuts. */
async function openGated() {
  const gate = await createStoreGate(place.console.services.config.databaseUrl ?? '');
  const store = await openStore({ databaseUrl: gate.url, dataDir: '/nowhere' });
  return {
    gate,
    store,
    close: async () => {
      await store.close();
      await gate.shut();
    },
  };
}

it('an answer ends after two minutes with a sentence, and what was found stays', async () => {
  const waits = new Map<() => void, number>();
  const answers = createAnswers({
    clock: {
      ...systemClock,
      after(ms, run) {
        waits.set(run, ms);
        return () => waits.delete(run);
      },
    },
    async reason({ signal, tell }) {
      const text = 'It has no image.';
      await tell([{ part: { type: 'text', by: 'rules', text, cites: [] }, objects: [web] }]);
      for (const [run, ms] of waits) if (ms === 120_000) run();
      signal.throwIfAborted();
    },
  });
  try {
    const turn = await answers.ask(...(await ownQuestion()));
    const { parts } = await readAnswer(owner.client, clusterId, turn.id);
    expect(parts.map(({ part }) => part)).toMatchObject([
      { type: 'text', text: 'It has no image.' },
      {
        type: 'end',
        state: 'failed',
        text: 'The answer took longer than two minutes and was stopped.',
      },
    ]);
  } finally {
    await answers.close();
  }
});

it('an answer ends with a sentence where the rights of its person cannot be read, as soon as the database is back', async () => {
  const { gate, store, close } = await openGated();
  const read = vi.fn(() => Promise.reject(new Error('Nothing is read.')));
  let isBack = false;
  const execute = async () => {
    await gate.shut();
    throw Object.assign(new Error('The connection ended.'), { code: '57P01' });
  };
  const { channel } = store;
  const rights = new OpenRights({
    store: { db: { execute }, channel },
    log: place.console.services.log,
  } as never);
  const answers = createAnswers({
    store,
    rights,
    clock: {
      ...systemClock,
      after(ms, run) {
        // The end is tried again.
        if (ms === 1_000 && !isBack) {
          isBack = true;
          void gate.open();
        }
        return systemClock.after(ms, run);
      },
    },
    read,
  });
  try {
    const turn = await answers.ask(...(await ownQuestion()));
    const { parts } = await readAnswer(owner.client, clusterId, turn.id);
    expect(parts.map(({ part }) => part)).toMatchObject([
      {
        type: 'end',
        state: 'failed',
        text: 'Your permissions could not be checked, so the answer was stopped. Ask again in a moment.',
      },
    ]);
    expect(isBack).toBe(true);
    expect(read).not.toHaveBeenCalled();
  } finally {
    await answers.close();
    await close();
  }
});

it('an answer goes no further where its server ends while the database is away', async () => {
  const { gate, store, close } = await openGated();
  const stopped = vi.fn();
  const answers = createAnswers({
    store,
    async reason({ signal }) {
      signal.addEventListener('abort', stopped);
      await once(signal, 'abort');
      signal.throwIfAborted();
    },
  });
  try {
    await answers.ask(...(await ownQuestion()));
    await gate.shut();
    const closing = answers.close();
    // Without waiting for the database, which may not answer for long.
    expect(stopped).toHaveBeenCalledOnce();
    await closing;
  } finally {
    await close();
  }
});

it('an answer whose end waits for the database does not hold up the end of its server', async () => {
  const { gate, store, close } = await openGated();
  const over = Promise.withResolvers<void>();
  const retried = Promise.withResolvers<void>();
  const answers = createAnswers({
    store,
    reason: () => over.promise,
    clock: {
      ...systemClock,
      after(ms, run) {
        if (ms === 1_000) retried.resolve();
        return systemClock.after(ms, run);
      },
    },
  });
  try {
    await answers.ask(...(await ownQuestion()));
    await gate.shut();
    over.resolve();
    await retried.promise;
    const began = performance.now();
    await answers.close();
    expect(performance.now() - began).toBeLessThan(10_000);
  } finally {
    await close();
  }
});

it('a question that is stored while the server ends is not answered', async () => {
  const reason = vi.fn(() => Promise.resolve());
  const answers = createAnswers({ reason });
  const question = await ownQuestion();
  const holder = await place.console.store.connect('holder');
  try {
    await holder.query('begin');
    await holder.query('select from memberships where user_id = $1 for update', [owner.id]);
    const asked = expect(answers.ask(...question)).rejects.toMatchObject({ status: 503 });
    await untilWaiting(place.console);
    await answers.close();
    await holder.query('rollback');
    await asked;
    expect(reason).not.toHaveBeenCalled();
    const { db } = place.console.store;
    const { conversationId } = question[2];
    expect(
      await db.select().from(chatTurns).where(eq(chatTurns.conversationId, conversationId)),
    ).toMatchObject([{ state: 'interrupted' }]);
  } finally {
    await holder.end();
  }
});

it('an answer ends as interrupted, once, where the server that gave them is silent', async () => {
  const { id } = await begin(owner);
  const { id: turnId } = await ask(owner, id, 'Once more?');
  await readAnswer(owner.client, clusterId, turnId);
  const { db } = place.console.store;
  const stopped = new Date(Date.now() - 60_000).toISOString();
  await db.update(chatTurns).set({ state: 'running', beatAt: stopped }).where(eq(chatTurns.id, turnId));
  await noteSteadySigns(db);
  const [first, second] = await Promise.all([
    readAnswer(owner.client, clusterId, turnId),
    readAnswer(owner.client, clusterId, turnId),
  ]);
  for (const { parts } of [first, second])
    expect(parts.filter(({ part }) => part.type === 'end' && part.state === 'interrupted')).toHaveLength(1);
});

it('an answer ends by its person’s stop alone', async () => {
  const { id } = await begin(owner);
  const { id: turnId } = await ask(owner, id, 'And now?');
  const other = await place.console.person({ companyId: place.companyId, isOwner: true });
  await expect(other.client.call('stopChat', { params: { clusterId, turnId } })).rejects.toMatchObject({
    status: 404,
  });
  await owner.client.call('stopChat', { params: { clusterId, turnId } });
  const { parts } = await readAnswer(owner.client, clusterId, turnId);
  expect(parts.at(-1)?.part).toMatchObject({
    type: 'end',
    state: expect.stringMatching(/^(stopped|done)$/),
  });
});

it('no question is answered where the chat is turned off, and what is there can still be read', async () => {
  const { id } = await begin(owner);
  const { db } = place.console.store;
  await db.update(clusters).set({ chatMode: 'off' }).where(eq(clusters.id, clusterId));
  await expect(ask(owner, id, 'Anybody?')).rejects.toMatchObject({
    status: 403,
    title: expect.stringContaining('turned off'),
  });
  await owner.client.call('conversation', { params: { clusterId, conversationId: id } });
  await db.update(clusters).set({ chatMode: 'model' }).where(eq(clusters.id, clusterId));
});
