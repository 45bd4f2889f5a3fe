import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { beatInterval, liveClose } from '../../contract/live.ts';
import type { LogQuery } from '../../contract/log.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { type Clock, systemClock } from '../live/clock.ts';
import { currentMember, openSessions } from '../live/people.ts';
import type { ClusterRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { followLog, type LogOutcome } from './follow.ts';
import { createLogSender } from './sender.ts';

/** Times of a log's socket, ms. */
export const logSocketLimits = {
  /** A page that is not heard of for this long (not even a pong) is gone. */
  silence: 45_000,
  /** Grants that could not be read are read again after this; nothing is sent meanwhile. */
  recheck: 2_000,
  /** A close that the page does not answer is forced after this. */
  closing: 2_000,
} as const;
/** Sessions are looked up every so many beats: expiry is nothing anybody is told about. */
const beatsPerSessionCheck = 4;

/** A log that somebody asks for; they were found to have `pods.view` on the cluster a moment ago. */
export interface LogOpening {
  readonly person: Member;
  readonly cluster: ClusterRow;
  readonly namespace: string;
  readonly name: string;
  readonly query: LogQuery;
}

/** Every open log: each ends at once with its person's grant or session. */
export interface Logs {
  readonly size: number;
  serve(socket: WebSocket, opening: LogOpening): void;
  close(): Promise<void>;
}

export interface LogsOptions {
  readonly grants: Grants;
  readonly clusters: Pick<ClusterDirectory, 'transport'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly log: Logger;
  readonly clock?: Clock;
}

interface OpenLog {
  readonly person: Member;
  readonly companyId: number;
  readonly closed: Promise<void>;
  recheck(): void;
  signOut(): void;
  beat(): void;
  shut(): void;
}

/** What a log's socket is for: pods, as lists of them are. */
const need = 'pods.view';

export function createLogs(options: LogsOptions): Logs {
  const { store, log, clock = systemClock } = options;
  const open = new Set<OpenLog>();
  let beats = 0;

  function recheck(companyId: number | undefined): void {
    for (const one of open) if (companyId === undefined || one.companyId === companyId) one.recheck();
  }

  async function checkSessions(): Promise<void> {
    try {
      const asked = [...open];
      const valid = await openSessions(
        store.db,
        asked.map(({ person }) => person.sessionHash),
      );
      for (const one of asked) if (!valid.has(one.person.sessionHash)) one.signOut();
    } catch (error) {
      log.error(
        { err: error },
        'Sessions of open logs could not be read; they are looked up again in a minute',
      );
    }
  }

  function beat(): void {
    cancelBeat = clock.after(beatInterval, beat);
    for (const one of open) one.beat();
    beats += 1;
    if (beats % beatsPerSessionCheck === 0 && open.size > 0) void checkSessions();
  }

  let cancelBeat = clock.after(beatInterval, beat);
  const disposers = [
    store.channel.on('grants', ({ companyId }) => recheck(companyId)),
    store.channel.on('clusters', ({ companyId }) => recheck(companyId)),
    store.channel.on('sessions', ({ userId, tokenHash }) => {
      for (const one of open) {
        if (one.person.id !== userId) continue;
        if (tokenHash === undefined) one.recheck();
        else if (one.person.sessionHash === tokenHash) one.signOut();
      }
    }),
    store.channel.onGap(() => recheck(undefined)),
  ];

  return {
    get size() {
      return open.size;
    },
    serve(socket, opening) {
      const one: OpenLog = openLog(socket, opening, { ...options, clock }, () => open.delete(one));
      open.add(one);
    },
    async close() {
      cancelBeat();
      for (const dispose of disposers) dispose();
      const all = [...open];
      for (const one of all) one.shut();
      await Promise.all(all.map(({ closed }) => closed));
    },
  };
}

function openLog(
  socket: WebSocket,
  { person, cluster, namespace, name, query }: LogOpening,
  { grants, clusters, store, log, clock }: LogsOptions & { readonly clock: Clock },
  onClosed: () => void,
): OpenLog {
  const reading = new AbortController();
  const closed = Promise.withResolvers<void>();
  let isClosed = false;
  let heardAt = clock.now();
  /** Goes up with each recheck: an answer from before counts for nothing. */
  let epoch = 0;
  let cancelRecheck: (() => void) | undefined;
  let cancelClosing: (() => void) | undefined;
  const sender = createLogSender(
    {
      get unsent() {
        return socket.bufferedAmount;
      },
      send(text, sent) {
        if (socket.readyState === socket.OPEN) socket.send(text, { compress: text.length > 1024 }, sent);
      },
    },
    clock,
    query.follow === 'true',
  );

  function finish(): void {
    if (isClosed) return;
    isClosed = true;
    reading.abort();
    sender.dispose();
    cancelRecheck?.();
  }

  function close(code: number, reason: string): void {
    if (isClosed) return;
    finish();
    socket.close(code, reason);
    cancelClosing = clock.after(logSocketLimits.closing, () => socket.terminate());
  }

  function end(outcome: LogOutcome): void {
    if (isClosed) return;
    sender.end(outcome, () => close(1000, ''));
  }

  async function recheck(): Promise<void> {
    if (isClosed) return;
    epoch += 1;
    const mine = epoch;
    sender.hold();
    try {
      const now = await currentMember(store.db, person);
      if (mine !== epoch || isClosed) return;
      if (now === undefined) {
        close(liveClose.signedOut, 'The session ended.');
        return;
      }
      await grants.require(now, cluster.id, need);
      if (mine === epoch) sender.release();
    } catch (error) {
      if (mine !== epoch || isClosed) return;
      if (error instanceof Problem && error.status < 500) {
        deny(error.title);
        return;
      }
      log.error({ err: error, userId: person.id }, 'Grants could not be read; no log is sent until they are');
      cancelRecheck = clock.after(logSocketLimits.recheck, () => void recheck());
    }
  }

  /** Nothing that was held back is sent any more. */
  function deny(title: string): void {
    if (socket.readyState === socket.OPEN) {
      socket.send(JSON.stringify({ type: 'ended', reason: 'denied', title }));
    }
    close(1000, '');
  }

  socket.on('pong', () => {
    heardAt = clock.now();
  });
  socket.on('message', () => close(1008, 'A log takes no messages.'));
  socket.on('error', (error) => log.debug({ err: error }, 'The socket of a log failed'));
  socket.on('close', () => {
    finish();
    cancelClosing?.();
    onClosed();
    closed.resolve();
  });

  // The guard's answer may be from before a change that nobody told this socket about.
  void recheck();
  followLog(
    {
      namespace,
      name,
      query,
      cluster: cluster.name,
      transport: () => clusters.transport(cluster.id),
      clock,
      signal: reading.signal,
      onError: (error) => log.error({ err: error, clusterId: cluster.id }, 'A log could not be read'),
    },
    sender,
  ).then(end, (error: unknown) => {
    if (reading.signal.aborted) return;
    log.error({ err: error, clusterId: cluster.id }, 'A log ended');
    end({ reason: 'unreachable', title: 'This console failed to read the log; its own log says why.' });
  });

  return {
    person,
    companyId: person.companyId,
    closed: closed.promise,
    recheck: () => void recheck(),
    signOut: () => close(liveClose.signedOut, 'The session ended.'),
    beat() {
      if (clock.now() - heardAt > logSocketLimits.silence) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    },
    shut: () => close(liveClose.restart, 'The server is restarting.'),
  };
}
