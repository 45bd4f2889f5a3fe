import { setTimeout as wait } from 'node:timers/promises';
import { type LiveClient, type LiveList, openLive } from '../server/live/live-client.ts';
import type { OriginClient } from './origin-client.ts';
import type { Viewer } from './installation.ts';
import type { SoakServer } from './servers.ts';
import { steadyWaits } from './waits.ts';

/** Inputs of a probe of grants. */
interface GrantParts {
  readonly servers: readonly SoakServer[];
  readonly owner: OriginClient;
  readonly viewer: Viewer;
  readonly clusterId: number;
}

/** A page of the viewer on one server, and whether that server still lets them in. */
class Watched {
  readonly server: SoakServer;
  readonly #viewer: OriginClient;
  readonly #clusterId: number;
  #live: LiveClient | undefined;
  #list: LiveList | undefined;

  constructor(server: SoakServer, viewer: OriginClient, clusterId: number) {
    this.server = server;
    this.#viewer = viewer.at(server.url);
    this.#clusterId = clusterId;
  }

  /** Whether a call is let in; false too where there is no answer. */
  async isLetIn(): Promise<boolean> {
    const answer = await Promise.race([
      this.#viewer.send('GET', `/api/clusters/${this.#clusterId}/counts`).catch(() => undefined),
      wait(1_000),
    ]);
    return answer?.status === 200;
  }

  /** Opens a list of pods. */
  async open(): Promise<void> {
    this.#live = await openLive(this.server.url, this.#viewer.handshake);
    this.#list = this.#live.subscribe({ clusterId: this.#clusterId, kind: 'pod' });
    const list = this.#list;
    await this.#live.until('a first state', () => list.state !== undefined);
  }

  get isEnded(): boolean {
    return this.#list?.ended !== undefined || this.#live?.closed !== undefined;
  }

  close(): void {
    this.#live?.socket.terminate();
  }
}

/** Gives a team the cluster and takes it away again, each time through another server, and looks at all of them. */
export class GrantProbe {
  /** From the call that took the grant to the end of all that it gave, on every server, s. */
  readonly gone: number[] = [];
  /** Where a grant was still of use too long after: sentences. */
  readonly faults: string[] = [];
  readonly #parts: GrantParts;
  readonly #random: () => number;
  #frozen: Watched | undefined;

  constructor(parts: GrantParts, random: () => number) {
    this.#parts = parts;
    this.#random = random;
  }

  /** Probes until the signal is aborted, some time between the rounds. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // A server that is killed under a round says nothing about grants: the round is not counted.
      await this.#round().catch(() => undefined);
      await wait(3_000, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Opens a page of the viewer on a server that is about to be frozen. */
  async beforeFreeze(server: SoakServer): Promise<void> {
    await this.#give(server);
    const watched = new Watched(server, this.#parts.viewer.client, this.#parts.clusterId);
    await steadyWaits.until('the viewer is let in', () => watched.isLetIn(), 5_000);
    await watched.open();
    this.#frozen = watched;
  }

  /** Takes the grant away through a server that is not frozen. */
  async whileFrozen(): Promise<void> {
    // One may be killed under the call.
    await steadyWaits.until(
      'a server has taken the grant',
      () =>
        this.#take(this.#anyServer()).then(
          () => true,
          () => false,
        ),
      20_000,
    );
  }

  /** After SIGCONT: how long what was open there outlived the thaw, s. */
  async afterThaw(): Promise<number> {
    const watched = this.#frozen;
    if (watched === undefined) throw new Error('Nothing was frozen.');
    const began = performance.now();
    await steadyWaits.until(
      'the grant is gone on the server that was frozen',
      async () => watched.isEnded && !(await watched.isLetIn()),
      20_000,
    );
    watched.close();
    this.#frozen = undefined;
    return (performance.now() - began) / 1000;
  }

  /** A server that answers, by chance. */
  #anyServer(): SoakServer {
    const able = this.#able();
    const server = able[Math.floor(this.#random() * able.length)];
    if (server === undefined) throw new Error('No server runs.');
    return server;
  }

  #able(): readonly SoakServer[] {
    return this.#parts.servers.filter(({ isAble }) => isAble);
  }

  async #give(server: SoakServer): Promise<void> {
    const { owner, viewer, clusterId } = this.#parts;
    const { teamId } = viewer;
    await owner.at(server.url).call('addTeamCluster', {
      params: { teamId },
      body: { clusterId: String(clusterId) },
    });
  }

  async #take(server: SoakServer): Promise<void> {
    const { owner, viewer, clusterId } = this.#parts;
    const { teamId } = viewer;
    await owner.at(server.url).call('removeTeamCluster', { params: { teamId, clusterId } });
  }

  async #round(): Promise<void> {
    const { viewer, clusterId } = this.#parts;
    await this.#give(this.#anyServer());
    const watched = this.#able().map((server) => new Watched(server, viewer.client, clusterId));
    try {
      await steadyWaits.until(
        'every server lets the viewer in',
        async () => (await Promise.all(watched.map((one) => one.isLetIn()))).every(Boolean),
        5_000,
      );
      await Promise.all(watched.map((one) => one.open()));
      const by = this.#anyServer();
      const began = performance.now();
      await this.#take(by);
      const isGone = async (): Promise<boolean> =>
        (await Promise.all(watched.map(async (one) => one.isEnded && !(await one.isLetIn())))).every(Boolean);
      const gone = await steadyWaits.until('the grant is gone on every server', isGone, 10_000).then(
        () => true,
        () => false,
      );
      // Whoever was killed meanwhile closed its sockets and lets nobody in.
      if (!watched.every(({ server }) => server.isAble)) return;
      this.gone.push((performance.now() - began) / 1000);
      if (!gone) this.faults.push(`a grant that ${by.url} took away was of use 10 s later`);
    } finally {
      for (const one of watched) one.close();
      await this.#take(this.#anyServer()).catch(() => undefined);
    }
  }
}
