import type { Pod } from '../../../kube/core.ts';
import { formatSelector } from '../../../kube/format-selector.ts';
import type { Service, ServicePort } from '../../../kube/infrastructure.ts';
import { endpointCounts, serviceNameLabel } from '../../../kube/networking.ts';
import { matchesSelector } from '../../../kube/selector.ts';
import { distanceOf } from '../../../registry/edit-distance.ts';
import { type Clue, field, present, rule, trail } from '../rule.ts';
import { allOf, type World } from '../world.ts';
import { troubleOf } from './pod-parts.ts';

const hasSelector = ({ spec }: Service): boolean =>
  spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;

/** The ready addresses and all addresses behind a service; undefined while they are not known. */
export function addressesOf(service: Service, world: World) {
  const { namespace, name = '' } = service.metadata ?? {};
  const slices = allOf(world, 'EndpointSlice', { namespace })?.filter(
    ({ metadata }) => metadata?.labels?.[serviceNameLabel] === name,
  );
  if (slices === undefined) return undefined;
  const counts = slices.map(endpointCounts);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return { ready: sum(counts.map((one) => one.ready)), all: sum(counts.map((one) => one.all)), slices };
}

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
    if (pods === undefined || selectedPods(service, pods).length > 0 || isScaledToZero(service, world))
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

/** Whether a workload with the labels of a service has no pods because somebody wants none: that is no mistake. */
function isScaledToZero(service: Service, world: World): boolean {
  const { namespace } = service.metadata ?? {};
  const workloads = [
    ...(allOf(world, 'Deployment', { namespace }) ?? []),
    ...(allOf(world, 'StatefulSet', { namespace }) ?? []),
  ];
  return workloads.some(
    ({ spec }) =>
      spec?.replicas === 0 &&
      matchesSelector({ matchLabels: service.spec?.selector ?? {} }, spec.template?.metadata?.labels),
  );
}

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

const loadBalancer = rule<Service>({
  id: 'service.no-address',
  kind: 'Service',
  tone: 'warn',
  sort: 'advice',
  find(service, world) {
    const created = Date.parse(service.metadata?.creationTimestamp ?? '') / 1000;
    const isWaiting =
      service.spec?.type === 'LoadBalancer' && (service.status?.loadBalancer?.ingress ?? []).length === 0;
    if (!isWaiting || !(created < world.now - 300)) return undefined;
    return {
      sentence:
        'The service has no external address: the cluster has no load balancer, or the load balancer refuses.',
      evidence: [field(service, 'spec.type'), field(service, 'status.loadBalancer'), present(service)],
    };
  },
});

/** Rules about services. */
export const serviceRules = [noPods, wrongPort, notReady, loadBalancer];

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
