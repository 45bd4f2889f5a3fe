import { and, eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { invitationDays } from '../../contract/invitations.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Mailer } from '../mail/mailer.ts';
import { invitations } from '../store/schema/memberships.ts';
import type { Store } from '../store/store.ts';

/** An invitation that is to be mailed. */
export interface InvitationMail {
  readonly inviteId: number;
  readonly email: string;
  readonly companyName: string;
  readonly invitedBy: string;
  /** The link with the token that only this mail carries. */
  readonly link: string;
  readonly mailHash: Buffer;
}

/** Mails invitations, and notes on each what became of its mail. Nobody waits for it. */
export class InvitationMails {
  readonly #store: Pick<Store, 'db'>;
  readonly #mailer: Mailer;
  readonly #log: Logger;

  constructor(parts: { readonly store: Pick<Store, 'db'>; readonly mailer: Mailer; readonly log: Logger }) {
    this.#store = parts.store;
    this.#mailer = parts.mailer;
    this.#log = parts.log;
  }

  /** Whether invitations are mailed at all. */
  get isConfigured(): boolean {
    return this.#mailer.isConfigured;
  }

  /** Sends one in the background. */
  send(invitation: InvitationMail): void {
    if (this.isConfigured) void this.#send(invitation);
  }

  async #send({ inviteId, email, companyName, invitedBy, link, mailHash }: InvitationMail): Promise<void> {
    const outcome = await this.#mailer.send({
      to: email,
      subject: `${invitedBy} invites you to ${companyName}`,
      text: [
        `${invitedBy} invites you to ${companyName} on Wheelhouse, a console for Kubernetes clusters.`,
        'Open this link to accept or reject:',
        link,
        `The link is good for ${invitationDays} days and for ${email} alone. If you do not know who invites you, ignore this mail: nothing happens without you.`,
      ].join('\n\n'),
    });
    try {
      await this.#store.db
        .update(invitations)
        .set({
          mail: outcome.state,
          mailProblem: outcome.state === 'failed' ? outcome.problem : '',
          mailAt: new Date().toISOString(),
        })
        // One that was sent again meanwhile has another token, and an outcome of its own.
        .where(and(eq(invitations.id, inviteId), eq(invitations.mailHash, mailHash)));
    } catch (error) {
      this.#log.warn(
        { err: describeError(error), inviteId },
        'The outcome of an invitation mail could not be noted',
      );
    }
  }
}
