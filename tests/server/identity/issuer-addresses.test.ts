import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reviewCarriedOver } from '../../../src/server/boot/carried-over.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
let owner: TestPerson;
let companyId: number;
const servers: Server[] = [];
const loopback = ['127.0.0.0/8'];

beforeAll(async () => {
  console = await startConsole({ config: { allowCidrs: loopback } });
  companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
});
afterAll(async () => {
  await console.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on loopback, and how often it was asked. */
async function listener(answer: RequestListener): Promise<{ url: string; hits: () => number }> {
  let hits = 0;
  const server = createServer((request, response) => {
    hits += 1;
    answer(request, response);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hits: () => hits };
}

const nonsense: RequestListener = (_request, response) => response.end('nonsense');

/** Adds a provider; gives its id. */
async function added(issuer: string, { client }: TestPerson = owner): Promise<number> {
  const settings = { name: 'Sign-on', clientId: 'a', clientSecret: 'b', groupsClaim: null };
  return (await client.call('addProvider', { body: { ...settings, issuer } })).id;
}

it('an issuer’s failure is one sentence, whether its port was closed, silent or talked nonsense', async () => {
  const open = await startConsole({ config: { issuerCidrs: loopback } });
  const closed = await listener(nonsense);
  const [server] = servers.splice(-1);
  server?.close();
  const issuers = [
    closed.url,
    (await listener(() => undefined)).url,
    (await listener(nonsense)).url,
    (await listener((request) => request.socket.destroy())).url,
    (await listener((_request, response) => response.writeHead(503).end())).url,
    'https://169.254.169.254',
    'https://nobody.invalid',
  ];
  const answers = await Promise.all(
    issuers.map(async (issuer) => {
      // One organisation has fewer providers than there are issuers here.
      const person = await open.person({ companyId: await open.company(), isOwner: true });
      const providerId = await added(issuer, person);
      const path = `/api/organization/providers/${providerId}/test`;
      const { status, json } = await person.client.send('POST', path);
      return JSON.stringify({ status, ...(json as object), requestId: undefined });
    }),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('did not answer, or sent something that this console cannot use');
  const logged = JSON.stringify(
    open.log.filter(({ msg }) => msg === 'An identity provider did not sign somebody in'),
  );
  expect(logged).toContain('ECONNREFUSED');
  expect(logged).toContain('WHEELHOUSE_ISSUER_ALLOW_CIDRS');
  await open.close();
});

it('the list of clusters opens no issuer, but for the one that was in use before', async () => {
  const other = await listener(nonsense);
  const issuer = await listener((_request, response) => {
    const { url } = issuer;
    const metadata = {
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${other.url}/token`,
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
  });
  const providerId = await added(issuer.url);
  const params = { providerId };
  await expect(owner.client.call('testProvider', { params })).rejects.toMatchObject({ status: 502 });
  expect(issuer.hits()).toBe(0);

  const { db } = console.store;
  const carryOver = () =>
    db.update(identityProviders).set({ carriedOver: issuer.url }).where(eq(identityProviders.id, providerId));
  await carryOver();
  const { url } = await owner.client.call('testProvider', { params });
  expect(issuer.hits()).toBeGreaterThan(0);
  // Another address that it names was not in use by that name.
  const state = new URL(url).searchParams.get('state') ?? '';
  const row = await console.store.db
    .select()
    .from(identityProviders)
    .where(eq(identityProviders.id, providerId));
  const callback = `/api/auth/callback/${row[0]?.key}?code=a&state=${state}&iss=${encodeURIComponent(issuer.url)}`;
  const headers = { 'sec-fetch-site': 'cross-site', origin: null };
  expect((await owner.client.send('GET', callback, undefined, { headers })).headers.location).toContain(
    'failure=unusable',
  );
  expect(other.hits()).toBe(0);

  // Another address that is entered is none that was in use.
  const later = await listener(nonsense);
  await owner.client.call('changeProvider', { params, body: { issuer: later.url } });
  await expect(owner.client.call('testProvider', { params })).rejects.toMatchObject({ status: 502 });
  expect(later.hits()).toBe(0);
});

it('at start, addresses that go on by the list of clusters are named, and others lose the exception', async () => {
  const { db } = console.store;
  await db.delete(identityProviders);
  const needed = 'http://127.0.0.1:8247/';
  const rows = [needed, 'https://id.example.org/', 'https://later.example.org/'];
  for (const issuer of rows) await added(issuer);
  const clusterId = await console.cluster(companyId, 'prod');
  await db
    .update(clusters)
    .set({ carriedOver: 'https://prometheus.example.org' })
    .where(eq(clusters.id, clusterId));
  for (const issuer of rows)
    await db
      .update(identityProviders)
      .set({ carriedOver: issuer })
      .where(eq(identityProviders.issuer, issuer));
  const review = async (lists: object) => {
    console.log.splice(0);
    const config = { allowCidrs: loopback, issuerCidrs: [], metricsSourceCidrs: [], ...lists };
    await reviewCarriedOver(console.store, config, console.services.log, async (name) => {
      if (name === 'later.example.org') throw new Error('The name has no address.');
      return [{ address: name === 'id.example.org' ? '203.0.114.7' : '127.0.0.1', family: 4 }];
    });
    const left = await db.select().from(identityProviders).where(isNotNull(identityProviders.carriedOver));
    return {
      said: console.log.filter(({ level }) => level === 40).map(({ msg }) => String(msg)),
      left: left.map(({ issuer }) => issuer).sort(),
    };
  };
  const first = await review({});
  expect(first.said).toEqual([
    expect.stringMatching(
      /^The issuer of Sign-on is reached at http:\/\/127\.0\.0\.1:8247\/ .*WHEELHOUSE_ISSUER_ALLOW_CIDRS/,
    ),
    expect.stringMatching(
      /^The metrics source of prod is reached at https:\/\/prometheus\.example\.org .*METRICS_SOURCE/,
    ),
  ]);
  expect(first.left).toEqual([needed, 'https://later.example.org/']);
  // Once the operator listed them, nothing is said; without a list of clusters nothing is kept.
  expect((await review({ issuerCidrs: loopback, metricsSourceCidrs: loopback })).said).toEqual([]);
  expect((await review({ allowCidrs: [] })).left).toEqual([]);
});
