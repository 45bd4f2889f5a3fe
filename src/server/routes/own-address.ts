import {
  addressLinkHours,
  type ownAddressEndpoints,
  sessionLinkMinutes,
} from '../../contract/own-address.ts';
import { Problem } from '../../contract/problem.ts';
import { AddressLinks, type AddressLinkSort } from '../access/address-links.ts';
import type { Person } from '../access/person.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { RouteParts } from './parts.ts';

/** Showing that the address of the own account is one's own. */
export function ownAddressHandlers({
  store,
  mailer,
  clock,
}: Pick<RouteParts, 'store' | 'mailer' | 'clock'>): Handlers<typeof ownAddressEndpoints> {
  const addressLinks = new AddressLinks(store, clock);
  const present = async (person: Person) => ({
    email: person.email,
    isProven: await addressLinks.isProven(person),
    isMailed: mailer.isConfigured,
  });
  return {
    ownAddress: (_request, { person }) => present(person),

    mailAddressLink: async (_request, { person, origin }) => {
      if (!mailer.isConfigured)
        throw new Problem({
          status: 409,
          title:
            'This console has no mail server, so it cannot mail you. Ask its operator to set WHEELHOUSE_SMTP_URL.',
        });
      await sendAddressLink(mailer, {
        person,
        origin,
        token: await addressLinks.make(person),
        now: clock.now(),
      });
      return undefined;
    },

    proveAddress: async ({ body }, { person }) => {
      await addressLinks.use(person, body.token);
      return await present(person);
    },
  };
}

/** Mails a person a link to the address of their account. @param link its token, made at `now` (ms) */
export async function sendAddressLink(
  mailer: Mailer,
  link: {
    readonly person: Pick<Person, 'email'>;
    readonly origin: string;
    readonly token: string;
    readonly now: number;
    readonly sort?: AddressLinkSort;
  },
): Promise<void> {
  const { email } = link.person;
  const isOfSession = link.sort === 'session';
  const minutes = isOfSession ? sessionLinkMinutes : addressLinkHours * 60;
  await mailer.send({
    purpose: 'address link',
    to: email,
    subject: 'Confirm your email address',
    text: [
      `Somebody, probably you, signed in to Wheelhouse as ${email} and wants to confirm that this is their address.`,
      'Open this link in the browser where you are signed in:',
      `${link.origin}/settings?section=profile#address=${link.token}`,
      `The link works for ${isOfSession ? `${sessionLinkMinutes} minutes, in that browser` : `${addressLinkHours} hours, for that account`} only. If it was not you, ignore this mail: nothing changes.`,
    ].join('\n\n'),
    giveUpAt: new Date(link.now + minutes * 60_000).toISOString(),
  });
}
