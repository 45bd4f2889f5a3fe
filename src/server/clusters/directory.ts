import { and, eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { GlobalSettingsChange } from '../../contract/cluster-settings.ts';
import type { ClusterState, KubeconfigContext } from '../../contract/clusters.ts';
import { Problem } from '../../contract/problem.ts';
import { noSuchCluster } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import type { Config } from '../kit/config.ts';
import { describeError } from '../kit/describe-error.ts';
import { type ClusterRow, clusters } from '../store/schema.ts';
import { credentialContext } from '../store/sealed.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { createAddressGuard, type Resolver } from './address.ts';
import { adoptClusters } from './adopt.ts';
import type { Now } from './breaker.ts';
import { insertCluster, isNameTaken, nameTaken } from './cluster-rows.ts';
import { createConnected } from './connected.ts';
import { followFile } from './follow-file.ts';
import { ClusterTransport } from './http-transport.ts';
import { contextProblems, presentContext } from './judge.ts';
import { chooseContext, parseKubeconfig } from './kubeconfig.ts';
import { createNamespaceScopes } from './namespace-scope.ts';
import { openOperatorFile } from './operator-file.ts';
import type { PlaygroundSource } from './playground-source.ts';
import { reach, stateOfFailure } from './reach.ts';
import { type Target, toKubeconfig } from './target.ts';
import type { KubeRequest, LiveTransport } from './transport.ts';

/** The console's clusters: stored rows on one side, living connections on the other. */
export interface ClusterDirectory {
  /** The way to a cluster, shared by everyone who may use it: authorise first. Throws Problem 404. */
  transport(clusterId: number): Promise<LiveTransport>;
  /**
   * Opens a WebSocket to a cluster (exec, attach), by the first of these subprotocols that it knows: authorise first. It
   * is paused until somebody listens. Throws Problem.
   */
  socket(clusterId: number, request: KubeRequest, protocols: readonly string[]): Promise<WebSocket>;
  /**
   * The namespaces to read one by one where the credential may not list the whole cluster: those of the cluster's
   * rules, the context's own, and those that the credential's rules name. Throws Problem.
   */
  namespaces(clusterId: number): Promise<readonly string[]>;
  /** What was last learnt of a cluster. */
  state(clusterId: number): ClusterState;
  /** Reaches a cluster now (at most 5 s). Never throws: not reaching it is an answer. */
  probe(clusterId: number): Promise<ClusterState>;
  /** The contexts of a kubeconfig text and what keeps each from being added. Throws Problem 400 on an unreadable file. */
  read(kubeConfigContent: string): KubeconfigContext[];
  /** Parses, reaches once, seals, stores. Throws Problem naming the cluster. */
  add(
    person: Member,
    input: { name: string; description: string; kubeConfigContent: string; context?: string | undefined },
  ): Promise<ClusterRow>;
  /** Same, for the credential of a stored cluster. */
  replace(
    person: Member,
    clusterId: number,
    input: { kubeConfigContent: string; context?: string | undefined },
  ): Promise<ClusterRow>;
  /** Changes what holds for everybody on a cluster. Throws Problem 404. */
  configure(person: Member, clusterId: number, settings: GlobalSettingsChange): Promise<ClusterRow>;
  remove(person: Member, clusterId: number): Promise<void>;
  /** Called after a cluster's credential or settings changed or the cluster went away. Returns a disposer. */
  onChange(listener: (clusterId: number) => void): () => void;
  close(): Promise<void>;
}

/** A directory that also knows the clusters nobody added. */
export interface OwnedDirectory extends ClusterDirectory {
  /**
   * Gives the playground and the operator's contexts their rows once there is a company. Called at start and to be
   * called after a company was created.
   */
  adopt(): Promise<void>;
}

/** What the directory is made from. */
export interface DirectoryOptions {
  readonly config: Pick<Config, 'allowCidrs' | 'kubeconfigFile'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly vault: Vault;
  readonly log: Logger;
  readonly playground?: PlaygroundSource | undefined;
  readonly now?: Now;
  /** How host names are resolved; the system's way without it. */
  readonly resolve?: Resolver;
  /** How long a probe waits, ms; 5 s without it. */
  readonly probeMs?: number;
}

const addMs = 15_000;

/** Opens the directory over a store. Throws StartError when the operator's kubeconfig cannot be used. */
export async function createDirectory(options: DirectoryOptions): Promise<OwnedDirectory> {
  const { store, vault, log, now = Date.now, probeMs = 5_000 } = options;
  const { db, channel } = store;
  const guard = createAddressGuard(options.config.allowCidrs);
  const file = await openOperatorFile(options.config.kubeconfigFile, (sentence) => log.warn(sentence));
  const listeners = new Set<(clusterId: number) => void>();
  const offered = new Set<string>();
  const probes = new Map<number, Promise<ClusterState>>();

  const find = async (clusterId: number): Promise<ClusterRow> => {
    const [row] = await db.select().from(clusters).where(eq(clusters.id, clusterId));
    if (row === undefined) throw noSuchCluster();
    return row;
  };
  const connected = createConnected({
    guard,
    vault,
    file,
    playground: options.playground,
    now,
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });

  const scopes = createNamespaceScopes((row) => connected.transport(row), now);

  const announce = (clusterId: number) => {
    for (const listener of listeners) listener(clusterId);
  };

  /** Lets go of what a change made stale, then tells the listeners. */
  const follow = async (clusterId: number) => {
    try {
      const [row] = await db.select().from(clusters).where(eq(clusters.id, clusterId));
      connected.follow(clusterId, row);
    } catch (error) {
      log.warn({ clusterId, err: describeError(error) }, 'A changed cluster could not be read');
    }
    announce(clusterId);
  };

  /** Tells every replica, with the transaction that changes the cluster. */
  const tell = async (
    tx: Transaction,
    { companyId, id: clusterId }: Pick<ClusterRow, 'id' | 'companyId'>,
    grants: boolean,
  ) => {
    await channel.notify('clusters', { companyId, clusterId }, tx);
    if (grants) await channel.notify('grants', { companyId }, tx);
  };

  /** The usable target of a pasted kubeconfig. Throws Problem 400 with every reason why there is none. */
  const targetOf = (name: string, content: string, contextName: string | undefined) => {
    const context = chooseContext(parseKubeconfig(content), contextName);
    const problems = contextProblems(context, guard, now());
    if (context.target === undefined || problems.length > 0) {
      throw new Problem({
        status: 400,
        title: problems.join(' '),
        where: { source: 'console', cluster: name },
      });
    }
    return {
      target: context.target,
      credentialExpiresAt: context.expiresAt?.toISOString() ?? null,
    };
  };

  /** Reaches a cluster that is not stored yet. */
  const tryOut = async (name: string, target: Target) => {
    const transport = new ClusterTransport(target, {
      clusterId: 0,
      name,
      credential: 'new',
      guard,
      now,
      ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
    });
    try {
      return await reach(transport, name, addMs, now);
    } finally {
      await transport.close();
    }
  };

  const seal = (target: Target) => (clusterId: number) =>
    vault.seal(toKubeconfig(target), credentialContext(clusterId));

  const probe = async (clusterId: number): Promise<ClusterState> => {
    let name = 'The cluster';
    let state: ClusterState;
    try {
      const row = await find(clusterId);
      ({ name } = row);
      state = await reach(connected.transport(row), name, probeMs, now);
    } catch (error) {
      state = stateOfFailure(error, name, now());
      if (error instanceof Problem && error.status === 404 && error.where.source === 'console') return state;
    }
    connected.setState(clusterId, state);
    return state;
  };

  const adopt = async () => {
    const contexts = await file.contexts();
    const { changed } = await adoptClusters(
      store,
      {
        hasPlayground: options.playground !== undefined,
        hasStaging: options.playground?.hasStaging === true,
        contexts,
        offered,
      },
      (tx, row) => tell(tx, row, true),
    );
    for (const row of changed) {
      if (row.source === 'operator' && row.context !== null) offered.add(row.context);
    }
  };

  for (const context of (await file.contexts()).values()) {
    if (context.target === undefined) {
      log.warn(
        `Context "${context.name}" of the operator's kubeconfig is left out. ${context.problems.join(' ')}`,
      );
    }
  }
  const disposers = [
    channel.on('clusters', ({ clusterId }) => void follow(clusterId)),
    channel.onGap(() => {
      for (const clusterId of connected.ids()) void follow(clusterId);
    }),
    options.playground?.onRestart(() => {
      for (const clusterId of connected.restartPlayground()) announce(clusterId);
    }),
  ];
  await adopt();
  if (options.config.kubeconfigFile !== null) disposers.push(await followFile(file, adopt, log));

  return {
    adopt,
    transport: async (clusterId) => connected.transport(await find(clusterId)),
    async socket(clusterId, request, protocols) {
      const transport = await connected.transport(await find(clusterId));
      return await transport.socket(request, protocols);
    },
    namespaces: async (clusterId) => await scopes.of(await find(clusterId)),
    state: (clusterId) => connected.state(clusterId),
    probe(clusterId) {
      const running = probes.get(clusterId);
      if (running !== undefined) return running;
      const started = probe(clusterId).finally(() => probes.delete(clusterId));
      probes.set(clusterId, started);
      return started;
    },
    read: (content) =>
      parseKubeconfig(content).map((context) =>
        presentContext(context, contextProblems(context, guard, now())),
      ),
    async add(person, input) {
      const { name, description } = input;
      const { target, credentialExpiresAt } = targetOf(name, input.kubeConfigContent, input.context);
      if (await isNameTaken(db, person.companyId, name)) throw nameTaken(name);
      const state = await tryOut(name, target);
      const row = await insertCluster(
        db,
        {
          companyId: person.companyId,
          name,
          description,
          source: 'kubeconfig',
          server: target.server,
          context: null,
          credentialExpiresAt,
          createdBy: person.id,
          seal: seal(target),
        },
        (tx, added) => tell(tx, added, true),
      );
      connected.setState(row.id, state);
      return row;
    },
    async replace(person, clusterId, input) {
      const own = and(eq(clusters.id, clusterId), eq(clusters.companyId, person.companyId));
      const [before] = await db.select().from(clusters).where(own);
      if (before === undefined) throw noSuchCluster();
      if (before.source !== 'kubeconfig') {
        const whose =
          before.source === 'playground' ? 'this console itself' : "the operator's own kubeconfig";
        throw new Problem({
          status: 409,
          title: `The credential of ${before.name} comes from ${whose} and cannot be replaced here.`,
        });
      }
      const { target, credentialExpiresAt } = targetOf(before.name, input.kubeConfigContent, input.context);
      const state = await tryOut(before.name, target);
      const row = await db.transaction(async (tx) => {
        const [replaced] = await tx
          .update(clusters)
          .set({
            kubeconfig: seal(target)(clusterId),
            server: target.server,
            credentialExpiresAt,
            credentialVersion: sql`${clusters.credentialVersion} + 1`,
          })
          .where(own)
          .returning();
        if (replaced === undefined) throw noSuchCluster();
        await tell(tx, replaced, false);
        return replaced;
      });
      connected.follow(clusterId, row);
      connected.setState(clusterId, state);
      return row;
    },
    async configure(person, clusterId, settings) {
      const { isProtected, isReadOnly, isShellAllowed, namespaces } = settings;
      return await db.transaction(async (tx) => {
        const [row] = await tx
          .update(clusters)
          .set({
            isProtected,
            isReadOnly,
            isShellAllowed,
            ...(namespaces === undefined ? {} : { namespaces: [...new Set(namespaces)] }),
          })
          .where(and(eq(clusters.id, clusterId), eq(clusters.companyId, person.companyId)))
          .returning();
        if (row === undefined) throw noSuchCluster();
        await tell(tx, row, false);
        return row;
      });
    },
    async remove(person, clusterId) {
      await db.transaction(async (tx) => {
        const [row] = await tx
          .delete(clusters)
          .where(and(eq(clusters.id, clusterId), eq(clusters.companyId, person.companyId)))
          .returning({ id: clusters.id, companyId: clusters.companyId });
        if (row === undefined) throw noSuchCluster();
        await tell(tx, row, true);
      });
      connected.follow(clusterId, undefined);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      for (const dispose of disposers) dispose?.();
      listeners.clear();
      await connected.close();
    },
  };
}
