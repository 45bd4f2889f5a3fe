import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type AccountNotice, storeAccountNotice } from '../access/account-notice.ts';
import type { SharedRates } from '../access/rates.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Mailer } from '../mail/mailer.ts';
import { users } from '../store/schema/accounts.ts';
import type { Store } from '../store/store.ts';

/** The request that changed an account, or tried to sign in to it. */
interface NoticeSource {
  /** Network address of whoever made it. */
  readonly address: string;
  /** Where the console is opened. */
  readonly origin: string;
  readonly log: Pick<Logger, 'error'>;
}

/** The words of a notice that is mailed, around its title. */
interface Letter {
  readonly subject: string;
  readonly from: (address: string) => string;
  readonly advice: string;
}

const changed: Letter = {
  subject: 'How you sign in to Wheelhouse was changed',
  from: (address) => `It was done from the address ${address}.`,
  advice:
    'If it was not you, somebody else can use your account. Sign out everywhere else, reset your password, and remove what is not yours.',
};
const suspicious = {
  usedElsewhere: {
    subject: 'Your password was used in a new browser',
    from: (address) => `It came from the address ${address}.`,
    advice:
      'If it was not you, somebody else knows your password. Sign out everywhere else, and change your password.',
  },
  guessed: {
    subject: 'Wrong passwords were tried for your account',
    from: (address) => `The last one came from the address ${address}.`,
    advice:
      'If it was not you, nothing was opened. Further tries have to wait; browsers in which you signed in before, providers and passkeys work as ever. Where others use your password elsewhere, change it.',
  },
} as const satisfies Readonly<Record<string, Letter>>;

const day = 24 * 3_600_000;
/** Notices of one person in a day at most, so that nobody can fill their mailbox. */
const perDay = { usedElsewhere: 10, guessed: 1 } as const;

/** Tells people what somebody else may have done to their accounts. Its methods never fail. */
export class AccountNotices {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #mailer: Mailer;
  readonly #rates: Pick<SharedRates, 'count'>;

  constructor({
    store,
    mailer,
    rates,
  }: {
    readonly store: Pick<Store, 'db' | 'channel'>;
    readonly mailer: Mailer;
    readonly rates: Pick<SharedRates, 'count'>;
  }) {
    this.#store = store;
    this.#mailer = mailer;
    this.#rates = rates;
  }

  /** Tells of a change of how an account is signed in to, which is made already. */
  async tell(notice: AccountNotice, source: NoticeSource): Promise<void> {
    await this.#tell(notice, changed, source);
  }

  /** Tells that the right password of an account came from a browser that it did not know. */
  async usedElsewhere(userId: number, source: NoticeSource): Promise<void> {
    const title = 'Your password was used in a browser in which you had not signed in before';
    await this.#warn('usedElsewhere', { userId, title }, source);
  }

  /**
   * Tells that so many wrong passwords were tried for an account that further ones have to wait. Returns at once, also
   * for an address without an account: the time of the answer must not reveal which it is.
   */
  guessed(userId: number | undefined, source: NoticeSource): void {
    if (userId === undefined) return;
    void this.#warn('guessed', { userId, title: 'Many wrong passwords were tried for your account' }, source);
  }

  /** Notifies of something suspicious, so many times a day at most. Never fails. */
  async #warn(what: keyof typeof perDay, notice: AccountNotice, source: NoticeSource): Promise<void> {
    const limit = perDay[what];
    try {
      const key = `notice ${what} ${notice.userId}`;
      const { current } = await this.#rates.count({ key, limit, window: day });
      if (current > limit) return;
    } catch (error) {
      source.log.error({ err: describeError(error) }, 'Notices of an account could not be counted');
      return;
    }
    await this.#tell({ ...notice, type: 'account.suspicious' }, suspicious[what], source);
  }

  /**
   * Mails a notice to the address of the account; where the console has no mail server, or nobody has shown that the
   * address is the account's, it stands in the console.
   */
  async #tell(
    { userId, type, title }: AccountNotice,
    { subject, from, advice }: Letter,
    { address, origin, log }: NoticeSource,
  ): Promise<void> {
    try {
      const { db, channel } = this.#store;
      const [user] = await db
        .select({ email: users.email, provenAt: users.emailProvenAt })
        .from(users)
        .where(eq(users.id, userId));
      if (user === undefined) return;
      if (user.provenAt === null || !this.#mailer.isConfigured) {
        await storeAccountNotice(db, {
          userId,
          title: `${title} (from ${address})`,
          ...(type === undefined ? {} : { type }),
        });
        await channel.notify('notifications', { userIds: [userId] });
        return;
      }
      await this.#mailer.send({
        purpose: 'notice of an account',
        to: user.email,
        subject,
        text: [
          `${title}. ${from(address)}`,
          'See all ways to sign in to your account, and its sessions:',
          `${origin}/settings?section=sign-in`,
          advice,
        ].join('\n\n'),
        isSecurityNotice: true,
      });
    } catch (error) {
      log.error({ err: describeError(error) }, 'The owner of an account could not be told of what was done');
    }
  }
}
