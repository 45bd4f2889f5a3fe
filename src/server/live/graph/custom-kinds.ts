import { kindFamilies } from '../../../../commands/kinds/parts/known-refs.ts';
import { Problem } from '../../../contract/problem.ts';
import { isBuiltInGroup } from '../../../registry/kinds/builtin.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { formatKindName, parseKindName } from '../../../registry/kinds/resource-key.ts';
import type { GraphSources } from './sources.ts';

/**
 * Maximum number of custom kinds of one graph, found or being looked up: people who may write objects could refer to
 * any number of them.
 */
export const maxCustomKinds = 20;
/** Names that one graph looks up, also of what is not there. */
export const maxNamesAsked = 200;

/** The custom kinds of one graph, found by what its objects name. */
export interface CustomKinds {
  /** Those that are served now and that this person may view. */
  readonly kinds: readonly AnyKind[];
  /** Looks up those of some names that are new; those of other kinds are left alone. */
  look(names: Iterable<string>): void;
  end(): void;
}

/**
 * Finds custom kinds and follows their definitions: kinds that change or go are replaced or removed.
 * @param parts whether this person may, whether a kind is followed without it, what is told of another set of kinds, and
 * what is told of failures of our own
 */
export function createCustomKinds(
  live: Pick<GraphSources, 'find' | 'definitions'>,
  {
    mayList,
    isFollowed,
    changed,
    onError,
  }: {
    readonly mayList: (kind: AnyKind) => boolean;
    readonly isFollowed: (kind: AnyKind) => boolean;
    readonly changed: () => void;
    readonly onError: (error: unknown) => void;
  },
): CustomKinds {
  const asked = new Set<string>();
  /** Of those asked, in order: they wait for one of the places. */
  let waiting: string[] = [];
  let pending = 0;
  const found = new Map<string, { kind: AnyKind | undefined; readonly leave: () => void }>();
  let isOver = false;

  async function find(name: string): Promise<void> {
    let kind: AnyKind;
    try {
      kind = await live.find(name);
    } catch (error) {
      // Not there: it stays a name. Not answered: it is asked for again with the next change.
      if (!(error instanceof Problem) || error.status !== 404) asked.delete(name);
      return;
    }
    if (isOver || found.has(kind.id) || isFollowed(kind) || isBuiltInGroup(kind.group) || !mayList(kind))
      return;
    const one = { kind: kind as AnyKind | undefined, leave: () => {} };
    found.set(kind.id, one);
    try {
      one.leave = live.definitions.follow(kind.id, kind, (now) => {
        if (one.kind?.fingerprint === now?.fingerprint) return;
        one.kind = now;
        changed();
      });
    } catch (error) {
      // Too many lists are open: the kind stays as it was while this graph is open.
      if (!(error instanceof Problem)) throw error;
    }
    look(familyOf(kind));
    changed();
  }

  /** Looks up those that wait, as far as there are places. */
  function fill(): void {
    while (found.size + pending < maxCustomKinds) {
      const name = waiting.shift();
      if (name === undefined) return;
      pending += 1;
      void find(name)
        .catch(onError)
        .finally(() => {
          pending -= 1;
          fill();
        });
    }
  }

  function look(names: Iterable<string>): void {
    for (const name of names) {
      const parsed = parseKindName(name);
      if (parsed === undefined || isBuiltInGroup(parsed.group)) continue;
      if (isOver || asked.has(name) || asked.size >= maxNamesAsked) continue;
      asked.add(name);
      waiting.push(name);
    }
    fill();
  }

  return {
    get kinds() {
      return [...found.values()].flatMap(({ kind }) => (kind === undefined ? [] : [kind]));
    },
    look,
    end() {
      isOver = true;
      waiting = [];
      for (const { leave } of found.values()) leave();
      found.clear();
    },
  };
}

/** The names of a kind and of those that belong to it, as references call them. */
export function familyOf({ group, kind }: Pick<AnyKind, 'group' | 'kind'>): readonly string[] {
  const family = kindFamilies.find((members) =>
    members.some((one) => one.group === group && one.kind === kind),
  );
  return (family ?? []).map((one) => formatKindName({ group: one.group, word: one.kind }));
}
