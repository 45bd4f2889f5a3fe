import { type Release, type ReleaseStorage, releaseStorages } from '../../../kube/helm.ts';
import type { ObjectSink } from '../source/object-watch.ts';
import { type Entry, placeOf } from '../source/projector.ts';

/** A release as the objects that store its revisions describe it. */
export interface ReleaseRecord {
  /** As `placeOf` writes it. */
  readonly place: string;
  readonly namespace: string;
  readonly name: string;
  /** The objects of its revisions in each storage, by number. */
  readonly stored: Readonly<Record<ReleaseStorage, Map<number, Entry>>>;
  /** Those who have it open. */
  readonly sinks: Set<ObjectSink>;
  /** The release read last, and the signature of the objects that it was read from. */
  object: Release | undefined;
  signature: string | undefined;
  entry: Entry | undefined;
}

type Stored = Pick<ReleaseRecord, 'stored'>;

/** The newest revision of a release with the object that stores it. */
export interface NewestRevision {
  readonly revision: number;
  readonly storage: ReleaseStorage;
  readonly entry: Entry;
}

/** The newest revision of a release, Helm's default storage first; undefined for a release without revisions. */
export function newestRevision(record: Stored): NewestRevision | undefined {
  const [revision] = revisionNumbers(record);
  for (const storage of releaseStorages) {
    const entry = revision === undefined ? undefined : record.stored[storage].get(revision);
    if (revision !== undefined && entry !== undefined) return { revision, storage, entry };
  }
  return undefined;
}

/**
 * Another text whenever a release must be read again: names the object of its newest revision, that object's version,
 * its revisions and where they are.
 */
export function signatureOf(record: Stored): string {
  const entry = newestRevision(record)?.entry;
  const status = entry?.labels['status'] ?? '';
  const modified = entry?.labels['modifiedAt'] ?? '';
  const numbers = releaseStorages.map((storage) => [...record.stored[storage].keys()].join(' '));
  return [entry?.uid, status, modified, numbers.join('/')].join(' ');
}

/** The numbers of a release's revisions, each once, newest first. */
export function revisionNumbers({ stored }: Stored): number[] {
  const numbers = new Set(releaseStorages.flatMap((storage) => [...stored[storage].keys()]));
  return [...numbers].sort((a, b) => b - a);
}

/** The storages that have revisions of a release. */
export const recordStorages = ({ stored }: Stored): ReleaseStorage[] =>
  releaseStorages.filter((storage) => stored[storage].size > 0);

/**
 * A release as far as the labels of its newest revision describe it.
 * @param problem why the revision itself could not be read, one sentence
 */
export function releaseFromLabels(
  record: Pick<ReleaseRecord, 'namespace' | 'name' | 'stored'>,
  { revision, entry }: Pick<NewestRevision, 'revision' | 'entry'>,
  problem?: string,
): Release {
  const { namespace, name } = record;
  const modified = Number(entry.labels['modifiedAt'] ?? entry.labels['createdAt']);
  return {
    apiVersion: 'helm.sh/v1',
    kind: 'Release',
    metadata: {
      namespace,
      name,
      uid: `release ${namespace}/${name}`,
      resourceVersion: `${signatureOf(record)} ${problem ?? 'labels'}`,
    },
    revision,
    status: entry.labels['status'] ?? 'unknown',
    ...(Number.isFinite(modified) ? { updated: new Date(modified * 1000).toISOString() } : {}),
    ...(problem === undefined ? {} : { description: problem }),
    revisions: revisionNumbers(record),
    storages: recordStorages(record),
  };
}

/** The releases of a cluster by place, and who has one open, whether it exists or not. */
export class ReleaseTable {
  readonly #records = new Map<string, ReleaseRecord>();
  /** Who has a release open that does not exist, by place. */
  readonly #absent = new Map<string, Set<ObjectSink>>();
  /** When releases were deleted, ISO, by place. */
  readonly #deletions = new Map<string, string>();

  get(place: string): ReleaseRecord | undefined {
    return this.#records.get(place);
  }

  has(record: ReleaseRecord): boolean {
    return this.#records.get(record.place) === record;
  }

  /** When a release was deleted, ISO; null where that was not seen. */
  deletedAt(place: string): string | null {
    return this.#deletions.get(place) ?? null;
  }

  *entries(): Generator<Entry> {
    for (const { entry } of this.#records.values()) if (entry !== undefined) yield entry;
  }

  find(uid: string): Entry | undefined {
    for (const { entry } of this.#records.values()) if (entry?.uid === uid) return entry;
    return undefined;
  }

  /** Adds a release without revisions. */
  add(namespace: string, name: string): ReleaseRecord {
    const place = placeOf(namespace, name);
    const record: ReleaseRecord = {
      place,
      namespace,
      name,
      stored: { Secret: new Map(), ConfigMap: new Map() },
      sinks: this.#absent.get(place) ?? new Set(),
      object: undefined,
      signature: undefined,
      entry: undefined,
    };
    this.#absent.delete(place);
    this.#deletions.delete(place);
    this.#records.set(place, record);
    return record;
  }

  /** @param at when it was deleted, ISO */
  delete({ place, sinks }: ReleaseRecord, at: string): void {
    this.#records.delete(place);
    this.#deletions.set(place, at);
    this.#absent.set(place, sinks);
  }

  addSink(place: string, sink: ObjectSink): void {
    const sinks = this.#records.get(place)?.sinks ?? this.#absent.get(place);
    if (sinks === undefined) this.#absent.set(place, new Set([sink]));
    else sinks.add(sink);
  }

  removeSink(place: string, sink: ObjectSink): void {
    this.#records.get(place)?.sinks.delete(sink);
    this.#absent.get(place)?.delete(sink);
    if (this.#absent.get(place)?.size === 0) this.#absent.delete(place);
  }

  /** Reports the state to everybody, and to those whose release does not exist that it does not. */
  settle(isReady: boolean): void {
    for (const [place, sinks] of this.#absent) {
      if (isReady) for (const sink of sinks) sink.gone(this.deletedAt(place));
      for (const sink of sinks) sink.state();
    }
    for (const { sinks } of this.#records.values()) for (const sink of sinks) sink.state();
  }
}
