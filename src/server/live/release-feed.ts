import type { Logger } from 'pino';
import { type Release, revisionOfSecret } from '../../kube/helm.ts';
import { secretTypes } from '../../kube/secret.ts';
import type { AnyKind } from '../../registry/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import { type Audience, createAudience, type Membership, type Tap, type Tapped } from './audience.ts';
import { FanOut, type Sink } from './fan-out.ts';
import type { Feed } from './feed.ts';
import type { Joins } from './joins/join.ts';
import type { ObjectMembership, ObjectSink } from './object-watch.ts';
import { createProjector, type Entry, placeOf, type Projector } from './projector.ts';
import { ReleaseReader } from './release-reader.ts';
import { type ReleaseRecord, ReleaseTable } from './release-table.ts';
import type { ViewSpec } from './view.ts';

/** Inputs of a feed of releases. */
export interface ReleaseFeedOptions {
  readonly kind: AnyKind;
  readonly clusterId: number;
  /** The Secrets of the cluster. Throws Problem when the cluster has too many lists open. */
  readonly secrets: () => Feed;
  readonly transport: () => Promise<Transport>;
  readonly joins: Joins;
  readonly onDisposed: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Starts a feed of releases. Throws Problem when the cluster has too many lists open. */
export const createReleaseFeed = (options: ReleaseFeedOptions): Feed => new ReleaseFeed(options);

/**
 * Helm releases as rows and objects, derived from the Secrets that store their revisions. The Secrets' labels say which
 * releases exist; of each release only the newest Secret is read, for its chart.
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
  readonly #secrets: Feed;
  readonly #tapped: Tapped;
  /** Whether every Secret was read once. */
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
    this.#secrets = options.secrets();
    const source = { entries: () => table.entries(), find: (uid: string) => table.find(uid) };
    this.#fanOut = new FanOut({ kind, source, joins, clock, log });
    this.#audience = createAudience({
      fanOut: this.#fanOut,
      source,
      isReady: () => this.#isReady,
      isBegun: () => this.#isReady,
      stateOf: ({ within }) => this.#tapped.stateWithin(within ?? 'all'),
      // No object refers to a release.
      isWhole: () => false,
      hasOpen: () => this.#openCount > 0,
      onUnused: () => this.dispose(),
      clock,
    });
    this.#tapped = this.#secrets.tap({
      changed: (entry, previous) => this.#secretChanged(entry, previous),
      settled: () => this.#settle(),
    });
    if (this.#tapped.isReady) this.#settle();
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

  // The feed of Secrets follows changes of the stored cluster and of its credential.
  update(): void {}
  use(): void {}

  retry(): void {
    this.#secrets.retry();
  }

  trim(): void {
    this.#fanOut.trim();
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#reader.dispose();
    this.#tapped.leave();
    this.#audience.dispose();
    this.#options.onDisposed();
  }

  #membership(place: string, sink: ObjectSink): ObjectMembership {
    const table = this.#table;
    const isReady = () => this.#isReady;
    const tapped = this.#tapped;
    let isOver = false;
    return {
      get object() {
        return table.get(place)?.object;
      },
      get gone() {
        return table.get(place) === undefined && isReady() ? { at: table.deletedAt(place) } : undefined;
      },
      get state() {
        return tapped.state;
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

  #secretChanged(entry: Entry | undefined, previous: Entry | undefined): void {
    if (!this.#isReady) return;
    if (entry !== undefined) this.#put(entry);
    else if (previous !== undefined) this.#drop(previous);
  }

  /** Takes a Secret that is new or another now. */
  #put(secret: Entry): void {
    const stored = storedRevision(secret);
    if (stored === undefined) return;
    const { namespace } = secret;
    const record =
      this.#table.get(placeOf(namespace, stored.release)) ?? this.#table.add(namespace, stored.release);
    record.revisions.set(stored.revision, secret);
    void this.#reader.read(record);
  }

  /** Takes that a Secret was deleted; with the last of its Secrets a release is gone. */
  #drop(secret: Entry): void {
    const stored = storedRevision(secret);
    const record = stored && this.#table.get(placeOf(secret.namespace, stored.release));
    if (stored === undefined || record === undefined) return;
    record.revisions.delete(stored.revision);
    if (record.revisions.size > 0) {
      void this.#reader.read(record);
      return;
    }
    const at = new Date(this.#options.clock.now()).toISOString();
    this.#table.delete(record, at);
    if (record.entry !== undefined) this.#change(undefined, record.entry);
    for (const sink of record.sinks) sink.gone(at);
  }

  #show(record: ReleaseRecord, release: Release): void {
    record.object = release;
    const previous = record.entry;
    record.entry = this.#project(release, previous);
    if (record.entry !== previous) this.#change(record.entry, previous);
    for (const sink of record.sinks) sink.version(release);
  }

  #change(entry: Entry | undefined, previous: Entry | undefined): void {
    const uid = (entry ?? previous)?.uid;
    if (uid !== undefined) this.#audience.change(uid, entry, previous);
  }

  /** The list of Secrets is complete for the first time, or its state may have changed. */
  #settle(): void {
    const becomesReady = !this.#isReady && this.#tapped.isReady;
    if (becomesReady) {
      for (const secret of this.#tapped.entries()) this.#put(secret);
      this.#isReady = true;
    }
    this.#audience.settled(becomesReady);
    this.#table.settle(this.#isReady);
  }
}

/** Which revision of which release a Secret stores; undefined for any other Secret. */
const storedRevision = ({ name, facts }: Entry) =>
  facts['type'] === secretTypes.helmRelease ? revisionOfSecret(name) : undefined;
