import { collectionPath } from '../../../kube/change.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { Transport } from '../../clusters/transport.ts';
import { namedNamespaces } from './named-namespaces.ts';
import { isNamespaceKind } from '../../access/place.ts';
import type { Entry } from './projector.ts';
import type { Narrowable } from './granted-namespaces.ts';
import { createReflector, type Reflector } from './reflector.ts';
import type { ReflectorOptions } from './reflector-options.ts';

export interface ScopedOptions
  extends Pick<
    ReflectorOptions,
    | 'transport'
    | 'project'
    | 'advance'
    | 'clock'
    | 'log'
    | 'pulse'
    | 'budget'
    | 'onChange'
    | 'onState'
    | 'onPage'
    | 'onWaiting'
  > {
  readonly kind: AnyKind;
  /** The resource to read; the kind's own by default. */
  readonly resource?: Parameters<typeof collectionPath>[0];
  /** Name of the cluster. */
  readonly cluster: () => string;
  /** The namespaces to read one by one where the cluster may not be read as a whole. Throws Problem. */
  readonly namespaces: () => Promise<readonly string[]>;
  /** Whether one more reflector may be opened. */
  readonly hasPlace: () => boolean;
  /** The entries that a change of scope starts from; undefined: none are known. */
  readonly held: () => ReadonlyMap<string, Entry> | undefined;
}

/**
 * The reflectors of one kind in one cluster: one of the whole cluster, or, where the credential may not list that, one
 * for each namespace that it may read.
 */
export interface ScopedReflectors extends Narrowable {
  /** By namespace; the empty name is the whole cluster, and then the only one. */
  readonly all: ReadonlyMap<string, Reflector>;
  /** Undefined while the whole cluster is read; else the namespaces that are read instead. */
  readonly narrowedTo: readonly string[] | undefined;
  /** The whole cluster may not be listed, and no namespace is known that may be. */
  readonly isUnnamed: boolean;
  /** Namespaces that are not read because the cluster has too many lists open. */
  readonly skipped: readonly string[];
  /** Begins with the whole cluster again; lists again with the current credential. */
  widen(): void;
  /** Lists again by the way that is right now, where the cluster is read as a whole. */
  reroute(): void;
  /** Ends every reflector. */
  dispose(): void;
}

/** Opens the reflector of the whole cluster. */
export const createScopedReflectors = (options: ScopedOptions): ScopedReflectors =>
  new ClusterReflectors(options);

class ClusterReflectors implements ScopedReflectors {
  readonly #options: ScopedOptions;
  readonly #reflectors = new Map<string, Reflector>();
  readonly #isNarrowable: boolean;
  #narrowedTo: readonly string[] | undefined;
  #skipped: string[] = [];
  #isUnnamed = false;
  #isDisposed = false;
  /** The namespaces are being looked for. */
  #isNarrowing = false;
  /** Namespaces that were told while they were looked for: newer than what is found. */
  #told: readonly string[] | undefined;

  constructor(options: ScopedOptions) {
    const { kind } = options;
    this.#options = options;
    this.#isNarrowable = kind.scope === 'Namespaced' || isNamespaceKind(kind);
    this.#open('', undefined);
  }

  get all(): ReadonlyMap<string, Reflector> {
    return this.#reflectors;
  }

  get narrowedTo(): readonly string[] | undefined {
    return this.#narrowedTo;
  }

  get isUnnamed(): boolean {
    return this.#isUnnamed;
  }

  get skipped(): readonly string[] {
    return this.#skipped;
  }

  get isLimited(): boolean {
    if (!this.#isNarrowable) return false;
    const whole = this.#reflectors.get('');
    return this.#isNarrowing || this.#narrowedTo !== undefined || whole?.state.status === 'forbidden';
  }

  reroute(): void {
    if (!this.isLimited) this.#reflectors.get('')?.reroute();
  }

  widen(): void {
    const whole = this.#narrowedTo === undefined ? this.#reflectors.get('') : undefined;
    if (whole !== undefined) {
      whole.restart();
      return;
    }
    const held = this.#options.held();
    this.#forgetPages(held);
    this.#end();
    this.#narrowedTo = undefined;
    this.#isUnnamed = false;
    this.#skipped = [];
    this.#open('', held);
    this.#options.onState();
  }

  /** Namespaces that are new are read at once, the others go on. */
  renarrow(namespaces: readonly string[]): void {
    const { kind, held, onState } = this.#options;
    if (this.#isDisposed || !this.isLimited) return;
    if (this.#isNarrowing) this.#told = namespaces;
    // Denied once more, the list of the whole cluster asks which there are.
    else if ((this.#narrowedTo === undefined) === namespaces.length > 0) this.widen();
    else if (this.#narrowedTo !== undefined && !isSameSet(namespaces, this.#narrowedTo)) {
      this.#narrowedTo = namespaces;
      this.#skipped = [];
      if (isNamespaceKind(kind)) {
        const known = held();
        this.#forgetPages(known);
        this.#end();
        this.#openNamed(namespaces, known);
      } else {
        for (const namespace of this.#reflectors.keys())
          if (!namespaces.includes(namespace)) this.#close(namespace);
        const added = namespaces.filter((namespace) => !this.#reflectors.has(namespace));
        this.#openEach(added, held() === undefined ? undefined : new Map());
      }
      if (!this.#isDisposed) onState();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#end();
  }

  #open(
    namespace: string,
    held: ReadonlyMap<string, Entry> | undefined,
    through: (transport: Transport) => Transport = (transport) => transport,
  ): void {
    const options = this.#options;
    const { kind, onWaiting, advance } = options;
    const scope = namespace === '' ? undefined : namespace;
    const isWhole = scope === undefined && this.#narrowedTo === undefined;
    const reflector = createReflector({
      path: collectionPath(options.resource ?? kind, scope),
      subject: () => ({ cluster: options.cluster(), kind, namespace: scope }),
      transport: async () => through(await options.transport()),
      project: options.project,
      ...(advance === undefined ? {} : { advance }),
      clock: options.clock,
      log: options.log,
      pulse: options.pulse,
      budget: options.budget,
      held,
      onChange: options.onChange,
      onState: options.onState,
      onPage: options.onPage,
      ...(onWaiting === undefined ? {} : { onWaiting }),
      ...(isWhole ? { onDenied: async () => await this.#narrow(reflector) } : {}),
    });
    this.#reflectors.set(namespace, reflector);
  }

  /** The whole cluster may not be listed: reads the namespaces that are known instead, if there are any. */
  async #narrow(denied: Reflector): Promise<boolean> {
    if (!this.#isNarrowable) return false;
    const { kind, onChange, onState } = this.#options;
    const namespaces = await this.#findNamespaces();
    this.#isUnnamed = namespaces.length === 0;
    // Another scope may have been opened, or all ended, while the namespaces were looked for.
    if (namespaces.length === 0 || this.#reflectors.get('') !== denied) return false;
    const held = this.#options.held();
    this.#forgetPages(held);
    this.#end();
    this.#narrowedTo = namespaces;
    this.#skipped = [];
    if (isNamespaceKind(kind)) {
      this.#openNamed(namespaces, held);
      return true;
    }
    this.#openEach(namespaces, held);
    if (this.#isDisposed) return true;
    for (const [uid, entry] of held ?? [])
      if (!this.#reflectors.has(entry.namespace)) onChange(uid, undefined, entry);
    onState();
    return true;
  }

  async #findNamespaces(): Promise<readonly string[]> {
    this.#isNarrowing = true;
    this.#told = undefined;
    try {
      const found = await this.#options.namespaces();
      return this.#told ?? found;
    } finally {
      this.#isNarrowing = false;
    }
  }

  /** Reads namespaces themselves, by their names. */
  #openNamed(namespaces: readonly string[], held: ReadonlyMap<string, Entry> | undefined): void {
    this.#open('', held, (transport) => namedNamespaces(transport, namespaces));
  }

  /** Reads these namespaces, as far as there are places. */
  #openEach(namespaces: readonly string[], held: ReadonlyMap<string, Entry> | undefined): void {
    for (const namespace of namespaces) {
      const isRoom = this.#options.hasPlace();
      // Others may have taken the place of all of them.
      if (this.#isDisposed) return;
      if (!isRoom) {
        this.#skipped.push(namespace);
        continue;
      }
      const own = [...(held ?? [])].filter(([, entry]) => entry.namespace === namespace);
      this.#open(namespace, held === undefined ? undefined : new Map(own));
    }
  }

  /** Ends the list of a namespace, whose rows go. */
  #close(namespace: string): void {
    const reflector = this.#reflectors.get(namespace);
    const entries = [...(reflector?.entries ?? [])];
    reflector?.dispose();
    this.#reflectors.delete(namespace);
    for (const [uid, entry] of entries) this.#options.onChange(uid, undefined, entry);
  }

  /** Rows of lists that never were complete are not handed on to those that come after them. */
  #forgetPages(held: ReadonlyMap<string, Entry> | undefined): void {
    if (held !== undefined) return;
    for (const { entries } of this.#reflectors.values())
      for (const [uid, entry] of entries) this.#options.onChange(uid, undefined, entry);
  }

  #end(): void {
    for (const reflector of this.#reflectors.values()) reflector.dispose();
    this.#reflectors.clear();
  }
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
