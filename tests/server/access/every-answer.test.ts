import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiName, api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import type { TestClient, WireAnswer } from '../http-client.ts';
import { testPassword } from '../harness.ts';
import { MatrixOffice } from './matrix-office.ts';

let office: MatrixOffice;
beforeAll(async () => {
  office = await MatrixOffice.start();
});
afterAll(() => office.close());

/** Calls that end what the others need. */
const ending = new Set([
  'logout',
  'leaveCompany',
  'deleteCompany',
  'deleteTeam',
  'deleteCluster',
  'endOtherSessions',
]);
const names = Object.keys(api).filter((name) => !ending.has(name)) as ApiName[];

/** The faults in the headers of an answer. */
function faultsOf({ status, headers, text }: WireAnswer): string[] {
  const faults: string[] = [];
  if (headers['cache-control'] !== 'no-store') faults.push(`cache-control: ${headers['cache-control']}`);
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('may be sniffed');
  if (headers['content-security-policy']?.includes("frame-ancestors 'none'") !== true)
    faults.push('no policy');
  if (headers['cross-origin-resource-policy'] !== 'same-origin') faults.push('may be read by other origins');
  for (const name of Object.keys(headers))
    if (name.startsWith('access-control-') || name === 'server' || name === 'x-powered-by') faults.push(name);
  if (text !== '' && headers['content-type'] === undefined) faults.push('no type');
  if (status >= 500 && status !== 502 && status !== 503) faults.push(text);
  return faults;
}

describe('each answer of the API', () => {
  it.each(['signed out', 'no grant', 'owner', 'owner of another company', 'token'] as const)(
    'is stored nowhere, sniffed by nobody and read by no other origin: %s',
    async (caller) => {
      const wrong: Record<string, string[]> = {};
      for (const name of names) {
        const faults = faultsOf(await office.sendAs(caller, name, 'pod'));
        if (faults.length > 0) wrong[name] = faults;
      }
      expect(wrong).toEqual({});
    },
  );

  it('is so where nothing is behind the address, and where the request cannot be read', async () => {
    const { client } = await office.console.person({ companyId: office.companyId });
    const asked: readonly [string, string, Parameters<TestClient['send']>[3]?][] = [
      ['GET', '/api/no/such'],
      ['PATCH', '/api/auth/user'],
      ['POST', '/api/auth/login', { raw: '{' }],
      ['POST', '/api/auth/login', { raw: 'x'.repeat(70_000) }],
      ['GET', '/api/team/%zz'],
      ['GET', '/api/auth/user', { headers: { host: 'evil.example' } }],
      ['POST', '/api/team', { headers: { origin: 'https://evil.example' } }],
    ];
    for (const [method, path, options] of asked) {
      const answer = await client.send(method, path, undefined, options);
      expect([path, answer.status, faultsOf(answer)]).toEqual([path, expect.any(Number), []]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('a cookie of a session that is over', () => {
  it.each(['signed out', 'removed from the organisation', 'ended by an Owner'])(
    'opens nothing: %s',
    async (how) => {
      const { console, companyId } = office;
      const { id, email } = await console.person({ companyId, isOwner: true, password: testPassword });
      const client = console.visitor();
      await client.call('signIn', { body: { email, password: testPassword } });
      const copied = console.visitor();
      for (const [name, value] of client.cookies) copied.cookies.set(name, value);
      const owner = office.clientOf('owner');
      if (how === 'signed out') await client.call('logout', {});
      else if (how === 'ended by an Owner') await owner.call('endMemberSessions', { params: { userId: id } });
      else await owner.call('removeMember', { params: { userId: id } });
      const opened: string[] = [];
      for (const name of names) {
        const { access }: Endpoint = api[name];
        if (access === 'public') continue;
        const cookies = new Map(copied.cookies);
        const { status } = await office.send(copied, name, 'pod');
        for (const [key, value] of cookies) copied.cookies.set(key, value);
        if (status !== 401) opened.push(`${name} ${status}`);
      }
      expect(opened).toEqual([]);
    },
  );
});

describe('a method that a header or parameter names', () => {
  it('counts for nothing', async () => {
    const { console, companyId } = office;
    const { client } = await console.person({ companyId, isOwner: true });
    const { id } = await client.call('createTeam', { body: { name: 'Keepers', description: '' } });
    const path = `/api/team/${id}`;
    const named = {
      'x-http-method-override': 'DELETE',
      'x-http-method': 'DELETE',
      'x-method-override': 'DELETE',
    };
    expect((await client.send('GET', path, undefined, { headers: named })).status).toBe(200);
    await client.send('POST', path, {}, { headers: named });
    await client.send('GET', `${path}?_method=DELETE`);
    await client.send('POST', path, { _method: 'DELETE' });
    await client.send('HEAD', path, undefined, { headers: named });
    expect((await client.send('GET', path)).status).toBe(200);
  });

  it('HEAD does what GET does, and needs as much', async () => {
    const visitor = office.console.visitor();
    expect((await visitor.send('HEAD', '/api/auth/user')).status).toBe(401);
    const { client } = await office.console.person({ companyId: office.companyId });
    const foreign = { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } };
    for (const path of ['/api/auth/logout', '/api/auth/login?provider=corp'])
      await client.send('HEAD', path, undefined, foreign);
    expect((await client.send('GET', '/api/auth/user')).status).toBe(200);
  });
});

describe('cookies', () => {
  it('that are long, many or broken are refused in words, and open nothing', async () => {
    const { client } = await office.console.person({ companyId: office.companyId });
    const { sessionCookie: name, session = '' } = client;
    const tried = [
      `${name}=${'a'.repeat(8_000)}`,
      `${name}=${session}a`,
      `${name}=${session.slice(0, -1)}`,
      `${name}=%zz`,
      `${name}="`,
      `${name}=${session.toUpperCase()}`,
      `a${name}=${session}`,
      Array.from({ length: 400 }, (_none, index) => `c${index}=1`).join('; '),
      `${name}=__proto__; __proto__=${session}; constructor=1`,
    ];
    for (const cookie of tried) {
      const answer = await office.console
        .visitor()
        .send('GET', '/api/auth/user', undefined, { headers: { cookie } });
      expect([cookie.slice(0, 60), answer.status]).toEqual([cookie.slice(0, 60), 401]);
      expect(answer.json).toMatchObject({ status: 401, title: expect.any(String) });
    }
    const answer = await office.console
      .visitor()
      .send('GET', '/api/auth/user', undefined, { headers: { cookie: `a=${'a'.repeat(20_000)}` } });
    expect([answer.status, answer.json]).toMatchObject([431, { title: expect.any(String) }]);
    expect((await client.send('GET', '/api/auth/user')).status).toBe(200);
  });
});
