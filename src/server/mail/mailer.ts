import type { Transaction } from '../store/store.ts';

/** A mail as its writer gives it. */
export interface MailMessage {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text; an empty line ends a paragraph, and links become links in the HTML that goes along. */
  readonly text: string;
}

/** A mail that waits for the mail server, as long as that takes. */
export interface QueuedMail extends MailMessage {
  /** What it is about, for the log. */
  readonly purpose: string;
  /** What it says is true until then (ISO): later it is not sent any more. A day without it. */
  readonly giveUpAt?: string;
  /** It is queued and put away unsent: who asks for a link learns nothing by what a request costs. */
  readonly isForNobody?: boolean;
  /** It says that somebody's way in was changed: it is taken however many wait, so that nobody can silence it. */
  readonly isSecurityNotice?: boolean;
  /** The invitation that notes what became of it, with the hash of the token in it. */
  readonly invitation?: { readonly id: number; readonly hash: Buffer };
}

/** Takes mails to be sent in the background. */
export interface Mailer {
  /** Whether the console has a mail server; without one none is taken. */
  readonly isConfigured: boolean;
  /**
   * Queues a mail: once this returns, or with the commit of `within`, no server that ends loses it. Throws Problem 409
   * without a mail server, 503 while too many wait, but for a security notice.
   */
  send(mail: QueuedMail, within?: Transaction): Promise<void>;
}
