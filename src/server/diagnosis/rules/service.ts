import type { Deployment, StatefulSet } from '../../../kube/apps.ts';
import { pauseOf, type ScaledObject, scaledTarget } from '../../../kube/autoscaling.ts';
import type { Pod } from '../../../kube/core.ts';
import { formatSelector } from '../../../kube/format-selector.ts';
import type { Service, ServicePort } from '../../../kube/infrastructure.ts';
import { matchesSelector } from '../../../kube/selector.ts';
import { distanceOf } from '../../../registry/edit-distance.ts';
import { absent, type Clue, event, field, rule, trail } from '../rule.ts';
import { allOf, nameOf, namedObject, namespaceOf, oneOf, warningsOf, type World } from '../world.ts';
import { addressesOf } from './addresses.ts';
import { troubleOf } from './pod-parts.ts';

const hasSelector = ({ spec }: Service): boolean =>
  spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;

const podsIn = (service: Service, world: World) =>
  allOf(world, 'Pod', { namespace: service.metadata?.namespace });

const selectedPods = (service: Service, pods: readonly Pod[]) =>
  pods.filter(({ metadata }) =>
    matchesSelector({ matchLabels: service.spec?.selector ?? {} }, metadata?.labels),
  );

/** A pod that fits all labels of a selector but one: what somebody may have meant, with the label that differs. */
function nearMiss(service: Service, pods: readonly Pod[]) {
  const wanted = Object.entries(service.spec?.selector ?? {});
  for (const pod of pods) {
    const wrong = wanted.filter(([key, value]) => pod.metadata?.labels?.[key] !== value);
    const [first] = wrong;
    const has = first && pod.metadata?.labels?.[first[0]];
    if (
      wrong.length === 1 &&
      first !== undefined &&
      has !== undefined &&
      (wanted.length > 1 || isLike(has, first[1]))
    )
      return { pod, key: first[0], has };
  }
  return undefined;
}

/** Whether one of two words begins as the other, has its letters in another order, or differs by a few: a slip. */
const isLike = (one: string, other: string): boolean =>
  (Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one))) ||
  letters(one) === letters(other) ||
  distanceOf(one, other, 2) <= Math.min(2, Math.floor(one.length / 3));

const letters = (word: string): string => word.split('').toSorted().join('');

const noPods = rule<Service>({
  id: 'service.no-pods',
  kind: 'Service',
  tone: 'bad',
  sort: 'cause',
  isSwept: true,
  find(service, world) {
    if (!hasSelector(service)) return undefined;
    const addresses = addressesOf(service, world);
    if (addresses === undefined || addresses.all > 0) return undefined;
    const pods = podsIn(service, world);
    if (
      pods === undefined ||
      selectedPods(service, pods).length > 0 ||
      scaledToZero(service, world) !== undefined
    )
      return undefined;
    const near = nearMiss(service, pods);
    return {
      sentence: `No pod has the labels that the service selects, ${formatSelector({ matchLabels: service.spec?.selector ?? {} })}${near === undefined ? '' : `; pod ${near.pod.metadata?.name ?? ''} has ${near.key}=${near.has}`}.`,
      evidence: [
        field(service, 'spec.selector'),
        ...(near === undefined ? [] : [field(near.pod, 'metadata.labels')]),
      ],
    };
  },
});

/** A workload with the labels of a service that has no pods because somebody wants none; undefined if there is none. */
function scaledToZero(service: Service, world: World): Deployment | StatefulSet | undefined {
  const { namespace } = service.metadata ?? {};
  const workloads = [
    ...(allOf(world, 'Deployment', { namespace }) ?? []),
    ...(allOf(world, 'StatefulSet', { namespace }) ?? []),
  ];
  return workloads.find(
    ({ spec }) =>
      spec?.replicas === 0 &&
      matchesSelector({ matchLabels: service.spec?.selector ?? {} }, spec.template?.metadata?.labels),
  );
}

/** The scaler of KEDA that somebody paused, of a workload; undefined where there is none. */
function pausedScaler(workload: Deployment | StatefulSet, world: World): ScaledObject | undefined {
  const { kind, metadata } = workload;
  const scalers: readonly ScaledObject[] =
    world.all({ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', namespace: metadata?.namespace }) ?? [];
  return scalers.find((one) => {
    const target = scaledTarget(one);
    return target?.kind === kind && target?.name === metadata?.name && pauseOf(one) !== undefined;
  });
}

/** A service that others need, whose workload somebody scaled to nothing. */
const emptyRule = rule<Service>({
  id: 'service.scaled-to-zero',
  kind: 'Service',
  tone: 'bad',
  // Somebody may want it so: it is trouble only for what needs the service.
  sort: 'called',
  find(service, world) {
    const addresses = hasSelector(service) ? addressesOf(service, world) : undefined;
    if (addresses === undefined || addresses.ready > 0) return undefined;
    const workload = scaledToZero(service, world);
    if (workload === undefined) return undefined;
    const { kind = '', metadata } = workload;
    const isDns = namespaceOf(service) === 'kube-system' && /dns/.test(service.metadata?.name ?? '');
    const pause = pausedScaler(workload, world);
    const what =
      pause === undefined
        ? `${kind} ${metadata?.name ?? ''} is scaled to 0`
        : `ScaledObject ${pause.metadata?.name ?? ''} is paused and keeps ${kind} ${metadata?.name ?? ''} at 0`;
    return {
      object: nameOf(workload),
      sentence: isDns
        ? `The DNS of the cluster is down, so no names can be resolved: ${what}, and service ${service.metadata?.name ?? ''} has no pods.`
        : `${what}, so no pods are behind service ${service.metadata?.name ?? ''}.`,
      evidence: [
        field(workload, 'spec.replicas'),
        field(service, 'spec.selector'),
        ...(pause === undefined ? [] : [field(pause, 'metadata.annotations')]),
      ],
      actions: [{ id: `${kind.toLowerCase()}.scale`, on: nameOf(workload) }],
    };
  },
});

/** A name that stands for a service which does not exist. */
const externalName = rule<Service>({
  id: 'service.external-name',
  kind: 'Service',
  tone: 'bad',
  sort: 'cause',
  find(service, world) {
    const name = service.spec?.type === 'ExternalName' ? service.spec.externalName : undefined;
    const [, target, place] = /^([a-z][a-z0-9-]*)\.([a-z0-9-]+)\.svc(?:\.|$)/.exec(name ?? '') ?? [];
    if (target === undefined || place === undefined || oneOf(world, 'Service', target, place) !== null)
      return undefined;
    return {
      sentence: `The service is an alias for ${name ?? ''}, but there is no service ${target} in namespace ${place}.`,
      evidence: [field(service, 'spec.externalName'), absent(namedObject('Service', target, place))],
    };
  },
});

/** How long a pod without trouble may take to become ready, seconds. */
const startTime = 300;

const notReady = rule<Service>({
  id: 'service.none-ready',
  kind: 'Service',
  tone: 'bad',
  sort: 'symptom',
  find(service, world) {
    const addresses = hasSelector(service) ? addressesOf(service, world) : undefined;
    if (addresses === undefined || addresses.all === 0 || addresses.ready > 0) return undefined;
    // Pods that are just starting are no trouble.
    const pods = selectedPods(service, podsIn(service, world) ?? []);
    const isYoung = ({ status }: Pod) =>
      !(Date.parse(status?.startTime ?? '') / 1000 < world.now - startTime);
    if (pods.every((pod) => troubleOf(pod, world) === undefined && isYoung(pod))) return undefined;
    return {
      sentence: `${addresses.all === 1 ? 'The one pod behind the service is not ready' : `None of the ${addresses.all} pods behind the service is ready`}, so nothing answers its requests.`,
      evidence: [
        field(service, 'spec.selector'),
        ...addresses.slices.map((slice) => field(slice, 'endpoints')),
      ],
    };
  },
});

/** Whether a container of a pod listens on what a port of a service leads to. */
function reaches(pod: Pod, { targetPort, port }: ServicePort): boolean {
  const target = targetPort ?? port;
  const ports = (pod.spec?.containers ?? []).flatMap((one) => one.ports ?? []);
  return typeof target === 'string'
    ? ports.some(({ name }) => name === target)
    : // Containers need not declare the ports they listen on.
      ports.length === 0 || ports.some(({ containerPort }) => containerPort === target);
}

const wrongPort = rule<Service>({
  id: 'service.port',
  kind: 'Service',
  tone: 'bad',
  sort: 'cause',
  isSwept: true,
  find(service, world): Clue | undefined {
    if (!hasSelector(service)) return undefined;
    const pods = podsIn(service, world);
    const [pod, ...others] = selectedPods(service, pods ?? []);
    if (pod === undefined) return undefined;
    const ports = service.spec?.ports ?? [];
    const isLost = (port: ServicePort) => [pod, ...others].every((one) => !reaches(one, port));
    // A number may be listened on without being declared: it is wrong only where nothing of the service fits.
    const at = ports.findIndex(
      (port) => isLost(port) && (typeof port.targetPort === 'string' || ports.every(isLost)),
    );
    const port = ports[at];
    if (port === undefined) return undefined;
    const declared = (pod.spec?.containers ?? []).flatMap((one) => one.ports ?? []);
    const text = declared
      .map(({ name, containerPort }) =>
        name === undefined ? `${containerPort}` : `${name} (${containerPort})`,
      )
      .join(', ');
    return {
      sentence: `Port ${port.name ?? port.port ?? '?'} of the service leads to port ${port.targetPort ?? port.port ?? '?'} of its pods, which ${text === '' ? 'declare none' : `declare ${text}`}.`,
      evidence: [
        field(service, `spec.ports[${at}]`),
        ...(pod.spec?.containers ?? []).map((_one, index) => field(pod, `spec.containers[${index}].ports`)),
      ],
    };
  },
});

/** Whether a service waits for an address from outside. */
const isAddressless = ({ spec, status }: Service): boolean =>
  spec?.type === 'LoadBalancer' && (status?.loadBalancer?.ingress ?? []).length === 0;

/** Message of the maker of load balancers about a service. */
const balancerWarning = (service: Service, world: World) =>
  warningsOf(world, service).find(({ reason = '' }) => /LoadBalancer|^Failed|Allocation/.test(reason));

const loadBalancerRules = [
  rule<Service>({
    id: 'service.load-balancer',
    kind: 'Service',
    tone: 'bad',
    sort: 'cause',
    find(service, world) {
      const said = isAddressless(service) ? balancerWarning(service, world) : undefined;
      if (said?.message === undefined) return undefined;
      const words = said.message
        .trim()
        .replace(/^Error syncing load balancer: /, '')
        .replace(/^failed to ensure load balancer: /, '')
        .replace(/\.$/, '');
      return {
        sentence: `The service has no external address, because its load balancer cannot be made: ${words}.`,
        evidence: [event(service, said), field(service, 'status.loadBalancer')],
      };
    },
  }),
  rule<Service>({
    id: 'service.no-address',
    kind: 'Service',
    tone: 'warn',
    sort: 'advice',
    find(service, world) {
      const created = Date.parse(service.metadata?.creationTimestamp ?? '') / 1000;
      if (!isAddressless(service) || !(created < world.now - 300)) return undefined;
      if (balancerWarning(service, world) !== undefined) return undefined;
      return {
        sentence:
          'The service has no external address: nothing in the cluster has made a load balancer for it. Check that a load balancer controller is installed.',
        evidence: [field(service, 'spec.type'), field(service, 'status.loadBalancer')],
      };
    },
  }),
];

/** Rules about services. */
export const serviceRules = [noPods, emptyRule, externalName, wrongPort, notReady, ...loadBalancerRules];

/** From a service that nobody answers for to its pods. */
export const serviceTrails = [
  trail<Service>({
    kind: 'Service',
    next(service, world) {
      const addresses = hasSelector(service) ? addressesOf(service, world) : undefined;
      return addresses === undefined || addresses.ready > 0
        ? []
        : selectedPods(service, podsIn(service, world) ?? []);
    },
  }),
];
