import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brakeRules } from '../../../src/server/access/throttle.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { startConsole, type TestConsole, type TestPerson, testPassword } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';

const inNewBrowser = 'Your password was used in a browser in which you had not signed in before';
const guessedAt = 'Many wrong passwords were tried for your account';

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

const signIn = async (browser: TestClient, email: string, password = testPassword) =>
  (await browser.send('POST', '/api/auth/login', { email, password })).status;
const titles = async ({ client }: Pick<TestPerson, 'client'>) =>
  (await client.call('notifications', {})).notifications.map(({ title }) =>
    title.replace(/ \(from .+\)$/, ''),
  );
const guess = async (browser: TestClient, email: string, times: number) => {
  const statuses = [];
  for (let number = 0; number < times; number += 1)
    statuses.push(await signIn(browser, email, 'another passphrase'));
  return statuses;
};

it('the right password in a browser that the account does not know is told of, in a known one it is not', async () => {
  const person = await console.person({ companyId, password: testPassword });
  const browser = console.visitor();
  expect(await signIn(browser, person.email)).toBe(200);
  expect(await titles(person)).toEqual([inNewBrowser]);
  expect(await signIn(browser, person.email)).toBe(200);
  expect(await titles(person)).toEqual([inNewBrowser]);
  expect(await signIn(console.visitor(), person.email)).toBe(200);
  const { notifications } = await person.client.call('notifications', {});
  expect(notifications).toMatchObject([
    { type: 'account.suspicious', path: '/settings?section=sign-in' },
    { title: expect.stringMatching(/ \(from 127\.0\.0\.1\)$/) },
  ]);
});

it('a wrong password alone is not, as people mistype; as many as a brake lets through are, once a day', async () => {
  const person = await console.person({ companyId, password: testPassword });
  const { capacity } = brakeRules.pair;
  expect(await guess(console.visitor(), person.email, capacity - 1)).not.toContain(429);
  expect(await titles(person)).toEqual([]);
  expect(await guess(console.visitor(), person.email, 2)).toEqual([401, 429]);
  await expect.poll(() => titles(person)).toEqual([guessedAt]);
  const { client } = person;
  for (let number = 0; number < brakeRules.person.capacity; number += 1)
    await client.send('POST', '/api/profile/confirm', { password: 'another passphrase' });
  await client.send('POST', '/api/profile/password', {
    current: 'another passphrase',
    next: 'a whole new one',
  });
  expect(await titles(person)).toEqual([guessedAt]);
});

it('wrong current passwords in a session are told of as well', async () => {
  const person = await console.person({ companyId, password: testPassword });
  for (let number = 0; number < brakeRules.person.capacity; number += 1)
    await person.client.send('POST', '/api/profile/password', {
      current: 'another passphrase',
      next: 'a whole new one',
    });
  await expect.poll(() => titles(person)).toEqual([guessedAt]);
});

it('both are mailed to the proven address of the account', async () => {
  const company = await mailing.company('Example');
  const person = await mailing.person({ companyId: company, password: testPassword });
  await mailing.store.db.update(users).set({ emailProvenAt: sql`now()` }).where(eq(users.id, person.id));
  const before = mail.mails.length;
  expect(await signIn(mailing.visitor(), person.email)).toBe(200);
  const used = await mail.received(before + 1);
  expect([used.to, used.subject]).toMatchObject([
    { text: person.email },
    'Your password was used in a new browser',
  ]);
  expect(used.text).toContain(`${inNewBrowser}. It came from the address 127.0.0.1.`);
  expect(used.text).toContain('/settings?section=sign-in');
  await guess(mailing.visitor(), person.email, brakeRules.pair.capacity);
  const tried = await mail.received(before + 2);
  expect(tried.subject).toBe('Wrong passwords were tried for your account');
  expect(tried.text).toContain(`${guessedAt}. The last one came from the address 127.0.0.1.`);
  expect(await titles(person)).toEqual([]);
});

it('whoever knows the password fills no mailbox', async () => {
  const person = await console.person({ companyId, password: testPassword });
  for (let number = 0; number < 12; number += 1) await signIn(console.visitor(), person.email);
  expect(await titles(person)).toHaveLength(10);
});
