import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../../kube/apps.ts';
import type { Pod } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { controllerOf } from '../../../kube/owners.ts';
import type { LabelSelector } from '../../../kube/selector.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { withoutStop } from '../../../kube/text.ts';
import { absent, condition, field, rule, trail } from '../rule.ts';
import { allOf, namedObject, nameOf, namespaceOf, oneOf, type World } from '../world.ts';
import { isLeftBehind, revisionLabel } from './revision.ts';

/** Whether an object is controlled by another. */
export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  owner.metadata?.uid !== undefined && controllerOf(object)?.uid === owner.metadata.uid;

/** The pods that an object controls; none while they are not known. */
export function podsOf(owner: KubeObject, world: World, selector: LabelSelector | undefined): readonly Pod[] {
  const where = { namespace: owner.metadata?.namespace, selector, isPartEnough: true } as const;
  return (allOf(world, 'Pod', where) ?? []).filter((pod) => isControlledBy(pod, owner));
}

/** The pods of a controller that explain its state: of one that has all that it wants, none that ended. */
function tellingPods(
  owner: ReplicaSet | StatefulSet | DaemonSet,
  world: World,
  { ready = 0, desired }: { readonly ready: number | undefined; readonly desired: number },
): readonly Pod[] {
  const pods = podsOf(owner, world, owner.spec?.selector);
  return ready < desired ? pods : pods.filter(({ status }) => !/Failed|Succeeded/.test(status?.phase ?? ''));
}

/** A StatefulSet whose template was changed, with a broken pod of before. */
const leftBehindRule = rule<StatefulSet>({
  id: 'statefulset.left-behind',
  kind: 'StatefulSet.apps',
  tone: 'bad',
  sort: 'cause',
  find(set, world) {
    const pod = podsOf(set, world, set.spec?.selector).find((one) => isLeftBehind(one, set, world));
    if (pod === undefined) return undefined;
    const name = pod.metadata?.name ?? '';
    return {
      sentence: `Pod ${name} is of an earlier revision and not ready, and the StatefulSet waits for it instead of replacing it. Delete pod ${name}: it is recreated from the current template.`,
      evidence: [
        field(pod, `metadata.labels.${revisionLabel}`),
        field(set, 'status.updateRevision'),
        field(pod, 'status.phase'),
      ],
      actions: [{ id: 'object.delete', on: nameOf(pod) }],
    };
  },
});

/** The service that names the pods of a StatefulSet: without an address of its own, with the ports of the containers. */
function headless({ spec }: StatefulSet): object {
  const declared = (spec?.template?.spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
  // A service has each name and each port once.
  const named = new Map(
    declared.flatMap(({ containerPort: port, protocol = 'TCP' }) =>
      port === undefined ? [] : [[`${protocol.toLowerCase()}-${port}`, { port, protocol }] as const],
    ),
  );
  const ports = [...named].map(([name, port]) => ({ name, ...port }));
  return {
    clusterIP: 'None',
    selector: spec?.selector?.matchLabels ?? {},
    ...(ports.length === 0 ? {} : { ports }),
  };
}

/** Rules about workloads themselves, besides what refuses their pods. */
export const workloadRules = [
  rule<StatefulSet>({
    id: 'statefulset.no-service',
    kind: 'StatefulSet.apps',
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object, world) {
      const name = object.spec?.serviceName;
      if (name === undefined || name === '' || oneOf(world, 'Service', name, namespaceOf(object)) !== null)
        return undefined;
      return {
        sentence: `The headless service ${name} of the StatefulSet does not exist, so its pods cannot be reached by name.`,
        evidence: [
          field(object, 'spec.serviceName'),
          absent(namedObject('Service', name, namespaceOf(object))),
        ],
        wanted: [{ of: namedObject('Service', name, namespaceOf(object)), body: { spec: headless(object) } }],
      };
    },
  }),
  leftBehindRule,
  rule<Deployment>({
    id: 'deployment.no-replicaset',
    kind: 'Deployment.apps',
    tone: 'bad',
    sort: 'cause',
    find(object) {
      const said = conditionOf(object.status?.conditions, 'Progressing');
      if (said?.reason !== 'ReplicaSetCreateError' || said.message === undefined) return undefined;
      return {
        sentence: `The rollout does not begin: ${withoutStop(said.message)}.`,
        evidence: [condition(object, 'Progressing'), field(object, 'spec.replicas')],
      };
    },
  }),
  rule<Deployment>({
    id: 'deployment.paused',
    kind: 'Deployment.apps',
    tone: 'warn',
    sort: 'symptom',
    find(object) {
      const { spec = {}, status = {} } = object;
      const isOutdated = (status.updatedReplicas ?? 0) < (spec.replicas ?? 1);
      if (spec.paused !== true || !isOutdated) return undefined;
      return {
        sentence:
          'The rollout of the deployment is paused: changes to its pods wait until somebody resumes it.',
        evidence: [field(object, 'spec.paused'), field(object, 'status.updatedReplicas')],
        actions: [{ id: 'deployment.resume', on: nameOf(object) }],
      };
    },
  }),
];

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
  trail<StatefulSet>({
    kind: 'StatefulSet.apps',
    // The trouble of a pod that is to be deleted is not that of the template.
    next: (set, world) =>
      tellingPods(set, world, { ready: set.status?.readyReplicas, desired: set.spec?.replicas ?? 1 }).filter(
        (pod) => !isLeftBehind(pod, set, world),
      ),
  }),
  trail<ReplicaSet>({
    kind: 'ReplicaSet.apps',
    next: (object, world) =>
      tellingPods(object, world, {
        ready: object.status?.readyReplicas,
        desired: object.spec?.replicas ?? 1,
      }),
  }),
  trail<DaemonSet>({
    kind: 'DaemonSet.apps',
    next: (object, world) =>
      tellingPods(object, world, {
        ready: object.status?.numberReady,
        desired: object.status?.desiredNumberScheduled ?? 0,
      }),
  }),
];
