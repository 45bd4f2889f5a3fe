import { Writable } from 'node:stream';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { htmlOf } from '../../../src/server/mail/html.ts';
import { createMailer, type Mailer } from '../../../src/server/mail/mailer.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

const secret = 'https://console.example.org/login#invite=hush';
const message = {
  to: 'kim@example.org',
  subject: 'An invitation to Société <Générale>',
  text: `Hello <Kim> & all,\nopen this:\n\n${secret}\n\nIt expires.`,
};

let server: MailServer;
let mailer: Mailer;
let log: string;

beforeEach(async () => {
  server = await startMailServer();
  log = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString('utf8');
      done();
    },
  });
  mailer = createMailer(server.settings, {
    log: pino({ level: 'trace' }, stream),
    clock: systemClock,
    waits: [1, 1],
  });
});
afterEach(async () => {
  await mailer.close();
  await server.close();
});

describe('mail', () => {
  it('arrives as plain text and as simple HTML in which everything but links is escaped', async () => {
    expect(await mailer.send(message)).toEqual({ state: 'sent' });
    const mail = await server.received(1);
    expect(mail.from?.text).toBe('"Wheelhouse" <console@example.org>');
    expect(mail.subject).toBe(message.subject);
    expect(mail.text?.trim()).toBe(message.text);
    expect(mail.html).toContain('<p>Hello &lt;Kim&gt; &amp; all,<br>open this:</p>');
    expect(mail.html).toContain(`<a href="${secret}">${secret}</a>`);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('makes no link of an address in a name', () => {
    const html = htmlOf(
      'https://evil.test invites you to https://evil.test/x now\nhttps://console.test/login',
    );
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://console.test/login"']);
  });

  it('is tried again after a temporary refusal, and a last one is told in a sentence', async () => {
    server.refuse(message.to, 451, 421);
    expect(await mailer.send(message)).toEqual({ state: 'sent' });
    expect(server.tries).toHaveLength(3);
    server.refuse(message.to, 451, 451, 451);
    expect(await mailer.send(message)).toEqual({
      state: 'failed',
      problem:
        'The mail server refused the address (it answered 451). Check it, or pass the link on by another way.',
    });
    expect(server.tries).toHaveLength(6);
  });

  it('is not tried again after a final refusal', async () => {
    server.refuse(message.to, 550);
    expect(await mailer.send(message)).toMatchObject({ state: 'failed' });
    expect(server.tries).toHaveLength(1);
  });

  it('goes to one address, whatever stands in it', async () => {
    const outcome = await mailer.send({ ...message, to: 'a@example.org, b@example.org' });
    expect(outcome.state).toBe('failed');
    expect(server.mails).toEqual([]);
  });

  it('says that the mail server cannot be reached', async () => {
    await server.close();
    expect(await mailer.send(message)).toEqual({
      state: 'failed',
      problem:
        'The mail server cannot be reached. Pass the link on by another way, or tell the operator of this console.',
    });
  });

  it('leaves neither address, text nor words of the mail server in the log', async () => {
    server.refuse(message.to, 550);
    await mailer.send(message);
    expect(log).toContain('"reply":550');
    for (const hidden of [message.to, 'hush', 'quotes your mail']) expect(log).not.toContain(hidden);
  });

  it('that waits for its next try fails with a sentence when the console stops', async () => {
    const waiting = createMailer(server.settings, {
      log: pino({ level: 'silent' }),
      clock: systemClock,
      waits: [3_600_000],
    });
    server.refuse(message.to, 451);
    const outcome = waiting.send(message);
    await expect.poll(() => server.tries).toHaveLength(1);
    await waiting.close();
    expect(await outcome).toEqual({
      state: 'failed',
      problem: 'The console was stopped before the mail was sent. Send it again.',
    });
  });

  it('without a mail server fails at once', async () => {
    const unconfigured = createMailer(null, { log: pino({ level: 'silent' }), clock: systemClock });
    expect(unconfigured.isConfigured).toBe(false);
    expect(await unconfigured.send(message)).toMatchObject({ state: 'failed' });
  });
});
