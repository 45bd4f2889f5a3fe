import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { storeGrace } from '../../../src/contract/live-socket.ts';
import { Problem } from '../../../src/contract/problem.ts';
import { type Open, OpenRights, rightsInterval } from '../../../src/server/access/open-rights.ts';
import type { OpenSortName } from '../../../src/server/access/open-state.ts';
import { createFakeClock, settle } from '../live/fake-clock.ts';

const row = {
  key: 'aa',
  user_id: 1,
  company_id: 2,
  token_id: null,
  org_role: 2,
  id: null,
  grants: [],
};

type Listener = (message: { companyId?: number; userId?: number; tokenHash?: string }) => void;

/** Rights of openings whose names are the hashes of their sessions, and a store whose answers are the test's. */
function world() {
  const clock = createFakeClock();
  const told: string[] = [];
  const listeners = new Map<string, Listener>();
  let onGap = () => {};
  const store = { reads: 0, answer: () => Promise.resolve([row]) as Promise<object[]> };
  const rights = new OpenRights({
    store: {
      db: {
        execute: (async () => {
          store.reads += 1;
          return { rows: await store.answer() };
        }) as never,
      },
      channel: {
        on: ((topic: string, listener: Listener) => {
          listeners.set(topic, listener);
          return () => listeners.delete(topic);
        }) as never,
        onGap(listener) {
          onGap = listener;
          return () => {};
        },
      },
    },
    log: pino({ level: 'silent' }),
    clock,
  });
  /** Opens something; `judgement` is what its rights come to. */
  const open = (
    name: string,
    { sort = 'logs', companyId = 2 }: { readonly sort?: OpenSortName; readonly companyId?: number } = {},
    judgement: () => boolean = () => false,
  ): Open =>
    rights.open({
      sort,
      person: { id: 1, companyId, token: null, sessionHash: name },
      clusterId: null,
      judge() {
        told.push(`judge ${name}`);
        return judgement();
      },
      hold: (event) => told.push(`hold ${name}: ${event}`),
      release: () => told.push(`release ${name}`),
      end: (why, event) => told.push(`end ${name}: ${event}, ${why instanceof Error ? why.message : ''}`),
    });
  return {
    clock,
    told,
    store,
    rights,
    open,
    look: () => onGap(),
    notice: (companyId: number) => listeners.get('grants')?.({ companyId }),
    endSession: (tokenHash?: string) =>
      listeners.get('sessions')?.({ userId: 1, ...(tokenHash === undefined ? {} : { tokenHash }) }),
    away: () => Promise.reject(new Error('The store is away.')),
  };
}

describe('the rights of what is open', () => {
  test('are read every few seconds, and at once when asked', async () => {
    const { clock, told, open, look } = world();
    open('aa');
    await clock.advance(rightsInterval);
    expect(told).toEqual(['judge aa']);
    look();
    await settle();
    expect(told).toEqual(['judge aa', 'judge aa']);
    await clock.advance(rightsInterval - 1);
    expect(told).toHaveLength(2);
    await clock.advance(1);
    expect(told).toHaveLength(3);
  });

  test('are read once more when they are asked for during a read', async () => {
    const { clock, told, store, open, look } = world();
    open('aa');
    const first = Promise.withResolvers<object[]>();
    store.answer = () => first.promise;
    look();
    look();
    look();
    first.resolve([row]);
    await clock.advance(0);
    expect([store.reads, told]).toEqual([2, ['judge aa', 'judge aa']]);
  });

  test('that cannot be read are read again each second, and leave what is open alone', async () => {
    const { clock, told, store, open, away } = world();
    for (const sort of ['logs', 'downloads', 'jobs'] as const) open('aa', { sort });
    store.answer = away;
    await clock.advance(rightsInterval + 3_000);
    expect([store.reads, told]).toEqual([4, []]);
  });

  test('end what is open, once, when nobody could say for five minutes; and count again after an answer', async () => {
    const { clock, told, store, open, away } = world();
    open('aa');
    open('bb', { sort: 'downloads' });
    open('cc', { sort: 'jobs' });
    store.answer = away;
    await clock.advance(rightsInterval + storeGrace - 1);
    expect(told).toEqual([]);
    await clock.advance(2_000);
    const held = ['hold aa: unread for long', 'end bb: unread for long, The store is away.'];
    expect(told).toEqual(held);
    store.answer = () => Promise.resolve([row]);
    await clock.advance(1_000);
    expect(told.slice(2)).toEqual(['judge aa', 'release aa', 'judge cc']);
    store.answer = away;
    await clock.advance(rightsInterval + storeGrace - 2_000);
    expect(told).toHaveLength(5);
    await clock.advance(2_000);
    expect(told.slice(5)).toEqual(['hold aa: unread for long']);
  });

  test('are not judged after the end, nor read while nothing is open', async () => {
    const { clock, told, store, rights, open, look } = world();
    await clock.advance(2 * rightsInterval);
    expect([store.reads, clock.pending]).toEqual([0, 0]);
    rights.end(open('bb'));
    expect(clock.pending).toBe(0);
    open('aa');
    const answer = Promise.withResolvers<object[]>();
    store.answer = () => answer.promise;
    look();
    rights.close();
    answer.resolve([row]);
    await clock.advance(2 * rightsInterval);
    expect([told, clock.pending]).toEqual([[], 0]);
  });

  test('end it with the reason where they do not suffice, and with its session', async () => {
    const { told, open, look } = world();
    open('aa', {}, () => {
      throw new Problem({ status: 403, title: 'You lack it.' });
    });
    open('bb');
    open('aa', { companyId: 3 });
    look();
    await settle();
    expect(told).toEqual([
      'judge aa',
      'end aa: lost, You lack it.',
      'end bb: signed out, The session ended.',
      'end aa: signed out, The session ended.',
    ]);
  });

  test('let it go on with others that suffice', async () => {
    const { told, open, look } = world();
    open('aa', { sort: 'pages' }, () => true);
    look();
    await settle();
    expect(told).toEqual(['judge aa', 'hold aa: changed', 'release aa']);
  });

  test('that were read before it read its own are ignored', async () => {
    const { told, store, rights, open, notice } = world();
    const one = open('aa');
    const answer = Promise.withResolvers<object[]>();
    store.answer = () => answer.promise;
    notice(2);
    rights.renew(one);
    answer.resolve([]);
    await settle();
    expect([told, one.state]).toEqual([['hold aa: notice', 'release aa'], 'open']);
  });

  test('that were read earlier are ignored after those that were read later', async () => {
    const { told, store, open, look, notice } = world();
    open('aa');
    const first = Promise.withResolvers<object[]>();
    store.answer = () => first.promise;
    look();
    store.answer = () => Promise.resolve([row]);
    notice(2);
    await settle();
    expect(told).toEqual(['hold aa: notice', 'judge aa', 'release aa']);
    first.resolve([]);
    await settle();
    expect(told).toHaveLength(3);
  });

  test('that cannot be judged end what they are of, and nothing else', async () => {
    const { told, open, look } = world();
    open('aa', {}, () => {
      throw new Error('A mistake.');
    });
    open('aa', { sort: 'pages' });
    look();
    await settle();
    expect(told).toEqual(['judge aa', 'end aa: lost, A mistake.', 'judge aa']);
  });
});

describe('a notice that rights may have changed', () => {
  test('holds up what is open of its company, and one statement says what goes on', async () => {
    const { told, store, open, notice } = world();
    open('aa');
    open('bb');
    open('cc', { companyId: 3 });
    notice(2);
    expect(told).toEqual(['hold aa: notice', 'hold bb: notice']);
    await settle();
    expect([store.reads, told.slice(2)]).toEqual([
      1,
      ['judge aa', 'release aa', 'end bb: signed out, The session ended.'],
    ]);
  });

  test('during a read is answered by the next one alone, which is the only other one', async () => {
    const { told, store, open, notice, endSession } = world();
    open('aa');
    open('bb', { companyId: 3 });
    const first = Promise.withResolvers<object[]>();
    store.answer = () => first.promise;
    endSession();
    store.answer = () => Promise.resolve([]);
    for (let time = 0; time < 10; time += 1) notice(2);
    first.resolve([row, { ...row, key: 'bb', company_id: 3 }]);
    await settle();
    const answers = told.filter((one) => !one.startsWith('hold'));
    expect([store.reads, answers]).toEqual([
      2,
      ['judge bb', 'release bb', 'end aa: signed out, The session ended.'],
    ]);
  });

  test('holds up what is open until the rights can be read, and no longer', async () => {
    const { clock, told, store, open, notice, away } = world();
    open('aa');
    store.answer = away;
    notice(2);
    await clock.advance(rightsInterval - 1);
    expect(told).toEqual(['hold aa: notice']);
    store.answer = () => Promise.resolve([row]);
    await clock.advance(1_000);
    expect(told.slice(0, 3)).toEqual(['hold aa: notice', 'judge aa', 'release aa']);
  });

  test('holds up neither downloads nor jobs', async () => {
    const { clock, told, store, open, notice, away } = world();
    open('aa', { sort: 'downloads' });
    open('aa', { sort: 'jobs' });
    store.answer = away;
    notice(2);
    await clock.advance(rightsInterval - 1);
    expect(told).toEqual([]);
  });

  test('does nothing after the end', async () => {
    const { clock, told, store, rights, open, notice, away } = world();
    open('aa');
    store.answer = away;
    notice(2);
    await settle();
    rights.close();
    store.answer = () => Promise.resolve([row]);
    await clock.advance(rightsInterval);
    expect([told, clock.pending]).toEqual([['hold aa: notice'], 0]);
  });
});

test('something that fails to hold up what it sends ends, and all else is held', async () => {
  const { told, rights, open, notice } = world();
  const { of } = open('bb');
  rights.open({
    ...of,
    hold() {
      throw new Error('A mistake.');
    },
  });
  open('aa');
  notice(2);
  expect(told).toEqual(['hold bb: notice', 'end bb: lost, A mistake.', 'hold aa: notice']);
});

describe('the end of a session', () => {
  test('ends at once what is open by it, whether or not the store answers, and no job', async () => {
    const { told, store, open, endSession, away } = world();
    open('aa');
    open('bb');
    open('aa', { sort: 'jobs' });
    store.answer = away;
    endSession('aa');
    await settle();
    expect(told).toEqual(['end aa: signed out, The session ended.']);
  });

  test('of which it is not said has all of the person ask; a download ends where it gets no answer', async () => {
    const { told, store, open, endSession, away } = world();
    open('aa');
    open('bb', { sort: 'downloads' });
    store.answer = away;
    endSession();
    await settle();
    expect(told).toEqual(['hold aa: doubt', 'hold bb: doubt', 'end bb: unread, The store is away.']);
  });
});
