import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Pod } from '../../kube/core.ts';
import { type NetworkPolicy, type PolicyDirection, policyDirections } from '../../kube/network-policy.ts';
import { matchesSelector } from '../../kube/selector.ts';

/** One end of a connection as network policies see it. */
export interface Peer {
  readonly namespace: string;
  /** Labels of the namespace; undefined where they are not known. */
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly addresses: readonly string[];
  readonly ports: readonly { readonly name?: string; readonly containerPort?: number }[];
}

/** A pod as one end of a connection. */
export const peerOf = (
  { metadata, spec, status }: Pod,
  namespaceLabels: Readonly<Record<string, string>> | undefined,
): Peer => ({
  namespace: metadata?.namespace ?? '',
  namespaceLabels,
  labels: metadata?.labels ?? {},
  addresses: status?.podIP === undefined ? [] : [status.podIP],
  ports: (spec?.containers ?? []).flatMap((one) => one.ports ?? []),
});

type PolicyRule = NonNullable<NonNullable<NetworkPolicy['spec']>['egress']>[number];
type PolicyPeer = NonNullable<PolicyRule['to']>[number];
type PolicyPort = NonNullable<PolicyRule['ports']>[number];

/** Whether an address is in a block, as `10.0.0.0/8`; a block that cannot be read has every address. */
function isInBlock(cidr: string, address: string): boolean {
  const [net = '', bits = ''] = cidr.split('/');
  const family = isIPv4(net) ? 'ipv4' : 'ipv6';
  if ((!isIPv4(net) && !isIPv6(net)) || !/^\d{1,3}$/.test(bits)) return true;
  const list = new BlockList();
  list.addSubnet(net, Number(bits), family);
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function fitsPeer(
  { podSelector, namespaceSelector, ipBlock }: PolicyPeer,
  home: string,
  peer: Peer,
): boolean {
  if (ipBlock !== undefined) {
    const { cidr = '', except = [] } = ipBlock;
    // An address that is not known may be in the block.
    return (
      peer.addresses.length === 0 ||
      peer.addresses.some((one) => isInBlock(cidr, one) && !except.some((part) => isInBlock(part, one)))
    );
  }
  if (podSelector !== undefined && !matchesSelector(podSelector, peer.labels)) return false;
  if (namespaceSelector === undefined) return peer.namespace === home;
  return peer.namespaceLabels === undefined || matchesSelector(namespaceSelector, peer.namespaceLabels);
}

function fitsPort({ protocol = 'TCP', port, endPort }: PolicyPort, target: Target): boolean {
  if (!target.protocols.includes(protocol)) return false;
  if (port === undefined || target.port === undefined) return true;
  const number =
    typeof port === 'number' ? port : target.ports.find(({ name }) => name === port)?.containerPort;
  if (number === undefined) return true;
  return endPort === undefined ? number === target.port : number <= target.port && target.port <= endPort;
}

/** End of a connection: the port of a pod, undefined where it is not known. */
interface Target {
  readonly port: number | undefined;
  readonly protocols: readonly string[];
  readonly ports: Peer['ports'];
}

/**
 * The policies of a namespace that together forbid a connection in one direction: those that select the pod, where none
 * of them allows it. Empty for a connection that is allowed, and wherever something that decides is not known.
 */
export function forbiddingPolicies(
  policies: readonly NetworkPolicy[],
  direction: PolicyDirection,
  { subject, peer, target }: { readonly subject: Peer; readonly peer: Peer; readonly target: Target },
): readonly NetworkPolicy[] {
  const selecting = policies.filter(
    (policy) =>
      policy.metadata?.namespace === subject.namespace &&
      policyDirections(policy).includes(direction) &&
      matchesSelector(policy.spec?.podSelector ?? {}, subject.labels),
  );
  const isAllowed = selecting.some(({ spec }) =>
    (direction === 'Egress'
      ? (spec?.egress ?? []).map(({ to = [], ports = [] }) => ({ peers: to, ports }))
      : (spec?.ingress ?? []).map(({ from = [], ports = [] }) => ({ peers: from, ports }))
    ).some(
      ({ peers, ports }) =>
        (peers.length === 0 || peers.some((one) => fitsPeer(one, subject.namespace, peer))) &&
        (ports.length === 0 || ports.some((one) => fitsPort(one, target))),
    ),
  );
  return isAllowed ? [] : selecting;
}
