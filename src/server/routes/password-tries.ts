import { knownDevice, rememberDevice } from '../access/devices.ts';
import { accountOf, type PasswordAccount } from '../access/password-account.ts';
import { fitsPassword, type HashingTurn, inHashingTurn } from '../access/passwords.ts';
import type { Guess, Throttle } from '../access/throttle.ts';
import type { Context } from '../http/handlers.ts';
import { networkOf } from '../http/proxies.ts';
import type { AccountNotices } from '../notifications/account-notices.ts';
import type { Store } from '../store/store.ts';

type NoticeContext = Pick<Context, 'address' | 'audit' | 'log' | 'origin' | 'signal'>;

/** The parts that check passwords, and notify people of tries for their accounts. */
export interface TryParts {
  readonly throttle: Throttle;
  readonly notices: AccountNotices;
}

/**
 * Whether a password is that of the account at an address. An address without an account takes as long, so that the
 * answer does not reveal which have one. Throws Problem 429 for guesses that come too fast.
 */
export async function trySignIn(
  parts: TryParts,
  asked: {
    readonly email: string;
    readonly account: PasswordAccount | undefined;
    readonly password: string;
  },
  context: NoticeContext & Pick<Context, 'device'>,
): Promise<boolean> {
  const { email, account, password } = asked;
  const network = networkOf(context.address);
  const device = account === undefined ? undefined : knownDevice(context.device.value, account);
  const guess: Guess = { what: 'sign-in', account: email, network, device };
  const turn: HashingTurn =
    device === undefined ? { lane: 'strangers', who: network } : { lane: 'known', who: device };
  const fits = await tryPassword(parts, { guess, turn, account, password }, context);
  // Also where the company opens by its provider alone, so that the password opens nothing.
  if (fits && account !== undefined && device === undefined)
    await parts.notices.usedElsewhere(account.id, context);
  return fits;
}

/** Whether a password is that of somebody signed in. Throws Problem 429 for guesses that come too fast. */
export async function tryOwnPassword(
  parts: TryParts & { readonly store: Pick<Store, 'db'> },
  password: string,
  context: NoticeContext & { readonly person: { readonly id: number } },
): Promise<boolean> {
  const { id } = context.person;
  const account = await accountOf(parts.store.db, id);
  const guess: Guess = { what: 'current-password', userId: id };
  const turn: HashingTurn = { lane: 'known', who: `person ${id}` };
  return await tryPassword(parts, { guess, turn, account, password }, context);
}

/**
 * Checks a password that may be a guess, in a hashing turn. The throttle is asked before it waits, and again when its
 * turn comes, since others may have failed meanwhile. Only then a row is written to the audit.
 */
async function tryPassword(
  { throttle, notices }: TryParts,
  entered: {
    readonly guess: Guess;
    readonly turn: HashingTurn;
    readonly account: PasswordAccount | undefined;
    readonly password: string;
  },
  context: NoticeContext,
): Promise<boolean> {
  const { guess, turn, account, password } = entered;
  await throttle.check(guess);
  const work = async () => {
    await throttle.check(guess);
    await context.audit.begin();
    const fits = await fitsPassword(account?.passwordHash ?? null, password);
    if (fits) await throttle.succeeded(guess);
    else if (await throttle.failed(guess)) notices.guessed(account?.id, context);
    return fits;
  };
  return await inHashingTurn(turn, work, context.signal);
}

/** Marks the browser of somebody who has just shown that the account is theirs as known. */
export async function rememberBrowser(
  { db }: Pick<Store, 'db'>,
  { device }: Pick<Context, 'device'>,
  userId: number,
): Promise<void> {
  const account = await accountOf(db, userId);
  const value = account === undefined ? undefined : rememberDevice(device.value, account);
  if (value !== undefined) device.set(value);
}
