import type { JoinedValues } from '../../../contract/live.ts';
import type { Need } from '../../../contract/permissions.ts';
import { formatSelector } from '../../../kube/format-selector.ts';
import { matchesLabels, parseLabelSelector, type Requirement } from '../../../kube/selector.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind, Kind, PodSelection } from '../../../registry/kinds/kind.ts';
import type { Membership } from '../feed/audience.ts';
import type { ClusterLive } from '../cluster/cluster.ts';
import { readable } from './object-body.ts';
import { openIfRoom } from '../source/open-if-room.ts';
import { type Entry, placeOf } from '../source/projector.ts';

/** The label selector of a selection as text; empty for a selection by node, and for one that selects a whole namespace. */
function labelsOf(selection: PodSelection): string {
  return 'nodeName' in selection ? '' : formatSelector(selection);
}

const placeOfEntry = ({ namespace, name }: Entry) => placeOf(namespace, name);

/** Inputs of `ObjectPods`. */
export interface ObjectPodsParts {
  readonly live: Pick<ClusterLive, 'kind' | 'feed' | 'metrics'>;
  /** Kind of the workload. */
  readonly kind: AnyKind;
  /** Namespace of the workload; empty for an object of the cluster. */
  readonly namespace: string;
  readonly may: (need: Need) => boolean;
  /** Called when the pods or their usage changed. */
  readonly onChange: () => void;
}

/** The pods that a workload selects, with their usage, where the person may view pods. */
export class ObjectPods {
  readonly #parts: ObjectPodsParts;
  #followed:
    | {
        readonly labels: string;
        readonly where: readonly Requirement[];
        readonly membership: Membership;
      }
    | undefined;
  #endUsage: (() => void) | undefined;

  constructor(parts: ObjectPodsParts) {
    this.#parts = parts;
  }

  /** Follows the pods that this version of the workload selects. */
  follow(object: KubeObject): void {
    const { live, may } = this.#parts;
    const podKind = live.kind('pod');
    const labels = podKind !== undefined && may(podKind.permissions.view) ? this.#labels(object) : '';
    if (this.#followed?.labels === labels || (this.#followed === undefined && labels === '')) return;
    this.leave();
    if (podKind !== undefined && labels !== '') openIfRoom(() => this.#open(podKind, labels));
  }

  /** The pods; empty until their list is complete. */
  entries(): Iterable<Entry> {
    // A view that is read before its list is complete would stay empty.
    return this.#followed?.membership.isReady === true ? this.#followed.membership.view.entries() : [];
  }

  /** The usage of the pods together; empty for a kind whose own usage is measured. */
  usage(): JoinedValues {
    const { live, namespace } = this.#parts;
    const podKind = live.kind('pod');
    if (podKind === undefined || this.#endUsage === undefined) return {};
    if (this.#followed?.membership.isReady !== true) return {};
    const { where } = this.#followed;
    // Pods that a rollout replaced within the hour were of this workload as well.
    const prefix = placeOf(namespace, '');
    return live
      .metrics(podKind)
      .sum(
        [...this.entries()].map(placeOfEntry),
        (place, labels) => place.startsWith(prefix) && matchesLabels(where, labels),
      );
  }

  /** Ends what is followed; `follow` begins anew. */
  leave(): void {
    this.#endUsage?.();
    this.#endUsage = undefined;
    this.#followed?.membership.leave();
    this.#followed = undefined;
  }

  #labels(object: KubeObject): string {
    const { kind } = this.#parts;
    // Without rules of attention its pods' trouble is not shown at the object.
    const selection =
      kind.attention === undefined ? undefined : readable(() => kind.pods?.(object), undefined);
    return selection === undefined ? '' : readable(() => labelsOf(selection), '');
  }

  /** Throws Problem when the cluster has too many lists open. */
  #open(podKind: Kind, labels: string): void {
    const { live, kind, namespace, onChange } = this.#parts;
    const membership = live.feed(podKind).join(
      { namespace, where: { labels } },
      {
        ready: () => {
          // A view reports changes only after it was read once.
          membership.view.entries();
          onChange();
        },
        changes: onChange,
        state: () => {},
      },
    );
    if (membership.isReady) membership.view.entries();
    this.#followed = { labels, where: parseLabelSelector(labels), membership };
    if (kind.joins?.includes('metrics') === true) return;
    this.#endUsage = live.metrics(podKind).retain((changed) => {
      if (!membership.isReady) return;
      const isChanged = (entry: Entry) => changed === 'all' || changed.has(placeOfEntry(entry));
      if (changed === 'all' || [...membership.view.entries()].some(isChanged)) onChange();
    });
  }
}
