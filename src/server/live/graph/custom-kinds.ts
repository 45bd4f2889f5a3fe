import { kindFamilies } from '../../../registry/known-refs.ts';
import type { Need } from '../../../contract/permissions.ts';
import { Problem } from '../../../contract/problem.ts';
import { isBuiltInGroup } from '../../../registry/builtin.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { formatKindName, parseKindName } from '../../../registry/resource-key.ts';
import type { ClusterLive } from '../cluster.ts';

/** Custom kinds that one graph looks up: whoever may write objects could name any number of them. */
export const mostCustomKinds = 20;

/** The custom kinds of one graph, found by what its objects name. */
export interface CustomKinds {
  /** Those that are served now and that this person may view. */
  readonly kinds: readonly AnyKind[];
  /** Looks up those of some names that are new; those of other kinds are left alone. */
  look(names: Iterable<string>): void;
  end(): void;
}

/**
 * Finds custom kinds and follows their definitions: one that changes or goes takes its place or its leave.
 * @param parts whether this person may, whether a kind is followed without it, and what is told of another set of kinds
 */
export function createCustomKinds(
  live: Pick<ClusterLive, 'find' | 'definitions'>,
  {
    may,
    isFollowed,
    changed,
  }: {
    readonly may: (need: Need) => boolean;
    readonly isFollowed: (kind: AnyKind) => boolean;
    readonly changed: () => void;
  },
): CustomKinds {
  const asked = new Set<string>();
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
    if (
      isOver ||
      found.has(kind.id) ||
      isFollowed(kind) ||
      isBuiltInGroup(kind.group) ||
      !may(kind.permissions.view)
    )
      return;
    const one = {
      kind: kind as AnyKind | undefined,
      leave: live.definitions.follow(kind.id, kind, (now) => {
        if (one.kind?.fingerprint === now?.fingerprint) return;
        one.kind = now;
        changed();
      }),
    };
    found.set(kind.id, one);
    look(familyOf(kind));
    changed();
  }

  function look(names: Iterable<string>): void {
    for (const name of names) {
      const parsed = parseKindName(name);
      if (parsed === undefined || isBuiltInGroup(parsed.group)) continue;
      if (isOver || asked.has(name) || asked.size >= mostCustomKinds) continue;
      asked.add(name);
      void find(name);
    }
  }

  return {
    get kinds() {
      return [...found.values()].flatMap(({ kind }) => (kind === undefined ? [] : [kind]));
    },
    look,
    end() {
      isOver = true;
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
