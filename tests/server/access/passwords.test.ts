import { afterEach, describe, expect, it } from 'vitest';
import { type HashingTurn, inHashingTurn } from '../../../src/server/access/passwords.ts';
import { settle } from '../live/fake-clock.ts';

const ends: (() => void)[] = [];
const begun: string[] = [];
/** Work that ends when the test says so. */
function take(turn: HashingTurn, signal?: AbortSignal) {
  const asked = inHashingTurn(
    turn,
    () => {
      begun.push(turn.who);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    signal,
  );
  asked.catch(() => undefined);
  return asked;
}
const stranger = (who: string): HashingTurn => ({ lane: 'strangers', who });

afterEach(async () => {
  for (let left = 0; left < 1_000; left += 1) {
    const end = ends.shift();
    if (end === undefined) break;
    end();
    await settle();
  }
  begun.splice(0);
});

describe('hashing', () => {
  it('takes two strangers at a time, and gives each network a turn before any gets a second one', async () => {
    for (const who of ['a', 'a', 'a', 'b', 'c']) void take(stranger(who));
    await settle();
    expect(begun).toEqual(['a', 'a']);
    for (let turn = 0; turn < 3; turn += 1) {
      ends.shift()?.();
      await settle();
    }
    expect(begun).toEqual(['a', 'a', 'a', 'b', 'c']);
  });

  it('refuses a network that has too many waiting, and all strangers when there are too many of them', async () => {
    for (let count = 0; count < 64; count += 1) void take(stranger('flood'));
    await expect(take(stranger('flood'))).rejects.toMatchObject({ status: 503 });
    for (let count = 0; count < 192; count += 1) void take(stranger(`network ${count}`));
    await expect(take(stranger('another'))).rejects.toMatchObject({ status: 503 });
    // Who is known does not even wait.
    void take({ lane: 'known', who: 'browser' });
    await settle();
    expect(begun.at(-1)).toBe('browser');
  });

  it('is not done for a caller who left while waiting', async () => {
    const leaving = new AbortController();
    for (const who of ['a', 'b']) void take(stranger(who));
    const left = take(stranger('left'), leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    expect(begun).not.toContain('left');
  });
});
