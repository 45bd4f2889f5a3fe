import { type HorizontalPodAutoscaler, type ScaledObject, scaledTarget } from '../../../kube/autoscaling.ts';
import type { PodTemplate } from '../../../kube/apps.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { controllerOf } from '../../../kube/owners.ts';
import type { NamedObject } from '../../../registry/kinds/refs.ts';
import { absent, type Clue, condition, field, rule, trail } from '../rule.ts';
import { oneOf, type World } from '../world.ts';
import { containerOf } from './pod-parts.ts';
import { metricsRule } from './metrics.ts';

const autoscalerKind = 'HorizontalPodAutoscaler.autoscaling';

function targetOf({ spec, metadata }: HorizontalPodAutoscaler): NamedObject | undefined {
  const { apiVersion, kind, name } = spec?.scaleTargetRef ?? {};
  if (apiVersion === undefined || kind === undefined || name === undefined) return undefined;
  return {
    apiVersion,
    kind,
    name,
    ...(metadata?.namespace === undefined ? {} : { namespace: metadata.namespace }),
  };
}

const targetFound = (object: HorizontalPodAutoscaler, world: World) => {
  const named = targetOf(object);
  return named && world.one(named);
};

/** Whether the autoscaler says that it cannot work. */
const isUnable = ({ status }: HorizontalPodAutoscaler): boolean =>
  status?.conditions?.some(
    ({ type, status: held, reason }) =>
      (type === 'AbleToScale' || type === 'ScalingActive') &&
      held === 'False' &&
      reason !== 'ScalingDisabled',
  ) === true;

/** The measured resource that a container of the target does not request. */
function unrequestedResource(object: HorizontalPodAutoscaler, target: KubeObject) {
  const { template } = (target as { spec?: { template?: PodTemplate } }).spec ?? {};
  const containers = template?.spec?.containers ?? [];
  for (const { resource } of object.spec?.metrics ?? []) {
    const name = resource?.target?.averageUtilization === undefined ? undefined : resource.name;
    const at = containers.findIndex(
      ({ resources }) =>
        name !== undefined &&
        resources?.requests?.[name] === undefined &&
        // A limit stands for a request that is not there.
        resources?.limits?.[name] === undefined,
    );
    if (name !== undefined && at >= 0) return { name, at, container: containers[at]?.name ?? '?' };
  }
  return undefined;
}

/** A container without a request, as the controller names it, that others put into the pods: the target does not have it. */
function unrequestedBy(object: HorizontalPodAutoscaler, target: KubeObject, world: World): Clue | undefined {
  const { template } = (target as { spec?: { template?: PodTemplate } }).spec ?? {};
  const { conditions = [] } = object.status ?? {};
  const said = conditions.find(({ message = '' }) => /missing request for/.test(message));
  const [, resource, container, name = ''] =
    /missing request for (\S+) in container (\S+) of Pod ([\w.-]+)/.exec(said?.message ?? '') ?? [];
  if (said === undefined || resource === undefined || container === undefined) return undefined;
  if (template?.spec?.containers?.some((one) => one.name === container) !== false) return undefined;
  const pod = oneOf(world, 'Pod', name, object.metadata?.namespace);
  const found = pod ? containerOf(pod, container) : undefined;
  return {
    sentence: `The autoscaler ${object.metadata?.name ?? ''} scales by ${resource} usage as a percentage of requests, but container ${container} of pod ${name} requests none.`,
    evidence: [
      condition(object, said.type),
      ...(pod && found?.container !== undefined ? [field(pod, `${found.specPath}.resources`)] : []),
    ],
  };
}

/** Kinds of which an autoscaler can change nothing. */
const unscalableKinds = ['DaemonSet', 'Pod', 'Job', 'CronJob', 'Service'];

const isScalable = ({ spec }: HorizontalPodAutoscaler): boolean =>
  !unscalableKinds.includes(spec?.scaleTargetRef?.kind ?? '');

/** Rules about autoscalers. */
export const autoscalerRules = [
  metricsRule,
  rule<HorizontalPodAutoscaler>({
    id: 'hpa.target-missing',
    kind: autoscalerKind,
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object, world) {
      const target = targetOf(object);
      if (target === undefined || targetFound(object, world) !== null) return undefined;
      return {
        sentence: `${target.kind} ${target.name}, the target of the autoscaler, does not exist.`,
        evidence: [field(object, 'spec.scaleTargetRef'), absent(target)],
      };
    },
  }),
  rule<HorizontalPodAutoscaler>({
    id: 'hpa.target-kind',
    kind: autoscalerKind,
    tone: 'bad',
    sort: 'cause',
    find(object) {
      const { kind = '' } = object.spec?.scaleTargetRef ?? {};
      if (isScalable(object)) return undefined;
      return {
        sentence: `The autoscaler does nothing, because a ${kind} cannot be scaled.`,
        evidence: [field(object, 'spec.scaleTargetRef')],
      };
    },
  }),
  rule<HorizontalPodAutoscaler>({
    id: 'hpa.no-requests',
    kind: autoscalerKind,
    tone: 'bad',
    sort: 'cause',
    find(object, world) {
      const target = isUnable(object) && isScalable(object) ? targetFound(object, world) : undefined;
      const told = target ? unrequestedBy(object, target, world) : undefined;
      if (told !== undefined) return told;
      const missing = target ? unrequestedResource(object, target) : undefined;
      if (!target || missing === undefined) return undefined;
      return {
        sentence: `The autoscaler scales by ${missing.name} usage as a percentage of requests, but container ${missing.container} requests none.`,
        evidence: [
          condition(object, 'ScalingActive'),
          field(object, 'spec.metrics'),
          field(target, `spec.template.spec.containers[${missing.at}].resources`),
        ],
      };
    },
  }),
  rule<HorizontalPodAutoscaler>({
    id: 'hpa.two-scalers',
    kind: autoscalerKind,
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object, world) {
      const all = world.all({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        namespace: object.metadata?.namespace,
      });
      const { kind, name } = object.spec?.scaleTargetRef ?? {};
      const rival = all?.find(
        (one: HorizontalPodAutoscaler) =>
          one.metadata?.name !== object.metadata?.name &&
          one.spec?.scaleTargetRef?.name === name &&
          one.spec?.scaleTargetRef?.kind === kind,
      );
      if (rival === undefined || name === undefined) return undefined;
      const maker = controllerOf(rival) ?? controllerOf(object);
      // Said once, by the one whose name comes first, however many ask.
      if ((rival.metadata?.name ?? '') < (object.metadata?.name ?? '')) return undefined;
      return {
        sentence: `Two autoscalers scale ${kind ?? ''} ${name} against each other: ${object.metadata?.name ?? ''} and ${rival.metadata?.name ?? ''}${maker === undefined ? '' : `, one of which belongs to ${maker.kind} ${maker.name}`}.`,
        evidence: [field(object, 'spec.scaleTargetRef'), field(rival, 'spec.scaleTargetRef')],
      };
    },
  }),
  rule<ScaledObject>({
    id: 'scaledobject.target-missing',
    kind: 'ScaledObject.keda.sh',
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object, world) {
      const target = scaledTarget(object);
      const { namespace } = object.metadata ?? {};
      if (target === undefined || namespace === undefined) return undefined;
      const named = { ...target, namespace };
      if (world.one(named) !== null) return undefined;
      return {
        sentence: `${named.kind} ${named.name}, the target of the scaler, does not exist.`,
        evidence: [field(object, 'spec.scaleTargetRef'), absent(named)],
      };
    },
  }),
];

/** From an autoscaler that cannot work to what it scales. */
export const autoscalerTrails = [
  trail<HorizontalPodAutoscaler>({
    kind: autoscalerKind,
    next(object, world) {
      const target = isUnable(object) ? targetFound(object, world) : undefined;
      return target ? [target] : [];
    },
  }),
  // KEDA scales by an autoscaler of its own.
  trail<ScaledObject>({
    kind: 'ScaledObject.keda.sh',
    next(object, world) {
      const { name = '', namespace = '' } = object.metadata ?? {};
      const found = world.one({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        namespace,
        name: object.status?.hpaName ?? `keda-hpa-${name}`,
      });
      return found && isUnable(found) ? [found] : [];
    },
  }),
];
