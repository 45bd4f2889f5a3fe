import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { RoundRobin } from '../round-robin.ts';
import type { Receiver } from '../server/webhooks/receiver.ts';
import { type Claim, noneClaim, withinClaim } from './claims.ts';
import { OriginClient } from './origin-client.ts';
import { SoakPage } from './page.ts';
import type { SoakServer } from './servers.ts';
import { VersionedPage } from './versioned-page.ts';
import type { Waits } from './waits.ts';
import { countDeliveries } from './writes.ts';

/** A page is right again in this time after its server was told to end, s: on a busy machine, too. */
const resumeLimit = 15;
/** A server that is asked to end has ended in this time, s. */
const endLimit = 10;
/** A message that was refused with 503 is tried again within some minutes, ms. */
const retryLimit = 240_000;
/** Somebody writes this long before and after a server is told to end, ms. */
const around = 2_000;

/** What takes part in a replacement. */
export interface ReplacementParts {
  readonly earlier: SoakServer;
  readonly next: SoakServer;
  readonly roundRobin: RoundRobin;
  readonly receiver: Receiver;
  readonly kubeconfig: string;
  readonly owner: { readonly email: string; readonly password: string };
  /** Changes the status of a pod on the cluster itself. */
  readonly changePod: (reason: string) => Promise<unknown>;
  readonly waits: Waits;
  readonly say: (text: string) => void;
}

/** One server of version N is replaced by one of the next version, while pages are open and somebody writes. */
export class Replacement {
  readonly #parts: ReplacementParts;
  readonly #client: OriginClient;
  /** Teams whose creation was acknowledged. */
  readonly #teams: string[] = [];
  readonly #claims: Claim[] = [];
  readonly #pages: { close(): void }[] = [];
  readonly #writing = new AbortController();
  #asked = 0;
  #clusterId = 0;

  constructor(parts: ReplacementParts) {
    this.#parts = parts;
    const { url } = parts.roundRobin;
    this.#client = new OriginClient(url, url);
  }

  /** Goes through all of it; gives what it showed. Throws a sentence where it cannot go on. */
  async run(): Promise<readonly Claim[]> {
    const [list, page] = await this.#beginWithEarlier();
    await this.#serveByBoth(page);
    await this.#replace(list, page);
    return this.#claims;
  }

  /** Closes the pages, wherever the run stands. */
  close(): void {
    this.#writing.abort();
    for (const page of this.#pages) page.close();
  }

  /** Version N alone: a cluster, a webhook that is told, a page with a list. */
  async #beginWithEarlier(): Promise<[SoakPage, VersionedPage]> {
    const { earlier, roundRobin, receiver, kubeconfig, owner, waits, say } = this.#parts;
    await waits.within('version N listens', earlier.start(), 200_000);
    roundRobin.serve([earlier.port]);
    const client = this.#client;
    await client.call('signIn', { body: owner });
    const body = { name: 'upgrade', description: '', kubeConfigContent: kubeconfig };
    const { id: clusterId } = await client.call('addCluster', { body });
    this.#clusterId = clusterId;
    await client.call('addWebhook', {
      params: { clusterId },
      body: { url: receiver.url, events: ['console.changed'], format: 'standard' },
    });
    await this.#makeTeam(client);
    await this.#restart(client);
    await waits.until('version N tells the webhook', () => this.#told() === 1);
    const list = new SoakPage({ url: roundRobin.url, client, clusterId });
    this.#pages.push(list);
    await waits.until('a page of version N shows the pods', () => list.isLive && list.rows.size > 0);
    const page = await VersionedPage.load(client, earlier.url, roundRobin.url);
    this.#pages.push(page);
    await waits.until('a page of version N has its socket', () => page.isOpen);
    assert.equal(
      page.asksToReload,
      false,
      'A page of version N asks to be reloaded while there is no other.',
    );
    say('Version N serves pages and tells the webhook.');
    return [list, page];
  }

  /** Both versions over one database: each acts by the session that the other has begun, and reads what it wrote. */
  async #serveByBoth(page: VersionedPage): Promise<void> {
    const { earlier, next, roundRobin, owner, waits, say } = this.#parts;
    const began = performance.now();
    await waits.within('the next version listens on the database of N', next.start(), 200_000);
    this.#claims.push(
      withinClaim('start of the next version, its migrations included', [secondsSince(began)], 200),
    );
    const [atEarlier, atNext] = [this.#client.at(earlier.url), this.#client.at(next.url)];
    for (let turn = 0; turn < 5; turn += 1) {
      await this.#makeTeam(atNext);
      await this.#seeAll(atEarlier);
      await this.#makeTeam(atEarlier);
      await this.#seeAll(atNext);
    }
    const begun = new OriginClient(next.url, roundRobin.url);
    await begun.call('signIn', { body: owner });
    await this.#makeTeam(begun.at(earlier.url));
    await this.#restart(atNext);
    await this.#restart(atEarlier);
    await waits.until('both versions tell the webhook', () => this.#told() === 3);
    const newPage = await VersionedPage.load(this.#client, next.url, next.url);
    this.#pages.push(newPage);
    await waits.until('a page of the next version has its socket', () => newPage.isOpen);
    assert.notEqual(newPage.build, page.build, 'The two versions have the same page: nobody could be told.');
    this.#claims.push(
      noneClaim('pages of the next version that ask to be reloaded', newPage.asksToReload ? ['it'] : [], '1'),
    );
    say('Both versions serve one database; sessions and writes of each are good on the other.');
  }

  /** Nothing new goes to version N, as a Service does it, and then it is told to end. */
  async #replace(list: SoakPage, page: VersionedPage): Promise<void> {
    const { earlier, next, roundRobin, receiver, changePod, waits, say } = this.#parts;
    // A message that could not be delivered while N ran is delivered by who comes after it.
    receiver.answer({ status: 503 });
    await this.#restart(this.#client.at(earlier.url));
    await waits.until('a delivery was refused', () => this.#told() === 4);
    const refused = receiver.received.at(-1)?.headers['webhook-id'];
    roundRobin.serve([earlier.port, next.port]);
    const failures: unknown[] = [];
    const writer = this.#write(failures);
    await wait(around);
    roundRobin.serve([next.port]);
    const began = performance.now();
    const ended = await waits.within('version N has ended', earlier.stop(), 30_000);
    const endedAt = Date.now();
    assert.equal(ended.code, 0, `Version N ended with ${ended.code}.`);
    await changePod('Upgraded');
    const isRight = (): boolean => list.isLive && [...list.statuses().values()].includes('Upgraded');
    await waits.until('the list of the page shows a change', isRight);
    const right = secondsSince(began);
    await waits.until('the page of version N asks to be reloaded', () => page.asksToReload);
    const asked = secondsSince(began);
    await wait(around);
    this.#writing.abort();
    await waits.within('the last write was answered', writer, 70_000);
    await this.#seeAll(this.#client);
    this.#claims.push(
      withinClaim('version N ended in order', [ended.after / 1_000], endLimit),
      withinClaim('list right on a page, from the signal on', [right], resumeLimit),
      withinClaim('a page of version N asks to be reloaded, from the signal on', [asked], resumeLimit),
      noneClaim('calls refused or lost while somebody wrote', failures.map(String), `${this.#asked} calls`),
      noneClaim('acknowledged writes lost', await this.#lost(), `${this.#teams.length} teams`),
      noneClaim('breaches of the live protocol', list.faults, '1 page'),
    );
    say('Version N has ended; the next version serves alone.');
    const tries = () => receiver.received.filter(({ headers }) => headers['webhook-id'] === refused);
    await waits.until('the next version delivers what N could not', () => tries().length >= 2, retryLimit);
    const again = tries().at(-1)?.at ?? 0;
    const { ids, doubles } = countDeliveries(receiver.received);
    this.#claims.push(
      {
        name: 'a message that N could not deliver is delivered by the next version',
        measured: `${((again - endedAt) / 1_000).toFixed(1)} s after N ended`,
        limit: 'after N ended',
        isKept: again > endedAt,
      },
      noneClaim('messages told twice under different ids', doubles, `${ids} messages`),
    );
  }

  /** Creates teams through the round-robin until that is ended. */
  async #write(failures: unknown[]): Promise<void> {
    while (!this.#writing.signal.aborted) {
      await this.#makeTeam(this.#client).catch((error: unknown) => failures.push(error));
      await wait(50);
    }
  }

  async #makeTeam(at: OriginClient): Promise<void> {
    const name = `team ${this.#asked}`;
    this.#asked += 1;
    await at.call('createTeam', { body: { name } });
    this.#teams.push(name);
  }

  async #restart(at: OriginClient): Promise<void> {
    const { outcomes } = await at.call('runAction', {
      params: { clusterId: this.#clusterId, actionId: 'deployment.restart' },
      body: { refs: [{ kind: 'deployment', namespace: 'team-01', name: 'service-0001' }] },
    });
    assert.equal(outcomes[0]?.ok, true, `The deployment was not restarted: ${JSON.stringify(outcomes)}`);
  }

  /** Acknowledged teams that a server does not know. */
  async #lost(at = this.#client): Promise<readonly string[]> {
    const names = new Set((await at.call('teams', {})).map(({ name }) => name));
    return this.#teams.filter((name) => !names.has(name));
  }

  async #seeAll(at: OriginClient): Promise<void> {
    assert.deepEqual(await this.#lost(at), [], `${at.base} does not know what was written.`);
  }

  /** Messages that the webhook was told, each counted once. */
  #told(): number {
    return countDeliveries(this.#parts.receiver.received).ids;
  }
}

/** Seconds since `performance.now()` was this. */
const secondsSince = (began: number): number => (performance.now() - began) / 1_000;
