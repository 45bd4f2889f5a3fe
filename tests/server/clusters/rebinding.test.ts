import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { createAddressGuard, type Resolver } from '../../../src/server/clusters/address.ts';
import { createGuardedAgent } from '../../../src/server/identity/guarded-fetch.ts';
import { json, targetFor } from './api-server.ts';
import { failure, useWire } from './wire.ts';

const wire = useWire();
/** The address at which the servers of this file listen may be dialled, others of this machine may not. */
const guard = createAddressGuard(['127.0.0.1/32']);
const host = 'rebound.example.org';

/** Addresses that a name leads to after the first time. */
const turns: readonly (readonly [what: string, then: readonly string[]])[] = [
  ['this machine', ['127.0.0.2']],
  ['metadata of a cloud', ['169.254.169.254']],
  ['metadata over IPv6', ['fd00:ec2::254']],
  ['this machine in the dress of IPv6', ['::ffff:127.0.0.3']],
  ['this machine through NAT64', ['64:ff9b::7f00:2']],
  ['every address', ['0.0.0.0']],
  ['itself and metadata beside it', ['127.0.0.1', '169.254.169.254']],
];

/** A resolver whose answer is the server for as often as asked, and another one afterwards. */
function turning(then: readonly string[], honest = 1) {
  const asked: string[] = [];
  const answerOf = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 });
  const resolve: Resolver = async (name) => {
    asked.push(name);
    return (asked.length <= honest ? ['127.0.0.1'] : then).map(answerOf);
  };
  return { resolve, asked };
}

describe('a name that leads elsewhere at the next connection', () => {
  it.each(turns)('takes no request of a cluster to %s, over HTTP/2 or HTTP/1.1', async (_what, then) => {
    for (const http1Only of [false, true]) {
      const server = await wire.serve((_seen, response) => json(response, 200, {}), {
        hosts: [host],
        http1Only,
      });
      const { resolve, asked } = turning(then);
      const target = targetFor(`https://${host}:${server.port}`, wire.authority().pem);
      const transport = wire.connect(target, { guard, resolve });
      expect(await transport.json({ path: '/version' })).toEqual({});
      const seen = server.seen.length;
      // Its connections end, as they do when a server restarts: the next request dials anew.
      server.drop();
      const { title, upstream } = await failure(transport.json({ path: '/api/v1/nodes', method: 'POST' }));
      expect(title).toMatch(/does not connect to|is not dialled|must not/);
      expect(upstream.status).toBeUndefined();
      expect(server.seen).toHaveLength(seen);
      expect(asked.length).toBeGreaterThan(1);
      expect(new Set(asked)).toEqual(new Set([host]));
    }
  });

  it.each(turns)('takes no shell to %s', async (_what, then) => {
    const server = await wire.serve((_seen, response) => json(response, 200, {}), { hosts: [host] });
    const { resolve } = turning(then, 0);
    const target = targetFor(`https://${host}:${server.port}`, wire.authority().pem);
    const transport = wire.connect(target, { guard, resolve });
    const path = '/api/v1/namespaces/shop/pods/web/exec';
    await failure(transport.socket({ path }, ['v5.channel.k8s.io']));
    expect(server.connections()).toBe(0);
  });

  it.each(turns)('takes no sign-in and no model to %s', async (_what, then) => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url);
      // The connection ends with its answer.
      response.writeHead(200, { connection: 'close' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { resolve, asked } = turning(then);
    const agent = createGuardedAgent(guard, { resolve });
    try {
      const ask = async (path: string) => {
        const answer = await fetch(`http://${host}:${port}${path}`, { dispatcher: agent });
        await answer.text();
        return answer.status;
      };
      expect(await ask('/first')).toBe(200);
      await expect(ask('/second')).rejects.toMatchObject({ cause: { code: 'ADDRESS_REFUSED' } });
      expect(seen).toEqual(['/first']);
      expect(asked).toEqual([host, host]);
    } finally {
      await agent.destroy();
      server.close();
      await once(server, 'close');
    }
  });
});
