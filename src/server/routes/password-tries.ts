import { eq } from 'drizzle-orm';
import { rememberDevice } from '../access/devices.ts';
import { type HashingTurn, inHashingTurn } from '../access/passwords.ts';
import type { Guess, Throttle } from '../access/throttle.ts';
import type { Context } from '../http/handlers.ts';
import { users } from '../store/schema/accounts.ts';
import type { Store } from '../store/store.ts';

/** A password that somebody entered. */
export interface EnteredPassword {
  readonly fits: () => Promise<boolean>;
  /** Called where it does not fit and a brake holds from then on. It must not keep the answer waiting. */
  readonly braked: () => void;
}

/**
 * Checks a password that may be a guess, in a hashing turn. The throttle is asked before it waits, and again when its
 * turn comes, since others may have failed meanwhile. Only then a row is written to the audit.
 */
export async function tryPassword(
  throttle: Throttle,
  guess: Guess,
  turn: HashingTurn,
  { audit, signal }: Pick<Context, 'audit' | 'signal'>,
  entered: EnteredPassword,
): Promise<boolean> {
  await throttle.check(guess);
  const work = async () => {
    await throttle.check(guess);
    await audit.begin();
    const fits = await entered.fits();
    if (fits) await throttle.succeeded(guess);
    else if (await throttle.failed(guess)) entered.braked();
    return fits;
  };
  return await inHashingTurn(turn, work, signal);
}

/** Marks the browser of somebody who has just shown that the account is theirs as known. */
export async function rememberBrowser(
  { db }: Pick<Store, 'db'>,
  { device }: Pick<Context, 'device'>,
  userId: number,
): Promise<void> {
  const [user] = await db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId));
  const value = user === undefined ? undefined : rememberDevice(device.value, user);
  if (value !== undefined) device.set(value);
}
