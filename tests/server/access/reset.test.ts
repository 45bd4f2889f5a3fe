import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetMinutes } from '../../../src/contract/reset.ts';
import { links, users } from '../../../src/server/store/schema/accounts.ts';
import { identities } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';

const minute = 60_000;
const next = 'a quite different passphrase';

const tokenIn = (text: string | undefined) => /#reset=(\S+)/.exec(text ?? '')?.[1] ?? '';

describe('resetting a password by a link', () => {
  let time = Date.parse('2026-11-25T08:00:00Z');
  let mail: MailServer;
  let console: TestConsole;
  let companyId: number;

  beforeAll(async () => {
    mail = await startMailServer();
    console = await startConsole({ config: { mail: mail.settings }, clock: clockAt(() => time) });
    companyId = await console.company('Example');
  });
  afterAll(async () => {
    await console.close();
    await mail.close();
  });

  const proven = async (email?: string) => {
    const person = await console.person({
      companyId,
      password: testPassword,
      ...(email === undefined ? {} : { email }),
    });
    await console.store.db
      .update(users)
      .set({ emailProvenAt: new Date(time).toISOString() })
      .where(eq(users.id, person.id));
    return person;
  };
  const ask = (email: string) => console.visitor().send('POST', '/api/auth/reset', { email });
  const use = (token: string, password = next) =>
    console.visitor().send('POST', '/api/auth/reset/password', { token, password });
  const askedToken = async (email: string) => {
    // A reset that was before mails a notice, which may come meanwhile.
    const links = () =>
      mail.mails.filter(({ to, subject }) => {
        const [address] = Array.isArray(to) ? to : [to];
        return address?.text === email && subject === 'Reset your password';
      });
    const { length } = links();
    await ask(email);
    await expect.poll(() => links().length).toBe(length + 1);
    return tokenIn(links().at(-1)?.text);
  };

  it('CVE-2022-39307: asking answers alike and does the same for an address that is known, unproven or nobody’s', async () => {
    const known = await proven();
    const unproven = await console.person({ companyId, password: testPassword });
    const rows = async () =>
      (await console.store.db.execute<{ count: number }>(sql`select count(*)::int as count from links`))
        .rows[0]?.count ?? 0;
    const audits = async () =>
      (await console.store.db.execute<{ count: number }>(sql`select count(*)::int as count from audit`))
        .rows[0]?.count ?? 0;
    const before = mail.mails.length;
    const seen = [];
    for (const email of [known.email, unproven.email, 'nobody@example.org']) {
      const [links_, audit_] = [await rows(), await audits()];
      const { status, text, headers } = await ask(email);
      seen.push({
        status,
        text,
        headers: Object.keys(headers).sort(),
        links: (await rows()) - links_,
        audit: (await audits()) - audit_,
      });
    }
    expect(seen[0]).toMatchObject({ status: 204, text: '', links: 1, audit: 0 });
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    const sent = await mail.received(before + 1);
    expect(sent.to).toMatchObject({ text: known.email });
    // The two others are mailed nothing, and the rows that they left open nothing.
    expect(mail.mails).toHaveLength(before + 1);
  });

  it('sets the password once, and ends every session of the account', async () => {
    const person = await proven();
    const another = await console.session(person.id, companyId);
    const token = await askedToken(person.email);
    const stored = await console.store.db.select().from(links);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await use(token)).status).toBe(200);
    for (const client of [person.client, another])
      expect(await client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    expect((await use(token)).status).toBe(410);
    await console.visitor().call('signIn', { body: { email: person.email, password: next } });
    await expect(
      console.visitor().call('signIn', { body: { email: person.email, password: testPassword } }),
    ).rejects.toThrow('Email address or password is wrong.');
  });

  it('says which other ways still open the account, and mails a notice to its proven address', async () => {
    const person = await proven();
    await console.store.db.insert(identities).values({
      userId: person.id,
      issuer: 'https://id.example.org',
      subject: `subject-${person.id}`,
      email: null,
    });
    const token = await askedToken(person.email);
    const answer = await use(token);
    expect([answer.status, answer.json]).toEqual([200, { passkeys: 0, identities: 1 }]);
    const notice = () =>
      mail.mails.find(({ to, subject }) => {
        const [address] = Array.isArray(to) ? to : [to];
        return address?.text === person.email && subject === 'Your password was reset';
      })?.text;
    await expect.poll(notice).toContain('1 connected provider opens the account as before.');
    expect(notice()).toContain('/settings?section=sign-in');
  });

  it('mails the notice however many mails wait, and resets the password even where it cannot be queued', async () => {
    const { db } = console.store;
    const [person, other] = [await proven(), await proven()];
    const [token, otherToken] = [await askedToken(person.email), await askedToken(other.email)];
    const notices = () => mail.mails.filter(({ subject }) => subject === 'Your password was reset').length;
    const before = notices();
    // What a full queue holds: mails that are tried much later.
    await db.execute(sql`insert into mails (id, purpose, content, give_up_at, next_at)
      select gen_random_uuid(), 'fill', '\\x00', now() + interval '1 day', now() + interval '1 day'
      from generate_series(1, 1000)`);
    try {
      expect((await ask(person.email)).status).toBe(503);
      expect((await use(token)).status).toBe(200);
      await expect.poll(notices).toBe(before + 1);
    } finally {
      await db.execute(sql`delete from mails where purpose = 'fill'`);
    }
    await db.execute(sql`alter table mails add constraint refused check (purpose = '') not valid`);
    try {
      expect((await use(otherToken)).status).toBe(200);
    } finally {
      await db.execute(sql`alter table mails drop constraint refused`);
    }
    await console.visitor().call('signIn', { body: { email: other.email, password: next } });
  });

  it('takes no password that is easy to guess, and the link stays good', async () => {
    const { email } = await proven();
    const token = await askedToken(email);
    const refused = await use(token, `${email}!`);
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { issues: [{ path: 'password', message: expect.stringMatching(/your email address/) }] },
    ]);
    expect((await use(token)).status).toBe(200);
  });

  it('makes the browser a known one: who guesses at the account meanwhile does not keep its owner out', async () => {
    const { email } = await proven();
    const guess = (password: string) =>
      console.visitor().send('POST', '/api/auth/login', { email, password });
    while ((await guess('not the password')).status !== 429);
    const token = await askedToken(email);
    expect((await guess(testPassword)).status).toBe(429);
    const browser = console.visitor();
    expect((await browser.send('POST', '/api/auth/reset/password', { token, password: next })).status).toBe(
      200,
    );
    expect((await browser.send('POST', '/api/auth/login', { email, password: next })).status).toBe(200);
  });

  it('of two who use one link at once one succeeds', async () => {
    const { email } = await proven();
    const token = await askedToken(email);
    const statuses = (await Promise.all([use(token), use(token)])).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 410]);
  });

  it('a link is good for an hour, and a used one ends the others', async () => {
    const { email } = await proven();
    const first = await askedToken(email);
    const second = await askedToken(email);
    expect((await use(second)).status).toBe(200);
    const late = await askedToken(email);
    time += resetMinutes * minute;
    const unknown = await use('unknown');
    for (const token of [first, late]) {
      const { status, json } = await use(token);
      expect({ status, title: (json as { title: string }).title }).toEqual({
        status: unknown.status,
        title: (unknown.json as { title: string }).title,
      });
    }
  });

  it('mails no more than three links an hour to one account', async () => {
    const { email } = await proven();
    const before = mail.tries.length;
    for (let count = 0; count < 5; count += 1) expect((await ask(email)).status).toBe(204);
    // Mails go out in the background, in any order: all that are to come have come before another account's.
    const mailed = () => mail.tries.slice(before).filter((one) => one === email);
    await expect.poll(mailed).toHaveLength(3);
    const marker = await proven();
    await askedToken(marker.email);
    expect(mailed()).toHaveLength(3);
  });

  it('an Owner makes no link where it is mailed', async () => {
    const owner = await console.person({ companyId, isOwner: true });
    const { id } = await console.person({ companyId });
    const refused = { status: 409, title: expect.stringContaining('mails reset links') as string };
    await expect(owner.client.call('memberResetLink', { params: { userId: id } })).rejects.toMatchObject(
      refused,
    );
  });

  it('a password that is changed ends the links that were open', async () => {
    const person = await proven();
    const token = await askedToken(person.email);
    await person.client.call('changePassword', { body: { current: testPassword, next } });
    expect((await use(token, testPassword)).status).toBe(410);
  });

  it('without a mail server says so, whatever the address', async () => {
    const silent = await startConsole();
    try {
      const { email } = await silent.person({ companyId: null, password: testPassword });
      for (const address of [email, 'nobody@example.org']) {
        const { status, json } = await silent.visitor().send('POST', '/api/auth/reset', { email: address });
        expect([status, (json as { title: string }).title]).toEqual([
          409,
          expect.stringContaining('no mail server'),
        ]);
      }
    } finally {
      await silent.close();
    }
  });
});

describe('without a mail server', () => {
  let console: TestConsole;
  let companyId: number;
  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company('Example');
  });
  afterAll(() => console.close());
  const use = (token: string) =>
    console.visitor().send('POST', '/api/auth/reset/password', { token, password: next });

  it('an Owner makes a link only for somebody who has never belonged elsewhere', async () => {
    const owner = await console.person({ companyId, isOwner: true });
    const other = await console.company();
    const stranger = await console.person({ companyId: other, isOwner: true });
    const own = await console.person({ companyId });
    const made = await owner.client.call('memberResetLink', { params: { userId: own.id } });
    expect(made.link).toMatch(new RegExp(`^${console.url}/login#reset=`));
    expect((await use(tokenIn(made.link))).status).toBe(200);

    await expect(stranger.client.call('memberResetLink', { params: { userId: own.id } })).rejects.toThrow(
      'Your organisation has no such person',
    );
    await console.store.db
      .insert(memberships)
      .values({ userId: own.id, companyId: other, orgRole: 2, state: 'left' });
    for (const client of [owner.client, stranger.client])
      await expect(client.call('memberResetLink', { params: { userId: own.id } })).rejects.toMatchObject({
        status: client === owner.client ? 409 : 404,
      });
  });

  it('an Owner makes none for themself: a copied session would set a password without the present one', async () => {
    const owner = await console.person({ companyId, isOwner: true, password: testPassword });
    await expect(
      owner.client.call('memberResetLink', { params: { userId: owner.id } }),
    ).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining('Change your own password under Settings') as string,
    });
  });

  it('the link of an Owner opens nothing once the account belongs elsewhere, or to them no more', async () => {
    const owner = await console.person({ companyId, isOwner: true });
    const linkFor = async (userId: number) =>
      tokenIn((await owner.client.call('memberResetLink', { params: { userId } })).link);
    const joined = await console.person({ companyId });
    const ofJoined = await linkFor(joined.id);
    await console.store.db
      .insert(memberships)
      .values({ userId: joined.id, companyId: await console.company(), orgRole: 2 });
    expect((await use(ofJoined)).status).toBe(410);

    const removed = await console.person({ companyId });
    const ofRemoved = await linkFor(removed.id);
    await owner.client.call('removeMember', { params: { userId: removed.id } });
    expect((await use(ofRemoved)).status).toBe(410);
  });
});
