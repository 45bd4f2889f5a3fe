import { eq } from 'drizzle-orm';
import { invitationDays } from '../../contract/invitations.ts';
import { Problem } from '../../contract/problem.ts';
import type { Mailer } from '../mail/mailer.ts';
import { mails } from '../store/schema/mails.ts';
import { invitations } from '../store/schema/memberships.ts';
import type { Transaction } from '../store/store.ts';

/** An invitation that is to be mailed. */
export interface InvitationMail {
  readonly inviteId: number;
  readonly email: string;
  readonly companyName: string;
  readonly invitedBy: string;
  /** The Owner's own words; empty without any. */
  readonly message: string;
  /** The link with the token that only this mail carries. */
  readonly link: string;
  readonly mailHash: Buffer;
  readonly expiresAt: string;
}

/** Mails invitations; each notes what became of its mail. */
export class InvitationMails {
  readonly #mailer: Mailer;

  constructor({ mailer }: { readonly mailer: Mailer }) {
    this.#mailer = mailer;
  }

  /** Whether invitations are mailed at all. */
  get isConfigured(): boolean {
    return this.#mailer.isConfigured;
  }

  /** Queues one with the commit that stores it, instead of an earlier mail of the same one. */
  async send(invitation: InvitationMail, tx: Transaction): Promise<void> {
    if (!this.isConfigured) return;
    const { inviteId, email, companyName, invitedBy, message, link, mailHash, expiresAt } = invitation;
    await withdrawMail(tx, inviteId);
    try {
      await this.#mailer.send(
        {
          purpose: 'invitation',
          to: email,
          subject: `${invitedBy} invites you to ${companyName}`,
          text: [
            `${invitedBy} invites you to ${companyName} on Wheelhouse, a console for Kubernetes clusters.`,
            ...(message === '' ? [] : [ownWords(invitedBy, message)]),
            'Open this link to accept or reject:',
            link,
            `The link works for ${invitationDays} days, for ${email} only. If you do not know the sender, ignore this mail: nothing happens unless you open the link.`,
          ].join('\n\n'),
          giveUpAt: expiresAt,
          invitation: { id: inviteId, hash: mailHash },
        },
        tx,
      );
    } catch (error) {
      // The Owner passes the link on by another way.
      if (!(error instanceof Problem)) throw error;
      await tx
        .update(invitations)
        .set({ mail: 'failed', mailProblem: error.title })
        .where(eq(invitations.id, inviteId));
    }
  }
}

/** The words of whoever invites, marked as theirs in each line: none of them can pass for the console's. */
function ownWords(name: string, message: string): string {
  const lines = message.split('\n').map((line) => `> ${line}`);
  return [`Message of ${name}:`, ...lines].join('\n');
}

/**
 * Drops the mail of one that was not sent yet: its link opens nothing any more. To be done before the invitation changes:
 * whoever sends the mail takes the two in this order.
 */
export async function withdrawMail(tx: Transaction, inviteId: number): Promise<void> {
  await tx.delete(mails).where(eq(mails.invitationId, inviteId));
}
