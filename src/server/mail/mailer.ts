import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import { isLoopback, type MailSettings } from '../kit/config-values.ts';
import { createLimiter } from '../kit/limiter.ts';
import { pause } from '../kit/pause.ts';
import { describeMailFailure, isFinal } from './failure.ts';
import { htmlOf } from './html.ts';

/** A mail as its writer gives it. */
export interface MailMessage {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text; an empty line ends a paragraph, and links become links in the HTML that goes along. */
  readonly text: string;
}

/** The outcome of a mail; a failure is a sentence for people that quotes neither mail nor mail server. */
export type MailOutcome = { readonly state: 'sent' } | { readonly state: 'failed'; readonly problem: string };

/** Sends mail. Nobody waits for it who answers a call: the outcome comes when the last try is over. */
export interface Mailer {
  /** Whether the console has a mail server; without one every mail fails at once. */
  readonly isConfigured: boolean;
  /** Sends one mail, trying again where that may help. Never throws. */
  send(message: MailMessage): Promise<MailOutcome>;
  /** Gives up what has not been sent; each then fails with a sentence. */
  close(): Promise<void>;
}

/** Waits before each further try, ms. */
const retryWaits: readonly number[] = [2_000, 15_000, 60_000, 300_000];
/** How many mails are sent at a time, and how many more may wait. */
const limits = { atOnce: 2, waiting: 1_000 };
/** How long a mail server may be silent, ms. */
const silence = 20_000;

/** A mailer without a mail server. */
const unconfigured: Mailer = {
  isConfigured: false,
  send: async () => ({ state: 'failed', problem: 'This console has no mail server.' }),
  close: async () => undefined,
};

/** The mailer of a console; its mails are tried again while this process lives. */
export function createMailer(
  settings: MailSettings | null,
  parts: { readonly log: Logger; readonly clock: Clock; readonly waits?: readonly number[] },
): Mailer {
  return settings === null ? unconfigured : new SmtpMailer(settings, parts);
}

class SmtpMailer implements Mailer {
  readonly isConfigured = true;
  readonly #settings: MailSettings;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #waits: readonly number[];
  readonly #turns = createLimiter(limits.atOnce);
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<MailOutcome>>();

  constructor(
    settings: MailSettings,
    { log, clock, waits = retryWaits }: { log: Logger; clock: Clock; waits?: readonly number[] },
  ) {
    this.#settings = settings;
    this.#log = log;
    this.#clock = clock;
    this.#waits = waits;
  }

  async send(message: MailMessage): Promise<MailOutcome> {
    if (this.#underWay.size >= limits.atOnce + limits.waiting)
      return { state: 'failed', problem: 'Too many mails wait for the mail server. Send it again later.' };
    const sending = this.#try(message);
    this.#underWay.add(sending);
    try {
      return await sending;
    } finally {
      this.#underWay.delete(sending);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#underWay);
  }

  async #try(message: MailMessage): Promise<MailOutcome> {
    const { signal } = this.#closing;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#turns.run(() => this.#sendOnce(message), signal);
        return { state: 'sent' };
      } catch (error) {
        if (signal.aborted) return stopped;
        const { problem, facts } = describeMailFailure(error);
        const wait = isFinal(error) ? undefined : this.#waits[tries - 1];
        // Neither address nor text: a link in it is a secret, and the mail server may quote it.
        this.#log.warn({ ...facts, tries, isLast: wait === undefined }, 'A mail could not be sent');
        if (wait === undefined) return { state: 'failed', problem };
        try {
          await pause(this.#clock, wait, signal);
        } catch {
          return stopped;
        }
      }
    }
  }

  async #sendOnce({ to, subject, text }: MailMessage): Promise<void> {
    const { host, port, isSecure, login, from } = this.#settings;
    const transport = createTransport({
      host,
      port,
      secure: isSecure,
      // A password never travels in the clear, but to this machine.
      requireTLS: !isSecure && login !== null && !isLoopback(host),
      // Mail servers of one machine have certificates that nobody vouches for.
      ignoreTLS: !isSecure && isLoopback(host),
      ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
      connectionTimeout: silence,
      greetingTimeout: silence,
      socketTimeout: silence,
      dnsTimeout: silence,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const abort = () => transport.close();
    this.#closing.signal.addEventListener('abort', abort, { once: true });
    try {
      await transport.sendMail({
        from,
        // An object, so that an address is never read as a list of them.
        to: { name: '', address: to },
        subject,
        text,
        html: htmlOf(text),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } finally {
      this.#closing.signal.removeEventListener('abort', abort);
      transport.close();
    }
  }
}

const stopped: MailOutcome = {
  state: 'failed',
  problem: 'The console was stopped before the mail was sent. Send it again.',
};
