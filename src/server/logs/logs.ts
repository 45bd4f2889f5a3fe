import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { type LogFileRequest, type LogRequest, logRequest } from '../../contract/log.ts';
import { Problem } from '../../contract/problem.ts';
import { type Grants, requireNeeds } from '../access/grants.ts';
import type { PlacedNeed } from '../access/held.ts';
import type { OpenRights } from '../access/open-rights.ts';
import { viewPlace } from '../access/place.ts';
import type { Member } from '../access/person.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import type { Hub } from '../live/page/hub.ts';
import { Attendance } from '../access/attendance.ts';
import { beginDownload } from '../access/downloads.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { logFile } from './file.ts';
import { followLog, type LogOutcome } from './follow.ts';
import { type Members, namedPods, podsOf } from './members.ts';
import { readLogs } from './reading.ts';
import { SharedLogs } from './shared.ts';
import { LogView } from './view.ts';

/** Containers that one person reads at a time, in all their views. */
const sourcesPerPerson = 200;

/** Characters of the last lines of a log that are kept, the newest. */
const mostLinesText = 256 * 1024;

/** The last lines of a log that are asked for. */
export interface LastLines {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string | undefined;
  readonly previous: boolean;
  readonly lines: number;
}

/** A socket that somebody opened for logs; they were found to have `pods.view` on the cluster a moment ago. */
export interface LogOpening {
  readonly person: Member;
  readonly cluster: ClusterRow;
}

export interface LogsOptions {
  readonly grants: Grants;
  readonly rights: OpenRights;
  readonly clusters: Pick<ClusterDirectory, 'transport'>;
  readonly hub: Pick<Hub, 'live' | 'kinds'>;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** Parses the page's request; undefined for anything else. */
function requestIn(text: string): LogRequest | undefined {
  try {
    return logRequest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Every open log: each ends at once with its person's grant or session. */
export class Logs {
  readonly #options: LogsOptions;
  readonly #clock: Clock;
  readonly #attendance: Attendance;
  readonly #shared = new SharedLogs();
  /** Containers that each person reads, by number of the person. */
  readonly #places = new Map<number, number>();

  constructor(options: LogsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#attendance = new Attendance('logs', options);
  }

  get size(): number {
    return this.#attendance.size;
  }

  /** Streams of clusters that are followed now. */
  get streams(): number {
    return this.#shared.size;
  }

  /** Answers the request that a socket sends first, until the log is over or the person may no longer read it. */
  serve(socket: WebSocket, opening: LogOpening): void {
    const view = new LogView(socket, this.#clock);
    const needs: PlacedNeed[] = [{ need: 'pods.view', place: 'anywhere' }];
    const attended = this.#attendance.attend(socket, {
      person: opening.person,
      clusterId: opening.cluster.id,
      needs,
      hold: () => view.hold(),
      release: () => view.release(),
      // Lines that are held back are never sent.
      denied: (title) => view.tellEnd({ reason: 'denied', title }),
      over: () => view.dispose(),
    });
    socket.once('message', (data: Buffer, isBinary: boolean) => {
      const request = isBinary ? undefined : requestIn(data.toString('utf8'));
      if (request === undefined) {
        view.tellEnd({
          reason: 'wrong',
          title: 'The page sent a log request that this console does not understand.',
        });
        attended.close(1008, 'This is not a log request.');
        return;
      }
      socket.on('message', () => attended.close(1008, 'A log takes no more messages.'));
      void onBehalfOf(opening.person.id, () => this.#read(request, { opening, needs, view })).then(
        (outcome) => view.end(outcome, () => attended.close(1000, '')),
        // Only a log that was ended from outside throws.
        () => {},
      );
    });
  }

  /** A log as a file. Throws Problem. */
  async file(
    request: LogFileRequest,
    opening: LogOpening,
    away: AbortSignal,
  ): Promise<NodeJS.ReadableStream> {
    const { person, cluster } = opening;
    const needs: PlacedNeed[] = [{ need: 'pods.view', place: 'anywhere' }];
    const lost = new AbortController();
    const signal = AbortSignal.any([away, lost.signal]);
    const over = beginDownload(this.#options.rights, {
      person,
      clusterId: cluster.id,
      needs,
      end: (why) => lost.abort(why),
    });
    try {
      const members = await this.#membersOf(request, { opening, needs, signal });
      const file = await logFile(request, { members, ...this.#readingOf(opening) }, signal);
      file.once('close', over);
      return file;
    } catch (error) {
      over();
      throw error;
    }
  }

  /** The last lines of a pod's container, of all of them without its name. Throws Problem. */
  async lastLines(asked: LastLines, opening: LogOpening, signal: AbortSignal): Promise<string> {
    const { namespace, pod, container, previous, lines } = asked;
    const request = {
      of: { pods: [{ namespace, name: pod }] },
      previous,
      tailLines: lines,
      ...(container === undefined ? {} : { container }),
    };
    let text = '';
    for await (const chunk of await this.file(request, opening, signal)) {
      text += String(chunk);
      if (text.length > mostLinesText) text = text.slice(-mostLinesText);
    }
    return text;
  }

  close(): Promise<void> {
    return this.#attendance.close();
  }

  async #read(request: LogRequest, { opening, needs, view }: ReadParts): Promise<LogOutcome> {
    const { hub } = this.#options;
    const { cluster } = opening;
    const { signal } = view;
    const reading = this.#readingOf(opening);
    const out = view.open(request.follow && !request.previous);
    try {
      const members = await this.#membersOf(request, { opening, needs, signal });
      return await readLogs({
        ...reading,
        request,
        members,
        tap: (listener) => {
          const live = hub.live(cluster);
          const pods = live.kind('pod');
          if (pods === undefined) throw new Error('There is no kind of pods.');
          return live.feed(pods).tap(listener);
        },
        follow: (options, sink) =>
          options.query.follow && !options.query.previous
            ? this.#shared.follow(cluster.id, options, sink)
            : followLog(options, sink),
        out,
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof Problem && error.status < 500)
        return { reason: error.status === 400 ? 'wrong' : 'denied', title: error.title };
      if (error instanceof Problem) return { reason: 'unreachable', title: error.title };
      reading.onError(error);
      return {
        reason: 'unreachable',
        title:
          'This console failed to read the log. Try again; if it happens again, ask the operator, who finds the reason in the console’s own log.',
      };
    }
  }

  /** Inputs of every reading: the cluster, the person's namespaces and the console's own log. */
  #readingOf({ person, cluster }: LogOpening) {
    const { clusters, log } = this.#options;
    return {
      cluster: cluster.name,
      transport: () => clusters.transport(cluster.id),
      takePlace: () => this.#takePlace(person.id),
      givePlace: () => this.#givePlace(person.id),
      clock: this.#clock,
      onError: (error: unknown) =>
        log.error({ err: error, clusterId: cluster.id }, 'A log could not be read'),
    };
  }

  /** The pods whose logs are meant, once the grants allow to see them. Throws Problem. */
  async #membersOf(
    { of }: Pick<LogRequest, 'of'>,
    { opening: { person, cluster }, needs, signal }: MembersParts,
  ): Promise<Members> {
    const { clusters, hub, grants } = this.#options;
    const transport = () => clusters.transport(cluster.id);
    // From here on the grants to see what is meant, where it is, are checked again and again as well.
    const need = async (...more: readonly PlacedNeed[]) => {
      needs.push(...more);
      requireNeeds(await grants.access(person, cluster.id), more);
    };
    if ('pods' in of) {
      const namespaces = new Set(of.pods.map(({ namespace }) => namespace));
      await need(
        ...[...namespaces].map((namespace) => ({ need: 'pods.view', place: { namespace } }) as const),
      );
      return namedPods(of, transport, signal);
    }
    const place = { namespace: of.namespace };
    await need({ need: 'pods.view', place });
    const kind = await hub.kinds.find(cluster, of.kind);
    await need({ need: kind.permissions.view, place: viewPlace(kind, of) });
    if (kind.logs === undefined || kind.scope === 'Cluster')
      throw new Problem({ status: 400, title: `${kind.title} have no logs.` });
    return podsOf(of, kind, transport, signal);
  }

  #takePlace(person: number): boolean {
    const taken = this.#places.get(person) ?? 0;
    if (taken >= sourcesPerPerson) return false;
    this.#places.set(person, taken + 1);
    return true;
  }

  #givePlace(person: number): void {
    const taken = (this.#places.get(person) ?? 1) - 1;
    if (taken === 0) this.#places.delete(person);
    else this.#places.set(person, taken);
  }
}

interface MembersParts {
  readonly opening: LogOpening;
  /** Grants that are checked again while the log is read; the object's own is added. */
  readonly needs: PlacedNeed[];
  readonly signal: AbortSignal;
}

interface ReadParts extends Omit<MembersParts, 'signal'> {
  readonly view: LogView;
}
