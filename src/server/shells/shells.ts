import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { objectPath } from '../../kube/change.ts';
import { Problem } from '../../contract/problem.ts';
import type { ShellMessage, ShellQuery } from '../../contract/shell.ts';
import { actorOf, type Member } from '../access/person.ts';
import { requireConfirmation, requireWritable } from '../actions/protection.ts';
import type { Audit } from '../audit/audit.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { Attendance } from '../access/attendance.ts';
import type { OpenRights } from '../access/open-rights.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import { type BegunRecording, beginRecording, RecordingTaken } from '../recordings/recordings.ts';
import type { RequireActProof } from '../passkeys/act-proof.ts';
import type { Vault } from '../store/vault.ts';
import { OpenShells } from './open-shells.ts';
import {
  auditStatus,
  outcomeOfFailure,
  outcomeOfRecording,
  type ShellOutcome,
  type ShellSubject,
} from './outcome.ts';
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
  /** Origin at which the console was opened. */
  readonly origin: string;
}

export interface ShellsOptions {
  readonly requireActProof: RequireActProof;
  readonly rights: OpenRights;
  readonly clusters: Pick<ClusterDirectory, 'socket' | 'transport'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly vault: Vault;
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

const nowRecorded = ({ name }: Pick<ClusterRow, 'name'>) =>
  new Problem({
    status: 403,
    title: `Shells on ${name} are recorded from now on, and this one was not. Start a new shell.`,
  });

const nowAsPerson = ({ name }: Pick<ClusterRow, 'name'>) =>
  new Problem({
    status: 403,
    title: `${name} now acts as each person, and this shell was opened with the console's credential. Start again.`,
  });

/** The sentence for a shell whose end another server told, as this one was silent for too long. */
const takenForDead =
  'The server that ran this shell stopped responding, so the shell ended. Start a new one.';

/** Every open terminal: each ends at once with its person's grant or session. */
export class Shells {
  readonly #options: ShellsOptions;
  readonly #clock: Clock;
  readonly #attendance: Attendance;
  readonly #open: OpenShells;
  /** Terminals whose row in the audit and recording are not complete yet. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: ShellsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#attendance = new Attendance('terminals', options);
    this.#open = new OpenShells({ ...options, clock: this.#clock });
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
    let ending: string | undefined;
    const { isShellRecorded: isRecorded, isImpersonating } = opening.cluster;
    const send = (message: ShellMessage) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    };
    const attended = this.#attendance.attend(socket, {
      person: opening.person,
      clusterId: opening.cluster.id,
      needs: [{ need: neededPermission, place: { namespace: opening.namespace } }],
      check(cluster) {
        requireShells(cluster);
        // One that was announced as recorded stays so until its end.
        if (cluster.isShellRecorded && !isRecorded) throw nowRecorded(cluster);
        if (cluster.isImpersonating && !isImpersonating) throw nowAsPerson(cluster);
      },
      hold() {
        isHeld = true;
        terminal?.hold();
      },
      release() {
        isHeld = false;
        terminal?.release();
      },
      denied: (title) => send({ type: 'ended', reason: 'denied', title }),
      over(why) {
        ending ??= why;
        leaving.abort();
      },
    });
    const page: ShellPage = {
      socket,
      signal: leaving.signal,
      onTerminal(started) {
        terminal = started;
        if (isHeld) started.hold();
      },
      announceRecording: () => send({ type: 'recorded' }),
      ending: () => ending,
      lost() {
        if (ending !== undefined) return;
        ending = takenForDead;
        send({ type: 'ended', reason: 'lost', title: takenForDead });
        attended.close(1000, '');
      },
    };
    const run = this.#run(opening, page, (outcome) => {
      if (ending !== undefined) return;
      ending = outcome.title;
      socket.resume();
      send({ type: 'ended', reason: outcome.reason, title: outcome.title });
      attended.close(1000, '');
    }).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async close(): Promise<void> {
    this.#open.hurry();
    await this.#attendance.close();
    await Promise.all(this.#running);
    await this.#open.close();
  }

  /**
   * Runs a terminal with its row in the audit and its recording. Never throws.
   * @param ended called with why it ended, as soon as that is known; not where the page left before it began
   */
  async #run(opening: ShellOpening, page: ShellPage, ended: (outcome: ShellOutcome) => void): Promise<void> {
    const { person, cluster, namespace, name, query, address, requestId } = opening;
    const { audit, log } = this.#options;
    const { container, mode } = query;
    const subject: ShellSubject = { namespace, name, container, cluster: cluster.name, mode };
    const onError = (error: unknown) =>
      log.error({ err: error, clusterId: cluster.id }, 'A terminal could not be opened');
    const recordingId = cluster.isShellRecorded ? randomUUID() : undefined;
    try {
      this.#requireAllowed(opening);
      await this.#options.requireActProof(opening);
      const told = {
        namespace,
        name,
        container: container ?? null,
        ...(recordingId === undefined ? {} : { recording: recordingId }),
      };
      let entry = 0;
      await audit.begin(
        {
          companyId: person.companyId,
          userId: person.id,
          actor: actorOf(person),
          action: mode === 'attach' ? 'pod.attach' : 'pod.shell',
          clusterId: cluster.id,
          subject: told,
          address,
          requestId,
        },
        async (tx, id) => {
          entry = id;
          await this.#open.note(tx, {
            entry,
            companyId: person.companyId,
            recordingId: recordingId ?? null,
          });
        },
      );
      this.#open.follow(entry, page.lost);
      let outcome: ShellOutcome = { reason: 'exited', title: 'The page was closed.' };
      let recording: BegunRecording | undefined;
      try {
        if (page.signal.aborted) return;
        if (recordingId !== undefined) {
          const begun = await this.#record(recordingId, opening, subject, page.signal);
          if ('reason' in begun) {
            outcome = begun;
            ended(outcome);
            return;
          }
          recording = begun;
          page.announceRecording();
        }
        outcome = await this.#runTerminal(opening, subject, {
          ...page,
          recorder: recording?.recorder,
          onError,
        });
        ended(outcome);
      } finally {
        await this.#close(recording, page.ending() ?? outcome.title);
        const content = recording?.content();
        // With what was stored: a part that is taken away later does not fit it.
        const more =
          content === undefined ? {} : { recordingParts: content.parts, recordingHash: content.hash };
        await this.#open.end(entry, auditStatus[outcome.reason], more);
      }
    } catch (error) {
      ended(outcomeOfFailure(error, subject, onError));
    }
  }

  /** Begins a recording of a pod that is there. Where it cannot be stored, which is logged, or may not, says so. */
  async #record(
    id: string,
    { person, cluster, namespace, name, query }: ShellOpening,
    subject: ShellSubject,
    signal: AbortSignal,
  ): Promise<BegunRecording | ShellOutcome> {
    const { store, vault, log } = this.#options;
    try {
      // Else anybody could fill the list with recordings of pods that never were.
      const missing = await this.#lackOfPod(cluster, subject, signal);
      if (missing !== undefined) return missing;
      return await beginRecording(
        { store, vault, clock: this.#clock },
        { id, person, cluster, namespace, name, query },
      );
    } catch (error) {
      if (error instanceof Problem) return { reason: 'unrecorded', title: error.title };
      log.error({ err: error, recordingId: id }, 'A recording of a shell could not be begun');
      return outcomeOfRecording.unrecorded;
    }
  }

  /** Looks for the pod. What else keeps it from being read is left to the opening of the shell. */
  async #lackOfPod(
    { id }: ClusterRow,
    subject: ShellSubject,
    signal: AbortSignal,
  ): Promise<ShellOutcome | undefined> {
    const { namespace, name } = subject;
    try {
      const transport = await this.#options.clusters.transport(id);
      await transport.json({
        path: objectPath({ group: '', version: 'v1', plural: 'pods', namespace, name }),
        signal,
      });
      return undefined;
    } catch (error) {
      if (!(error instanceof ClusterProblem) || error.upstream.status !== 404) return undefined;
      return outcomeOfFailure(error, subject, () => undefined);
    }
  }

  /** Completes a recording. Never throws. @param ending how it ended, a sentence */
  async #close(recording: BegunRecording | undefined, ending: string): Promise<void> {
    try {
      await recording?.recorder.close(ending);
    } catch (error) {
      // With the removal of its cluster, or by a server that took this one for dead: it has its end.
      if (error instanceof RecordingTaken) return;
      this.#options.log.error({ err: error }, 'The end of a recording of a shell could not be stored');
    }
  }

  /** Throws Problem where the cluster takes no terminals, or none more of this person. */
  #requireAllowed({ person, cluster, query }: ShellOpening): void {
    requireShells(cluster);
    requireConfirmation(cluster, query.confirm, 'a shell can change anything in its container');
    if (this.#attendance.sizeOf(person.id) <= shellsPerPerson) return;
    throw new Problem({
      status: 429,
      title: `You have ${shellsPerPerson} terminals open already. Close one and start again.`,
    });
  }

  #runTerminal(
    { person, cluster, query }: ShellOpening,
    subject: ShellSubject,
    page: ShellPage & Pick<TerminalOptions, 'onError' | 'recorder'>,
  ): Promise<ShellOutcome> {
    return runTerminal({
      ...page,
      subject,
      size: { columns: query.columns, rows: query.rows },
      dial: (request, protocols) =>
        this.#options.clusters.socket({ person, cluster }, { ...request, signal: page.signal }, protocols),
      clock: this.#clock,
    });
  }
}

/** The page's end of a terminal that is being opened. */
interface ShellPage extends Pick<TerminalOptions, 'socket' | 'signal' | 'onTerminal'> {
  /** Says that what is shown is recorded. */
  announceRecording(): void;
  /** Ends it: another server took this one for dead, and told the end of the shell. */
  readonly lost: () => void;
  /** Why the page's end is over, a sentence; undefined while it is not. */
  ending(): string | undefined;
}
