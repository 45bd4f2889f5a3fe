import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import type { Kind } from '../../registry/kinds/kind.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import type { DefinedKinds } from '../live/definitions/defined-kinds.ts';
import { followGrantedNamespaces } from '../live/source/granted-namespaces.ts';
import type { Budget } from '../kit/memory-budget.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { type ClusterNames, createClusterNames } from './cluster-names.ts';
import { createFilling } from './filling.ts';

export const searchLimits = {
  /** Names held over all clusters; some 200 bytes each. */
  names: 500_000,
  /** A cluster's names are dropped when nobody has searched it for this long, ms. */
  idle: 10 * 60_000,
  /** How often unused names are looked for, ms. */
  sweep: 60_000,
} as const;

/**
 * The names of every object of the clusters that people search: metadata alone, listed and watched once for each
 * cluster and kind, from the first search until some time after the last.
 */
export interface SearchIndex {
  /** The names of a cluster; the caller has authorised the person for it. */
  of(row: ClusterRow): ClusterNames;
  /** Whether no more names fit. */
  readonly isFull: boolean;
  stats(): { readonly clusters: number; readonly names: number };
  close(): void;
}

export interface SearchIndexOptions {
  readonly clusters: Pick<ClusterDirectory, 'transport' | 'namespaces' | 'onChange' | 'onGrants'>;
  readonly kinds: readonly Kind[];
  /** Follows the kinds that definitions of a cluster make. */
  readonly definedKinds: (row: ClusterRow, onChange: () => void) => DefinedKinds;
  readonly log: Logger;
  /** Of all names. */
  readonly budget: Budget;
  readonly clock?: Clock;
  /** Names held over all clusters. */
  readonly maxNames?: number;
}

interface Open {
  readonly companyId: number;
  readonly names: ClusterNames;
  credential: string | undefined;
  askedAt: number;
}

/** Starts an index; nothing is read before somebody searches. */
export function createSearchIndex(options: SearchIndexOptions): SearchIndex {
  const { clusters, kinds, log, budget, clock = systemClock, maxNames = searchLimits.names } = options;
  const opened = new Map<number, Open>();
  const filling = createFilling(clock, log);
  let held = 0;
  let isClosed = false;
  const isFull = () => held >= maxNames || budget.held >= budget.limit;

  const count = () => {
    held = 0;
    for (const { names } of opened.values()) held += names.size;
  };

  const drop = (clusterId: number) => {
    opened.get(clusterId)?.names.dispose();
    opened.delete(clusterId);
  };

  /** Follows a cluster's credential; a cluster that is gone takes its names along. */
  async function follow(clusterId: number): Promise<void> {
    const open = opened.get(clusterId);
    if (open === undefined) return;
    try {
      const { credential } = await clusters.transport(clusterId);
      if (open.credential !== undefined && open.credential !== credential) open.names.restart();
      open.credential = credential;
    } catch (error) {
      // Any other failure is the reflectors' to meet and to say.
      if (error instanceof Problem && error.status === 404) drop(clusterId);
    }
  }

  function sweep(): void {
    if (isClosed) return;
    count();
    for (const [clusterId, { askedAt }] of opened) {
      if (clock.now() - askedAt >= searchLimits.idle) drop(clusterId);
    }
    cancelSweep = clock.after(searchLimits.sweep, sweep);
  }
  let cancelSweep = clock.after(searchLimits.sweep, sweep);
  const disposers = [
    clusters.onChange((clusterId) => void follow(clusterId)),
    followGrantedNamespaces({
      clusters,
      open: () =>
        [...opened].map(([id, { companyId, names }]) => ({ id, companyId, lists: () => [...names.names] })),
      log,
    }),
  ];

  return {
    of(row) {
      const known = opened.get(row.id);
      if (known !== undefined) {
        known.askedAt = clock.now();
        known.names.update(row);
        return known.names;
      }
      if (isClosed) throw new Problem({ status: 503, title: 'The server is restarting.' });
      const open: Open = {
        companyId: row.companyId,
        credential: undefined,
        askedAt: clock.now(),
        names: createClusterNames({
          row,
          kinds,
          definedKinds: (onChange) => options.definedKinds(row, onChange),
          namespaces: () => clusters.namespaces(row.id),
          transport: async () => {
            const transport = await clusters.transport(row.id);
            open.credential = transport.credential;
            return transport;
          },
          // Counted roughly: exactly at each sweep, one by one in between.
          hasPlace: () => {
            if (held >= maxNames) return false;
            held += 1;
            return true;
          },
          isFull: () => isFull(),
          filling: filling.ofCluster(),
          clock,
          budget,
          log: log.child({ clusterId: row.id }),
        }),
      };
      opened.set(row.id, open);
      return open.names;
    },
    get isFull() {
      return isFull();
    },
    stats() {
      let names = 0;
      for (const open of opened.values()) names += open.names.size;
      return { clusters: opened.size, names };
    },
    close() {
      isClosed = true;
      cancelSweep();
      for (const dispose of disposers) dispose();
      for (const clusterId of opened.keys()) drop(clusterId);
    },
  };
}
