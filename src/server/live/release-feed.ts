import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import { type Release, revisionOfSecret } from '../../kube/helm.ts';
import { secretTypes } from '../../kube/secret.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { createLimiter } from '../kit/limiter.ts';
import type { Transport } from '../clusters/transport.ts';
import { readRevision, releaseObject } from '../objects/release/read.ts';
import { createAudience, type Tapped } from './audience.ts';
import type { Clock } from '../kit/clock.ts';
import { createFanOut } from './fan-out.ts';
import type { Feed } from './feed.ts';
import type { Joins } from './joins/join.ts';
import type { ObjectSink } from './object-watch.ts';
import { createProjector, type Entry, placeOf } from './projector.ts';

/** Secrets that are unpacked at a time: the largest take many times their size. */
const concurrency = 2;
/** One that could not be read is read again after this, ms. */
const retryAfter = 15_000;

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

/** A release as its Secrets tell it. */
interface Known {
  readonly namespace: string;
  readonly name: string;
  /** The Secrets of its revisions, by number. */
  readonly revisions: Map<number, Entry>;
  /** What was read last, and of which Secret it was read. */
  object: Release | undefined;
  readOf: string | undefined;
  entry: Entry | undefined;
  sinks: Set<ObjectSink>;
}

/**
 * Helm releases as rows and objects: made of the Secrets that keep their revisions. Labels tell what there is; of each
 * release only the newest Secret is read, for its chart.
 */
export function createReleaseFeed(options: ReleaseFeedOptions): Feed {
  const { kind, clock, log } = options;
  const project = createProjector(kind, log, clock);
  const known = new Map<string, Known>();
  /** Who has something open that is not there. */
  const absent = new Map<string, Set<ObjectSink>>();
  const goneAt = new Map<string, string>();
  const limiter = createLimiter(concurrency);
  const retries = new Set<() => void>();
  const secrets = options.secrets();
  let isReady = false;
  let isDisposed = false;
  let opened = 0;

  const source = {
    *entries(): Iterable<Entry> {
      for (const { entry } of known.values()) if (entry !== undefined) yield entry;
    },
    find(uid: string): Entry | undefined {
      for (const { entry } of known.values()) if (entry?.uid === uid) return entry;
      return undefined;
    },
  };
  const fanOut = createFanOut({ kind, source, joins: options.joins, clock, log });
  const audience = createAudience({
    fanOut,
    source,
    isReady: () => isReady,
    stateOf: () => tapped.state,
    // Nothing refers to a release.
    isWhole: () => false,
    hasOpen: () => opened > 0,
    onUnused: dispose,
    clock,
  });

  const newestOf = ({ revisions }: Known) => {
    const revision = Math.max(...revisions.keys());
    const entry = revisions.get(revision);
    return entry === undefined ? undefined : { revision, entry };
  };

  /** Which Secret, in which version, and of which others: what an object was read from. */
  function signature(one: Known): string {
    const newest = newestOf(one);
    const status = newest?.entry.labels['status'] ?? '';
    const modified = newest?.entry.labels['modifiedAt'] ?? '';
    return [newest?.entry.uid, status, modified, [...one.revisions.keys()].join(' ')].join(' ');
  }

  function take(entry: Entry, isGone: boolean): void {
    if (entry.facts['type'] !== secretTypes.helmRelease) return;
    const kept = revisionOfSecret(entry.name);
    if (kept === undefined) return;
    const place = placeOf(entry.namespace, kept.release);
    let one = known.get(place);
    if (one === undefined) {
      if (isGone) return;
      one = {
        namespace: entry.namespace,
        name: kept.release,
        revisions: new Map(),
        object: undefined,
        readOf: undefined,
        entry: undefined,
        sinks: absent.get(place) ?? new Set(),
      };
      absent.delete(place);
      goneAt.delete(place);
      known.set(place, one);
    }
    if (isGone) one.revisions.delete(kept.revision);
    else one.revisions.set(kept.revision, entry);
    if (one.revisions.size > 0) {
      void read(place, one);
      return;
    }
    known.delete(place);
    const at = new Date(clock.now()).toISOString();
    goneAt.set(place, at);
    absent.set(place, one.sinks);
    if (one.entry !== undefined) changed(undefined, one.entry);
    for (const sink of one.sinks) sink.gone(at);
  }

  /** Shows what the labels tell at once, and the chart when its Secret was read. */
  async function read(place: string, one: Known): Promise<void> {
    const wanted = signature(one);
    if (one.readOf === wanted) return;
    one.readOf = wanted;
    const newest = newestOf(one);
    if (newest === undefined) return;
    if (one.object === undefined) show(one, labelled(one, newest));
    try {
      const object = await limiter.run(async () => {
        if (isDisposed || one.readOf !== wanted) return undefined;
        const { namespace, name } = one;
        const transport = await options.transport();
        const stored = await readRevision(transport, { namespace, name, revision: newest.revision });
        return releaseObject(stored, { namespace, name }, numbers(one), wanted);
      });
      if (object !== undefined && one.readOf === wanted && known.get(place) === one) show(one, object);
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error }, 'A Helm release could not be read');
      if (isDisposed || one.readOf !== wanted || known.get(place) !== one) return;
      show(one, labelled(one, newest, error instanceof Problem ? error.title : undefined));
      const cancel = clock.after(retryAfter, () => {
        retries.delete(cancel);
        if (one.readOf !== wanted || known.get(place) !== one) return;
        one.readOf = undefined;
        void read(place, one);
      });
      retries.add(cancel);
    }
  }

  const numbers = (one: Known) => [...one.revisions.keys()].sort((a, b) => b - a);

  /** A release as far as the labels of its Secrets tell it. */
  function labelled(
    one: Known,
    { revision, entry }: { readonly revision: number; readonly entry: Entry },
    problem?: string,
  ): Release {
    const modified = Number(entry.labels['modifiedAt'] ?? entry.labels['createdAt']);
    return {
      apiVersion: 'helm.sh/v1',
      kind: 'Release',
      metadata: {
        namespace: one.namespace,
        name: one.name,
        uid: `release ${one.namespace}/${one.name}`,
        resourceVersion: `${signature(one)} ${problem ?? 'labels'}`,
      },
      revision,
      status: entry.labels['status'] ?? 'unknown',
      ...(Number.isFinite(modified) ? { updated: new Date(modified * 1000).toISOString() } : {}),
      ...(problem === undefined ? {} : { description: problem }),
      revisions: numbers(one),
    };
  }

  function show(one: Known, object: Release): void {
    one.object = object;
    const previous = one.entry;
    one.entry = project(object, previous);
    if (one.entry !== previous) changed(one.entry, previous);
    for (const sink of one.sinks) sink.version(object);
  }

  function changed(entry: Entry | undefined, previous: Entry | undefined): void {
    const uid = (entry ?? previous)?.uid;
    if (uid !== undefined) audience.change(uid, entry, previous);
  }

  function settled(): void {
    const becomesReady = !isReady && tapped.isReady;
    if (becomesReady) {
      for (const entry of tapped.entries()) take(entry, false);
      isReady = true;
    }
    audience.settled(becomesReady);
    for (const [place, sinks] of absent) {
      if (isReady) for (const sink of sinks) sink.gone(goneAt.get(place) ?? null);
      for (const sink of sinks) sink.state();
    }
    for (const { sinks } of known.values()) for (const sink of sinks) sink.state();
  }

  const tapped: Tapped = secrets.tap({
    changed: (entry, previous) => {
      if (!isReady) return;
      if (entry !== undefined) take(entry, false);
      else if (previous !== undefined) take(previous, true);
    },
    settled: () => settled(),
  });
  if (tapped.isReady) settled();

  function dispose(): void {
    if (isDisposed) return;
    isDisposed = true;
    for (const cancel of retries) cancel();
    tapped.leave();
    audience.dispose();
    options.onDisposed();
  }

  return {
    kind,
    clusterId: options.clusterId,
    stats: { reflectors: 0, objects: 0 },
    join: audience.join,
    tap: audience.tap,
    find: (uid) => source.find(uid),
    open(namespace, name, sink) {
      audience.keep();
      opened += 1;
      const place = placeOf(namespace, name);
      const mine = () => known.get(place);
      const sinks = mine()?.sinks ?? absent.get(place) ?? new Set<ObjectSink>();
      sinks.add(sink);
      if (mine() === undefined) absent.set(place, sinks);
      let isOver = false;
      return {
        get object() {
          return mine()?.object;
        },
        get gone() {
          return mine() === undefined && isReady ? { at: goneAt.get(place) ?? null } : undefined;
        },
        get state() {
          return tapped.state;
        },
        leave() {
          if (isOver) return;
          isOver = true;
          opened -= 1;
          mine()?.sinks.delete(sink);
          absent.get(place)?.delete(sink);
          if (absent.get(place)?.size === 0) absent.delete(place);
          audience.leaveIfUnused();
        },
      };
    },
    // What is stored of the cluster, and its credential, the list of Secrets follows by itself.
    update() {},
    use() {},
    retry: () => secrets.retry(),
    trim: () => fanOut.trim(),
    dispose,
  };
}
