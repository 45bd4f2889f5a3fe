import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { type ClientMessage, clientMessageSchema, liveClose } from '../../contract/live.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import { markOf, type SessionRights } from '../access/standing.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import type { AnyKind, Kind } from '../../registry/kind.ts';
import type { ClusterRow } from '../store/schema.ts';
import { type Access, readAccess } from './access.ts';
import { type Channel, createNumbered, type Post, type PostOptions } from './channel.ts';
import type { Clock } from '../kit/clock.ts';
import type { ClusterLive } from './cluster.ts';
import { createLookers } from './lookers.ts';
import { createPace } from './pace.ts';
import { pageLimits } from './page-limits.ts';
import { type Plan, planOf, type SubscribeMessage } from './plan.ts';
import { frameBefore } from './shared-text.ts';

/** A beginning of a message that is longer (characters of three bytes) does not fit in one stored block. */
const longestHead = 21_845;

/** Close code of a message that breaks the protocol (RFC 6455: policy violation). */
const policyViolation = 1008;

export interface PageOptions {
  readonly socket: WebSocket;
  /** What the socket writes to. */
  readonly wire: Pick<Duplex, 'cork' | 'uncork' | 'write'>;
  readonly person: Member;
  readonly grants: Grants;
  readonly kindById: (id: string) => Kind | undefined;
  /** A kind that pages do not know, as a cluster has it. Authorise for the cluster first. Throws Problem. */
  readonly findKind: (cluster: ClusterRow, name: string) => Promise<AnyKind>;
  /** What is shared of a cluster, by what is now stored of it. Authorise first. */
  readonly cluster: (cluster: ClusterRow) => ClusterLive;
  /** Asks a cluster at once, even one that is left alone for a while after failures. Never throws. */
  readonly probe: (clusterId: number) => Promise<unknown>;
  /** The person now, or undefined when their session or membership is over. */
  readonly current: (person: Member) => Promise<Member | undefined>;
  readonly onClosed: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One page's socket and its subscriptions. */
export interface Page {
  readonly person: Member;
  readonly subscriptions: number;
  post(text: string): void;
  /** Checks every subscription against current grants; nothing is sent meanwhile. */
  recheck(): void;
  clusterIds(): ReadonlySet<number>;
  /**
   * Whether every subscription still has the rights that it was opened with.
   * @param standing the person's now; undefined when their session ended
   */
  agrees(standing: SessionRights | undefined): boolean;
  /** Sends a message if the page has something of this cluster open. */
  tell(clusterId: number, text: string): void;
  /** Ends the subscriptions to a cluster that is gone. */
  endCluster(clusterId: number, title: string): void;
  /** Sends a beat, and gives up a page that no longer answers. */
  beat(text: string): void;
  close(code: number, reason: string): void;
}

interface Open {
  readonly id: number;
  readonly clusterId: number;
  /** Numbers its messages, those of one channel after those of another. */
  readonly post: Post;
  /** Undefined while it is being read, and authorised for the first time. */
  opened?: { readonly plan: Plan; readonly channel: Channel; readonly endLook: () => void; mark: string };
  /** Goes up whenever it begins: an earlier beginning counts for nothing. */
  begun: number;
}

/** Serves one page until its socket closes. */
export function createPage(options: PageOptions): Page {
  const { socket, clock, grants, log } = options;
  let person = options.person;
  const open = new Map<number, Open>();
  const isDeflating = socket.extensions.includes('permessage-deflate');
  let isClosed = false;
  /** Goes up with each recheck: an authorisation from before counts for nothing. */
  let epoch = 0;
  let heardAt = clock.now();
  const pace = createPace(pageLimits, () => clock.now());
  let isLagging = false;
  let resyncedAt = Number.NEGATIVE_INFINITY;
  const timers = new Set<() => void>();
  const look = createLookers(post);

  function after(ms: number, run: () => void): () => void {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
    return () => {
      timers.delete(cancel);
      cancel();
    };
  }

  /** A person does not wait out the pause of a cluster that failed: what comes of asking it ends that pause or not. */
  async function retry(id: number): Promise<void> {
    const entry = open.get(id);
    if (entry?.opened === undefined) return;
    if (!entry.opened.channel.isLive) await options.probe(entry.clusterId);
    if (open.get(id) === entry) entry.opened.channel.retry();
  }

  function caughtUp(): void {
    if (!isLagging || isClosed || socket.bufferedAmount > pageLimits.lowWater) return;
    isLagging = false;
    resyncedAt = clock.now();
    for (const { opened } of open.values()) opened?.channel.resync();
  }

  function lag(): void {
    if (clock.now() - resyncedAt < pageLimits.patience) {
      close(liveClose.lagging, 'This page does not keep up with the changes.');
      return;
    }
    isLagging = true;
    for (const { opened } of open.values()) opened?.channel.suspend();
    after(pageLimits.patience, () => {
      if (isLagging) close(liveClose.lagging, 'This page does not keep up with the changes.');
    });
  }

  function post(text: string, { sent, rest }: PostOptions = {}): void {
    if (isClosed || socket.readyState !== socket.OPEN) return;
    const deflated = isDeflating && text.length <= longestHead ? rest?.deflated : undefined;
    // A character is three bytes at most. Below low water nobody waits for what is sent to arrive.
    const unsent = socket.bufferedAmount + text.length * 3 + (deflated ?? rest?.plain ?? '').length;
    const done =
      sent === undefined && unsent <= pageLimits.lowWater
        ? undefined
        : (error?: Error | null) => {
            if (error != null || isClosed) return;
            sent?.();
            caughtUp();
          };
    // The library compresses nothing here, so that it holds nothing back that would have to go first.
    if (rest === undefined) socket.send(text, { compress: false }, done);
    else {
      // One message, written at once.
      options.wire.cork();
      if (deflated === undefined) {
        socket.send(Buffer.from(text), { compress: false, binary: false, fin: false });
        socket.send(rest.plain, { compress: false, binary: false, fin: true }, done);
      } else {
        options.wire.write(frameBefore(text, deflated.length));
        options.wire.write(deflated, done);
      }
      options.wire.uncork();
    }
    if (!isLagging && socket.bufferedAmount > pageLimits.highWater) lag();
  }

  function end(entry: Open, status: number, title: string): void {
    if (open.get(entry.id) !== entry) return;
    leave(entry);
    post(JSON.stringify({ type: 'ended', id: entry.id, status, title }));
  }

  function shut(entry: Open): void {
    entry.opened?.channel.leave();
    entry.opened?.endLook();
    delete entry.opened;
  }

  function leave(entry: Open): void {
    open.delete(entry.id);
    shut(entry);
  }

  function finish(): void {
    if (isClosed) return;
    isClosed = true;
    for (const entry of open.values()) leave(entry);
    for (const cancel of timers) cancel();
    timers.clear();
    options.onClosed();
  }

  function close(code: number, reason: string): void {
    if (isClosed) return;
    finish();
    socket.close(code, reason);
    const cancel = clock.after(pageLimits.closing, () => socket.terminate());
    socket.once('close', cancel);
  }

  /** What the person may do, by grants that no later message put in doubt. Throws Problem. */
  async function authorise({ clusterId }: Open, need: Plan['need']): Promise<Access> {
    for (;;) {
      const before = epoch;
      const access = await readAccess(grants, person, clusterId, need);
      if (before === epoch) return access;
    }
  }

  function endWith(entry: Open, error: unknown): void {
    if (error instanceof Problem) return end(entry, error.status, error.title);
    log.error({ err: error, clusterId: entry.clusterId }, 'A subscription failed');
    end(entry, 500, 'This console could not open the list; its log says why. Try again.');
  }

  async function subscribe(message: SubscribeMessage): Promise<void> {
    const { id, clusterId } = message;
    const refuse = (status: number, title: string) =>
      post(JSON.stringify({ type: 'ended', id, status, title }));
    if (open.has(id)) {
      close(policyViolation, `Subscription ${id} is open already.`);
      return;
    }
    if (open.size >= pageLimits.subscriptions) {
      refuse(429, `A page may have ${pageLimits.subscriptions} lists open; close some first.`);
      return;
    }
    const entry: Open = { id, clusterId, post: createNumbered(id, { post }), begun: 0 };
    open.set(id, entry);
    await begin(entry, message);
  }

  /** Opens a subscription, or opens it anew: what was open stays until there is something in its place. */
  async function begin(entry: Open, message: SubscribeMessage): Promise<void> {
    entry.begun += 1;
    const mine = entry.begun;
    const isOver = () => open.get(entry.id) !== entry || entry.begun !== mine;
    try {
      const plan = await planOf(message, {
        declared: options.kindById,
        // Reaching the cluster comes first: nobody else may have it asked about its kinds.
        find: async (name) => options.findKind(await grants.cluster(person, entry.clusterId), name),
      });
      if (isOver()) return;
      const access = await authorise(entry, plan.need);
      if (isOver()) return;
      const live = options.cluster(access.cluster);
      const renew = () => void begin(entry, message);
      const channel = plan.open({ post: entry.post, live, access, clock, renew });
      // The cluster is looked at without a gap.
      const endLook = look(entry.clusterId, live.pulse);
      shut(entry);
      entry.opened = { plan, channel, endLook, mark: markOf(access) };
      if (isOver()) {
        shut(entry);
        return;
      }
      if (isLagging) channel.suspend();
    } catch (error) {
      if (!isOver()) endWith(entry, error);
    }
  }

  async function recheck(): Promise<void> {
    if (isClosed) return;
    epoch += 1;
    const mine = epoch;
    for (const { opened } of open.values()) opened?.channel.hold();
    try {
      const now = await options.current(person);
      if (mine !== epoch || isClosed) return;
      if (now === undefined) {
        close(liveClose.signedOut, 'The session ended.');
        return;
      }
      person = now;
      await Promise.all([...open.values()].map((entry) => recheckOne(entry, mine)));
    } catch (error) {
      log.error(
        { err: error, userId: person.id },
        'Grants could not be read; nothing is sent until they are',
      );
      if (mine === epoch) after(pageLimits.recheck, () => void recheck());
    }
  }

  async function recheckOne(entry: Open, mine: number): Promise<void> {
    // One that is being authorised notices the new epoch by itself.
    const { opened } = entry;
    if (opened === undefined) return;
    try {
      const access = await readAccess(grants, person, entry.clusterId, opened.plan.need);
      if (mine !== epoch || open.get(entry.id) !== entry) return;
      options.cluster(access.cluster);
      opened.mark = markOf(access);
      opened.channel.release(access);
    } catch (error) {
      // Only an answer ends a list; a store that cannot be asked keeps it waiting.
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      if (mine === epoch) end(entry, error.status, error.title);
    }
  }

  function receive(text: string): void {
    if (pace.isTooFast()) {
      close(policyViolation, 'This page sends too many messages.');
      return;
    }
    let message: ClientMessage;
    try {
      message = clientMessageSchema.parse(JSON.parse(text));
    } catch {
      close(policyViolation, 'This page sent a message that the server does not understand.');
      return;
    }
    switch (message.type) {
      case 'subscribe':
        void subscribe(message);
        break;
      case 'unsubscribe': {
        const entry = open.get(message.id);
        if (entry !== undefined) leave(entry);
        break;
      }
      case 'retry':
        void retry(message.id);
        break;
      case 'beat':
        break;
    }
  }

  socket.on('message', (data, isBinary) => {
    heardAt = clock.now();
    if (isClosed) return;
    // The default binary type gives each message as one Buffer.
    if (isBinary || !Buffer.isBuffer(data)) close(policyViolation, 'This page sent a binary message.');
    else onBehalfOf(person.id, () => receive(data.toString('utf8')));
  });
  socket.on('pong', () => {
    heardAt = clock.now();
  });
  // A broken frame closes the socket by itself; without a listener it would end the process.
  socket.on('error', (error) => log.debug({ err: error }, 'A live socket failed'));
  socket.on('close', finish);

  return {
    get person() {
      return person;
    },
    get subscriptions() {
      return open.size;
    },
    post,
    tell(clusterId, text) {
      for (const entry of open.values()) {
        if (entry.clusterId !== clusterId || entry.opened === undefined) continue;
        post(text);
        return;
      }
    },
    recheck: () => void recheck(),
    clusterIds: () => new Set([...open.values()].map((entry) => entry.clusterId)),
    agrees: (standing) =>
      standing?.companyId === person.companyId &&
      [...open.values()].every(
        ({ clusterId, opened }) =>
          opened === undefined || opened.mark === markOf(standing.rights.get(clusterId)),
      ),
    endCluster(clusterId, title) {
      for (const entry of open.values()) if (entry.clusterId === clusterId) end(entry, 404, title);
    },
    beat(text) {
      if (isClosed) return;
      if (clock.now() - heardAt > pageLimits.silence) {
        finish();
        socket.terminate();
        return;
      }
      options.wire.cork();
      post(text);
      if (socket.readyState === socket.OPEN) socket.ping();
      options.wire.uncork();
    },
    close,
  };
}
