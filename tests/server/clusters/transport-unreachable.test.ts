import { beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../../src/server/clusters/address.ts';
import type { TransportOptions } from '../../../src/server/clusters/http-transport.ts';
import type { Target } from '../../../src/server/clusters/target.ts';
import { json, startApiServer, targetFor } from './api-server.ts';
import { type Authority, makeAuthority } from './pki.ts';
import { failure, useWire } from './wire.ts';
import { clockAt } from '../clock-at.ts';

let stranger: Authority;
beforeAll(async () => {
  stranger = await makeAuthority('stranger');
});

const wire = useWire();
describe('clusters that cannot be reached', () => {
  const attempt = async (target: Target, options?: Partial<TransportOptions>) => {
    const problem = await failure(wire.connect(target, options).json({ path: '/version' }));
    expect(problem).toMatchObject({ status: 502, where: { source: 'cluster', cluster: 'prod' } });
    // Not everybody who reads it may know where the cluster lives.
    expect(problem.title).not.toMatch(/127\.0\.0\.1|:\d{4,}/);
    return problem.title;
  };

  it('say that nothing listens', async () => {
    const server = await wire.serve(() => {});
    await server.close();
    expect(await attempt(targetFor(server.url, wire.authority().pem))).toMatch(
      /^prod refused the connection/,
    );
  });

  it('say that the authority is another', async () => {
    const server = await wire.serve(() => {});
    expect(await attempt(targetFor(server.url, stranger.pem))).toMatch(/does not vouch for/);
    expect(server.seen).toHaveLength(0);
  });

  it('say that the certificate has expired', async () => {
    const server = await wire.serve(() => {}, { notAfter: new Date(Date.now() - 1000) });
    expect(await attempt(targetFor(server.url, wire.authority().pem))).toMatch(
      /certificate that has expired/,
    );
  });

  it('say that the certificate names another host, unless tls-server-name does', async () => {
    const server = await wire.serve((_seen, response) => json(response, 200, {}), { hosts: ['kubernetes'] });
    expect(await attempt(targetFor(server.url, wire.authority().pem))).toMatch(/for another host name/);
    const named = wire.connect(targetFor(server.url, wire.authority().pem, { tlsServerName: 'kubernetes' }));
    expect(await named.json({ path: '/version' })).toEqual({});
  });

  it('say that the name is unknown', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await attempt(targetFor('https://gone.example.org', wire.authority().pem), { resolve })).toMatch(
      /DNS knows no address/,
    );
  });

  it('say that the address is not dialled, for names as for literals', async () => {
    const strict = createAddressGuard([]);
    const server = await wire.serve(() => {});
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    expect(await attempt(targetFor(server.url, wire.authority().pem), { guard: strict })).toMatch(
      /does not connect to/,
    );
    const named = targetFor(`https://rebind.example.org:${server.port}`, wire.authority().pem);
    expect(await attempt(named, { guard: strict, resolve })).toMatch(/does not connect to/);
    expect(server.connections()).toBe(0);
  });

  it('say that no answer came in time', async () => {
    const server = await wire.serve(() => {});
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const problem = await failure(transport.json({ path: '/version', timeoutMs: 1_000 }));
    expect(problem).toMatchObject({ status: 502, title: 'prod did not answer within 1 s.', retryable: true });
  });

  it('are left alone after three failures, and asked again when the time has come', async () => {
    let time = 0;
    const server = await wire.serve((_seen, response) => json(response, 200, { gitVersion: 'v1' }));
    await server.close();
    const outcomes: (string | undefined)[] = [];
    const transport = wire.connect(targetFor(server.url, wire.authority().pem), {
      clock: clockAt(() => time),
      onOutcome: (problem) => outcomes.push(problem?.title),
    });
    for (let failures = 0; failures < 3; failures += 1) await failure(transport.json({ path: '/version' }));
    const refused = await failure(transport.json({ path: '/version' }));
    expect(refused.title).toMatch(/^prod refused the connection.* The console retries at 00:00:02 UTC\.$/);
    expect(refused.upstream.retryAfter).toBe(2);
    time = 500;
    // However long the sentence is on a screen, it stays true.
    const meanwhile = await failure(transport.json({ path: '/version' }));
    expect(meanwhile.title).toBe(refused.title);
    expect(meanwhile.upstream.retryAfter).toBe(2);
    await failure(transport.stream({ path: '/version' }));
    expect(outcomes).toHaveLength(3);

    const again = await startApiServer(
      wire.authority(),
      (_seen, response) => json(response, 200, { gitVersion: 'v1' }),
      { port: server.port },
    );
    wire.closing(() => again.close());
    await failure(transport.json({ path: '/version' }));
    time = 2_000;
    expect(await transport.json({ path: '/version' })).toEqual({ gitVersion: 'v1' });
    expect(outcomes.at(-1)).toBeUndefined();
  });

  it('can be asked by a person all the same', async () => {
    const server = await wire.serve((_seen, response) => json(response, 200, { gitVersion: 'v1' }));
    await server.close();
    const transport = wire.connect(targetFor(server.url, wire.authority().pem), { clock: clockAt(() => 0) });
    for (let failures = 0; failures < 3; failures += 1) await failure(transport.json({ path: '/version' }));
    const again = await startApiServer(
      wire.authority(),
      (_seen, response) => json(response, 200, { gitVersion: 'v1' }),
      { port: server.port },
    );
    wire.closing(() => again.close());
    expect(await transport.ask({ path: '/version' })).toEqual({ gitVersion: 'v1' });
    expect(await transport.json({ path: '/version' })).toEqual({ gitVersion: 'v1' });
  });
});
