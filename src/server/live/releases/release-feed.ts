import type { Logger } from 'pino';
import type { ListState } from '../../../contract/live.ts';
import { type Release, type ReleaseStorage, releaseStorages, revisionOfRecord } from '../../../kube/helm.ts';
import { secretTypes } from '../../../kube/secret.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { Transport } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';
import {
  type Audience,
  createAudience,
  type Membership,
  type RowsRead,
  type Tap,
  type Tapped,
} from '../feed/audience.ts';
import { FanOut, type Sink } from '../feed/fan-out.ts';
import type { Feed } from '../feed/feed.ts';
import { isShut } from '../feed/feed-state.ts';
import type { Joins } from '../feed/join.ts';
import type { ObjectMembership, ObjectSink } from '../source/object-watch.ts';
import { createProjector, type Entry, placeOf, type Projector } from '../source/projector.ts';
import { ReleaseReader } from './release-reader.ts';
import { releaseState } from './release-state.ts';
import { type ReleaseRecord, ReleaseTable, recordStorages } from './release-table.ts';
import type { ViewSpec } from '../feed/view.ts';

/** Inputs of a feed of releases. */
export interface ReleaseFeedOptions {
  readonly kind: AnyKind;
  readonly clusterId: number;
  /** The objects that may store revisions. Throws Problem when the cluster has too many lists open. */
  readonly feeds: () => Readonly<Record<ReleaseStorage, Feed>>;
  readonly transport: () => Promise<Transport>;
  readonly joins: Joins;
  readonly onDisposed: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Starts a feed of releases. Throws Problem when the cluster has too many lists open. */
export const createReleaseFeed = (options: ReleaseFeedOptions): Feed => new ReleaseFeed(options);

/** The objects of one storage. */
interface Source {
  readonly storage: ReleaseStorage;
  readonly feed: Feed;
  readonly tapped: Tapped;
  /** Whether every object was read once. */
  isRead: boolean;
}

/**
 * Helm releases as rows and objects, derived from the Secrets and ConfigMaps that store their revisions. Their labels say
 * which releases exist; of each release only the newest revision is read, for its chart.
 */
class ReleaseFeed implements Feed {
  readonly kind: AnyKind;
  readonly clusterId: number;
  readonly stats = { reflectors: 0, objects: 0 };
  readonly #options: ReleaseFeedOptions;
  readonly #project: Projector;
  readonly #table = new ReleaseTable();
  readonly #reader: ReleaseReader;
  readonly #fanOut: FanOut;
  readonly #audience: Audience;
  readonly #sources: readonly Source[];
  /** Whether every storage was read once, or may not be read. */
  #isReady = false;
  #isDisposed = false;
  /** How many pages have a release open. */
  #openCount = 0;

  constructor(options: ReleaseFeedOptions) {
    const { kind, clusterId, transport, joins, clock, log } = options;
    this.kind = kind;
    this.clusterId = clusterId;
    this.#options = options;
    this.#project = createProjector(kind, log, clock);
    const table = this.#table;
    const has = (record: ReleaseRecord) => table.has(record);
    const show = (record: ReleaseRecord, release: Release) => this.#show(record, release);
    this.#reader = new ReleaseReader({ transport, has, show, clock, log });
    const feeds = options.feeds();
    const source = { entries: () => table.entries(), find: (uid: string) => table.find(uid) };
    this.#fanOut = new FanOut({ kind, source, joins, clock, log });
    this.#audience = createAudience({
      fanOut: this.#fanOut,
      source,
      isReady: () => this.#isReady,
      isBegun: () => this.#isReady,
      stateOf: (rows) => this.#stateOf(rows),
      // No object refers to a release.
      isWhole: () => false,
      scopes: () => [''],
      hasOpen: () => this.#openCount > 0,
      onUnused: () => this.dispose(),
      clock,
    });
    this.#sources = releaseStorages.map((storage) => this.#follow(storage, feeds[storage]));
    this.#settle();
  }

  join(spec: ViewSpec, sink: Sink): Membership {
    return this.#audience.join(spec, sink);
  }

  tap(listener: Tap): Tapped {
    return this.#audience.tap(listener);
  }

  find(uid: string): Entry | undefined {
    return this.#table.find(uid);
  }

  open(namespace: string, name: string, sink: ObjectSink): ObjectMembership {
    this.#audience.keep();
    this.#openCount += 1;
    const place = placeOf(namespace, name);
    this.#table.addSink(place, sink);
    return this.#membership(place, sink);
  }

  // The feeds of the storages follow changes of the stored cluster and of its credential.
  update(): void {}
  readonly credential = undefined;
  use(): void {}
  reroute(): void {}
  renarrow(): void {}
  readonly isLimited = false;

  retry(): void {
    for (const { feed } of this.#sources) feed.retry();
  }

  trim(): void {
    this.#fanOut.trim();
  }

  get isUnused(): boolean {
    return this.#audience.isUnused;
  }

  giveWay(): void {
    this.#audience.giveWay(() => this.dispose());
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#reader.dispose();
    for (const { tapped } of this.#sources) tapped.leave();
    this.#audience.dispose();
    this.#options.onDisposed();
  }

  #membership(place: string, sink: ObjectSink): ObjectMembership {
    const table = this.#table;
    const isReady = () => this.#isReady;
    const state = () => this.#stateOf({});
    let isOver = false;
    return {
      get object() {
        return table.get(place)?.object;
      },
      get gone() {
        return table.get(place) === undefined && isReady() ? { at: table.deletedAt(place) } : undefined;
      },
      get state() {
        return state();
      },
      leave: () => {
        if (isOver) return;
        isOver = true;
        this.#openCount -= 1;
        table.removeSink(place, sink);
        this.#audience.leaveIfUnused();
      },
    };
  }

  #follow(storage: ReleaseStorage, feed: Feed): Source {
    const tapped = feed.tap({
      changed: (entry, previous) => {
        if (!source.isRead) return;
        const isStored = entry !== undefined && storedRevision(storage, entry) !== undefined;
        if (isStored) this.#put(storage, entry);
        // One that lost Helm's label is no revision any more.
        else if (previous !== undefined) this.#drop(storage, previous);
      },
      settled: () => this.#settle(),
    });
    const source: Source = { storage, feed, tapped, isRead: false };
    return source;
  }

  /** Takes the object of a revision that is new or another now. */
  #put(storage: ReleaseStorage, entry: Entry): void {
    const stored = storedRevision(storage, entry);
    if (stored === undefined) return;
    const { namespace } = entry;
    const record =
      this.#table.get(placeOf(namespace, stored.release)) ?? this.#table.add(namespace, stored.release);
    record.stored[storage].set(stored.revision, entry);
    void this.#reader.read(record);
  }

  /** Takes that the object of a revision was deleted; with its last revision a release is gone. */
  #drop(storage: ReleaseStorage, entry: Entry): void {
    const stored = storedRevision(storage, entry);
    const record = stored && this.#table.get(placeOf(entry.namespace, stored.release));
    if (stored === undefined || record === undefined) return;
    record.stored[storage].delete(stored.revision);
    if (recordStorages(record).length > 0) {
      void this.#reader.read(record);
      return;
    }
    const at = new Date(this.#options.clock.now()).toISOString();
    this.#table.delete(record, at);
    if (record.entry !== undefined) this.#change(undefined, record.entry);
    for (const sink of record.sinks) sink.gone(at);
    this.#resettle();
  }

  #show(record: ReleaseRecord, release: Release): void {
    record.object = release;
    const previous = record.entry;
    record.entry = this.#project(release, previous);
    if (record.entry !== previous) this.#change(record.entry, previous);
    for (const sink of record.sinks) sink.version(release);
    if (previous === undefined) this.#resettle();
  }

  #change(entry: Entry | undefined, previous: Entry | undefined): void {
    const uid = (entry ?? previous)?.uid;
    if (uid !== undefined) this.#audience.change(uid, entry, previous);
  }

  /** A storage was read for the first time, or the state of one may have changed. */
  #settle(): void {
    for (const source of this.#sources) {
      if (source.isRead || !source.tapped.isReady) continue;
      source.isRead = true;
      for (const entry of source.tapped.entries()) this.#put(source.storage, entry);
    }
    const isSettled = this.#sources.every(({ isRead, tapped }) => isRead || isShut(tapped.state));
    const becomesReady = !this.#isReady && isSettled && this.#sources.some(({ isRead }) => isRead);
    this.#isReady ||= becomesReady;
    this.#audience.settled(becomesReady);
    this.#table.settle(this.#isReady);
  }

  /** Of a list with a storage that may not be read, the first and the last release change the state. */
  #resettle(): void {
    if (this.#isReady && this.#sources.some(({ tapped }) => isShut(tapped.state)))
      this.#audience.settled(false);
  }

  #stateOf({ namespace, within }: RowsRead): ListState {
    const isShown = (entry: Entry) =>
      (namespace === undefined || entry.namespace === namespace) &&
      (within === undefined || within.has(entry.namespace));
    const isEmpty = () => !this.#table.entries().some(isShown);
    const stateOf = ({ tapped }: Source) => tapped.stateWithin(within ?? 'all');
    const states = this.#sources.map((source) => [source.storage, stateOf(source)] as const);
    return releaseState(Object.fromEntries(states) as Record<ReleaseStorage, ListState>, isEmpty);
  }
}

/** Which revision of which release an object stores; undefined for any other object. */
const storedRevision = (storage: ReleaseStorage, { name, facts, labels }: Entry) =>
  // As Helm finds them: by their label, in Secrets by their type as well.
  labels['owner'] === 'helm' && (storage === 'ConfigMap' || facts['type'] === secretTypes.helmRelease)
    ? revisionOfRecord(name)
    : undefined;
