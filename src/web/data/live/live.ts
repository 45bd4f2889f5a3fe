import {
  beatInterval,
  type ClientMessage,
  liveClose,
  liveProtocol,
  type ServerMessage,
} from '../../../contract/live.ts';
import { firstId } from './first-message.ts';
import { type Cell, cell } from '../../core/state/state.ts';
import { backoff } from './backoff.ts';
import { applyMessage, renewed, settled, type Subscription, unknownData } from './subscription.ts';
import { type DataOf, type LiveData, subscribeMessage, type Target, targetKey } from './targets.ts';

/** The page's line to the server. */
export interface Connection {
  readonly phase: 'idle' | 'connecting' | 'open' | 'lost';
  /** Tries since the line broke. */
  readonly attempt: number;
  /** When anything was last heard, page's clock in ms; 0 for never. */
  readonly heardAt: number;
  /** Server's clock minus the page's (ms). */
  readonly skew: number;
  /** The server serves another page than this one. */
  readonly isOutdated: boolean;
  /** Column ids by kind, in the order of a row's cells. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** When each cluster that is followed last said anything to the server, by its id; page's clock in ms. */
  readonly clusters: Readonly<Record<string, number>>;
}

/** An open or opening line. */
export interface Socket {
  readonly send: (text: string) => void;
  readonly close: () => void;
  /** What was asked for on it, under the id `firstId`, before anybody had it; says so once. */
  readonly asked?: () => string | undefined;
}

/** What a line tells. */
export interface SocketEvents {
  readonly onOpen: () => void;
  readonly onMessage: (text: string) => void;
  /** With the close code. */
  readonly onClose: (code: number) => void;
}

/** What the live client needs of the browser and the app. */
export interface LiveParts {
  readonly connect: (events: SocketEvents) => Socket;
  readonly now: () => number;
  readonly random: () => number;
  /** Runs something later; answers how to call it off. */
  readonly later: (run: () => void, ms: number) => () => void;
  /** The page's own build; empty where it does not know. */
  readonly build: string;
  /** What changed since the last call: at most one call each batch. */
  readonly onChanged: (changed: readonly (readonly [Target, LiveData])[]) => void;
  readonly onGrants: () => void;
  /** How the person likes the console changed elsewhere. */
  readonly onPreferences: () => void;
  /** A job of a cluster went on. */
  readonly onJobs: (clusterId: number) => void;
  /** The server ended the line because the session is over, with this sentence. */
  readonly onSignedOut: (title: string) => void;
}

/** The live data of this page: one socket, any number of lists, objects and dashboards inside it. */
export interface Live {
  readonly connection: Cell<Connection>;
  /**
   * Begins to follow a target; the answer ends it. The same target may be followed many times.
   * `known` is what an earlier following left behind: it stays until a new snapshot is complete.
   */
  follow<T extends Target>(target: T, known?: DataOf<T>): () => void;
  /** Follows a target that is about to show, for as long as it may take to show. */
  ahead(target: Target): void;
  /** Opens the line before anything is followed: the first list need not wait for it. */
  open(): void;
  /** Tries a lost line again at once instead of waiting: somebody came back, or the network did. */
  wake(): void;
  /** Asks the server to try again at once. */
  retry(target: Target): void;
  /** Whether what is known of a target is still being kept current. */
  isFollowed(target: Target): boolean;
  /**
   * Whether what shows of the objects of a kind in a cluster may be out of date: the line is lost, or a list, an object or
   * a dashboard that is followed is stale, reconnecting, or not yet complete again after a pause. What loads for the first
   * time shows nothing yet.
   */
  isStale(clusterId: number, kind: string): boolean;
  close(): void;
}

/** Changes of one list are handed on at most this often (ms), those of other lists along with them. */
const batch = 100;
/** Lists of more rows than this are handed on less often: what shows them goes over all rows each time. */
const manyRows = 20_000;
const batchOfMany = 250;
/** So long the first rows of a list have the page to themselves, to be drawn, before the others are read (ms). */
const firstRowsAlone = 50;
/** What was asked for ahead is let go after this, followed by then or not (ms). */
const aheadFor = 10_000;
/** A line that was silent for so long is dead (ms). */
const silence = beatInterval * 2.5;

interface Followed {
  readonly target: Target;
  id: number;
  followers: number;
  subscription: Subscription;
  /** When its changes were last handed on, page's clock in ms. */
  flushedAt: number;
}

/** Opens the line when the first list is followed and keeps it while the page lives. */
export function createLive(parts: LiveParts): Live {
  const connection = cell<Connection>({
    phase: 'idle',
    attempt: 0,
    heardAt: 0,
    skew: 0,
    isOutdated: false,
    columns: {},
    clusters: {},
  });
  const lists = new Map<string, Followed>();
  const byId = new Map<number, Followed>();
  const dirty = new Set<Followed>();
  let socket: Socket | undefined;
  let nextId = 1;
  let cancelRetry: (() => void) | undefined;
  let cancelSilence: (() => void) | undefined;
  let cancelBeat: (() => void) | undefined;
  let cancelFlush: (() => void) | undefined;
  let flushAt = Number.POSITIVE_INFINITY;
  /** Messages that wait until the first rows were drawn. */
  const heldBack: string[] = [];
  let isHolding = false;
  let cancelHold: (() => void) | undefined;
  let isClosed = false;

  const note = (change: Partial<Connection>) => connection.update((value) => ({ ...value, ...change }));
  const send = (message: ClientMessage) => socket?.send(JSON.stringify(message));
  const isOpen = () => connection.get().phase === 'open';

  const flush = () => {
    cancelFlush?.();
    cancelFlush = undefined;
    flushAt = Number.POSITIVE_INFINITY;
    if (dirty.size === 0) return;
    const now = parts.now();
    const changed = [...dirty].map((one) => {
      one.flushedAt = now;
      one.subscription = settled(one.subscription);
      return [one.target, one.subscription.data] as const;
    });
    dirty.clear();
    parts.onChanged(changed);
  };
  /** Hands on in a task of its own: what is read now and what is drawn then would be one long task together. */
  const flushNext = () => {
    cancelFlush?.();
    flushAt = parts.now();
    cancelFlush = parts.later(flush, 0);
  };
  const changed = (one: Followed) => {
    dirty.add(one);
    const { data } = one.subscription;
    const wait = data.complete && 'rows' in data && data.rows.size > manyRows ? batchOfMany : batch;
    // The first change of a list after a quiet while does not wait, whatever else changes on the page.
    const now = parts.now();
    const due = Math.max(now, Math.min(now + wait, one.flushedAt + wait));
    if (due >= flushAt) return;
    cancelFlush?.();
    flushAt = due;
    cancelFlush = parts.later(flush, due - now);
  };

  const subscribe = (one: Followed) => {
    byId.delete(one.id);
    const asked = socket?.asked?.();
    const isAsked = asked === JSON.stringify(subscribeMessage(one.target, firstId));
    if (asked !== undefined && !isAsked) send({ type: 'unsubscribe', id: firstId });
    one.id = isAsked ? firstId : nextId;
    if (!isAsked) nextId += 1;
    byId.set(one.id, one);
    one.subscription = renewed(one.subscription.data, one.subscription.pending);
    if (!isAsked) send(subscribeMessage(one.target, one.id));
  };

  const listenForSilence = () => {
    cancelSilence?.();
    cancelSilence = parts.later(() => drop(), silence);
  };
  const beat = () => {
    cancelBeat = parts.later(() => {
      send({ type: 'beat' });
      beat();
    }, beatInterval);
  };

  /** Gives the present socket up and plans the next. */
  const drop = () => {
    const old = socket;
    socket = undefined;
    cancelSilence?.();
    cancelBeat?.();
    cancelRetry?.();
    cancelHold?.();
    heldBack.length = 0;
    isHolding = false;
    old?.close();
    if (isClosed) return;
    const attempt = connection.get().attempt + 1;
    note({ phase: 'lost', attempt });
    cancelRetry = parts.later(open, backoff(attempt, parts.random()));
  };

  /** Reads what was held back, until something holds back again. */
  const release = () => {
    isHolding = false;
    for (const text of heldBack.splice(0)) {
      if (isHolding) heldBack.push(text);
      else hear(JSON.parse(text) as ServerMessage);
    }
  };
  const holdBack = () => {
    isHolding = true;
    cancelHold?.();
    cancelHold = parts.later(release, firstRowsAlone);
  };

  const hear = (message: ServerMessage) => {
    switch (message.type) {
      case 'hello': {
        const isOutdated =
          message.protocol !== liveProtocol || (parts.build !== '' && message.build !== parts.build);
        const skew = Date.parse(message.now) - parts.now();
        note({ phase: 'open', attempt: 0, skew, columns: message.columns, isOutdated });
        for (const one of lists.values()) subscribe(one);
        // What was asked for early and nobody follows: its answer would be lost, and later taken for given.
        if (socket?.asked?.() !== undefined) send({ type: 'unsubscribe', id: firstId });
        return;
      }
      case 'beat':
        note({ skew: Date.parse(message.now) - parts.now() });
        return;
      case 'grants':
        parts.onGrants();
        return;
      case 'heard': {
        const { clusters, skew } = connection.get();
        note({ clusters: { ...clusters, [message.clusterId]: Date.parse(message.at) - skew } });
        return;
      }
      case 'jobs':
        parts.onJobs(message.clusterId);
        return;
      case 'preferences':
        parts.onPreferences();
        return;
      case 'snapshot':
      case 'changes':
      case 'state':
      case 'object':
      case 'surroundings':
      case 'gone':
      case 'dashboard':
      case 'tallies':
      case 'kind':
      case 'ended': {
        const one = byId.get(message.id);
        if (one === undefined) return;
        const wasComplete = one.subscription.data.complete;
        const next = applyMessage(one.subscription, message);
        if (next === 'gap') {
          send({ type: 'unsubscribe', id: one.id });
          subscribe(one);
          return;
        }
        if (next.data !== one.subscription.data || next.pending !== undefined) changed(one);
        one.subscription = next;
        // The first rows of a list are not kept waiting, nor are the last, nor an object or a dashboard; those between
        // come many a second, and each drawing would go over all rows.
        const isBetween = message.type === 'snapshot' && !message.reset && !message.done;
        if (!wasComplete && !isBetween && message.type !== 'state' && message.type !== 'ended') flushNext();
        if (!wasComplete && message.type === 'snapshot' && message.reset && !message.done) holdBack();
        return;
      }
      default: {
        // A newer server may say more than this page knows.
        const unknown: never = message;
        console.warn('The server sent a message that this page does not understand.', unknown);
      }
    }
  };

  const open = () => {
    if (isClosed || socket !== undefined) return;
    cancelRetry?.();
    cancelRetry = undefined;
    if (connection.get().phase === 'idle') note({ phase: 'connecting' });
    const mine = parts.connect({
      onOpen: () => {
        if (socket !== mine) return;
        listenForSilence();
        beat();
      },
      onMessage: (text) => {
        if (socket !== mine) return;
        listenForSilence();
        note({ heardAt: parts.now() });
        if (isHolding) heldBack.push(text);
        else hear(JSON.parse(text) as ServerMessage);
      },
      onClose: (code) => {
        if (socket !== mine) return;
        drop();
        if (code !== liveClose.signedOut) return;
        cancelRetry?.();
        note({ phase: 'idle' });
        parts.onSignedOut('Your session ended.');
      },
    });
    socket = mine;
    listenForSilence();
  };

  const follow: Live['follow'] = (target, known) => {
    const key = targetKey(target);
    let one = lists.get(key);
    if (one === undefined) {
      const now = new Date(parts.now() + connection.get().skew).toISOString();
      one = {
        target,
        id: 0,
        followers: 0,
        subscription: renewed<LiveData>(known ?? unknownData(target, now)),
        flushedAt: Number.NEGATIVE_INFINITY,
      };
      lists.set(key, one);
      if (isOpen()) subscribe(one);
      else open();
    }
    one.followers += 1;
    const followed = one;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      followed.followers -= 1;
      if (followed.followers > 0) return;
      lists.delete(key);
      byId.delete(followed.id);
      dirty.delete(followed);
      if (isOpen()) send({ type: 'unsubscribe', id: followed.id });
    };
  };

  return {
    connection,
    follow,
    ahead: (target) => void parts.later(follow(target), aheadFor),
    open: () => {
      if (connection.get().phase === 'idle') open();
    },
    wake: () => {
      if (connection.get().phase === 'lost') open();
    },
    retry: (target) => {
      const one = lists.get(targetKey(target));
      if (one === undefined) return;
      if (!isOpen()) {
        if (socket === undefined) open();
        return;
      }
      if (one.subscription.data.ended === undefined) send({ type: 'retry', id: one.id });
      else subscribe(one);
    },
    isFollowed: (target) => lists.has(targetKey(target)),
    isStale: (clusterId, kind) =>
      connection.get().phase === 'lost' ||
      [...lists.values()].some(
        ({ target, subscription: { data } }) =>
          target.clusterId === clusterId &&
          (target.type === 'dashboard' || ('kind' in target && target.kind === kind)) &&
          (data.state.status === 'stale' ||
            data.state.status === 'silent' ||
            data.state.status === 'reconnecting' ||
            data.pausedAt !== undefined),
      ),
    close: () => {
      isClosed = true;
      flush();
      drop();
      cancelRetry?.();
      note({ phase: 'idle', attempt: 0 });
      isClosed = false;
    },
  };
}
