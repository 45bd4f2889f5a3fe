import type { KubeList, KubeObject, Status } from '../../../src/kube/object.ts';
import {
  ClusterProblem,
  type KubeRequest,
  type KubeStream,
  type LiveTransport,
  type PingOptions,
} from '../../../src/server/clusters/transport.ts';

/** A watch that the test speaks for. */
export interface ScriptedWatch {
  readonly request: KubeRequest;
  readonly isClosed: boolean;
  /** Sends an event, or any other line. */
  say(line: object | string): void;
  end(): void;
  fail(error: Error): void;
}

/** A cluster whose every answer the test decides. */
export interface ScriptedTransport extends LiveTransport {
  credential: string;
  readonly requests: KubeRequest[];
  /** The path without a query, in order: `list` or `watch`. */
  readonly calls: ('list' | 'watch')[];
  readonly watches: ScriptedWatch[];
  /** Decides a list; a page, or a throw. */
  onList: (request: KubeRequest) => KubeList | Promise<KubeList>;
  /** Throws to refuse a watch. */
  onWatch: (request: KubeRequest) => void;
  /** Decides a ping: the status of its answer, or a throw. */
  onPing: (options: PingOptions) => number | Promise<number>;
  readonly pings: PingOptions[];
  /** How often the connections were given up. */
  renewals: number;
  readonly lastWatch: ScriptedWatch;
  /** The newest watch of a collection. */
  watchOf(path: string): ScriptedWatch;
}

/** What a cluster says instead of an answer. */
export function refusal(
  status: number,
  extra: { reason?: string; retryAfter?: number } = {},
): ClusterProblem {
  const body: Status = { kind: 'Status', code: status, message: `the cluster says ${status}` };
  return new ClusterProblem(
    { status: status < 500 ? status : 502, title: body.message ?? '' },
    { status, body, ...extra },
  );
}

/** A cluster that does not answer. */
export function silence(): ClusterProblem {
  return new ClusterProblem({ status: 502, title: 'prod refused the connection.' }, {});
}

function createWatch(request: KubeRequest): { stream: KubeStream; watch: ScriptedWatch } {
  const queue: (string | Error | null)[] = [];
  let wake: (() => void) | undefined;
  let isClosed = false;
  const push = (item: string | Error | null) => {
    queue.push(item);
    wake?.();
  };
  async function* lines() {
    for (;;) {
      const item = queue.shift();
      if (item === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (item === null) return;
      else if (typeof item === 'string') yield item;
      else throw item;
    }
  }
  const read = lines();
  return {
    stream: {
      lines: read,
      async each(onLine) {
        for await (const line of read) onLine(line);
      },
      close() {
        isClosed = true;
        push(null);
      },
    },
    watch: {
      request,
      get isClosed() {
        return isClosed;
      },
      say: (line) => push(typeof line === 'string' ? line : JSON.stringify(line)),
      end: () => push(null),
      fail: push,
    },
  };
}

/** Starts with one empty list and watches that say nothing. */
export function createScriptedTransport(): ScriptedTransport {
  const watches: ScriptedWatch[] = [];
  const transport: ScriptedTransport = {
    clusterId: 1,
    credential: 'first',
    requests: [],
    calls: [],
    watches,
    onList: () => listOf('1'),
    onWatch: () => {},
    onPing: () => 200,
    pings: [],
    renewals: 0,
    get lastWatch() {
      const last = watches.at(-1);
      if (last === undefined) throw new Error('nothing is watched');
      return last;
    },
    watchOf(path) {
      const found = watches.findLast(({ request }) => request.path === path);
      if (found === undefined) throw new Error(`${path} is not watched`);
      return found;
    },
    async json<T>(request: KubeRequest): Promise<T> {
      transport.requests.push(request);
      // Usage is recorded every minute by whatever is open: that is no list of a feed.
      if (!request.path.startsWith('/apis/metrics.k8s.io/')) transport.calls.push('list');
      const answer = await transport.onList(request);
      return answer as T;
    },
    async stream(request) {
      transport.requests.push(request);
      transport.calls.push('watch');
      transport.onWatch(request);
      const { stream, watch } = createWatch(request);
      watches.push(watch);
      return stream;
    },
    async ping(options) {
      transport.pings.push(options);
      return await transport.onPing(options);
    },
    renew() {
      transport.renewals += 1;
    },
    close: () => Promise.resolve(),
  };
  return transport;
}

/** One page of a list. */
export function listOf(version: string, items: KubeObject[] = [], next?: string): KubeList {
  return { metadata: { resourceVersion: version, ...(next === undefined ? {} : { continue: next }) }, items };
}

/** Lists by path, each of one version, empty where none is named; a single object by its own path, else 404. */
export function collections(
  lists: Readonly<Record<string, readonly KubeObject[]>>,
  version = '10',
): ScriptedTransport['onList'] {
  return ({ path }) => {
    const items = lists[path];
    if (items !== undefined) return listOf(version, [...items]);
    const at = path.lastIndexOf('/');
    const name = decodeURIComponent(path.slice(at + 1));
    const place = /^(.*)\/namespaces\/([^/]+)(\/[^/]+)$/.exec(path.slice(0, at));
    const collection = place === null ? path.slice(0, at) : `${place[1]}${place[3]}`;
    const found = lists[collection]?.find(
      ({ metadata }) => metadata?.name === name && (place === null || metadata.namespace === place[2]),
    );
    if (found !== undefined) return found;
    if (lists[collection] !== undefined) throw refusal(404);
    return listOf(version);
  };
}

/** A pod with a phase that shows in its status cell. */
export function podOf(name: string, version: string, phase = 'Running', namespace = 'shop') {
  return {
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      resourceVersion: version,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: 'web' },
      annotations: {} as Record<string, string>,
    },
    status: { phase },
  };
}
