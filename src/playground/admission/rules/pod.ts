import { type Cause, cause } from '../../status.ts';
import { at, isRec, recs, str } from '../../values.ts';
import { keyProblem, keyProblems, labelProblem, subdomainProblem, valueProblem } from '../names.ts';
import {
  address,
  all,
  apart,
  type Check,
  empty,
  inside,
  label,
  labels,
  oneOf,
  required,
  requiredText,
  type RuleSet,
  subdomain,
  text,
  userId,
} from './rule.ts';

const core = 'io.k8s.api.core.v1.';

const unique =
  (taken: (owner: Readonly<Record<string, unknown>>) => readonly string[]): Check =>
  (value, path, owner) => {
    const seen = new Set(taken(owner));
    return recs(value).flatMap((item, index) => {
      const name = str(item['name']);
      const twice = seen.has(name);
      if (name !== '') seen.add(name);
      return twice ? [cause.duplicate(`${path}[${index}].name`, name)] : [];
    });
  };
const names = (value: unknown) => recs(value).map((item) => str(item['name']));

const hostPorts: Check = (value, path) => {
  const seen = new Set<string>();
  return recs(value).flatMap((container, index) =>
    recs(container['ports']).flatMap((port, place) => {
      if (empty(port['hostPort'])) return [];
      const words = `${str(port['protocol'])}/${str(port['hostIP'])}/${str(port['hostPort'])}`;
      const twice = seen.has(words);
      seen.add(words);
      return twice ? [cause.duplicate(`${path}[${index}].ports[${place}].hostPort`, words)] : [];
    }),
  );
};

const plain = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];
/** Containers that end before the others begin have no probes. */
const initOnly: Check = (value, path) =>
  recs(value).flatMap((container, index) =>
    container['restartPolicy'] === 'Always'
      ? []
      : plain
          .filter((field) => container[field] !== undefined)
          .map((field) =>
            cause.forbidden(
              `${path}[${index}].${field}`,
              'may not be set for init containers without restartPolicy=Always',
            ),
          ),
  );

const debugForbidden = ['ports', 'resources', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'];
const debugging: Check = (value, path, owner) => {
  const targets = [...names(owner['containers']), ...names(owner['initContainers'])];
  return recs(value).flatMap((container, index) => {
    const target = str(container['targetContainerName']);
    return [
      ...(target !== '' && !targets.includes(target)
        ? [cause.notFound(`${path}[${index}].targetContainerName`, target)]
        : []),
      ...debugForbidden
        .filter((field) => !empty(container[field]))
        .map((field) =>
          cause.forbidden(`${path}[${index}].${field}`, 'cannot be set for an Ephemeral Container'),
        ),
    ];
  });
};

const toleration: Check = (value, path) => {
  if (!isRec(value)) return [];
  const causes: Cause[] = [];
  const key = str(value['key']);
  const operator = str(value['operator']);
  const problem = key === '' ? undefined : keyProblem(key);
  if (problem !== undefined) causes.push(cause.invalid(`${path}.key`, key, problem));
  if (key === '' && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    causes.push(cause.invalid(`${path}.operator`, operator, why));
  }
  const effect = str(value['effect']);
  if (value['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
    causes.push(
      cause.invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    );
  }
  const given = str(value['value']);
  if (operator === '' || operator === 'Equal') {
    const refused = valueProblem(given);
    if (refused !== undefined) causes.push(cause.invalid(`${path}.operator`, given, refused));
  } else if (operator === 'Exists') {
    if (given !== '')
      causes.push(
        cause.invalid(`${path}.operator`, given, "value must be empty when `operator` is 'Exists'"),
      );
  } else causes.push(cause.notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
  return [...causes, ...effects(value['effect'], `${path}.effect`, value, apart)];
};
const effects = oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

const range = 'must be between 1 and 2147483647, inclusive';
const deadline: Check = (value, path) =>
  typeof value === 'number' && (value < 1 || value > 2147483647) ? [cause.invalid(path, value, range)] : [];

const most = 3;

/** Servers of names: addresses, and no more than a resolver looks at. */
function nameservers(value: unknown, path: string): Cause[] {
  const given: unknown = at(value, 'nameservers');
  if (!Array.isArray(given)) return [];
  const why = `must not have more than ${most} nameservers`;
  return [
    ...(given.length > most ? [cause.invalid(`${path}.nameservers`, given, why)] : []),
    ...given.flatMap((one: unknown, index) => [...address(one, `${path}.nameservers[${index}]`, {}, apart)]),
  ];
}

const dnsConfig: Check = (value, path, owner) => {
  if (owner['dnsPolicy'] !== 'None') return nameservers(value, path);
  if (!isRec(value)) return [cause.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  return empty(value['nameservers'])
    ? [
        cause.required(
          `${path}.nameservers`,
          'must provide at least one DNS nameserver when `dnsPolicy` is None',
        ),
      ]
    : nameservers(value, path);
};

const matching = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const nodeRequirement: Check = (value, path) => {
  if (!isRec(value)) return [];
  const operator = str(value['operator']);
  const count = Array.isArray(value['values']) ? value['values'].length : 0;
  const causes: Cause[] = [];
  if (!matching.includes(operator))
    causes.push(cause.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  else if (['In', 'NotIn'].includes(operator) && count === 0) {
    causes.push(cause.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (['Exists', 'DoesNotExist'].includes(operator) && count > 0) {
    causes.push(
      cause.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
    );
  } else if (['Gt', 'Lt'].includes(operator) && count !== 1) {
    causes.push(
      cause.required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
    );
  }
  const problem = keyProblem(str(value['key']));
  if (problem !== undefined) causes.push(cause.invalid(`${path}.key`, str(value['key']), problem));
  return causes;
};

const weight: Check = (value, path) =>
  Number(value ?? 0) < 1 || Number(value ?? 0) > 100
    ? [cause.invalid(path, Number(value ?? 0), 'must be in the range 1-100')]
    : [];
const topology: Check = (value, path) => {
  const missing = empty(value) ? [cause.required(path, 'can not be empty')] : [];
  return [...missing, ...keyProblems(str(value)).map((problem) => cause.invalid(path, str(value), problem))];
};

const placed = ['DoNotSchedule', 'ScheduleAnyway'];
const tooFew = 'must be greater than zero';

/** Constraints that say of one key and one way of breaking it twice. */
const pairs: Check = (value, path) => {
  const seen = new Set<string>();
  return recs(value).flatMap(({ topologyKey, whenUnsatisfiable }, index) => {
    const pair = `{${str(topologyKey)}, ${str(whenUnsatisfiable)}}`;
    const twice = seen.has(pair);
    seen.add(pair);
    return twice ? [cause.duplicate(`${path}[${index}].{topologyKey, whenUnsatisfiable}`, pair)] : [];
  });
};

/** Names of gates that are no qualified names, or stand twice. */
const gates: Check = (value, path) => {
  const seen = new Set<string>();
  return recs(value).flatMap((gate, index) => {
    const name = str(gate['name']);
    const inner = `${path}[${index}]`;
    const twice = seen.has(name) ? [cause.duplicate(inner, name)] : [];
    seen.add(name);
    return [...keyProblems(name).map((problem) => cause.invalid(inner, name, problem)), ...twice];
  });
};

const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlWhy =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctls: Check = (value, path) => {
  const seen = new Set<string>();
  return recs(value).flatMap((one, index) => {
    const name = str(one['name']);
    const inner = `${path}[${index}].name`;
    if (name === '') return [cause.required(inner)];
    if (name.length > 253 || !sysctl.test(name)) return [cause.invalid(inner, name, sysctlWhy)];
    const twice = seen.has(name);
    seen.add(name);
    return twice ? [cause.duplicate(inner, name)] : [];
  });
};

/** Rules of pods, in the order in which the server looks at them. */
export const podRules: RuleSet = {
  [`${core}PodSpec`]: {
    volumes: unique(() => []),
    containers: (value, path, owner, scope) =>
      empty(value)
        ? [cause.required(path)]
        : all(
            unique(() => []),
            hostPorts,
          )(value, path, owner, scope),
    initContainers: all(
      unique((owner) => names(owner['containers'])),
      initOnly,
    ),
    ephemeralContainers: all(
      (value, path, _owner, { root, before }) => {
        if (empty(value)) return [];
        if (root.kind !== 'Pod')
          return [cause.forbidden(path, 'ephemeral containers not allowed in pod template')];
        return before === undefined ? [cause.forbidden(path, 'cannot be set on create')] : [];
      },
      unique((owner) => [...names(owner['containers']), ...names(owner['initContainers'])]),
      debugging,
    ),
    hostNetwork: (value, path, owner) =>
      value !== true
        ? []
        : recs(owner['containers']).flatMap((container, index) =>
            recs(container['ports']).flatMap((port, place) =>
              empty(port['hostPort']) || port['hostPort'] === port['containerPort']
                ? []
                : [
                    cause.invalid(
                      `${path.slice(0, path.lastIndexOf('.'))}.containers[${index}].ports[${place}].hostPort`,
                      port['hostPort'],
                      'must match `containerPort` when `hostNetwork` is true',
                    ),
                  ],
            ),
          ),
    restartPolicy: oneOf(['Always', 'OnFailure', 'Never'], true),
    dnsPolicy: oneOf(['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], true),
    nodeSelector: labels,
    securityContext: (value, path, owner) =>
      isRec(value) && owner['hostPID'] === true && owner['shareProcessNamespace'] === true
        ? [
            cause.invalid(
              `${path}.shareProcessNamespace`,
              true,
              'ShareProcessNamespace and HostPID cannot both be enabled',
            ),
          ]
        : [],
    affinity: inside,
    dnsConfig,
    schedulingGates: gates,
    topologySpreadConstraints: pairs,
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
    os: (value, path, owner, scope) =>
      isRec(value) ? oneOf(['linux', 'windows'], true)(value['name'], `${path}.name`, owner, scope) : [],
  },
  [`${core}PodSecurityContext`]: {
    fsGroup: userId,
    runAsUser: userId,
    runAsGroup: userId,
    supplementalGroups: (value, path) =>
      (Array.isArray(value) ? value : []).flatMap((one: unknown, index) => [
        ...userId(one, `${path}[${index}]`, {}, apart),
      ]),
    sysctls,
    fsGroupChangePolicy: oneOf(['Always', 'OnRootMismatch']),
  },
  [`${core}Toleration`]: { '*': toleration, operator: inside, effect: inside },
  [`${core}HostAlias`]: { ip: address },
  [`${core}PodDNSConfigOption`]: { name: required('must not be empty') },
  [`${core}NodeSelector`]: {
    nodeSelectorTerms: required('must have at least one node selector term'),
  },
  [`${core}NodeSelectorRequirement`]: { '*': nodeRequirement, operator: inside },
  [`${core}PreferredSchedulingTerm`]: { weight },
  [`${core}WeightedPodAffinityTerm`]: { weight },
  [`${core}PodAffinityTerm`]: { topologyKey: topology },
  [`${core}TopologySpreadConstraint`]: {
    maxSkew: (value, path) =>
      Number(value ?? 0) <= 0 ? [cause.invalid(path, Number(value ?? 0), tooFew)] : [],
    topologyKey: required('can not be empty'),
    whenUnsatisfiable: (value, path) =>
      placed.includes(str(value)) ? [] : [cause.notSupported(path, str(value), placed)],
    minDomains: (value, path, owner) => {
      if (value === undefined) return [];
      if (Number(value) <= 0) return [cause.invalid(path, value, tooFew)];
      const when = str(owner['whenUnsatisfiable']);
      const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;
      return when === 'DoNotSchedule' ? [] : [cause.invalid(path, value, why)];
    },
  },
  [`${core}Taint`]: {
    key: requiredText(keyProblem),
    value: text(valueProblem),
    effect: oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], true),
  },
  [`${core}PodTemplateSpec`]: {
    metadata: (value, path) => [
      ...labels(at(value, 'labels'), `${path.replace(/\.metadata$/, '')}.labels`, {}, apart),
    ],
    spec: inside,
  },
  [`${core}ResourceClaim`]: { name: requiredText(labelProblem) },
};
