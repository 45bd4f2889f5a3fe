import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../src/contract/subscription.ts';
import {
  type LimitedSort,
  type LimitText,
  limitText,
  limitsLead,
  planStateText,
  retentionText,
  whoChooses,
} from '../../../src/web/features/subscription/limits.ts';

describe('what is said of a limit before it is met', () => {
  const none: Subscription = {
    isConfigured: true,
    isTest: true,
    plan: null,
    seats: { used: 1, allowed: 5, members: 1, invitations: 0 },
    clusters: { used: 2, allowed: 5 },
    retention: { days: null, allowed: 90 },
    owners: ['Robin'],
  };
  const plan = {
    id: 'team',
    name: 'Team',
    state: 'active',
    seats: 5,
    endsAt: null,
    nextBillingAt: null,
  } as const;
  const full = { used: 5, allowed: 5 };

  test.each<[string, Partial<Subscription>, LimitedSort, Partial<LimitText> | undefined]>([
    ['nothing where no plan is sold', { isConfigured: false }, 'seats', undefined],
    [
      'nothing where any number is allowed',
      { plan, clusters: { used: 9, allowed: null } },
      'clusters',
      undefined,
    ],
    [
      'what an organisation has without a plan',
      {},
      'seats',
      { text: 'Without a plan an organisation has up to 5 seats: 1 is taken.', isReached: false },
    ],
    ['what is used of a plan', { plan }, 'clusters', { text: '2 of 5 clusters are used.', tone: 'info' }],
    [
      'that more seats are needed',
      { plan, seats: { ...full, members: 4, invitations: 1 } },
      'seats',
      {
        text: '5 of 5 seats are taken. To invite somebody, choose more seats or remove somebody.',
        isReached: true,
      },
    ],
    [
      'that a plan is needed',
      { clusters: full },
      'clusters',
      {
        text: 'Without a plan an organisation has up to 5 clusters: 5 are used. To add one, choose a plan or delete one.',
        tone: 'warn',
      },
    ],
    [
      'that a plan ended, and that everything goes on',
      { plan: { ...plan, state: 'ended' } },
      'seats',
      {
        text: 'The plan ended: nobody can be invited until an Owner chooses one. Everything that exists keeps working.',
        isReached: true,
      },
    ],
  ])('%s', (_, more, sort, said) => {
    const text = limitText({ ...none, ...more }, sort);
    if (said === undefined) expect(text).toBeUndefined();
    else expect(text).toMatchObject(said);
  });

  test('says what limits do, and that nothing can be added once the plan has ended', () => {
    for (const one of [null, plan, { ...plan, state: 'ending' as const }])
      expect(limitsLead(one)).toMatch(
        /^A limit only stops you from adding more: everything that exists keeps working/,
      );
    expect(limitsLead({ ...plan, state: 'ended' })).toMatch(
      /nothing can be added .* Everything that exists keeps working\.$/,
    );
  });

  test('says for how long the audit may be kept', () => {
    expect(retentionText(none)).toBe(' Without a plan it cannot be set to more than 90 days.');
    expect(retentionText({ ...none, plan })).toBe(' The plan allows no more than 90 days.');
    expect(retentionText({ ...none, plan, retention: { days: 30, allowed: null } })).toBeUndefined();
    expect(retentionText({ ...none, isConfigured: false })).toBeUndefined();
  });

  test.each([
    [[], ''],
    [['Robin'], ' Its Owner is Robin.'],
    [['Robin', 'Sam'], ' Its Owners are Robin and Sam.'],
    [['Kim', 'Robin', 'Sam'], ' Its Owners are Kim, Robin, and Sam.'],
  ])('tells who is no Owner who can choose a plan: %j', (owners, named) => {
    expect(whoChooses(owners)).toBe(`Only an Owner of your organisation can choose a plan.${named}`);
  });

  test.each<[NonNullable<Subscription['plan']>['state'], string | undefined]>([
    ['active', undefined],
    [
      'ending',
      'It is cancelled and runs until it ends. Everything that exists then keeps working, but nobody can be invited and no cluster can be added.',
    ],
    [
      'ended',
      'It ended. Everything that exists keeps working; nobody can be invited and no cluster can be added until you choose a plan.',
    ],
  ])('says what a plan that is %s takes away, and what it does not', (state, text) => {
    expect(planStateText({ ...plan, state })).toBe(text);
  });
});
