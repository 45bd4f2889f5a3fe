import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { MailSettings } from '../../../src/server/kit/config-values.ts';

/** An SMTP server on loopback that keeps what it is sent. */
export interface MailServer {
  readonly settings: MailSettings;
  readonly mails: readonly ParsedMail[];
  /** Recipients of all tries, also of those that were refused. */
  readonly tries: readonly string[];
  /** The next tries for an address are refused with these replies, in order; then its mail is taken again. */
  refuse(address: string, ...replies: readonly number[]): void;
  /** Waits for the mail number `count` of those that fit. */
  received(count: number, fits?: (mail: ParsedMail) => boolean): Promise<ParsedMail>;
  close(): Promise<void>;
}

/** Starts a mail server on a free port of 127.0.0.1. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ParsedMail[] = [];
  const tries: string[] = [];
  const replies = new Map<string, number[]>();
  let tell: () => void = () => undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      tries.push(address);
      const reply = replies.get(address)?.shift();
      if (reply === undefined) done();
      else done(Object.assign(new Error('refused, and this quotes your mail'), { responseCode: reply }));
    },
    onData(stream, _session, done) {
      simpleParser(stream, {}, (error, mail) => {
        if (error === null || error === undefined) mails.push(mail);
        tell();
        done(error);
      });
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    settings: {
      host: '127.0.0.1',
      port: (listener.address() as AddressInfo).port,
      isSecure: false,
      login: null,
      from: { name: 'Wheelhouse', address: 'console@example.org' },
    },
    mails,
    tries,
    refuse: (address, ...next) => void replies.set(address, [...next]),
    async received(count, fits = () => true) {
      for (;;) {
        const mail = mails.filter(fits)[count - 1];
        if (mail !== undefined) return mail;
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
