import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { describeError } from '../../../src/server/kit/describe-error.ts';
import { installErrorHandler, toProblem } from '../../../src/server/http/errors.ts';
import { createProxyTrust, isLoopbackAddress, networkOf } from '../../../src/server/http/proxies.ts';
import { send } from '../http-client.ts';
import { ClusterProblem } from '../../../src/server/clusters/transport.ts';

const canary = 'CANARY7f3a9c1e5b';

describe('errors in the log', () => {
  it('carry type, code, stack and cause, never other properties', () => {
    const cause = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED', body: canary });
    const error = Object.assign(new TypeError('It broke.', { cause }), {
      headers: { authorization: canary },
    });
    const described = describeError(error);
    expect(described).toMatchObject({
      type: 'TypeError',
      message: 'It broke.',
      stack: expect.stringContaining('errors.test.ts'),
      cause: { code: 'ECONNREFUSED', message: 'connection refused' },
    });
    expect(JSON.stringify(described)).not.toContain(canary);
  });

  it('leave out messages that quote values: failed queries, refused values, broken JSON', () => {
    const refused = Object.assign(new Error(`invalid input syntax for type integer: "${canary}"`), {
      code: '22P02',
    });
    const query = Object.assign(new Error(`Failed query: select $1\nparams: ${canary}`, { cause: refused }), {
      query: 'select $1',
      params: [canary],
    });
    expect(describeError(query)).toMatchObject({ query: 'select $1', cause: { code: '22P02' } });
    expect(JSON.stringify(describeError(query))).not.toContain(canary);
    expect(JSON.stringify(describeError(new SyntaxError(`Unexpected token in ${canary}`)))).not.toContain(
      canary,
    );
    expect(describeError(canary)).toEqual({
      type: 'string',
      message: 'Something that is not an error was thrown.',
    });
  });

  it("a cluster's failure is answered with its message, an unexpected error with its request id only", () => {
    const upstream = new ClusterProblem(
      { status: 502, title: 'production is unreachable.' },
      { status: 500 },
    );
    expect(toProblem(upstream, 'id1').toBody('id1')).toEqual({
      title: 'production is unreachable.',
      status: 502,
      retryable: true,
      where: { source: 'cluster' },
      requestId: 'id1',
    });
    expect(toProblem(new Error(canary), 'id2').toBody('id2')).toMatchObject({
      status: 500,
      title: expect.stringContaining('request id id2'),
    });
    expect(JSON.stringify(toProblem(new Error(canary), 'id2').toBody('id2'))).not.toContain(canary);
  });
});

describe('an answer', () => {
  it('that failed beside a redirect is the problem alone', async () => {
    const app = Fastify();
    installErrorHandler(app);
    app.get('/', (_request, reply) => reply.redirect('/п'));
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const answer = await send(`http://127.0.0.1:${port}`, 'GET', '/');
    expect(answer.headers.location).toBeUndefined();
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({
      title: expect.stringMatching(/^Something went wrong on the server/),
    });
    await app.close();
  });
});

describe('addresses', () => {
  it('a proxy is trusted by its range, IPv4 in IPv6 dress included', () => {
    const trusts = createProxyTrust(['10.0.0.0/8', 'fd00::/8']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'].map(trusts)).toEqual([true, true, true]);
    expect(['11.0.0.1', '::1', 'fe80::1', '', 'unix:'].map(trusts)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.9.9.9'].every(isLoopbackAddress)).toBe(true);
    expect(isLoopbackAddress('10.0.0.1')).toBe(false);
  });

  it('tries from one IPv6 customer count together', () => {
    expect(networkOf('2001:db8:1:2:aaaa::1')).toBe(networkOf('2001:db8:1:2:bbbb::2'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  });
});
