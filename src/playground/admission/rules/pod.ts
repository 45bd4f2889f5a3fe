import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, recs, str } from '../../kit/values.ts';
import { keyProblems, searchDomainProblem, subdomainProblem } from '../../kit/names.ts';
import { hostPortsTwice, padded } from './container.ts';
import { podDemands } from './demand.ts';
import {
  address,
  emptyScope,
  type Check,
  empty,
  inside,
  label,
  labels,
  oneOf,
  required,
  requiredAddress,
  type RuleSet,
  subdomain,
  text,
} from './rule.ts';
import { hostProcesses, ownUsers, processNamespaceCheck, system } from './security.ts';

const core = 'io.k8s.api.core.v1.';

/** Resource claims of a pod: each has exactly one source. */
const deviceClaims: Check = (value, path) => {
  const seen = new Set<string>();
  return recs(value).flatMap((claim, index) => {
    const inner = `${path}[${index}]`;
    const name = str(claim['name']);
    const causes: Cause[] = [];
    if (name === '') causes.push(cause.required(`${inner}.name`));
    else if (seen.has(name)) causes.push(cause.duplicate(`${inner}.name`, name));
    else causes.push(...label(name, `${inner}.name`, claim, emptyScope));
    seen.add(name);
    const { resourceClaimName: claimName = null, resourceClaimTemplateName: template = null } = claim;
    const claimValue = { Name: name, ResourceClaimName: claimName, ResourceClaimTemplateName: template };
    if (claimName !== null && template !== null) {
      const why = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      causes.push(cause.invalid(inner, claimValue, why));
    } else if (claimName === null && template === null) {
      const why = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      causes.push(cause.invalid(inner, claimValue, why));
    }
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName']) {
      const given = claim[field];
      const problem = typeof given === 'string' ? subdomainProblem(given) : undefined;
      if (problem !== undefined) causes.push(cause.invalid(`${inner}.${field}`, given, problem));
    }
    return causes;
  });
};

/** Host ports of a pod on the host network: each equals its container port. */
const samePorts: Check = (value, path, owner, { root }) =>
  value !== true
    ? []
    : recs(owner['containers']).flatMap((container, index) =>
        recs(container['ports']).flatMap((port, portIndex) => {
          const wanted = Number(port['hostPort'] ?? 0);
          if (wanted === port['containerPort'] || (wanted === 0 && root.kind !== 'Pod')) return [];
          const field = `${path.slice(0, path.lastIndexOf('.'))}.containers[${index}].ports[${portIndex}].hostPort`;
          return [cause.invalid(field, wanted, 'must match `containerPort` when `hostNetwork` is true')];
        }),
      );

/** Checks of pods that templates skip; they come last. */
const podOnly: Check = (value, path, _owner, { root, before }) => {
  if (root.kind !== 'Pod' || !isRec(value)) return [];
  const causes: Cause[] = [];
  if (empty(value['serviceAccountName'])) {
    for (const [index, volume] of recs(value['volumes']).entries()) {
      for (const [sourceIndex, source] of recs(at(volume, 'projected', 'sources')).entries()) {
        if (source['serviceAccountToken'] === undefined) continue;
        const field = `${path}.volumes[${index}].projected.sources[${sourceIndex}].serviceAccountToken`;
        causes.push(cause.forbidden(field, 'must not be specified when serviceAccountName is not set'));
      }
    }
  }
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of recs(value[list]).entries()) {
      const image = str(container['image']);
      if (image !== image.trim()) causes.push(padded(`${path}.${list}[${index}].image`, image));
    }
  }
  if (before !== undefined) return causes;
  if (!empty(value['ephemeralContainers'])) {
    causes.push(cause.forbidden(`${path}.ephemeralContainers`, 'cannot be set on create'));
  }
  if (!empty(value['nodeName']) && !empty(value['schedulingGates'])) {
    const why = 'cannot be set until all schedulingGates have been cleared';
    causes.push(cause.forbidden(`${path}.nodeName`, why));
  }
  return causes;
};

const range = 'must be between 1 and 2147483647, inclusive';
const deadline: Check = (value, path) =>
  typeof value === 'number' && (value < 1 || value > 2147483647) ? [cause.invalid(path, value, range)] : [];

const MAX_NAMESERVERS = 3;

/** DNS nameservers: IP addresses, at most three. */
function nameservers(value: unknown, path: string): Cause[] {
  const given: unknown = at(value, 'nameservers');
  if (!Array.isArray(given)) return [];
  const why = `must not have more than ${MAX_NAMESERVERS} nameservers`;
  return [
    ...(given.length > MAX_NAMESERVERS ? [cause.invalid(`${path}.nameservers`, given, why)] : []),
    ...given.flatMap((one: unknown, index) => [
      ...address(one, `${path}.nameservers[${index}]`, {}, emptyScope),
    ]),
  ];
}

/** DNS search domains. */
function searches(value: unknown, path: string): Cause[] {
  const given: unknown = at(value, 'searches');
  if (!Array.isArray(given)) return [];
  const field = `${path}.searches`;
  const causes: Cause[] = [];
  if (given.length > 32) causes.push(cause.invalid(field, given, 'must not have more than 32 search paths'));
  if (given.join(' ').length > 2048) {
    const why = 'must not have more than 2048 characters (including spaces) in the search list';
    causes.push(cause.invalid(field, given, why));
  }
  for (const [index, one] of given.entries()) {
    if (one === '.') continue;
    const name = str(one).replace(/\.$/, '');
    const problem = searchDomainProblem(name);
    if (problem !== undefined) causes.push(cause.invalid(`${field}[${index}]`, name, problem));
  }
  return causes;
}

const dnsConfig: Check = (value, path, owner) => {
  if (owner['dnsPolicy'] === 'None') {
    if (!isRec(value)) return [cause.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    if (empty(value['nameservers'])) return [cause.required(`${path}.nameservers`, why)];
  }
  return [
    ...nameservers(value, path),
    ...searches(value, path),
    ...recs(at(value, 'options')).flatMap((option, index) =>
      empty(option['name']) ? [cause.required(`${path}.options[${index}]`, 'must not be empty')] : [],
    ),
  ];
};

/** Gates: qualified names, each once. */
const gates: Check = (value, path) => {
  const seen = new Set<string>();
  return recs(value).flatMap((gate, index) => {
    const name = str(gate['name']);
    const inner = `${path}[${index}]`;
    const duplicates = seen.has(name) ? [cause.duplicate(inner, name)] : [];
    seen.add(name);
    return [...keyProblems(name).map((problem) => cause.invalid(inner, name, problem)), ...duplicates];
  });
};

/** Rules of pods, in the server's order. */
export const podRules: RuleSet = {
  [`${core}PodSpec`]: {
    volumes: inside,
    resourceClaims: deviceClaims,
    containers: required(),
    '*ports': (value, path) => hostPortsTwice(recs(at(value, 'containers')), `${path}.containers`),
    initContainers: inside,
    ephemeralContainers: (value, path, _owner, { root }) =>
      empty(value) || root.kind === 'Pod'
        ? []
        : [cause.forbidden(path, 'ephemeral containers not allowed in pod template')],
    resources: podDemands,
    hostNetwork: samePorts,
    restartPolicy: oneOf(['Always', 'OnFailure', 'Never'], true),
    dnsPolicy: oneOf(['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], true),
    nodeSelector: labels,
    securityContext: processNamespaceCheck,
    affinity: inside,
    dnsConfig,
    readinessGates: (value, path) =>
      recs(value).flatMap(({ conditionType }, index) =>
        keyProblems(str(conditionType)).map((why) =>
          cause.invalid(`${path}[${index}].conditionType`, str(conditionType), why),
        ),
      ),
    schedulingGates: gates,
    topologySpreadConstraints: inside,
    '*processes': hostProcesses,
    hostUsers: ownUsers,
    serviceAccountName: subdomain,
    nodeName: subdomain,
    activeDeadlineSeconds: deadline,
    hostname: label,
    subdomain: label,
    tolerations: inside,
    hostAliases: inside,
    priorityClassName: subdomain,
    runtimeClassName: text(subdomainProblem),
    preemptionPolicy: oneOf(['PreemptLowerPriority', 'Never']),
    os: system,
    '*pod': podOnly,
  },
  [`${core}HostAlias`]: {
    ip: requiredAddress,
    hostnames: (value, path) =>
      (Array.isArray(value) ? value : []).flatMap((one: unknown, index) => {
        const problem = subdomainProblem(str(one));
        return problem === undefined ? [] : [cause.invalid(`${path}[${index}]`, one, problem)];
      }),
  },
  [`${core}PodTemplateSpec`]: {
    metadata: (value, path) => [
      ...labels(at(value, 'labels'), `${path.replace(/\.metadata$/, '')}.labels`, {}, emptyScope),
    ],
    spec: inside,
  },
};
