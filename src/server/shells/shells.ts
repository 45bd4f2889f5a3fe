import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { Problem } from '../../contract/problem.ts';
import type { ShellMessage, ShellQuery } from '../../contract/shell.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import { requireConfirmation, requireWritable } from '../actions/protection.ts';
import type { Audit } from '../audit/audit.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { createAttendance } from '../access/attendance.ts';
import type { ClusterRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { auditStatus, outcomeOfFailure, type ShellOutcome, type ShellSubject } from './outcome.ts';
import { runTerminal, type Terminal } from './terminal.ts';

/** Terminals that one person may have open at a time. */
export const shellsPerPerson = 12;
/** What a terminal is for: changing pods. */
const need = 'pods.manage';

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

/** Every open terminal: each ends at once with its person's grant or session. */
export interface Shells {
  readonly size: number;
  serve(socket: WebSocket, opening: ShellOpening): void;
  close(): Promise<void>;
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

export function createShells(options: ShellsOptions): Shells {
  const { clusters, audit, log, clock = systemClock } = options;
  const attendance = createAttendance({ ...options, what: 'terminals' });
  /** Rows of the audit that are being completed. */
  const finishing = new Set<Promise<void>>();

  async function open(
    socket: WebSocket,
    opening: ShellOpening,
    { signal, setTerminal, tell }: Opened,
  ): Promise<void> {
    const { person, cluster, namespace, name, query } = opening;
    const subject: ShellSubject = {
      namespace,
      name,
      container: query.container,
      cluster: cluster.name,
      mode: query.mode,
    };
    const ourFault = (error: unknown) =>
      log.error({ err: error, clusterId: cluster.id }, 'A terminal could not be opened');
    try {
      requireShells(cluster);
      requireConfirmation(cluster, query.confirm);
      if (attendance.sizeOf(person.id) > shellsPerPerson) {
        throw new Problem({
          status: 429,
          title: `You have ${shellsPerPerson} terminals open already. Close one and start again.`,
        });
      }
    } catch (error) {
      tell(outcomeOfFailure(error, subject, ourFault));
      return;
    }
    let outcome: ShellOutcome = { reason: 'exited', title: 'The page was closed.' };
    try {
      const row = await audit.begin({
        companyId: person.companyId,
        userId: person.id,
        actor: person.email,
        action: query.mode === 'attach' ? 'pod.attach' : 'pod.shell',
        clusterId: cluster.id,
        subject: { namespace, name, container: query.container ?? null },
        address: opening.address,
        requestId: opening.requestId,
      });
      try {
        if (signal.aborted) return;
        outcome = await runTerminal({
          socket,
          subject,
          size: { columns: query.columns, rows: query.rows },
          dial: (request, protocols) => clusters.socket(cluster.id, { ...request, signal }, protocols),
          clock,
          signal,
          onError: ourFault,
          onTerminal: setTerminal,
        });
      } finally {
        const written = row.finish(auditStatus[outcome.reason]);
        finishing.add(written);
        await written;
        finishing.delete(written);
      }
    } catch (error) {
      outcome = outcomeOfFailure(error, subject, ourFault);
    }
    tell(outcome);
  }

  return {
    get size() {
      return attendance.size;
    },
    serve(socket, opening) {
      // What is typed waits until there is somebody to take it.
      socket.pause();
      const leaving = new AbortController();
      let terminal: Terminal | undefined;
      let isHeld = true;
      let isOver = false;
      const say = (message: ShellMessage) => {
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
      };
      const attended = attendance.attend(socket, {
        person: opening.person,
        clusterId: opening.cluster.id,
        needs: [need],
        check: requireShells,
        hold() {
          isHeld = true;
          terminal?.hold();
        },
        release() {
          isHeld = false;
          terminal?.release();
        },
        denied: (title) => say({ type: 'ended', reason: 'denied', title }),
        over() {
          isOver = true;
          leaving.abort();
        },
      });
      void open(socket, opening, {
        signal: leaving.signal,
        setTerminal(started) {
          terminal = started;
          if (isHeld) started.hold();
        },
        tell({ reason, title }) {
          if (isOver) return;
          socket.resume();
          say({ type: 'ended', reason, title });
          attended.close(1000, '');
        },
      });
    },
    async close() {
      await attendance.close();
      await Promise.all(finishing);
    },
  };
}

interface Opened {
  /** Aborted when the page is gone or may no longer. */
  readonly signal: AbortSignal;
  readonly setTerminal: (terminal: Terminal) => void;
  /** Says why it ended, and closes. */
  readonly tell: (outcome: ShellOutcome) => void;
}
