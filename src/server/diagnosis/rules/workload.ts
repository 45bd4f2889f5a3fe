import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../../kube/apps.ts';
import type { Pod } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { controllerOf } from '../../../kube/owners.ts';
import type { LabelSelector } from '../../../kube/selector.ts';
import { trail } from '../rule.ts';
import { allOf, type World } from '../world.ts';

/** Whether an object is controlled by another. */
export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  owner.metadata?.uid !== undefined && controllerOf(object)?.uid === owner.metadata.uid;

/** The pods that an object controls; none while they are not known. */
export function podsOf(owner: KubeObject, world: World, selector: LabelSelector | undefined): readonly Pod[] {
  const where = { namespace: owner.metadata?.namespace, selector, isPartEnough: true } as const;
  return (allOf(world, 'Pod', where) ?? []).filter((pod) => isControlledBy(pod, owner));
}

/** From workloads to their pods. */
export const workloadTrails = [
  trail<Deployment>({
    kind: 'Deployment.apps',
    next(object, world) {
      const where = {
        namespace: object.metadata?.namespace,
        selector: object.spec?.selector,
        isPartEnough: true,
      } as const;
      return (allOf(world, 'ReplicaSet', where) ?? []).filter(
        (one) =>
          isControlledBy(one, object) && ((one.spec?.replicas ?? 0) > 0 || (one.status?.replicas ?? 0) > 0),
      );
    },
  }),
  ...['ReplicaSet.apps', 'StatefulSet.apps', 'DaemonSet.apps'].map((kind) =>
    trail<ReplicaSet | StatefulSet | DaemonSet>({
      kind,
      next: (object, world) => podsOf(object, world, object.spec?.selector),
    }),
  ),
];
