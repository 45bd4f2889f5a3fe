import { same, at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';

const hasAddress = (spec: Rec) => spec['type'] !== 'ExternalName';
const hasPorts = (spec: Rec) => spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';
const isBalanced = (spec: Rec) => spec['type'] === 'LoadBalancer';
const addressFields = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const;

const portId = (port: Rec) => `${str(port['protocol'])}/${str(port['port'])}`;

/** Copies allocated addresses and ports that an update omits from the stored service. */
function keepAllocated(spec: Rec, old: Rec): void {
  if (hasAddress(spec) && hasAddress(old)) {
    for (const field of addressFields) {
      if (spec[field] === undefined && old[field] !== undefined) spec[field] = old[field];
    }
  }
  if (!hasPorts(spec) || !hasPorts(old)) return;
  if (isBalanced(spec) && spec['externalTrafficPolicy'] === 'Local' && old['healthCheckNodePort']) {
    spec['healthCheckNodePort'] ??= old['healthCheckNodePort'];
  }
  const given = new Map(recs(old['ports']).map((port) => [portId(port), port['nodePort']]));
  const usedPorts = new Set(recs(spec['ports']).map((port) => port['nodePort']));
  for (const port of recs(spec['ports'])) {
    const number = given.get(portId(port));
    if ((port['nodePort'] ?? 0) !== 0 || number === undefined || usedPorts.has(number)) continue;
    port['nodePort'] = number;
    usedPorts.add(number);
  }
}

/** Removes what the new type does not have, unless the update sets it. */
function dropUnsupported(spec: Rec, old: Rec): void {
  if (hasAddress(old) && !hasAddress(spec) && spec['clusterIP'] === old['clusterIP']) {
    for (const field of addressFields) delete spec[field];
  }
  const ports = recs(spec['ports']);
  const before = recs(old['ports']).map((port) => port['nodePort']);
  if (hasPorts(old) && !hasPorts(spec) && ports.every((port) => before.includes(port['nodePort']))) {
    for (const port of ports) delete port['nodePort'];
  }
  if (isBalanced(old) && !isBalanced(spec)) {
    for (const field of ['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'healthCheckNodePort']) {
      if (same(spec[field], old[field])) delete spec[field];
    }
  }
  const policy = 'externalTrafficPolicy';
  const isExternal = hasPorts(spec) || recs(spec['externalIPs']).length > 0;
  if (!isExternal && hasPorts(old) && spec[policy] === old[policy]) delete spec[policy];
}

/** Sets `clusterIPs` from `clusterIP` when only the latter changes (service NormalizeClusterIPs). */
function alignClusterIPs(spec: Rec, old: Rec): void {
  const address = str(spec['clusterIP']);
  if (address === '' || address === str(old['clusterIP'])) return;
  if (same(spec['clusterIPs'], old['clusterIPs'])) spec['clusterIPs'] = [address];
}

/**
 * Adjusts a service's update before validation as the API server does, by its stored state and its new type. In
 * place.
 */
export function settleService(object: Obj, before: Obj): void {
  const spec = rec(object['spec']);
  const old = rec(at(before, 'spec'));
  if (spec['clusterIP'] === undefined || spec['clusterIP'] === '') {
    delete spec['clusterIP'];
    if (same(spec['clusterIPs'], [])) delete spec['clusterIPs'];
  }
  alignClusterIPs(spec, old);
  keepAllocated(spec, old);
  dropUnsupported(spec, old);
}
