import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { statusOf } from '../../src/playground/api/log.ts';
import { startLife } from '../../src/playground/life/life.ts';
import { logLines, runOf } from '../../src/playground/life/logs.ts';
import { behaviourNote } from '../../src/playground/kit/behaviour.ts';
import { create, put } from '../../src/playground/life/write.ts';
import { createNode } from '../../src/playground/seeds/nodes.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, type Stream, send, stream } from './client.ts';

const clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));
let playground: Playground;
let life: ReturnType<typeof startLife>;

const images: Readonly<Record<string, string>> = {
  web: 'docker.io/library/nginx:1.29',
  api: 'example/api:1',
  bank: 'example/payments-api:1',
  queue: 'example/email-worker:1',
  db: 'ghcr.io/cloudnative-pg/postgresql:18.1',
  metrics: 'quay.io/prometheus/prometheus:v3.7.3',
  dns: 'registry.k8s.io/coredns/coredns:v1.13.1',
  etcd: 'registry.k8s.io/etcd:3.6.6-0',
  scheduler: 'registry.k8s.io/kube-scheduler:v1.36.2',
  vault: 'docker.io/hashicorp/vault:1.21.0',
  loud: 'example/api:2',
  broken: 'example/api:3',
};

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none', clock, chance: 4 });
  createNode(playground.world, { name: 'node-1', zone: 'east-1a', cpu: 4, memory: 8 }, 0);
  life = startLife(playground.world);
  for (const [name, image] of Object.entries(images)) {
    const word = name === 'loud' ? 'noisy' : name === 'broken' ? 'crash-loop' : undefined;
    create(playground.world, '/pods', 'default', {
      metadata: { name, annotations: word === undefined ? {} : { 'playground/behaviour': word } },
      spec: { containers: [{ name: 'main', image }] },
    });
  }
  clock.advance(60 * 60_000);
});
afterAll(async () => {
  life.stop();
  await playground.close();
});

const path = (pod: string, options = '') => `/api/v1/namespaces/default/pods/${pod}/log?${options}`;
async function log(pod: string, options = ''): Promise<string[]> {
  const { status, text } = await send(playground, { method: 'GET', path: path(pod, options) });
  expect(status).toBe(200);
  return text.split('\n').slice(0, -1);
}

describe('the log of', () => {
  test('a web server has access log lines', async () => {
    const line =
      /^10\.244\.\d+\.\d+ - - \[01\/Mar\/2026:\d\d:\d\d:\d\d \+0000\] "(GET|POST) \/\S* HTTP\/1\.1" \d{3} \d+ "-" ".+" \d\.\d{3}$/;
    for (const text of await log('web', 'tailLines=50')) expect(text).toMatch(line);
  });

  test('a service has JSON lines, some of them errors', async () => {
    const lines = (await log('api')).map((text) => JSON.parse(text) as { level: string; err?: object });
    expect(new Set(lines.map(({ level }) => level))).toEqual(new Set(['info', 'warn', 'error']));
    expect(lines.filter(({ level }) => level === 'error').every(({ err }) => err !== undefined)).toBe(true);
  });

  test('a Java service has stack traces over several lines', async () => {
    const lines = await log('bank');
    const start = lines.findIndex((text) => text.startsWith('java.net.SocketTimeoutException'));
    expect(lines[start + 1]).toMatch(/^\tat java\.base\//);
    expect(lines.slice(start, start + 8).some((text) => text === '\t... 34 more')).toBe(true);
  });

  test('a worker has colours, that of a database statements, that of a monitoring service key-value pairs', async () => {
    expect((await log('queue', 'tailLines=20')).join('')).toContain('\u001b[32mINFO\u001b[39m');
    expect((await log('db')).some((text) => /UTC \[\d+\] LOG: {2}checkpoint complete/.test(text))).toBe(true);
    expect((await log('metrics', 'tailLines=5')).every((text) => /^time=\S+ level=\w+ /.test(text))).toBe(
      true,
    );
  });

  test('a cluster component has the messages and the format of that component', async () => {
    const forms: Readonly<Record<string, RegExp>> = {
      dns: /^\[(?:INFO|ERROR)\] /,
      etcd: /^\{"level":"(?:info|warn)","ts":"[^"]+","caller":"/,
      scheduler: /^[IE]\d{4} \d\d:\d\d:\d\d\.\d{6} {7}1 \w+\.go:\d+\] "/,
      vault: /^time=\S+ level=(?:INFO|WARN|ERROR) source=\S+ msg=/,
    };
    for (const [name, form] of Object.entries(forms)) {
      const lines = await log(name, 'tailLines=80');
      expect([name, lines.length]).toEqual([name, 80]);
      for (const line of lines) expect(line).toMatch(form);
    }
    const says = async (name: string, words: string) =>
      (await log(name)).some((line) => line.includes(words));
    expect(await says('scheduler', 'Successfully bound pod to node')).toBe(true);
    expect(await says('vault', 'revoked lease')).toBe(true);
    expect(await says('vault', 'Head GC')).toBe(false);
  });

  test('a noisy application has fifty lines a second, of which the node keeps the last', async () => {
    expect((await log('loud', 'sinceSeconds=10')).length).toBeGreaterThan(400);
    expect((await log('loud')).length).toBeLessThanOrEqual(20_000);
  });
});

describe('a log request', () => {
  test('limits the log by tailLines, sinceSeconds, limitBytes and sinceTime', async () => {
    const all = await log('web');
    expect(await log('web', 'tailLines=7')).toEqual(all.slice(-7));
    expect(await log('web', 'tailLines=0')).toEqual([]);
    const last = await log('web', 'sinceSeconds=60');
    expect(last).toEqual(all.slice(-last.length));
    expect(last.length).toBeGreaterThan(20);
    expect(await log('web', `sinceTime=${new Date(clock.now() - 60_000).toISOString()}`)).toEqual(last);
    const { text } = await send(playground, { method: 'GET', path: path('web', 'limitBytes=100') });
    expect(Buffer.byteLength(text)).toBe(100);
  });

  test('adds timestamps in nanoseconds that never decrease', async () => {
    const stamps = (await log('api', 'timestamps=true&tailLines=200')).map((text) => text.slice(0, 30));
    expect(stamps.every((stamp) => /^2026-03-01T\d\d:\d\d:\d\d\.\d{9}Z$/.test(stamp))).toBe(true);
    const coarse = stamps.map((stamp) => stamp.slice(0, 23));
    expect(coarse).toEqual(coarse.toSorted());
  });

  test('returns the log of the previous run, which ends with the reason of its end', async () => {
    const lines = await log('broken', 'previous=true');
    expect(lines.join('\n')).toContain('ECONNREFUSED');
    const none = await send(playground, { method: 'GET', path: path('web', 'previous=true') });
    expect([none.status, none.text]).toEqual([
      400,
      expect.stringContaining('previous terminated container \\"main\\" in pod \\"web\\" not found'),
    ]);
  });

  test('with follow streams the lines that a later request returns, until the pod is deleted', async () => {
    const from = clock.now();
    const followed = await stream(playground, {
      method: 'GET',
      path: path('web', 'follow=true&tailLines=0'),
    });
    for (let round = 0; round < 6; round++) clock.advance(10_000);
    await followed.until(20);
    const since = await log('web', `sinceTime=${new Date(from).toISOString()}`);
    await followed.until(since.length);
    expect(followed.lines).toEqual(since);
    await json(playground, 'DELETE', '/api/v1/namespaces/default/pods/web');
    clock.advance(60_000);
    await followed.ended;
  });

  test('with follow sends each line when it is written, so that lines of several pods arrive in order', async () => {
    const from = clock.now();
    const names = ['api', 'queue', 'bank'];
    const due = names
      .flatMap((name) => {
        const pod = playground.world.store.get('/pods', `default/${name}`);
        const state = pod && statusOf(pod, 'main')?.state;
        const run = pod && runOf(pod, 'main', state);
        if (run === undefined) throw new Error(`${name} does not run`);
        return logLines(run, from, from + 20_000, 100).map((line) => ({ ...line, name }));
      })
      .sort((a, b) => a.at - b.at);
    expect(due.length).toBeGreaterThan(10);
    const followed = new Map<string, Stream>();
    for (const name of names) {
      const wanted = { method: 'GET', path: path(name, 'follow=true&tailLines=0') };
      followed.set(name, await stream(playground, wanted));
    }
    for (const { at, name } of due) {
      clock.advance(Math.max(0, at + 1 - clock.now()));
      const expected = due.filter((line) => line.name === name && line.at <= at).map(({ text }) => text);
      await followed.get(name)?.until(expected.length);
      expect(followed.get(name)?.lines).toEqual(expected);
    }
    for (const one of followed.values()) one.close();
  });

  test('ends or is refused, as by a real server, when the kubelet stops answering', async () => {
    const { world } = playground;
    const ask = (annotations: Record<string, string>) => {
      const node = world.store.get('/nodes', 'node-1');
      if (node === undefined) throw new Error('there is no node-1');
      put(world, '/nodes', { ...node, metadata: { ...node.metadata, annotations } });
    };
    const followed = await stream(playground, {
      method: 'GET',
      path: path('api', 'follow=true&tailLines=3'),
    });
    await followed.until(3);
    ask({ [behaviourNote]: 'silent' });
    await followed.ended;
    const wanted = {
      method: 'GET',
      path: path('api', 'timestamps=true&follow=true&tailLines=3&previous=false'),
    };
    const { status, text } = await send(playground, wanted);
    const url =
      'https://10.20.0.10:10250/containerLogs/default/api/main?follow=true&tailLines=3&timestamps=true';
    expect([status, JSON.parse(text)]).toEqual([
      500,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `Get "${url}": dial tcp 10.20.0.10:10250: connect: connection refused`,
        code: 500,
      },
    ]);
    ask({});
    expect(await log('api', 'tailLines=1')).toHaveLength(1);
    world.store.commit('/nodes', 'node-1', undefined);
    const gone = await send(playground, { method: 'GET', path: path('api') });
    expect([gone.status, gone.text]).toEqual([404, expect.stringContaining('nodes \\"node-1\\" not found')]);
  });
});
