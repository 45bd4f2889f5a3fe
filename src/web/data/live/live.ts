import { parseExactJson } from '../../../kube/exact-json.ts';
import type { ClientMessage, ServerMessage } from '../../../contract/live.ts';
import { beatInterval, liveClose, liveProtocol } from '../../../contract/live-socket.ts';
import { firstId } from './first-message.ts';
import { type Cell, cell } from '../../core/state/state.ts';
import { ReconnectingSocket, type SocketState } from '../socket/reconnecting-socket.ts';
import type { Connect } from '../socket/socket.ts';
import { ChangeBatches } from './change-batches.ts';
import { applyMessage, renewed, settled, unknownData } from './subscription.ts';
import type { Subscription } from './base.ts';
import type { LiveList } from './rows.ts';
import {
  type DataOf,
  type ListTarget,
  type LiveData,
  subscribeMessage,
  type Target,
  targetKey,
} from './targets.ts';

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
  /** Since when the server has no database, page's clock in ms; undefined while it has. */
  readonly storeAwaySince: number | undefined;
  /** Column ids by kind, in the order of a row's cells. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** When each cluster that is followed last said anything to the server, by its id; page's clock in ms. */
  readonly clusters: Readonly<Record<string, number>>;
  /** How far the clock of a cluster is ahead of the server's, ms, by its id; absent where they agree. */
  readonly ahead: Readonly<Record<string, number>>;
}

/** Parts of the browser and the app that the live client needs. */
export interface LiveParts {
  readonly connect: Connect;
  readonly now: () => number;
  readonly random: () => number;
  /** Runs something later; returns how to cancel it. */
  readonly later: (run: () => void, ms: number) => () => void;
  /** The page's own build; empty where it does not know. */
  readonly build: string;
  /** Reports the targets that changed since the last call, at most once a batch. */
  readonly onChanged: (changed: readonly (readonly [Target, LiveData])[]) => void;
  readonly onGrants: () => void;
  /** What the company is called, or what waits for the person, changed. */
  readonly onAccount: () => void;
  /** How the person likes the console changed elsewhere. */
  readonly onPreferences: () => void;
  /** What the person was told of what they follow, or what they follow, changed. */
  readonly onNotifications: () => void;
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
  /** Shows what an earlier visit left of a list that nothing has arrived of yet: it stays until a snapshot is complete. */
  recall(target: ListTarget, list: LiveList): void;
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

/** Lists of more rows than this are handed on less often: what shows them goes over all rows each time. */
const manyRows = 20_000;
/** Time that the first rows of a list have for themselves, to be rendered, before other messages are read (ms). */
const firstRowsTime = 50;
/** Time after which a target that was followed ahead is let go (ms). */
const aheadTime = 10_000;
/** A connection that is silent for this time is dead (ms). */
const silence = beatInterval * 2.5;

interface Followed {
  readonly target: Target;
  id: number;
  followers: number;
  subscription: Subscription<LiveData>;
}

const isLarge = ({ subscription: { data } }: Followed): boolean =>
  data.complete && 'rows' in data && data.rows.size > manyRows;

/** Opens the connection when the first list is followed and keeps it while the page lives. */
export const createLive = (parts: LiveParts): Live => new LiveClient(parts);

class LiveClient implements Live {
  readonly connection = cell<Connection>({
    phase: 'idle',
    attempt: 0,
    heardAt: 0,
    skew: 0,
    isOutdated: false,
    storeAwaySince: undefined,
    columns: {},
    clusters: {},
    ahead: {},
  });
  readonly #parts: LiveParts;
  readonly #socket: ReconnectingSocket;
  readonly #batches: ChangeBatches<Followed>;
  readonly #followed = new Map<string, Followed>();
  readonly #byId = new Map<number, Followed>();
  #nextId = 1;
  #cancelBeat: (() => void) | undefined;
  /** Whether there was a connection before the present one. */
  #wasOpen = false;
  /** Messages that wait until the first rows were rendered; undefined while messages are read at once. */
  #waiting: string[] | undefined;
  #cancelWaiting: (() => void) | undefined;

  constructor(parts: LiveParts) {
    const { connect, later, random, now } = parts;
    this.#parts = parts;
    this.#socket = new ReconnectingSocket({
      connect,
      later,
      random,
      silence,
      isFinal: (code) => code === liveClose.signedOut,
      onState: (state) => this.#follow(state),
      onOpen: () => this.#beat(),
      onMessage: (text) => {
        this.#note({ heardAt: now() });
        this.#read(text);
      },
    });
    this.#batches = new ChangeBatches({ now, later, isLarge, hand: (changed) => this.#hand(changed) });
  }

  follow<T extends Target>(target: T, known?: DataOf<T>): () => void {
    const followed = this.#followed.get(targetKey(target)) ?? this.#begin(target, known);
    followed.followers += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#leave(followed);
    };
  }

  ahead(target: Target): void {
    this.#parts.later(this.follow(target), aheadTime);
  }

  recall(target: ListTarget, list: LiveList): void {
    const followed = this.#followed.get(targetKey(target));
    if (followed === undefined) return;
    const { data, pending } = followed.subscription;
    if (data.complete || data.ended !== undefined || pending !== undefined) return;
    if ('rows' in data && data.rows.size > 0) return;
    followed.subscription = { ...followed.subscription, data: { ...list, state: data.state } };
    this.#batches.add(followed);
    this.#batches.flushNext();
  }

  open(): void {
    const { phase } = this.#socket.state;
    if (phase === 'idle' || phase === 'closed') this.#socket.open();
  }

  wake(): void {
    if (this.#socket.state.phase === 'lost') this.#socket.open();
  }

  retry(target: Target): void {
    const followed = this.#followed.get(targetKey(target));
    if (followed === undefined) return;
    if (!this.#isOpen) this.#socket.open();
    else if (followed.subscription.data.ended === undefined) this.#send({ type: 'retry', id: followed.id });
    else this.#subscribe(followed);
  }

  isFollowed(target: Target): boolean {
    return this.#followed.has(targetKey(target));
  }

  isStale(clusterId: number, kind: string): boolean {
    if (this.#socket.state.phase === 'lost') return true;
    return [...this.#followed.values()].some(({ target, subscription: { data } }) => {
      const isOfKind = target.type === 'dashboard' || ('kind' in target && target.kind === kind);
      if (target.clusterId !== clusterId || !isOfKind) return false;
      return staleStatuses.has(data.state.status) || data.pausedAt !== undefined;
    });
  }

  close(): void {
    this.#batches.flush();
    this.#socket.close();
  }

  get #isOpen(): boolean {
    return this.#socket.state.phase === 'open';
  }

  #note(change: Partial<Connection>): void {
    this.connection.update((value) => ({ ...value, ...change }));
  }

  #send(message: ClientMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Follows what the socket is doing. */
  #follow(state: SocketState): void {
    if (state.phase === 'connecting') {
      this.#note({ phase: 'connecting' });
      return;
    }
    if (state.phase === 'open') return;
    this.#cancelBeat?.();
    this.#cancelWaiting?.();
    this.#waiting = undefined;
    if (state.phase === 'lost') this.#note({ phase: 'lost', attempt: state.attempt });
    else this.#note({ phase: 'idle', attempt: 0 });
    if (state.phase === 'closed') this.#parts.onSignedOut('Your session ended.');
  }

  #beat(): void {
    this.#cancelBeat = this.#parts.later(() => {
      this.#send({ type: 'beat' });
      this.#beat();
    }, beatInterval);
  }

  #hand(changed: readonly Followed[]): void {
    const handed = changed.map((one) => {
      one.subscription = settled(one.subscription);
      return [one.target, one.subscription.data] as const;
    });
    this.#parts.onChanged(handed);
  }

  #begin<T extends Target>(target: T, known: DataOf<T> | undefined): Followed {
    const now = new Date(this.#parts.now() + this.connection.get().skew).toISOString();
    const followed: Followed = {
      target,
      id: 0,
      followers: 0,
      subscription: renewed<LiveData>(known ?? unknownData(target, now)),
    };
    this.#followed.set(targetKey(target), followed);
    if (this.#isOpen) this.#subscribe(followed);
    else this.#socket.open();
    return followed;
  }

  #leave(followed: Followed): void {
    followed.followers -= 1;
    if (followed.followers > 0) return;
    this.#followed.delete(targetKey(followed.target));
    this.#byId.delete(followed.id);
    this.#batches.remove(followed);
    if (this.#isOpen) this.#send({ type: 'unsubscribe', id: followed.id });
  }

  /** Asks the server for a target, unless that was done before the page had the connection. */
  #subscribe(followed: Followed): void {
    this.#byId.delete(followed.id);
    const asked = this.#socket.asked();
    const isAsked = asked === JSON.stringify(subscribeMessage(followed.target, firstId));
    if (asked !== undefined && !isAsked) this.#send({ type: 'unsubscribe', id: firstId });
    followed.id = isAsked ? firstId : this.#nextId;
    if (!isAsked) this.#nextId += 1;
    this.#byId.set(followed.id, followed);
    followed.subscription = renewed(followed.subscription.data, followed.subscription.pending);
    if (!isAsked) this.#send(subscribeMessage(followed.target, followed.id));
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case 'hello':
        this.#greet(message);
        break;
      case 'beat':
        this.#note({ skew: Date.parse(message.now) - this.#parts.now() });
        break;
      case 'store': {
        const { awaySince } = message;
        const { skew } = this.connection.get();
        this.#note({ storeAwaySince: awaySince === null ? undefined : Date.parse(awaySince) - skew });
        break;
      }
      case 'grants':
        this.#parts.onGrants();
        break;
      case 'heard': {
        const { clusters, ahead, skew } = this.connection.get();
        const { clusterId, ahead: found = 0 } = message;
        this.#note({
          clusters: { ...clusters, [clusterId]: Date.parse(message.at) - skew },
          ...(ahead[clusterId] === found || (found === 0 && ahead[clusterId] === undefined)
            ? {}
            : { ahead: { ...ahead, [clusterId]: found } }),
        });
        break;
      }
      case 'jobs':
        this.#parts.onJobs(message.clusterId);
        break;
      case 'account':
        this.#parts.onAccount();
        break;
      case 'preferences':
        this.#parts.onPreferences();
        break;
      case 'notifications':
        this.#parts.onNotifications();
        break;
      case 'snapshot':
      case 'changes':
      case 'state':
      case 'object':
      case 'surroundings':
      case 'gone':
      case 'dashboard':
      case 'tallies':
      case 'kind':
      case 'ended':
        this.#take(message);
        break;
      default: {
        // A newer server may send more than this page knows.
        const unknown: never = message;
        console.warn('The server sent a message that this page does not understand.', unknown);
      }
    }
  }

  #greet(hello: Extract<ServerMessage, { readonly type: 'hello' }>): void {
    const { build, now } = this.#parts;
    const isOutdated = hello.protocol !== liveProtocol || (build !== '' && hello.build !== build);
    this.#socket.confirm();
    const skew = Date.parse(hello.now) - now();
    this.#note({
      phase: 'open',
      attempt: 0,
      skew,
      columns: hello.columns,
      isOutdated,
      // The server says so after this where it has none.
      storeAwaySince: undefined,
    });
    for (const followed of this.#followed.values()) this.#subscribe(followed);
    if (this.#wasOpen) this.#catchUp();
    this.#wasOpen = true;
    // Subscribed early, but no view follows it: its answer would be lost, and later be mistaken for a delivered one.
    if (this.#socket.asked() !== undefined) this.#send({ type: 'unsubscribe', id: firstId });
  }

  /** Has everything read again that the server notifies of: what it said while there was no connection is lost. */
  #catchUp(): void {
    const { onGrants, onAccount, onPreferences, onNotifications, onJobs } = this.#parts;
    for (const read of [onGrants, onAccount, onPreferences, onNotifications]) read();
    const clusterIds = [...this.#followed.values()].map(({ target }) => target.clusterId);
    for (const clusterId of new Set(clusterIds)) onJobs(clusterId);
  }

  /** Applies a message of a subscription. */
  #take(message: SubscriptionMessage): void {
    const followed = this.#byId.get(message.id);
    if (followed === undefined) return;
    const wasComplete = followed.subscription.data.complete;
    const next = applyMessage(followed.subscription, message);
    if (next === 'gap') {
      this.#send({ type: 'unsubscribe', id: followed.id });
      this.#subscribe(followed);
      return;
    }
    if (next.data !== followed.subscription.data || next.pending !== undefined) this.#batches.add(followed);
    followed.subscription = next;
    if (wasComplete || message.type === 'state' || message.type === 'ended') return;
    // The first rows of a list are handed on at once, so are the last, and an object or a dashboard. Those between come
    // many a second, and each rendering would go over all rows.
    const isBetween =
      message.type === 'changes' || (message.type === 'snapshot' && !message.reset && !message.done);
    if (!isBetween) this.#batches.flushNext();
    if (message.type === 'snapshot' && message.reset && !message.done) this.#wait();
  }

  /** Lets messages wait until the first rows were rendered. */
  #wait(): void {
    this.#waiting ??= [];
    this.#cancelWaiting?.();
    this.#cancelWaiting = this.#parts.later(() => this.#readWaiting(), firstRowsTime);
  }

  /** Reads the messages that waited; one of them may make those behind it wait again. */
  #readWaiting(): void {
    const texts = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const text of texts) this.#read(text);
  }

  #read(text: string): void {
    if (this.#waiting === undefined) this.#hear(parseExactJson(text) as ServerMessage);
    else this.#waiting.push(text);
  }
}

/** States of rows that may be out of date. */
const staleStatuses: ReadonlySet<string> = new Set(['stale', 'silent', 'reconnecting']);

/** A message of one subscription. */
type SubscriptionMessage = Parameters<typeof applyMessage>[1];
