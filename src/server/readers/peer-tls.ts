import type { PSKCallbackNegotation, SecureContextOptions } from 'node:tls';

/** Version of what servers say to each other; with another one, or another build, each reads by itself. */
const peerProtocol = 1;

/** The header in which each request says the protocol that its server speaks. */
export const protocolHeader = 'wheelhouse-peer';

/** The protocol of a build: entries of another one may have other columns. */
export const protocolOf = (build: string): string => `${peerProtocol} ${build}`;

/** The name of the one key by which servers know each other. */
export const pskIdentity = 'wheelhouse server';

/**
 * TLS by a key that both sides know already, without certificates: forward secrecy and authenticated encryption. Node
 * offers keys for TLS 1.2 alone.
 */
export const peerTls = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ALPNProtocols: ['h2'],
} satisfies SecureContextOptions & { readonly ALPNProtocols: string[] };

/** The client's side of the key. */
export const offerKey = (key: () => Buffer) => (): PSKCallbackNegotation => ({
  identity: pskIdentity,
  psk: key(),
});
