import { resolve } from 'node:path';
import { z } from 'zod';
import { passwordMinimum } from '../../contract/account.ts';
import { type BillingSettings, billingVariables, parseBilling } from './config-billing.ts';
import { parseArguments } from './config-arguments.ts';
import { type InstallationProvider, isProviderVariable, parseProviders } from './config-identity.ts';
import {
  isLoopback,
  parseCidrs,
  parseHttpUrl,
  parseMail,
  parseOrigin,
  type MailSettings,
  type ModelSettings,
  parseModel,
} from './config-values.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { parseKeyRing } from './key-ring.ts';
import { parsePeerAddress } from './peer-address.ts';
import { unknownSettings } from './unknown-settings.ts';

/** The whole configuration of one server process, read once from environment and arguments. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Public origin, e.g. https://console.example.org; null: the loopback aliases of host and port are one origin. */
  readonly url: URL | null;
  /** Whether browsers are told to open every name below that of `url` over https alone as well. */
  readonly hasSecureSubdomains: boolean;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** The PostgreSQL to use; null: the embedded one in the data folder. */
  readonly databaseUrl: string | null;
  /** Keys for data at rest, `id:base64` lines; null: the key file in the data folder. */
  readonly secretKey: string | null;
  /** CIDRs at which clusters may be although they are loopback or link-local. */
  readonly allowCidrs: readonly string[];
  /** The same for issuers of companies, and for metrics sources at an address. */
  readonly issuerCidrs: readonly string[];
  readonly metricsSourceCidrs: readonly string[];
  /** CIDRs of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly helpUrl: string | null;
  /** The operator's own kubeconfig file, absolute path. */
  readonly kubeconfigFile: string | null;
  readonly playground: boolean;
  /** Whether anybody who is signed in may found a company; otherwise it takes a set-up link. */
  readonly isSignupOpen: boolean;
  /** How the console sends mail; null: it sends none. */
  readonly mail: MailSettings | null;
  /** Creates the first Owner without the set-up link. */
  readonly setup: { readonly email: string; readonly password: string } | null;
  /** Identity providers of the installation, in the order of their buttons. */
  readonly providers: readonly InstallationProvider[];
  /** Bearer token for /metrics; null: /metrics answers loopback callers only. */
  readonly metricsToken: string | null;
  /** What webhooks may be sent to beyond https on port 443 of public addresses. */
  readonly webhooks: { readonly allowPorts: readonly number[]; readonly allowCidrs: readonly string[] };
  /** Where the audit is sent: the operator's file, absolute path, and what Owners may enter beyond https on port 443 of public addresses. */
  readonly auditStreams: {
    readonly file: string | null;
    readonly allowPorts: readonly number[];
    readonly allowCidrs: readonly string[];
    readonly sent: 'audit';
  };
  /** Who is paid for plans; null: nobody, there are no plans and no limits. */
  readonly billing: BillingSettings | null;
  /** The model that answers in chats besides the rules, at an OpenAI-compatible address or at Anthropic’s; null: the rules alone. */
  readonly ai: ModelSettings | null;
  /** Where Owners may enter a model beyond https on port 443 of public addresses. */
  readonly modelPolicy: { readonly allowPorts: readonly number[]; readonly allowCidrs: readonly string[] };
  /** Where the other servers of the installation reach this one, `host:port`; null: each reads clusters by itself. */
  readonly peerAddress: string | null;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** The configuration, or every problem as a sentence of its own; and what has no effect. */
export type ConfigResult = { readonly warnings: readonly string[] } & (
  | { readonly config: Config; readonly problems: readonly [] }
  | { readonly config: null; readonly problems: readonly string[] }
);

/** All variables but those of providers. */
const variables = [
  'DATABASE_URL',
  'HOST',
  'PORT',
  'WHEELHOUSE_AI_ALLOW_CIDRS',
  'WHEELHOUSE_AI_ALLOW_PORTS',
  'WHEELHOUSE_AI_API_KEY',
  'WHEELHOUSE_AI_BASE_URL',
  'WHEELHOUSE_AI_MODEL',
  'WHEELHOUSE_AI_PROVIDER',
  'WHEELHOUSE_ALLOW_CIDRS',
  'WHEELHOUSE_AUDIT_ALLOW_CIDRS',
  'WHEELHOUSE_AUDIT_ALLOW_PORTS',
  'WHEELHOUSE_AUDIT_FILE',
  ...billingVariables,
  'WHEELHOUSE_DATA',
  'WHEELHOUSE_GOOGLE_CLIENT_ID',
  'WHEELHOUSE_GOOGLE_CLIENT_SECRET',
  'WHEELHOUSE_HELP_URL',
  'WHEELHOUSE_HSTS_SUBDOMAINS',
  'WHEELHOUSE_ISSUER_ALLOW_CIDRS',
  'WHEELHOUSE_KUBECONFIG',
  'WHEELHOUSE_LOG_LEVEL',
  'WHEELHOUSE_MAIL_FROM',
  'WHEELHOUSE_METRICS_SOURCE_ALLOW_CIDRS',
  'WHEELHOUSE_METRICS_TOKEN',
  'WHEELHOUSE_OPEN_SIGNUP',
  'WHEELHOUSE_PEER_ADDRESS',
  'WHEELHOUSE_PLAYGROUND',
  'WHEELHOUSE_SECRET_KEY',
  'WHEELHOUSE_SETUP_EMAIL',
  'WHEELHOUSE_SETUP_PASSWORD',
  'WHEELHOUSE_SMTP_URL',
  'WHEELHOUSE_TRUSTED_PROXIES',
  'WHEELHOUSE_URL',
  'WHEELHOUSE_WEBHOOK_ALLOW_CIDRS',
  'WHEELHOUSE_WEBHOOK_ALLOW_PORTS',
] as const;

/** How the variables of identity providers are named, each with a name of the operator's choice. */
const providerVariables =
  'WHEELHOUSE_OIDC_<NAME>_ISSUER, …_CLIENT_ID, …_CLIENT_SECRET, …_LABEL and …_GROUPS_CLAIM';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * Reads the configuration of a server from environment and arguments. Touches no file and throws nothing:
 * every bad value is a sentence naming the variable, its value where that is no secret, and what is expected.
 * An empty variable counts as absent.
 * @param argv Arguments after the script, e.g. `['--kubeconfig', 'kind.yaml']`.
 * @param cwd Folder that relative paths start from.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[] = [],
  cwd: string = process.cwd(),
): ConfigResult {
  const problems: string[] = [];
  const get = (name: string): string | null => env[name]?.trim() || null;
  /** Keeps a value, or notes the problem and goes on with the fallback so that all problems show at once. */
  const take = <T>(result: { value: T } | { problem: string }, fallback: T): T => {
    if ('value' in result) return result.value;
    problems.push(result.problem);
    return fallback;
  };

  const switchOf = (name: string) => take(onOrOff(name, get(name)), null);
  const unknown = unknownSettings(env, variables, {
    prefix: 'WHEELHOUSE_OIDC_',
    form: providerVariables,
    isKnown: isProviderVariable,
  });
  problems.push(...unknown.problems);
  const options = take(parseArguments(argv), { kubeconfig: null });

  const host = take(hostOf(get('HOST')), '127.0.0.1');
  const port = take(portOf(get('PORT')), 8080);
  const url = take(parseOrigin('WHEELHOUSE_URL', get('WHEELHOUSE_URL')), null);
  if (!isLoopback(host) && get('WHEELHOUSE_URL') === null)
    problems.push(
      `HOST is "${host}", which others can reach over plain http. Put a proxy with https in front and name its address, ` +
        'for example WHEELHOUSE_URL=https://console.example.org, or listen on HOST=127.0.0.1.',
    );

  const databaseUrl = take(databaseOf(get('DATABASE_URL')), null);
  const secretKey = get('WHEELHOUSE_SECRET_KEY');
  if (secretKey !== null) {
    const ring = parseKeyRing(secretKey);
    if ('problem' in ring) problems.push(`WHEELHOUSE_SECRET_KEY: ${ring.problem}`);
  } else if (get('DATABASE_URL') !== null) {
    problems.push(
      'DATABASE_URL is set, so WHEELHOUSE_SECRET_KEY is needed too: every server of the installation seals secrets with ' +
        'the same key. Make one with: echo "k1:$(openssl rand -base64 32)"',
    );
  }

  const playground = switchOf('WHEELHOUSE_PLAYGROUND');
  if (playground === 'on' && get('DATABASE_URL') !== null)
    problems.push(
      'WHEELHOUSE_PLAYGROUND is "on", but the playground runs on the embedded database only: remove it or DATABASE_URL.',
    );

  const signup = switchOf('WHEELHOUSE_OPEN_SIGNUP');
  const subdomains = switchOf('WHEELHOUSE_HSTS_SUBDOMAINS');
  if (subdomains === 'on' && url?.protocol !== 'https:')
    problems.push(
      'WHEELHOUSE_HSTS_SUBDOMAINS is "on", which only works over https: set WHEELHOUSE_URL to an address that begins with https://.',
    );

  const level = get('WHEELHOUSE_LOG_LEVEL') ?? 'info';
  const logLevel = logLevels.find((known) => known === level);
  if (logLevel === undefined)
    problems.push(`WHEELHOUSE_LOG_LEVEL is "${level}"; it must be one of ${logLevels.join(', ')}.`);

  const metricsToken = get('WHEELHOUSE_METRICS_TOKEN');
  if (metricsToken !== null && metricsToken.length < 16)
    problems.push('WHEELHOUSE_METRICS_TOKEN is too short: it needs at least 16 characters.');

  const identity = parseProviders(env);
  problems.push(...identity.problems);

  const fromEnv = get('WHEELHOUSE_KUBECONFIG');
  // An argument is meant from where the person stands: npm runs us in the checkout, and tells where it was called.
  const kubeconfigFile =
    options.kubeconfig === null
      ? fromEnv === null
        ? null
        : resolve(cwd, fromEnv)
      : resolve(get('INIT_CWD') ?? cwd, options.kubeconfig);
  const auditFile = get('WHEELHOUSE_AUDIT_FILE');
  const cidrsIn = (name: string) => take(parseCidrs(name, get(name)), []);
  const receiversIn = (name: string) => ({
    allowPorts: take(portsOf(`${name}_ALLOW_PORTS`, get(`${name}_ALLOW_PORTS`)), []),
    allowCidrs: cidrsIn(`${name}_ALLOW_CIDRS`),
  });
  const config: Config = {
    host,
    port,
    url,
    hasSecureSubdomains: subdomains === 'on',
    dataDir: resolve(cwd, get('WHEELHOUSE_DATA') ?? '.wheelhouse'),
    databaseUrl,
    secretKey,
    allowCidrs: cidrsIn('WHEELHOUSE_ALLOW_CIDRS'),
    issuerCidrs: cidrsIn('WHEELHOUSE_ISSUER_ALLOW_CIDRS'),
    metricsSourceCidrs: cidrsIn('WHEELHOUSE_METRICS_SOURCE_ALLOW_CIDRS'),
    trustedProxies: cidrsIn('WHEELHOUSE_TRUSTED_PROXIES'),
    helpUrl: take(parseHttpUrl('WHEELHOUSE_HELP_URL', get('WHEELHOUSE_HELP_URL')), null),
    kubeconfigFile,
    playground: playground !== 'off' && databaseUrl === null,
    isSignupOpen: signup === 'on',
    mail: take(parseMail(get('WHEELHOUSE_SMTP_URL'), get('WHEELHOUSE_MAIL_FROM')), null),
    setup: take(setupOf(get('WHEELHOUSE_SETUP_EMAIL'), env['WHEELHOUSE_SETUP_PASSWORD'] || null), null),
    providers: identity.providers,
    metricsToken,
    webhooks: receiversIn('WHEELHOUSE_WEBHOOK'),
    auditStreams: {
      file: auditFile === null ? null : resolve(cwd, auditFile),
      ...receiversIn('WHEELHOUSE_AUDIT'),
      sent: 'audit',
    },
    billing: take(parseBilling(get, { host, port, url, hasDatabase: get('DATABASE_URL') !== null }), null),
    ai: take(parseModel(get), null),
    modelPolicy: receiversIn('WHEELHOUSE_AI'),
    peerAddress: take(peerAddressOf(get('WHEELHOUSE_PEER_ADDRESS')), null),
    logLevel: logLevel ?? 'info',
  };
  const { warnings } = unknown;
  return problems.length === 0 ? { config, problems: [], warnings } : { config: null, problems, warnings };
}

type Parsed<T> = { value: T } | { problem: string };

function onOrOff(name: string, text: string | null): Parsed<'on' | 'off' | null> {
  if (text === null || text === 'on' || text === 'off') return { value: text };
  return { problem: `${name} is "${text}"; it must be "on" or "off".` };
}

function hostOf(text: string | null): Parsed<string> {
  if (text === null) return { value: '127.0.0.1' };
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (/^[0-9A-Za-z.-]{1,253}$/.test(bare) || z.ipv6().safeParse(bare).success) return { value: bare };
  return { problem: `HOST is "${text}"; it must be an address or name to listen on, for example 127.0.0.1.` };
}

function portOf(text: string | null): Parsed<number> {
  if (text === null) return { value: 8080 };
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return { value: Number(text) };
  return { problem: `PORT is "${text}"; it must be a number from 0 (any free port) to 65535.` };
}

function peerAddressOf(text: string | null): Parsed<string | null> {
  if (text === null) return { value: null };
  const port = parsePeerAddress(text)?.port ?? 0;
  if (port > 0) return { value: text };
  return {
    problem: `WHEELHOUSE_PEER_ADDRESS is "${text}"; it must be where the other servers reach this one, for example 10.0.0.7:8081.`,
  };
}

function portsOf(name: string, text: string | null): Parsed<readonly number[]> {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  const ports = parts.filter((part) => part !== '').map(Number);
  if (ports.every((port) => Number.isInteger(port) && port > 0 && port <= 65535)) return { value: ports };
  return {
    problem: `${name} is "${text}"; it must be port numbers separated by commas, for example 8443, 9443.`,
  };
}

/** The value is never repeated: it carries a password. */
function databaseOf(text: string | null): Parsed<string | null> {
  if (text === null) return { value: null };
  const parsed = parseDatabaseUrl(text);
  return 'problem' in parsed ? parsed : { value: text };
}

function setupOf(email: string | null, password: string | null): Parsed<Config['setup']> {
  if (email === null && password === null) return { value: null };
  if (email === null || password === null)
    return { problem: 'WHEELHOUSE_SETUP_EMAIL and WHEELHOUSE_SETUP_PASSWORD only work together: set both.' };
  if (!z.email().max(254).safeParse(email).success)
    return { problem: `WHEELHOUSE_SETUP_EMAIL is "${email}"; that is not an email address.` };
  if (password.length < passwordMinimum || password.length > 256)
    return { problem: `WHEELHOUSE_SETUP_PASSWORD needs ${passwordMinimum} to 256 characters.` };
  return { value: { email: email.toLowerCase(), password } };
}
