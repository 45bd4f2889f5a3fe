import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { createGrants } from '../../../src/server/access/grants.ts';
import { StoredNotifications } from '../../../src/server/notifications/notifications.ts';
import { remindOfTokens, tokenReminderDuty } from '../../../src/server/organisation/token-reminders.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';

const hour = 3_600_000;
const day = 24 * hour;

let mail: MailServer;
let mailing: TestConsole;
let console: TestConsole;
let companyId: number;

beforeAll(async () => {
  mail = await startMailServer();
  mailing = await startConsole({ config: { mail: mail.settings } });
  console = await startConsole();
  companyId = await console.company('Example');
});
afterAll(async () => {
  await mailing.close();
  await console.close();
  await mail.close();
});

const noMail = {
  isConfigured: false,
  send: () => Promise.reject(new Error('There is no mail server.')),
};
/** Looks for tokens that end, as a server does that far in the future. */
const lookIn = async (later: number) =>
  await remindOfTokens({
    store: console.store,
    mailer: noMail,
    clock: clockAt(() => Date.now() + later),
    origin: () => 'https://console.example.org',
  });
const token = async ({ client }: TestPerson, name: string, expiresInDays: number) =>
  (await client.call('createToken', { body: { name, scopes: ['pods.view'], expiresInDays } })).made;
const told = async ({ client }: Pick<TestPerson, 'client'>) =>
  (await client.call('notifications', {})).notifications;

it('people are reminded once of an API token, a week before it ends', async () => {
  const person = await console.person({ companyId });
  const { expiresAt } = await token(person, 'build', 90);
  await lookIn(82 * day);
  expect(await told(person)).toEqual([]);
  await lookIn(83 * day + hour);
  await lookIn(84 * day);
  const end = expiresAt.slice(0, 16).replace('T', ' at ');
  expect(await told(person)).toMatchObject([
    {
      type: 'token.ending',
      title: `The API token “build” ends on ${end} UTC`,
      path: '/settings?section=tokens',
    },
  ]);
});

it.each([
  ['a day', 1, 15, 17],
  ['nine days', 9, 5 * 24, 6 * 24 + 1],
])('of one that lives for %s in the last third of that time', async (_, days, before, within) => {
  const person = await console.person({ companyId });
  await token(person, 'short', days);
  await lookIn(before * hour);
  expect(await told(person)).toEqual([]);
  await lookIn(within * hour);
  expect(await told(person)).toHaveLength(1);
});

it('of none that was revoked, has ended, or whose person is suspended', async () => {
  const person = await console.person({ companyId });
  const { id } = await token(person, 'revoked', 30);
  await person.client.call('revokeToken', { params: { tokenId: id } });
  await token(person, 'over', 1);
  await lookIn(29 * day);
  expect(await told(person)).toEqual([]);
  const { db } = console.store;
  await token(person, 'of somebody suspended', 30);
  const own = eq(memberships.userId, person.id);
  await db.update(memberships).set({ state: 'suspended' }).where(own);
  await lookIn(29 * day);
  await db.update(memberships).set({ state: 'active' }).where(own);
  expect(await told(person)).toEqual([]);
  await lookIn(29 * day);
  expect((await told(person)).map(({ title }) => title)).toEqual([
    expect.stringContaining('of somebody suspended'),
  ]);
});

it('in the organisation of the token alone, also where its provider opened the session', async () => {
  const person = await console.person({ companyId });
  await token(person, 'provided', 30);
  await lookIn(29 * day);
  const list = new StoredNotifications({ store: console.store, grants: createGrants(console.store) });
  const bound = {
    id: person.id,
    companyId,
    companyName: 'Example',
    orgRole: orgRoles.Member,
    name: 'Robin Example',
    email: person.email,
    sessionHash: '',
    providerId: 1,
    token: null,
  };
  const { notifications } = await list.list(bound);
  expect(notifications).toHaveLength(1);
  const other = { ...bound, companyId: await console.company('Another'), providerId: null };
  expect((await list.list(other)).notifications).toEqual([]);
  await list.change(other, [notifications[0]?.id ?? ''], 'clear');
  expect((await list.list(bound)).notifications).toHaveLength(1);
  await list.change(bound, [notifications[0]?.id ?? ''], 'clear');
  expect((await list.list(bound)).notifications).toEqual([]);
});

it('by mail to a proven address, by one of several servers', async () => {
  const company = await mailing.company('Example');
  const person = await mailing.person({ companyId: company });
  await mailing.store.db.update(users).set({ emailProvenAt: sql`now()` }).where(eq(users.id, person.id));
  await token(person, 'deploy', 1);
  const before = mail.mails.length;
  const sent: string[] = [];
  const parts = {
    ...mailing.services,
    mailer: {
      isConfigured: true,
      send: ({
        to,
        subject,
        text,
        giveUpAt,
      }: {
        to: string;
        subject: string;
        text: string;
        giveUpAt?: string;
      }) => {
        sent.push([to, subject, text, giveUpAt].join('\n'));
        return Promise.resolve();
      },
    },
    clock: clockAt(() => Date.now() + 20 * hour),
    origin: () => 'https://console.example.org',
  };
  await Promise.all([remindOfTokens(parts), remindOfTokens(parts)]);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatch(
    /^.+@.+\nYour API token “deploy” ends soon\nThe API token “deploy” ends on [\d-]+ at [\d:]+ UTC\. It is yours in Example; /,
  );
  expect(sent[0]).toContain('https://console.example.org/settings?section=tokens');
  expect(mail.mails).toHaveLength(before);
  expect((await person.client.call('notifications', {})).notifications).toEqual([]);
});

it('and again at the next round where the mail cannot be queued', async () => {
  const person = await mailing.person({ companyId: await mailing.company('Example') });
  await mailing.store.db.update(users).set({ emailProvenAt: sql`now()` }).where(eq(users.id, person.id));
  await token(person, 'later', 1);
  const subjects: string[] = [];
  let isFull = true;
  const stop = new AbortController();
  const rounds = tokenReminderDuty({
    ...mailing.services,
    mailer: {
      isConfigured: true,
      send: ({ subject }) => {
        if (isFull) return Promise.reject(new Error('Too many mails wait.'));
        subjects.push(subject);
        return Promise.resolve();
      },
    },
    clock: {
      ...clockAt(() => Date.now() + 20 * hour),
      after: (_ms, run) => {
        isFull = subjects.length > 0;
        return systemClock.after(1, run);
      },
    },
    origin: () => 'https://console.example.org',
  }).run(stop.signal);
  await expect.poll(() => subjects).toEqual(['Your API token “later” ends soon']);
  stop.abort();
  await rounds;
});
