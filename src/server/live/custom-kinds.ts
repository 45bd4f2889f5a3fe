import { isWellKnown } from '../../registry/custom-status/families.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { feedGrace } from './audience.ts';
import type { Clock } from '../kit/clock.ts';
import type { DefinedKinds } from './defined-kinds.ts';

/** Custom kinds of one cluster whose objects dashboards and tallies watch: each costs the cluster a list and a watch. */
export const maxCustomKinds = 40;

/** The custom kinds of a cluster whose objects may be in trouble. */
export interface CustomChoice {
  readonly watched: readonly AnyKind[];
  /** Those for which there is no place. */
  readonly left: readonly AnyKind[];
}

const noChoice: CustomChoice = { watched: [], left: [] };

/**
 * Chooses what is watched: kinds of well-known projects first, then by name, so that the choice stays the same.
 * @param before the choice so far: a kind that did not change stays the very same
 */
export function chooseKinds(kinds: readonly AnyKind[], before: CustomChoice = noChoice): CustomChoice {
  const known = new Map([...before.watched, ...before.left].map((kind) => [kind.id, kind]));
  const rank = (kind: AnyKind) => (isWellKnown(kind.group, kind.kind) ? 0 : 1);
  const able = kinds
    .filter(({ attention }) => attention !== undefined)
    .map((kind) => {
      const same = known.get(kind.id);
      return same !== undefined && same.fingerprint === kind.fingerprint ? same : kind;
    })
    .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  return { watched: able.slice(0, maxCustomKinds), left: able.slice(maxCustomKinds) };
}

/** Somebody who follows the custom kinds of a cluster. */
export interface CustomKindsFollower {
  /** Another follower never ends it. Harmless the second time. */
  leave(): void;
}

/** The custom kinds of a cluster, read once for everybody who follows them. */
export interface CustomKinds {
  /** Nothing before the definitions were read. */
  readonly choice: CustomChoice;
  /**
   * Reads the definitions while anybody follows, and for a while after that.
   * @param changed called after the choice became another
   */
  follow(changed: () => void): CustomKindsFollower;
  /** Another credential may see others. */
  restart(): void;
}

/**
 * Nothing is read before somebody follows.
 * @param read reads the kinds that the cluster's definitions make
 */
export function createCustomKinds(read: (onChange: () => void) => DefinedKinds, clock: Clock): CustomKinds {
  const followers = new Set<() => void>();
  let choice = noChoice;
  let defined: DefinedKinds | undefined;
  let cancelEnd: (() => void) | undefined;

  function endSoon(): void {
    cancelEnd ??= clock.after(feedGrace, () => {
      cancelEnd = undefined;
      defined?.dispose();
      defined = undefined;
      choice = noChoice;
    });
  }

  return {
    get choice() {
      return choice;
    },
    follow(changed) {
      cancelEnd?.();
      cancelEnd = undefined;
      // Each follower is one, even where two share a function.
      const follower = () => changed();
      followers.add(follower);
      defined ??= read(() => {
        choice = chooseKinds(defined?.kinds ?? [], choice);
        for (const each of followers) each();
      });
      return {
        leave() {
          if (followers.delete(follower) && followers.size === 0) endSoon();
        },
      };
    },
    restart: () => defined?.restart(),
  };
}
