import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { problemSchema } from '../../../src/contract/problem-schema.ts';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { pathOf, send } from '../http-client.ts';

/** A call with a body of JSON. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/**
 * Sends a call but for the last byte of its body, and waits until the server has judged it for the first time.
 * @returns sends that byte, and gives the status of the answer
 */
async function beginCall(
  console: TestConsole,
  { client }: TestPerson,
  { method, path, body }: Call,
): Promise<() => Promise<number | undefined>> {
  const text = JSON.stringify(body);
  const { hostname, port } = new URL(console.url);
  const headers = {
    origin: console.url,
    cookie: client.cookie,
    'x-xsrf-token': client.cookies.get(client.xsrfCookie) ?? '',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  const call = request({ host: hostname, port, method, path, headers });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  await new Promise<void>((sent) => call.write(text.slice(0, -1), () => sent()));
  // Calls that came later are answered: this one has been judged as well.
  for (const _ of [1, 2, 3]) await client.call('members', {});
  return async () => {
    call.end(text.slice(-1));
    const [answer] = await answered;
    answer.resume();
    return answer.statusCode;
  };
}

describe('requests', () => {
  let console: TestConsole;
  let owner: TestPerson;
  let companyId: number;
  const company = { name: 'Example' };

  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company();
    owner = await console.person({ companyId, isOwner: true });
  });
  afterAll(() => console.close());

  it('whose body comes after the right has gone are refused', async () => {
    const late = await console.person({ companyId, isOwner: true });
    const finish = await beginCall(console, late, {
      method: 'PUT',
      path: `/api/organization/members/${late.id}`,
      body: { orgRole: orgRoles.Owner },
    });
    await owner.client.call('changeMember', {
      params: { userId: late.id },
      body: { orgRole: orgRoles.Member },
    });
    expect(await finish()).toBe(403);
    const { orgRole } = await owner.client.call('member', { params: { userId: late.id } });
    expect(orgRole).toBe(orgRoles.Member);
  });

  it('whose body comes late are answered as any others', async () => {
    const clusterId = await console.cluster(companyId);
    const finish = await beginCall(console, owner, {
      method: 'PUT',
      path: pathOf(api.saveGlobalSettings, { clusterId }),
      body: { isProtected: true, isReadOnly: false, isShellAllowed: true },
    });
    expect(await finish()).toBe(200);
  });

  const unsafe = (Object.values(api) as Endpoint[]).filter(({ method }) => method !== 'GET');
  const params = { clusterId: 1, userId: 1, roleId: 6, name: 'x' };

  it.each(unsafe.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'a page of another site cannot make %s',
    async (_name, endpoint) => {
      const path = pathOf(endpoint, params);
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: null, 'sec-fetch-site': null },
        { origin: console.url.replace('http:', 'https:') },
        { origin: `${console.url}.evil.example` },
      ]) {
        const answer = await owner.client.send(endpoint.method, path, {}, { headers });
        expect([answer.status, answer.json], JSON.stringify(headers)).toMatchObject([
          403,
          { title: expect.stringContaining('did not come from a page of this console') },
        ]);
      }
    },
  );

  it.each(unsafe.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'with a session, %s needs the XSRF token of that session',
    async (_name, endpoint) => {
      const path = pathOf(endpoint, params);
      const stranger = (await console.person({ companyId: null })).client;
      const other = stranger.cookies.get(stranger.xsrfCookie) ?? '';
      for (const token of [null, '', 'wrong', other]) {
        const headers = { 'x-xsrf-token': token };
        const answer = await owner.client.send(endpoint.method, path, {}, { headers });
        expect([answer.status, answer.json], String(token)).toMatchObject([
          403,
          { title: expect.stringContaining('security token') },
        ]);
      }
    },
  );

  it('the loopback names with the port listened on are one origin', async () => {
    const { port } = new URL(console.url);
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const headers = { origin: `http://${name}:${port}`, host: `${name}:${port}` };
      const answer = await console.visitor().send('POST', '/api/auth/login', {}, { headers });
      expect(answer.status, name).toBe(400);
    }
  });

  it('a foreign host name pointed at this address is answered by nothing but the probes', async () => {
    const { port } = new URL(console.url);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1:${Number(port) + 1}`,
      '127.0.0.1',
      `x@127.0.0.1:${port}`,
    ]) {
      for (const path of ['/', '/api/auth/is-authenticated', '/api/nowhere', '/metrics', '/clusters']) {
        const answer = await send(console.url, 'GET', path, { headers: { host } });
        expect(answer.status, `${host} ${path}`).toBe(421);
      }
      expect((await send(console.url, 'GET', '/healthz', { headers: { host } })).status).toBe(200);
    }
  });

  it('a body that is not JSON is refused with 415, whatever it is called', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonx',
    ]) {
      const answer = await owner.client.send('POST', '/api/auth/company', undefined, {
        raw: '{"name":"x"}',
        headers: { 'content-type': type },
      });
      expect([answer.status, answer.json], type).toMatchObject([
        415,
        { title: expect.stringContaining('JSON') },
      ]);
    }
  });

  it('a body over the limit is refused with 413: 64 KB, or what the endpoint says', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(70_000) });
    const refused = await owner.client.send('POST', '/api/auth/company', undefined, { raw: large });
    expect([refused.status, refused.json]).toMatchObject([413, { title: expect.stringContaining('larger') }]);

    const path = '/api/ClusterManagement/clusters/contexts';
    const fits = await owner.client.send('POST', path, { kubeConfigContent: `#${'x'.repeat(100_000)}` });
    expect(fits.status).not.toBe(413);
    const over = JSON.stringify({ kubeConfigContent: 'x'.repeat(300_000) });
    expect((await owner.client.send('POST', path, undefined, { raw: over })).status).toBe(413);
  });

  it('an unknown field is refused, in body and query', async () => {
    const body = await owner.client.send('POST', '/api/auth/company', { ...company, plan: 'gold' });
    expect([body.status, body.json]).toMatchObject([
      400,
      { issues: [{ message: expect.stringContaining('plan') }] },
    ]);
    expect((await owner.client.send('GET', '/api/auth/user?admin=1')).status).toBe(400);
    const path = pathOf(api.deleteCluster, { clusterId: await console.cluster(companyId) });
    expect((await owner.client.send('DELETE', path, { force: true })).status).toBe(400);
  });

  it('a refusal of thousands of fields is short, wherever they are', async () => {
    const path = '/api/ClusterManagement/clusters/contexts';
    const many = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`field-${index}`, index]));
    const long = `?${'a'.repeat(8_000)}=1`;
    for (const answer of [
      await owner.client.send('POST', path, many),
      await owner.client.send('POST', path, { kubeConfigContent: many }),
      await owner.client.send('POST', path, { ['a'.repeat(60_000)]: 1 }),
      await owner.client.send('GET', `/api/auth/user${long}`),
      await owner.client.send('GET', `/api/nowhere${long}`),
    ]) {
      expect(problemSchema.parse(answer.json).status).toBe(answer.status);
      expect(answer.text.length).toBeLessThan(1_500);
    }
  });

  it('a refused request is a whole sentence with the field at fault', async () => {
    const visitor = console.visitor();
    const answer = await visitor.send('POST', '/api/auth/setup', {
      token: 'x',
      name: 'Robin',
      email: 'robin@example.org',
      password: 'short',
    });
    expect(answer.json).toMatchObject({
      status: 400,
      title: 'A password needs at least 12 characters.',
      issues: [{ path: 'password', message: 'A password needs at least 12 characters.' }],
      requestId: answer.headers['x-request-id'],
    });
    const missing = await visitor.send('POST', '/api/auth/login', { email: 'robin@example.org' });
    expect(missing.json).toMatchObject({ title: expect.stringMatching(/^"password" is not valid: .*\.$/) });
    // In English words, which the schemas of the contract do not bring along.
    expect(missing.json).toMatchObject({
      issues: [{ path: 'password', message: 'Invalid input: expected string, received undefined' }],
    });
    const broken = await visitor.send('POST', '/api/auth/login', undefined, { raw: '{"email": "secr' });
    expect(broken.json).toMatchObject({ status: 400, title: 'The request is not valid JSON.' });
    const poisoned = await visitor.send('POST', '/api/auth/login', undefined, {
      raw: '{"__proto__": {"x": 1}}',
    });
    expect(poisoned.status).toBe(400);
  });

  it('an unknown call is a problem, never the page', async () => {
    for (const path of ['/api', '/api/', '/api/nowhere', '/api/auth/user/extra', '/api/%2e%2e/login']) {
      const answer = await owner.client.send('GET', path, undefined, { headers: { accept: 'text/html' } });
      expect([answer.status, answer.json], path).toMatchObject([
        404,
        { title: 'This API call does not exist.' },
      ]);
    }
  });

  it('an address that cannot be read, and what is not HTTP, are problems too', async () => {
    const answer = await owner.client.send('GET', '/api/%zz');
    expect([answer.status, answer.json]).toMatchObject([
      400,
      { title: 'The address of this request cannot be read.' },
    ]);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    const { port } = new URL(console.url);
    const text = await new Promise<string>((resolve, reject) => {
      const socket = createConnection({ host: '127.0.0.1', port: Number(port) }, () => {
        socket.write('this is not HTTP\r\n\r\n');
      });
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).toContain('"title":"This request is not valid HTTP."');
    expect(text).toContain('\r\nx-content-type-options: nosniff\r\n');
    expect(text).toContain("\r\ncontent-security-policy: default-src 'none'; frame-ancestors 'none'\r\n");
  });

  it('a cluster id that is none is an unknown cluster', async () => {
    for (const id of ['0', '-1', 'x', '1e3', '99999999999', '4294967297', '2147483648']) {
      const answer = await owner.client.send('GET', `/api/clusters/${id}/state`);
      expect([answer.status, answer.json], id).toMatchObject([404, { title: 'There is no such cluster.' }]);
    }
  });
});
