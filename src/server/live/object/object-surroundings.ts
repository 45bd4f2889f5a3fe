import { flushInterval } from '../../../contract/live.ts';
import type { Need } from '../../../contract/permissions.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { type AnyKind, type KindStatus, statusAt } from '../../../registry/kinds/kind.ts';
import { refKey } from '../../../registry/kinds/refs.ts';
import { stateActions } from '../../actions/available.ts';
import { readOnlyReason } from '../../../contract/clusters.ts';
import type { Clock } from '../../kit/clock.ts';
import { cleanValue } from '../../objects/present.ts';
import type { May, Place } from '../../access/held.ts';
import { changePlace } from '../../access/place.ts';
import type { Access } from '../wire/access.ts';
import { type AroundWatch, createAround } from './around.ts';
import type { Tapped } from '../feed/audience.ts';
import type { ClusterLive } from '../cluster/cluster.ts';
import { readable } from './object-body.ts';
import { ObjectJoins } from './object-joins.ts';
import { ObjectPods } from './object-pods.ts';
import { dueLines, nextTurnOf, type ObjectTroubles, readTroubles } from './object-troubles.ts';
import { openIfRoom } from '../source/open-if-room.ts';
import { kindsBetween, type OwnerSource } from '../dashboard/owners.ts';
import { type Entry, placeOf } from '../source/projector.ts';
import { createReferents, type Referents } from './referents.ts';

/** Inputs of `ObjectSurroundings`. */
export interface ObjectSurroundingsParts {
  readonly live: ClusterLive;
  readonly kind: AnyKind;
  /** Empty for an object of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly clock: Clock;
  readonly access: Access;
  /** Called at most once per `flushInterval`, when `read` may give something else. */
  readonly onChange: () => void;
}

/**
 * The data that belongs to one object besides its own fields, as one person may see it: status, trouble, joined values,
 * missing references and actions.
 */
export class ObjectSurroundings {
  readonly #parts: ObjectSurroundingsParts;
  readonly #around: AroundWatch;
  readonly #referents: Referents;
  readonly #joins: ObjectJoins;
  readonly #pods: ObjectPods;
  /** The kinds between the object and its workload, as far as the person may view them. */
  readonly #owners = new Map<AnyKind, Tapped>();
  readonly #ownerSource: OwnerSource;
  readonly #may: May = (need, place) => this.#access.held.may(need, place);
  /** Where that is which belongs to the object: its pods, owners and events are in its namespace. */
  readonly #place: Place;
  #access: Access;
  #isDisposed = false;
  #cancelFlush: (() => void) | undefined;
  /** Of the timer for what time alone changes. */
  #cancelTurn: (() => void) | undefined;

  constructor(parts: ObjectSurroundingsParts) {
    const { live, kind, namespace, name, access } = parts;
    this.#parts = parts;
    this.#access = access;
    this.#place = changePlace({ scope: namespace === '' ? 'Cluster' : 'Namespaced' }, { namespace });
    const may = this.#may;
    const mayHere = (need: Need) => may(need, this.#place);
    const onChange = () => this.#changeSoon();
    this.#around = createAround({ live, kind, namespace, may: mayHere, onChange });
    this.#referents = createReferents({ live, may, onChange });
    this.#joins = new ObjectJoins({ live, kind, place: placeOf(namespace, name), onChange });
    this.#pods = new ObjectPods({ live, kind, namespace, may: mayHere, onChange });
    this.#ownerSource = { kinds: live.kinds, find: (of, uid) => this.#findOwner(of, uid) };
    this.#follow();
  }

  /** Goes on with what the person may see now. Call `followPods` afterwards. */
  changeAccess(access: Access): void {
    this.#access = access;
    this.#leave();
    this.#follow();
  }

  /** Follows the pods that this version of the object selects. */
  followPods(object: KubeObject): void {
    this.#pods.follow(object);
  }

  /** Everything as JSON members. Sets a timer for what time alone changes. */
  read(object: KubeObject): string {
    const { kind, clock } = this.#parts;
    const joined = this.#joins.addTo(this.#pods.usage());
    this.#referents.follow(readable(() => kind.refs?.(object) ?? [], []));
    const reason = readOnlyReason(this.#access.cluster);
    const place = changePlace(kind, { namespace: this.#parts.namespace });
    const actions = stateActions(kind, object, (need) => this.#may(need, place));
    const now = clock.now() / 1000;
    const status = this.#status(object, now);
    const troubles = this.#troubles(object);
    this.#arm(now, status?.later?.at, nextTurnOf(troubles, now));
    return [
      `"status":${JSON.stringify(status === undefined ? null : cleanValue([status.label, status.tone]))}`,
      `"attention":${JSON.stringify(dueLines(troubles, now, this.#may))}`,
      `"joined":${JSON.stringify(joined)}`,
      `"missing":${JSON.stringify(cleanValue(this.#referents.missing.map(refKey)))}`,
      `"actions":${JSON.stringify(
        reason === undefined ? actions : actions.map((action) => ({ ...action, enabled: reason })),
      )}`,
    ].join(',');
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancelFlush?.();
    this.#cancelTurn?.();
    this.#leave();
  }

  #status(object: KubeObject, now: number): KindStatus | undefined {
    const status = readable(() => this.#parts.kind.status?.(object), undefined);
    return status && statusAt(status, now);
  }

  #troubles(object: KubeObject): ObjectTroubles {
    const { live, kind, namespace, name } = this.#parts;
    return readTroubles({
      kind,
      object,
      namespace,
      name,
      readAround: () => this.#around.read(object, this.#referents.missing),
      owners: this.#ownerSource,
      podKind: live.kind('pod'),
      pods: this.#pods.entries(),
    });
  }

  /** Waits for the first of these times, epoch seconds, in place of what it waited for before. */
  #arm(now: number, ...turns: readonly (number | undefined)[]): void {
    this.#cancelTurn?.();
    const next = Math.min(...turns.map((turn) => turn ?? Number.POSITIVE_INFINITY));
    this.#cancelTurn = Number.isFinite(next)
      ? this.#parts.clock.after((next - now) * 1000, () => this.#changeSoon())
      : undefined;
  }

  #changeSoon(): void {
    if (this.#isDisposed) return;
    this.#cancelFlush ??= this.#parts.clock.after(flushInterval, () => {
      this.#cancelFlush = undefined;
      this.#parts.onChange();
    });
  }

  #follow(): void {
    const { live, kind } = this.#parts;
    this.#joins.follow((need) => this.#may(need, this.#place));
    for (const owner of kindsBetween(live.kinds, kind)) {
      if (!this.#may(owner.permissions.view, this.#place)) continue;
      const tap = openIfRoom(() =>
        live.feed(owner).tap({ changed: () => {}, settled: () => this.#changeSoon() }),
      );
      if (tap !== undefined) this.#owners.set(owner, tap);
    }
  }

  /** An owner, by the uid that the object names: only in its own namespace, as anybody may write any uid. */
  #findOwner(kind: AnyKind, uid: string): Entry | undefined {
    const found = this.#owners.get(kind)?.find(uid);
    return found?.namespace === this.#parts.namespace ? found : undefined;
  }

  #leave(): void {
    this.#joins.leave();
    for (const tap of this.#owners.values()) tap.leave();
    this.#owners.clear();
    this.#pods.leave();
    this.#around.leave();
    this.#referents.leave();
  }
}
