import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'whp_';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checkLength = 6;
const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checkLength}}$`);

/**
 * A new API token, as GitHub forms its own: `whp_`, 30 random base62 digits (178 bits), and the CRC32 of those 30 digits
 * as 6 base62 digits with leading zeros. The prefix and the check let a scanner for leaked secrets know one without
 * asking anybody; the check is no signature and keeps nobody out.
 */
export function newApiToken(): string {
  const random = Array.from({ length: randomLength }, () => digits.charAt(randomInt(digits.length))).join('');
  return `${prefix}${random}${checkOf(random)}`;
}

/** Whether a text has the form of an API token and its check fits; what fails is looked up nowhere. */
export function isApiToken(text: string): boolean {
  if (!pattern.test(text)) return false;
  const random = text.slice(prefix.length, -checkLength);
  return checkOf(random) === text.slice(-checkLength);
}

/** Whether a text means to be an API token: other bearer tokens are those of a proxy in front of the console. */
export function looksLikeApiToken(text: string): boolean {
  return text.startsWith(prefix);
}

function checkOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let place = 0; place < checkLength; place += 1) {
    text = digits.charAt(rest % digits.length) + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}
