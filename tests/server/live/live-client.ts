import { WebSocket } from 'ws';
import {
  type CellValue,
  type ClientMessage,
  type ListState,
  livePath,
  type ServerMessage,
  type SubscribeList,
} from '../../../src/contract/live.ts';

/** One subscription as its page knows it. */
export interface LiveList {
  readonly id: number;
  readonly rows: ReadonlyMap<string, readonly CellValue[]>;
  readonly state: ListState | undefined;
  /** The statuses that were shown, in order. */
  readonly statuses: readonly string[];
  /** The sentences that were shown, in order. */
  readonly sentences: readonly string[];
  /** Snapshots that were complete. */
  readonly snapshots: number;
  readonly changes: number;
  readonly total: number | undefined;
  readonly ended: { readonly status: number; readonly title: string } | undefined;
}

/** A page's socket: checks every sequence number and keeps the rows. */
export interface LiveClient {
  readonly socket: WebSocket;
  readonly hello: Extract<ServerMessage, { type: 'hello' }> | undefined;
  /** Grants messages so far. */
  readonly grants: number;
  readonly beats: number;
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
  send(message: ClientMessage): void;
  subscribe(spec: Omit<SubscribeList, 'type' | 'id'>): LiveList;
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
  total: number | undefined;
  ended: { status: number; title: string } | undefined;
}

function apply(
  list: Mutable,
  message: Extract<ServerMessage, { type: 'snapshot' | 'changes' | 'state' | 'ended' }>,
): void {
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
      list.snapshots += 1;
      return;
    case 'changes':
      if (list.snapshots === 0) throw new Error('changes came before a snapshot');
      for (const [uid, cells] of message.upserts) list.rows.set(uid, cells);
      for (const uid of message.removes) list.rows.delete(uid);
      list.total = message.total;
      list.changes += 1;
      return;
    case 'state':
      list.state = message.state;
      list.statuses.push(message.state.status);
      if (message.state.message !== undefined) list.sentences.push(message.state.message);
  }
}

/** Opens a page's socket. @param headers cookie and origin of the page. */
export async function openLive(url: string, headers: Readonly<Record<string, string>>): Promise<LiveClient> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${livePath}`, {
    headers,
    perMessageDeflate: true,
  });
  const lists = new Map<number, Mutable>();
  const waiting = new Set<() => void>();
  let lastId = 0;
  let failure: Error | undefined;
  const client = {
    hello: undefined as LiveClient['hello'],
    grants: 0,
    beats: 0,
    closed: undefined as LiveClient['closed'],
  };

  function receive(message: ServerMessage): void {
    if (message.type === 'hello') client.hello = message;
    else if (message.type === 'grants') client.grants += 1;
    else if (message.type === 'beat') client.beats += 1;
    else if (
      message.type === 'snapshot' ||
      message.type === 'changes' ||
      message.type === 'state' ||
      message.type === 'ended'
    ) {
      const list = lists.get(message.id);
      if (list === undefined) throw new Error(`nobody subscribed as ${message.id}`);
      apply(list, message);
    }
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
        reject(new Error(`waited in vain until ${what}; seen ${JSON.stringify(seen)}`));
      }, 15_000);
      waiting.add(check);
      check();
    });
  const opened = Object.assign(client, {
    socket,
    send,
    subscribe(spec: Parameters<LiveClient['subscribe']>[0]): LiveList {
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
        total: undefined,
        ended: undefined,
      };
      lists.set(list.id, list);
      send({ type: 'subscribe', id: list.id, ...spec });
      return list;
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
