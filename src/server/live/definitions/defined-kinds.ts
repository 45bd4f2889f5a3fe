import type { Logger } from 'pino';
import { definitionKind, servedKind } from '../../../../commands/kinds/custom.ts';
import { kindOfResource } from '../../../../commands/kinds/index.ts';
import { type ApiService, isElsewhere } from '../../../kube/custom.ts';
import { objectPath } from '../../../kube/change.ts';
import type { KubeList, KubeObject } from '../../../kube/object.ts';
import { builtInOf, isBuiltInGroup } from '../../../registry/kinds/builtin.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { customPrefix } from '../../../registry/kinds/resource-key.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';
import { objectIn } from '../../objects/read.ts';
import { readServedResources } from '../../objects/served-resources.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Tapped } from '../feed/audience.ts';
import type { Feed } from '../feed/feed.ts';
import type { NameConflicts } from './name-conflicts.ts';
import { openIfRoom } from '../source/open-if-room.ts';
import { createProjector, type Entry, type Projector } from '../source/projector.ts';

const apiServicesPath = '/apis/apiregistration.k8s.io/v1/apiservices';
/** Definitions come in bursts: the kinds are derived once for each burst, after this, ms. */
const settlePause = 300;
/** Pause before a failed reading is tried again, ms. */
const retryPause = 5_000;
/** A resource is served some seconds after it was defined: it is looked for again after these, ms. */
const servedAfter = [1_500, 6_000] as const;
/** Age until which a definition is young, seconds. */
const youngFor = 600;
/** Maximum number of definitions of which nothing is served that are read. */
const maxUnserved = 20;

/** The custom kinds of a cluster, from its definitions. */
export interface DefinedKinds {
  readonly kinds: readonly AnyKind[];
  /**
   * The definitions of which the cluster serves nothing, and those whose new names another one has, each read whole, by
   * uid.
   */
  readonly troubled: ReadonlyMap<string, Entry>;
  /** Whether every definition that may be in trouble was read since the definitions last changed. */
  readonly isTroubledRead: boolean;
  /** Ids of the kinds that were defined a moment ago: their first objects may come soon. */
  readonly young: ReadonlySet<string>;
  /** Whether the kinds are not known yet, but may be soon. */
  readonly isReading: boolean;
  /** Whether the cluster certainly has no definition of a kind. @param id of the kind */
  isGone(id: string): boolean;
  /** Reads the directory again with the current credential. */
  restart(): void;
  dispose(): void;
}

interface DefinedKindsOptions {
  /** The names of the definitions. Throws Problem when the cluster has too many lists open. */
  readonly names: () => Feed;
  readonly transport: () => Promise<Transport>;
  /** Where definitions whose new names another one has are looked for; nowhere without it. */
  readonly conflicts?: NameConflicts;
  /** Called after the kinds changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Starts to follow the definitions of a cluster. */
export const createDefinedKinds = (options: DefinedKindsOptions): DefinedKinds =>
  new DefinitionFollower(options);

/** `group/version` that other servers answer for; undefined where the credential may not read that. Throws. */
async function readForeignVersions(transport: Transport): Promise<ReadonlySet<string> | undefined> {
  try {
    const list = await transport.json<KubeList<ApiService> | null>({ path: apiServicesPath });
    const foreign = (list?.items ?? []).filter(isElsewhere);
    return new Set(foreign.map(({ spec }) => `${spec?.group ?? ''}/${spec?.version ?? ''}`));
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 403) return undefined;
    throw error;
  }
}

/** Whether a name can be that of a kind that neither Kubernetes nor the console has already. */
const isCustom = (resource: { readonly group: string; readonly plural: string }) =>
  !isBuiltInGroup(resource.group) &&
  kindOfResource(resource) === undefined &&
  builtInOf(resource) === undefined;

/**
 * Follows the definitions of a cluster by name; its directory says what they define. A definition counts only where the
 * cluster itself answers for its group: what another server answers for is no custom resource, whatever its name, and is
 * for Owners.
 */
class DefinitionFollower implements DefinedKinds {
  readonly #options: DefinedKindsOptions;
  /** Undefined while the cluster has no room for one more list. */
  #names: Tapped | undefined;
  #kinds: readonly AnyKind[] = [];
  #unserved: ReadonlyMap<string, Entry> = new Map();
  readonly #project: Projector;
  #isUnservedRead = false;
  /** Whether the kinds were derived once. */
  #isSettled = false;
  #isDisposed = false;
  /** How often the directory was read since the definitions last changed. */
  #reads = 0;
  #cancelSettle: (() => void) | undefined;
  #isSettling = false;
  /** Something changed while the kinds were derived. */
  #isStale = false;

  constructor(options: DefinedKindsOptions) {
    this.#options = options;
    this.#project = createProjector(definitionKind, options.log, options.clock);
    this.#follow();
  }

  get kinds(): readonly AnyKind[] {
    return this.#kinds;
  }

  get troubled(): ReadonlyMap<string, Entry> {
    return new Map([...(this.#options.conflicts?.found ?? []), ...this.#unserved]);
  }

  get isTroubledRead(): boolean {
    return this.#isUnservedRead && this.#options.conflicts?.isRead !== false;
  }

  get young(): ReadonlySet<string> {
    const since = this.#options.clock.now() / 1000 - youngFor;
    return new Set(
      [...(this.#names?.entries() ?? [])].flatMap(({ name, facts }) =>
        Number(facts['created']) > since ? [`${customPrefix}${name}`] : [],
      ),
    );
  }

  get isReading(): boolean {
    const names = this.#names;
    return !this.#isSettled && names !== undefined && (names.isReady || names.state.status === 'loading');
  }

  isGone(id: string): boolean {
    const names = this.#names;
    if (names?.isReady !== true || !id.startsWith(customPrefix)) return false;
    if (names.state.status !== 'live' && names.state.status !== 'polled') return false;
    return ![...names.entries()].some(({ name }) => `${customPrefix}${name}` === id);
  }

  restart(): void {
    this.#options.conflicts?.forget();
    this.#changed();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancelSettle?.();
    this.#options.conflicts?.stop();
    this.#names?.leave();
  }

  #follow(): void {
    this.#names = openIfRoom(() =>
      this.#options.names().tap({
        changed: () => this.#changed(),
        settled: () => {
          if (!this.#isSettled && this.#names?.isReady === true) this.#settleSoon();
        },
      }),
    );
    if (this.#names === undefined) this.#settleSoon(retryPause);
    else if (this.#names.isReady) this.#settleSoon(0);
  }

  #changed(): void {
    this.#reads = 0;
    this.#isUnservedRead = false;
    this.#cancelSettle?.();
    this.#cancelSettle = undefined;
    this.#settleSoon();
  }

  #settleSoon(pause: number = settlePause): void {
    if (this.#isDisposed) return;
    const { clock, log } = this.#options;
    this.#cancelSettle ??= clock.after(pause, () => {
      this.#cancelSettle = undefined;
      // One after the other: an older answer must not replace a newer one.
      if (this.#isSettling) {
        this.#isStale = true;
        return;
      }
      this.#isSettling = true;
      this.#settle()
        .catch((error: unknown) => {
          log.debug({ err: error }, 'The directory of a cluster could not be read');
          this.#settleSoon(retryPause);
        })
        .finally(() => {
          this.#isSettling = false;
          if (this.#isStale) this.#settleSoon();
          this.#isStale = false;
        });
    });
  }

  /** Derives the kinds from the names of the definitions and the directory. Throws when either could not be read. */
  async #settle(): Promise<void> {
    if (this.#names === undefined) this.#follow();
    if (this.#names?.isReady !== true) return;
    const definitions = [...this.#names.entries()];
    const names = definitions.map(({ name }) => name);
    const transport = await this.#options.transport();
    const [foreign, served] = await Promise.all([
      readForeignVersions(transport),
      readServedResources(transport, names),
    ]);
    if (this.#isDisposed) return;
    const found = names.flatMap((name) => served.get(name) ?? []);
    this.#kinds =
      foreign === undefined
        ? []
        : found.flatMap((one) =>
            isCustom(one) && !foreign.has(`${one.group}/${one.version}`)
              ? (servedKind(one, one.shortNames, one.hasStatus) ?? [])
              : [],
          );
    this.#isSettled = true;
    this.#options.conflicts?.look(
      definitions.filter(({ name }) => served.has(name)),
      { read: (name) => this.#readDefinition(transport, name), onChange: this.#options.onChange },
    );
    this.#options.onChange();
    const pause = servedAfter[this.#reads];
    this.#reads += 1;
    const unserved = names.filter((name) => !served.has(name));
    if (unserved.length > 0 && pause !== undefined) this.#settleSoon(pause);
    else await this.#readUnserved(transport, unserved);
  }

  /** Reads definitions of which nothing is served: they say why. Throws. */
  async #readUnserved(transport: Transport, names: readonly string[]): Promise<void> {
    const entries = new Map<string, Entry>();
    for (const name of names.slice(0, maxUnserved)) {
      const entry = await this.#readDefinition(transport, name);
      if (entry !== undefined) entries.set(entry.uid, entry);
    }
    if (this.#isDisposed) return;
    const isNewest = this.#cancelSettle === undefined && !this.#isStale;
    this.#isUnservedRead = isNewest && names.length <= maxUnserved;
    if (entries.size === 0 && this.#unserved.size === 0) return;
    this.#unserved = entries;
    this.#options.onChange();
  }

  /** Undefined for a definition that is gone. Throws. */
  async #readDefinition(transport: Transport, name: string): Promise<Entry | undefined> {
    const object = await readIfThere(transport, objectPath({ ...definitionKind, name }));
    return object && this.#project(object, undefined);
  }
}

/** An object; undefined if it is gone. Throws. */
async function readIfThere(transport: Transport, path: string): Promise<KubeObject | undefined> {
  try {
    return objectIn(await transport.json<unknown>({ path }));
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 404) return undefined;
    throw error;
  }
}
