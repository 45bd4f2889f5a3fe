import { describe, expect, test } from 'vitest';
import { teamRoles } from '../../src/contract/permissions.ts';
import { linkIn } from '../../src/contract/invited-message.ts';
import { invitedLines } from '../../src/web/screens/Members/invited-lines.ts';
import { recordsOf } from '../../src/web/screens/Members/separated-text.ts';

const known = {
  teams: [
    { id: 1, name: 'Shop' },
    { id: 2, name: 'Devs' },
    { id: 3, name: 'Known as Ops' },
  ],
  members: new Set(['member@example.org']),
  invited: new Set(['open@example.org']),
};
const { Viewer, TeamAdmin, SecretViewer } = teamRoles;
const emailsIn = (text: string) => invitedLines(text, known).map(({ email }) => email);

describe('the addresses in a text', () => {
  test.each<[string, string, readonly string[]]>([
    ['one', 'a@x.org', ['a@x.org']],
    ['nothing', ' \n\n', []],
    ['one a line', 'a@x.org\r\nb@x.org\n\n  c@x.org ', ['a@x.org', 'b@x.org', 'c@x.org']],
    ['a list by commas', 'a@x.org, b@x.org,c@x.org', ['a@x.org', 'b@x.org', 'c@x.org']],
    ['a list by semicolons', 'a@x.org; b@x.org', ['a@x.org', 'b@x.org']],
    ['a list by spaces', 'a@x.org b@x.org', ['a@x.org', 'b@x.org']],
    ['copied from a mail', '"Ann A." <a@x.org>, Bo <b@x.org>', ['a@x.org', 'b@x.org']],
    [
      'names with commas, copied from a mail',
      'Adler, Ann <a@x.org>; Bo, Bea <b@x.org>',
      ['a@x.org', 'b@x.org'],
    ],
    ['a CSV with headings', 'Name,E-Mail,Teams\nAnn,a@x.org,Shop\nBo,b@x.org,', ['a@x.org', 'b@x.org']],
    ['a CSV of tabs', 'email\tteams\na@x.org\tShop', ['a@x.org']],
    ['a CSV with a byte order mark', '\uFEFFemail;teams\r\na@x.org;Shop', ['a@x.org']],
    ['a part of a list that is none', 'Ann, a@x.org, b@x.org', ['Ann', 'a@x.org', 'b@x.org']],
  ])('%s', (_what, text, expected) => {
    expect(emailsIn(text)).toEqual(expected);
  });

  test.each<[string, readonly { teamId: number; role: number }[]]>([
    ['a@x.org,Shop', [{ teamId: 1, role: Viewer }]],
    ['a@x.org;shop AS teamadmin', [{ teamId: 1, role: TeamAdmin }]],
    [
      'a@x.org,Shop as TeamAdmin; Devs',
      [
        { teamId: 1, role: TeamAdmin },
        { teamId: 2, role: Viewer },
      ],
    ],
    [
      'email,teams\na@x.org,"Shop | Devs as SecretViewer"',
      [
        { teamId: 1, role: Viewer },
        { teamId: 2, role: SecretViewer },
      ],
    ],
    ['a@x.org,Known as Ops', [{ teamId: 3, role: Viewer }]],
    ['a@x.org,Known as Ops as TeamAdmin', [{ teamId: 3, role: TeamAdmin }]],
    ['a@x.org,', []],
  ])('has the teams of each: %s', (text, teams) => {
    expect(invitedLines(text, known)).toMatchObject([{ email: 'a@x.org', teams, problem: undefined }]);
  });

  test('each is judged by itself, with its line', () => {
    const text = [
      'good@example.org',
      'no address',
      'Member@Example.org',
      'open@example.org',
      'GOOD@example.org',
      'other@example.org, Nobodies',
      'third@example.org, Shop as King',
    ].join('\n');
    expect(invitedLines(text, known).map(({ line, problem }) => [line, problem])).toEqual([
      [1, undefined],
      [2, '“no address” is not an email address.'],
      [3, 'It belongs to your organisation already.'],
      [4, 'It has an open invitation already.'],
      [5, 'It is listed more than once.'],
      [6, 'There is no team “Nobodies”.'],
      [7, '“King” is no role in a team: use SecretViewer, TeamAdmin, Viewer.'],
    ]);
  });

  test('names of teams wait until the teams are loaded', () => {
    const [line] = invitedLines('a@x.org,Shop', { ...known, teams: undefined });
    expect(line).toMatchObject({ problem: 'The teams are not loaded yet.', isUnreadable: true });
  });
});

test('separated values are read as RFC 4180 has them', () => {
  expect(recordsOf('a,"b ""c"", d"\n\n"e\nf",g', ',')).toEqual([
    { line: 1, cells: ['a', 'b "c", d'] },
    { line: 3, cells: ['e\nf', 'g'] },
  ]);
});

describe('a link in a message', () => {
  test.each([
    ['see https://evil.example/login', 'https://evil.example/login'],
    ['see evil.example now', 'evil.example'],
    ['see WWW.EVIL.EXAMPLE/x', 'WWW.EVIL.EXAMPLE/x'],
    ['see пример.рф', 'пример.рф'],
    ['see evil。example', 'evil。example'],
    ['see evil.xn--p1ai', 'evil.xn--p1ai'],
    ['ask ann@example', 'ann@example'],
    ['call tel:5551234', 'tel:5551234'],
  ])('%s', (message, link) => {
    expect(linkIn(message)).toBe(link);
  });

  test.each([
    'Hello!\nWelcome, see you on Monday at 9.30 a.m.',
    'Kubernetes 1.36, e.g. for v2.',
    'Wait...then go.',
    '',
  ])('is none in: %s', (message) => {
    expect(linkIn(message)).toBeUndefined();
  });
});
