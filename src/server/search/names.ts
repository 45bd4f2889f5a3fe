import type { Logger } from 'pino';
import type { ListState } from '../../contract/live.ts';
import { ownedByHelm, releaseStorages, revisionOfRecord, storageResources } from '../../kube/helm.ts';
import { cleanText } from '../../kube/text.ts';
import { maskOf, type Rankable } from '../../registry/palette/rank.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { metadataTransport } from '../clusters/metadata-transport.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import { type Entry, identity, type Projector } from '../live/source/projector.ts';
import type { Narrowable } from '../live/source/granted-namespaces.ts';
import { createScopedReflectors } from '../live/source/scoped-reflectors.ts';
import type { Budget } from '../kit/memory-budget.ts';

/** The indexed part of an object: its name and place, nothing of its content. */
export interface NameEntry extends Entry, Rankable {
  /** The name as the cluster has it, where that is not lower-case: `name` is what it is ranked by. */
  readonly shown?: string;
  /** The uid under which lists know it, if it is not that of the object read. */
  readonly listed?: string;
}

/** The names of one kind of one cluster, kept true by a watch. */
export interface Names extends Narrowable {
  readonly kind: AnyKind;
  readonly state: ListState;
  /** Whether there is, or was, a complete list. */
  readonly isListed: boolean;
  entries(): Iterable<NameEntry>;
  readonly size: number;
  restart(): void;
  dispose(): void;
}

const noLabels = {};
const noOwners: readonly [] = [];
const noCells: readonly [] = [];
const noFacts = {};
const maxNameLength = 253;

export interface NamesOptions {
  readonly kind: AnyKind;
  /** Name of the cluster. */
  readonly cluster: () => string;
  /** The namespaces to read one by one where the cluster may not be listed as a whole. Throws Problem. */
  readonly namespaces: () => Promise<readonly string[]>;
  readonly transport: () => Promise<Transport>;
  /** Whether one more name may be held. */
  readonly hasPlace: () => boolean;
  readonly clock: Clock;
  /** The memory budget of all names of the index. */
  readonly budget: Budget;
  readonly log: Logger;
  /** Called after each change of its state. */
  readonly onState: () => void;
}

/** Starts to read and watch the names of a kind. */
export function createNames(options: NamesOptions): Names {
  const { kind, clock, budget, log } = options;
  const isHelm = kind.source === 'helm';
  const shared = new Map<string, string>();

  const share = (text: string) => {
    const known = shared.get(text);
    if (known !== undefined) return known;
    shared.set(text, text);
    return text;
  };

  const project: Projector = (object, previous) => {
    if (previous !== undefined) return previous;
    const uid = identity(object);
    const { name: given, namespace } = object.metadata ?? {};
    const name = isHelm && typeof given === 'string' ? revisionOfRecord(given)?.release : given;
    if (uid === undefined || typeof name !== 'string' || name === '' || name.length > maxNameLength)
      return undefined;
    if (!options.hasPlace()) return undefined;
    const shown = cleanText(name);
    const lower = shown.toLowerCase();
    const entry: NameEntry = {
      uid,
      name: lower,
      ...(shown === lower ? {} : { shown }),
      ...(isHelm ? { listed: `release ${namespace ?? ''}/${name}` } : {}),
      namespace: share(typeof namespace === 'string' ? cleanText(namespace) : ''),
      mask: maskOf(lower),
      version: '',
      labels: noLabels,
      owners: noOwners,
      refs: noOwners,
      facts: noFacts,
      attention: undefined,
      cells: noCells,
    };
    return entry;
  };

  /** Names of releases are those of their revisions' objects, which Helm labels, in either storage. */
  const sources = isHelm
    ? releaseStorages.map((storage) => ({
        resource: storageResources[storage],
        labelSelector: ownedByHelm,
      }))
    : [{ resource: kind, labelSelector: undefined }];
  const scopes = sources.map(({ resource, labelSelector }) =>
    createScopedReflectors({
      kind,
      resource,
      cluster: options.cluster,
      transport: async () => metadataTransport(await options.transport(), labelSelector),
      namespaces: options.namespaces,
      // Names are few bytes each: a limit on lists is the hub's.
      hasPlace: () => true,
      held: () => undefined,
      project,
      clock,
      budget,
      log,
      onChange: () => undefined,
      onState: options.onState,
    }),
  );
  const reflectors = () => scopes.flatMap(({ all }) => [...all.values()]);

  return {
    kind,
    get state() {
      const states = reflectors().map(({ state }) => state);
      const first = states.find(({ status }) => status !== 'live') ?? states[0];
      return first ?? { status: 'loading', since: new Date(clock.now()).toISOString() };
    },
    get isListed() {
      return reflectors().every(({ listed }) => listed);
    },
    *entries() {
      /** Releases that were given: each has many revisions. */
      const given = new Set<string>();
      for (const reflector of reflectors()) {
        // Every entry was made by the projector above.
        for (const entry of reflector.entries.values() as Iterable<NameEntry>) {
          if (entry.listed !== undefined) {
            if (given.has(entry.listed)) continue;
            given.add(entry.listed);
          }
          yield entry;
        }
      }
    },
    get size() {
      let count = 0;
      for (const reflector of reflectors()) count += reflector.entries.size;
      return count;
    },
    get isLimited() {
      return scopes.some(({ isLimited }) => isLimited);
    },
    renarrow(namespaces) {
      for (const scope of scopes) scope.renarrow(namespaces);
    },
    restart() {
      for (const scope of scopes) scope.widen();
    },
    dispose() {
      for (const scope of scopes) scope.dispose();
    },
  };
}
