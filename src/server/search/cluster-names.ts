import type { Logger } from 'pino';
import { genericKind } from '../../../commands/kinds/custom.ts';
import { builtIns } from '../../registry/kinds/builtin.ts';
import type { AnyKind, Kind } from '../../registry/kinds/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import type { DefinedKinds } from '../live/definitions/defined-kinds.ts';
import type { Budget } from '../kit/memory-budget.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { ClusterFilling } from './filling.ts';
import { createNames, type Names } from './names.ts';

/** Reading that takes longer than this is worth a word, ms. */
const longReading = 1_500;

/** Custom kinds of one cluster whose names are held; a cluster with more answers for these and says so. */
const maxCustomKinds = 150;

/** Resources whose names are not indexed: controllers create them and name them after something else. */
const unsearched: ReadonlySet<string> = new Set([
  'events',
  'endpointslices',
  'controllerrevisions',
  'leases',
  'volumeattachments',
]);

/** The names of every kind of one cluster. Authorise before: nothing here asks who looks. */
export interface ClusterNames {
  readonly names: Iterable<Names>;
  /** Kinds that definitions of the cluster make. */
  readonly custom: readonly AnyKind[];
  /** Definitions are still being read. */
  readonly isReading: boolean;
  /** The kinds whose names have yet to be read; none of a cluster that does not answer. */
  readonly unread: readonly AnyKind[];
  /** It was first searched a while ago. */
  readonly isOpenLong: boolean;
  /** More custom kinds than are searched. */
  readonly isCut: boolean;
  readonly size: number;
  /** Goes on with what is stored of the cluster now. */
  update(row: ClusterRow): void;
  /** Another credential may see other things. */
  restart(): void;
  dispose(): void;
}

export interface ClusterNamesOptions {
  readonly row: ClusterRow;
  readonly kinds: readonly Kind[];
  /** Follows the kinds that definitions of the cluster make. */
  readonly definedKinds: (onChange: () => void) => DefinedKinds;
  readonly transport: () => Promise<Transport>;
  /** The namespaces to read one by one where the cluster may not be listed as a whole. Throws Problem. */
  readonly namespaces: () => Promise<readonly string[]>;
  readonly hasPlace: () => boolean;
  /** Whether there is room for any further name. */
  readonly isFull: () => boolean;
  /** The turns in which its lists are read. */
  readonly filling: ClusterFilling;
  readonly clock: Clock;
  /** The memory budget of all names of the index. */
  readonly budget: Budget;
  readonly log: Logger;
}

/** Begins to read the names of a cluster: kinds with a file, built-ins without one, then those of its definitions. */
export function createClusterNames(options: ClusterNamesOptions): ClusterNames {
  const { transport, hasPlace, filling, clock, budget, log } = options;
  const begunAt = clock.now();
  /** Kinds whose lists have not begun. */
  const waiting = new Map<string, AnyKind>();
  /** Those of them for which there was no room when their turn came. */
  const skipped = new Set<AnyKind>();
  let { row } = options;
  const byKind = new Map<string, Names>();
  let custom: readonly AnyKind[] = [];
  let isDisposed = false;

  const create = (kind: AnyKind): Names => {
    const names = createNames({
      kind,
      cluster: () => row.name,
      namespaces: options.namespaces,
      transport,
      hasPlace,
      clock,
      budget,
      log: log.child({ kind: kind.id }),
      onState: () => filling.changed(),
    });
    byKind.set(kind.id, names);
    return names;
  };

  /** Reads a kind once it is its turn; where the index is full it waits for a search that finds room. */
  const open = (kind: AnyKind): void => {
    waiting.set(kind.id, kind);
    filling.add(() => {
      if (waiting.get(kind.id) !== kind) return undefined;
      if (options.isFull()) {
        skipped.add(kind);
        return undefined;
      }
      waiting.delete(kind.id);
      return create(kind);
    });
  };

  let definitions: DefinedKinds | undefined;
  filling.add(() => {
    definitions = options.definedKinds(follow);
    return undefined;
  });
  for (const kind of options.kinds) if (!unsearched.has(kind.plural)) open(kind);
  for (const builtIn of builtIns) {
    if (!unsearched.has(builtIn.resource.plural)) open(genericKind(builtIn));
  }

  function follow(): void {
    if (isDisposed) return;
    const isKnown = (id: string) => custom.some((kind) => kind.id === id);
    const before = custom;
    custom = (definitions?.kinds ?? []).slice(0, maxCustomKinds);
    for (const kind of before) {
      if (isKnown(kind.id)) continue;
      waiting.delete(kind.id);
      byKind.get(kind.id)?.dispose();
      byKind.delete(kind.id);
    }
    for (const kind of custom) if (!byKind.has(kind.id) && !waiting.has(kind.id)) open(kind);
  }

  return {
    get names() {
      return byKind.values();
    },
    get custom() {
      return custom;
    },
    get isReading() {
      return definitions === undefined || definitions.isReading;
    },
    get unread() {
      const unlisted = [...byKind.values()].filter(({ isListed }) => !isListed);
      if (unlisted.some(({ state }) => state.status === 'unreachable')) return [];
      const loading = unlisted.filter(({ state }) => state.status === 'loading');
      return [...loading.map(({ kind }) => kind), ...waiting.values()];
    },
    get isOpenLong() {
      return clock.now() - begunAt > longReading;
    },
    get isCut() {
      return (definitions?.kinds.length ?? 0) > maxCustomKinds;
    },
    get size() {
      let count = 0;
      for (const names of byKind.values()) count += names.size;
      return count;
    },
    update(next) {
      const changed = next.namespaces.join(' ') !== row.namespaces.join(' ');
      row = next;
      if (skipped.size > 0 && !options.isFull()) {
        const again = [...skipped];
        skipped.clear();
        for (const kind of again) if (waiting.get(kind.id) === kind) open(kind);
      }
      if (changed) for (const names of byKind.values()) names.restart();
    },
    restart() {
      definitions?.restart();
      for (const names of byKind.values()) names.restart();
    },
    dispose() {
      isDisposed = true;
      filling.dispose();
      definitions?.dispose();
      for (const names of byKind.values()) names.dispose();
      byKind.clear();
    },
  };
}
