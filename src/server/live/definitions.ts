import type { Logger } from 'pino';
import { customKind, definitionKind } from '../../../commands/kinds/custom.ts';
import { Problem } from '../../contract/problem.ts';
import { isBuiltInGroup } from '../../registry/builtin.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { isKindWord, type KindName, parseKindName } from '../../registry/resource-key.ts';
import type { Feed } from './feed.ts';
import type { ObjectMembership } from './object-watch.ts';

/**
 * A custom resource as its cluster defines it now; undefined while it does not. Told of every version of the
 * definition, also of those that change nothing of the kind: a resource is served a while after it was defined.
 */
export type DefinitionListener = (kind: AnyKind | undefined) => void;

/** The custom resources of one cluster whose definitions are followed. */
export interface Definitions {
  /**
   * Follows the definition of a custom resource, by the reflector of all of them. The answer ends it.
   * Throws Problem 503 when the cluster has too many lists open.
   * @param name of the custom resource; one that no definition could have is not followed
   * @param known the kind as the caller has it: a definition that says the same is not looked up again
   */
  follow(name: string, known: AnyKind | undefined, listener: DefinitionListener): () => void;
}

export interface DefinitionsOptions {
  readonly feed: (kind: AnyKind) => Feed;
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
  readonly kind: AnyKind | undefined;
  readonly listeners: Set<DefinitionListener>;
  readonly membership: ObjectMembership;
}

/** Nothing is read before somebody follows. */
export function createDefinitions({ feed, refresh, log }: DefinitionsOptions): Definitions {
  const watched = new Map<string, Watched>();

  function watch(
    name: string,
    { definition, version }: { readonly definition: string; readonly version: string | undefined },
    first: AnyKind | undefined,
  ): Watched {
    const listeners = new Set<DefinitionListener>();
    let kind = first;
    let isLooking = false;
    let isDue = false;

    const tell = () => {
      for (const listener of listeners) listener(kind);
    };

    /** Who may view it depends on more than its definition: the catalogue says. */
    async function look(): Promise<void> {
      isDue = true;
      if (isLooking) return;
      isLooking = true;
      while (isDue && listeners.size > 0) {
        isDue = false;
        try {
          kind = await refresh(name);
        } catch (error) {
          if (error instanceof Problem && error.status === 404) kind = undefined;
          else {
            log.warn({ err: error, definition }, 'A changed definition could not be read');
            continue;
          }
        }
        tell();
      }
      isLooking = false;
    }

    const membership = feed(definitionKind).open('', definition, {
      version(object) {
        const next = customKind(object, version);
        if (next !== undefined && next.fingerprint === kind?.fingerprint) tell();
        else void look();
      },
      gone: () => {
        if (kind !== undefined) void look();
      },
      state: () => {},
    });
    return {
      listeners,
      membership,
      get kind() {
        return kind;
      },
    };
  }

  return {
    follow(name, known, listener) {
      const parsed = definable(name);
      if (parsed === undefined) return () => {};
      let one = watched.get(name);
      if (one === undefined) {
        const { group, version, word } = parsed;
        one = watch(name, { definition: `${word}.${group}`, version }, known);
        watched.set(name, one);
      }
      const { kind, listeners, membership } = one;
      listeners.add(listener);
      // Somebody else heard of a change meanwhile.
      if (kind?.fingerprint !== known?.fingerprint) {
        queueMicrotask(() => {
          if (listeners.has(listener)) listener(kind);
        });
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || watched.get(name)?.listeners !== listeners) return;
        watched.delete(name);
        membership.leave();
      };
    },
  };
}
