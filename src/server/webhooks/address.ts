import { Problem } from '../../contract/problem.ts';
import { type AddressGuard, createPublicGuard } from '../clusters/address.ts';

/** What the operator allows beyond https on port 443 of public addresses. */
export interface WebhookPolicy {
  readonly allowPorts: readonly number[];
  readonly allowCidrs: readonly string[];
  /** The sort of message, as sentences and the operator's variables name it; a webhook by default. */
  readonly sent?: keyof typeof sentWords;
}

/** Words for what is sent, and the beginning of the names of variables that allow more addresses for it. */
const sentWords = {
  webhook: { one: 'a webhook', many: 'webhooks', none: 'no webhook', variables: 'WHEELHOUSE_WEBHOOK' },
  audit: { one: 'an audit stream', many: 'the audit', none: 'no audit', variables: 'WHEELHOUSE_AUDIT' },
} as const;

const wordsOf = ({ sent = 'webhook' }: WebhookPolicy) => sentWords[sent];

const refused = (title: string) => new Problem({ status: 400, title });

/**
 * The address of a webhook, if it may be one by what it says; what its name leads to is judged at every try. Throws
 * Problem 400 with a sentence that does not repeat its path.
 */
export function parseWebhookUrl(text: string, policy: WebhookPolicy): URL {
  // Control characters and blanks are dropped silently by the parser.
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text))
    throw refused('This is not an address. Enter one like https://hooks.example.org/path.');
  const url = new URL(text);
  const { allowPorts, allowCidrs } = policy;
  const { one, many, variables } = wordsOf(policy);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowCidrs.length > 0))
    throw refused('Enter an address that begins with https://.');
  if (url.username !== '' || url.password !== '')
    throw refused(`Leave the user name and password out of the address of ${one}.`);
  if (url.hash !== '') throw refused('Remove the part after # from the address.');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port !== 443 && !allowPorts.includes(port))
    throw refused(
      `The console sends ${many} to port 443 only, not to ${port}. The operator can list more in ${variables}_ALLOW_PORTS.`,
    );
  const reason = guardFor(url, policy).refusalOfHost(url.hostname);
  if (reason !== undefined) throw refused(refusalOf(url.hostname, reason, policy));
  return url;
}

/** The guard of the connections to an address: plain http goes to what the operator listed alone. */
export function guardFor({ protocol }: URL, { allowCidrs }: WebhookPolicy): AddressGuard {
  return createPublicGuard(allowCidrs, protocol === 'http:');
}

/** Why nothing is sent to a host, as a sentence. */
export function refusalOf(host: string, reason: string, policy: WebhookPolicy): string {
  const { none, variables } = wordsOf(policy);
  return `The console sends ${none} to ${host}: that is ${reason}. If this is intended, the operator can list it in ${variables}_ALLOW_CIDRS.`;
}
