import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { type LogFileRequest, type LogRequest, logRequest } from '../../contract/log.ts';
import type { Need } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import type { Hub } from '../live/hub.ts';
import { createAttendance } from '../access/attendance.ts';
import type { ClusterRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { logFile } from './file.ts';
import { followLog, type LogOutcome } from './follow.ts';
import { type Members, namedPods, podsOf } from './members.ts';
import { readLogs } from './reading.ts';
import { createLogSender } from './sender.ts';
import { createSharedLogs } from './shared.ts';

/** Containers that one person reads at a time, in all their views. */
const sourcesPerPerson = 200;

/** A socket that somebody opened for logs; they were found to have `pods.view` on the cluster a moment ago. */
export interface LogOpening {
  readonly person: Member;
  readonly cluster: ClusterRow;
}

/** Every open log: each ends at once with its person's grant or session. */
export interface Logs {
  readonly size: number;
  /** Streams of clusters that are followed for them. */
  readonly streams: number;
  serve(socket: WebSocket, opening: LogOpening): void;
  /** A log as a file. Throws Problem. @param away aborted when nobody takes it any more */
  file(request: LogFileRequest, opening: LogOpening, away: AbortSignal): Promise<NodeJS.ReadableStream>;
  close(): Promise<void>;
}

export interface LogsOptions {
  readonly grants: Grants;
  readonly clusters: Pick<ClusterDirectory, 'transport'>;
  readonly hub: Pick<Hub, 'live' | 'kinds'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** What the page asks for; undefined for anything else. */
function requestIn(text: string): LogRequest | undefined {
  try {
    return logRequest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function createLogs(options: LogsOptions): Logs {
  const { grants, clusters, hub, log, clock = systemClock } = options;
  const attendance = createAttendance({ ...options, what: 'logs' });
  const shared = createSharedLogs();
  /** Containers that are read, by person. */
  const places = new Map<number, number>();

  const takePlace = (person: number) => () => {
    const held = places.get(person) ?? 0;
    if (held >= sourcesPerPerson) return false;
    places.set(person, held + 1);
    return true;
  };
  const givePlace = (person: number) => () => {
    const held = (places.get(person) ?? 1) - 1;
    if (held === 0) places.delete(person);
    else places.set(person, held);
  };

  /** Whose logs are meant, once the person was found to be allowed to see that. Throws Problem. */
  async function membersOf(
    { of }: Pick<LogRequest, 'of'>,
    { person, cluster }: LogOpening,
    needs: Need[],
    signal: AbortSignal,
  ): Promise<Members> {
    const transport = () => clusters.transport(cluster.id);
    if ('pods' in of) return namedPods(of, transport, signal);
    const kind = await hub.kinds.find(cluster, of.kind);
    // From here on the grant to see the object itself is watched as well.
    needs.push(kind.permissions.view);
    await grants.require(person, cluster.id, kind.permissions.view);
    if (kind.logs === undefined || kind.scope === 'Cluster') {
      throw new Problem({ status: 400, title: `${kind.title} have no logs.` });
    }
    return podsOf(of, kind, transport, signal);
  }

  return {
    get size() {
      return attendance.size;
    },
    get streams() {
      return shared.size;
    },
    serve(socket, opening) {
      const { person, cluster } = opening;
      const reading = new AbortController();
      const needs: Need[] = ['pods.view'];
      let sender: ReturnType<typeof createLogSender> | undefined;
      let isHeld = true;

      function post(text: string, sent?: () => void): void {
        if (socket.readyState === socket.OPEN) socket.send(text, { compress: text.length > 1024 }, sent);
      }
      const ended = ({ reason, title }: LogOutcome) => JSON.stringify({ type: 'ended', reason, title });

      const attended = attendance.attend(socket, {
        person,
        clusterId: cluster.id,
        needs,
        hold() {
          isHeld = true;
          sender?.hold();
        },
        release() {
          isHeld = false;
          sender?.release();
        },
        // Nothing that was held back is sent any more.
        denied: (title) => post(ended({ reason: 'denied', title })),
        over() {
          reading.abort();
          sender?.dispose();
        },
      });

      async function read(request: LogRequest): Promise<LogOutcome> {
        const { signal } = reading;
        const fail = (error: unknown) => {
          log.error({ err: error, clusterId: cluster.id }, 'A log could not be read');
        };
        const out = createLogSender(
          {
            get unsent() {
              return socket.bufferedAmount;
            },
            send: post,
          },
          clock,
          request.follow && !request.previous,
        );
        sender = out;
        if (isHeld) out.hold();
        try {
          const members = await membersOf(request, opening, needs, signal);
          return await readLogs({
            request,
            members,
            cluster: cluster.name,
            transport: () => clusters.transport(cluster.id),
            tap: (listener) => {
              const live = hub.live(cluster);
              const pods = live.kind('pod');
              if (pods === undefined) throw new Error('There is no kind of pods.');
              return live.feed(pods).tap(listener);
            },
            takePlace: takePlace(person.id),
            givePlace: givePlace(person.id),
            follow: (what, sink) =>
              what.query.follow && !what.query.previous
                ? shared.follow(cluster.id, what, sink)
                : followLog(what, sink),
            out,
            clock,
            signal,
            onError: fail,
          });
        } catch (error) {
          if (signal.aborted) throw error;
          if (error instanceof Problem && error.status < 500) {
            const reason = error.status === 400 ? 'wrong' : 'denied';
            return { reason, title: error.title };
          }
          if (error instanceof Problem) return { reason: 'unreachable', title: error.title };
          fail(error);
          return {
            reason: 'unreachable',
            title: 'This console failed to read the log; its own log says why.',
          };
        }
      }

      socket.once('message', (data: Buffer, isBinary: boolean) => {
        const request = isBinary ? undefined : requestIn(data.toString('utf8'));
        if (request === undefined) {
          post(
            ended({
              reason: 'wrong',
              title: 'The page sent a log request that this console does not understand.',
            }),
          );
          attended.close(1008, 'This is not a log request.');
          return;
        }
        socket.on('message', () => attended.close(1008, 'A log takes no more messages.'));
        void onBehalfOf(person.id, () => read(request)).then(
          (outcome) => {
            if (reading.signal.aborted) return;
            sender?.end(outcome, () => attended.close(1000, ''));
          },
          // Only what was ended from outside throws.
          () => {},
        );
      });
    },
    async file(request, opening, away) {
      const { person, cluster } = opening;
      const needs: Need[] = ['pods.view'];
      const members = await membersOf(request, opening, needs, away);
      return await logFile(
        request,
        {
          members,
          cluster: cluster.name,
          transport: () => clusters.transport(cluster.id),
          takePlace: takePlace(person.id),
          givePlace: givePlace(person.id),
          clock,
          onError: (error) => log.error({ err: error, clusterId: cluster.id }, 'A log could not be read'),
        },
        async () => {
          for (const need of needs) await grants.require(person, cluster.id, need);
        },
        away,
      );
    },
    close: () => attendance.close(),
  };
}
