import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { beatInterval, liveClose } from '../../contract/live-socket.ts';
import { type Need, orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants } from './grants.ts';
import type { Place } from './held.ts';
import { type Member, onlyOwners } from './person.ts';
import { endWithGrants, type OpenOnGrants } from './open-grants.ts';
import type { Watched } from './rights-watch.ts';
import type { ClusterSettings, SessionRights } from './session-rights.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { currentMember } from './people.ts';
import type { Store } from '../store/store.ts';

/** Times of a socket that is attended to, ms. */
export const attendanceLimits = {
  /** A page that is not heard of for this long (not even a pong) is gone. */
  silence: 45_000,
  /** Grants that could not be read are read again after this; nothing is passed on meanwhile. */
  recheck: 2_000,
  /** A close that the page does not answer is forced after this. */
  closing: 2_000,
} as const;

/** What is needed, and where. */
export interface PlacedNeed {
  readonly need: Need;
  readonly place: Place;
}

/** Callbacks of an attended socket. */
export interface Attending {
  readonly person: Member;
  /** Null for what belongs to the company as a whole: Owners alone have it open. */
  readonly clusterId: number | null;
  /** What the person must hold on the cluster, all of it, while the socket is open. */
  readonly needs: readonly PlacedNeed[];
  /** Throws Problem when the cluster's own settings no longer allow it. */
  check?(cluster: ClusterSettings): void;
  /** Grants are being read again: nothing is passed on until `release`. */
  hold(): void;
  release(): void;
  /** The grant is gone: says so; the socket is closed afterwards. */
  denied(title: string): void;
  /** Called once when the socket has ended, whoever ended it. @param why a sentence */
  over(why: string): void;
}

/** A socket that is attended to. */
export interface Attended {
  /** Closes it; nothing more comes of it. */
  close(code: number, reason: string): void;
}

/** Sockets that end at once with their person's grant or session, and with the server. */
export interface Attendance {
  readonly size: number;
  /** How many sockets of a person are open. */
  sizeOf(personId: number): number;
  attend(socket: WebSocket, attending: Attending): Attended;
  close(): Promise<void>;
}

export interface AttendanceOptions {
  readonly grants: Grants;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly log: Logger;
  /** The sort of sockets. */
  readonly what: OpenOnGrants;
  readonly clock?: Clock;
}

interface OpenSocket extends Attended, Watched {
  readonly person: Member;
  readonly closed: Promise<void>;
  recheck(): void;
  signOut(): void;
  beat(): void;
}

/** Attends to sockets of one sort. */
export function createAttendance(options: AttendanceOptions): Attendance {
  const { store, log, what, clock = systemClock } = options;
  const open = new Set<OpenSocket>();

  function beat(): void {
    cancelBeat = clock.after(beatInterval, beat);
    for (const one of open) one.beat();
  }

  let cancelBeat = clock.after(beatInterval, beat);
  const dispose = endWithGrants(
    { store, log, clock },
    {
      what,
      open: () => open,
      endSession(userId, tokenHash) {
        for (const one of open) {
          if (one.person.id !== userId) continue;
          if (tokenHash === undefined) one.recheck();
          else if (one.person.sessionHash === tokenHash) one.signOut();
        }
      },
    },
  );

  return {
    get size() {
      return open.size;
    },
    sizeOf: (personId) => [...open].filter(({ person }) => person.id === personId).length,
    attend(socket, attending) {
      const one: OpenSocket = hold(socket, attending, { ...options, clock }, () => open.delete(one));
      open.add(one);
      // The guard may have answered before a change whose notice this socket missed.
      one.recheck();
      return one;
    },
    async close() {
      cancelBeat();
      dispose();
      const all = [...open];
      for (const one of all) one.close(liveClose.restart, 'The server is restarting.');
      await Promise.all(all.map(({ closed }) => closed));
    },
  };
}

function hold(
  socket: WebSocket,
  attending: Attending,
  { grants, store, log, what, clock }: AttendanceOptions & { readonly clock: Clock },
  onClosed: () => void,
): OpenSocket {
  const { person, clusterId, needs } = attending;
  const closed = Promise.withResolvers<void>();
  let isOver = false;
  let heardAt = clock.now();
  /** Incremented by each recheck: the answer of an earlier read is ignored. */
  let epoch = 0;
  let cancelRecheck: (() => void) | undefined;
  let cancelClosing: (() => void) | undefined;

  function finish(why: string): void {
    if (isOver) return;
    isOver = true;
    cancelRecheck?.();
    attending.over(why);
  }

  function close(code: number, reason: string, why = reason): void {
    if (isOver) return;
    finish(why);
    socket.close(code, reason);
    cancelClosing = clock.after(attendanceLimits.closing, () => socket.terminate());
  }

  const signOut = () => close(liveClose.signedOut, 'The session ended.');

  /** Passes nothing on until the rights are known; returns the number of this reading of them. */
  function holdUp(): number {
    epoch += 1;
    cancelRecheck?.();
    attending.hold();
    return epoch;
  }

  async function recheck(): Promise<void> {
    if (isOver) return;
    const mine = holdUp();
    try {
      const now = await currentMember(store.db, person);
      // For good, so that it counts whatever is asked anew meanwhile: on a busy server the later answer is late.
      if (now === undefined) {
        signOut();
        return;
      }
      if (mine !== epoch || isOver) return;
      if (clusterId === null) {
        if (now.orgRole !== orgRoles.Owner) throw onlyOwners();
      } else {
        for (const { need, place } of needs) {
          const cluster = await grants.require(now, clusterId, need, place);
          attending.check?.(cluster);
        }
      }
      if (mine === epoch && !isOver) attending.release();
    } catch (error) {
      if (mine !== epoch || isOver) return;
      if (error instanceof Problem && error.status < 500) {
        attending.denied(error.title);
        close(1000, '', error.title);
        return;
      }
      log.error(
        { err: error, userId: person.id },
        `Grants of open ${what} could not be read; nothing is passed on until they are`,
      );
      cancelRecheck = clock.after(attendanceLimits.recheck, () => void recheck());
    }
  }

  socket.on('pong', () => {
    heardAt = clock.now();
  });
  socket.on('message', () => {
    heardAt = clock.now();
  });
  socket.on('close', () => {
    finish('The page was closed.');
    cancelClosing?.();
    onClosed();
    closed.resolve();
  });

  return {
    person,
    companyId: person.companyId,
    sessionHash: person.sessionHash,
    clusterIds: new Set(clusterId === null ? [] : [clusterId]),
    compare(current) {
      // Asking again ends it with a sentence that says why.
      if (!isAllowed(attending, current)) void recheck();
    },
    hold() {
      if (isOver) return () => {};
      const mine = holdUp();
      return (current) => {
        if (isOver) return;
        if (!isAllowed(attending, current)) void recheck();
        else if (mine === epoch) attending.release();
      };
    },
    closed: closed.promise,
    close: (code, reason) => close(code, reason),
    recheck: () => void recheck(),
    signOut,
    beat() {
      if (clock.now() - heardAt > attendanceLimits.silence) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    },
  };
}

/** Whether its person may still have it open. */
function isAllowed(attending: Attending, current: SessionRights | undefined): boolean {
  const { person, clusterId, needs } = attending;
  if (current?.companyId !== person.companyId) return false;
  if (clusterId === null) return current.orgRole === orgRoles.Owner;
  const rights = current.rights.get(clusterId);
  if (rights === undefined) return false;
  if (!needs.every(({ need, place }) => rights.held.may(need, place))) return false;
  try {
    attending.check?.(rights.cluster);
    return true;
  } catch {
    return false;
  }
}
