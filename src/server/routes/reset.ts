import { Problem } from '../../contract/problem.ts';
import { otherWaysText, type resetEndpoints, resetMinutes } from '../../contract/reset.ts';
import { storeAccountNotice } from '../access/account-notice.ts';
import { personAtHome } from '../access/current-user.ts';
import { goneLink, type ResetAccount, ResetLinks, resetUrl } from '../access/reset-links.ts';
import type { Guess } from '../access/throttle.ts';
import type { Handlers } from '../http/handlers.ts';
import { networkOf } from '../http/proxies.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Transaction } from '../store/store.ts';
import { rememberBrowser } from './password-tries.ts';
import type { RouteParts } from './parts.ts';

/** Password reset by a link. */
export function resetHandlers({
  store,
  mailer,
  throttle,
  clock,
}: Pick<RouteParts, 'store' | 'mailer' | 'throttle' | 'clock'>): Handlers<typeof resetEndpoints> {
  const resets = new ResetLinks(store, clock);
  return {
    requestReset: async ({ body }, { origin }) => {
      if (!mailer.isConfigured)
        throw new Problem({
          status: 409,
          title:
            'This console has no mail server. Ask an Owner of your organisation, or the operator of this console, for a reset link.',
        });
      const { email } = body;
      const { token, expiresAt, isMailed } = await resets.request(email);
      // An address that nobody has costs the same: its mail is queued, and put away unsent.
      await mailer.send({
        purpose: 'reset link',
        to: email,
        subject: 'Reset your password',
        text: [
          'Somebody, probably you, asked to reset the password of your account on Wheelhouse.',
          'Open this link to choose a new one:',
          resetUrl(origin, token),
          `The link works once, within ${resetMinutes} minutes. It signs you out everywhere. If it was not you, ignore this mail: nothing changes.`,
        ].join('\n\n'),
        giveUpAt: expiresAt,
        isForNobody: !isMailed,
      });
      return undefined;
    },

    resetPassword: async ({ body }, context) => {
      const { address, audit, log, origin } = context;
      const guess: Guess = { what: 'reset-link', network: networkOf(address) };
      await throttle.check(guess);
      if (!(await resets.isOpen(body.token))) {
        await throttle.failed(guess);
        throw goneLink();
      }
      await audit.begin();
      const notify = async ({ provenEmail, ...ways }: ResetAccount, within: Transaction) => {
        if (provenEmail === null || !mailer.isConfigured) {
          const title = `Your password was reset by a link (from ${address})`;
          await storeAccountNotice(within, { userId: ways.userId, title });
          return;
        }
        await mailer.send(
          {
            purpose: 'notice of a reset password',
            to: provenEmail,
            subject: 'Your password was reset',
            text: [
              `The password of your account on Wheelhouse was reset, from the address ${address}. Every session and API token of the account has ended.`,
              otherWaysText(ways) ?? 'It has no other way to sign in.',
              `${origin}/settings?section=sign-in`,
              'If it was not you, somebody else can read your mail. Secure your mail account first, then reset the password again.',
            ].join('\n\n'),
            isSecurityNotice: true,
          },
          within,
        );
      };
      const { userId, passkeys, identities } = await resets.use(body.token, body.password, notify, (error) =>
        log.error({ err: describeError(error) }, 'The notice of a reset password could not be queued'),
      );
      const person = await personAtHome(store.db, userId);
      if (person !== undefined) audit.actor(person);
      // The link proves the account, so failed tries of strangers do not slow its holder down.
      await rememberBrowser(store, context, userId);
      return { passkeys, identities };
    },

    memberResetLink: async ({ params }, { person, origin }) => {
      if (mailer.isConfigured)
        throw new Problem({
          status: 409,
          title:
            'This console mails reset links, so Owners cannot create one. The person can ask for it by “Forgot your password?” on the sign-in page; if no mail arrives, the operator of the console can create a link: npm run admin -- reset-link.',
        });
      const { token, expiresAt } = await resets.makeForMember(person, params.userId);
      return { link: resetUrl(origin, token), expiresAt };
    },
  };
}
