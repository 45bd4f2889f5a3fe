import { setTimeout as wait } from 'node:timers/promises';
import { type SendOptions, TestClient, type WireAnswer } from '../server/http-client.ts';

/** A call that is not answered in this time fails, ms: no run hangs with a server that does. */
const patience = 60_000;

/** A browser whose requests may go to one of the servers past the round-robin: for them it comes from the same page. */
export class OriginClient extends TestClient {
  readonly #origin: string;

  /**
   * @param base where requests are sent
   * @param origin the address that people open
   */
  constructor(base: string, origin: string) {
    super(base, new URL(origin));
    this.#origin = origin;
  }

  /** The same session, at another address. */
  at(base: string): OriginClient {
    const other = new OriginClient(base, this.#origin);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  override get handshake(): Readonly<Record<string, string>> {
    return { origin: this.#origin, cookie: this.cookie };
  }

  override async send(
    method: string,
    path: string,
    body?: unknown,
    options: SendOptions = {},
  ): Promise<WireAnswer> {
    const headers = { origin: this.#origin, ...options.headers };
    const given = new AbortController();
    const late = wait(patience, undefined, { signal: given.signal }).then(() => {
      throw new Error(`${method} ${path} was not answered within ${patience / 1_000} s.`);
    });
    late.catch(() => undefined);
    return await Promise.race([super.send(method, path, body, { ...options, headers }), late]).finally(() =>
      given.abort(),
    );
  }
}
