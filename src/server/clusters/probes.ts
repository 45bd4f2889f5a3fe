import type { ClusterState } from '../../contract/clusters.ts';
import { Problem } from '../../contract/problem.ts';
import { OwnLimit } from '../kit/own-limit.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Connected } from './connected.ts';
import { reach, stateOfFailure } from './reach.ts';
import type { Clock } from '../kit/clock.ts';

/** Inputs of the probes. */
export interface ProbesParts {
  /** Throws Problem 404. */
  readonly find: (clusterId: number) => Promise<ClusterRow>;
  readonly connected: Pick<Connected, 'transport' | 'state' | 'setState'>;
  readonly clock: Clock;
  /** Time until a probe gives up, ms. */
  readonly timeout: number;
}

/** Probes stored clusters; callers at the same time share one probe of a cluster. */
export class Probes {
  readonly #parts: ProbesParts;
  readonly #running = new Map<number, Promise<ClusterState>>();

  constructor(parts: ProbesParts) {
    this.#parts = parts;
  }

  /** The state of a cluster that was just probed, which is remembered. Never throws. */
  probe(clusterId: number): Promise<ClusterState> {
    const running = this.#running.get(clusterId);
    if (running !== undefined) return running;
    const started = this.#probe(clusterId).finally(() => this.#running.delete(clusterId));
    this.#running.set(clusterId, started);
    return started;
  }

  async #probe(clusterId: number): Promise<ClusterState> {
    const { find, connected, clock, timeout } = this.#parts;
    let name = 'The cluster';
    let state: ClusterState;
    try {
      const row = await find(clusterId);
      ({ name } = row);
      state = await reach(connected.transport(row), name, timeout, clock);
    } catch (error) {
      // It says nothing of the cluster.
      if (error instanceof OwnLimit) return connected.state(clusterId);
      state = stateOfFailure(error, name, clock.now());
      // Nothing is remembered of a cluster without a row.
      if (error instanceof Problem && error.status === 404 && error.where.source === 'console') return state;
    }
    connected.setState(clusterId, state);
    return state;
  }
}
