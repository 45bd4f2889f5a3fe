import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { streams } from '../../../src/contract/streams.ts';
import { metricsPerMinute } from '../../../src/server/http/metrics.ts';
import { startConsole, type TestConsole } from '../harness.ts';
import { send } from '../http-client.ts';

describe('what operators ask', () => {
  let console: TestConsole;

  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.close());

  it('readiness follows the store, liveness does not', async () => {
    const own = await startConsole();
    expect((await send(own.url, 'GET', '/readyz')).status).toBe(200);
    await own.store.close();
    const ready = await send(own.url, 'GET', '/readyz');
    expect([ready.status, ready.json]).toEqual([
      503,
      { status: 'the store does not answer', check: 'database' },
    ]);
    expect((await send(own.url, 'GET', '/healthz')).status).toBe(200);
    // Figures of the store are absent and counted as such: no zero that would keep an alert silent.
    const { text } = await send(own.url, 'GET', '/metrics');
    expect(text).toContain('wheelhouse_scrape_errors_total{source="queue"} 1');
    expect(text).toMatch(/^wheelhouse_live_sockets 0$/m);
    expect(text).not.toMatch(/^wheelhouse_queue_/m);
    await own.app.close();
  });

  it('while draining it is not ready but still answers', async () => {
    const own = await startConsole();
    own.app.drain();
    const ready = await send(own.url, 'GET', '/readyz');
    expect([ready.status, ready.json]).toEqual([503, { status: 'draining', check: 'draining' }]);
    expect(await own.visitor().call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    await own.close();
  });

  it('metrics go to this machine only, and not through a proxy on it', async () => {
    await console.visitor().call('isAuthenticated', {});
    const answer = await send(console.url, 'GET', '/metrics');
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(
      /wheelhouse_http_request_duration_seconds_count\{route="\/api\/auth\/is-authenticated",method="GET",status="200"\} \d+/,
    );
    for (const name of ['sockets', 'subscriptions', 'reflectors', 'objects', 'held_bytes']) {
      expect(answer.text).toMatch(new RegExp(`^wheelhouse_live_${name} 0$`, 'm'));
    }
    for (const queue of ['mail', 'webhook', 'billing', 'audit/https']) {
      expect(answer.text).toContain(`wheelhouse_queue_jobs{queue="${queue}"} 0`);
      expect(answer.text).toContain(`wheelhouse_queue_late_seconds{queue="${queue}"} 0`);
    }
    expect(answer.text).toContain('wheelhouse_scrape_errors_total{source="queue"} 0');
    expect(answer.text).toContain('nodejs_eventloop_lag_seconds');
    for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }]) {
      expect((await send(console.url, 'GET', '/metrics', { headers })).status).toBe(403);
    }
  });

  it('with a public address metrics need a token: a proxy on this machine may not say that it is one', async () => {
    const own = await startConsole({ config: { url: new URL('https://console.example.org') } });
    for (const host of ['console.example.org', new URL(own.url).host]) {
      const answer = await send(own.url, 'GET', '/metrics', { headers: { host } });
      expect([answer.status, answer.json]).toMatchObject([
        403,
        { title: expect.stringContaining('Set WHEELHOUSE_METRICS_TOKEN.') },
      ]);
    }
    await own.close();
    const local = await startConsole({ config: { url: new URL('http://localhost:8080') } });
    expect((await send(local.url, 'GET', '/metrics')).status).toBe(200);
    await local.close();
  });

  it('with a metrics token, only its bearer gets them', async () => {
    const own = await startConsole({ config: { metricsToken: 'a-token-for-the-scraper' } });
    const ask = async (headers: Record<string, string>) =>
      (await send(own.url, 'GET', '/metrics', { headers })).status;
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await ask({ authorization: 'Bearer a-token-for-the-scraper', host: '10.0.0.7:8080' })).toBe(200);
    await own.close();
  });

  it('guesses at the metrics token are braked, and the brake does not tell which guess is right', async () => {
    const own = await startConsole({ config: { metricsToken: 'a-token-for-the-scraper' } });
    const ask = (token: string) =>
      send(own.url, 'GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
    for (let guess = 0; guess < metricsPerMinute; guess += 1)
      expect((await ask(`guess-number-${guess}`)).status).toBe(401);
    for (const token of ['guess-number-61', 'a-token-for-the-scraper']) {
      const answer = await ask(token);
      expect(answer.status, token).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    await own.close();
  });

  it('the API describes itself to those who are signed in', async () => {
    expect((await console.visitor().send('GET', '/api/docs/json')).status).toBe(401);
    expect((await console.visitor().send('GET', '/api/docs')).status).toBe(401);
    const { client } = await console.person({ companyId: null });
    const document = (await client.send('GET', '/api/docs/json')).json as {
      openapi: string;
      paths: Record<
        string,
        Record<string, { operationId: string; responses: Record<string, unknown>; security?: unknown }>
      >;
      components: { schemas: Record<string, unknown>; securitySchemes: Record<string, { name: string }> };
    };
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.securitySchemes['session']?.name).toBe(client.sessionCookie);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.map((operation) => operation.operationId).sort()).toEqual(
      [...Object.keys(api), ...Object.keys(streams)].sort(),
    );
    // Scripts follow logs and open shells as well: it says by what.
    const securityOf = ({ path }: Endpoint) =>
      document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.['get']?.security;
    expect(Object.values(streams).map(securityOf)).toEqual([
      [{ session: [] }, { token: ['pods.view'] }],
      [{ session: [] }, { token: ['pods.view'] }],
      [{ session: [] }, { token: ['pods.manage', 'shells.open'] }],
      [{ session: [] }],
    ]);
    expect(operations.every((operation) => '4XX' in operation.responses)).toBe(true);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['User', 'Cluster', 'Problem']),
    );

    const page = await client.send('GET', '/api/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('/api/ClusterManagement/clusters/:clusterId');
    expect(page.text).toMatch(
      /WebSocket\. Access: pods\.manage\. Takes API tokens with the scope shells\.open\./,
    );
    expect(page.text).not.toMatch(/<script|<style|style=|https?:\/\//);
    expect((await client.send('GET', '/api/docs/style.css')).headers['content-type']).toMatch(/text\/css/);
  });

  it('an address behind a proxy is believed from trusted proxies only', async () => {
    const address = async (trustedProxies: string[]) => {
      const own = await startConsole({ config: { trustedProxies } });
      await own.visitor().send('GET', '/api/auth/is-authenticated', undefined, {
        headers: { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' },
      });
      await expect.poll(() => own.log.some((line) => line.route === '/api/auth/is-authenticated')).toBe(true);
      await own.close();
      return own.log.find((line) => line.route === '/api/auth/is-authenticated')?.address;
    };
    expect(await address([])).toBe('127.0.0.1');
    expect(await address(['10.0.0.0/8'])).toBe('127.0.0.1');
    expect(await address(['127.0.0.0/8'])).toBe('203.0.113.7');
  });

  it('a proxy that is not trusted is named in the log, once, with the setting that helps', async () => {
    const hints = async (trustedProxies: string[]) => {
      const own = await startConsole({ config: { trustedProxies } });
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      await own.visitor().send('GET', '/api/auth/is-authenticated');
      for (let count = 0; count < 3; count += 1) {
        await own.visitor().send('GET', '/api/auth/is-authenticated', undefined, { headers });
      }
      await own.close();
      return own.log.filter(({ msg }) => String(msg).includes('WHEELHOUSE_TRUSTED_PROXIES'));
    };
    expect(await hints([])).toEqual([expect.objectContaining({ peer: '127.0.0.1', level: 40 })]);
    expect(await hints(['127.0.0.1/32'])).toEqual([]);
  });

  it('a route that does not say who may call it cannot be mounted', async () => {
    const { createApp } = await import('../../../src/server/boot/app.ts');
    const app = createApp(console.services);
    app.register(async (part) => {
      part.get('/api/forgotten', () => 'open to all');
    });
    await expect(app.ready()).rejects.toThrow(
      'The route GET /api/forgotten does not declare who may call it.',
    );
  });

  it('a server whose event loop is too late turns calls away, but answers probes and gives files', async () => {
    // Every event loop is later than that.
    const own = await startConsole({ overloadedAt: Number.MIN_VALUE });
    const call = () => own.visitor().send('GET', '/api/auth/is-authenticated');
    await expect.poll(async () => (await call()).status, { timeout: 10_000 }).toBe(503);
    expect(await call()).toMatchObject({
      headers: { 'retry-after': '5' },
      json: { title: 'The server is busy. Try again in a few seconds.', retryable: true },
    });
    expect((await own.visitor().send('GET', '/healthz')).status).toBe(200);
    expect((await own.visitor().send('GET', '/assets/none.js')).status).toBe(404);
    await own.close();
  });

  it('a limited call is refused with 429 and says when to try again', async () => {
    const own = await startConsole();
    const { client } = await own.person({ companyId: null });
    const statuses: number[] = [];
    let last = await client.send('POST', '/api/profile/password', {});
    for (let count = 0; count < 10; count += 1) {
      statuses.push(last.status);
      last = await client.send('POST', '/api/profile/password', {});
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 400));
    expect([last.status, last.json]).toMatchObject([
      429,
      { title: expect.stringMatching(/^Too many requests/), retryable: true },
    ]);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    await own.close();
  });
});
