import { randomInt } from 'node:crypto';
import type { ReadStream } from 'node:tty';
import { passwordMinimum } from '../../../contract/account.ts';
import { resetPassword } from '../../access/accounts.ts';
import { StartError } from '../../kit/start-error.ts';
import { openStore } from '../../store/open.ts';
import type { AdminContext } from './context.ts';
import { firstLine } from './first-line.ts';

/** Without letters and digits that are taken for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * `reset-password EMAIL`: a new password for a person, and the end of their sessions.
 * @param input The first line is the password; on a terminal, or empty, one is made up and printed.
 */
export async function resetPasswordCommand(
  { config, say }: AdminContext,
  email: string,
  input: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>,
): Promise<void> {
  const given = input.isTTY === true ? '' : await firstLine(input);
  if (given !== '' && (given.length < passwordMinimum || given.length > 256))
    throw new StartError(`A password needs ${passwordMinimum} to 256 characters.`);
  const password = given === '' ? makePassword() : given;
  const store = await openStore(config);
  try {
    await resetPassword(store, email, password);
  } finally {
    await store.close();
  }
  say(`${email} has a new password and is signed out everywhere.`);
  if (given === '') say(`It is shown only now; ask the person to change it after signing in: ${password}`);
}

/** A random password in five groups of four: some 99 bits. */
export function makePassword(): string {
  const group = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: 5 }, group).join('-');
}
