import { WebSocket } from 'ws';
import type { Dashboard } from '../../../src/contract/dashboard.ts';
import type {
  CellValue,
  ClientMessage,
  KindDescription,
  ListState,
  ObjectView,
  ServerMessage,
  SubscribeGraph,
  SubscribeList,
  SubscribeObject,
  SubscribeTallies,
  Tally,
} from '../../../src/contract/live.ts';
import { livePath } from '../../../src/contract/live-socket.ts';

/** One subscription as its page knows it. */
export interface LiveList {
  readonly id: number;
  readonly rows: ReadonlyMap<string, readonly CellValue[]>;
  /** Rows of a snapshot that is not complete yet. */
  readonly incoming: ReadonlyMap<string, readonly CellValue[]> | undefined;
  readonly state: ListState | undefined;
  /** The statuses that were shown, in order. */
  readonly statuses: readonly string[];
  /** The sentences that were shown, in order. */
  readonly sentences: readonly string[];
  /** Snapshots that were complete. */
  readonly snapshots: number;
  readonly changes: number;
  /** Rows that came in changes. */
  readonly upserts: number;
  readonly total: number | undefined;
  /** What the server says its kind is. */
  readonly kind: KindDescription | undefined;
  readonly ended: { readonly status: number; readonly title: string } | undefined;
}

/** One object as its page knows it. */
export interface LiveObject {
  readonly id: number;
  /** Every version that came, in order. */
  readonly versions: readonly ObjectView[];
  /** What stands on the page now, surroundings brought up to date. */
  readonly view: ObjectView | undefined;
  /** How often only the surroundings changed. */
  readonly renewals: number;
  readonly gone: { readonly at: string | null } | undefined;
  readonly kind: KindDescription | undefined;
  readonly state: ListState | undefined;
  readonly statuses: readonly string[];
  readonly ended: { readonly status: number; readonly title: string } | undefined;
}

/** A dashboard as its page knows it. */
export interface LiveDashboard {
  readonly id: number;
  readonly dashboard: Dashboard | undefined;
  /** Dashboards that came, with when (ms). */
  readonly times: readonly number[];
  readonly state: ListState | undefined;
  readonly ended: { readonly status: number; readonly title: string } | undefined;
}

/** The tallies of a cluster as a page knows them. */
export interface LiveTallies {
  readonly tallies: Readonly<Record<string, Tally>> | undefined;
}

/** A page's socket: checks every sequence number and keeps the rows. */
export interface LiveClient {
  readonly socket: WebSocket;
  readonly hello: Extract<ServerMessage, { type: 'hello' }> | undefined;
  /** Grants messages so far. */
  readonly grants: number;
  readonly account: number;
  /** Preferences messages so far. */
  readonly preferences: number;
  /** Notifications messages so far. */
  readonly notifications: number;
  readonly beats: number;
  /** When the clusters it looks at were last heard of, ISO, by cluster, as it was told last. */
  readonly heard: ReadonlyMap<number, string>;
  /** Clusters whose jobs went on, as they were told. */
  readonly jobs: readonly number[];
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
  send(message: ClientMessage): void;
  subscribe(spec: Omit<SubscribeList, 'type' | 'id'>): LiveList;
  open(spec: Omit<SubscribeObject, 'type' | 'id'>): LiveObject;
  dashboard(clusterId: number): LiveDashboard;
  tallies(clusterId: number, of?: SubscribeTallies['tallies'], namespace?: string): LiveTallies;
  /** A graph comes as a list does. */
  graph(clusterId: number, graph: SubscribeGraph['graph']): LiveList;
  /** Waits for something to be true; looks after each message. */
  until(what: string, isTrue: () => boolean): Promise<void>;
  close(): Promise<void>;
}

interface Mutable {
  id: number;
  rows: Map<string, readonly CellValue[]>;
  incoming: Map<string, readonly CellValue[]> | undefined;
  seq: number;
  state: ListState | undefined;
  statuses: string[];
  sentences: string[];
  snapshots: number;
  changes: number;
  upserts: number;
  total: number | undefined;
  kind: KindDescription | undefined;
  /** The kind of the snapshot to come. */
  nextKind: KindDescription | undefined;
  ended: { status: number; title: string } | undefined;
}

type ListMessage = Extract<ServerMessage, { type: 'snapshot' | 'changes' | 'state' | 'kind' | 'ended' }>;

const isOfList = (message: ServerMessage): message is ListMessage =>
  ['snapshot', 'changes', 'state', 'kind', 'ended'].includes(message.type);

function apply(list: Mutable, message: ListMessage): void {
  if (list.ended !== undefined) throw new Error('a message came after the end');
  if (message.type === 'ended') {
    list.ended = { status: message.status, title: message.title };
    return;
  }
  if (message.seq !== list.seq + 1) throw new Error(`sequence ${message.seq} follows ${list.seq}`);
  list.seq = message.seq;
  switch (message.type) {
    case 'snapshot':
      if (message.reset) list.incoming = new Map();
      if (list.incoming === undefined) throw new Error('a snapshot began without a reset');
      for (const [uid, cells] of message.rows) list.incoming.set(uid, cells);
      list.total = message.total;
      if (!message.done) return;
      list.rows = list.incoming;
      list.incoming = undefined;
      list.kind = list.nextKind;
      list.snapshots += 1;
      return;
    case 'changes':
      // Before the end of a snapshot they belong to it: the cluster is still being read.
      const rows = list.incoming ?? list.rows;
      if (list.snapshots === 0 && list.incoming === undefined)
        throw new Error('changes came before a snapshot');
      for (const [uid, cells] of message.upserts) rows.set(uid, cells);
      for (const uid of message.removes) rows.delete(uid);
      list.total = message.total;
      list.changes += 1;
      list.upserts += message.upserts.length;
      return;
    case 'kind':
      list.nextKind = message.kind;
      return;
    case 'state':
      list.state = message.state;
      list.statuses.push(message.state.status);
      if (message.state.message !== undefined) list.sentences.push(message.state.message);
  }
}

interface MutableObject {
  id: number;
  seq: number;
  versions: ObjectView[];
  view: ObjectView | undefined;
  renewals: number;
  gone: { at: string | null } | undefined;
  kind: KindDescription | undefined;
  state: ListState | undefined;
  statuses: string[];
  dashboard: Dashboard | undefined;
  tallies: LiveTallies['tallies'];
  times: number[];
  ended: { status: number; title: string } | undefined;
}

/** Applies a message of an object or dashboard. */
function applyOther(one: MutableObject, message: ServerMessage): void {
  if (one.ended !== undefined) throw new Error('a message came after the end');
  if (!('seq' in message)) {
    if (message.type === 'ended') one.ended = { status: message.status, title: message.title };
    return;
  }
  if (message.seq !== one.seq + 1) throw new Error(`sequence ${message.seq} follows ${one.seq}`);
  one.seq = message.seq;
  if (message.type === 'object') {
    one.versions.push(message);
    one.view = message;
    one.gone = undefined;
  } else if (message.type === 'surroundings') {
    if (one.view === undefined) throw new Error('surroundings came before an object');
    const { status, attention, joined, missing, actions } = message;
    one.view = { ...one.view, status, attention, joined, missing, actions };
    one.renewals += 1;
  } else if (message.type === 'kind') one.kind = message.kind;
  else if (message.type === 'gone') one.gone = { at: message.at };
  else if (message.type === 'tallies') one.tallies = message.tallies;
  else if (message.type === 'dashboard') {
    one.dashboard = message.dashboard;
    one.times.push(Date.now());
  } else if (message.type === 'state') {
    one.state = message.state;
    one.statuses.push(message.state.status);
  } else throw new Error(`${message.type} is nothing for an object`);
}

/** Opens a page's socket. @param headers cookie and origin of the page. */
export async function openLive(url: string, headers: Readonly<Record<string, string>>): Promise<LiveClient> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${livePath}`, {
    headers,
    perMessageDeflate: true,
  });
  const lists = new Map<number, Mutable>();
  const others = new Map<number, MutableObject>();
  const waiting = new Set<() => void>();
  let lastId = 0;
  let failure: Error | undefined;
  const client = {
    hello: undefined as LiveClient['hello'],
    grants: 0,
    account: 0,
    preferences: 0,
    notifications: 0,
    beats: 0,
    /** Whether the store was away, at each notice of it. */
    storeAway: [] as boolean[],
    jobs: [] as number[],
    heard: new Map<number, string>(),
    closed: undefined as LiveClient['closed'],
  };

  function receive(message: ServerMessage): void {
    if (message.type === 'hello') client.hello = message;
    else if (message.type === 'grants') client.grants += 1;
    else if (message.type === 'account') client.account += 1;
    else if (message.type === 'preferences') client.preferences += 1;
    else if (message.type === 'notifications') client.notifications += 1;
    else if (message.type === 'beat') client.beats += 1;
    else if (message.type === 'store') client.storeAway.push(message.awaySince !== null);
    else if (message.type === 'heard') client.heard.set(message.clusterId, message.at);
    else if (message.type === 'jobs') client.jobs.push(message.clusterId);
    else {
      const other = others.get(message.id);
      const list = lists.get(message.id);
      if (other !== undefined) applyOther(other, message);
      else if (list === undefined) throw new Error(`nobody subscribed as ${message.id}`);
      else if (isOfList(message)) apply(list, message);
      else throw new Error(`${message.type} is nothing for a list`);
    }
  }

  function follow(): MutableObject {
    lastId += 1;
    const one: MutableObject = {
      id: lastId,
      seq: 0,
      versions: [],
      view: undefined,
      renewals: 0,
      gone: undefined,
      kind: undefined,
      state: undefined,
      statuses: [],
      dashboard: undefined,
      tallies: undefined,
      times: [],
      ended: undefined,
    };
    others.set(one.id, one);
    return one;
  }

  const look = () => {
    for (const check of waiting) check();
  };
  socket.on('message', (data) => {
    try {
      receive(JSON.parse((data as Buffer).toString('utf8')) as ServerMessage);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    look();
  });
  socket.on('close', (code, reason) => {
    client.closed = { code, reason: reason.toString('utf8') };
    look();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});

  const send = (message: ClientMessage) => socket.send(JSON.stringify(message));
  const until: LiveClient['until'] = (what, isTrue) =>
    new Promise((resolve, reject) => {
      const check = () => {
        if (failure === undefined && !isTrue()) return;
        waiting.delete(check);
        clearTimeout(deadline);
        if (failure === undefined) resolve();
        else reject(failure);
      };
      const deadline = setTimeout(() => {
        waiting.delete(check);
        const seen = [...lists.values()].map((list) => [
          list.statuses,
          list.sentences,
          list.rows.size,
          list.ended,
        ]);
        for (const one of others.values()) {
          seen.push([
            one.statuses,
            [JSON.stringify(one.dashboard ?? one.view)],
            one.versions.length,
            one.ended,
          ]);
        }
        reject(new Error(`waited in vain until ${what}; seen ${JSON.stringify(seen)}`));
      }, 15_000);
      waiting.add(check);
      check();
    });
  function followList(
    spec: Omit<SubscribeList, 'type' | 'id'> | Omit<SubscribeGraph, 'type' | 'id'>,
  ): LiveList {
    lastId += 1;
    const list: Mutable = {
      id: lastId,
      rows: new Map(),
      incoming: undefined,
      seq: 0,
      state: undefined,
      statuses: [],
      sentences: [],
      snapshots: 0,
      changes: 0,
      upserts: 0,
      total: undefined,
      kind: undefined,
      nextKind: undefined,
      ended: undefined,
    };
    lists.set(list.id, list);
    send({ type: 'subscribe', id: list.id, ...spec });
    return list;
  }

  const opened = Object.assign(client, {
    socket,
    send,
    subscribe: (spec: Parameters<LiveClient['subscribe']>[0]): LiveList => followList(spec),
    graph: (clusterId: number, graph: SubscribeGraph['graph']): LiveList => followList({ clusterId, graph }),
    open(spec: Parameters<LiveClient['open']>[0]): LiveObject {
      const one = follow();
      send({ type: 'subscribe', id: one.id, ...spec });
      return one;
    },
    dashboard(clusterId: number): LiveDashboard {
      const one = follow();
      send({ type: 'subscribe', id: one.id, clusterId, dashboard: true });
      return one;
    },
    tallies(clusterId: number, of: SubscribeTallies['tallies'] = 'sidebar', namespace?: string): LiveTallies {
      const one = follow();
      const within = namespace === undefined ? {} : { namespace };
      send({ type: 'subscribe', id: one.id, clusterId, tallies: of, ...within });
      return one;
    },
    until,
    async close() {
      socket.close();
      await until('the socket is closed', () => client.closed !== undefined);
    },
  });
  await until('the server greets', () => client.hello !== undefined);
  return opened;
}
