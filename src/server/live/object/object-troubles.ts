import type { AttentionLine } from '../../../contract/dashboard.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { heldDeletion } from '../../../registry/kinds/held-deletion.ts';
import type { AnyKind, Around } from '../../../registry/kinds/kind.ts';
import type { May } from '../../access/held.ts';
import {
  attentionLinesOf,
  isDue,
  type Place,
  refOf,
  type Trouble,
  turnOf,
} from '../dashboard/attention-lines.ts';
import { toldLine } from '../dashboard/alike-lines.ts';
import { readable } from './object-body.ts';
import { type OwnerSource, placeOfTrouble } from '../dashboard/owners.ts';
import { cleanAttention, type Entry, identity, ownersOf, placeOf } from '../source/projector.ts';

/** An object with what its trouble depends on. */
export interface TroubledObject {
  readonly kind: AnyKind;
  readonly object: KubeObject;
  /** Empty for an object of the cluster. */
  readonly namespace: string;
  readonly name: string;
  /** The surroundings that the kind judges by; undefined if it asks for none. May throw for a misshaped object. */
  readonly readAround: () => Around | undefined;
  readonly owners: OwnerSource;
  /** Undefined for a console without the kind Pod. */
  readonly podKind: AnyKind | undefined;
  /** The pods that it selects. */
  readonly pods: Iterable<Entry>;
}

/** The troubles of an object, whether they are due yet or not. */
export interface ObjectTroubles {
  /** Those of its pods. */
  readonly causes: readonly Trouble[];
  /** Troubles of the object by itself. */
  readonly own: readonly Trouble[];
}

/** Reads the troubles of an object. */
export function readTroubles(troubled: TroubledObject): ObjectTroubles {
  const { kind, object, namespace, name, readAround, owners, podKind, pods } = troubled;
  const uid = identity(object) ?? placeOf(namespace, name);
  const facts = readable(() => kind.facts?.(object), undefined);
  const causes: Trouble[] = [];
  if (podKind !== undefined) {
    const place: Place = { ref: refOf(kind, { namespace, name }), uid, kind, facts };
    for (const pod of pods) {
      if (pod.attention !== undefined)
        causes.push({ kind: podKind, entry: pod, attention: pod.attention, place });
    }
  }
  const attention = readable(
    () => (kind.attention === undefined ? heldDeletion(object) : kind.attention(object, readAround())),
    undefined,
  );
  if (attention === undefined) return { causes, own: [] };
  const entry = {
    uid,
    namespace,
    name,
    owners: ownersOf(object),
    ...(facts === undefined ? {} : { facts }),
  };
  const place = placeOfTrouble(owners, kind, entry);
  return { causes, own: [{ kind, entry, attention: cleanAttention(attention), place }] };
}

/** When time alone changes the first of these troubles, epoch seconds; undefined where it changes none. */
export function nextTurnOf({ causes, own }: ObjectTroubles, now: number): number | undefined {
  let next: number | undefined;
  for (const { attention } of [...causes, ...own]) {
    const turn = turnOf(attention, now);
    if (turn !== undefined) next = Math.min(next ?? turn, turn);
  }
  return next;
}

/**
 * The lines of the troubles that are due, those of the pods first.
 * @param now epoch seconds
 * @param may whether the person may do what asks for this
 */
export function dueLines({ causes, own }: ObjectTroubles, now: number, may: May): readonly AttentionLine[] {
  const isTrouble = ({ attention }: Trouble) => isDue(attention, now);
  return [causes, own].flatMap((some) => attentionLinesOf(some.filter(isTrouble), may)).map(toldLine);
}
