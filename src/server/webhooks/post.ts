import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';
import { EncodingRefused, isGzip } from '../kit/answer-encoding.ts';
import { AddressRefused, createGuardedConnector, type Resolver } from '../clusters/address.ts';
import { percentDecoded } from '../kit/percent-decoded.ts';
import { guardFor, refusalOf, type WebhookPolicy } from './address.ts';

/** A receiver has this long for a try, ms. */
const limit = 15_000;
/** Bytes of an answer that are read. */
const headLimit = 1_024;

/** What a try came to. */
export interface PostResult {
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** The beginning of the answer as text, without path and query of the address. */
  readonly head: string;
  /** Why it failed, a sentence; null where it did not. */
  readonly problem: string | null;
  /** How long the receiver asked to be left alone, ms. */
  readonly retryAfter: number | undefined;
}

/** One POST to an address, behind the guard: no redirect is followed. Throws only where `signal` was aborted. */
export async function postWebhook(
  {
    url,
    body,
    headers,
  }: { readonly url: URL; readonly body: string; readonly headers: Readonly<Record<string, string>> },
  parts: {
    readonly policy: WebhookPolicy;
    readonly signal: AbortSignal;
    /** Epoch ms, for a Retry-After that is a date. */
    readonly now: number;
    readonly resolve?: Resolver;
    readonly limit?: number;
  },
): Promise<PostResult> {
  const { policy, signal, now, resolve } = parts;
  const time = AbortSignal.timeout(parts.limit ?? limit);
  // Of its own: a connection is never used for another address.
  const agent = new Agent({
    connect: createGuardedConnector({ timeout: limit }, guardFor(url, policy), resolve),
  });
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Wheelhouse-Webhooks',
        ...headers,
        'accept-encoding': 'gzip',
      },
      body,
      dispatcher: agent,
      signal: AbortSignal.any([signal, time]),
    });
    const { statusCode: status } = answer;
    const retryAfter = retryAfterOf(answer.headers['retry-after'], now);
    const head = withoutAddress(await headOf(answer), url);
    return { status, head, problem: problemOf(status), retryAfter };
  } catch (error) {
    signal.throwIfAborted();
    return {
      status: null,
      head: '',
      problem: time.aborted ? tooSlow : sentenceOf(error, policy),
      retryAfter: undefined,
    };
  } finally {
    await agent.destroy();
  }
}

const tooSlow = 'The receiver did not answer within 15 seconds.';

/** Why an answer is no success; null where it is one. */
function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}: redirects are not followed. Enter the address that it leads to.`;
  if (status === 410) return 'The receiver answered 410: it no longer accepts these messages.';
  return `The receiver answered ${status}.`;
}

/** The failure of a connection in words: neither the address's path nor anything that the receiver sent. */
function sentenceOf(error: unknown, policy: WebhookPolicy): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AddressRefused) return refusalOf(cause.host, cause.reason, policy);
    const { code } = cause as { readonly code?: unknown };
    if (typeof code !== 'string') continue;
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return 'The host name of the receiver could not be resolved.';
    if (code === 'ECONNREFUSED') return 'Nothing listens at the address of the receiver.';
    if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) || code.includes('CERT'))
      return 'The certificate of the receiver is not valid.';
  }
  return 'The connection to the receiver failed.';
}

/** The beginning of an answer as text: a sentence in place of one that is compressed otherwise than by gzip. */
async function headOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  try {
    return await textOf(
      isGzip(headers['content-encoding']) ? pipeline(body, createGunzip(), () => {}) : body,
    );
  } catch (error) {
    body.on('error', () => {}).destroy();
    // The message was received all the same: the status decides.
    return error instanceof EncodingRefused ? error.message : '';
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      length += part.length;
      if (length >= headLimit) break;
    }
  } catch {
    // What came before it broke off is enough: the status decides.
  }
  // Control characters would be shown; PostgreSQL takes no NUL.
  return Buffer.concat(parts)
    .subarray(0, headLimit)
    .toString('utf8')
    .replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}

/** A part of an address that is shorter than this is no secret of its own. */
const secretLength = 6;

/** A receiver's text without what it repeats of the path and query of the address: they may be a secret, as Slack's are. */
function withoutAddress(text: string, { pathname, search, searchParams }: URL): string {
  const parts = [pathname + search, pathname, search, ...pathname.split('/'), ...searchParams.values()];
  const hidden = parts
    .flatMap((part) => [part, percentDecoded(part)])
    .filter((part) => part.length >= secretLength || (part === pathname && part !== '/'))
    .toSorted((one, other) => other.length - one.length);
  if (hidden.length === 0) return text;
  const pattern = new RegExp([...new Set(hidden)].map(escaped).join('|'), 'gi');
  const rest = text.replace(pattern, '[address]');
  // The text may be cut within one.
  const lowered = rest.toLowerCase();
  for (const part of hidden)
    for (let length = part.length - 1; length >= secretLength; length -= 1)
      if (lowered.endsWith(part.slice(0, length).toLowerCase()))
        return `${rest.slice(0, rest.length - length)}[address]`;
  return rest;
}

const escaped = (part: string) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** A Retry-After in ms: seconds or a date, a day at most. */
function retryAfterOf(header: string | string[] | undefined, now: number): number | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, 86_400_000) : undefined;
}
