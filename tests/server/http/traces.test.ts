import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Playground, startPlayground } from '../../../src/playground/server.ts';
import { openTracer } from '../../../src/server/kit/tracer.ts';
import { startConsole, testPassword } from '../harness.ts';
import { openLive } from '../live/live-client.ts';

interface Received {
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly secret: string | string[] | undefined;
  readonly body: Buffer;
}
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const warnings: string[] = [];
const warn = (sentence: string) => void warnings.push(sentence);
const received: Received[] = [];
let collector: Server;
let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
  collector = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { url: path, headers } = request;
      received.push({ path, type: headers['content-type'], secret: headers['x-key'], body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await playground.close();
  collector.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
  received.length = 0;
  expect(warnings.splice(0)).toEqual([]);
});

/** Asks for traces by the variables that every program with OpenTelemetry knows. */
function stub(more: Readonly<Record<string, string>> = {}): void {
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const all = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=key-of-the-collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  };
  for (const [name, value] of Object.entries({ ...all, ...more })) vi.stubEnv(name, value);
}

it('a call and what it asks of a cluster are one trace, of ids, patterns and statuses alone', async () => {
  stub({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
  const tracer = await openTracer(process.env, warn);
  const console = await startConsole({ config: { allowCidrs: ['127.0.0.0/8'] }, tracer });
  const companyId = await console.company();
  const owner = await console.person({
    companyId,
    isOwner: true,
    email: 'canary-person@example.org',
    password: testPassword,
  });
  const kubeconfig = { name: 'canary-cluster', kubeConfigContent: playground.kubeconfig };
  const { client, id: userId } = owner;
  const answer = await client.send('POST', '/api/ClusterManagement/clusters/kubeconfig', kubeconfig);
  const { id: clusterId } = answer.json as { id: number };
  const params = { clusterId, kind: 'secret' };
  await client.call('createObject', {
    params,
    query: { namespace: 'default' },
    body: { object: { metadata: { name: 'canary-name' }, stringData: { password: 'canary-value' } } },
  });
  await expect(
    client.call('createObject', {
      params,
      query: { namespace: 'canary-namespace' },
      body: { object: { metadata: { name: 'canary-name' } } },
    }),
  ).rejects.toMatchObject({ status: 404 });
  await console.visitor().send('GET', '/api/auth/is-authenticated?canary-query=canary-text');
  await client.send('GET', '/healthz');
  const page = await openLive(console.url, client.handshake);
  const pods = page.subscribe({ clusterId, kind: 'pod', namespace: 'default' });
  await page.until('the rows are there', () => pods.state?.status === 'live');
  await page.close();
  const { text: figures } = await client.send('GET', '/metrics');
  await console.close();
  await tracer?.close();

  // The same requests are measured, with a collector or without.
  for (const outcome of ['ok', '404'])
    expect(figures).toContain(
      `wheelhouse_cluster_request_duration_seconds_count{cluster="${clusterId}",verb="create",outcome="${outcome}"} 1\n`,
    );
  expect(new Set(received.map(({ path, type, secret }) => [path, type, secret].join(' ')))).toEqual(
    new Set(['/v1/traces application/json key-of-the-collector']),
  );
  const sent = received.map(({ body }) => body.toString('utf8'));
  // A span says no name, no value and nothing that anybody typed.
  for (const hidden of ['canary', testPassword, client.cookie, playground.kubeconfig.slice(-40)])
    expect(sent.join('\n')).not.toContain(hidden);
  expect(sent[0]).toContain('"service.name"');
  expect(sent[0]).toContain('"deployment.environment"');
  const spans = sent.flatMap((text) =>
    (JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }).resourceSpans.flatMap(
      (one) => one.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  const facts = ({ attributes }: SentSpan) =>
    Object.fromEntries(
      attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
    );
  const calls = spans.filter(({ name }) => /^POST .*:kind/.test(name));
  expect(calls.map((call) => facts(call)['http.response.status_code'])).toEqual([200, 404]);
  for (const call of calls) {
    expect(facts(call)).toMatchObject({ 'http.request.method': 'POST', 'wheelhouse.user.id': userId });
    const creation = spans.find((one) => one.parentSpanId === call.spanId && one.name === 'create secrets');
    expect(creation?.traceId).toBe(call.traceId);
    expect(creation && facts(creation)).toMatchObject({
      'k8s.verb': 'create',
      'k8s.resource': 'secrets',
      'wheelhouse.cluster.id': clusterId,
      'wheelhouse.user.id': userId,
    });
  }
  expect(spans.some(({ name }) => name === 'GET /healthz')).toBe(false);
  const subscription = spans.find(({ name }) => name === 'subscribe pod');
  expect(subscription && facts(subscription)).toMatchObject({
    'wheelhouse.cluster.id': clusterId,
    'wheelhouse.user.id': userId,
  });
  const failed = spans.find(({ name, status }) => name === 'create secrets' && status.code === 2);
  expect(failed && facts(failed)).toMatchObject({ 'http.response.status_code': 404 });
});

it('goes as protobuf by default, is sampled as asked, and nothing is sent where no collector is named', async () => {
  stub();
  const tracer = await openTracer(process.env, warn);
  tracer?.begin('a call', 'server', {}).end({}, false);
  await tracer?.close();
  expect(received.map(({ type, body }) => [type, body.includes('a call')])).toEqual([
    ['application/x-protobuf', true],
  ]);
  stub({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
  const silent = await openTracer(process.env, warn);
  silent?.begin('another call', 'server', {}).end({}, false);
  await silent?.close();
  expect(received).toHaveLength(1);
  expect(await openTracer({}, warn)).toBeUndefined();
  const named = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  expect(await openTracer({ ...named, OTEL_SDK_DISABLED: 'true' }, warn)).toBeUndefined();
  await expect(openTracer({ ...named, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, warn)).rejects.toThrow(
    'The console sends traces by http/protobuf or http/json',
  );
});
