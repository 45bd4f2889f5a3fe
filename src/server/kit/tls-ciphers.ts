import tls from 'node:tls';

/**
 * Cipher suites that every TLS connection of a process may use, by OpenSSL's names, in order of preference: those of TLS
 * 1.3, and of TLS 1.2 the ones with forward secrecy and authenticated encryption (RFC 9325, section 4.2).
 */
export const recommendedCiphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');

/** Limits all later TLS connections of this process to the recommended suites: Node's own list has CBC and plain RSA too. */
export function limitCiphers(): void {
  tls.DEFAULT_CIPHERS = recommendedCiphers;
}
