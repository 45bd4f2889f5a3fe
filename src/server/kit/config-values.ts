import { percentDecoded } from './percent-decoded.ts';
import { anthropicAddress, type ModelProvider, modelProviders } from '../../contract/chat-model.ts';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

type Parsed<T> = { value: T } | { problem: string };

/** Whether a host to listen on is reached from this machine only. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Reads a list of address ranges, separated by commas or spaces; a single address stands for itself. */
export function parseCidrs(name: string, text: string | null): Parsed<string[]> {
  const ranges: string[] = [];
  for (const part of (text ?? '').split(/[\s,]+/).filter((part) => part !== '')) {
    if (ipaddr.isValidCIDR(part)) ranges.push(part);
    else if (ipaddr.IPv4.isValidFourPartDecimal(part)) ranges.push(`${part}/32`);
    else if (ipaddr.IPv6.isValid(part)) ranges.push(`${part}/128`);
    else
      return {
        problem: `${name} has "${part}", which is not an address range; write for example 10.0.0.0/8 or fd00::/8, separated by commas.`,
      };
  }
  return { value: ranges };
}

/** Reads a link for people: http or https. */
export function parseHttpUrl(name: string, text: string | null): Parsed<string | null> {
  if (text === null) return { value: null };
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return { value: new URL(text).href };
  return { problem: `${name} is "${text}"; it must be a link that begins with https:// or http://.` };
}

/** Reads a public origin: scheme, host and port, nothing else; plain http on loopback only. */
export function parseOrigin(name: string, text: string | null): Parsed<URL | null> {
  if (text === null) return { value: null };
  const expected = 'it is the address people open, for example https://console.example.org';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return { problem: `${name} is "${withoutCredentials(text)}"; ${expected}.` };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return { problem: `${name} carries a user name or password; ${expected}.` };
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return { problem: `${name} is "${text}"; ${expected}, without a path after it.` };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (url.protocol === 'http:' && !isLoopback(host))
    return {
      problem: `${name} is "${text}": over plain http anyone on the network can read passwords and sessions. Use an https address.`,
    };
  return { value: new URL(url.origin) };
}

function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//');
}

/** The mail server and the sender of the console's mail. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** Whether TLS begins with the connection (smtps); otherwise it begins by STARTTLS where the server offers it. */
  readonly isSecure: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: { readonly name: string; readonly address: string };
}

/** Reads WHEELHOUSE_SMTP_URL and WHEELHOUSE_MAIL_FROM. The first is never repeated: it carries a password. */
export function parseMail(smtp: string | null, from: string | null): Parsed<MailSettings | null> {
  if (smtp === null && from === null) return { value: null };
  if (smtp === null || from === null)
    return { problem: 'WHEELHOUSE_SMTP_URL and WHEELHOUSE_MAIL_FROM only work together: set both.' };
  const [, name = '', address = from] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  if (!z.email().max(254).safeParse(address).success)
    return {
      problem: `WHEELHOUSE_MAIL_FROM is "${from}"; it must be an address, for example "Wheelhouse <console@example.org>".`,
    };
  const url = URL.canParse(smtp) ? new URL(smtp) : null;
  if (
    url === null ||
    !/^smtps?:$/.test(url.protocol) ||
    url.hostname === '' ||
    !['', '/'].includes(url.pathname) ||
    url.search !== '' ||
    url.hash !== ''
  )
    return {
      problem:
        'WHEELHOUSE_SMTP_URL is not of the form smtp://user:password@host:587 or smtps://user:password@host:465.',
    };
  const isSecure = url.protocol === 'smtps:';
  return {
    value: {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
      isSecure,
      login:
        url.username === ''
          ? null
          : { user: percentDecoded(url.username), password: percentDecoded(url.password) },
      from: { name: name.trim(), address },
    },
  };
}

/** A model, and where it is asked. */
export interface ModelSettings {
  readonly provider: ModelProvider;
  /** Up to what comes before `/chat/completions` or `/messages`. */
  readonly baseUrl: URL;
  readonly model: string;
  /** Sent as the provider asks for it; null where it asks for none. */
  readonly apiKey: string | null;
}

/** Reads the variables of the model, which work together. The key is never repeated. */
export function parseModel(
  get: (name: string) => string | null,
): { value: ModelSettings | null } | { problem: string } {
  const named = get('WHEELHOUSE_AI_PROVIDER');
  const model = get('WHEELHOUSE_AI_MODEL');
  const apiKey = get('WHEELHOUSE_AI_API_KEY');
  const address = get('WHEELHOUSE_AI_BASE_URL');
  if ([named, model, apiKey, address].every((value) => value === null)) return { value: null };
  const provider = modelProviders.find((one) => one === (named ?? 'openai-compatible'));
  if (provider === undefined)
    return { problem: `WHEELHOUSE_AI_PROVIDER is "${named}"; it must be openai-compatible or anthropic.` };
  const baseUrl = address ?? (provider === 'anthropic' ? anthropicAddress : null);
  if (baseUrl === null || model === null)
    return {
      problem:
        'WHEELHOUSE_AI_BASE_URL and WHEELHOUSE_AI_MODEL only work together: set both. For Anthropic the model is enough.',
    };
  const url = parseModelUrl(baseUrl);
  if (url === undefined)
    return {
      problem:
        'WHEELHOUSE_AI_BASE_URL is not of the form https://models.example.org/v1, without user, password and query.',
    };
  return { value: { provider, baseUrl: url, model, apiKey } };
}

/** The address of a model; undefined where it is none, or holds a user, a password, a query or a part behind #. */
export function parseModelUrl(text: string): URL | undefined {
  // Control characters and blanks are dropped silently by the parser.
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) return undefined;
  const url = new URL(text);
  const { protocol, username, password, search, hash } = url;
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '')
    ? url
    : undefined;
}
