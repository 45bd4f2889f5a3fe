import { and, desc, eq, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../../src/server/access/passwords.ts';
import { hashToken } from '../../../src/server/access/sessions.ts';
import { brakeRules } from '../../../src/server/access/throttle.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { audit, auditRows } from '../../../src/server/store/schema/audit.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { hostileReturns } from '../../hostile-returns.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import type { TestClient } from '../http-client.ts';

const hour = 3_600_000;

describe('signing in', () => {
  let time = Date.parse('2026-11-21T08:00:00Z');
  let console: TestConsole;
  let companyId: number;

  beforeAll(async () => {
    console = await startConsole({ clock: clockAt(() => time) });
    companyId = await console.company('Example');
  });
  afterAll(() => console.close());

  const signedUp = (email: string) => console.person({ companyId, email, password: testPassword });
  const signIn = (client: TestClient, email: string, password = testPassword) =>
    client.send('POST', '/api/auth/login', { email, password });
  const isSignedIn = async (client: TestClient) => (await client.call('isAuthenticated', {})).isAuthenticated;

  it('gives the person and a session in a cookie that scripts cannot read', async () => {
    const person = await signedUp('robin@example.org');
    const client = console.visitor();
    const answer = await signIn(client, 'Robin@Example.org');
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        id: person.id,
        companyId,
        companyName: 'Example',
        orgRole: 2,
        name: 'Robin Example',
        email: 'robin@example.org',
        isInviteNotFound: false,
        isInvitePending: false,
        isInviteRejected: false,
        shouldSetupCompany: false,
      },
    ]);
    const cookies = answer.headers['set-cookie'] ?? [];
    expect(cookies.find((line) => line.startsWith(`${client.sessionCookie}=`))).toMatch(
      /; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookies.find((line) => line.startsWith(`${client.xsrfCookie}=`))).not.toMatch(/HttpOnly/);
    expect(client.session).toMatch(/^[\w-]{43}$/);
    expect(await client.call('currentUser', {})).toEqual(answer.json);
  });

  it('on two ports of one machine one browser is signed in to both consoles, and changes things on both', async () => {
    const other = await startConsole();
    try {
      // Browsers keep one jar for a host, whatever the port.
      const jar = new Map<string, string>();
      const signedIn = [];
      for (const one of [console, other]) {
        const { email } = await one.person({ companyId: null, password: testPassword });
        const client = one.visitor();
        for (const [name, value] of jar) client.cookies.set(name, value);
        await client.call('signIn', { body: { email, password: testPassword } });
        for (const [name, value] of client.cookies) jar.set(name, value);
        signedIn.push({ client, email });
      }
      expect(jar.size).toBe(6);
      for (const { client, email } of signedIn) {
        for (const [name, value] of jar) client.cookies.set(name, value);
        expect(await client.call('currentUser', {})).toMatchObject({ email });
        expect(await client.call('createCompany', { body: { name: 'Mine' } })).toMatchObject({ email });
      }
      await signedIn[0]?.client.call('logout', {});
      expect(await signedIn[1]?.client.call('isAuthenticated', {})).toMatchObject({ isAuthenticated: true });
    } finally {
      await other.close();
    }
  });

  it('under https the cookie is called __Host-sid and Secure', async () => {
    const url = new URL('https://console.example.org');
    const secure = await startConsole({ config: { url } });
    try {
      const { email } = await secure.person({ companyId: null, password: testPassword });
      const answer = await secure.visitor().send(
        'POST',
        '/api/auth/login',
        { email, password: testPassword },
        {
          headers: { origin: url.origin, host: url.host },
        },
      );
      expect(answer.status).toBe(200);
      const line = (answer.headers['set-cookie'] ?? []).find((cookie) => cookie.startsWith('__Host-sid='));
      expect(line).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
      expect(answer.headers['content-security-policy']).toContain(
        "connect-src 'self' wss://console.example.org;",
      );
    } finally {
      await secure.close();
    }
  });

  it('names below that of the console are https alone where the operator says so', async () => {
    const config = { url: new URL('https://console.example.org'), hasSecureSubdomains: true };
    const secure = await startConsole({ config });
    try {
      const { headers } = await secure.visitor().send('GET', '/api/auth/options', undefined, {
        headers: { host: config.url.host },
      });
      expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    } finally {
      await secure.close();
    }
  });

  it('says the same for an unknown email address and a wrong password', async () => {
    await signedUp('known@example.org');
    const wrong = await signIn(console.visitor(), 'known@example.org', 'not the password');
    const unknown = await signIn(console.visitor(), 'unknown@example.org');
    expect(wrong.status).toBe(401);
    expect({ ...(wrong.json as object), requestId: '' }).toEqual({
      ...(unknown.json as object),
      requestId: '',
    });
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  it('never takes over a session id from the browser, and leaves none behind', async () => {
    const { email } = await signedUp('fixed@example.org');
    const client = console.visitor();
    client.cookies.set(client.sessionCookie, 'A'.repeat(43));
    await signIn(client, email);
    const first = client.session ?? '';
    expect(first).not.toBe('A'.repeat(43));
    await signIn(client, email);
    expect(client.session).not.toBe(first);
    const [left] = await console.store.db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, hashToken(first)));
    expect(left).toBeUndefined();
  });

  it('a session ends after 12 hours without a call and after 14 days in any case', async () => {
    const { email } = await signedUp('idle@example.org');
    const client = console.visitor();
    await signIn(client, email);
    time += 12 * hour - 1;
    expect(await isSignedIn(client)).toBe(true);
    time += 12 * hour - 1;
    expect(await isSignedIn(client)).toBe(true);
    time += 12 * hour;
    expect(await isSignedIn(client)).toBe(false);

    await signIn(client, email);
    const start = time;
    while (time + 11 * hour < start + 14 * 24 * hour) {
      time += 11 * hour;
      expect(await isSignedIn(client)).toBe(true);
    }
    time = start + 14 * 24 * hour;
    expect(await isSignedIn(client)).toBe(false);
  });

  it('the last use is written at most once a minute', async () => {
    const { email } = await signedUp('seen@example.org');
    const client = console.visitor();
    await signIn(client, email);
    const tokenHash = hashToken(client.session ?? '');
    const seen = async () => {
      const [row] = await console.store.db.select().from(sessions).where(eq(sessions.tokenHash, tokenHash));
      return Date.parse(row?.lastSeenAt ?? '');
    };
    const before = await seen();
    time += 59_999;
    await isSignedIn(client);
    expect(await seen()).toBe(before);
    time += 1;
    await isSignedIn(client);
    expect(await seen()).toBe(before + 60_000);
  });

  it('a sign-in counts as seen in the company that the session opens', async () => {
    const { email, id } = await signedUp('there@example.org');
    await signIn(console.visitor(), email);
    const [row] = await console.store.db
      .select({ at: memberships.lastSeenAt })
      .from(memberships)
      .where(eq(memberships.userId, id));
    expect(Date.parse(row?.at ?? '')).toBe(time);
  });

  it('logout is for our own pages, ends the session and always clears the cookie', async () => {
    const { client } = await signedUp('leaving@example.org');
    for (const headers of [
      { origin: null, 'sec-fetch-site': 'cross-site' },
      { origin: null, 'sec-fetch-site': null },
      { origin: 'https://evil.example', 'sec-fetch-site': null },
    ]) {
      expect((await client.send('GET', '/api/auth/logout', undefined, { headers })).status).toBe(403);
    }
    const before = new Map(client.cookies);
    const answer = await client.send('GET', '/api/auth/logout');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(client.cookies.size).toBe(0);
    for (const [name, value] of before) client.cookies.set(name, value);
    expect(await isSignedIn(client)).toBe(false);
    expect((await client.send('GET', '/api/auth/logout')).status).toBe(204);
    expect(client.cookies.size).toBe(0);
  });

  it('logout clears the cookie even while the store does not answer, and says that it failed', async () => {
    const { client } = await signedUp('unlucky@example.org');
    await console.store.db.execute(sql`alter table sessions rename to sessions_away`);
    try {
      const answer = await client.send('GET', '/api/auth/logout');
      expect(answer.status).toBe(500);
      expect(client.cookies.size).toBe(0);
    } finally {
      await console.store.db.execute(sql`alter table sessions_away rename to sessions`);
    }
  });

  it('a changed password ends every other session and tells the replicas which', async () => {
    const { client, email, id } = await signedUp('changing@example.org');
    const other = console.visitor();
    await signIn(other, email);
    const heard: unknown[] = [];
    const dispose = console.store.channel.on('sessions', (message) => heard.push(message));
    const next = 'a whole new password';
    const wrong = await client.send('POST', '/api/profile/password', { current: 'not it at all', next });
    expect([wrong.status, wrong.json]).toMatchObject([403, { title: 'The current password is wrong.' }]);
    const otherHash = hashToken(other.session ?? '').toString('hex');
    expect((await client.send('POST', '/api/profile/password', { current: testPassword, next })).status).toBe(
      204,
    );
    expect([await isSignedIn(client), await isSignedIn(other)]).toEqual([true, false]);
    await expect.poll(() => heard).toEqual([{ userId: id, tokenHash: otherHash }]);
    dispose();
    expect((await signIn(other, email)).status).toBe(401);
    expect((await signIn(other, email, next)).status).toBe(200);
  });

  it('a password that is easy to guess is not taken, and one in use stays good', async () => {
    const { client, email, id } = await signedUp('guessable@example.org');
    const change = (current: string, next: string) =>
      client.send('POST', '/api/profile/password', { current, next });
    for (const [next, sentence] of [
      ['123456789012', /most common/],
      ['poiuytrewqlkjhgfdsa', /repeats itself/],
      ['robin-example!', /your name/],
      ['wheelhouse-2026', /this product/],
    ] as const)
      expect((await change(testPassword, next)).json).toMatchObject({
        status: 400,
        issues: [{ path: 'next', message: expect.stringMatching(sentence) }],
      });
    const passwordHash = await hashPassword('123456789012');
    await console.store.db.update(users).set({ passwordHash }).where(eq(users.id, id));
    expect((await signIn(console.visitor(), email, '123456789012')).status).toBe(200);
    expect((await change('123456789012', 'a whole new password')).status).toBe(204);
  });

  it('guessing is slowed down, and what is refused unread leaves no row in the audit', async () => {
    const { email, id } = await signedUp('target@example.org');
    const rows = async () =>
      await console.store.db.$count(audit, and(eq(audit.action, 'signIn'), eq(audit.userId, id)));
    const before = await rows();
    const { capacity, interval } = brakeRules.pair;
    const statuses: number[] = [];
    for (let count = 0; count < capacity + 2; count += 1) {
      statuses.push((await signIn(console.visitor(), email, 'a wrong password')).status);
    }
    expect(statuses).toEqual([...Array.from({ length: capacity }, () => 401), 429, 429]);
    expect(await rows()).toBe(before + capacity);
    const refused = await signIn(console.visitor(), email);
    expect([refused.status, refused.headers['retry-after'], refused.json]).toMatchObject([
      429,
      `${interval / 1000}`,
      { title: 'Too many failed attempts. Wait 5 minutes and try again.', retryable: true },
    ]);
    time += interval;
    expect((await signIn(console.visitor(), email)).status).toBe(200);
    expect(await rows()).toBe(before + capacity + 1);
  });

  it('a browser that has signed in before is let in whatever strangers do, until the password is changed', async () => {
    const { email } = await signedUp('known.browser@example.org');
    const browser = console.visitor();
    const device = browser.sessionCookie.replace('sid', 'device');
    const first = await signIn(browser, email);
    expect((first.headers['set-cookie'] ?? []).find((line) => line.startsWith(`${device}=`))).toMatch(
      /; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    await browser.call('logout', {});
    expect([...browser.cookies.keys()]).toEqual([device]);
    for (let count = 0; count <= brakeRules.pair.capacity; count += 1)
      await signIn(console.visitor(), email, 'a wrong password');
    expect((await signIn(console.visitor(), email)).status).toBe(429);
    // Its own typos count for itself.
    expect((await signIn(browser, email, 'a wrong password')).status).toBe(401);
    expect((await signIn(browser, email)).status).toBe(200);

    const other = console.visitor();
    other.cookies.set(device, browser.cookies.get(device) ?? '');
    const next = 'a whole new password';
    await browser.call('changePassword', { body: { current: testPassword, next } });
    expect((await signIn(browser, email, next)).status).toBe(200);
    // The cookie from before is a stranger's now.
    expect((await signIn(other, email, next)).status).toBe(429);
    time += hour;
  });

  it('an office of sixty signs in from one address within a minute', async () => {
    const people = await Promise.all(
      Array.from({ length: 60 }, (_, at) => console.person({ companyId, email: `office-${at}@example.org` })),
    );
    const passwordHash = await hashPassword(testPassword);
    await console.store.db.update(users).set({ passwordHash }).where(like(users.email, 'office-%'));
    const answers = await Promise.all(people.map(({ email }) => signIn(console.visitor(), email)));
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
  }, 60_000);

  it('a right password in a new browser passes while others of its network fail at made-up addresses', async () => {
    const { email } = await signedUp('sprayed@example.org');
    for (let at = 0; at < 40; at += 1)
      expect((await signIn(console.visitor(), `nobody-${at}@example.org`)).status).toBe(401);
    expect((await signIn(console.visitor(), email)).status).toBe(200);
  });

  it('an address that nobody has is answered as one that somebody has, also where it is braked', async () => {
    const { email } = await signedUp('enumerated@example.org');
    const answers = async (address: string) => {
      const all: unknown[][] = [];
      for (let count = 0; count < brakeRules.pair.capacity + 2; count += 1) {
        const { status, json, headers } = await signIn(console.visitor(), address, 'a wrong password');
        const { requestId: _ofIt, ...said } = json as Record<string, unknown>;
        all.push([status, said, Object.keys(headers).sort(), headers['retry-after']]);
      }
      return all;
    };
    const known = await answers(email);
    expect(known.at(-1)?.slice(0, 2)).toMatchObject([
      429,
      { title: expect.stringMatching(/^Too many failed attempts/) },
    ]);
    expect(await answers('enumerated-by-nobody@example.org')).toEqual(known);
    time += hour;
  });

  it('set-up links have a brake of their own for a network', async () => {
    const setup = async () =>
      (
        await console.visitor().send('POST', '/api/auth/setup', {
          token: 'made-up',
          name: 'Robin',
          email: 'new@example.org',
          password: testPassword,
        })
      ).status;
    const statuses: number[] = [];
    for (let count = 0; count <= brakeRules.setup.capacity; count += 1) statuses.push(await setup());
    expect(statuses).toEqual([...Array.from({ length: brakeRules.setup.capacity }, () => 410), 429]);
    time += hour;
  });

  it('a session beside a try leaves nothing in the chain of another company, nor of its own', async () => {
    const victim = await console.person({ companyId: await console.company(), password: testPassword });
    const { client } = await console.person({ companyId: await console.company() });
    const last = async () =>
      (await console.store.db.select().from(auditRows).orderBy(desc(auditRows.id)).limit(2)).map(
        ({ action, companyId: of, userId, isTry }) => ({ action, of, userId, isTry }),
      );
    await expect(
      client.call('signIn', { body: { email: victim.email, password: 'wrong' } }),
    ).rejects.toMatchObject({ status: 401 });
    const [{ companyId: home } = { companyId: 0 }] = await console.store.db
      .select()
      .from(memberships)
      .where(eq(memberships.userId, victim.id));
    expect(await last()).toEqual([
      { action: 'signIn', of: home, userId: victim.id, isTry: true },
      { action: 'signIn', of: null, userId: null, isTry: true },
    ]);
    const setup = { token: 'unknown', email: victim.email, name: 'Robin', password: testPassword };
    await expect(client.call('setup', { body: setup })).rejects.toMatchObject({ status: 410 });
    expect(await last()).toEqual(
      [1, 2].map(() => ({ action: 'setup', of: null, userId: null, isTry: true })),
    );
  });

  it('successes and failures are in the audit, without what was typed for an unknown account', async () => {
    const { email, id } = await signedUp('audited@example.org');
    await signIn(console.visitor(), email, 'a wrong password');
    await signIn(console.visitor(), email);
    await signIn(console.visitor(), 'typed.into.the.wrong.field@example.org');
    const rows = await console.store.db
      .select()
      .from(audit)
      .where(eq(audit.action, 'signIn'))
      .orderBy(audit.id);
    expect(rows.slice(-3)).toMatchObject([
      { userId: id, actor: email, status: 401, address: '127.0.0.1', companyId },
      { userId: id, actor: email, status: 200 },
      { userId: null, actor: 'signed out', status: 401, subject: {} },
    ]);
    expect(rows.every((row) => row.finishedAt !== null)).toBe(true);
  });

  it('a removed account is signed out at once', async () => {
    const { client, id } = await signedUp('removed@example.org');
    expect(await isSignedIn(client)).toBe(true);
    await console.store.db.delete(users).where(eq(users.id, id));
    expect(await isSignedIn(client)).toBe(false);
  });

  it('returns only to a path of this console', async () => {
    const client = console.visitor();
    const location = async (returnUrl: string) => {
      const answer = await client.send('GET', `/api/auth/login?returnUrl=${encodeURIComponent(returnUrl)}`);
      expect(answer.status).toBe(302);
      return answer.headers.location;
    };
    expect(await location('/clusters/1/pods?namespace=shop#x')).toBe(
      '/login?returnUrl=%2Fclusters%2F1%2Fpods%3Fnamespace%3Dshop%23x',
    );
    // Half a character cannot be written into an address, and NUL is refused wherever it stands.
    for (const foreign of [
      '',
      ...hostileReturns.filter((text) => text.isWellFormed() && !text.includes('\0')),
    ]) {
      expect(await location(foreign), JSON.stringify(foreign)).toBe('/login');
    }
  });
});
