import { createHash } from 'node:crypto';
import type { ClusterState } from '../../contract/clusters.ts';
import { Problem } from '../../contract/problem.ts';
import { noSuchCluster } from '../access/grants.ts';
import type { ClusterRow } from '../store/schema.ts';
import { credentialContext } from '../store/sealed.ts';
import type { Vault } from '../store/vault.ts';
import { type AddressGuard, loopbackCidrs, type Resolver } from './address.ts';
import type { Now } from './breaker.ts';
import { ClusterTransport, type HttpTransport } from './http-transport.ts';
import { chooseContext, parseKubeconfig } from './kubeconfig.ts';
import type { OperatorFile } from './operator-file.ts';
import { type PlaygroundSource, stagingContext } from './playground-source.ts';
import { stateOfFailure } from './reach.ts';
import { type Target, toKubeconfig } from './target.ts';
import { ClusterProblem } from './transport.ts';

/** The living side of the directory: one transport per cluster and credential, and what was learnt of each. */
export interface Connected {
  /** The transport of a row, opened on first use and anew when its credential changed. Throws Problem. */
  transport(row: ClusterRow): Promise<HttpTransport>;
  state(clusterId: number): ClusterState;
  setState(clusterId: number, state: ClusterState): void;
  /** Lets go of what no longer fits the row (undefined: it is gone). */
  follow(clusterId: number, row: ClusterRow | undefined): void;
  /** Clusters with an open transport. */
  ids(): readonly number[];
  /** Lets go of the playground's transport; returns whose it was. */
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

interface Way {
  readonly target: Target;
  readonly guard: AddressGuard;
  /** What the credential is known by, beside the row's version. */
  readonly mark: string;
}

const replaceAdvice = 'An Owner can replace its kubeconfig under Clusters.';
const unsealAdvice =
  'An Owner can replace its kubeconfig under Clusters; or start the server with the key that the credential was sealed with.';

/** @returns nothing is connected until a transport is used */
export function createConnected(options: {
  readonly guard: AddressGuard;
  readonly vault: Vault;
  readonly file: OperatorFile;
  readonly playground: PlaygroundSource | undefined;
  readonly now: Now;
  readonly resolve?: Resolver;
}): Connected {
  const { guard, now } = options;
  const entries = new Map<number, Entry>();
  const states = new Map<number, ClusterState>();
  let isClosed = false;

  const unusable = (row: ClusterRow, sentence: string) =>
    new ClusterProblem(
      { status: 502, title: `${row.name} ${sentence}`, retryable: false, where: { cluster: row.name } },
      {},
    );

  const wayTo = async (row: ClusterRow): Promise<Way> => {
    switch (row.source) {
      case 'playground': {
        if (options.playground === undefined) {
          throw unusable(row, 'is the playground, which this server was started without.');
        }
        const { server, ca, token } = await options.playground.target(
          row.context === stagingContext ? 'staging' : 'company',
        );
        const target: Target = {
          server,
          ca,
          tlsServerName: undefined,
          disableCompression: false,
          namespace: undefined,
          credential: { token },
          impersonate: undefined,
        };
        return { target, guard: guard.allowing(loopbackCidrs), mark: digest(target) };
      }
      case 'operator': {
        const context = (await options.file.contexts()).get(row.context ?? '');
        if (context === undefined) {
          throw unusable(
            row,
            `was context "${row.context ?? ''}" of the operator's kubeconfig, which this server was started without. Start it with --kubeconfig again, or remove the cluster.`,
          );
        }
        if (context.target === undefined)
          throw unusable(row, `cannot be used. ${context.problems.join(' ')}`);
        // The operator chose the file, and kind and minikube listen on loopback.
        return { target: context.target, guard: guard.allowing(loopbackCidrs), mark: digest(context.target) };
      }
      default: {
        if (row.kubeconfig === null) throw unusable(row, `has no stored credential. ${replaceAdvice}`);
        return { target: openTarget(row, row.kubeconfig), guard, mark: '' };
      }
    }
  };

  const openCredential = (row: ClusterRow, sealed: Buffer): string => {
    try {
      return options.vault.open(sealed, credentialContext(row.id));
    } catch (error) {
      throw new ClusterProblem(
        {
          status: 502,
          title: `The stored credential of ${row.name} cannot be opened with this server's keys. ${unsealAdvice}`,
          retryable: false,
          where: { cluster: row.name },
        },
        {},
        { cause: error },
      );
    }
  };

  const openTarget = (row: ClusterRow, sealed: Buffer): Target => {
    const text = openCredential(row, sealed);
    try {
      const { target } = chooseContext(parseKubeconfig(text), undefined);
      if (target !== undefined) return target;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
    throw unusable(row, `has a stored credential that is no longer accepted. ${replaceAdvice}`);
  };

  const drop = (clusterId: number) => {
    const entry = entries.get(clusterId);
    entries.delete(clusterId);
    void entry?.transport.close();
  };

  const learn = (clusterId: number, name: string, problem: ClusterProblem | undefined) => {
    const before = states.get(clusterId);
    if (problem !== undefined) {
      const version = before?.version;
      states.set(clusterId, {
        ...stateOfFailure(problem, name, now()),
        ...(version === undefined ? {} : { version }),
      });
    } else if (before?.status !== 'reachable') {
      const version = before?.version;
      states.set(clusterId, {
        status: 'reachable',
        checkedAt: new Date(now()).toISOString(),
        ...(version === undefined ? {} : { version }),
      });
    }
  };

  return {
    async transport(row) {
      const held = entries.get(row.id);
      const isFixed = row.source === 'kubeconfig';
      if (isFixed && held?.version === row.credentialVersion && held.name === row.name) return held.transport;
      const way = await wayTo(row);
      if (isClosed) throw noSuchCluster();
      const key = [row.id, row.credentialVersion, ...(way.mark === '' ? [] : [way.mark])].join('.');
      // Another caller may have opened it meanwhile.
      const current = entries.get(row.id);
      if (current?.key === key && current.name === row.name) return current.transport;
      drop(row.id);
      const transport = new ClusterTransport(way.target, {
        clusterId: row.id,
        name: row.name,
        credential: key,
        guard: way.guard,
        onOutcome: (problem) => {
          if (entries.get(row.id)?.transport === transport) learn(row.id, row.name, problem);
        },
        now,
        ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
      });
      entries.set(row.id, {
        key,
        source: row.source,
        version: row.credentialVersion,
        name: row.name,
        transport,
      });
      return transport;
    },
    state: (clusterId) => states.get(clusterId) ?? { status: 'unknown' },
    setState: (clusterId, state) => {
      states.set(clusterId, state);
    },
    follow(clusterId, row) {
      const entry = entries.get(clusterId);
      if (row === undefined) {
        drop(clusterId);
        states.delete(clusterId);
      } else if (
        entry !== undefined &&
        (entry.version !== row.credentialVersion || entry.name !== row.name)
      ) {
        drop(clusterId);
        states.delete(clusterId);
      }
    },
    ids: () => [...entries.keys()],
    restartPlayground() {
      const own = [...entries].filter(([, entry]) => entry.source === 'playground').map(([id]) => id);
      for (const id of own) drop(id);
      return own;
    },
    async close() {
      isClosed = true;
      await Promise.all([...entries.values()].map((entry) => entry.transport.close()));
      entries.clear();
    },
  };
}

/** Tells one credential from another without holding it. */
function digest(target: Target): string {
  return createHash('sha256')
    .update(toKubeconfig(target))
    .update(JSON.stringify(target.credential))
    .digest('hex')
    .slice(0, 16);
}
