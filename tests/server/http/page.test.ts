import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole } from '../harness.ts';
import { send } from '../http-client.ts';

describe('the page', () => {
  let console: TestConsole;
  let pageDir: string;
  const script = 'export const answer = 42;\n'.repeat(100);

  beforeAll(async () => {
    pageDir = await mkdtemp(join(tmpdir(), 'wheelhouse-page-'));
    await mkdir(join(pageDir, 'assets'));
    await writeFile(join(pageDir, 'index.html'), '<!doctype html><html><head></head><body></body></html>');
    await writeFile(join(pageDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(pageDir, 'assets/main-abc.js'), script);
    for (const map of ['assets/main-abc.js.map', 'worker.js.map', 'assets/main-abc.js.map.gz'])
      await writeFile(join(pageDir, map), '{"sourcesContent":["our sources"]}');
    await writeFile(join(pageDir, 'assets/main-abc.js.br'), brotliCompressSync(script));
    await writeFile(join(pageDir, 'assets/main-abc.js.gz'), gzipSync(script));
    await writeFile(join(tmpdir(), 'outside.txt'), 'not for anybody');
    console = await startConsole({ pageDir });
  });
  afterAll(async () => {
    await console.close();
    await rm(pageDir, { recursive: true });
    await rm(join(tmpdir(), 'outside.txt'));
  });

  const get = (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
    send(console.url, 'GET', path, { headers });

  it('is the answer to every address that a browser navigates to, with the build, never stored', async () => {
    for (const path of [
      '/',
      '/login',
      '/clusters/1/pods',
      '/clusters/1/namespaces/a/pods/web.example.org-0',
      '/no/such',
    ]) {
      const answer = await get(path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.text).toContain('<meta name="wheelhouse-build" content="test-build" />');
    }
  });

  it('knows whether there is Help, whose place it keeps, and not its address', async () => {
    expect((await get('/')).text).not.toContain('wheelhouse-help');
    const helpful = await startConsole({ pageDir, config: { helpUrl: 'https://chat.example.org/room' } });
    try {
      const { text } = await send(helpful.url, 'GET', '/login', { headers: { accept: 'text/html' } });
      expect(text).toContain('<meta name="wheelhouse-help" content="named" />');
      expect(text).not.toContain('chat.example.org');
    } finally {
      await helpful.close();
    }
  });

  it('comes compressed to a browser that takes that, and as it is to one that refuses', async () => {
    for (const [accepted, expected] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', undefined],
      ['identity', undefined],
    ] as const) {
      const answer = await get('/', { accept: 'text/html', 'accept-encoding': accepted });
      expect(answer.status, accepted).toBe(200);
      expect(answer.headers['content-encoding'], accepted).toBe(expected);
      expect(answer.headers['vary'], accepted).toContain('accept-encoding');
    }
  });

  it('is not the answer to a missing asset, to another method, or to a program', async () => {
    expect((await get('/assets/missing.js')).status).toBe(200);
    expect((await get('/assets/missing.js', { accept: '*/*' })).status).toBe(404);
    expect((await send(console.url, 'POST', '/login', { headers: { origin: console.url } })).status).toBe(
      404,
    );
    expect((await get('/clusters/1/pods', { accept: 'application/json' })).status).toBe(404);
  });

  it('serves hashed assets compressed and for ever', async () => {
    for (const [encoding, expected] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const answer = await get('/assets/main-abc.js', { 'accept-encoding': encoding });
      expect([answer.status, answer.headers['content-encoding']], encoding).toEqual([200, expected]);
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(answer.headers['content-type']).toMatch(/javascript/);
    }
    expect((await get('/favicon.svg', { accept: 'image/*' })).headers['content-type']).toMatch(/svg/);
  });

  it('leaves headers of documents out of scripts, and out of nothing that a browser shows', async () => {
    const script = await get('/assets/main-abc.js', { accept: '*/*' });
    expect(script.headers['x-frame-options']).toBeUndefined();
    expect(script.headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';frame-ancestors 'none'",
    );
    expect(script.headers['x-content-type-options']).toBe('nosniff');
    expect(script.headers['cross-origin-resource-policy']).toBe('same-origin');
    for (const path of ['/', '/assets/missing.js', '/favicon.svg']) {
      const { headers } = await get(path);
      expect(headers['x-frame-options'], path).toBe('DENY');
      expect(headers['content-security-policy'], path).toContain("frame-ancestors 'none'");
    }
  });

  it('serves no source map', async () => {
    for (const path of [
      '/assets/main-abc.js.map',
      '/assets/main-abc.js.MAP',
      '/assets/main-abc.js.ma%70',
      '/assets/main-abc.js.map?x=.js',
      '/assets/main-abc.js.map.gz',
      '/worker.js.map',
    ]) {
      for (const encoding of ['identity', 'gzip']) {
        const answer = await get(path, { accept: '*/*', 'accept-encoding': encoding });
        expect(answer.status, path).toBe(404);
        expect(answer.text, path).not.toContain('sources');
      }
    }
  });

  it('serves nothing outside its folder', async () => {
    for (const path of [
      '/assets/../../outside.txt',
      '/assets/%2e%2e/%2e%2e/outside.txt',
      '/..%2foutside.txt',
      '/assets//etc/passwd',
    ]) {
      const answer = await get(path, { accept: '*/*' });
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain('not for anybody');
    }
  });

  it('of sign-in alone may load Google’s script, where Google is configured, and never with a session', async () => {
    const withGoogle = await startConsole({
      pageDir,
      config: {
        providers: [
          {
            key: 'google',
            label: 'Google',
            issuer: new URL('https://accounts.google.com'),
            clientId: '42-a.apps.googleusercontent.com',
            clientSecret: 'secret of the client',
            groupsClaim: null,
          },
        ],
      },
    });
    try {
      const { client } = await withGoogle.person({ companyId: await withGoogle.company() });
      const ask = (path: string, cookie = '') =>
        send(withGoogle.url, 'GET', path, {
          headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) },
        });
      const meta = '<meta name="wheelhouse-google" content="42-a.apps.googleusercontent.com" />';
      const { port } = new URL(withGoogle.url);
      for (const path of [
        '/login',
        '/login?returnUrl=%2Fclusters',
        '/login?failure=refused&provider=google',
      ]) {
        const { headers, text } = await ask(path);
        expect(headers['content-security-policy'], path).toBe(
          `default-src 'none';script-src 'self' https://accounts.google.com/gsi/client;style-src 'self' https://accounts.google.com/gsi/style;img-src 'self' data:;font-src 'self';worker-src 'self';manifest-src 'self';connect-src 'self' ws://127.0.0.1:${port} https://accounts.google.com/gsi/;frame-src https://accounts.google.com/gsi/;frame-ancestors 'none';base-uri 'none';form-action 'self';object-src 'none'`,
        );
        expect(headers).toMatchObject({
          'x-frame-options': 'DENY',
          'cache-control': 'no-store',
          'cross-origin-opener-policy': 'same-origin-allow-popups',
          'referrer-policy': 'strict-origin',
        });
        expect(text).toContain(meta);
        expect(text).not.toContain('secret of the client');
      }
      const others = [
        ['/login', client.cookie],
        ...['/', '/login/', '/logins', '/invite-not-found', '/setup-company', '/clusters/1/pods'].map(
          (path) => [path],
        ),
        ['/api/auth/options'],
      ] as const;
      for (const [path = '', cookie] of others) {
        const { headers, text } = await ask(path, cookie);
        expect(headers['content-security-policy'], path).not.toContain('google');
        expect(headers['cross-origin-opener-policy'], path).toBe('same-origin');
        expect(text, path).not.toContain(meta);
      }
      const without = await get('/login');
      expect(without.headers['content-security-policy']).not.toContain('google');
      expect(without.text).not.toContain('wheelhouse-google');
    } finally {
      await withGoogle.close();
    }
  });

  it('runs and styles nothing inline, loads nothing from elsewhere, and cannot be framed', async () => {
    const { port } = new URL(console.url);
    for (const path of ['/', '/api/auth/is-authenticated', '/api/nowhere', '/favicon.svg']) {
      const { headers } = await get(path);
      expect(headers['content-security-policy'], path).toBe(
        `default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';worker-src 'self';manifest-src 'self';connect-src 'self' ws://127.0.0.1:${port};frame-ancestors 'none';base-uri 'none';form-action 'self';object-src 'none'`,
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['strict-transport-security']).toBeUndefined();
    }
  });
});
