import { randomUUID } from 'node:crypto';
import { and, eq, lte, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import type { MailSettings } from '../kit/config-values.ts';
import type { Queue, Try } from '../queue/queue.ts';
import { type MailRow, mails } from '../store/schema/mails.ts';
import { invitations } from '../store/schema/memberships.ts';
import { mailContext } from '../store/sealed.ts';
import type { Store, Transaction } from '../store/store.ts';
import { SealError, type Vault } from '../store/vault.ts';
import { describeMailFailure, isFinal } from './failure.ts';
import type { Mailer, MailMessage, QueuedMail } from './mailer.ts';
import { sendBySmtp } from './smtp.ts';
import type { Clock } from '../kit/clock.ts';

/** Waits before each further try, ms. */
const retryWaits: readonly number[] = [2_000, 15_000, 60_000, 300_000, 1_800_000, 7_200_000];
/** How many mails each server sends at a time, and how many may wait in all. */
const limits = { atOnce: 2, waiting: 1_000 };
/** Lifetime of a mail that names none, ms. */
const day = 86_400_000;

/** What is sealed of a mail. */
interface Content extends MailMessage {
  readonly isForNobody: boolean;
}

/** Inputs of a console's mails. */
export interface MailQueueParts {
  readonly settings: MailSettings | null;
  readonly store: Pick<Store, 'db'>;
  readonly queue: Queue;
  readonly vault: Vault;
  readonly log: Logger;
  readonly clock: Clock;
  /** Waits before each further try, ms. */
  readonly waits?: readonly number[];
}

/** Mails as rows of the store, sent by the jobs of the queue. What they say is sealed until they are sent. */
export class MailQueue implements Mailer {
  readonly #parts: MailQueueParts;
  readonly #waits: readonly number[];

  constructor(parts: MailQueueParts) {
    this.#parts = parts;
    this.#waits = parts.waits ?? retryWaits;
  }

  get isConfigured(): boolean {
    return this.#parts.settings !== null;
  }

  /** Begins to send what waits, where there is a mail server. */
  async start(): Promise<void> {
    const { settings, queue } = this.#parts;
    if (settings === null) return;
    await queue.work('mail', {
      atOnce: limits.atOnce,
      overdue: () => this.#overdue(),
      perform: (attempt, signal) => this.#perform(settings, attempt, signal),
    });
  }

  async send(mail: QueuedMail, within?: Transaction): Promise<void> {
    const { store } = this.#parts;
    if (!this.isConfigured)
      throw new Problem({ status: 409, title: 'This console has no mail server. Tell its operator.' });
    if (within === undefined) await store.db.transaction((tx) => this.#insert(mail, tx));
    else await this.#insert(mail, within);
  }

  async #insert(mail: QueuedMail, tx: Transaction): Promise<void> {
    const { queue, vault, clock } = this.#parts;
    if (mail.isSecurityNotice !== true && (await tx.$count(mails)) >= limits.waiting)
      throw new Problem({
        status: 503,
        title: 'Too many mails are waiting for the mail server. Send it again later.',
      });
    const { to, subject, text, purpose, isForNobody = false, invitation } = mail;
    const id = randomUUID();
    const content: Content = { to, subject, text, isForNobody };
    await tx.insert(mails).values({
      id,
      purpose,
      content: vault.seal(JSON.stringify(content), mailContext(id)),
      invitationId: invitation?.id ?? null,
      invitationHash: invitation?.hash ?? null,
      giveUpAt: mail.giveUpAt ?? new Date(clock.now() + day).toISOString(),
    });
    await queue.add('mail', { id, tries: 0 }, tx);
  }

  async #overdue(): Promise<Try[]> {
    return await this.#parts.store.db
      .select({ id: mails.id, tries: mails.tries })
      .from(mails)
      .where(lte(mails.nextAt, sql`now()`))
      .limit(limits.waiting);
  }

  /** One try of one mail. Throws when the server ends meanwhile: the mail is then another server's. */
  async #perform(settings: MailSettings, { id, tries }: Try, signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#parts;
    const [row] = await store.db
      .select()
      .from(mails)
      .where(and(eq(mails.id, id), eq(mails.tries, tries)));
    if (row === undefined) return;
    const content = this.#open(row);
    if (content === undefined) {
      await this.#end(row, 'The mail could not be decrypted: its key is missing. Send it again.');
      return;
    }
    if (content.isForNobody) {
      await this.#end(row, null);
      return;
    }
    if (Date.parse(row.giveUpAt) <= clock.now()) {
      log.warn({ purpose: row.purpose, tries }, 'A mail is given up: what it says is over');
      await this.#end(row, 'The mail server could not be reached in time. Send it again.');
      return;
    }
    let failure: { readonly error: unknown } | undefined;
    try {
      await sendBySmtp(settings, { ...content, id }, signal);
    } catch (error) {
      failure = { error };
    }
    if (failure === undefined) await this.#end(row, null);
    else {
      if (signal.aborted) throw failure.error;
      await this.#failed(row, failure.error);
    }
  }

  /** Notes a failed try: there is another one, or the mail is given up. */
  async #failed(row: MailRow, error: unknown): Promise<void> {
    const { store, queue, log } = this.#parts;
    const { problem, facts } = describeMailFailure(error);
    const wait = isFinal(error) ? undefined : this.#waits[row.tries];
    // Neither address nor text: a link in it is a secret, and the mail server may quote it.
    log.warn(
      { ...facts, purpose: row.purpose, tries: row.tries + 1, isLast: wait === undefined },
      'A mail could not be sent',
    );
    if (wait === undefined) {
      await this.#end(row, problem);
      return;
    }
    const tries = row.tries + 1;
    await store.db.transaction(async (tx) => {
      const changed = await tx
        .update(mails)
        .set({ tries, nextAt: sql`now() + make_interval(secs => ${wait / 1_000})` })
        .where(and(eq(mails.id, row.id), eq(mails.tries, row.tries)))
        .returning({ id: mails.id });
      if (changed.length > 0) await queue.add('mail', { id: row.id, tries }, tx, wait);
    });
    queue.lookAfter('mail', wait);
  }

  /** Removes a mail that was sent (without a problem) or given up, and notes that on its invitation. */
  async #end({ id, invitationId, invitationHash }: MailRow, problem: string | null): Promise<void> {
    await this.#parts.store.db.transaction(async (tx) => {
      await tx.delete(mails).where(eq(mails.id, id));
      if (invitationId === null || invitationHash === null) return;
      await tx
        .update(invitations)
        .set({
          mail: problem === null ? 'sent' : 'failed',
          mailProblem: problem ?? '',
          mailAt: new Date(this.#parts.clock.now()).toISOString(),
        })
        // One that was sent again meanwhile has another token, and an outcome of its own.
        .where(and(eq(invitations.id, invitationId), eq(invitations.mailHash, invitationHash)));
    });
  }

  #open({ id, content, purpose }: MailRow): Content | undefined {
    try {
      return JSON.parse(this.#parts.vault.open(content, mailContext(id))) as Content;
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.#parts.log.error({ purpose, reason: error.reason }, 'A mail that waits could not be opened');
      return undefined;
    }
  }
}
