import { describe, expect, test } from 'vitest';
import type { Member } from '../../../src/contract/members.ts';
import {
  membersCsv,
  shownMembers,
  sortOf,
  sortText,
} from '../../../src/web/screens/Members/shown-members.ts';

const now = Date.parse('2026-06-01T12:00:00Z');

function member(name: string, parts: Partial<Member> = {}): Member {
  return {
    userId: name.split('').reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7),
    name,
    email: `${name.toLowerCase()}@example.org`,
    orgRole: 2,
    isSuspended: false,
    teams: [],
    joinedAt: '2026-01-01T00:00:00.000Z',
    lastSeenAt: null,
    signInWays: ['password'],
    ...parts,
  };
}

const members = [
  member('Cy', { lastSeenAt: '2026-06-01T11:00:00Z', teams: [{ id: 4, name: 'Shop', role: 6 }] }),
  member('ada', { orgRole: 1, signInWays: ['passkey'], lastSeenAt: '2026-01-01T00:00:00Z' }),
  member('Bo', { isSuspended: true, signInWays: ['provider'], lastSeenAt: '2026-05-20T00:00:00Z' }),
];
const shown = (search: Record<string, string>) => shownMembers(members, search, now).map(({ name }) => name);

describe('the members that fit an address', () => {
  test.each<[Record<string, string>, readonly string[]]>([
    [{}, ['ada', 'Bo', 'Cy']],
    [{ q: 'SHOP cy' }, ['Cy']],
    [{ q: 'example.org b' }, ['Bo']],
    [{ q: ' ' }, ['ada', 'Bo', 'Cy']],
    [{ role: 'owner' }, ['ada']],
    [{ role: 'member' }, ['Bo', 'Cy']],
    [{ team: '4' }, ['Cy']],
    [{ team: 'none' }, ['ada', 'Bo']],
    [{ state: 'suspended' }, ['Bo']],
    [{ state: 'active' }, ['ada', 'Cy']],
    [{ signin: 'passkey' }, ['ada']],
    [{ seen: 'day' }, ['Cy']],
    [{ seen: 'month' }, ['Bo', 'Cy']],
    [{ seen: 'not-month' }, ['ada']],
    [{ seen: 'never' }, []],
    [{ seen: 'nonsense', role: 'nonsense', state: 'nonsense' }, ['ada', 'Bo', 'Cy']],
  ])('%j', (search, names) => expect(shown(search)).toEqual(names));

  test.each([
    ['-name', ['Cy', 'Bo', 'ada']],
    ['seen', ['Cy', 'Bo', 'ada']],
    ['-seen', ['ada', 'Bo', 'Cy']],
    ['role', ['ada', 'Bo', 'Cy']],
    ['-teams', ['Cy', 'ada', 'Bo']],
  ])('in the order %s', (sort, names) => expect(shown({ sort })).toEqual(names));

  test('somebody who was never seen counts as not seen for long', () => {
    const search = { seen: 'not-quarter' };
    expect(shownMembers([member('New')], search, now)).toHaveLength(1);
  });
});

test.each(['name', '-name', 'seen', '-role'])('the order %s is written as it is read', (sort) => {
  expect(sortText(sortOf({ sort })) ?? 'name').toBe(sort);
});

test('members as CSV have their teams with roles, and no formula of a name is run', () => {
  const text = membersCsv([member('=1+1', { teams: [{ id: 4, name: 'Shop', role: 4 }] })]);
  expect(text.split('\r\n').slice(0, 2)).toEqual([
    'Name,Email,Role,State,Teams,Joined,Last seen,Sign-in',
    "'=1+1,'=1+1@example.org,Member,active,Shop (TeamAdmin),2026-01-01T00:00:00.000Z,,Password",
  ]);
});
