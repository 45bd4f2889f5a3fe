import { isLoopback, parseOrigin } from './config-values.ts';

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

/** Nobody is paid: pages of our own try plans out. */
export interface TestSettings {
  readonly kind: 'test';
  /** Where browsers find the pages, and the port that they listen on; absent: a free port, on this machine alone. */
  readonly pages?: TestPagesPlace;
}

/** Where the pages of the test mode are. */
export interface TestPagesPlace {
  /** For example `https://pay.example.org`. */
  readonly origin: string;
  readonly port: number;
}

/** Who is paid: Chargebee, or nobody, with pages that try it out. */
export type BillingSettings = ChargebeeSettings | TestSettings;

const chargebeeHosts: ChargebeeHosts = {
  protocol: 'https',
  suffix: '.chargebee.com',
  port: 443,
  script: 'https://js.chargebee.com/v2/chargebee.js',
};

/** The variables of billing. */
export const billingVariables = [
  'WHEELHOUSE_BILLING',
  'WHEELHOUSE_BILLING_TEST_PORT',
  'WHEELHOUSE_BILLING_TEST_URL',
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
  place: ConsolePlace & { readonly hasDatabase: boolean },
): { readonly value: BillingSettings | null } | { readonly problem: string } {
  const mode = get('WHEELHOUSE_BILLING');
  const site = get('WHEELHOUSE_CHARGEBEE_SITE');
  const apiKey = get('WHEELHOUSE_CHARGEBEE_API_KEY');
  const user = get('WHEELHOUSE_CHARGEBEE_WEBHOOK_USER');
  const password = get('WHEELHOUSE_CHARGEBEE_WEBHOOK_PASSWORD');
  if (mode !== null && mode !== 'test' && mode !== 'off')
    return { problem: `WHEELHOUSE_BILLING is "${mode}"; it must be "test" or "off".` };
  if (site !== null || apiKey !== null || user !== null || password !== null) {
    if (mode !== null)
      return {
        problem: `WHEELHOUSE_BILLING is "${mode}", and Chargebee is configured too: remove one of the two.`,
      };
    if (site === null || apiKey === null)
      return {
        problem: 'WHEELHOUSE_CHARGEBEE_SITE and WHEELHOUSE_CHARGEBEE_API_KEY only work together: set both.',
      };
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/i.test(site))
      return {
        problem: `WHEELHOUSE_CHARGEBEE_SITE is "${site}"; it must be the first part of your Chargebee address, for example acme or acme-test.`,
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
  const pages = parseTestPages(get, place);
  if ('problem' in pages) return pages;
  if (pages.value !== null)
    return mode === 'test'
      ? { value: { kind: 'test', pages: pages.value } }
      : {
          problem:
            'WHEELHOUSE_BILLING_TEST_URL is set, but WHEELHOUSE_BILLING is not "test": set that too, or remove it.',
        };
  if (mode === 'off') return { value: null };
  const { host, url, hasDatabase } = place;
  const isHere = isLoopback(host) && (url === null || isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1')));
  if (mode === 'test' && !isHere)
    return {
      problem:
        'WHEELHOUSE_BILLING is "test", and other machines reach the console: set WHEELHOUSE_BILLING_TEST_URL to an origin of its own for the payment page, for example https://pay.example.org, and WHEELHOUSE_BILLING_TEST_PORT to the port that your proxy passes it on to.',
    };
  return { value: mode === 'test' || (isHere && !hasDatabase) ? { kind: 'test' } : null };
}

/** Where the console is. */
interface ConsolePlace {
  readonly host: string;
  readonly port: number;
  readonly url: URL | null;
}

/** Reads where the pages of the test mode are; null where nothing is said of it. */
function parseTestPages(
  get: (name: (typeof billingVariables)[number]) => string | null,
  { port, url }: ConsolePlace,
): { readonly value: TestPagesPlace | null } | { readonly problem: string } {
  const origin = parseOrigin('WHEELHOUSE_BILLING_TEST_URL', get('WHEELHOUSE_BILLING_TEST_URL'));
  if ('problem' in origin) return origin;
  const text = get('WHEELHOUSE_BILLING_TEST_PORT');
  if (origin.value === null && text === null) return { value: null };
  if (origin.value === null || text === null)
    return {
      problem: 'WHEELHOUSE_BILLING_TEST_URL and WHEELHOUSE_BILLING_TEST_PORT only work together: set both.',
    };
  const pagesPort = Number(text);
  if (!/^\d{1,5}$/.test(text) || pagesPort < 1 || pagesPort > 65_535 || pagesPort === port)
    return {
      problem: `WHEELHOUSE_BILLING_TEST_PORT is "${text}"; it must be a number from 1 to 65535, and different from PORT.`,
    };
  if (origin.value.origin === url?.origin)
    return {
      problem:
        'WHEELHOUSE_BILLING_TEST_URL is the address of the console itself: the payment page needs an origin of its own.',
    };
  return { value: { origin: origin.value.origin, port: pagesPort } };
}
