import { isLoopback } from './config-values.ts';

/** How the console reaches Chargebee. */
export interface ChargebeeSettings {
  readonly kind: 'chargebee';
  readonly site: string;
  readonly apiKey: string;
  /** What its webhooks sign in with; null: there is no route for them. */
  readonly webhook: { readonly user: string; readonly password: string } | null;
  /** Where its API, script and pages are; only a double of it in a test is elsewhere. */
  readonly hosts: ChargebeeHosts;
}

/** The hosts of Chargebee. */
export interface ChargebeeHosts {
  readonly protocol: 'https' | 'http';
  /** What follows the name of the site. */
  readonly suffix: string;
  readonly port: number;
  /** The whole address of its script. */
  readonly script: string;
}

/** Who is paid: Chargebee, or nobody, with pages that try it out. */
export type BillingSettings = ChargebeeSettings | { readonly kind: 'test' };

const chargebeeHosts: ChargebeeHosts = {
  protocol: 'https',
  suffix: '.chargebee.com',
  port: 443,
  script: 'https://js.chargebee.com/v2/chargebee.js',
};

/** The variables of billing. */
export const billingVariables = [
  'WHEELHOUSE_BILLING',
  'WHEELHOUSE_CHARGEBEE_API_KEY',
  'WHEELHOUSE_CHARGEBEE_SITE',
  'WHEELHOUSE_CHARGEBEE_WEBHOOK_PASSWORD',
  'WHEELHOUSE_CHARGEBEE_WEBHOOK_USER',
] as const;

/**
 * Reads who is paid. Without a word of it the test mode is on where the console is tried out: on this machine, with the
 * embedded database.
 * @param get the value of a variable; null for one that is absent or empty
 */
export function parseBilling(
  get: (name: (typeof billingVariables)[number]) => string | null,
  {
    host,
    url,
    hasDatabase,
  }: { readonly host: string; readonly url: URL | null; readonly hasDatabase: boolean },
): { readonly value: BillingSettings | null } | { readonly problem: string } {
  const mode = get('WHEELHOUSE_BILLING');
  const site = get('WHEELHOUSE_CHARGEBEE_SITE');
  const apiKey = get('WHEELHOUSE_CHARGEBEE_API_KEY');
  const user = get('WHEELHOUSE_CHARGEBEE_WEBHOOK_USER');
  const password = get('WHEELHOUSE_CHARGEBEE_WEBHOOK_PASSWORD');
  if (mode !== null && mode !== 'test' && mode !== 'off')
    return { problem: `WHEELHOUSE_BILLING is "${mode}"; it is "test" or "off".` };
  if (site !== null || apiKey !== null || user !== null || password !== null) {
    if (mode !== null)
      return {
        problem: `WHEELHOUSE_BILLING is "${mode}", and Chargebee is configured beside it: remove one of both.`,
      };
    if (site === null || apiKey === null)
      return {
        problem: 'WHEELHOUSE_CHARGEBEE_SITE and WHEELHOUSE_CHARGEBEE_API_KEY only work together: set both.',
      };
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/i.test(site))
      return {
        problem: `WHEELHOUSE_CHARGEBEE_SITE is "${site}"; it is the first part of your Chargebee address, for example acme or acme-test.`,
      };
    if ((user === null) !== (password === null))
      return {
        problem:
          'WHEELHOUSE_CHARGEBEE_WEBHOOK_USER and WHEELHOUSE_CHARGEBEE_WEBHOOK_PASSWORD only work together: set both.',
      };
    if (password !== null && password.length < 16)
      return {
        problem: 'WHEELHOUSE_CHARGEBEE_WEBHOOK_PASSWORD is too short: it needs at least 16 characters.',
      };
    const webhook = user === null || password === null ? null : { user, password };
    return { value: { kind: 'chargebee', site, apiKey, webhook, hosts: chargebeeHosts } };
  }
  if (mode === 'off') return { value: null };
  const isHere = isLoopback(host) && (url === null || isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1')));
  if (mode === 'test' && !isHere)
    return {
      problem:
        'WHEELHOUSE_BILLING is "test", whose payment page is for people on the machine of the server alone: remove it, or listen on HOST=127.0.0.1 without another WHEELHOUSE_URL.',
    };
  return { value: mode === 'test' || (isHere && !hasDatabase) ? { kind: 'test' } : null };
}
