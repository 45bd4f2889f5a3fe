import { describe, expect, it } from 'vitest';
import { isApiToken, newApiToken } from '../../../src/server/access/token-format.ts';

describe('the form of an API token', () => {
  it('is whp_, 30 random base62 digits, and 6 of their CRC32', () => {
    const made = Array.from({ length: 200 }, newApiToken);
    expect(new Set(made).size).toBe(200);
    for (const token of made) {
      expect(token).toMatch(/^whp_[0-9A-Za-z]{36}$/);
      expect(isApiToken(token)).toBe(true);
    }
  });

  it('is the one that scanners compute: the CRC32 of the digits alone, most significant digit first', () => {
    // Computed by another program: the CRC32 of thirty zeros is 0x77e5db82.
    expect(isApiToken(`whp_${'0'.repeat(30)}2C8GjS`)).toBe(true);
  });

  it('fails with any other digit, length, prefix or case', () => {
    const token = newApiToken();
    for (let place = 4; place < token.length; place += 1) {
      const other = token[place] === 'a' ? 'b' : 'a';
      expect(isApiToken(token.slice(0, place) + other + token.slice(place + 1))).toBe(false);
    }
    for (const text of ['', 'whp_', token.slice(0, -1), `${token}0`, token.slice(4), `ghp_${token.slice(4)}`])
      expect(isApiToken(text)).toBe(false);
  });
});
