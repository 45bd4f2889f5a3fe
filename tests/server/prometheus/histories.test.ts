import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MetricsSourceChange } from '../../../src/contract/metrics-source.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { UsageHistories } from '../../../src/server/prometheus/histories.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { type AnsweringCluster, greet, startAnsweringCluster } from '../clusters/answering-cluster.ts';
import { type Answer, type ApiServer, json, startApiServer } from '../clusters/api-server.ts';
import { makeAuthority } from '../clusters/pki.ts';
import type { TestPerson } from '../harness.ts';
import { clockAt } from '../clock-at.ts';

let cluster: AnsweringCluster;
/** A Prometheus at an address of its own. */
let address: ApiServer;
let ca: string;
let time = Date.parse('2026-03-01T08:00:00Z');

const secret = 'a-token-that-nobody-may-read-again';
const service = {
  from: 'service',
  namespace: 'monitoring',
  service: 'prometheus',
  port: 'web',
  isTls: false,
  label: null,
} as const;
const urlSource = (change: object = {}) =>
  ({
    from: 'url',
    url: address.url,
    ca,
    label: null,
    credential: { sort: 'bearer', token: secret },
    ...change,
  }) as MetricsSourceChange;

/** Answers every range with one value at its end, and every count with 3. */
const figures =
  (value = '2'): Answer =>
  ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'https://prometheus');
    if (!pathname.includes('/api/v1/query')) return greet({ url } as Parameters<Answer>[0], response);
    const isRange = pathname.endsWith('_range');
    const end = Number(searchParams.get('end'));
    return json(response, 200, {
      status: 'success',
      data: isRange
        ? { resultType: 'matrix', result: [{ metric: {}, values: [[end, value]] }] }
        : { resultType: 'vector', result: [{ metric: {}, value: [end, '3'] }] },
    });
  };
const refuse =
  (status: number, body: unknown): Answer =>
  (seen, response) =>
    seen.url.includes('/api/v1/query') ? json(response, status, body) : greet(seen, response);

const params = () => ({ clusterId: cluster.clusterId });
const rules = { isProtected: false, isReadOnly: false, isShellAllowed: true };
const save = (metrics: MetricsSourceChange) =>
  cluster.owner.client.call('saveGlobalSettings', { params: params(), body: { ...rules, metrics } });
const test = async (metrics: MetricsSourceChange) =>
  await cluster.owner.client.call('testMetricsSource', { params: params(), body: { metrics } });
const whole = (who: TestPerson = cluster.owner) =>
  who.client.call('clusterUsageHistory', { params: params(), query: { seconds: '900' } });
/** The expressions that a server was asked for since it was last looked at. */
function asked({ seen }: ApiServer): string[] {
  return seen
    .splice(0)
    .flatMap(({ url }) => new URL(url, 'https://prometheus').searchParams.get('query') ?? []);
}

beforeAll(async () => {
  const authority = await makeAuthority();
  ca = authority.pem;
  address = await startApiServer(authority, figures(), { http1Only: true });
  cluster = await startAnsweringCluster(figures());
});
afterAll(async () => {
  await cluster.close();
  await address.close();
});
beforeEach(() => {
  // Another question each time: answers are kept for some seconds.
  time += 60_000;
  cluster.server.answer = figures();
  address.answer = figures();
  cluster.server.seen.length = 0;
  address.seen.length = 0;
});

/** A reader whose clock is the test's. */
const reader = (limitMs?: number) =>
  new UsageHistories({
    vault: cluster.console.services.vault,
    config: { allowCidrs: [], metricsSourceCidrs: ['127.0.0.0/8'] },
    clusters: cluster.console.services.clusters,
    clock: clockAt(() => time),
    limitMs,
  });
const stored = async () => {
  const [row] = await cluster.console.store.db.select().from(clusters);
  if (row === undefined) throw new Error('There is no cluster.');
  return row;
};
const ask = async (limitMs?: number) => await reader(limitMs).history(await stored(), { of: 'nodes' }, 900);

describe('the source of metrics of a cluster', () => {
  it('is metrics.k8s.io until an Owner says otherwise, which has no history', async () => {
    expect(await cluster.owner.client.call('globalSettings', { params: params() })).toMatchObject({
      metrics: { from: 'metrics.k8s.io' },
    });
    expect(await whole()).toMatchObject({ status: 'none', times: [] });
    expect(asked(cluster.server)).toEqual([]);
  });

  it('is a Service, which is asked through the proxy of the API server by GET alone', async () => {
    expect(await save(service)).toMatchObject({ metrics: service });
    const answer = await whole();
    expect(answer).toMatchObject({ status: 'answered', message: null, of: 'nodes', step: 15 });
    expect([answer.times.at(-1), answer.cpu.at(-1), answer.memory.at(-1)]).toEqual([answer.to, 2, 2]);
    const questions = cluster.server.seen.filter(({ url }) => url.includes('/query_range'));
    expect(questions).toHaveLength(2);
    for (const { method, url } of questions) {
      const { pathname, searchParams } = new URL(url, 'https://cluster');
      expect([method, pathname]).toEqual([
        'GET',
        '/api/v1/namespaces/monitoring/services/prometheus:web/proxy/api/v1/query_range',
      ]);
      const [start, end, step] = ['start', 'end', 'step'].map((name) => Number(searchParams.get(name)));
      expect([(end ?? 0) - (start ?? 0), step]).toEqual([900, 15]);
    }
    const seen = await cluster.owner.client.call('clusters', {});
    expect(seen[0]).toMatchObject({ hasUsageHistory: true });
  });

  it('is an address, whose credential is sealed, sent there, and never shown or recorded', async () => {
    const shown = await save(urlSource());
    expect(shown.metrics).toMatchObject({ url: address.url, credential: { sort: 'kept', as: 'bearer' } });
    expect(await ask()).toMatchObject({ status: 'answered' });
    const authorizations = address.seen.map(({ headers }) => headers.authorization);
    expect(new Set(authorizations)).toEqual(new Set([`Bearer ${secret}`]));
    const again = await cluster.owner.client.call('globalSettings', { params: params() });
    const { metricsSource, metricsCredential } = await stored();
    const rows = await cluster.console.store.db.select().from(audit);
    expect(rows.map(({ subject }) => subject)).toContainEqual(
      expect.objectContaining({
        metrics: expect.stringMatching(
          /^https:\S+\/ with a credential \(bearer, entered anew\), certificates [\da-f]{32}$/,
        ),
      }),
    );
    // The same again is a change: the credential may be another one.
    await save(urlSource());
    const changes = (await cluster.console.store.db.select().from(audit).orderBy(audit.id)).at(-1)?.changes;
    expect(JSON.stringify(changes)).toContain('entered anew');
    const everything = [
      again,
      metricsSource,
      metricsCredential?.toString('latin1'),
      rows,
      cluster.console.log,
    ];
    expect(JSON.stringify(everything)).not.toContain(secret);
  });

  it('keeps the credential for its address and certificates alone: others need it to be entered again', async () => {
    const kept = { sort: 'kept', as: 'bearer' } as const;
    expect(
      await save(urlSource({ credential: kept, label: { name: 'cluster', value: 'a"b' } })),
    ).toMatchObject({
      metrics: { credential: kept },
    });
    expect(await ask()).toMatchObject({ status: 'answered' });
    expect(address.seen[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(asked(address)[0]).toContain('cluster="a\\"b"');
    const elsewhere = urlSource({ url: `${address.url}/elsewhere`, credential: kept });
    for (const tried of [save, test])
      for (const change of [elsewhere, urlSource({ ca: '', credential: kept })])
        await expect(tried(change)).rejects.toMatchObject({
          status: 400,
          issues: [{ path: 'body.metrics.credential' }],
        });
    // Two changes at a time could bring them together all the same: it stays where it belongs.
    for (const other of [elsewhere, urlSource({ ca: `${ca}${ca}` })]) {
      await cluster.console.store.db
        .update(clusters)
        .set({ metricsSource: { ...shownOf(other), credential: kept } });
      address.seen.length = 0;
      await ask();
      expect(address.seen.map(({ headers }) => headers.authorization)).toEqual(
        address.seen.map(() => undefined),
      );
      expect(address.seen.length).toBeGreaterThan(0);
    }
  });

  it('asks for the credential again where what is stored cannot be decrypted', async () => {
    await save(urlSource());
    await cluster.console.store.db.update(clusters).set({ metricsCredential: Buffer.from('spoiled') });
    expect(await ask()).toMatchObject({
      status: 'forbidden',
      message: expect.stringContaining('cannot be decrypted'),
    });
    await expect(test(urlSource({ credential: { sort: 'kept', as: 'bearer' } }))).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'body.metrics.credential' }],
    });
    expect(asked(address)).toEqual([]);
    expect(await test(urlSource())).toMatchObject({ isWorking: true });
  });

  it('takes user name and password', async () => {
    await save(urlSource({ credential: { sort: 'basic', user: 'reader', password: 'p:ä' } }));
    await ask();
    expect(address.seen[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('reader:p:ä').toString('base64')}`,
    );
  });

  it.each([
    ['http://prometheus.example.org', 'must begin with https://'],
    ['https://user:secret@prometheus.example.org', 'out of the address'],
    ['https://prometheus.example.org/?a=b', 'Remove the part after ? or #'],
    ['https://prometheus.example.org/#a', 'Remove the part after ? or #'],
    ['https://prometheus.example.org/p?', 'Remove the part after ? or #'],
    ['https://prometheus.example.org/p#', 'Remove the part after ? or #'],
    ['https://169.254.169.254', 'metadata'],
    ['https://[::ffff:169.254.169.254]', 'metadata'],
    ['https://2852039166', 'metadata'],
    ['https://0xa9fea9fe', 'metadata'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['prometheus', 'This is not an address'],
  ])('is not the address %s', async (url, sentence) => {
    for (const tried of [save, test])
      await expect(tried(urlSource({ url }))).rejects.toMatchObject({
        status: 400,
        issues: [{ path: 'body.metrics.url', message: expect.stringContaining(sentence) }],
      });
  });

  it('judges what a name leads to when it is dialled', async () => {
    await save(urlSource({ url: 'https://rebound.example.org', credential: { sort: 'none' } }));
    const guarded = new UsageHistories({
      vault: cluster.console.services.vault,
      config: { allowCidrs: ['169.254.0.0/16'], metricsSourceCidrs: [] },
      clusters: cluster.console.services.clusters,
      clock: clockAt(() => time),
      resolve: async () => [{ address: '169.254.169.254', family: 4 }],
    });
    expect(await guarded.history(await stored(), { of: 'nodes' }, 900)).toMatchObject({
      status: 'unreachable',
      message: expect.stringContaining('does not connect to'),
    });
  });

  it('is for Owners alone', async () => {
    const member = await cluster.console.person({ companyId: cluster.companyId });
    await cluster.console.grant(cluster.companyId, member.id, cluster.clusterId, teamRoles.TeamAdmin);
    await expect(
      member.client.call('testMetricsSource', { params: params(), body: { metrics: service } }),
    ).rejects.toMatchObject({ status: 403 });
  });
});

/** A source as it is stored. */
const shownOf = (change: MetricsSourceChange) => change as Extract<MetricsSourceChange, { from: 'url' }>;

describe('what is asked for whom', () => {
  beforeAll(async () => {
    await save(service);
  });

  it('is the pods of one’s own namespaces, without those that one leaves out', async () => {
    const { console, companyId, clusterId } = cluster;
    const person = await console.person({ companyId });
    await console.grant(companyId, person.id, clusterId, teamRoles.Viewer, ['shop', 'lab', 'stage']);
    await person.client.call('saveUserSettings', {
      params: params(),
      body: { excludedNamespaces: ['lab'] },
    });
    expect(await whole(person)).toMatchObject({ of: 'namespaces', status: 'answered' });
    const queries = asked(cluster.server);
    expect(queries).toHaveLength(2);
    for (const query of queries) expect(query).toContain('namespace=~"shop|stage"');
    const query = { seconds: '900', excluded: 'shown' } as const;
    await person.client.call('clusterUsageHistory', { params: params(), query });
    for (const one of asked(cluster.server)) expect(one).toMatch(/namespace=~"(lab\|shop|shop\|lab)\|stage"/);
    const object = (namespace: string, kind: string, name: string) =>
      person.client.call('objectUsageHistory', {
        params: { ...params(), kind },
        query: { namespace, name, seconds: '3600' },
      });
    // What one opens by its name is shown, left out or not.
    expect(await object('lab', 'pod', 'one')).toMatchObject({ status: 'answered' });
    expect(asked(cluster.server)[0]).toContain('namespace=~"lab",pod="one"');
    expect(await object('shop', 'deployment', 'web')).toMatchObject({ status: 'answered' });
    expect(asked(cluster.server)[0]).toMatch(/namespace=~"shop",pod=~"web-\[/);
    await expect(object('prod', 'pod', 'one')).rejects.toMatchObject({ status: 403 });
    await expect(object('', 'pod', 'one')).rejects.toMatchObject({ status: 403 });
    await expect(object('', 'node', 'n1')).rejects.toMatchObject({ status: 403 });
    await expect(object('shop', 'service', 'web')).rejects.toMatchObject({ status: 400 });
    expect(asked(cluster.server)).toEqual([]);
  });

  it('is nothing of pods for somebody who may view the workload alone', async () => {
    const { console, companyId, clusterId } = cluster;
    const person = await console.person({ companyId });
    await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
    console.narrow(person.id, ['deployments.view']);
    await expect(
      person.client.call('objectUsageHistory', {
        params: { ...params(), kind: 'deployment' },
        query: { namespace: 'shop', name: 'web', seconds: '900' },
      }),
    ).rejects.toMatchObject({ status: 403 });
    await expect(whole(person)).rejects.toMatchObject({ status: 403 });
    expect(asked(cluster.server)).toEqual([]);
  });

  it('is asked once for everybody who asks the same within some seconds', async () => {
    const own = reader();
    const row = await stored();
    const [one, other] = await Promise.all([
      own.history(row, { of: 'nodes' }, 900),
      own.history(row, { of: 'nodes' }, 900),
    ]);
    expect(other).toBe(one);
    expect(asked(cluster.server)).toHaveLength(2);
    await own.history(row, { of: 'node', name: 'n1' }, 900);
    expect(asked(cluster.server)).toHaveLength(2);
  });
});

describe('a source that does not answer as it should', () => {
  const ofService = { kind: 'Status', apiVersion: 'v1', status: 'Failure' };
  it.each<[string, Answer, string, string]>([
    [
      'has no Service',
      refuse(404, { ...ofService, message: 'services "x" not found' }),
      'unreachable',
      'does not have the Service',
    ],
    [
      'has no pods behind it',
      refuse(503, { ...ofService, message: 'no endpoints available' }),
      'unreachable',
      'Nothing answers behind the Service',
    ],
    [
      'is not open to the credential',
      refuse(403, { ...ofService, message: 'User "x" cannot get resource "services/proxy"' }),
      'forbidden',
      '“get” on services/proxy',
    ],
    ['asks for a credential', refuse(401, { error: 'login' }), 'forbidden', 'asks for a credential (401)'],
    ['is something else', refuse(404, 'not found'), 'unusable', 'is not a Prometheus'],
    ['redirects', refuse(302, {}), 'unusable', 'redirect (302)'],
    [
      'works too long',
      refuse(422, { status: 'error', errorType: 'execution' }),
      'unusable',
      'Choose a shorter time',
    ],
    ['starts', refuse(503, { status: 'error' }), 'unreachable', 'is starting (503)'],
    [
      'answers with an error',
      refuse(200, { status: 'error' }),
      'unusable',
      'did not answer like a Prometheus',
    ],
    [
      'answers with a page',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<html>');
      },
      'unusable',
      'invalid JSON',
    ],
    [
      'answers in an encoding that nobody asked for',
      (_, response) => {
        response.writeHead(200, { 'content-encoding': 'br' });
        response.end(brotliCompressSync('{"status":"success"}'));
      },
      'unusable',
      'something other than gzip',
    ],
    [
      'answers without end',
      (_, response) => {
        response.writeHead(200);
        const more = () => {
          if (!response.destroyed) response.write('['.repeat(65_536), () => setImmediate(more));
        };
        response.on('error', () => {});
        more();
      },
      'unusable',
      'more than the console accepts',
    ],
    [
      'breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{');
        setImmediate(() => response.destroy());
      },
      'unreachable',
      '',
    ],
  ])('says so in words where it %s, and the cluster stays as it is', async (_, answer, status, sentence) => {
    await save(service);
    cluster.server.answer = answer;
    const before = cluster.console.services.clusters.state(cluster.clusterId).status;
    const told = await ask();
    expect(told).toMatchObject({ status, message: expect.stringContaining(sentence), times: [] });
    expect(cluster.console.services.clusters.state(cluster.clusterId).status).toBe(before);
    // A Prometheus behind an address says the same in its own words.
    cluster.server.answer = figures();
    if (sentence === '' || JSON.stringify(told).includes('Service') || status === 'forbidden') return;
    await save(urlSource());
    address.answer = answer;
    expect(await ask()).toMatchObject({ status, message: expect.stringContaining(sentence) });
  });

  it('is not waited for longer than its time, and its slowness is not the cluster’s', async () => {
    for (const source of [service, urlSource()]) {
      await save(source);
      const silent: Answer = () => {};
      cluster.server.answer = silent;
      address.answer = silent;
      expect(await ask(200)).toMatchObject({
        status: 'unreachable',
        message: expect.stringContaining('did not answer within'),
      });
    }
    cluster.server.answer = figures();
    const transport = await cluster.console.services.clusters.transport(cluster.clusterId);
    expect(await transport.json({ path: '/version' })).toMatchObject({ gitVersion: 'v1.36.2' });
  });

  it('says what it lacks: the metrics, or this object', async () => {
    const empty =
      (count: string): Answer =>
      ({ url }, response) =>
        json(response, 200, {
          status: 'success',
          data: url.includes('query_range')
            ? { resultType: 'matrix', result: [] }
            : { resultType: 'vector', result: count === '0' ? [] : [{ metric: {}, value: [1, count] }] },
        });
    await save(service);
    const pods = { of: 'pods', namespaces: new Set(['shop']), excluded: new Set<string>() } as const;
    cluster.server.answer = empty('0');
    expect(await reader().history(await stored(), pods, 900)).toMatchObject({
      status: 'empty',
      message: expect.stringMatching(/has no container_cpu_.* and no container_memory_.*scrape cAdvisor/),
    });
    expect(await test(service)).toMatchObject({ isWorking: false });
    cluster.server.answer = empty('5');
    expect(await reader().history(await stored(), pods, 900)).toMatchObject({
      status: 'empty',
      message: expect.stringContaining('has no data for the chosen time'),
    });
    expect(await test(service)).toEqual({
      isWorking: true,
      message: 'The source answers: 5 series of containers and 5 of nodes.',
    });
  });

  it('may answer in part, which is said: in which way, to Owners alone', async () => {
    await save(service);
    cluster.server.answer = ({ url }, response) =>
      json(response, 200, {
        status: 'success',
        data: url.includes('query_range')
          ? {
              resultType: 'matrix',
              result: [
                { metric: {}, values: [[Number(new URL(url, 'https://a').searchParams.get('end')), '1']] },
              ],
            }
          : { resultType: 'vector', result: [{ metric: {}, value: [1, '3'] }] },
        warnings: ['1 store is out of reach'],
      });
    expect(await ask()).toMatchObject({
      status: 'answered',
      message: 'Prometheus says that its answer may be incomplete.',
    });
    expect(await test(service)).toMatchObject({
      isWorking: true,
      message: expect.stringContaining('“1 store is out of reach”'),
    });
  });

  it('is not asked again for some seconds after it was out of reach, then is', async () => {
    await save(service);
    const own = reader();
    const row = await stored();
    const of = (name: string) => own.history(row, { of: 'node', name }, 900);
    cluster.server.answer = refuse(503, { status: 'error' });
    expect(await of('one')).toMatchObject({ status: 'unreachable' });
    const { length } = asked(cluster.server);
    expect(length).toBeGreaterThan(0);
    cluster.server.answer = figures();
    expect(await of('two')).toMatchObject({
      status: 'unreachable',
      message: expect.stringContaining('is starting (503)'),
    });
    expect(asked(cluster.server)).toEqual([]);
    time += 16_000;
    expect(await of('two')).toMatchObject({ status: 'answered' });
  });

  it('is not asked what nobody waits for any more, nor too much at once by one person', async () => {
    await save(service);
    const own = reader();
    const row = await stored();
    const of = (name: string, signal?: AbortSignal) => own.history(row, { of: 'node', name }, 900, signal);
    const held: (() => void)[] = [];
    cluster.server.answer = (seen, response) => {
      if (seen.url.includes('/api/v1/query')) held.push(() => figures()(seen, response));
      else greet(seen, response);
    };
    const running = [of('one'), of('two')];
    await expect.poll(() => held.length).toBe(4);
    const leaving = new AbortController();
    const left = of('three', leaving.signal);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    const waiting = Array.from({ length: 18 }, (_, index) => of(`of ${index}`));
    await expect(of('too much')).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('too much at once'),
    });
    cluster.server.answer = figures();
    for (const answer of held.splice(0)) answer();
    for (const one of await Promise.all([...running, ...waiting])) expect(one.status).toBe('answered');
    expect(asked(cluster.server).filter((query) => query.includes('three'))).toEqual([]);
  });
});
