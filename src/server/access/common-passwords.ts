import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

let list: ReadonlySet<string> | undefined;

/**
 * Passwords that most people choose, in lower case: thousands that are as long as a password must be, and common words that
 * longer ones are built on. Read with the first password that somebody chooses; `common-passwords.LICENSE.txt` names the
 * source and its licence.
 */
export function commonPasswords(): ReadonlySet<string> {
  list ??= new Set(
    gunzipSync(readFileSync(new URL('common-passwords.txt.gz', import.meta.url)))
      .toString('utf8')
      .trimEnd()
      .split('\n'),
  );
  return list;
}
