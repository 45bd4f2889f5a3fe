import type { Logger } from 'pino';
import type { ListState } from '../../contract/live.ts';
import type { Clock } from '../kit/clock.ts';
import { createLimiter, type Limiter } from '../kit/limiter.ts';
import { outsideTurns } from '../kit/turns.ts';

/** How many lists of names are read at a time. */
export const fillingLimits = {
  ofCluster: 4,
  ofAll: 12,
  /** A list that takes longer lets others begin, ms. */
  patience: 5_000,
} as const;

/** A list that is being read. */
export interface Filled {
  readonly state: ListState;
  readonly isListed: boolean;
}

/** Begins to read lists of names one after the other, bounded for each cluster and in all. */
export interface Filling {
  /** The turns of one cluster. */
  ofCluster(): ClusterFilling;
}

/** Reads the lists of one cluster in the order in which they are given. */
export interface ClusterFilling {
  /**
   * Begins a list when its turn comes.
   * @param begin begins to read; undefined where there is nothing to wait for
   */
  add(begin: () => Filled | undefined): void;
  /** A list has another state. */
  changed(): void;
  /** Begins none of those that wait. */
  dispose(): void;
}

/** Whether nothing is gained by waiting for a list: it was read, or it cannot be read now. */
const isSettled = ({ isListed, state }: Filled) => isListed || state.status !== 'loading';

/** The lists of all clusters. */
export function createFilling(clock: Clock, log: Logger): Filling {
  const all = createLimiter(fillingLimits.ofAll);
  let clusters = 0;
  return {
    ofCluster() {
      clusters += 1;
      return fillCluster({ all, cluster: clusters, clock, log });
    },
  };
}

function fillCluster({
  all,
  cluster,
  clock,
  log,
}: {
  readonly all: Limiter;
  readonly cluster: number;
  readonly clock: Clock;
  readonly log: Logger;
}): ClusterFilling {
  const own = createLimiter(fillingLimits.ofCluster);
  const listeners = new Set<() => void>();
  let isDisposed = false;

  /** Resolves once a condition holds, the patience ends or the lists are given up. */
  const until = (holds: () => boolean, patience?: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        listeners.delete(look);
        cancel?.();
        resolve();
      };
      const look = () => {
        if (isDisposed || holds()) end();
      };
      const cancel = patience === undefined ? undefined : clock.after(patience, end);
      listeners.add(look);
      look();
    });

  async function beginInTurn(begin: () => Filled | undefined): Promise<Filled | undefined> {
    if (isDisposed) return undefined;
    const begun = begin();
    if (begun !== undefined) await until(() => isSettled(begun), fillingLimits.patience);
    return begun;
  }

  return {
    add(begin) {
      const fill = async () => {
        const begun = await all.run(() => beginInTurn(begin), undefined, cluster);
        // A cluster that does not answer is not asked for each of its kinds.
        if (begun?.state.status === 'unreachable') await until(() => begun.state.status !== 'unreachable');
      };
      // It goes on for everybody who searches later.
      outsideTurns(() => own.run(fill)).catch((error: unknown) =>
        log.error({ err: error }, 'Names could not be read'),
      );
    },
    changed() {
      for (const look of listeners) look();
    },
    dispose() {
      isDisposed = true;
      for (const look of listeners) look();
    },
  };
}
