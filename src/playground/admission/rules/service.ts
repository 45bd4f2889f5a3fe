import { isIP } from 'node:net';
import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, rec, recs, str } from '../../kit/values.ts';
import { keyProblem, subdomainProblem } from '../../kit/names.ts';
import {
  emptyScope,
  type Check,
  empty,
  inside,
  label,
  labels,
  oneOf,
  port,
  portNumber,
  protocol,
  rangeProblem,
  requiredAddress,
  type RuleSet,
  text,
  usualAddress,
} from './rule.ts';
import { addressCauses } from './service-address.ts';

const core = 'io.k8s.api.core.v1.';
const headless = (spec: Rec) => spec['clusterIP'] === 'None';
const external = (spec: Rec) =>
  spec['type'] === 'LoadBalancer' ||
  spec['type'] === 'NodePort' ||
  (spec['type'] === 'ClusterIP' && !empty(spec['externalIPs']));

const byType: Check = (value, path, spec) => {
  const inner = path.replace(/\.type$/, '');
  switch (value) {
    case 'LoadBalancer':
    case 'NodePort':
      return headless(spec)
        ? [cause.invalid(`${inner}.clusterIPs[0]`, 'None', `may not be set to 'None' for ${value} services`)]
        : [];
    case 'ExternalName': {
      const causes: Cause[] = [];
      if (!empty(spec['clusterIP'])) {
        causes.push(cause.forbidden(`${inner}.clusterIPs`, 'may not be set for ExternalName services'));
      }
      for (const field of ['ipFamilies', 'ipFamilyPolicy']) {
        if (empty(spec[field])) continue;
        causes.push(cause.forbidden(`${inner}.${field}`, 'may not be set for ExternalName services'));
      }
      const name = str(spec['externalName']).replace(/\.$/, '');
      const problem = subdomainProblem(name);
      if (name === '') causes.push(cause.required(`${inner}.externalName`));
      else if (problem !== undefined) causes.push(cause.invalid(`${inner}.externalName`, name, problem));
      return causes;
    }
    default:
      return [];
  }
};

/** The name of a port: required when there are several, and unique. */
const portName: Check = (value, path, _owner, { root }) => {
  const ports = recs(at(root['spec'], 'ports'));
  const index = Number(/\[(\d+)\]\.name$/.exec(path)?.[1] ?? 0);
  const name = str(value);
  if (name === '') return ports.length > 1 ? [cause.required(path)] : [];
  const taken = ports.slice(0, index).some((one) => one['name'] === name);
  return [...label(name, path, {}, emptyScope), ...(taken ? [cause.duplicate(path, name)] : [])];
};

/** Refuses ports of the same protocol and number; the server prints the fields that they share. */
function duplicatePorts(ports: readonly Rec[], path: string, field: 'port' | 'nodePort'): Cause[] {
  const seen = new Set<string>();
  return ports.flatMap((one, index) => {
    if (empty(one[field])) return [];
    const id = `${str(one['protocol'])}/${str(one[field])}`;
    const isDuplicate = seen.has(id);
    seen.add(id);
    if (!isDuplicate) return [];
    const key = {
      Name: '',
      Protocol: one['protocol'],
      AppProtocol: null,
      Port: one['port'],
      TargetPort: 0,
      NodePort: 0,
    };
    return field === 'nodePort'
      ? [cause.duplicate(`${path}[${index}].nodePort`, one['nodePort'])]
      : [cause.duplicate(`${path}[${index}]`, key)];
  });
}

const sessionConfig: Check = (value, path, spec) => {
  if (spec['sessionAffinity'] === 'None') {
    return value === undefined
      ? []
      : [cause.forbidden(path, 'must not be set when session affinity is None')];
  }
  const seconds = isRec(value) && isRec(value['clientIP']) ? value['clientIP']['timeoutSeconds'] : undefined;
  return typeof seconds === 'number' && (seconds <= 0 || seconds > 86400)
    ? [
        cause.invalid(
          `${path}.clientIP.timeoutSeconds`,
          seconds,
          'must be greater than 0 and less than 86400',
        ),
      ]
    : [];
};

const balancerOnly: Check = (value, path, spec) =>
  value === undefined || spec['type'] === 'LoadBalancer'
    ? []
    : [cause.forbidden(path, "may only be used when `type` is 'LoadBalancer'")];

/** Rules of services, in the server's order. */
export const serviceRules: RuleSet = {
  [`${core}ServiceSpec`]: {
    '*': (value, path, spec) => [
      ...(empty(spec['ports']) && !headless(spec) && spec['type'] !== 'ExternalName'
        ? [cause.required(`${path}.ports`)]
        : []),
      ...byType(spec['type'], `${path}.type`, rec(value), emptyScope),
    ],
    ports: inside,
    selector: labels,
    sessionAffinity: oneOf(['ClientIP', 'None'], true),
    sessionAffinityConfig: sessionConfig,
    '*addresses': (_value, _path, spec) => addressCauses(spec),
    clusterIP: inside,
    clusterIPs: inside,
    ipFamilies: inside,
    ipFamilyPolicy: inside,
    externalIPs: (value, path, spec, scope) =>
      (Array.isArray(value) ? value : []).flatMap((one: unknown, index) => [
        ...(isIP(str(one)) === 0 ? requiredAddress : usualAddress)(one, `${path}[${index}]`, spec, scope),
      ]),
    type: oneOf(['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], true),
    '*ports': (_value, path, spec) => {
      const ports = recs(spec['ports']);
      const causes: Cause[] = [];
      if (spec['type'] === 'ClusterIP') {
        for (const [index, one] of ports.entries()) {
          if (empty(one['nodePort'])) continue;
          causes.push(
            cause.forbidden(`${path}.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"),
          );
        }
      }
      return [
        ...causes,
        ...duplicatePorts(ports, `${path}.ports`, 'nodePort'),
        ...duplicatePorts(ports, `${path}.ports`, 'port'),
      ];
    },
    loadBalancerSourceRanges: (value, path, spec, scope) => {
      const field = path.replace('loadBalancerSourceRanges', 'LoadBalancerSourceRanges');
      return [
        ...balancerOnly(value, field, spec, scope),
        ...(Array.isArray(value) ? value : []).flatMap((one: unknown, index) => [
          ...text(rangeProblem)(str(one).trim(), `${field}[${index}]`, spec, scope),
        ]),
      ];
    },
    allocateLoadBalancerNodePorts: balancerOnly,
    loadBalancerClass: (value, path, spec, scope) =>
      spec['type'] === 'LoadBalancer'
        ? text(keyProblem)(value, path, spec, scope)
        : balancerOnly(value, path, spec, scope),
    externalTrafficPolicy: (value, path, spec, scope) => {
      if (external(spec)) return oneOf(['Cluster', 'Local'], true)(value, path, spec, scope);
      return empty(value)
        ? []
        : [cause.invalid(path, value, 'may only be set for externally-accessible services')];
    },
    healthCheckNodePort: (value, path, spec) =>
      empty(value) || (spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local')
        ? []
        : [
            cause.invalid(
              path,
              value,
              "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
            ),
          ],
    internalTrafficPolicy: oneOf(['Cluster', 'Local']),
    trafficDistribution: oneOf(['PreferClose', 'PreferSameZone', 'PreferSameNode']),
  },
  [`${core}ServicePort`]: {
    name: portName,
    port: (value, path) => portNumber(value ?? 0, path, {}, emptyScope),
    protocol,
    targetPort: port,
    appProtocol: text(keyProblem),
  },
};
