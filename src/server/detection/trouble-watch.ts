import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { customPermissions } from '../../../commands/kinds/custom.ts';
import type { AttentionLine } from '../../contract/dashboard.ts';
import type { WebhookEvent } from '../../contract/webhooks.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { describeError } from '../kit/describe-error.ts';
import type { BoardMembership } from '../live/dashboard/board.ts';
import type { KindStanding } from '../live/dashboard/kind-standing.ts';
import { incidents } from '../store/schema/webhooks.ts';
import type { Store } from '../store/store.ts';
import type { HappeningData } from '../webhooks/bodies.ts';
import { wantedEvents } from '../webhooks/wanted-events.ts';
import { Looks } from './looks.ts';
import { objectData } from './object-data.ts';
import { changesOf, placeOf, eventOf, recoveryOf, stateOf, type Trouble, troublesOf } from './troubles.ts';
import { reachKey, type WatchParts, wholeCluster } from './watch.ts';

/** What ends for less than this has not ended: pods that crash run in between, ms. */
const recoveryWait = 5_000;
/** Looked at this often without a change, ms. */
const interval = 10_000;

/** What an incident keeps. */
interface IncidentFacts {
  readonly event: WebhookEvent;
  readonly data: HappeningData;
  /** Of the object; the recovery is told to whoever may hear of it. */
  readonly permission: string;
  readonly namespace: string;
  /** Ids of the kinds whose objects are in trouble: without their lists nobody knows whether they still are. */
  readonly kinds?: readonly string[];
}

/** How an incident ends: the state of its object, and what is said of it. */
const ends = {
  recovery: ['Recovered', 'has recovered'],
  gone: ['Gone', 'is gone: the cluster no longer has its kind'],
  unwatched: [
    'No longer watched',
    'is no longer watched: this console has not been able to read its kind for an hour',
  ],
} as const;
type IncidentEnd = keyof typeof ends;

/** How an incident ends by what is known of the kinds of its objects; undefined while it cannot be known. */
function endBy(standings: readonly KindStanding[]): IncidentEnd | undefined {
  if (standings.includes('unknown')) return undefined;
  if (standings.includes('unwatched')) return 'unwatched';
  return standings.includes('gone') ? 'gone' : 'recovery';
}

/** Follows the dashboard of a cluster and tells what begins and ends to be in trouble. */
export class TroubleWatch {
  readonly #parts: WatchParts;
  readonly #looks: Looks;
  #board: BoardMembership | undefined;
  /** The incidents of the cluster by their keys; undefined before they were read. */
  #open: Map<string, IncidentFacts> | undefined;
  /** Since when an object that was told of is in trouble no more, epoch ms. */
  readonly #quiet = new Map<string, number>();

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#looks = new Looks(parts.clock);
  }

  /** Follows it until the signal is aborted. Throws errors of the database. */
  async run(signal: AbortSignal): Promise<void> {
    const { due } = this.#looks;
    this.#board = this.#parts.live.board.join(wholeCluster, { dashboard: due, state: due });
    try {
      await this.#looks.run(signal, () => this.#look());
    } finally {
      this.#board.leave();
    }
  }

  /** Tells what changed; gives after how long to look again, ms. */
  async #look(): Promise<number> {
    const board = this.#board;
    const badLines = board?.badLines;
    // Lists that are not current prove neither trouble nor recovery.
    if (board === undefined || badLines === undefined || board.state.status !== 'live') {
      this.#quiet.clear();
      return interval;
    }
    const open = await this.#readOpen();
    const { begun, ended } = changesOf(troublesOf(badLines), [...open.keys()]);
    const wantedSince = begun.length === 0 ? undefined : await this.#wantedSince();
    for (const trouble of begun) await this.#apart(trouble.key, () => this.#begin(trouble, wantedSince));
    const now = this.#parts.clock.now();
    let wait = interval;
    const ending = new Map<string, IncidentEnd>();
    for (const place of ended) {
      const end = endBy(kindsOf(open, place).map((kind) => board.standingOf(kind)));
      if (end !== undefined) ending.set(place, end);
    }
    for (const place of this.#quiet.keys()) if (!ending.has(place)) this.#quiet.delete(place);
    for (const [place, end] of ending) {
      const since = this.#quiet.get(place) ?? now;
      this.#quiet.set(place, since);
      const left = since + recoveryWait - now;
      if (left > 0) wait = Math.min(wait, left);
      else await this.#apart(place, () => this.#end(place, end));
    }
    return wait;
  }

  /** The open incidents. They are read once: whoever has the duty changes them alone. */
  async #readOpen(): Promise<Map<string, IncidentFacts>> {
    if (this.#open !== undefined) return this.#open;
    const { cluster, store } = this.#parts;
    const rows = await store.db
      .select({ key: incidents.key, data: incidents.data })
      .from(incidents)
      .where(and(eq(incidents.clusterId, cluster.id), ne(incidents.key, reachKey)));
    this.#open = new Map(rows.map(({ key, data }) => [key, data as IncidentFacts]));
    return this.#open;
  }

  /** Tells of one object: what cannot be told of one never keeps the others from being told. */
  async #apart(key: string, tell: () => Promise<void>): Promise<void> {
    const { log, cluster } = this.#parts;
    try {
      await tell();
    } catch (error) {
      log.error(
        { err: describeError(error), clusterId: cluster.id, key },
        'What happened to an object could not be told; trying again',
      );
    }
  }

  async #begin(trouble: Trouble, wantedSince: number | undefined): Promise<void> {
    const { cluster, store, happenings, clock } = this.#parts;
    const { key, line } = trouble;
    const facts: IncidentFacts = {
      event: eventOf(trouble),
      data: this.#dataOf(line),
      permission: this.#permissionOf(line),
      namespace: line.on.namespace ?? '',
      kinds: [...new Set(line.objects.map(({ kind }) => kind))],
    };
    const isReported = isNews(line, wantedSince);
    const insert = async (db: Pick<Store['db'], 'insert'>) => {
      const stored = await db
        .insert(incidents)
        .values({ clusterId: cluster.id, key, data: facts, isReported })
        .onConflictDoNothing()
        .returning({ key: incidents.key });
      return stored.length > 0;
    };
    const happening = {
      key: `trouble/${cluster.id}/${key}/${clock.now()}`,
      type: facts.event,
      causes: line.causes,
      ...this.#commonOf(facts),
    };
    // Whoever stores the incident tells of it, whichever server that is.
    if (isReported) await happenings.record(happening, insert);
    else await insert(store.db);
    this.#open?.set(key, facts);
  }

  /** Ends the incidents of an object, and tells why where somebody was told of them. */
  async #end(place: string, end: IncidentEnd): Promise<void> {
    const { cluster, store, happenings, clock } = this.#parts;
    const keys = [...(this.#open?.keys() ?? [])].filter((key) => placeOf(key) === place);
    const own = and(eq(incidents.clusterId, cluster.id), inArray(incidents.key, keys));
    const rows = await store.db
      .select({ data: incidents.data })
      .from(incidents)
      .where(and(own, incidents.isReported));
    const first = rows.map(({ data }) => data as IncidentFacts).find(({ event }) => recoveryOf(event));
    const remove = async (db: Pick<Store['db'], 'delete'>) =>
      (await db.delete(incidents).where(own).returning({ key: incidents.key })).length > 0;
    // Of trouble that nobody can see any more, it would be wrong to say that it is over.
    const type = first && (end === 'unwatched' ? first.event : recoveryOf(first.event));
    if (first === undefined || type === undefined) await remove(store.db);
    else {
      const { object } = first.data;
      const [state, sentence] = ends[end];
      const title = `${[object?.namespace, object?.name].filter(Boolean).join('/')} ${sentence}`;
      const { since: _since, ...data } = first.data;
      const common = this.#commonOf({ ...first, data: { ...data, title, state } });
      await happenings.record(
        { key: `${end}/${cluster.id}/${place}/${clock.now()}`, type, ...common },
        remove,
      );
    }
    this.#quiet.delete(place);
    for (const key of keys) this.#open?.delete(key);
  }

  /** Since when somebody wants to hear of the cluster, epoch ms; undefined where nobody does. */
  async #wantedSince(): Promise<number | undefined> {
    const { cluster, store } = this.#parts;
    const { rows } = await store.db.execute<{ at: number | null }>(sql`
      select (extract(epoch from min(created_at)) * 1000)::float8 as at
      from ${wantedEvents} w where cluster_id = ${cluster.id}`);
    return rows[0]?.at ?? undefined;
  }

  #commonOf({ data, permission, namespace }: IncidentFacts) {
    const { cluster } = this.#parts;
    return { companyId: cluster.companyId, clusterId: cluster.id, permission, namespace, data };
  }

  #dataOf({ on, title, since }: AttentionLine): HappeningData {
    return objectData(this.#parts, on, { state: stateOf({ title }), since });
  }

  /** What one needs to hear of a line: to view the object and those that are in trouble. */
  #permissionOf({ on, objects }: AttentionLine): string {
    const { live } = this.#parts;
    const { watched } = live.customKinds.choice;
    const kindOf = (id: string): AnyKind | undefined =>
      live.kind(id) ?? watched.find((kind) => kind.id === id);
    const needed = [on, ...objects].flatMap(
      ({ kind }) => (kindOf(kind)?.permissions ?? customPermissions).view,
    );
    return [...new Set(needed)].join(' ');
  }
}

/** Whether trouble began after somebody wanted to hear of it. Times of the cluster are whole seconds. */
const isNews = ({ since }: AttentionLine, wantedSince: number | undefined): boolean =>
  wantedSince !== undefined && (since === null || (since + 1) * 1000 > wantedSince);

/** The kinds whose objects an object was in trouble by. */
const kindsOf = (open: ReadonlyMap<string, IncidentFacts>, place: string): readonly string[] =>
  [...open].flatMap(([key, { kinds = [] }]) => (placeOf(key) === place ? kinds : []));
