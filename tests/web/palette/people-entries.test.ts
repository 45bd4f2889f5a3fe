import { expect, test } from 'vitest';
import type { Member } from '../../../src/contract/members.ts';
import { peopleCandidates } from '../../../src/web/features/palette/people-entries.ts';
import { rankEntries } from '../../../src/web/features/palette/rank-entries.ts';

const named = (userId: number, name: string): Member => ({
  userId,
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@example.org`,
  orgRole: 2,
  isSuspended: userId === 3,
  teams: [],
  joinedAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: null,
  signInWays: [],
});
const registry = {
  href: (_id: string, { userId = '' }: Readonly<Record<string, string>> = {}) => `/members/${userId}`,
};
const people = [named(1, 'Uma Jung'), named(2, 'Ben Berg'), named(3, 'Jo Alt')];

test.each([
  ['uma jung', '/members/1'],
  ['berg', '/members/2'],
  ['jo.alt@example', '/members/3'],
])('a person is found by “%s” and opens', (text, href) => {
  const [first] = rankEntries(peopleCandidates(registry, people), text);
  expect(first?.entry.act).toEqual({ type: 'place', href });
});
