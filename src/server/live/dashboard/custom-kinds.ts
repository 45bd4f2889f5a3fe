import { isWellKnown } from '../../../registry/custom-status/families.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { feedGrace } from '../audience.ts';
import type { Clock } from '../clock.ts';
import type { DefinedKinds } from '../defined-kinds.ts';

/** Custom kinds of one cluster whose objects a dashboard watches: each costs the cluster a list and a watch. */
export const mostCustomKinds = 40;

/** The custom kinds of a cluster whose objects may be in trouble. */
export interface CustomChoice {
  readonly watched: readonly AnyKind[];
  /** Those for which there is no place. */
  readonly left: readonly AnyKind[];
}

const noChoice: CustomChoice = { watched: [], left: [] };

/**
 * Chooses what a dashboard watches: kinds of well-known projects first, then by name, so that the choice stays the same.
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
  return { watched: able.slice(0, mostCustomKinds), left: able.slice(mostCustomKinds) };
}

/** Follows the custom kinds of a cluster while a dashboard is looked at. */
export interface CustomKinds {
  readonly choice: CustomChoice;
  /** Begins to read them, if it has not; goes on where it was to end. */
  begin(): void;
  /** Another credential may see others. */
  restart(): void;
  /** Nobody looks any more: it ends after a while. */
  leave(): void;
}

/**
 * Nothing is read before it begins.
 * @param read reads the kinds that the cluster's definitions make
 * @param changed after the choice became another
 */
export function createCustomKinds(
  read: (onChange: () => void) => DefinedKinds,
  changed: () => void,
  clock: Clock,
): CustomKinds {
  let choice = noChoice;
  let defined: DefinedKinds | undefined;
  let cancelEnd: (() => void) | undefined;
  return {
    get choice() {
      return choice;
    },
    begin() {
      cancelEnd?.();
      cancelEnd = undefined;
      defined ??= read(() => {
        choice = chooseKinds(defined?.kinds ?? [], choice);
        changed();
      });
    },
    restart: () => defined?.restart(),
    leave() {
      cancelEnd ??= clock.after(feedGrace, () => {
        cancelEnd = undefined;
        defined?.dispose();
        defined = undefined;
        choice = noChoice;
      });
    },
  };
}
