import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { installErrorHandler } from '../../../src/server/http/errors.ts';
import { FairShare, resumeCall } from '../../../src/server/http/fair-share.ts';
import { installSuccessions } from '../../../src/server/http/successions.ts';
import { besideTurn } from '../../../src/server/kit/turns.ts';
import { startConsole, type TestConsole } from '../harness.ts';
import { send } from '../http-client.ts';

/** One call at a time, and two that wait. */
const limits = { alone: 1, together: 1, recent: 100, waiting: { person: 2, company: 10, all: 10 } };

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** Calls that are answered when the test says so; `begun` are those that are worked on. */
async function startCalls() {
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gateOf = (name: string) => {
    const gate = gates.get(name) ?? Promise.withResolvers<void>();
    gates.set(name, gate);
    return gate;
  };
  app = Fastify();
  app.decorateRequest('person', undefined);
  installErrorHandler(app);
  const callerOf = ({ headers }: { headers: Record<string, unknown> }) => {
    const caller = headers['x-caller'];
    return typeof caller === 'string' ? caller : 'one';
  };
  installSuccessions(app, callerOf);
  new FairShare(limits).install(app, callerOf);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (call, body, done) => {
    void resumeCall(call, () => done(null, JSON.parse(String(body))));
  });
  app.get<{ Params: { name: string } }>(
    '/api/held/:name',
    { config: { supersededBy: 'palette' } },
    async ({ params: { name } }) => {
      begun.push(name);
      await gateOf(name).promise;
      return name;
    },
  );
  app.get<{ Params: { name: string } }>('/api/away/:name', async ({ params: { name } }) => {
    begun.push(name);
    await besideTurn(() => gateOf(name).promise);
    return name;
  });
  app.get('/api/stream', async (_call, reply) => {
    const body = new PassThrough();
    body.write('begun');
    return await reply.send(body);
  });
  app.post('/api/body', () => 'read');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const get = (path: string, caller = 'one') => send(url, 'GET', path, { headers: { 'x-caller': caller } });
  return { url, begun, get, release: (name: string) => gateOf(name).resolve() };
}

describe('A call', () => {
  it('waits for its turn, and is refused with a time where too many wait', async () => {
    const { begun, get, release } = await startCalls();
    const first = get('/api/held/first');
    await expect.poll(() => begun).toEqual(['first']);
    const waiting = [get('/api/held/second'), get('/api/held/third')];
    // Which of them is refused depends on which one arrives last.
    const refused = await Promise.race([...waiting, get('/api/held/fourth')]);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2']);
    expect(refused.json).toMatchObject({
      title: 'Your network has too many calls waiting for an answer. Try again in 2 seconds.',
      retryable: true,
    });
    expect(begun).toEqual(['first']);
    for (const name of ['first', 'second', 'third', 'fourth']) release(name);
    expect((await first).status).toBe(200);
    await Promise.all(waiting);
  });

  it('is ended by a later one of the same palette while it waits, and by no other', async () => {
    const { begun, get, release } = await startCalls();
    const first = get('/api/held/first');
    await expect.poll(() => begun).toEqual(['first']);
    const other = get('/api/held/other?palette=a', 'two');
    const both = [get('/api/held/one?palette=a'), get('/api/held/another?palette=a')];
    // Which of them is the later one depends on which arrives last.
    const superseded = await Promise.race(both);
    expect([superseded.status, superseded.json]).toMatchObject([
      409,
      { title: 'A newer search replaced this one.' },
    ]);
    for (const name of ['first', 'other', 'one', 'another']) release(name);
    const answers = await Promise.all([first, other, ...both]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 200, 200, 409,
    ]);
  });

  it.each([
    ['whose answer is a stream', '/api/stream'],
    ['that waits for a cluster', '/api/away/cluster'],
  ])('%s lets others have its turn', async (_which, path) => {
    const { url, get, release } = await startCalls();
    const open = request(`${url}${path}`).end();
    open.on('error', () => {});
    release('other');
    expect((await get('/api/held/other')).status).toBe(200);
    release('cluster');
    open.destroy();
  });

  it('whose body is still on its way lets others have its turn', async () => {
    const { url, get, release } = await startCalls();
    const open = request(`${url}/api/body`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '100' },
    });
    open.on('error', () => {});
    open.write('{');
    release('other');
    expect((await get('/api/held/other')).status).toBe(200);
    open.destroy();
  });

  it('that reads keeps its turn, even if it says that a body follows', async () => {
    const { url, begun, get, release } = await startCalls();
    const open = request(`${url}/api/held/open`, {
      headers: { 'x-caller': 'one', 'content-length': '1' },
    });
    open.on('error', () => {});
    open.flushHeaders();
    await expect.poll(() => begun).toEqual(['open']);
    const others = ['first', 'second', 'third'].map((name) => get(`/api/held/${name}`));
    expect((await Promise.race(others)).status).toBe(429);
    open.destroy();
    for (const name of ['first', 'second', 'third']) release(name);
    await Promise.all(others);
  });
});

describe('A body of somebody who is signed out', () => {
  let console: TestConsole;
  afterEach(() => console.close());

  it('is refused by its length, before it is parsed', async () => {
    console = await startConsole();
    const client = console.visitor();
    const post = (raw: string) => client.send('POST', '/api/auth/login', undefined, { raw });
    expect((await post('['.repeat(16 * 1024 + 1))).json).toMatchObject({
      status: 413,
      title: 'The request is larger than this call accepts.',
    });
    expect((await post('['.repeat(16 * 1024))).json).toMatchObject({
      title: 'The request is not valid JSON.',
    });
  });

  it('is refused later where many are, also one after the other', async () => {
    console = await startConsole();
    const client = console.visitor();
    const raw = '['.repeat(16 * 1024 + 1);
    const from = performance.now();
    for (let count = 0; count < 5; count += 1)
      expect((await client.send('POST', '/api/auth/login', undefined, { raw })).status).toBe(413);
    // The first is no longer recent, or the fifth waited.
    expect(performance.now() - from).toBeGreaterThan(450);
  });
});
