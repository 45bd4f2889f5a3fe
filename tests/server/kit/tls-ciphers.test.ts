import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitCiphers } from '../../../src/server/kit/tls-ciphers.ts';
import { type Authority, makeAuthority, type Pair } from '../clusters/pki.ts';

describe('TLS connections of the server', () => {
  const before = tls.DEFAULT_CIPHERS;
  let authority: Authority;
  let pair: Pair;
  beforeAll(async () => {
    authority = await makeAuthority();
    pair = await authority.issue();
    limitCiphers();
  });
  afterAll(() => {
    tls.DEFAULT_CIPHERS = before;
  });

  /** The suite that a connection to a server with these suites gets; the code of the error where it gets none. */
  async function negotiated(ciphers: string, maxVersion: tls.SecureVersion): Promise<string | undefined> {
    const server = tls.createServer({ cert: pair.certificate, key: pair.key, ciphers, maxVersion });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = tls.connect({ host: '127.0.0.1', port, ca: authority.pem });
    try {
      await once(socket, 'secureConnect');
      return socket.getCipher().standardName;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    } finally {
      socket.destroy();
      server.close();
    }
  }

  test.each([
    ['ECDHE-ECDSA-AES128-GCM-SHA256', 'TLSv1.2', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'],
    ['TLS_AES_128_GCM_SHA256', 'TLSv1.3', 'TLS_AES_128_GCM_SHA256'],
  ] as const)('use %s', async (ciphers, version, name) => {
    expect(await negotiated(ciphers, version)).toBe(name);
  });

  test.each(['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA'])(
    'are refused where a server has %s alone',
    async (ciphers) => {
      expect(await negotiated(ciphers, 'TLSv1.2')).toMatch(/HANDSHAKE_FAILURE/);
    },
  );
});
