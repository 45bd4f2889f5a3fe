import { guardFor, type WebhookPolicy } from '../webhooks/address.ts';

/** What the operator allows beyond https on port 443 of public addresses. */
export type ModelPolicy = WebhookPolicy;

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** Whether a model may be asked at the port of an address. */
export function isPortAllowed(url: URL, { allowPorts }: ModelPolicy): boolean {
  const port = portOf(url);
  return port === 443 || allowPorts.includes(port);
}

/** Why a model that an Owner entered is not asked at an address by what it says, as a sentence; undefined where it may be. */
export function refusalOfModel(url: URL, policy: ModelPolicy): string | undefined {
  if (url.protocol !== 'https:' && policy.allowCidrs.length === 0)
    return 'A model needs an address that begins with https://.';
  if (!isPortAllowed(url, policy))
    return `The console connects to models at port 443 only, not at ${portOf(url)}. The operator can list more in WHEELHOUSE_AI_ALLOW_PORTS.`;
  const reason = guardFor(url, policy).refusalOfHost(url.hostname);
  return reason === undefined
    ? undefined
    : `The console does not connect to models at ${url.hostname}: that is ${reason}. If this is intended, the operator can list it in WHEELHOUSE_AI_ALLOW_CIDRS.`;
}
