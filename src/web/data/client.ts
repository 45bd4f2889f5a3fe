import { parseExactJson } from '../../kube/exact-json.ts';
import type { Api } from '../../contract/api.ts';
import { type Call, firstCalls } from '../../contract/calls.ts';
import { type CookiePlace, xsrfCookieName } from '../../contract/cookies.ts';
import type { Client } from '../../contract/endpoint.ts';
import type { laterCalls } from '../../contract/later-calls.ts';
import { Problem, problemTitle } from '../../contract/problem.ts';
import { fillPath } from '../../registry/path.ts';

/** Options of one call. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
}

export type ApiClient = Client<Api, RequestOptions>;

/** Browser functions that the client needs. */
export interface ClientParts {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** The page's cookies, as `document.cookie` gives them. */
  readonly cookies: () => string;
  /** Where the page is: names of cookies depend on it. */
  readonly place: CookiePlace;
  /** Has the person confirm their identity, or one act; whether they did. A call that needs it is then sent again. */
  readonly confirmIdentity: (problem: Problem) => Promise<boolean>;
  /** A call that needs a session was answered 401, with this sentence. */
  readonly onSignedOut: (title: string) => void;
  /** Every failed answer is logged. */
  readonly log: (message: string) => void;
}

/** Header that sends the XSRF token of the cookie back. */
const xsrfHeader = 'X-XSRF-TOKEN';

interface AnyCall {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** The client of every call in the contract's table. Calls have no time limit; failures are Problems. */
export function createClient(parts: ClientParts): ApiClient {
  const call = async (
    endpoint: Call,
    given: AnyCall,
    options: RequestOptions,
    confirmed: readonly string[] = [],
  ): Promise<unknown> => {
    const headers: Record<string, string> = { accept: 'application/json' };
    const init: RequestInit = {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
    };
    if (given.body !== undefined) {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(given.body);
    }
    const token = cookieValue(parts.cookies(), xsrfCookieName(parts.place));
    if (endpoint.method !== 'GET' && token !== undefined) headers[xsrfHeader] = token;
    if (options.signal !== undefined) init.signal = options.signal;

    let response: Response;
    try {
      response = await parts.fetch(urlOf(endpoint, given), init);
    } catch (cause) {
      if (options.signal?.aborted === true) throw cause;
      const said =
        endpoint.failure === undefined
          ? { title: unanswered }
          : { title: endpoint.failure, detail: unanswered };
      throw new Problem({ ...said, status: 0, retryable: true, where: { source: 'network' } }, { cause });
    }
    if (response.status >= 200 && response.status < 300) {
      return endpoint.hasBody === true ? parseExactJson(await response.text()) : undefined;
    }
    const problem = await problemOf(response, endpoint.failure);
    // A call may need both, one after the other; each is asked for once.
    const { code } = problem;
    if (code !== undefined && !confirmed.includes(code) && (await parts.confirmIdentity(problem)))
      return await call(endpoint, given, options, [...confirmed, code]);
    parts.log(`${endpoint.method} ${endpoint.path} failed with ${response.status}: ${problem.title}`);
    // A refused sign-in is a wrong password, not an ended session.
    if (response.status === 401 && endpoint.isPublic !== true) parts.onSignedOut(problem.title);
    throw problem;
  };

  const made: Record<string, unknown> = {};
  const callNamed =
    (name: string) =>
    (given: AnyCall, options: RequestOptions = {}) => {
      const known = firstCalls[name] ?? remainingCalls?.[name];
      return known === undefined
        ? loadLaterCalls().then((all) => call(callIn(all, name), given, options))
        : call(known, given, options);
    };
  const client = new Proxy(made, {
    // Something that is awaited is asked for `then`.
    get: (_, name) =>
      typeof name === 'string' && name !== 'then' ? (made[name] ??= callNamed(name)) : undefined,
  });
  // The names and types of the table's entries are those of the client: its calls are looked up there.
  return client as unknown as ApiClient;
}

const unanswered = 'The console’s server did not answer. Check your connection and try again.';

/** The calls that no first list waits for, once they are there. */
let remainingCalls: typeof laterCalls | undefined;

/** Loads what is known of the calls that no first list waits for. Rejects with a Problem where it cannot be had. */
export async function loadLaterCalls(): Promise<typeof laterCalls> {
  try {
    remainingCalls ??= (await import('../../contract/later-calls.ts')).laterCalls;
    return remainingCalls;
  } catch (cause) {
    const where = { source: 'network' } as const;
    throw new Problem({ title: unanswered, status: 0, retryable: true, where }, { cause });
  }
}

function callIn(all: typeof laterCalls, name: string): Call {
  const known = all[name];
  if (known === undefined) throw new Error(`There is no call ${name}.`);
  return known;
}

function urlOf(endpoint: Call, { params = {}, query = {} }: AnyCall): string {
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  return fillPath(endpoint.path, texts) + (search === '' ? '' : `?${search}`);
}

/**
 * A failed answer as a Problem: its title by the specification's order, the rest where the body says it.
 * @param failure the call's own sentence, for an answer that says nothing
 */
export async function problemOf(response: Response, failure?: string): Promise<Problem> {
  const text = await response.text().catch(() => '');
  const body = parse(text);
  const fields = typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {};
  return new Problem({
    status: response.status,
    // A proxy's page of HTML is not a sentence for people.
    title:
      typeof body === 'string' && /^\s*</.test(body)
        ? problemTitle(undefined, failure)
        : problemTitle(body, failure),
    ...(typeof fields.detail === 'string' ? { detail: fields.detail } : {}),
    ...(typeof fields.retryable === 'boolean' ? { retryable: fields.retryable } : {}),
    ...(typeof fields.where === 'object' ? { where: fields.where } : {}),
    ...(typeof fields.code === 'string' ? { code: fields.code } : {}),
    ...(typeof fields.proof === 'string' ? { proof: fields.proof } : {}),
    ...(typeof fields.signInAt === 'object' ? { signInAt: fields.signInAt } : {}),
    ...(typeof fields.lacking === 'object' ? { lacking: fields.lacking } : {}),
    ...(typeof fields.limit === 'string' ? { limit: fields.limit } : {}),
    ...(Array.isArray(fields.issues) ? { issues: [...fields.issues] } : {}),
  });
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

/** The value of a cookie in a cookie string, decoded. */
export function cookieValue(cookies: string, name: string): string | undefined {
  const found = cookies.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? undefined : decodeURIComponent(found.slice(name.length + 1));
}
