import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { GlobalSettingsChange } from '../../contract/cluster-settings.ts';
import type { ClusterState, KubeconfigContext } from '../../contract/clusters.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import type { Config } from '../kit/config.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Budget } from '../kit/memory-budget.ts';
import type { Tracer } from '../kit/tracer.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { credentialContext } from '../store/sealed.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { type AddressGuard, createAddressGuard, type Resolver } from './address.ts';
import { type ActingPerson, actAs, actingIdentity, alreadyActing, asPerson } from './acting.ts';
import { Adoption } from './adoption.ts';
import {
  deleteCluster,
  type EndClusterWork,
  findCluster,
  findOwnCluster,
  notifyGrantsChange,
  readCluster,
  updateCredential,
  updateSettings,
} from './cluster-changes.ts';
import { insertCluster, isNameTaken, nameTaken } from './cluster-rows.ts';
import { type Connected, ConnectedClusters } from './connected.ts';
import type { Rules } from './credential-rules.ts';
import type { OwnedDirectory } from './directory.ts';
import { followFile } from './follow-file.ts';
import { ClusterTransport } from './http-transport.ts';
import { contextProblems, presentContext } from './judge.ts';
import { parseKubeconfig } from './kubeconfig.ts';
import { readEnteredSource, storedSource } from './metrics-source.ts';
import { grantedNamespaces } from './granted-namespaces.ts';
import { createNamespaceScopes, type NamespaceScopes } from './namespace-scope.ts';
import { type OperatorFile, openOperatorFile } from './operator-file.ts';
import { type PastedKubeconfig, pastedTarget } from './pasted-kubeconfig.ts';
import { PlanLimits } from '../plans/limits.ts';
import type { PlaygroundSource } from './playground-source.ts';
import { Probes } from './probes.ts';
import { reach } from './reach.ts';
import { type Target, toKubeconfig } from './target.ts';
import type { KubeRequest, LiveTransport, Transport } from './transport.ts';
import { type Clock, systemClock } from '../kit/clock.ts';

/** Inputs of the directory. */
export interface DirectoryOptions {
  readonly config: Pick<Config, 'allowCidrs' | 'metricsSourceCidrs' | 'kubeconfigFile' | 'billing'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly vault: Vault;
  readonly log: Logger;
  readonly endWork: EndClusterWork;
  readonly playground?: PlaygroundSource | undefined;
  readonly clock?: Clock;
  /** Resolves host names; as the system does without it. */
  readonly resolve?: Resolver;
  /** Records the requests to clusters that are stored. */
  readonly tracer?: Tracer | undefined;
  /** The memory that answers of all clusters share; any amount without it. */
  readonly answers?: Budget | undefined;
  /** Time until a probe gives up, ms; 5,000 without it. */
  readonly probeMs?: number;
}

/** Time until a cluster that is about to be stored must have answered, ms. */
const tryTimeout = 15_000;

/** Opens the directory over a store. Throws StartError when the operator's kubeconfig cannot be used. */
export async function createDirectory(options: DirectoryOptions): Promise<OwnedDirectory> {
  const { config, log } = options;
  const file = await openOperatorFile(config.kubeconfigFile, (sentence) => log.warn(sentence));
  const directory = new StoredDirectory(options, file);
  for (const context of (await file.contexts()).values()) {
    if (context.target !== undefined) continue;
    log.warn(
      `Context "${context.name}" of the operator's kubeconfig is left out. ${context.problems.join(' ')}`,
    );
  }
  await directory.start();
  return directory;
}

class StoredDirectory implements OwnedDirectory {
  readonly #options: DirectoryOptions;
  readonly #file: OperatorFile;
  readonly #clock: Clock;
  readonly #guard: AddressGuard;
  readonly #limits: PlanLimits;
  readonly #connected: Connected;
  readonly #scopes: NamespaceScopes;
  readonly #probes: Probes;
  readonly #adoption: Adoption;
  readonly #listeners = new Set<(clusterId: number) => void>();
  readonly #disposers: (() => void)[] = [];

  constructor(options: DirectoryOptions, file: OperatorFile) {
    const {
      config,
      store,
      vault,
      playground,
      resolve,
      tracer,
      answers,
      clock = systemClock,
      probeMs = 5_000,
    } = options;
    this.#options = options;
    this.#file = file;
    this.#clock = clock;
    this.#guard = createAddressGuard(config.allowCidrs);
    this.#limits = new PlanLimits(config.billing, clock);
    const connected = new ConnectedClusters({
      guard: this.#guard,
      vault,
      file,
      playground,
      clock,
      tracer,
      answers,
      ...(resolve === undefined ? {} : { resolve }),
    });
    this.#connected = connected;
    this.#scopes = createNamespaceScopes((row) => connected.transport(row), clock);
    this.#probes = new Probes({ find: (id) => this.#find(id), connected, clock, timeout: probeMs });
    this.#adoption = new Adoption({ store, file, playground });
  }

  /**
   * Listens to changes and creates the rows of the clusters that the console adds by itself. Throws errors of the
   * database.
   */
  async start(): Promise<void> {
    const { config, store, playground, log } = this.#options;
    this.#disposers.push(
      store.channel.on('clusters', ({ clusterId }) => void this.#refresh(clusterId)),
      store.channel.onGap(() => {
        for (const clusterId of this.#connected.ids()) void this.#refresh(clusterId);
      }),
    );
    if (playground !== undefined) {
      const dispose = playground.onRestart(() => {
        for (const clusterId of this.#connected.restartPlayground()) this.#announce(clusterId);
      });
      this.#disposers.push(dispose);
    }
    await this.adopt();
    if (config.kubeconfigFile !== null) {
      this.#disposers.push(await followFile(this.#file, () => this.adopt(), log));
    }
  }

  adopt(): Promise<void> {
    return this.#adoption.adopt();
  }

  async transport(clusterId: number): Promise<LiveTransport> {
    return await this.#connected.transport(await this.#find(clusterId));
  }

  async acting(acting: ActingPerson): Promise<Transport> {
    const { id, name } = acting.cluster;
    const [transport, as] = await Promise.all([
      this.transport(id),
      actingIdentity(this.#options.store.db, acting),
    ]);
    return as === undefined ? transport : actAs(transport, as, name);
  }

  async socket(acting: ActingPerson, request: KubeRequest, protocols: readonly string[]): Promise<WebSocket> {
    const { id, name } = acting.cluster;
    const transport = await this.#connected.transport(await this.#find(id));
    const as = await actingIdentity(this.#options.store.db, acting);
    if (as === undefined) return await transport.socket(request, protocols);
    return await asPerson(() => transport.socket({ ...request, as }, protocols), as, name);
  }

  async namespaces(clusterId: number): Promise<readonly string[]> {
    const row = await this.#find(clusterId);
    return await this.#scopes.of(row, await grantedNamespaces(this.#options.store, row));
  }

  async rules(clusterId: number): Promise<Rules | undefined> {
    const row = await this.#find(clusterId);
    return await this.#scopes.rules(row, await grantedNamespaces(this.#options.store, row));
  }

  state(clusterId: number): ClusterState {
    return this.#connected.state(clusterId);
  }

  probe(clusterId: number): Promise<ClusterState> {
    return this.#probes.probe(clusterId);
  }

  read(kubeConfigContent: string): KubeconfigContext[] {
    return parseKubeconfig(kubeConfigContent).map((context) =>
      presentContext(context, contextProblems(context, this.#guard, this.#clock.now())),
    );
  }

  async add(
    person: Member,
    input: { name: string; description: string } & PastedKubeconfig,
  ): Promise<ClusterRow> {
    const { store } = this.#options;
    const { name, description } = input;
    const { companyId } = person;
    const { target, credentialExpiresAt } = pastedTarget(name, input, this.#guard, this.#clock.now());
    if (await isNameTaken(store.db, companyId, name)) throw nameTaken(name);
    // Nobody is asked for a cluster that is not stored afterwards.
    await store.db.transaction((tx) => this.#limits.requireCluster(tx, companyId));
    const state = await this.#tryOut(name, target);
    const row = await insertCluster(
      store.db,
      {
        companyId,
        name,
        description,
        source: 'kubeconfig',
        server: target.server,
        context: null,
        credentialExpiresAt,
        createdBy: person.id,
        seal: (clusterId) => this.#seal(target, clusterId),
      },
      async (tx, added) => {
        await this.#limits.requireCluster(tx, companyId, added.id);
        await notifyGrantsChange(store.channel, tx, added);
      },
    );
    this.#connected.setState(row.id, state);
    return row;
  }

  async replace({ companyId }: Member, clusterId: number, input: PastedKubeconfig): Promise<ClusterRow> {
    const { store } = this.#options;
    const own = { companyId, clusterId };
    const { name, source, isImpersonating } = await findOwnCluster(store.db, own);
    if (source !== 'kubeconfig') {
      const owner = source === 'playground' ? 'this console itself' : "the operator's own kubeconfig";
      throw new Problem({
        status: 409,
        title: `The credential of ${name} comes from ${owner} and cannot be replaced here.`,
      });
    }
    const { target, credentialExpiresAt } = pastedTarget(name, input, this.#guard, this.#clock.now());
    if (isImpersonating && target.impersonate !== undefined) throw alreadyActing(name);
    const state = await this.#tryOut(name, target);
    const row = await updateCredential(store, own, {
      kubeconfig: this.#seal(target, clusterId),
      server: target.server,
      credentialExpiresAt,
    });
    this.#connected.follow(clusterId, row);
    this.#connected.setState(clusterId, state);
    return row;
  }

  async configure(
    { companyId }: Member,
    clusterId: number,
    { metrics, ...settings }: GlobalSettingsChange,
  ): Promise<ClusterRow> {
    const { config, store, vault } = this.#options;
    const own = { companyId, clusterId };
    if (settings.isImpersonating === true) {
      const row = await findOwnCluster(store.db, own);
      if ((await this.#connected.transport(row)).impersonates) throw alreadyActing(row.name);
    }
    if (metrics === undefined) return await updateSettings(store, own, settings);
    const row = await findOwnCluster(store.db, own);
    const entered = readEnteredSource(metrics, row, { config, vault });
    return await updateSettings(store, own, { ...settings, ...storedSource(entered, clusterId, vault) });
  }

  async remove({ companyId }: Member, clusterId: number): Promise<void> {
    const { store, endWork } = this.#options;
    await deleteCluster(store, { companyId, clusterId }, endWork);
    this.#connected.follow(clusterId, undefined);
  }

  onChange(listener: (clusterId: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onGrants(listener: (companyId: number | undefined) => void): () => void {
    const { channel } = this.#options.store;
    const disposers = [
      channel.on('grants', ({ companyId }) => listener(companyId)),
      channel.onGap(() => listener(undefined)),
    ];
    return () => {
      for (const dispose of disposers) dispose();
    };
  }

  async close(): Promise<void> {
    for (const dispose of this.#disposers) dispose();
    this.#listeners.clear();
    await this.#connected.close();
  }

  #find(clusterId: number): Promise<ClusterRow> {
    return findCluster(this.#options.store.db, clusterId);
  }

  #announce(clusterId: number): void {
    for (const listener of this.#listeners) listener(clusterId);
  }

  /** Drops the transport that a change made stale, then calls the listeners. */
  async #refresh(clusterId: number): Promise<void> {
    const { store, log } = this.#options;
    try {
      this.#connected.follow(clusterId, await readCluster(store.db, clusterId));
    } catch (error) {
      log.warn({ clusterId, err: describeError(error) }, 'A changed cluster could not be read');
    }
    this.#announce(clusterId);
  }

  /** The state of a cluster that is not stored yet. Throws Problem when it cannot be used. */
  async #tryOut(name: string, target: Target): Promise<ClusterState> {
    const { resolve } = this.#options;
    const transport = new ClusterTransport(target, {
      clusterId: 0,
      name,
      credential: 'new',
      guard: this.#guard,
      clock: this.#clock,
      ...(resolve === undefined ? {} : { resolve }),
    });
    try {
      return await reach(transport, name, tryTimeout, this.#clock);
    } finally {
      await transport.close();
    }
  }

  #seal(target: Target, clusterId: number): Buffer {
    return this.#options.vault.seal(toKubeconfig(target), credentialContext(clusterId));
  }
}
