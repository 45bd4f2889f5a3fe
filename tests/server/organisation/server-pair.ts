import { once } from 'node:events';
import { request } from 'node:http';
import { eq } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import { replayPath } from '../../../src/contract/recordings.ts';
import type { Pod } from '../../../src/kube/core.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { OpenSortName } from '../../../src/server/access/open-state.ts';
import { shellRecordings } from '../../../src/server/store/schema/recordings.ts';
import { fillPath } from '../../../src/registry/path.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { openLive } from '../live/live-client.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';

/** Something open, by what it takes to know that it is and that it has ended. */
export interface Open {
  readonly isEnded: () => boolean | Promise<boolean>;
  readonly close: () => void;
}

/** Two servers over one PostgreSQL. */
export class ServerPair {
  /** Where people look, with the cluster. */
  readonly here: PlaygroundConsole;
  /** Where Owners change grants. */
  readonly there: TestConsole;
  /** A pod of the namespace `shop` that runs. */
  readonly #pod: string;
  #nodes = 0;

  private constructor(here: PlaygroundConsole, there: TestConsole, pod: string) {
    this.here = here;
    this.there = there;
    this.#pod = pod;
  }

  /** Starts both, and a pod on the cluster. */
  static async start(): Promise<ServerPair> {
    const here = await startPlaygroundConsole('shop');
    const { databaseUrl } = here.console.services.config;
    const there = await startConsole({
      config: { databaseUrl, allowCidrs: ['127.0.0.1/32'], issuerCidrs: ['127.0.0.1/32'] },
    });
    await here.transport.json({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/shop/deployments',
      body: deploymentOf('shop', 'web', 'nginx:1.27', 1),
    });
    // Its kubelet is not heard of, so that whoever reads a log there waits.
    await here.transport.json({
      method: 'POST',
      path: '/api/v1/nodes',
      body: { metadata: { name: 'silent', annotations: { 'playground/behaviour': 'silent' } } },
    });
    await here.transport.json({
      method: 'POST',
      path: '/api/v1/namespaces/shop/pods',
      body: {
        metadata: { name: 'unheard' },
        spec: { nodeName: 'silent', containers: [{ name: 'web', image: 'web:1' }] },
      },
    });
    const running = await vi.waitUntil(
      async () => {
        const list = await here.seen<KubeObject & { items?: Pod[] }>('/api/v1/namespaces/shop/pods');
        return list?.items?.find(
          ({ status }) => status?.containerStatuses?.[0]?.state?.running !== undefined,
        );
      },
      { timeout: 60_000 },
    );
    return new ServerPair(here, there, running.metadata?.name ?? '');
  }

  /** Opens each sort of what stays open on grants, all of the namespace `shop`. */
  readonly opening: Readonly<Record<OpenSortName, (person: TestPerson) => Promise<Open>>> = {
    pages: (person) => this.openPage(this.here.console, person.client),
    logs: (person) =>
      this.#openSocket(person, `/api/clusters/${this.here.clusterId}/log`, {
        first: { of: { pods: [{ namespace: 'shop', name: this.#pod }] } },
        isOpen: ({ type }) => type === 'source',
      }),
    downloads: (person) => this.#openDownload(person),
    terminals: (person) =>
      this.#openSocket(person, `/api/clusters/${this.here.clusterId}/pods/shop/${this.#pod}/shell`, {
        isOpen: ({ type }) => type === 'started',
      }),
    // Of a shell of the Owner's: shells have to be recorded.
    replays: (person) => this.#openReplay(person),
    jobs: (person) => this.#openDrain(person),
  };

  /** A page on one of the servers that follows the pods of the namespace. The cluster itself is reached from one alone. */
  async openPage({ url }: Pick<TestConsole, 'url'>, client: TestClient): Promise<Open> {
    const live = await openLive(url, { cookie: client.cookie, origin: url });
    const list = live.subscribe({ clusterId: this.here.clusterId, kind: 'pod', namespace: 'shop' });
    await live.until('a first state', () =>
      url === this.here.console.url ? list.state?.status === 'live' : list.state !== undefined,
    );
    return {
      isEnded: () => list.ended !== undefined || live.closed !== undefined,
      close: () => live.socket.terminate(),
    };
  }

  /** A socket of one object, open once a message says so. */
  async #openSocket(
    person: TestPerson,
    path: string,
    { first, isOpen }: { readonly first?: object; readonly isOpen: (message: { type: string }) => boolean },
  ): Promise<Open> {
    const { url } = this.here.console;
    const socket = new WebSocket(url.replace('http', 'ws') + path, {
      headers: { ...person.client.handshake },
    });
    let isBegun = false;
    let isEnded = false;
    socket.on('open', () => {
      if (first !== undefined) socket.send(JSON.stringify(first));
    });
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) isBegun ||= isOpen(JSON.parse(data.toString('utf8')) as { type: string });
    });
    socket.on('close', () => {
      isEnded = true;
    });
    await vi.waitUntil(() => isBegun, { timeout: 60_000 });
    return { isEnded: () => isEnded, close: () => socket.terminate() };
  }

  /** A log as a file, of a container that is not reached: the console tries for a while. */
  async #openDownload({ client }: TestPerson): Promise<Open> {
    const { console, clusterId } = this.here;
    const asked = JSON.stringify({ of: { pods: [{ namespace: 'shop', name: 'unheard' }] } });
    const sent = request(
      `${console.url}/api/clusters/${clusterId}/log/file?request=${encodeURIComponent(asked)}`,
      { headers: { ...client.handshake } },
    );
    let isEnded = false;
    const end = () => {
      isEnded = true;
    };
    sent.on('response', end).on('error', end).end();
    await once(sent, 'finish');
    return { isEnded: () => isEnded, close: () => sent.destroy() };
  }

  async #openReplay(person: TestPerson): Promise<Open> {
    const { owner, console } = this.here;
    const shell = await this.opening.terminals(owner);
    const [recording] = await console.store.db
      .select({ id: shellRecordings.id })
      .from(shellRecordings)
      .where(eq(shellRecordings.userId, owner.id));
    shell.close();
    return await this.#openSocket(person, fillPath(replayPath, { recordingId: recording?.id ?? '' }), {
      isOpen: ({ type }) => type === 'complete',
    });
  }

  /** A drain of a node of its own, whose one pod waits for a finalizer that nobody takes away. */
  async #openDrain(person: TestPerson): Promise<Open> {
    const { transport, clusterId, owner } = this.here;
    this.#nodes += 1;
    const name = `held-${this.#nodes}`;
    await transport.json({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name } } });
    await transport.json({
      method: 'POST',
      path: '/api/v1/namespaces/shop/pods',
      body: {
        metadata: { name, finalizers: ['example.org/held'] },
        spec: {
          nodeName: name,
          terminationGracePeriodSeconds: 0,
          containers: [{ name: 'web', image: 'web:1' }],
        },
      },
    });
    const { outcomes } = await person.client.call('runAction', {
      params: { clusterId, actionId: 'node.drain' },
      body: { refs: [{ kind: 'node', name }], args: { limit: 10, unmanaged: 'evict' } },
    });
    const id = outcomes[0]?.job;
    const row = async () => {
      const { jobs } = await owner.client.call('jobs', { params: { clusterId } });
      return jobs.find((job) => job.id === id);
    };
    await vi.waitUntil(async () => (await row())?.steps.some(({ message }) => message === 'ending'), {
      timeout: 60_000,
    });
    return {
      async isEnded() {
        const job = await row();
        if (job?.status === 'running') return false;
        expect(job?.message).toMatch(
          /^Stopped after 1 of 2 steps\. Robin Example, who began it, no longer (reaches|has) .* The node stays cordoned/u,
        );
        return true;
      },
      close: () => undefined,
    };
  }

  async close(): Promise<void> {
    await this.there.close();
    await this.here.console.close();
  }
}

const areEnded = (open: readonly Open[]) => Promise.all(open.map(async ({ isEnded }) => await isEnded()));

/**
 * Expects that all of it is open, and has ended within the time that it may outlive a right (ms) of the moment that
 * `take` gives; then closes it.
 */
export async function expectEnds(
  open: readonly Open[],
  take: () => Promise<number>,
  longest = 2_000,
): Promise<void> {
  expect(await areEnded(open)).toEqual(open.map(() => false));
  const began = await take();
  await vi.waitUntil(async () => (await areEnded(open)).every(Boolean), { timeout: 60_000, interval: 10 });
  expect(performance.now() - began).toBeLessThan(longest);
  for (const one of open) one.close();
}
