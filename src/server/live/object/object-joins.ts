import type { JoinedValues } from '../../../contract/live.ts';
import type { Permission } from '../../../contract/permissions.ts';
import type { JoinName } from '../../../registry/kinds/kind-action.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { ClusterLive } from '../cluster/cluster.ts';
import { permittedJoins } from '../feed/join.ts';
import { openIfRoom } from '../source/open-if-room.ts';

/** The value of a join that the person may not view. */
const notPermitted: Readonly<Record<JoinName, JoinedValues>> = {
  metrics: {},
  podsOfNode: { podsOfNode: null },
  scaledBy: { scaledBy: null },
};

/** Inputs of `ObjectJoins`. */
export interface ObjectJoinsParts {
  readonly live: Pick<ClusterLive, 'join'>;
  readonly kind: AnyKind;
  /** Of the object, as `placeOf` writes it. */
  readonly place: string;
  /** Called when a join has another value for the object. */
  readonly onChange: () => void;
}

/** The joined values of one object, as one person may view them. */
export class ObjectJoins {
  readonly #parts: ObjectJoinsParts;
  #permitted: readonly JoinName[] = [];
  #ends: (() => void)[] = [];

  constructor(parts: ObjectJoinsParts) {
    this.#parts = parts;
  }

  /** Follows the joins that a person who may do this where the object is may view. */
  follow(may: (need: Permission) => boolean): void {
    const { live, kind, place, onChange } = this.#parts;
    this.#permitted = permittedJoins(kind.joins ?? [], may);
    for (const name of this.#permitted) {
      const end = openIfRoom(() =>
        live.join(name, kind).retain((places) => {
          if (places === 'all' || places.has(place)) onChange();
        }),
      );
      if (end !== undefined) this.#ends.push(end);
    }
  }

  /** Adds the joined values to these. */
  addTo(values: JoinedValues): JoinedValues {
    const { live, kind, place } = this.#parts;
    return (kind.joins ?? []).reduce<JoinedValues>(
      (all, name) => ({
        ...all,
        ...(this.#permitted.includes(name) ? live.join(name, kind).value(place) : notPermitted[name]),
      }),
      values,
    );
  }

  /** Ends what is followed; `follow` begins anew. */
  leave(): void {
    for (const end of this.#ends) end();
    this.#ends = [];
  }
}
