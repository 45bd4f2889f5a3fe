import type { ClusterState } from '../../contract/clusters.ts';
import { noSuchCluster } from '../access/grants.ts';
import type { Budget } from '../kit/memory-budget.ts';
import type { Tracer } from '../kit/tracer.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Resolver } from './address.ts';
import { type GuardedTarget, type TargetSources, targetOfRow } from './cluster-target.ts';
import { ClusterTransport, type HttpTransport } from './http-transport.ts';
import { stateOfFailure } from './reach.ts';
import type { ClusterProblem } from './transport.ts';
import type { Clock } from '../kit/clock.ts';

/** One transport for each cluster and credential, and the last known state of each cluster. */
export interface Connected {
  /** The transport of a row, opened on first use and anew when its credential changed. Throws Problem. */
  transport(row: ClusterRow): Promise<HttpTransport>;
  state(clusterId: number): ClusterState;
  setState(clusterId: number, state: ClusterState): void;
  /** Drops transport and state where they no longer fit the row (undefined: it is gone). */
  follow(clusterId: number, row: ClusterRow | undefined): void;
  /** Clusters with an open transport. */
  ids(): readonly number[];
  /** Drops the transports to the playground; returns the clusters that had one. */
  restartPlayground(): readonly number[];
  close(): Promise<void>;
}

interface Entry {
  readonly key: string;
  readonly source: string;
  readonly version: number;
  readonly name: string;
  readonly transport: HttpTransport;
}

/** Inputs of connected clusters. */
export interface ConnectedParts extends TargetSources {
  readonly clock: Clock;
  /** Resolves host names; as the system does without it. */
  readonly resolve?: Resolver;
  readonly tracer?: Tracer | undefined;
  /** The memory that answers of all clusters share; any amount without it. */
  readonly answers?: Budget | undefined;
}

/** Keeps the transports of clusters. Connects nothing before a transport is used. */
export class ConnectedClusters implements Connected {
  readonly #parts: ConnectedParts;
  readonly #entries = new Map<number, Entry>();
  readonly #states = new Map<number, ClusterState>();
  #isClosed = false;

  constructor(parts: ConnectedParts) {
    this.#parts = parts;
  }

  async transport(row: ClusterRow): Promise<HttpTransport> {
    const opened = this.#entries.get(row.id);
    const isFixed = row.source === 'kubeconfig';
    if (isFixed && opened?.version === row.credentialVersion && opened.name === row.name)
      return opened.transport;
    const guarded = await targetOfRow(row, this.#parts);
    if (this.#isClosed) throw noSuchCluster();
    const suffix = guarded.digest === '' ? '' : `.${guarded.digest}`;
    const key = `${row.id}.${row.credentialVersion}${suffix}`;
    // Another caller may have opened it meanwhile.
    const current = this.#entries.get(row.id);
    if (current?.key === key && current.name === row.name) return current.transport;
    this.#drop(row.id);
    return this.#open(row, key, guarded);
  }

  state(clusterId: number): ClusterState {
    return this.#states.get(clusterId) ?? { status: 'unknown' };
  }

  setState(clusterId: number, state: ClusterState): void {
    const reachedAt = state.status === 'reachable' ? state.checkedAt : this.#states.get(clusterId)?.reachedAt;
    this.#states.set(clusterId, reachedAt === undefined ? state : { ...state, reachedAt });
  }

  follow(clusterId: number, row: ClusterRow | undefined): void {
    if (row !== undefined) {
      const entry = this.#entries.get(clusterId);
      if (entry === undefined) return;
      if (entry.version === row.credentialVersion && entry.name === row.name) return;
    }
    this.#drop(clusterId);
    this.#states.delete(clusterId);
  }

  ids(): readonly number[] {
    return [...this.#entries.keys()];
  }

  restartPlayground(): readonly number[] {
    const ids = [...this.#entries].filter(([, { source }]) => source === 'playground').map(([id]) => id);
    for (const id of ids) this.#drop(id);
    return ids;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.values()].map(({ transport }) => transport.close()));
    this.#entries.clear();
  }

  #open(row: ClusterRow, key: string, { target, guard }: GuardedTarget): HttpTransport {
    const { clock, resolve, tracer, answers } = this.#parts;
    const transport: HttpTransport = new ClusterTransport(target, {
      clusterId: row.id,
      name: row.name,
      credential: key,
      guard,
      onOutcome: (problem) => {
        if (this.#entries.get(row.id)?.transport === transport) this.#learn(row, problem);
      },
      clock,
      tracer,
      answers,
      ...(resolve === undefined ? {} : { resolve }),
    });
    this.#entries.set(row.id, {
      key,
      source: row.source,
      version: row.credentialVersion,
      name: row.name,
      transport,
    });
    return transport;
  }

  #drop(clusterId: number): void {
    const entry = this.#entries.get(clusterId);
    this.#entries.delete(clusterId);
    void entry?.transport.close();
  }

  /** Updates the state of a cluster after a request; its version stays known. */
  #learn({ id, name }: ClusterRow, problem: ClusterProblem | undefined): void {
    const before = this.#states.get(id);
    // Almost every request succeeds: nothing is allocated for the next one of them.
    if (problem === undefined && before?.status === 'reachable') return;
    const now = this.#parts.clock.now();
    const version = before?.version;
    this.setState(id, {
      ...(problem === undefined
        ? { status: 'reachable', checkedAt: new Date(now).toISOString() }
        : stateOfFailure(problem, name, now)),
      ...(version === undefined ? {} : { version }),
    });
  }
}
