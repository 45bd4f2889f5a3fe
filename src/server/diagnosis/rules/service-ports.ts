import type { Pod } from '../../../kube/core.ts';
import type { Service, ServicePort } from '../../../kube/infrastructure.ts';
import { matchesSelector } from '../../../kube/selector.ts';
import { field, type Proof } from '../rule.ts';
import { allOf, type World } from '../world.ts';

/** The pods that a service selects; none while they are not known. */
function podsBehind({ spec, metadata }: Service, world: World): readonly Pod[] {
  const matchLabels = spec?.selector ?? {};
  if (Object.keys(matchLabels).length === 0) return [];
  return (allOf(world, 'Pod', { namespace: metadata?.namespace }) ?? []).filter((pod) =>
    matchesSelector({ matchLabels }, pod.metadata?.labels),
  );
}

/** All ports that the containers of a pod declare, its sidecars included. */
const declaredPorts = ({ spec }: Pod) =>
  [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []).filter((one) => one.restartPolicy === 'Always'),
  ].flatMap(({ name: container = '', ports = [] }) => ports.map((port) => ({ container, ...port })));

/** Whether a container of a pod declares what a port of a service leads to. */
function isDeclared(pod: Pod, { targetPort, port }: ServicePort): boolean {
  const target = targetPort ?? port;
  return declaredPorts(pod).some((one) =>
    typeof target === 'string' ? one.name === target : one.containerPort === target,
  );
}

/** The ports of a pod as a sentence lists them. */
const portsText = (pod: Pod): string =>
  declaredPorts(pod)
    .map(({ name, containerPort = 0 }) =>
      name === undefined ? `${containerPort}` : `${name} (${containerPort})`,
    )
    .join(', ');

/**
 * The port of a service's pods to which the called one leads, where it is refused and no container declares it.
 * @param called the only port where it is not known
 */
export function lostPort(
  service: Service,
  called: number | undefined,
  world: World,
): { readonly text: string; readonly evidence: readonly Proof[] } | undefined {
  const ports = service.spec?.ports ?? [];
  const at = ports.findIndex(({ port }) => (called === undefined ? ports.length === 1 : port === called));
  const port = ports[at];
  const pods = podsBehind(service, world);
  const [pod] = pods;
  if (port === undefined || pod === undefined || portsText(pod) === '') return undefined;
  if (pods.some((one) => isDeclared(one, port))) return undefined;
  const target = port.targetPort ?? port.port ?? '?';
  return {
    text: `targetPort ${target}, and its pods listen on ${portsText(pod)}`,
    evidence: [
      field(service, `spec.ports[${at}]`),
      ...(pod.spec?.containers ?? []).map((_one, index) => field(pod, `spec.containers[${index}].ports`)),
    ],
  };
}
