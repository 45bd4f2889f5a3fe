import { livePath } from '../../src/contract/live-socket.ts';
import { createLive, type Live } from '../../src/web/data/live/live.ts';
import { connectBy } from './node-socket.ts';
import type { OriginClient } from './origin-client.ts';

/** A page that was loaded from one version: by the page's own code it learns that another version is served. */
export class VersionedPage {
  /** The build that its document names. */
  readonly build: string;
  readonly #live: Live;

  private constructor(build: string, url: string, client: OriginClient) {
    this.build = build;
    this.#live = createLive({
      connect: connectBy(
        () => url + livePath,
        () => client.handshake,
      ),
      now: Date.now,
      random: Math.random,
      later: (run, ms) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      build,
      onChanged: () => undefined,
      onGrants: () => undefined,
      onAccount: () => undefined,
      onPreferences: () => undefined,
      onNotifications: () => undefined,
      onJobs: () => undefined,
      onSignedOut: () => undefined,
    });
    this.#live.open();
  }

  /**
   * Loads the page. Throws where the document names no build.
   * @param from where the document comes from
   * @param socketUrl where its socket is opened
   */
  static async load(client: OriginClient, from: string, socketUrl: string): Promise<VersionedPage> {
    const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const { text } = await client.at(from).send('GET', '/login', undefined, { headers });
    const build = /<meta name="wheelhouse-build" content="([0-9a-f]+)"/.exec(text)?.[1];
    if (build === undefined) throw new Error(`The document of ${from} names no build: ${text.slice(0, 500)}`);
    return new VersionedPage(build, socketUrl, client);
  }

  get isOpen(): boolean {
    return this.#live.connection.get().phase === 'open';
  }

  /** Whether it asks its person to reload it. */
  get asksToReload(): boolean {
    return this.#live.connection.get().isOutdated;
  }

  close(): void {
    this.#live.close();
  }
}
