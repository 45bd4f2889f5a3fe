import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountNoticeLimit } from '../../../src/contract/notifications.ts';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { storeAccountNotice } from '../../../src/server/access/account-notice.ts';
import { resetPassword } from '../../../src/server/access/accounts.ts';
import { createGrants } from '../../../src/server/access/grants.ts';
import { StoredNotifications } from '../../../src/server/notifications/notifications.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { passkeys } from '../../../src/server/store/schema/passkeys.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';

const next = 'a quite different passphrase';
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

const somebody = () => console.person({ companyId, password: testPassword });
const titles = async ({ client }: Awaited<ReturnType<typeof somebody>>) =>
  (await client.call('notifications', {})).notifications.map(({ title }) => title);

it('a changed password is mailed to the proven address of the account', async () => {
  const company = await mailing.company('Example');
  const { id, email, client } = await mailing.person({ companyId: company, password: testPassword });
  await mailing.store.db.update(users).set({ emailProvenAt: sql`now()` }).where(eq(users.id, id));
  const before = mail.mails.length;
  await client.call('changePassword', { body: { current: testPassword, next } });
  const { to, subject, text } = await mail.received(before + 1);
  expect([to, subject]).toMatchObject([{ text: email }, 'How you sign in to Wheelhouse was changed']);
  expect(text).toMatch(/^Your password was changed\. It was done from the address \S+\.$/m);
  expect(text).toContain('/settings?section=sign-in');
  expect(await client.call('notifications', {})).toEqual({ notifications: [], unread: 0 });
});

it('where nobody showed that the address is the account’s it stands in the console', async () => {
  const company = await mailing.company('Example');
  const { client } = await mailing.person({ companyId: company, password: testPassword });
  await client.call('changePassword', { body: { current: testPassword, next } });
  const { notifications, unread } = await client.call('notifications', {});
  expect(unread).toBe(1);
  expect(notifications).toMatchObject([
    {
      type: 'account.changed',
      title: expect.stringMatching(/^Your password was changed \(from .+\)$/),
      path: '/settings?section=sign-in',
      isRead: false,
    },
  ]);
  const ids = notifications.map(({ id }) => id);
  await client.call('changeNotifications', { body: { change: 'read', ids } });
  expect(await client.call('notifications', {})).toMatchObject({
    notifications: [{ isRead: true }],
    unread: 0,
  });
  await client.call('changeNotifications', { body: { change: 'clear', ids } });
  expect((await client.call('notifications', {})).notifications).toEqual([]);
});

it('what Owners and the operator change is told as well', async () => {
  const owner = await console.person({ companyId, isOwner: true });
  const person = await somebody();
  await console.store.db.insert(passkeys).values({
    userId: person.id,
    credentialId: `credential-${person.id}`,
    publicKey: Buffer.from('key'),
    counter: 0,
    transports: [],
    userHandle: 'handle',
    host: 'localhost',
    name: 'Laptop',
  });
  await owner.client.call('removeMemberPasskeys', { params: { userId: person.id } });
  await resetPassword(console.store, person.email, next);
  const client = await console.session(person.id, companyId);
  expect(await titles({ ...person, client })).toEqual([
    'The operator of this console gave your account a new password',
    expect.stringMatching(/^Robin Example, an Owner of Example.*, removed the passkeys of your account/),
  ]);
});

it('a session that a company’s provider opened neither reads nor clears it', async () => {
  const person = await somebody();
  await storeAccountNotice(console.store.db, { userId: person.id, title: 'Your password was changed' });
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
  expect(await list.list(bound)).toEqual({ notifications: [], unread: 0 });
  const [own] = (await person.client.call('notifications', {})).notifications;
  await list.change(bound, [own?.id ?? ''], 'clear');
  const other = await somebody();
  await other.client.call('changeNotifications', { body: { change: 'clear', ids: [own?.id ?? ''] } });
  expect(await titles(person)).toEqual(['Your password was changed']);
});

it('the newest are kept', async () => {
  const person = await somebody();
  for (let number = 0; number <= accountNoticeLimit; number += 1)
    await storeAccountNotice(console.store.db, { userId: person.id, title: `Change ${number}` });
  const kept = await titles(person);
  expect(kept).toHaveLength(accountNoticeLimit);
  expect(kept).not.toContain('Change 0');
});
