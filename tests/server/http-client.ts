import { type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { api } from '../../src/contract/api.ts';
import { sessionCookieName, xsrfCookieName } from '../../src/contract/cookies.ts';
import type { CallOf, Endpoint, ResponseOf } from '../../src/contract/endpoint.ts';
import { problemSchema } from '../../src/contract/problem-schema.ts';
import { Problem } from '../../src/contract/problem.ts';

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined when it is empty or not JSON. */
  readonly json: unknown;
}

/** One request with exactly the given headers (node's own fetch would add and forbid some). */
export async function send(
  base: string,
  method: string,
  path: string,
  options: { headers?: Readonly<Record<string, string | string[]>>; body?: string | Buffer } = {},
): Promise<WireAnswer> {
  const url = new URL(base);
  return await new Promise((resolve, reject) => {
    const call = request(
      { host: url.hostname, port: url.port, method, path, headers: options.headers ?? {}, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json');
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            json: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
          });
        });
      },
    );
    call.on('error', reject);
    // node announces no length for the body of a DELETE.
    if (options.body !== undefined) call.setHeader('content-length', Buffer.byteLength(options.body));
    call.end(options.body);
  });
}

/** A call is tried so often, a second between, where a late server turns it away. */
const triesWhenBusy = 30;

/** Whether a server whose event loop is late turned the call away, before it did anything. */
const isTurnedAway = ({ status, text }: WireAnswer): boolean =>
  status === 503 && text.includes('"The server is busy.');

/** What a call can be told beside its parts; `null` leaves a header out. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent as it is, in place of the JSON body. */
  readonly raw?: string | Buffer;
}

/** A browser as far as the API sees one: a cookie jar that sends Origin, Sec-Fetch-Site and the XSRF token. */
export class TestClient {
  readonly base: string;
  readonly cookies = new Map<string, string>();
  /** Names of the two cookies at the address that people open. */
  readonly sessionCookie: string;
  readonly xsrfCookie: string;

  /**
   * @param base where requests are sent
   * @param url the address that people open, where it is another
   */
  constructor(base: string, url = new URL(base)) {
    this.base = base;
    this.sessionCookie = sessionCookieName(url);
    this.xsrfCookie = xsrfCookieName(url);
  }

  /** The session's token; undefined for somebody who is signed out. */
  get session(): string | undefined {
    return this.cookies.get(this.sessionCookie);
  }

  /** The Cookie header that the browser sends. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The headers with which a socket is opened. */
  get handshake(): Readonly<Record<string, string>> {
    return { origin: this.base, cookie: this.cookie };
  }

  /** Sends a request as the page would. */
  async send(method: string, path: string, body?: unknown, options: SendOptions = {}): Promise<WireAnswer> {
    const headers: Record<string, string> = {
      accept: 'application/json',
      origin: this.base,
      'sec-fetch-site': 'same-origin',
    };
    if (this.cookies.size > 0) headers.cookie = this.cookie;
    const xsrf = this.cookies.get(this.xsrfCookie);
    if (xsrf !== undefined) headers['x-xsrf-token'] = xsrf;
    if (body !== undefined || options.raw !== undefined) headers['content-type'] = 'application/json';
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      if (value === null) delete headers[name];
      else headers[name] = value;
    }
    const text = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await send(this.base, method, path, {
      headers,
      ...(text === undefined ? {} : { body: text }),
    });
    this.keep(answer.headers['set-cookie'] ?? []);
    return answer;
  }

  /** Calls an endpoint of the contract; throws Problem for an answer that is no success. */
  async call<K extends keyof typeof api>(
    name: K,
    call: CallOf<(typeof api)[K]>,
  ): Promise<ResponseOf<(typeof api)[K]>> {
    const endpoint: Endpoint = api[name];
    const { params, query, body } = call as {
      params?: Record<string, unknown>;
      query?: Record<string, string>;
      body?: unknown;
    };
    const path = pathOf(endpoint, params ?? {}, query);
    let answer = await this.send(endpoint.method, path, body);
    // As the page does: the server did nothing but turn the call away.
    for (let tries = 0; isTurnedAway(answer) && tries < triesWhenBusy; tries += 1) {
      await wait(1_000);
      answer = await this.send(endpoint.method, path, body);
    }
    if (answer.status < 200 || answer.status > 299) throw new Problem(problemSchema.parse(answer.json));
    return answer.json as ResponseOf<(typeof api)[K]>;
  }

  private keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      const isOver = attributes.some((part) => /^\s*(?:max-age=0|expires=Thu, 01 Jan 1970)/i.test(part));
      if (isOver) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** A script with an API token: no cookies, no Origin, nothing of a page. */
export class BearerClient extends TestClient {
  readonly #secret: string;

  constructor(base: string, secret: string) {
    super(base);
    this.#secret = secret;
  }

  override get handshake(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#secret}` };
  }

  override async send(
    method: string,
    path: string,
    body?: unknown,
    options: SendOptions = {},
  ): Promise<WireAnswer> {
    const nothing = { origin: null, 'sec-fetch-site': null };
    const headers = { ...nothing, authorization: `Bearer ${this.#secret}`, ...options.headers };
    return await super.send(method, path, body, { ...options, headers });
  }
}

/** The path of an endpoint with its parameters filled in. */
export function pathOf(
  endpoint: Pick<Endpoint, 'path'>,
  params: Readonly<Record<string, unknown>>,
  query?: Readonly<Record<string, string>>,
): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  return query === undefined ? path : `${path}?${new URLSearchParams(query).toString()}`;
}
