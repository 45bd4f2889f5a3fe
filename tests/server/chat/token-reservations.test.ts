import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { tokenLimits } from '../../../src/contract/chat-model.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { TokenLedger, TokensUsedUp } from '../../../src/server/chat/token-ledger.ts';
import { chatReservations, chatUsage } from '../../../src/server/store/schema/chat.ts';
import type { TestPerson } from '../harness.ts';
import type { PlaygroundConsole } from '../playground-console.ts';
import { readAnswer } from './answers.ts';
import { asks, breaking, type ModelStub, said, stalling } from './model-stub.ts';
import { askModel, noticesIn, putHostileWeb, putQuestion, sharedModelChat, web } from './model-chat.ts';

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

describe('the tokens of a day are reserved before each request to the model', () => {
  const get = asks(['get', JSON.stringify(web)]);
  const spendTo = async (who: number, tokens: number) => {
    const { db } = place.console.store;
    await db.delete(chatUsage);
    const day = new Date().toISOString().slice(0, 10);
    await db.insert(chatUsage).values({
      companyId: place.companyId,
      userId: who,
      day,
      inputTokens: tokens,
      outputTokens: 0,
    });
  };
  const reservations = () => place.console.store.db.select().from(chatReservations);
  const usedTodayOf = async (who: TestPerson) =>
    (await who.client.call('chat', { params: { clusterId } })).used?.person;

  it.each([
    ['the person', /Too few of today’s model tokens are left for you/],
    ['the company', /Too few of today’s model tokens are left for your organisation/],
  ])('of %s, and an answer ends before the one that may go beyond', async (whose, sentence) => {
    const isOwn = whose === 'the person';
    const reserve = vi.spyOn(TokenLedger.prototype, 'reserve');
    stub.script = [get, said('Said.')];
    await spendTo(owner.id, 0);
    await ask({ about: web });
    const [, , second = 0] = reserve.mock.calls.at(-1) ?? [];
    const [, , first = 0] = reserve.mock.calls.at(-2) ?? [];
    reserve.mockRestore();
    expect(first).toBeLessThan(second - 50);
    // At least a byte of what is sent is a token.
    expect(second).toBeGreaterThan(Buffer.byteLength(stub.received.at(-1) ?? '') * 0.8);
    expect(await usedTodayOf(owner)).toBe(130);

    stub.received.length = 0;
    stub.script = [get, said('Never said.')];
    const other = await place.console.person({ companyId: place.companyId });
    const limit = isOwn ? tokenLimits.person : tokenLimits.company;
    // What the first request takes in truth is 10, and questions differ by a few bytes.
    await spendTo(isOwn ? owner.id : other.id, limit - Math.floor((first + second) / 2));
    const { parts } = await ask({ about: web });
    expect(stub.received).toHaveLength(1);
    expect(noticesIn(parts)).toMatch(sentence);
    expect(JSON.stringify(parts)).not.toContain('Never said');
    expect(parts.at(-1)).toMatchObject({ type: 'end', state: 'done' });
    expect(await reservations()).toEqual([]);
    await spendTo(isOwn ? owner.id : other.id, limit);
    expect(noticesIn((await ask({ about: web })).parts)).toMatch(/used up today’s model tokens/);
    expect(stub.received).toHaveLength(1);
  });

  it('by several servers at once, never more than there are', async () => {
    const { db } = place.console.store;
    await spendTo(owner.id, 1_000);
    const limits = { person: 10_000, company: 100_000 };
    const person = { id: owner.id, companyId: place.companyId } as Member;
    const [here, there] = [new TokenLedger(db), new TokenLedger(db)];
    const asked = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? here : there).reserve(person, limits, 3_000)),
    );
    const reserved = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(reserved).toHaveLength(3);
    for (const one of asked) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(TokensUsedUp);
    const [first, second, third] = reserved;
    if (first === undefined || second === undefined || third === undefined) throw new Error('Three are.');
    // What one did not take is free again, what failed wholly; what was taken stays.
    await here.settle(first, { read: 900, written: 100 });
    await there.settle(second, { read: 0, written: 0 });
    // Who did not hear that it was settled tries again.
    await there.settle(first, { read: 900, written: 100 });
    expect(await usedTodayOf(owner)).toBe(2_000);
    await there.reserve(person, limits, 5_000);
    await expect(here.reserve(person, limits, 1)).rejects.toThrow(/Too few/);
    // What nobody settles counts until its day is over.
    const [{ areKept } = { areKept: undefined }] = await db
      .select({ areKept: sql<boolean>`bool_and(expires_at > (day::date + 1)::timestamp at time zone 'UTC')` })
      .from(chatReservations);
    expect(areKept).toBe(true);
    const past = new Date(Date.now() - 1_000).toISOString();
    await db.update(chatReservations).set({ expiresAt: past });
    expect(await here.reserve(person, limits, 8_000)).toMatchObject({ person });
    expect((await reservations()).map(({ tokens }) => tokens)).toEqual([8_000]);
    await db.delete(chatReservations);
  });

  it.each([
    ['fails', { status: 503 }, 0],
    ['falls silent in a sentence and is stopped', stalling('It is '), 1],
    ['breaks off in a sentence', breaking('It is '), 1],
  ] as const)('of a provider that %s what is not taken is given back', async (_, answer, atLeast) => {
    await spendTo(owner.id, 0);
    stub.script = [answer];
    const { turnId } = await putQuestion(chat(), { about: web });
    await vi.waitUntil(() => stub.received.length > 0, { timeout: 30_000 });
    if (JSON.stringify(answer).includes('stalls')) {
      await vi.waitUntil(async () => (await reservations()).length === 1);
      await owner.client.call('stopChat', { params: { clusterId, turnId } });
    }
    await readAnswer(owner.client, clusterId, turnId);
    await vi.waitUntil(async () => (await reservations()).length === 0, { timeout: 10_000 });
    const used = (await usedTodayOf(owner)) ?? 0;
    if (atLeast === 0) expect(used).toBe(0);
    else expect(used).toBeGreaterThan(100);
    await place.console.store.db.delete(chatUsage);
  });
});
