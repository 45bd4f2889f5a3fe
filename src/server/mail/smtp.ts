import { createTransport } from 'nodemailer';
import { isLoopback, type MailSettings } from '../kit/config-values.ts';
import { htmlOf } from './html.ts';
import type { MailMessage } from './mailer.ts';

/** How long a mail server may be silent, ms. */
const silence = 20_000;

/**
 * Gives one mail to the mail server. Throws nodemailer's errors.
 * @param id stays the same for every try, so that mail servers know a mail that comes twice
 */
export async function sendBySmtp(
  { host, port, isSecure, login, from }: MailSettings,
  { id, to, subject, text }: MailMessage & { readonly id: string },
  signal: AbortSignal,
): Promise<void> {
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
  signal.throwIfAborted();
  const abort = () => transport.close();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await transport.sendMail({
      from,
      messageId: `<${id}@${from.address.split('@').at(-1) ?? host}>`,
      // An object, so that an address is never read as a list of them.
      to: { name: '', address: to },
      subject,
      text,
      html: htmlOf(text),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    signal.removeEventListener('abort', abort);
    transport.close();
  }
}
