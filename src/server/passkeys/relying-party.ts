import { isIP } from 'node:net';
import { Problem } from '../../contract/problem.ts';

/** The console as authenticators see it: passkeys are bound to its host name. */
export interface RelyingParty {
  /** As browsers send it. */
  readonly origin: string;
  /** The host name, without a port. */
  readonly id: string;
}

/**
 * The console at the origin at which somebody opened it.
 * Throws Problem 409 where browsers offer no passkeys: at a bare address, and without https but on the own machine.
 */
export function relyingParty(origin: string): RelyingParty {
  const { hostname, protocol, port } = new URL(origin);
  if (isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0)
    throw new Problem({
      status: 409,
      title: /^(?:127\.|\[::1\]$)/.test(hostname)
        ? localAdvice(`${protocol}//localhost${port === '' ? '' : `:${port}`}`)
        : 'Passkeys need a host name, and this console is opened at an IP address. Its operator can set a name with WHEELHOUSE_URL.',
    });
  if (protocol !== 'https:' && hostname !== 'localhost' && !hostname.endsWith('.localhost'))
    throw new Problem({
      status: 409,
      title:
        'Browsers offer passkeys over https only. Ask the operator of this console to serve it over https.',
    });
  return { origin, id: hostname };
}

/** A console whose operator named an address of this machine refuses what comes by another name of it. */
const localAdvice = (named: string) =>
  `Passkeys need a host name. Open this console at ${named} to use them. If it refuses that address, its operator can set WHEELHOUSE_URL to it.`;
