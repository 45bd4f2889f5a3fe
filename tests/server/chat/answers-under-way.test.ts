import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { chatTurns } from '../../../src/server/store/schema/chat.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { teamClusters } from '../../../src/server/store/schema/teams.ts';
import { startConsole, type TestPerson } from '../harness.ts';
import { sendNotice } from '../notice.ts';
import type { PlaygroundConsole } from '../playground-console.ts';
import { untilWaiting } from '../until-waiting.ts';
import { readAnswer } from './answers.ts';
import { type ModelStub, stalling } from './model-stub.ts';
import { putQuestion, sharedModelChat, web } from './model-chat.ts';

const chat = sharedModelChat();
let stub: ModelStub;
let place: PlaygroundConsole;
let owner: TestPerson;
let clusterId: number;

beforeAll(async () => {
  ({ stub, place, owner, clusterId } = chat());
});

describe('an answer that is under way ends at once', () => {
  /** Asks, and waits until the model is asked. */
  const begin = async (who: TestPerson) => {
    stub.script = [stalling('It ')];
    const { turnId } = await putQuestion(chat(), { who, about: web });
    await vi.waitUntil(() => stub.received.length > 0, { timeout: 30_000 });
    return turnId;
  };

  it('with the grant of its person', async () => {
    const { console } = place;
    const { store } = console;
    const member = await console.person({ companyId: place.companyId });
    const teamId = await console.grant(place.companyId, member.id, clusterId, teamRoles.Viewer);
    const turnId = await begin(member);
    await store.db.delete(teamClusters).where(eq(teamClusters.teamId, teamId));
    await sendNotice(store, 'grants', { companyId: place.companyId });
    await vi.waitUntil(
      async () => {
        const [row] = await store.db.select().from(chatTurns).where(eq(chatTurns.id, turnId));
        return row?.state === 'failed';
      },
      { timeout: 60_000 },
    );
    await expect(readAnswer(member.client, clusterId, turnId)).resolves.toMatchObject({ status: 404 });
  });

  it('of at most three questions of a person at once, also where many are asked together', async () => {
    const { client, id: userId } = await place.console.person({ companyId: place.companyId, isOwner: true });
    stub.script = [stalling('It ')];
    const add = () => client.call('addConversation', { params: { clusterId }, body: { title: 'T' } });
    const conversations = await Promise.all([add(), add(), add(), add(), add()]);
    const asking = await place.console.store.db.transaction(async (tx) => {
      await tx.select().from(memberships).where(eq(memberships.userId, userId)).for('update');
      const started = conversations.map(({ id }) =>
        client.call('askChat', {
          params: { clusterId, conversationId: id },
          body: { question: 'Why?', about: web },
        }),
      );
      const settled = Promise.allSettled(started);
      await untilWaiting(place.console);
      return { settled };
    });
    const asked = await asking.settled;
    const turns = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    for (const turnId of turns) await client.call('stopChat', { params: { clusterId, turnId } });
    expect(turns).toHaveLength(3);
    for (const one of asked) if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 429 });
  });

  it('when an Owner turns the chat off', async () => {
    const turnId = await begin(owner);
    const rules = { isProtected: false, isReadOnly: false, isShellAllowed: true };
    const set = (chatMode: 'off' | 'model') =>
      owner.client.call('saveGlobalSettings', { params: { clusterId }, body: { ...rules, chatMode } });
    await set('off');
    const { parts } = await readAnswer(owner.client, clusterId, turnId);
    expect(parts.at(-1)?.part).toMatchObject({
      type: 'end',
      state: 'failed',
      text: expect.stringContaining('An Owner changed the model of this chat'),
    });
    await set('model');
  });

  it('when its person stops it at another server, which has read it on from a part', async () => {
    const { databaseUrl } = place.console.services.config;
    const there = await startConsole({ config: { databaseUrl } });
    try {
      const client = await there.session(owner.id, place.companyId);
      const turnId = await begin(owner);
      const reading = readAnswer(client, clusterId, turnId, 1);
      await client.call('stopChat', { params: { clusterId, turnId } });
      const { parts } = await reading;
      expect(parts.map(({ number }) => number)).toEqual(parts.map((_, index) => index + 2));
      expect(parts.at(-1)?.part).toEqual({ type: 'end', state: 'stopped', text: 'The answer was stopped.' });
    } finally {
      await there.close();
    }
  });
});
