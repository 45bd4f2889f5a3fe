import type { Pod } from '../../../kube/core.ts';
import type { Service } from '../../../kube/infrastructure.ts';
import type { NetworkPolicy } from '../../../kube/network-policy.ts';
import { forbiddingPolicies, type Peer, peerOf } from '../policy-verdict.ts';
import { field, rule } from '../rule.ts';
import { allOf, nameOf, namespaceOf, oneOf, type World } from '../world.ts';
import { configuredServices, serviceAt, serviceNamed, servicesIn } from './called-services.ts';
import type { LogReason } from './log-reasons.ts';
import { containerSaying } from './ended-container.ts';

/** Where clusters have what answers for their names, the usual place first. */
const dnsPlaces = [
  { namespace: 'kube-system', name: 'kube-dns' },
  { namespace: 'kube-system', name: 'coredns' },
  { namespace: 'kube-system', name: 'rke2-coredns-rke2-coredns' },
  { namespace: 'openshift-dns', name: 'dns-default' },
] as const;

/** The service that answers for names in the cluster; undefined while it is not known. */
export function dnsService(world: World): Service | undefined {
  for (const { namespace, name } of dnsPlaces) {
    const found = oneOf(world, 'Service', name, namespace);
    if (found === undefined) return undefined;
    if (found !== null) return found;
  }
  return undefined;
}

const labelsOf = (namespace: string, world: World) =>
  oneOf(world, 'Namespace', namespace)?.metadata?.labels ?? {
    // Each namespace gets this label from the cluster itself.
    'kubernetes.io/metadata.name': namespace,
  };

/** The network policies of a namespace; none while they are not known. */
export const policiesIn = (namespace: string, world: World): readonly NetworkPolicy[] =>
  world.all({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', namespace }) ?? [];

/** Whether a lookup got no answer at all, rather than the answer that there is no such name. */
const isUnanswered = (text: string): boolean =>
  /timed? ?out|timeout|EAI_AGAIN|Temporary failure|server misbehaving|no route|refused/i.test(text);

/** A pod that may ask no DNS server because of network policies. */
const dnsPolicyRule = rule<Pod>({
  id: 'pod.dns-forbidden',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    const said = containerSaying('name', pod, world);
    if (said === undefined || !isUnanswered(said.reason.line.text)) return undefined;
    const service = dnsService(world);
    const place = service?.metadata?.namespace ?? 'kube-system';
    const servers = allOf(world, 'Pod', {
      namespace: place,
      selector: { matchLabels: service?.spec?.selector ?? { 'k8s-app': 'kube-dns' } },
    });
    const address = service?.spec?.clusterIP;
    const peers: readonly Peer[] = [
      ...(servers ?? []).map((one) => peerOf(one, labelsOf(place, world))),
      {
        namespace: place,
        namespaceLabels: labelsOf(place, world),
        labels: service?.spec?.selector ?? { 'k8s-app': 'kube-dns' },
        addresses: address === undefined ? [] : [address],
        ports: [],
      },
    ];
    const namespace = namespaceOf(pod);
    const policies = policiesIn(namespace, world);
    const subject = peerOf(pod, labelsOf(namespace, world));
    const verdicts = peers.map((peer) =>
      forbiddingPolicies(policies, 'Egress', {
        subject,
        peer,
        target: { port: 53, protocols: ['UDP', 'TCP'], ports: peer.ports },
      }),
    );
    const [policy] = verdicts[0] ?? [];
    if (policy === undefined || verdicts.some((found) => found.length === 0)) return undefined;
    return {
      object: nameOf(policy),
      sentence: `NetworkPolicy ${policy.metadata?.name ?? ''} does not let the pod ask DNS (port 53), so it cannot find ${said.reason.named}.`,
      evidence: [
        said.line,
        field(policy, 'spec.podSelector'),
        field(policy, 'spec.egress'),
        field(policy, 'spec.policyTypes'),
      ],
    };
  },
});

/** A pod that asks DNS servers which know no services. */
const dnsModeRule = rule<Pod>({
  id: 'pod.dns-mode',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    const said = containerSaying('name', pod, world);
    if (said === undefined) return undefined;
    const { reason, line } = said;
    const { dnsPolicy = 'ClusterFirst', hostNetwork = false } = pod.spec ?? {};
    const isOfNode = dnsPolicy === 'Default' || (dnsPolicy === 'ClusterFirst' && hostNetwork);
    const named = serviceNamed(reason.named, pod, world);
    const service = named && oneOf(world, 'Service', named.name, named.namespace);
    if ((!isOfNode && dnsPolicy !== 'None') || !service) return undefined;
    return {
      sentence: `The pod cannot find service ${reason.named}: its dnsPolicy ${dnsPolicy}${hostNetwork ? ' with hostNetwork' : ''} asks ${dnsPolicy === 'None' ? 'the name servers of its own dnsConfig' : 'the DNS of its node'}, not that of the cluster.`,
      evidence: [
        line,
        field(pod, 'spec.dnsPolicy'),
        ...(hostNetwork ? [field(pod, 'spec.hostNetwork')] : []),
        ...(dnsPolicy === 'None' ? [field(pod, 'spec.dnsConfig')] : []),
        field(service, 'metadata.name'),
      ],
    };
  },
});

/** A pod whose calls to a service are forbidden by network policies, of its own namespace or of the service's. */
const callPolicyRule = rule<Pod>({
  id: 'pod.call-forbidden',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    const said = containerSaying('timeout', pod, world);
    if (said === undefined) return undefined;
    const { reason, line } = said;
    const [, host = reason.named] = /^(.*?)(?::\d+)?$/.exec(reason.named) ?? [];
    const named = serviceAt(host, pod, world) ?? servicesIn(reason.line.text, pod, world)[0]?.service;
    const candidates =
      named === undefined ? configuredServices(pod, world).map((one) => one.service) : [named];
    const service = candidates.find((one) => forbiddenCall(pod, one, reason, world) !== undefined);
    const verdict = service && forbiddenCall(pod, service, reason, world);
    if (service === undefined || verdict === undefined) return undefined;
    const { policy, isOut, port } = verdict;
    const name = service.metadata?.name ?? '';
    const labels = labelsText(pod);
    const home = namespaceOf(pod) === namespaceOf(policy) ? '' : ` of namespace ${namespaceOf(pod)}`;
    return {
      object: nameOf(policy),
      sentence: isOut
        ? `NetworkPolicy ${policy.metadata?.name ?? ''} of namespace ${namespaceOf(policy)} does not let the pod reach service ${name}${port === undefined ? '' : ` on port ${port}`}.`
        : `NetworkPolicy ${policy.metadata?.name ?? ''} of namespace ${namespaceOf(policy)} does not let pods with ${labels}${home} reach the pods of service ${name}${port === undefined ? '' : ` on port ${port}`}.`,
      evidence: [
        line,
        field(policy, 'spec.podSelector'),
        field(policy, isOut ? 'spec.egress' : 'spec.ingress'),
        field(service, 'spec.selector'),
        field(pod, 'metadata.labels'),
      ],
    };
  },
});

/** Labels that controllers give their pods. */
const ownLabel =
  /^(?:pod-template-hash|controller-revision-hash|statefulset\.kubernetes\.io\/|apps\.kubernetes\.io\/pod-index)/;

/** The labels of a pod that people gave it, some of them. */
function labelsText({ metadata }: Pod): string {
  const labels = Object.entries(metadata?.labels ?? {}).filter(([key]) => !ownLabel.test(key));
  return labels.length === 0
    ? 'no labels'
    : labels
        .slice(0, 2)
        .map(([key, value]) => `${key}=${value}`)
        .join(', ');
}

/** The policy that forbids a pod to call a service; undefined where none does. */
function forbiddenCall(pod: Pod, service: Service, reason: LogReason, world: World) {
  const callee = namespaceOf(service);
  const selector = service.spec?.selector ?? {};
  const called =
    Object.keys(selector).length === 0
      ? undefined
      : allOf(world, 'Pod', { namespace: callee, selector: { matchLabels: selector } })?.[0];
  if (called === undefined) return undefined;
  const [from, to] = [
    peerOf(pod, labelsOf(namespaceOf(pod), world)),
    peerOf(called, labelsOf(callee, world)),
  ];
  const port = targetPort(service, called, Number(/:(\d+)$/.exec(reason.named)?.[1] ?? Number.NaN));
  const target = { port, protocols: ['TCP'], ports: to.ports };
  const [out] = forbiddingPolicies(policiesIn(from.namespace, world), 'Egress', {
    subject: from,
    peer: to,
    target,
  });
  const [into] = forbiddingPolicies(policiesIn(callee, world), 'Ingress', {
    subject: to,
    peer: from,
    target,
  });
  const policy = out ?? into;
  return policy === undefined ? undefined : { policy, isOut: out !== undefined, port };
}

/** The policies that together forbid a pod to call a service, by its own namespace's; undefined where it is allowed. */
export function forbiddenIngress(
  caller: Pod,
  service: Service,
  world: World,
): readonly NetworkPolicy[] | undefined {
  const place = namespaceOf(service);
  const selector = service.spec?.selector ?? {};
  if (Object.keys(selector).length === 0) return undefined;
  const called = allOf(world, 'Pod', { namespace: place, selector: { matchLabels: selector } })?.[0];
  // Programs of the node's own network are no pods to a policy.
  if (called === undefined || caller.spec?.hostNetwork === true) return undefined;
  const [from, to] = [
    peerOf(caller, labelsOf(namespaceOf(caller), world)),
    peerOf(called, labelsOf(place, world)),
  ];
  const target = { port: targetPort(service, called, Number.NaN), protocols: ['TCP'], ports: to.ports };
  const found = forbiddingPolicies(policiesIn(place, world), 'Ingress', { subject: to, peer: from, target });
  return found.length === 0 ? undefined : found;
}

/** The port of a pod to which a port of a service leads; undefined where it is not known. */
function targetPort({ spec }: Service, pod: Pod, port: number): number | undefined {
  const ports = spec?.ports ?? [];
  const found = ports.find((one) => one.port === port) ?? (ports.length === 1 ? ports[0] : undefined);
  const target = found?.targetPort ?? found?.port;
  if (typeof target !== 'string') return target;
  return (pod.spec?.containers ?? []).flatMap((one) => one.ports ?? []).find(({ name }) => name === target)
    ?.containerPort;
}

/** Why calls of pods get no answer: policies that forbid them, and DNS that knows no services. */
export const dnsRules = [dnsPolicyRule, dnsModeRule, callPolicyRule];
