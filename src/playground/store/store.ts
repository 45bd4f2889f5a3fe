import { Memory } from '../kit/memory.ts';
import { expired } from '../kit/status.ts';
import type { Obj } from '../kit/values.ts';

/** A change of one object. `before` is absent for a creation, `after` for a removal. */
export interface Change {
  readonly version: number;
  readonly storage: string;
  readonly key: string;
  readonly before: Obj | undefined;
  readonly after: Obj | undefined;
}

/** Plain data of all objects and of what is kept beside them, without the history. */
export interface SavedStore {
  readonly version: number;
  readonly contents: ReadonlyMap<string, StorageContent>;
  readonly memory: ReadonlyMap<string, unknown>;
}

interface StorageContent {
  readonly objects: Map<string, Obj>;
  /** In etcd's order. */
  readonly keys: string[];
}

/** The key of an object inside its storage. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/**
 * All objects, with one version counter and a history of the latest changes, from which watches resume and lists
 * continue. Objects are replaced, never changed.
 */
export class Store {
  #version: number;
  /** Changes up to this version are dropped. */
  #floor: number;
  readonly #limit: number;
  readonly #contents: Map<string, StorageContent>;
  #log: Change[] = [];
  readonly #watchers = new Map<string, Set<(change: Change) => void>>();
  readonly #all = new Set<(change: Change) => void>();

  /** Data of the cluster's components beside the objects. */
  readonly memory: Memory;

  /**
   * `limit`: number of changes kept; `version`: the last version before the first write; `saved`: of the store that
   * this one continues.
   */
  constructor(limit: number, version = 1, saved?: SavedStore) {
    this.#limit = limit;
    this.#version = saved?.version ?? version;
    this.#floor = saved?.version ?? 0;
    this.#contents = new Map(saved?.contents);
    this.memory = new Memory(saved?.memory);
  }

  /** State from which another store continues this one, without the history. */
  save(): SavedStore {
    return { version: this.#version, contents: this.#contents, memory: this.memory.save() };
  }

  get version(): number {
    return this.#version;
  }

  /** The oldest version from which a watch can still resume. */
  get floor(): number {
    return this.#floor;
  }

  #content(storage: string): StorageContent {
    let content = this.#contents.get(storage);
    if (content === undefined) {
      content = { objects: new Map(), keys: [] };
      this.#contents.set(storage, content);
    }
    return content;
  }

  get(storage: string, key: string): Obj | undefined {
    return this.#contents.get(storage)?.objects.get(key);
  }

  count(storage: string): number {
    return this.#contents.get(storage)?.keys.length ?? 0;
  }

  /** Objects of a storage in key order; `prefix` ("ns/") selects one namespace. */
  *entries(storage: string, prefix = ''): Generator<readonly [string, Obj]> {
    const content = this.#contents.get(storage);
    if (content === undefined) return;
    for (let index = lowerBound(content.keys, prefix); index < content.keys.length; index++) {
      const key = content.keys[index];
      if (key === undefined || !key.startsWith(prefix)) return;
      const object = content.objects.get(key);
      if (object !== undefined) yield [key, object];
    }
  }

  /** Objects of a storage in key order. */
  list(storage: string, prefix = ''): Obj[] {
    return Array.from(this.entries(storage, prefix), ([, object]) => object);
  }

  /** The storages that hold objects. */
  storages(): Iterable<string> {
    return this.#contents.keys();
  }

  /**
   * Writes one object (or removes it, with `after` undefined) at the next version and notifies the watchers.
   * Returns the object with its version; for a removal the last state with the version of the removal.
   */
  commit(storage: string, key: string, after: Obj | undefined): Obj {
    const content = this.#content(storage);
    const before = content.objects.get(key);
    this.#version += 1;
    const version = this.#version;
    const stored = stamp(after ?? before, version);
    if (after === undefined) {
      content.objects.delete(key);
      const index = lowerBound(content.keys, key);
      if (content.keys[index] === key) content.keys.splice(index, 1);
    } else {
      content.objects.set(key, stored);
      if (before === undefined) {
        const last = content.keys.at(-1);
        if (last === undefined || last < key) content.keys.push(key);
        else content.keys.splice(lowerBound(content.keys, key), 0, key);
      }
    }
    const change = { version, storage, key, before, after: after === undefined ? undefined : stored };
    this.#log.push(change);
    if (this.#log.length > this.#limit * 1.25) this.#dropBefore(this.#limit);
    for (const watcher of this.#watchers.get(storage) ?? []) watcher(change);
    for (const watcher of this.#all) watcher(change);
    return stored;
  }

  #dropBefore(limit: number): void {
    const dropped = this.#log.splice(0, Math.max(0, this.#log.length - limit));
    this.#floor = Math.max(this.#floor, dropped.at(-1)?.version ?? 0);
  }

  /** Drops all history, as a compaction does: older watches and continue tokens expire. */
  compact(): void {
    this.#log = [];
    this.#floor = this.#version;
  }

  /** Calls for every change of a storage, or of all. Returns a function that stops it. */
  watch(storage: string | undefined, call: (change: Change) => void): () => void {
    if (storage === undefined) {
      this.#all.add(call);
      return () => void this.#all.delete(call);
    }
    const watchers = this.#watchers.get(storage) ?? new Set();
    this.#watchers.set(storage, watchers);
    watchers.add(call);
    return () => void watchers.delete(call);
  }

  /** The changes of a storage after a version. Throws 410 when they were dropped. */
  since(storage: string, version: number): Change[] {
    if (version < this.#floor) throw expired(`too old resource version: ${version} (${this.#floor})`);
    return this.#log.slice(this.#logIndex(version)).filter((change) => change.storage === storage);
  }

  #logIndex(version: number): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#log[middle]?.version ?? 0) <= version) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * A page of a storage at a version: the entries after the key `after`, at most `limit` that `keep` accepts.
   * `remaining`: number of entries behind them, accepted or not. Undefined when the version was dropped.
   */
  page(
    storage: string,
    prefix: string,
    version: number,
    after: string,
    limit: number,
    keep: (object: Obj) => boolean,
  ): { items: Obj[]; next: string | undefined; remaining: number } | undefined {
    if (version < this.#floor) return undefined;
    const past = new Map<string, Obj | undefined>();
    for (let index = this.#logIndex(version); index < this.#log.length; index++) {
      const change = this.#log[index];
      if (change?.storage === storage && !past.has(change.key)) past.set(change.key, change.before);
    }
    const content = this.#content(storage);
    // Most changes update existing objects, so the keys are usually the same.
    const moved = Array.from(past).filter(
      ([key, object]) => (object === undefined) === content.objects.has(key),
    );
    const keys = moved.length === 0 ? content.keys : mergeKeys(content.keys, new Map(moved));
    const items: Obj[] = [];
    const end = prefix === '' ? keys.length : lowerBound(keys, `${prefix.slice(0, -1)}0`);
    let index = lowerBound(keys, after > prefix ? after : prefix);
    let last: string | undefined;
    for (; index < end && items.length < limit; index++) {
      const key = keys[index];
      if (key === undefined || key === after) continue;
      const object = past.has(key) ? past.get(key) : content.objects.get(key);
      if (object === undefined || !keep(object)) continue;
      items.push(object);
      last = key;
    }
    const remaining = end - index;
    return { items, next: remaining > 0 ? last : undefined, remaining };
  }
}

/** Keys at an earlier version: without later creations, with later removals. */
function mergeKeys(keys: readonly string[], past: ReadonlyMap<string, Obj | undefined>): string[] {
  const merged = keys.filter((key) => !past.has(key));
  for (const [key, object] of past) if (object !== undefined) merged.push(key);
  return merged.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function stamp(object: Obj | undefined, version: number): Obj {
  if (object === undefined) throw new Error('an object that does not exist cannot be removed');
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}
