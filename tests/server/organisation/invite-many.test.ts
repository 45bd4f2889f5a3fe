import { and, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invitationsPerDay } from '../../../src/contract/invitations.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { teams } from '../../../src/server/store/schema/teams.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import type { WireAnswer } from '../http-client.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';
import {
  foundCompany,
  freshAddress,
  storedInvitation,
  stranger,
  titleOf,
  tokenOf,
} from './invitation-office.ts';

let mail: MailServer;
let console: TestConsole;
/** Sells plans: without one a company has five seats. */
let selling: TestConsole;
let time = Date.now();
beforeAll(async () => {
  mail = await startMailServer();
  console = await startConsole({ config: { mail: mail.settings }, clock: clockAt(() => time) });
  selling = await startConsole({ config: { billing: { kind: 'test' } } });
});
afterAll(async () => {
  await console.close();
  await selling.close();
  await mail.close();
});

const mailTo = async (email: string, number = 1) =>
  (
    await mail.received(number, ({ to }) =>
      (Array.isArray(to) ? to : [to]).some((one) => one?.text === email),
    )
  ).text ?? '';

const addTeam = async (companyId: number, name: string) => {
  const [team] = await console.store.db.insert(teams).values({ companyId, name }).returning({ id: teams.id });
  return team?.id ?? 0;
};

/** The subject of the last audit entry of an action. */
const recorded = async (companyId: number, action: string) =>
  (
    await console.store.db
      .select()
      .from(audit)
      .where(and(eq(audit.companyId, companyId), eq(audit.action, action)))
      .orderBy(desc(audit.id))
      .limit(1)
  )[0]?.subject;

const each = (...emails: readonly string[]) => emails.map((email) => ({ email }));
const issueOf = ({ status, json }: WireAnswer) => [
  status,
  (json as { issues?: readonly { message: string }[] }).issues?.[0]?.message,
];

describe('several addresses at once', () => {
  it('are each judged by themselves, and those that can be invited are, with links, mails and teams', async () => {
    const { companyId, owner } = await foundCompany(console);
    const elsewhere = await foundCompany(console);
    const [shop, devs] = [await addTeam(companyId, 'Shop'), await addTeam(companyId, 'Devs')];
    const foreign = await addTeam(elsewhere.companyId, 'Foreign');
    const [first, second, third, open] = Array.from({ length: 4 }, freshAddress) as [
      string,
      string,
      string,
      string,
    ];
    await owner.client.call('invite', { body: { email: open, orgRole: 2 } });
    const outcomes = await owner.client.call('inviteMany', {
      body: {
        orgRole: 2,
        teams: [{ teamId: shop, role: teamRoles.Viewer }],
        message: 'Welcome!\nOn Monday we begin.',
        invitations: [
          { email: ` ${first.toUpperCase()} ` },
          { email: 'no address' },
          { email: owner.email },
          { email: open },
          { email: first },
          { email: third, teams: [{ teamId: foreign, role: teamRoles.Viewer }] },
          {
            email: second,
            teams: [
              { teamId: shop, role: teamRoles.TeamAdmin },
              { teamId: devs, role: teamRoles.Viewer },
            ],
          },
        ],
      },
    });
    expect(outcomes.map(({ result, problem }) => [result, problem])).toEqual([
      ['invited', ''],
      ['bad-address', 'That is not an email address.'],
      ['member', `${owner.email} belongs to your organisation already.`],
      ['open', `${open} has an open invitation already. Send that one again, or revoke it first.`],
      ['repeated', `${first} is listed more than once.`],
      ['no-team', 'No such team.'],
      ['invited', ''],
    ]);
    expect(outcomes.map(({ sent }) => sent?.invitation.teams)).toEqual([
      [{ id: shop, name: 'Shop', role: teamRoles.Viewer }],
      ...Array.from({ length: 5 }),
      [
        { id: shop, name: 'Shop', role: teamRoles.TeamAdmin },
        { id: devs, name: 'Devs', role: teamRoles.Viewer },
      ],
    ]);
    const token = tokenOf(outcomes.at(-1)?.sent?.link);
    expect(await console.visitor().call('readInvitation', { body: { token } })).toMatchObject({
      email: second,
    });
    const text = await mailTo(second);
    expect(text).toContain('Message of ');
    expect(text).toContain(':\n> Welcome!\n> On Monday we begin.\n\n');
    expect(tokenOf(text)).not.toBe('');
    expect(await recorded(companyId, 'inviteMany')).toEqual({
      orgRole: 2,
      teams: `Shop (team ${shop}) as Viewer`,
      addresses: [
        ` ${first.toUpperCase()} `,
        'no address',
        owner.email,
        open,
        first,
        `${third} into Shop (team ${shop}) as Viewer, team ${foreign} as Viewer`,
        `${second} into Shop (team ${shop}) as TeamAdmin, Devs (team ${devs}) as Viewer`,
      ].join('; '),
      invited: 2,
      refused: `no address: bad-address; ${owner.email}: member; ${open}: open; ${first}: repeated; ${third}: no-team`,
    });
  });

  it('leave out those for which the plan has no seat', async () => {
    const { owner } = await foundCompany(selling);
    const outcomes = await owner.client.call('inviteMany', {
      body: { orgRole: 2, invitations: each(...Array.from({ length: 6 }, freshAddress), 'none') },
    });
    expect(outcomes.map(({ result }) => result)).toEqual([
      ...Array.from({ length: 4 }, () => 'invited'),
      'no-seat',
      'no-seat',
      'bad-address',
    ]);
    expect(outcomes[0]?.sent?.invitation.mail).toBe('off');
  });

  it('never become Owners together, though one may', async () => {
    const { owner } = await foundCompany(console);
    const path = '/api/organization/invitations/batch';
    const several = await owner.client.send('POST', path, {
      orgRole: 1,
      invitations: each(freshAddress(), freshAddress()),
    });
    expect(titleOf(several)).toEqual([400, 'Invite Owners one at a time, so that none comes by mistake.']);
    expect((await owner.client.call('invitations', {})).invitations).toEqual([]);
    const [one] = await owner.client.call('inviteMany', {
      body: { orgRole: 1, invitations: each(freshAddress()) },
    });
    expect(one?.sent?.invitation.orgRole).toBe(1);
  });

  it('keep each address on record, also where they are too many for one fact', async () => {
    const { companyId, owner } = await foundCompany(console);
    const long = Array.from({ length: 60 }, (_, index) => `${'x'.repeat(200)}${index}`);
    await owner.client.call('inviteMany', { body: { orgRole: 2, invitations: each(...long) } });
    const subject = (await recorded(companyId, 'inviteMany')) as Readonly<Record<string, string>>;
    expect(`${subject['addresses']}; ${subject['addresses2']}`.split('; ')).toEqual(long);
  });
});

describe('the own message of an invitation', () => {
  it('is refused with a link or beyond its length, by the call for one and by that for several', async () => {
    const { owner } = await foundCompany(console);
    const email = freshAddress();
    const sendOne = (message: string) =>
      owner.client.send('POST', '/api/organization/invitations', { email, orgRole: 2, message });
    const sendMany = (message: string) =>
      owner.client.send('POST', '/api/organization/invitations/batch', {
        orgRole: 2,
        invitations: [{ email }],
        message,
      });
    const sentence =
      'Leave out links, mail addresses and names such as example.org: mail programs can make links of them.';
    for (const send of [sendOne, sendMany]) {
      expect(issueOf(await send('First see https://evil.example/login.'))).toEqual([400, sentence]);
      expect(issueOf(await send('First see evil.example'))).toEqual([400, sentence]);
      expect((await send('x'.repeat(301))).status).toBe(400);
      expect((await send('a\u202eb')).status).toBe(400);
    }
    expect((await owner.client.call('invitations', {})).invitations).toEqual([]);
  });

  it('is in its mail again when the invitation is sent again', async () => {
    const { owner } = await foundCompany(console);
    const email = freshAddress();
    const body = { email, orgRole: 2 as const, message: 'See you soon' };
    const { invitation } = await owner.client.call('invite', { body });
    await mailTo(email);
    await owner.client.call('resendInvitation', { params: { inviteId: invitation.inviteId } });
    expect(await mailTo(email, 2)).toContain(':\n> See you soon\n\n');
  });
});

describe('the invitations of a day', () => {
  it('end at their limit for a company, for one address as for several, until a day has passed', async () => {
    const { companyId, owner } = await foundCompany(console);
    const other = await foundCompany(console);
    for (let made = 0; made < invitationsPerDay - 1; made += 1)
      await storedInvitation(console, {
        companyId,
        email: freshAddress(),
        invitedBy: owner.id,
        expiresAt: time + 1_000,
        state: 'revoked',
        createdAt: new Date(time).toISOString(),
      });
    // Of those that come at the same moment one is made.
    const outcomes = await owner.client.call('inviteMany', {
      body: { orgRole: 2, invitations: each(freshAddress(), freshAddress()) },
    });
    expect(outcomes.map(({ result }) => result)).toEqual(['invited', 'day-over']);
    const invite = ({ client }: Pick<TestPerson, 'client'>) =>
      client.send('POST', '/api/organization/invitations', { email: freshAddress(), orgRole: 2 });
    const refused = await invite(owner);
    expect(titleOf(refused)).toEqual([
      429,
      expect.stringMatching(
        /^Your organisation has made 200 invitations within 24 hours, which is the limit\. The next one can be made after \d\d:\d\d UTC on \d{4}-\d\d-\d\d\.$/,
      ),
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    await other.owner.client.call('invite', { body: { email: freshAddress(), orgRole: 2 } });
    time += 86_400_001;
    try {
      // Signed in anew: by then the identity of the first one is not confirmed recently.
      const later = await console.person({ companyId, isOwner: true });
      expect((await invite(later)).status).toBe(200);
    } finally {
      time -= 86_400_001;
    }
  });

  it('are not passed by calls that come together', async () => {
    const { companyId, owner } = await foundCompany(console);
    for (let made = 0; made < invitationsPerDay - 2; made += 1)
      await storedInvitation(console, {
        companyId,
        email: freshAddress(),
        invitedBy: owner.id,
        expiresAt: time + 1_000,
        state: 'revoked',
        createdAt: new Date(time).toISOString(),
      });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        owner.client.send('POST', '/api/organization/invitations', { email: freshAddress(), orgRole: 2 }),
      ),
    );
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      200, 200, 429, 429, 429,
    ]);
  });
});

describe('the audit of an invitation', () => {
  it('says into which teams it leads, by name, and which of them were gained by accepting it', async () => {
    const { companyId, owner } = await foundCompany(console);
    const [shop, devs] = [await addTeam(companyId, 'Shop'), await addTeam(companyId, 'Devs')];
    const person = await stranger(console);
    const offered = [
      { teamId: shop, role: teamRoles.TeamAdmin },
      { teamId: devs, role: teamRoles.SecretViewer },
    ];
    const { invitation } = await owner.client.call('invite', {
      body: { email: person.email, orgRole: 2, teams: offered },
    });
    expect(await recorded(companyId, 'invite')).toEqual({
      email: person.email,
      orgRole: 2,
      teams: `Shop (team ${shop}) as TeamAdmin, Devs (team ${devs}) as SecretViewer`,
    });
    await owner.client.call('deleteTeam', { params: { teamId: devs } });
    const { inviteId } = invitation;
    await person.client.call('acceptInvitation', { body: { inviteId } });
    expect(await recorded(companyId, 'acceptInvitation')).toEqual({
      inviteId,
      email: person.email,
      invitedBy: owner.email,
      orgRole: 2,
      teams: `Shop (team ${shop}) as TeamAdmin`,
    });
  });
});
