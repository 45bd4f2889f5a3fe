import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PasswordAccount } from './password-account.ts';

/** Maximum number of accounts that one browser is remembered for; the account with the oldest sign-in is dropped. */
const accountsPerBrowser = 8;
/** Bytes of an entry's id, and of the signature behind it. */
const partLength = 16;
const entryShape = /^[\w-]{43}$/;

/**
 * The device cookie says as which accounts a browser has signed in before: one entry for each, a random id and its
 * signature. It opens nothing: it only spares a known browser the brakes that strangers cause. The signature's key is
 * the account's password hash, so that a new password makes every browser a stranger again, and all servers of a store
 * agree without a key of their own.
 */
function signatureOf(id: Buffer, { id: userId, passwordHash }: PasswordAccount): Buffer | undefined {
  if (passwordHash === null) return undefined;
  const signature = createHmac('sha256', passwordHash).update(`wheelhouse device ${userId} `).update(id);
  return signature.digest().subarray(0, partLength);
}

const entriesOf = (cookie: string | undefined) =>
  (cookie ?? '')
    .split('.')
    .slice(0, accountsPerBrowser)
    .filter((entry) => entryShape.test(entry));

function idIn(entry: string, owner: PasswordAccount): Buffer | undefined {
  const bytes = Buffer.from(entry, 'base64url');
  const id = bytes.subarray(0, partLength);
  const expected = signatureOf(id, owner);
  const given = bytes.subarray(partLength);
  const isOwn =
    expected !== undefined && given.length === expected.length && timingSafeEqual(given, expected);
  return isOwn ? id : undefined;
}

/** The id of a browser that has signed in as this account before; undefined for any other. */
export function knownDevice(cookie: string | undefined, owner: PasswordAccount): string | undefined {
  for (const entry of entriesOf(cookie)) {
    const id = idIn(entry, owner);
    if (id !== undefined) return id.toString('hex');
  }
  return undefined;
}

/** The cookie of a browser that has just signed in as this account; undefined for an account without a password. */
export function rememberDevice(cookie: string | undefined, owner: PasswordAccount): string | undefined {
  const entries = entriesOf(cookie);
  const known = entries.find((entry) => idIn(entry, owner) !== undefined);
  const others = entries.filter((entry) => entry !== known).slice(0, accountsPerBrowser - 1);
  if (known !== undefined) return [known, ...others].join('.');
  const id = randomBytes(partLength);
  const signature = signatureOf(id, owner);
  if (signature === undefined) return undefined;
  return [Buffer.concat([id, signature]).toString('base64url'), ...others].join('.');
}
