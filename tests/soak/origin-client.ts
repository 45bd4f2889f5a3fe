import { type SendOptions, TestClient, type WireAnswer } from '../server/http-client.ts';

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
    return await super.send(method, path, body, { ...options, headers });
  }
}
