import { generateKeyPairSync, sign } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proofMinutes } from '../../../src/contract/passkeys.ts';
import { hashToken } from '../../../src/server/access/sessions.ts';
import { joinClaims } from '../../../src/server/identity/client.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { audit, auditRows } from '../../../src/server/store/schema/audit.ts';
import { identities, pendingSignIns } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { hostileReturns } from '../../hostile-returns.ts';
import { type Issuer, issuerClient, startIssuer } from '../../issuer.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { goToProvider, navigate, passProvider, signInAt } from './sign-in-at.ts';

const minute = 60_000;

describe('signing in at a provider of the installation', () => {
  let time = Date.now();
  let issuer: Issuer;
  let other: Issuer;
  let console: TestConsole;
  let companyId: number;

  beforeAll(async () => {
    [issuer, other] = await Promise.all([startIssuer(), startIssuer()]);
    const providers = [
      {
        ...issuerClient,
        key: 'corp',
        label: 'single sign-on',
        issuer: new URL(issuer.url),
        groupsClaim: null,
      },
      { ...issuerClient, key: 'google', label: 'Google', issuer: new URL(other.url), groupsClaim: null },
      { ...issuerClient, key: 'staff', label: 'staff', issuer: new URL(issuer.url), groupsClaim: 'groups' },
    ];
    console = await startConsole({ config: { providers }, clock: clockAt(() => time) });
    issuer.open(['corp', 'staff'].map((key) => `${console.url}/api/auth/callback/${key}`));
    other.open([`${console.url}/api/auth/callback/google`]);
    companyId = await console.company('Example');
    await console.person({ companyId, isOwner: true });
  });
  afterAll(async () => {
    await console.close();
    await Promise.all([issuer.close(), other.close()]);
  });
  beforeEach(() => {
    // Its tokens are dated by the clock of the machine.
    time = Math.max(time, Date.now());
    for (const one of [issuer, other]) {
      one.fault = undefined;
      one.signsIn = undefined;
    }
  });

  const claims = (email: string, more: object = {}) => ({
    email,
    email_verified: true,
    name: 'Kim Example',
    ...more,
  });
  const userBy = async (email: string) => {
    const [row] = await console.store.db.select().from(users).where(eq(users.email, email));
    return row;
  };
  const isSignedIn = async (client: TestClient) => (await client.call('isAuthenticated', {})).isAuthenticated;
  /** Signs in as a subject of the first issuer. */
  const enter = async (subject: string, client = console.visitor(), returnUrl?: string) => {
    issuer.signsIn = subject;
    const location = await signInAt(client, 'corp', returnUrl === undefined ? {} : { returnUrl });
    return { client, location };
  };

  it('lists its providers for the page, and nobody’s secret', async () => {
    const options = await console.visitor().call('signInOptions', {});
    expect(options).toEqual({
      password: true,
      needsSetup: false,
      mailsResets: false,
      providers: [
        { key: 'corp', label: 'single sign-on' },
        { key: 'google', label: 'Google' },
        { key: 'staff', label: 'staff' },
      ],
    });
  });

  it('somebody unknown gets an account without a company, whose address the provider has proven', async () => {
    issuer.people.set('kim', claims('Kim@Example.org'));
    const { client, location } = await enter('kim', undefined, '/clusters/1/pods?q=a');
    expect(location).toBe('/clusters/1/pods?q=a');
    expect(await client.call('currentUser', {})).toMatchObject({
      companyId: 0,
      email: 'kim@example.org',
      name: 'Kim Example',
      isInviteNotFound: true,
      shouldSetupCompany: false,
    });
    const user = await userBy('kim@example.org');
    expect(user).toMatchObject({ passwordHash: null, emailProvenAt: expect.any(String) });
    const [row] = await console.store.db
      .select()
      .from(audit)
      .where(and(eq(audit.action, 'signIn'), eq(audit.userId, user?.id ?? 0)));
    expect(row).toMatchObject({ actor: 'kim@example.org', subject: { provider: 'corp' }, status: 204 });
  });

  it('the same subject comes back to the same account, in a new session each time', async () => {
    issuer.people.set('lee', claims('lee@example.org'));
    const { client } = await enter('lee');
    const first = client.session;
    issuer.people.set('lee', claims('renamed@example.org'));
    await enter('lee', client);
    expect(client.session).not.toBe(first);
    expect(await client.call('currentUser', {})).toMatchObject({ email: 'lee@example.org' });
    const user = await userBy('lee@example.org');
    const open = await console.store.db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, user?.id ?? 0));
    expect(open).toHaveLength(1);
    expect(open[0]).toMatchObject({ signInWay: 'corp', providerId: null });
  });

  it('beside the session of somebody else is on the record of who signs in alone', async () => {
    const { client, id } = await console.person({ companyId });
    issuer.people.set('noor', claims('noor@example.org'));
    await enter('noor', client);
    expect(await client.call('currentUser', {})).toMatchObject({ email: 'noor@example.org' });
    const user = await userBy('noor@example.org');
    const rows = await console.store.db.select().from(auditRows).where(eq(auditRows.action, 'signIn'));
    expect(rows.filter(({ userId }) => userId === id)).toEqual([]);
    const entry = rows.find(({ userId }) => userId === user?.id)?.entry;
    expect(rows.filter((row) => row.entry === entry)).toMatchObject([
      { userId: null, actor: 'signed out', status: null },
      { userId: user?.id, actor: 'noor@example.org', status: 204 },
    ]);
  });

  it('returns to no other place than a path of this console', async () => {
    issuer.people.set('pat', claims('pat@example.org'));
    for (const returnUrl of hostileReturns.filter((one) => one.isWellFormed()).slice(0, 12)) {
      const { location } = await enter('pat', undefined, returnUrl);
      expect([returnUrl, location]).toEqual([returnUrl, '/']);
    }
  });

  it.each(['/clusters/1/pods?q=п', '/search?q=店 面#見出し', '/q?a=😀&b=%20+&c=é', '/käfig/ü?x=%D0%BF'])(
    'returns to %s, in any script',
    async (returnUrl) => {
      issuer.people.set('script', claims('script@example.org'));
      const { client, location = '' } = await enter('script', undefined, returnUrl);
      expect(location).toMatch(/^\/[!-~]*$/);
      const [there, asked] = [location, returnUrl].map((path) => new URL(path, console.url));
      expect(there).toEqual(asked);
      expect(await isSignedIn(client)).toBe(true);
      issuer.signsIn = null;
      const declined = await signInAt(console.visitor(), 'corp', { returnUrl });
      expect(new URL(declined ?? '', console.url).searchParams.get('returnUrl')).toBe(returnUrl);
    },
  );

  it('is given the account that somebody else made with their address and uses for nothing', async () => {
    const squatter = await console.person({ companyId: null, password: testPassword });
    const { id, email } = squatter;
    await console.store.db.update(users).set({ mayFoundCompany: false }).where(eq(users.id, id));
    issuer.people.set(`keeper-${id}`, claims(email));
    const { client } = await enter(`keeper-${id}`);
    expect(await client.call('currentUser', {})).toMatchObject({ id, email });
    expect(await isSignedIn(squatter.client)).toBe(false);
    const signIn = { email, password: testPassword };
    expect((await console.visitor().send('POST', '/api/auth/login', signIn)).status).toBe(401);
  });

  it.each(['CVE-2022-31107', 'CVE-2023-3128'])(
    '%s: an address of somebody else opens nothing of theirs, verified or not',
    async () => {
      const { id, email } = await console.person({ companyId, isOwner: true, password: testPassword });
      for (const isVerified of [true, false, 'true']) {
        const subject = `impostor-${String(isVerified)}-${id}`;
        issuer.people.set(subject, claims(email, { email_verified: isVerified }));
        const { client, location } = await enter(subject);
        expect(location).toBe(`/login?failure=${isVerified === true ? 'taken' : 'no-address'}&provider=corp`);
        expect(await isSignedIn(client)).toBe(false);
      }
      expect(await console.store.db.select().from(identities).where(eq(identities.userId, id))).toEqual([]);
    },
  );

  it('a subject of another issuer is somebody else', async () => {
    issuer.people.set('same', claims('same@example.org'));
    other.people.set('same', claims('same@example.org'));
    await enter('same');
    other.signsIn = 'same';
    expect(await signInAt(console.visitor(), 'google')).toBe('/login?failure=taken&provider=google');
  });

  it('without a verified address somebody unknown gets no account', async () => {
    for (const email_verified of [false, undefined, 'true', 1]) {
      issuer.people.set('vague', { ...claims('vague@example.org'), email_verified } as never);
      expect((await enter('vague')).location).toBe('/login?failure=no-address&provider=corp');
    }
    expect(await userBy('vague@example.org')).toBeUndefined();
  });

  it.each([
    ['a letter of another script', 'lоokalike@example.org'],
    ['a domain of one', 'lookalike@exаmple.org'],
    ['the same as mail servers write it', 'lookalike@xn--exmple-4nf.org'],
    ['a sign that is a k in lower case', 'loo\u212aalike@example.org'],
    ['full-width letters', 'ｌookalike@example.org'],
    ['a dot of another script', 'lookalike@example。org'],
  ])('an address with %s is none, though it is verified', async (_what, email) => {
    const before = await console.store.db.$count(users);
    issuer.people.set('lookalike', claims(email));
    expect((await enter('lookalike')).location).toBe('/login?failure=no-address&provider=corp');
    expect(await console.store.db.$count(users)).toBe(before);
  });

  it('an address and its verification come from one of ID token and userinfo, never from both', () => {
    const email = 'mine@example.org';
    const other = { email: 'theirs@example.org', email_verified: false };
    for (const [token, more, expected] of [
      [{ email, email_verified: true }, other, { email, email_verified: true }],
      [
        { email, email_verified: false },
        { email, email_verified: true },
        { email, email_verified: false },
      ],
      [{ email_verified: true }, other, other],
      [{ email_verified: true }, { email }, { email, email_verified: undefined }],
      [{ email }, { email_verified: true }, { email: undefined, email_verified: true }],
      [{ email }, other, other],
      [{ email }, {}, {}],
    ] as const)
      expect(joinClaims(token, more)).toEqual(expected);
    // What else the two say is joined, and the signed one goes first.
    expect(joinClaims({ name: 'Kim', email }, { name: 'Lee', groups: ['a'] })).toEqual({
      name: 'Kim',
      groups: ['a'],
    });
  });

  it('a state is used once, by the browser that began, within ten minutes', async () => {
    issuer.people.set('ash', claims('ash@example.org'));
    issuer.signsIn = 'ash';
    const failed = '/login?failure=expired&provider=corp';
    const client = console.visitor();
    const back = await goToProvider(client, 'corp');
    // Another browser, with a sign-in of its own under way.
    const stranger = console.visitor();
    await goToProvider(stranger, 'corp');
    expect((await navigate(stranger, back)).headers.location).toBe(failed);
    expect((await navigate(console.visitor(), back)).headers.location).toBe(failed);
    expect((await navigate(client, back)).headers.location).toBe('/');
    const session = client.session;
    expect((await navigate(client, back)).headers.location).toBe(failed);
    expect(client.session).toBe(session);

    const late = console.visitor();
    const lateBack = await goToProvider(late, 'corp');
    time += 10 * minute;
    expect((await navigate(late, lateBack)).headers.location).toBe(failed);
    expect(await isSignedIn(late)).toBe(false);
    await goToProvider(late, 'corp');
    const left = await console.store.db.select().from(pendingSignIns);
    expect(left.every((row) => Date.parse(row.expiresAt) > time)).toBe(true);
  });

  it('two tabs of one browser sign in beside each other', async () => {
    issuer.people.set('tab', claims('tab@example.org'));
    issuer.signsIn = 'tab';
    const client = console.visitor();
    const first = await goToProvider(client, 'corp', { returnUrl: '/first' });
    const second = await goToProvider(client, 'corp', { returnUrl: '/second' });
    expect((await navigate(client, first)).headers.location).toBe('/first');
    expect((await navigate(client, second)).headers.location).toBe('/second');
  });

  it('an answer of one provider does not end a sign-in at another', async () => {
    issuer.people.set('mix', claims('mix@example.org'));
    issuer.signsIn = 'mix';
    const client = console.visitor();
    const back = await goToProvider(client, 'corp');
    const mixed = back.replace('/callback/corp', '/callback/google');
    expect((await navigate(client, mixed)).headers.location).toBe('/login?failure=expired&provider=google');
    expect(await isSignedIn(client)).toBe(false);
  });

  it('says what a provider did that is down, answers nonsense, or was told no', async () => {
    const back = async () => {
      issuer.people.set('sky', claims('sky@example.org'));
      issuer.signsIn = 'sky';
      const client = console.visitor();
      return { client, path: await goToProvider(client, 'corp', { returnUrl: '/graph' }) };
    };
    const ends = (failure: string) => `/login?returnUrl=%2Fgraph&failure=${failure}&provider=corp`;

    const down = await back();
    issuer.fault = (request) => {
      request.socket.destroy();
      return true;
    };
    expect((await navigate(down.client, down.path)).headers.location).toBe(ends('unusable'));

    issuer.fault = undefined;
    const nonsense = await back();
    issuer.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":1}');
      return true;
    };
    expect((await navigate(nonsense.client, nonsense.path)).headers.location).toBe(ends('unusable'));

    issuer.fault = undefined;
    issuer.signsIn = null;
    const declined = console.visitor();
    expect(await signInAt(declined, 'corp', { returnUrl: '/graph' })).toBe(ends('refused'));

    for (const path of ['?', '?state=a', '?code=a&state=b', `?state=${'a'.repeat(9000)}`, '?state=a&state=b'])
      expect((await navigate(console.visitor(), `/api/auth/callback/corp${path}`)).headers.location).toBe(
        '/login?failure=expired&provider=corp',
      );
    const unknown = '/api/auth/login?provider=nobody';
    expect((await navigate(console.visitor(), unknown, undefined, 'same-origin')).headers.location).toBe(
      '/login?failure=unknown-provider&provider=nobody',
    );
    const texts = JSON.stringify(console.log);
    expect(texts).not.toContain(issuerClient.clientSecret);
  });

  it('a token that somebody else signed is not believed', async () => {
    issuer.people.set('forged', claims('forged@example.org'));
    issuer.signsIn = 'forged';
    const client = console.visitor();
    const path = await goToProvider(client, 'corp');
    const [pending] = await console.store.db
      .select()
      .from(pendingSignIns)
      .where(
        eq(pendingSignIns.stateHash, hashToken(new URL(path, console.url).searchParams.get('state') ?? '')),
      );
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const head = part({ alg: 'RS256', typ: 'JWT', kid: 'test' });
    const body = part({
      iss: issuer.url,
      sub: 'forged',
      aud: issuerClient.clientId,
      iat: now,
      exp: now + 600,
      nonce: pending?.nonce,
      ...claims('forged@example.org'),
    });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), privateKey).toString('base64url');
    issuer.fault = (request, response) => {
      if (request.url !== '/token') return false;
      const tokens = { access_token: 'a', token_type: 'Bearer', id_token: `${head}.${body}.${signature}` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens));
      return true;
    };
    expect((await navigate(client, path)).headers.location).toBe('/login?failure=unusable&provider=corp');
    expect(await userBy('forged@example.org')).toBeUndefined();
  });

  it('a token that is dated in the future is refused, in words of its own', async () => {
    issuer.people.set('early', claims('early@example.org'));
    issuer.signsIn = 'early';
    const before = time;
    time = Date.now() - 5 * minute;
    const location = await signInAt(console.visitor(), 'corp');
    time = before;
    expect(location).toBe('/login?failure=ahead-of-time&provider=corp');
    expect(await userBy('early@example.org')).toBeUndefined();
  });

  it.each([
    ['address', 'nul', { ...claims('nul\0@example.org') }],
    ['name', 'nul', claims('nul@example.org', { name: 'Kim\0' })],
    ['name', 'half', claims('nul@example.org', { name: 'Kim \ud800' })],
  ] as const)('an %s that cannot be stored is refused, in words of its own', async (_what, subject, said) => {
    issuer.people.set(subject, said);
    console.log.splice(0);
    expect((await enter(subject)).location).toBe('/login?failure=not-storable&provider=corp');
    expect(console.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    expect(await userBy('nul@example.org')).toBeUndefined();
  });

  it('an account is connected by its own signed-in session alone, and signs in by it from then on', async () => {
    const { id, email, client } = await console.person({ companyId, password: testPassword });
    issuer.people.set(`own-${id}`, claims(email));
    issuer.signsIn = `own-${id}`;
    const { url } = await client.call('connectIdentity', {
      body: { provider: 'corp', returnUrl: '/settings?section=sign-in' },
    });
    const back = await passProvider(url, console.url);
    // A session that began since, of the same person, did not ask for it.
    const another = await console.session(id, companyId);
    for (const [name, value] of client.cookies)
      if (name !== client.sessionCookie && name !== client.xsrfCookie) another.cookies.set(name, value);
    expect((await navigate(another, back)).headers.location).toBe(
      '/settings?section=sign-in&failure=signed-out',
    );

    const again = await client.call('connectIdentity', {
      body: { provider: 'corp', returnUrl: '/settings' },
    });
    const backAgain = await passProvider(again.url, console.url);
    expect((await navigate(client, backAgain)).headers.location).toBe('/settings');
    const [user] = await console.store.db.select().from(users).where(eq(users.id, id));
    expect(user?.emailProvenAt).toEqual(expect.any(String));
    const ways = await client.call('identities', {});
    expect(ways).toMatchObject({
      hasPassword: true,
      identities: [{ label: 'single sign-on', email, company: null }],
    });

    const { client: by } = await enter(`own-${id}`);
    expect(await by.call('currentUser', {})).toMatchObject({ id, companyId });

    // Somebody else cannot have it as well.
    const thief = await console.person({ companyId, password: testPassword });
    const theirs = await thief.client.call('connectIdentity', { body: { provider: 'corp' } });
    const backThief = await passProvider(theirs.url, console.url);
    expect((await navigate(thief.client, backThief)).headers.location).toBe(
      '/settings?failure=connected-elsewhere',
    );

    const [one] = ways.identities;
    await client.call('disconnectIdentity', { params: { identityId: one?.id ?? 0 } });
    expect(await isSignedIn(by)).toBe(false);
    expect(await isSignedIn(client)).toBe(true);
    await expect(client.call('disconnectIdentity', { params: { identityId: one?.id ?? 0 } })).rejects.toThrow(
      'is not connected',
    );
  });

  it('the last way to sign in is not taken away', async () => {
    issuer.people.set('only', claims('only@example.org'));
    const { client } = await enter('only');
    const { identities: own } = await client.call('identities', {});
    await expect(
      client.call('disconnectIdentity', { params: { identityId: own[0]?.id ?? 0 } }),
    ).rejects.toThrow('last way to sign in');
  });

  it('one is connected and disconnected only soon after the person showed who they are', async () => {
    const { client, email } = await console.person({ companyId, password: testPassword });
    issuer.people.set('proves', claims(email));
    issuer.signsIn = 'proves';
    const connect = () => client.call('connectIdentity', { body: { provider: 'corp', returnUrl: '/' } });
    time += proofMinutes * minute;
    // A copied session plants no way in that lasts longer than itself.
    await expect(connect()).rejects.toMatchObject({ status: 403 });
    await expect(connect()).rejects.toThrow('Confirm your password first.');
    await client.call('confirmPassword', { body: { password: testPassword } });
    const { url } = await connect();
    expect((await navigate(client, await passProvider(url, console.url))).headers.location).toBe('/');
    const [identity] = (await client.call('identities', {})).identities;
    const disconnect = () => client.call('disconnectIdentity', { params: { identityId: identity?.id ?? 0 } });
    time += proofMinutes * minute;
    await expect(disconnect()).rejects.toMatchObject({ status: 403 });
    await client.call('confirmPassword', { body: { password: testPassword } });
    await disconnect();
    expect((await client.call('identities', {})).identities).toEqual([]);
    // Without a mail server the person reads of both in the console.
    const { notifications } = await client.call('notifications', {});
    expect(notifications).toMatchObject([
      { title: expect.stringMatching(/^single sign-on was disconnected from your account \(from .+\)$/) },
      { title: expect.stringMatching(/^single sign-on was connected to your account \(from .+\)$/) },
    ]);
  });

  it('groups give places where an Owner of the company mapped them, and take them away', async () => {
    const otherId = await console.company('Other');
    const owner = (await console.person({ companyId, isOwner: true })).client;
    const ownerOfOther = (await console.person({ companyId: otherId, isOwner: true })).client;
    const [team, foreign] = [await console.team(companyId), await console.team(otherId)];
    const map = (client: TestClient, teamIds: readonly number[], provider = 'staff') =>
      client.call('mapInstallationGroups', {
        params: { provider },
        body: { groupTeams: teamIds.map((teamId) => ({ group: 'operators', teamId, role: 3 as const })) },
      });
    expect(await owner.call('installationProviders', {})).toEqual([
      { key: 'staff', label: 'staff', groupTeams: [] },
    ]);
    // A team of another company, and a provider that lists no groups.
    await expect(map(owner, [foreign])).rejects.toMatchObject({ status: 404 });
    await expect(map(owner, [team], 'google')).rejects.toMatchObject({ status: 404 });
    await map(owner, [team]);
    const mapping = [{ group: 'operators', teamId: foreign, role: 3 }];
    expect(await map(ownerOfOther, [foreign])).toMatchObject({ groupTeams: mapping });
    const { entries } = await owner.call('audit', { query: { action: 'mapInstallationGroups' } });
    expect(entries[0]?.changes).toEqual({ groupTeams: { before: '', after: `operators → ${team} (3)` } });

    const { id, email, client } = await console.person({ companyId, password: testPassword });
    const says = (groups: readonly string[]) => issuer.people.set('grouped', claims(email, { groups }));
    const signIn = async () => {
      issuer.signsIn = 'grouped';
      const visitor = console.visitor();
      expect(await signInAt(visitor, 'staff')).toBe('/');
      return visitor;
    };
    const places = async () =>
      (await console.store.db.select().from(teamMembers).where(eq(teamMembers.userId, id))).map(
        ({ teamId, role, givenBy }) => ({ teamId, role, givenBy }),
      );
    says(['operators']);
    issuer.signsIn = 'grouped';
    const { url } = await client.call('connectIdentity', { body: { provider: 'staff' } });
    await navigate(client, await passProvider(url, console.url));
    const given = [{ teamId: team, role: 3, givenBy: 'staff' }];
    const inside = await signIn();
    expect(await places()).toEqual(given);
    says([]);
    await signIn();
    expect(await places()).toEqual([]);
    says(['operators']);
    await signIn();
    expect(await places()).toEqual(given);
    // An Owner who takes the mapping back does not have to wait for the next sign-in.
    await map(owner, []);
    expect(await places()).toEqual([]);

    // Groups change at the provider: the session does not outlast half a day, in whichever company it goes on.
    await console.store.db
      .insert(memberships)
      .values({ userId: id, companyId: otherId, orgRole: 2, lastSeenAt: new Date(time).toISOString() });
    const ends = async (of: TestClient) =>
      (
        await console.store.db
          .select()
          .from(sessions)
          .where(eq(sessions.tokenHash, hashToken(of.session ?? '')))
      )[0]?.expiresAt;
    const before = await ends(inside);
    expect(Date.parse(before ?? '') - time).toBe(12 * 60 * minute);
    time += minute;
    await inside.call('switchCompany', { body: { companyId: otherId } });
    expect(await ends(inside)).toBe(before);
  });

  it('groups that the provider listed before somebody belonged to a company count once they accept its invitation', async () => {
    const owner = (await console.person({ companyId, isOwner: true })).client;
    const team = await console.team(companyId);
    const groupTeams = [{ group: 'newcomers', teamId: team, role: 6 as const }];
    await owner.call('mapInstallationGroups', { params: { provider: 'staff' }, body: { groupTeams } });
    const email = 'newcomer@example.org';
    issuer.people.set('newcomer', claims(email, { groups: ['newcomers', 'others'] }));
    issuer.signsIn = 'newcomer';
    const client = console.visitor();
    await signInAt(client, 'staff');
    const { id = 0 } = (await userBy(email)) ?? {};
    const places = async () =>
      (await console.store.db.select().from(teamMembers).where(eq(teamMembers.userId, id))).map(
        ({ teamId, givenBy }) => ({ teamId, givenBy }),
      );
    expect(await places()).toEqual([]);
    const { invitation } = await owner.call('invite', { body: { email, orgRole: 2, teams: [] } });
    await client.call('acceptInvitation', { body: { inviteId: invitation.inviteId } });
    expect(await places()).toEqual([{ teamId: team, givenBy: 'staff' }]);
    // What only the provider gave goes with the next sign-in without the group.
    issuer.people.set('newcomer', claims(email, { groups: [] }));
    await signInAt(console.visitor(), 'staff');
    expect(await places()).toEqual([]);
  });

  it('two first sign-ins of one person at once make one account', async () => {
    issuer.people.set('twin', claims('twin@example.org'));
    issuer.signsIn = 'twin';
    const clients = [console.visitor(), console.visitor(), console.visitor()];
    const backs = await Promise.all(clients.map((client) => goToProvider(client, 'corp')));
    const ends = await Promise.all(
      clients.map(async (client, index) => (await navigate(client, backs[index] ?? '')).headers.location),
    );
    expect(ends).toEqual(['/', '/', '/']);
    expect(
      await console.store.db
        .select()
        .from(memberships)
        .where(eq(memberships.userId, (await userBy('twin@example.org'))?.id ?? 0)),
    ).toEqual([]);
  });

  it('nobody becomes the first person of an installation by a provider', async () => {
    const empty = await startConsole({
      config: {
        providers: [
          { ...issuerClient, key: 'google', label: 'Google', issuer: new URL(other.url), groupsClaim: null },
        ],
      },
    });
    try {
      other.open([`${empty.url}/api/auth/callback/google`]);
      other.people.set('early', claims('early@example.org'));
      other.signsIn = 'early';
      expect(await signInAt(empty.visitor(), 'google')).toBe('/login?failure=needs-setup&provider=google');
      expect(await empty.store.db.select().from(users)).toEqual([]);
    } finally {
      await empty.close();
      other.open([`${console.url}/api/auth/callback/google`]);
    }
  });
});
