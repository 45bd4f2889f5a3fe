import { collectionPath } from '../../kube/change.ts';
import type { AnyKind } from '../../registry/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import { namedNamespaces } from './named-namespaces.ts';
import { isNamespaceKind } from '../access/place.ts';
import type { Entry } from './projector.ts';
import { createReflector, type Reflector, type ReflectorOptions } from './reflector.ts';

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
export interface ScopedReflectors {
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
  /** Ends every reflector. */
  dispose(): void;
}

/** Opens the reflector of the whole cluster. */
export function createScopedReflectors(options: ScopedOptions): ScopedReflectors {
  const { kind } = options;
  const reflectors = new Map<string, Reflector>();
  let narrowedTo: readonly string[] | undefined;
  let skipped: string[] = [];
  let isUnnamed = false;
  let isDisposed = false;

  function open(
    namespace: string,
    held: ReadonlyMap<string, Entry> | undefined,
    through: (transport: Transport) => Transport = (transport) => transport,
  ): void {
    const scope = namespace === '' ? undefined : namespace;
    const isWhole = scope === undefined && narrowedTo === undefined;
    const { onWaiting, advance } = options;
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
      ...(isWhole ? { onDenied: async () => await narrow(reflector) } : {}),
    });
    reflectors.set(namespace, reflector);
  }

  /** The whole cluster may not be listed: reads the namespaces that are known instead, if there are any. */
  async function narrow(denied: Reflector): Promise<boolean> {
    const isNamespaces = isNamespaceKind(kind);
    if (kind.scope !== 'Namespaced' && !isNamespaces) return false;
    const namespaces = await options.namespaces();
    isUnnamed = namespaces.length === 0;
    // Another scope may have been opened, or all ended, while the namespaces were looked for.
    if (namespaces.length === 0 || reflectors.get('') !== denied) return false;
    const held = options.held();
    forgetPages(held);
    end();
    narrowedTo = namespaces;
    skipped = [];
    if (isNamespaces) {
      open('', held, (transport) => namedNamespaces(transport, namespaces));
      return true;
    }
    for (const namespace of namespaces) {
      const isRoom = options.hasPlace();
      // Others may have taken the place of all of them.
      if (isDisposed) return true;
      if (!isRoom) {
        skipped.push(namespace);
        continue;
      }
      const own = [...(held ?? [])].filter(([, entry]) => entry.namespace === namespace);
      open(namespace, held === undefined ? undefined : new Map(own));
    }
    for (const [uid, entry] of held ?? [])
      if (!reflectors.has(entry.namespace)) options.onChange(uid, undefined, entry);
    options.onState();
    return true;
  }

  /** Rows of lists that never were complete are not handed on to those that come after them. */
  function forgetPages(held: ReadonlyMap<string, Entry> | undefined): void {
    if (held !== undefined) return;
    for (const { entries } of reflectors.values())
      for (const [uid, entry] of entries) options.onChange(uid, undefined, entry);
  }

  function end(): void {
    for (const reflector of reflectors.values()) reflector.dispose();
    reflectors.clear();
  }

  open('', undefined);
  return {
    all: reflectors,
    get narrowedTo() {
      return narrowedTo;
    },
    get isUnnamed() {
      return isUnnamed;
    },
    get skipped() {
      return skipped;
    },
    widen() {
      const whole = narrowedTo === undefined ? reflectors.get('') : undefined;
      if (whole !== undefined) {
        whole.restart();
        return;
      }
      const held = options.held();
      forgetPages(held);
      end();
      narrowedTo = undefined;
      isUnnamed = false;
      skipped = [];
      open('', held);
      options.onState();
    },
    dispose() {
      isDisposed = true;
      end();
    },
  };
}
