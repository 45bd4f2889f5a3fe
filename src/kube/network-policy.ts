import { formatSelector } from './format-selector.ts';
import type { KubeObject } from './object.ts';
import type { LabelSelector } from './selector.ts';

interface PolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: { cidr?: string; except?: string[] };
}

interface PolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

/** The parts of networking.k8s.io/v1 NetworkPolicy that the console reads. */
export interface NetworkPolicy extends KubeObject {
  spec?: {
    podSelector?: LabelSelector;
    policyTypes?: string[];
    ingress?: { from?: PolicyPeer[]; ports?: PolicyPort[] }[];
    egress?: { to?: PolicyPeer[]; ports?: PolicyPort[] }[];
  };
}

export type PolicyDirection = 'Ingress' | 'Egress';

/** One rule of a policy: with whom, by which ports. */
export interface PolicyLine {
  readonly peers: readonly string[];
  readonly ports: readonly string[];
}

/** The directions that a policy restricts; those that it does not name are left alone. */
export function policyDirections({ spec }: NetworkPolicy): PolicyDirection[] {
  const { policyTypes, egress } = spec ?? {};
  // The API server fills in the types; objects that were not stored may lack them.
  const types = policyTypes ?? ['Ingress', ...(egress === undefined ? [] : ['Egress'])];
  return (['Ingress', 'Egress'] as const).filter((one) => types.includes(one));
}

function peerText({ podSelector, namespaceSelector, ipBlock }: PolicyPeer): string {
  if (ipBlock !== undefined) {
    const { cidr = '?', except = [] } = ipBlock;
    return except.length === 0 ? cidr : `${cidr} but ${except.join(', ')}`;
  }
  const labels = formatSelector(podSelector);
  const pods = labels === '' ? 'every pod' : `pods ${labels}`;
  if (namespaceSelector === undefined) return `${pods} of this namespace`;
  const places = formatSelector(namespaceSelector);
  return `${pods} of ${places === '' ? 'every namespace' : `namespaces ${places}`}`;
}

function portText({ protocol = 'TCP', port, endPort }: PolicyPort): string {
  if (port === undefined) return `every ${protocol} port`;
  return `${port}${endPort === undefined ? '' : `-${endPort}`}/${protocol}`;
}

const lineOf = (peers: PolicyPeer[] | undefined, ports: PolicyPort[] | undefined): PolicyLine => ({
  peers: peers === undefined || peers.length === 0 ? ['everywhere'] : peers.map(peerText),
  ports: ports === undefined || ports.length === 0 ? ['every port'] : ports.map(portText),
});

/**
 * What a policy allows in a direction; without a line nothing. Undefined for a direction that it leaves alone.
 */
export function policyLines(object: NetworkPolicy, direction: PolicyDirection): PolicyLine[] | undefined {
  if (!policyDirections(object).includes(direction)) return undefined;
  return direction === 'Ingress'
    ? (object.spec?.ingress ?? []).map(({ from, ports }) => lineOf(from, ports))
    : (object.spec?.egress ?? []).map(({ to, ports }) => lineOf(to, ports));
}

/** A direction in one line: `everything`, `nothing`, `pods app=web of this namespace: 80/TCP`. */
export function policyText(object: NetworkPolicy, direction: PolicyDirection): string[] {
  const lines = policyLines(object, direction);
  if (lines === undefined) return ['not restricted'];
  if (lines.length === 0) return ['nothing'];
  return lines.map(({ peers, ports }) => `${peers.join(', ')}: ${ports.join(', ')}`);
}
