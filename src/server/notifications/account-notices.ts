import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type AccountNotice, storeAccountNotice } from '../access/account-notice.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Mailer } from '../mail/mailer.ts';
import { users } from '../store/schema/accounts.ts';
import type { Store } from '../store/store.ts';

/** The request that changed an account. */
interface ChangeSource {
  /** Of who changed it. */
  readonly address: string;
  /** Where the console is opened. */
  readonly origin: string;
  readonly log: Pick<Logger, 'error'>;
}

/** Tells people of changes of how their accounts are signed in to, which somebody else may have made. */
export class AccountNotices {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #mailer: Mailer;

  constructor({ store, mailer }: { readonly store: Pick<Store, 'db' | 'channel'>; readonly mailer: Mailer }) {
    this.#store = store;
    this.#mailer = mailer;
  }

  /**
   * Mails a change that was made to the address of the account; where the console has no mail server, or nobody has shown
   * that the address is the account's, it stands in the console. Never fails: the change is made already.
   */
  async tell({ userId, title }: AccountNotice, { address, origin, log }: ChangeSource): Promise<void> {
    try {
      const { db, channel } = this.#store;
      const [user] = await db
        .select({ email: users.email, provenAt: users.emailProvenAt })
        .from(users)
        .where(eq(users.id, userId));
      if (user === undefined) return;
      if (user.provenAt === null || !this.#mailer.isConfigured) {
        await storeAccountNotice(db, { userId, title: `${title} (from ${address})` });
        await channel.notify('notifications', { userIds: [userId] });
        return;
      }
      await this.#mailer.send({
        purpose: 'notice of a changed account',
        to: user.email,
        subject: 'How you sign in to Wheelhouse was changed',
        text: [
          `${title}. It was done from the address ${address}.`,
          'See all ways to sign in to your account, and its sessions:',
          `${origin}/settings?section=sign-in`,
          'If it was not you, somebody else can use your account. Sign out everywhere else, reset your password, and remove what is not yours.',
        ].join('\n\n'),
        isSecurityNotice: true,
      });
    } catch (error) {
      log.error({ err: describeError(error) }, 'The owner of an account could not be told of its change');
    }
  }
}
