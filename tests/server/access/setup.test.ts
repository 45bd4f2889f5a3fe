import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createOwnerUnattended,
  createSetupLink,
  needsSetup,
  resetPassword,
  setupLinkLifetime,
} from '../../../src/server/access/accounts.ts';
import { letFoundCommand, setupLinkCommand } from '../../../src/server/boot/admin/setup-link.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';

describe('the first Owner', () => {
  let time: number;
  let console: TestConsole;
  let created: unknown[];

  beforeEach(async () => {
    time = Date.now();
    created = [];
    console = await startConsole({
      clock: clockAt(() => time),
      onCompanyCreated: async (company) => {
        created.push(company);
      },
    });
  });
  afterEach(() => console.close());

  const link = async () => {
    const { url } = await createSetupLink(console.store, console.url, time);
    const [page, token = ''] = url.split('#setup=');
    expect(page).toBe(`${console.url}/login`);
    return token;
  };
  const person = (token: string, email = 'owner@example.org') => ({
    token,
    email,
    name: 'Robin Example',
    password: testPassword,
  });

  it('comes by the link, names the organisation and owns it', async () => {
    const client = console.visitor();
    expect(await client.call('signInOptions', {})).toEqual({
      password: true,
      needsSetup: true,
      mailsResets: false,
      providers: [],
    });
    const user = await client.call('setup', { body: person(await link()) });
    expect(user).toMatchObject({ companyId: 0, orgRole: 2, shouldSetupCompany: true });
    expect((await console.visitor().call('signInOptions', {})).needsSetup).toBe(false);

    const members = await client.send('GET', '/api/UserManagement/permissions');
    expect([members.status, members.json]).toMatchObject([403, { title: 'Set up your organisation first.' }]);

    const before = client.cookies.get(client.sessionCookie);
    const owner = await client.call('createCompany', { body: { name: ' Example ' } });
    expect(client.cookies.get(client.sessionCookie), 'the token of before makes no Owner').not.toBe(before);
    expect(owner).toMatchObject({ companyName: 'Example', orgRole: 1, shouldSetupCompany: false });
    expect(created).toEqual([{ companyId: owner.companyId, userId: owner.id }]);
    expect((await client.send('GET', '/api/UserManagement/permissions')).status).toBe(200);
    const again = await client.send('POST', '/api/auth/company', { name: 'Another' });
    expect([again.status, again.json]).toMatchObject([
      403,
      {
        title: 'You cannot set up an organisation here. Ask the operator of this console for a set-up link.',
      },
    ]);
    expect(await console.store.db.select().from(companies)).toHaveLength(1);
  });

  it('of two who use the link at once, one wins', async () => {
    const token = await link();
    const answers = await Promise.all(
      ['a@example.org', 'b@example.org', 'c@example.org'].map((email) =>
        console.visitor().send('POST', '/api/auth/setup', person(token, email)),
      ),
    );
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 410, 410]);
    expect(await console.store.db.select().from(users)).toHaveLength(1);
  });

  it('of two organisations made at once by one person, one is made', async () => {
    const { client } = await console.person({ companyId: null });
    const answers = await Promise.all(
      ['A', 'B'].map((name) => client.send('POST', '/api/auth/company', { name })),
    );
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 403]);
    expect(await console.store.db.select().from(companies)).toHaveLength(1);
  });

  it('a used, expired or unknown link says so; using one ends the others', async () => {
    const [first, second, old] = [await link(), await link(), await link()];
    const use = async (token: string, email: string) => {
      const answer = await console.visitor().send('POST', '/api/auth/setup', person(token, email));
      return [answer.status, (answer.json as { title: string }).title];
    };
    expect(await use('x', 'a@example.org')).toEqual([
      410,
      'This set-up link is unknown. Check that you copied all of it.',
    ]);
    time += setupLinkLifetime;
    expect(await use(old, 'a@example.org')).toEqual([
      410,
      expect.stringContaining('This set-up link has expired.'),
    ]);
    time -= setupLinkLifetime;
    expect((await use(first, 'a@example.org'))[0]).toBe(200);
    for (const token of [first, second]) {
      expect(await use(token, 'b@example.org')).toEqual([
        410,
        'This set-up link was already used. Sign in with the account that was created with it.',
      ]);
    }
  });

  it('a taken email address leaves the link good', async () => {
    await console.person({ companyId: null, email: 'taken@example.org' });
    const token = await link();
    const taken = await console.visitor().send('POST', '/api/auth/setup', person(token, 'Taken@example.org'));
    expect([taken.status, taken.json]).toMatchObject([
      409,
      { title: expect.stringContaining('already has an account here') },
    ]);
    expect((await console.visitor().send('POST', '/api/auth/setup', person(token))).status).toBe(200);
  });

  it('chooses a password that is not easy to guess, and keeps the link until then', async () => {
    const said: string[] = [];
    await setupLinkCommand({ config: console.services.config, say: (sentence) => said.push(sentence) });
    const token = said.find((sentence) => sentence.includes('#setup='))?.split('#setup=')[1] ?? '';
    const body = person(token, 'guessed@example.org');
    const refused = await console
      .visitor()
      .send('POST', '/api/auth/setup', { ...body, password: 'passwordpassword' });
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { issues: [{ path: 'password', message: expect.stringMatching(/most common/) }] },
    ]);
    for (const email of ['guessed@xn--exmple-4nf.com', 'guessed@exаmple.com'])
      expect(
        (await console.visitor().send('POST', '/api/auth/setup', { ...body, email })).json,
      ).toMatchObject({ status: 400, issues: [{ path: 'email' }] });
    expect((await console.visitor().send('POST', '/api/auth/setup', body)).status).toBe(200);
    const weak = { email: 'Ops@Example.org', password: 'Ops@Example.org' };
    await console.store.db.delete(users);
    await expect(createOwnerUnattended(console.store, weak)).rejects.toThrow(/your email address/);
  });

  it('and others after them found one organisation each by a link of the operator, once', async () => {
    const operatorLink = async () => {
      const said: string[] = [];
      await setupLinkCommand({ config: console.services.config, say: (sentence) => said.push(sentence) });
      return said.find((sentence) => sentence.includes('#setup='))?.split('#setup=')[1] ?? '';
    };
    const companyId = await console.company('First');
    const { email, id } = await console.person({ companyId, password: testPassword });
    const [token, second] = [await operatorLink(), await operatorLink()];
    const use = async (body: ReturnType<typeof person>) =>
      (await console.visitor().send('POST', '/api/auth/setup', body)).status;
    expect(await use({ ...person(token, email), password: 'not the password' })).toBe(409);
    const client = console.visitor();
    expect(await client.call('setup', { body: person(token, email) })).toMatchObject({ id, companyId });
    const founded = await client.call('createCompany', { body: { name: 'Second' } });
    expect(founded).toMatchObject({ id, companyName: 'Second', orgRole: 1 });
    expect((await client.send('POST', '/api/auth/company', { name: 'Third' })).status).toBe(403);
    expect(await use(person(token, email))).toBe(410);

    const newcomer = console.visitor();
    const account = await newcomer.call('setup', { body: person(second, 'new@example.org') });
    expect(account).toMatchObject({ shouldSetupCompany: true });
    const rows = await console.store.db.select().from(audit).where(eq(audit.action, 'setupLink'));
    expect(rows).toMatchObject([{ actor: 'operator' }, { actor: 'operator' }]);
  });

  it('and somebody without a password by the word of the operator, if the address is shown to be theirs', async () => {
    const companyId = await console.company('First');
    const { email, client, id } = await console.person({ companyId });
    const said: string[] = [];
    const context = { config: console.services.config, say: (sentence: string) => void said.push(sentence) };
    await expect(letFoundCommand(context, 'nobody@example.org')).rejects.toMatchObject({ status: 404 });
    await expect(letFoundCommand(context, email)).rejects.toMatchObject({ status: 409 });
    expect((await client.send('POST', '/api/auth/company', { name: 'Third' })).status).toBe(403);
    await console.store.db.update(users).set({ emailProvenAt: sql`now()` }).where(eq(users.id, id));
    await letFoundCommand(context, ` ${email.toUpperCase()} `);
    expect(said).toEqual([expect.stringContaining(`${email} can create one organisation`)]);
    expect(await client.call('createCompany', { body: { name: 'Third' } })).toMatchObject({ orgRole: 1 });
    expect((await client.send('POST', '/api/auth/company', { name: 'Fourth' })).status).toBe(403);
  });

  it('comes unattended once, however many replicas start together', async () => {
    const input = { email: 'Ops@Example.org', password: testPassword };
    const results = await Promise.all([1, 2, 3].map(() => createOwnerUnattended(console.store, input)));
    expect(results.filter((result) => result.created)).toHaveLength(1);
    expect(await needsSetup(console.store)).toBe(false);
    const client = console.visitor();
    const user = await client.call('signIn', { body: input });
    expect(user).toMatchObject({
      email: 'ops@example.org',
      companyName: 'Example.org'.toLowerCase(),
      orgRole: 1,
    });
  });

  it('whose password the operator resets is signed out everywhere, and the audit has it', async () => {
    const companyId = await console.company();
    const { client, email, id } = await console.person({ companyId, isOwner: true, password: testPassword });
    const heard: unknown[] = [];
    console.store.channel.on('sessions', (message) => heard.push(message));
    await resetPassword(console.store, email, 'a password set by the operator');
    expect((await client.call('isAuthenticated', {})).isAuthenticated).toBe(false);
    await expect.poll(() => heard).toEqual([{ userId: id }]);
    const body = { email, password: 'a password set by the operator' };
    expect(await console.visitor().call('signIn', { body })).toMatchObject({ id });
    const [row] = await console.store.db.select().from(audit).where(eq(audit.action, 'resetPassword'));
    expect(row).toMatchObject({ actor: 'operator', companyId, subject: { userId: id }, status: 200 });
    await expect(resetPassword(console.store, 'nobody@example.org', 'x')).rejects.toMatchObject({
      status: 404,
    });
  });
});
