import type { Logger } from 'pino';
import { genericKind } from '../../../commands/kinds/custom.ts';
import { builtIns } from '../../registry/kinds/builtin.ts';
import type { AnyKind, Kind } from '../../registry/kinds/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import type { DefinedKinds } from '../live/definitions/defined-kinds.ts';
import type { Budget } from '../live/source/weight.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { createNames, type Names } from './names.ts';

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
  readonly clock: Clock;
  /** The memory budget of all names of the index. */
  readonly budget: Budget;
  readonly log: Logger;
}

/** Begins to read the names of a cluster: kinds with a file, built-ins without one, then those of its definitions. */
export function createClusterNames(options: ClusterNamesOptions): ClusterNames {
  const { transport, hasPlace, clock, budget, log } = options;
  let { row } = options;
  const byKind = new Map<string, Names>();
  let custom: readonly AnyKind[] = [];
  let isDisposed = false;

  const open = (kind: AnyKind): void => {
    byKind.set(
      kind.id,
      createNames({
        kind,
        cluster: () => row.name,
        namespaces: options.namespaces,
        transport,
        hasPlace,
        clock,
        budget,
        log: log.child({ kind: kind.id }),
      }),
    );
  };

  for (const kind of options.kinds) if (!unsearched.has(kind.plural)) open(kind);
  for (const builtIn of builtIns) {
    if (!unsearched.has(builtIn.resource.plural)) open(genericKind(builtIn));
  }

  const follow = (): void => {
    if (isDisposed) return;
    const isKnown = (id: string) => custom.some((kind) => kind.id === id);
    const before = custom;
    custom = definitions.kinds.slice(0, maxCustomKinds);
    for (const kind of before) {
      if (isKnown(kind.id)) continue;
      byKind.get(kind.id)?.dispose();
      byKind.delete(kind.id);
    }
    for (const kind of custom) if (!byKind.has(kind.id)) open(kind);
  };
  const definitions = options.definedKinds(follow);

  return {
    get names() {
      return byKind.values();
    },
    get custom() {
      return custom;
    },
    get isReading() {
      return definitions.isReading;
    },
    get isCut() {
      return definitions.kinds.length > maxCustomKinds;
    },
    get size() {
      let count = 0;
      for (const names of byKind.values()) count += names.size;
      return count;
    },
    update(next) {
      const changed = next.namespaces.join(' ') !== row.namespaces.join(' ');
      row = next;
      if (changed) for (const names of byKind.values()) names.restart();
    },
    restart() {
      definitions.restart();
      for (const names of byKind.values()) names.restart();
    },
    dispose() {
      isDisposed = true;
      definitions.dispose();
      for (const names of byKind.values()) names.dispose();
      byKind.clear();
    },
  };
}
