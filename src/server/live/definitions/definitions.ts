import type { Logger } from 'pino';
import { Problem } from '../../../contract/problem.ts';
import { isBuiltInGroup } from '../../../registry/kinds/builtin.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { isKindWord, type KindName, parseKindName } from '../../../registry/kinds/resource-key.ts';
import type { Tapped } from '../feed/audience.ts';
import type { Feed } from '../feed/feed.ts';

/**
 * A custom resource as its cluster defines it now; undefined while it does not. Told of every version of the
 * definition, also of those that change nothing of the kind: a resource is served a while after it was defined.
 */
export type DefinitionListener = (kind: AnyKind | undefined) => void;

/** The custom resources of one cluster whose definitions are followed. */
export interface Definitions {
  /**
   * Follows the definition of a custom resource, by the list of the names of all. The answer ends it.
   * Throws Problem 503 when the cluster has too many lists open.
   * @param name of the custom resource; one that no definition could have is not followed
   * @param known the kind as the caller has it: a definition that says the same is not looked up again
   */
  follow(name: string, known: AnyKind | undefined, listener: DefinitionListener): () => void;
}

export interface DefinitionsOptions {
  /** The names of the definitions. Throws Problem when the cluster has too many lists open. */
  readonly names: () => Feed;
  /** The kind of this name as the cluster has it now. */
  readonly refresh: (name: string) => Promise<AnyKind>;
  readonly log: Logger;
}

/** A name as one of a custom resource; undefined for one that no definition could have. */
export function definable(name: string): KindName | undefined {
  const parsed = parseKindName(name);
  return parsed === undefined || isBuiltInGroup(parsed.group) || isKindWord(parsed.word) ? undefined : parsed;
}

interface Watched {
  kind: AnyKind | undefined;
  /** The version of the definition's spec that the kind was looked up at. */
  generation: unknown;
  readonly name: string;
  readonly listeners: Set<DefinitionListener>;
  isLooking: boolean;
  /** It is to be looked up, perhaps once more. */
  isDue: boolean;
}

/** Nothing is read before somebody follows. */
export const createDefinitions = (options: DefinitionsOptions): Definitions =>
  new FollowedDefinitions(options);

class FollowedDefinitions implements Definitions {
  readonly #options: DefinitionsOptions;
  /** By name of the custom resource. */
  readonly #watched = new Map<string, Watched>();
  #names: Tapped | undefined;

  constructor(options: DefinitionsOptions) {
    this.#options = options;
  }

  follow(name: string, known: AnyKind | undefined, listener: DefinitionListener): () => void {
    const parsed = definable(name);
    if (parsed === undefined) return () => {};
    this.#names ??= this.#options.names().tap({
      changed: (entry, previous) => this.#changed((entry ?? previous)?.name, entry?.facts['generation']),
      settled: () => this.#settled(),
    });
    const one = this.#watched.get(name) ?? this.#watch(name, `${parsed.word}.${parsed.group}`, known);
    one.listeners.add(listener);
    this.#settled();
    // Somebody else heard of a change meanwhile.
    if (one.kind?.fingerprint !== known?.fingerprint) {
      queueMicrotask(() => {
        if (one.listeners.has(listener)) listener(one.kind);
      });
    }
    return () => {
      one.listeners.delete(listener);
      if (one.listeners.size > 0 || this.#watched.get(name) !== one) return;
      this.#watched.delete(name);
      if (this.#watched.size > 0) return;
      this.#names?.leave();
      this.#names = undefined;
    };
  }

  #watch(name: string, definition: string, kind: AnyKind | undefined): Watched {
    const one: Watched = {
      kind,
      generation: undefined,
      name: definition,
      listeners: new Set(),
      isLooking: false,
      isDue: false,
    };
    this.#watched.set(name, one);
    return one;
  }

  #settled(): void {
    if (this.#names?.isReady !== true) return;
    for (const [name, one] of this.#watched) if (one.generation === undefined) this.#compare(name, one);
  }

  /** Looks a kind up once its definition is known to be there, or not to be. */
  #compare(name: string, one: Watched): void {
    for (const { name: definition, facts } of this.#names?.entries() ?? [])
      if (definition === one.name) {
        one.generation = facts['generation'];
        void this.#look(name, one);
        return;
      }
    one.generation = null;
    if (one.kind !== undefined) void this.#look(name, one);
  }

  #changed(definition: string | undefined, generation: unknown): void {
    for (const [name, one] of this.#watched) {
      if (one.name !== definition) continue;
      const isSame = one.generation === generation;
      one.generation = generation ?? null;
      if (isSame) tell(one);
      else if (generation !== undefined || one.kind !== undefined) void this.#look(name, one);
    }
  }

  /** Who may view it depends on more than its definition: the catalogue says. */
  async #look(name: string, one: Watched): Promise<void> {
    const { refresh, log } = this.#options;
    one.isDue = true;
    if (one.isLooking) return;
    one.isLooking = true;
    while (one.isDue && one.listeners.size > 0) {
      one.isDue = false;
      try {
        one.kind = await refresh(name);
      } catch (error) {
        if (error instanceof Problem && error.status === 404) one.kind = undefined;
        else {
          log.warn({ err: error, definition: one.name }, 'A changed definition could not be read');
          continue;
        }
      }
      tell(one);
    }
    one.isLooking = false;
  }
}

function tell({ listeners, kind }: Watched): void {
  for (const listener of listeners) listener(kind);
}
