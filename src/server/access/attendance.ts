import type { WebSocket } from 'ws';
import { beatInterval, liveClose } from '../../contract/live-socket.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import type { BearerRights } from './bearer-rights.ts';
import { type ClusterSettings, requireNeeds } from './grants.ts';
import type { PlacedNeed } from './held.ts';
import type { Open, OpenRights } from './open-rights.ts';
import type { OpenSortName } from './open-state.ts';
import { type Member, onlyOwners } from './person.ts';

/** Times of a socket that is attended to, ms. */
export const attendanceLimits = {
  /** A page that is not heard of for this long (not even a pong) is gone. */
  silence: 45_000,
  /** A close that the page does not answer is forced after this. */
  closing: 2_000,
} as const;

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

export interface AttendanceOptions {
  readonly rights: OpenRights;
  readonly clock?: Clock;
}

/** Sockets of one sort that end at once with their person's grant or session, and with the server. */
export class Attendance {
  readonly #rights: OpenRights;
  readonly #clock: Clock;
  readonly #sort: OpenSortName;
  readonly #sockets = new Set<AttendedSocket>();
  #cancelBeat: () => void;

  constructor(sort: OpenSortName, { rights, clock = systemClock }: AttendanceOptions) {
    this.#rights = rights;
    this.#clock = clock;
    this.#sort = sort;
    this.#cancelBeat = clock.after(beatInterval, () => this.#beat());
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** The number of open sockets of a person. */
  sizeOf(personId: number): number {
    return [...this.#sockets].filter(({ person }) => person.id === personId).length;
  }

  attend(socket: WebSocket, attending: Attending): AttendedSocket {
    const options = { rights: this.#rights, clock: this.#clock };
    const one = new AttendedSocket(this.#sort, socket, attending, options);
    this.#sockets.add(one);
    void one.closed.then(() => this.#sockets.delete(one));
    return one;
  }

  async close(): Promise<void> {
    this.#cancelBeat();
    const all = [...this.#sockets];
    for (const one of all) one.close(liveClose.restart, 'The server is restarting.');
    await Promise.all(all.map(({ closed }) => closed));
  }

  #beat(): void {
    this.#cancelBeat = this.#clock.after(beatInterval, () => this.#beat());
    for (const one of this.#sockets) one.beat();
  }
}

/** One of them. */
class AttendedSocket {
  /** Resolved once the socket is closed. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #attending: Attending;
  readonly #rights: OpenRights;
  readonly #clock: Clock;
  readonly #open: Open;
  #isOver = false;
  /** The time of the page's last message or pong, ms. */
  #heardAt: number;
  #cancelClosing: (() => void) | undefined;

  constructor(
    sort: OpenSortName,
    socket: WebSocket,
    attending: Attending,
    { rights, clock }: Required<AttendanceOptions>,
  ) {
    this.#socket = socket;
    this.#attending = attending;
    this.#rights = rights;
    this.#clock = clock;
    this.#heardAt = clock.now();
    const closed = Promise.withResolvers<void>();
    this.closed = closed.promise;
    const noteLife = () => {
      this.#heardAt = clock.now();
    };
    socket.on('pong', noteLife);
    socket.on('message', noteLife);
    socket.on('close', () => {
      this.#finish('The page was closed.');
      this.#cancelClosing?.();
      closed.resolve();
    });
    this.#open = rights.open({
      sort,
      person: attending.person,
      clusterId: attending.clusterId,
      judge: (current) => this.#judge(current),
      hold: () => attending.hold(),
      release: () => attending.release(),
      end: (why, event) => {
        if (event === 'signed out') this.close(liveClose.signedOut, 'The session ended.');
        else this.#deny(why);
      },
    });
    // The guard may have answered before a change whose notice this socket missed.
    rights.ask('doubt', [this.#open]);
  }

  get person(): Member {
    return this.#attending.person;
  }

  /** Closes it; nothing more comes of it. */
  close(code: number, reason: string, why = reason): void {
    if (this.#isOver) return;
    this.#finish(why);
    this.#socket.close(code, reason);
    this.#cancelClosing = this.#clock.after(attendanceLimits.closing, () => this.#socket.terminate());
  }

  /** Asks the page for a sign of life, and gives up one that has been silent for too long. */
  beat(): void {
    if (this.#clock.now() - this.#heardAt > attendanceLimits.silence) this.#socket.terminate();
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  #judge({ orgRole, rights }: BearerRights): boolean {
    const { clusterId, needs } = this.#attending;
    if (clusterId === null) {
      if (orgRole !== orgRoles.Owner) throw onlyOwners();
    } else {
      const { cluster } = requireNeeds(rights.get(clusterId), needs);
      this.#attending.check?.(cluster);
    }
    return false;
  }

  #deny(why: unknown): void {
    const title =
      why instanceof Problem
        ? why.title
        : 'This console failed to check your permissions. Try again; if it happens again, ask the operator, who finds the reason in its log.';
    // Nothing that waits to be passed on is.
    this.#attending.hold();
    this.#attending.denied(title);
    this.close(1000, '', title);
  }

  #finish(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#rights.end(this.#open);
    this.#attending.over(why);
  }
}
