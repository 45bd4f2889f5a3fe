import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { Problem } from '../../contract/problem.ts';
import type { ShellMessage, ShellQuery } from '../../contract/shell.ts';
import type { Grants } from '../access/grants.ts';
import { actorOf, type Member } from '../access/person.ts';
import { requireConfirmation, requireWritable } from '../actions/protection.ts';
import type { Audit } from '../audit/audit.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { type Attendance, createAttendance } from '../access/attendance.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import { auditStatus, outcomeOfFailure, type ShellOutcome, type ShellSubject } from './outcome.ts';
import { runTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** Terminals that one person may have open at a time, at most. */
export const shellsPerPerson = 12;
/** The permission that a terminal needs. */
const neededPermission = 'pods.manage';

/** A terminal that somebody asks for; they were found to have `pods.manage` on the cluster a moment ago. */
export interface ShellOpening {
  readonly person: Member;
  readonly cluster: ClusterRow;
  readonly namespace: string;
  readonly name: string;
  readonly query: ShellQuery;
  readonly address: string;
  readonly requestId: string;
}

export interface ShellsOptions {
  readonly grants: Grants;
  readonly clusters: Pick<ClusterDirectory, 'socket'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly audit: Audit;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** Throws Problem where a cluster takes no terminals. */
function requireShells(cluster: Pick<ClusterRow, 'name' | 'isShellAllowed' | 'isReadOnly'>): void {
  if (!cluster.isShellAllowed) {
    throw new Problem({ status: 403, title: `Shells are switched off for ${cluster.name} in this console.` });
  }
  requireWritable(cluster);
}

/** Every open terminal: each ends at once with its person's grant or session. */
export class Shells {
  readonly #options: ShellsOptions;
  readonly #clock: Clock;
  readonly #attendance: Attendance;
  /** Rows of the audit that are being completed. */
  readonly #finishing = new Set<Promise<void>>();

  constructor(options: ShellsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#attendance = createAttendance({ ...options, what: 'terminals' });
  }

  get size(): number {
    return this.#attendance.size;
  }

  /** Runs a terminal over a socket until it ends or the person may no longer have it. */
  serve(socket: WebSocket, opening: ShellOpening): void {
    // Input waits until a process runs that reads it.
    socket.pause();
    const leaving = new AbortController();
    let terminal: Terminal | undefined;
    let isHeld = true;
    let isOver = false;
    const send = (message: ShellMessage) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    };
    const attended = this.#attendance.attend(socket, {
      person: opening.person,
      clusterId: opening.cluster.id,
      needs: [{ need: neededPermission, place: { namespace: opening.namespace } }],
      check: requireShells,
      hold() {
        isHeld = true;
        terminal?.hold();
      },
      release() {
        isHeld = false;
        terminal?.release();
      },
      denied: (title) => send({ type: 'ended', reason: 'denied', title }),
      over() {
        isOver = true;
        leaving.abort();
      },
    });
    const onTerminal = (started: Terminal) => {
      terminal = started;
      if (isHeld) started.hold();
    };
    void this.#run(opening, { socket, signal: leaving.signal, onTerminal }).then((outcome) => {
      if (isOver || outcome === undefined) return;
      socket.resume();
      send({ type: 'ended', reason: outcome.reason, title: outcome.title });
      attended.close(1000, '');
    });
  }

  async close(): Promise<void> {
    await this.#attendance.close();
    await Promise.all(this.#finishing);
  }

  /** Runs a terminal with its row in the audit. @returns why it ended; undefined where the page left before. Never throws */
  async #run(opening: ShellOpening, page: ShellPage): Promise<ShellOutcome | undefined> {
    const { person, cluster, namespace, name, query, address, requestId } = opening;
    const { audit, log } = this.#options;
    const { container, mode } = query;
    const subject: ShellSubject = { namespace, name, container, cluster: cluster.name, mode };
    const onError = (error: unknown) =>
      log.error({ err: error, clusterId: cluster.id }, 'A terminal could not be opened');
    try {
      this.#requireAllowed(opening);
      const row = await audit.begin({
        companyId: person.companyId,
        userId: person.id,
        actor: actorOf(person),
        action: mode === 'attach' ? 'pod.attach' : 'pod.shell',
        clusterId: cluster.id,
        subject: { namespace, name, container: container ?? null },
        address,
        requestId,
      });
      let outcome: ShellOutcome = { reason: 'exited', title: 'The page was closed.' };
      try {
        if (page.signal.aborted) return undefined;
        outcome = await this.#runTerminal(opening, subject, { ...page, onError });
        return outcome;
      } finally {
        const written = row.finish(auditStatus[outcome.reason]);
        this.#finishing.add(written);
        await written;
        this.#finishing.delete(written);
      }
    } catch (error) {
      return outcomeOfFailure(error, subject, onError);
    }
  }

  /** Throws Problem where the cluster takes no terminals, or none more of this person. */
  #requireAllowed({ person, cluster, query }: ShellOpening): void {
    requireShells(cluster);
    requireConfirmation(cluster, query.confirm);
    if (this.#attendance.sizeOf(person.id) <= shellsPerPerson) return;
    throw new Problem({
      status: 429,
      title: `You have ${shellsPerPerson} terminals open already. Close one and start again.`,
    });
  }

  #runTerminal(
    { cluster, query }: ShellOpening,
    subject: ShellSubject,
    page: ShellPage & Pick<TerminalOptions, 'onError'>,
  ): Promise<ShellOutcome> {
    return runTerminal({
      ...page,
      subject,
      size: { columns: query.columns, rows: query.rows },
      dial: (request, protocols) =>
        this.#options.clusters.socket(cluster.id, { ...request, signal: page.signal }, protocols),
      clock: this.#clock,
    });
  }
}

/** The page's end of a terminal that is being opened. */
type ShellPage = Pick<TerminalOptions, 'socket' | 'signal' | 'onTerminal'>;
