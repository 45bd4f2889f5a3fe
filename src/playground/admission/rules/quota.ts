import { compareQuantities } from '../../quantity.ts';
import { type Cause, cause } from '../../status.ts';
import { at, recs, str, strings } from '../../values.ts';
import { keyProblem, labelProblem } from '../names.ts';
import { amount, type Check, empty, positive, resourceNameCauses, type RuleSet } from './rule.ts';

const core = 'io.k8s.api.core.v1.';
const counted = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);

function quotaName(name: string, path: string): Cause[] {
  const causes = resourceNameCauses(name, path);
  if (keyProblem(name) !== undefined) return causes;
  const known = name.includes('/') || counted.has(name) || /^(?:requests\.)?hugepages-/.test(name);
  return known ? causes : [...causes, cause.invalid(path, name, 'must be a standard resource for quota')];
}

const hard: Check = (value, path) =>
  Object.entries(strings(value)).flatMap(([name, quantity]) => [
    ...quotaName(name, `${path}[${name}]`),
    ...amount(name, quantity, `${path}[${name}]`),
  ]);

const scopes = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);
const exclusive = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

const scoped: Check = (value, path, owner) => {
  const given = (Array.isArray(value) ? value : []) as string[];
  const names = Object.keys(strings(owner['hard'])).sort();
  const causes: Cause[] = [];
  for (const scope of given) {
    if (!scopes.has(scope)) causes.push(cause.invalid(path, given, 'unsupported scope'));
    for (const name of names) {
      const podsOnly =
        scope === 'BestEffort'
          ? name === 'pods'
          : /^(?:pods|(?:requests\.|limits\.)?(?:cpu|memory))$/.test(name);
      if (counted.has(name) && !podsOnly) {
        causes.push(cause.invalid(path, given, 'unsupported scope applied to resource'));
      }
    }
  }
  for (const pair of exclusive) {
    if (pair.every((scope) => given.includes(scope)))
      causes.push(cause.invalid(path, given, 'conflicting scopes'));
  }
  return causes;
};

const limitTypes = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

const limits: Check = (value, path) => {
  const seen = new Set<string>();
  return recs(value).flatMap((limit, index) => {
    const inner = `${path}[${index}]`;
    const causes: Cause[] = [];
    const type = str(limit['type']);
    const problem = keyProblem(type);
    if (problem !== undefined) causes.push(cause.invalid(`${inner}.type`, type, problem));
    else if (!type.includes('/') && !limitTypes.has(type)) {
      causes.push(cause.invalid(`${inner}.type`, type, 'must be a standard limit type or fully qualified'));
    }
    if (seen.has(type)) causes.push(cause.duplicate(`${inner}.type`, type));
    seen.add(type);
    if (type === 'Pod') {
      for (const field of ['default', 'defaultRequest']) {
        if (empty(limit[field])) continue;
        causes.push(cause.forbidden(`${inner}.${field}`, "may not be specified when `type` is 'Pod'"));
      }
    }
    if (
      type === 'PersistentVolumeClaim' &&
      at(limit, 'min', 'storage') === undefined &&
      at(limit, 'max', 'storage') === undefined
    ) {
      const why = 'either minimum or maximum storage value is required, but neither was provided';
      causes.push(cause.required(`${inner}.limits`, why));
    }
    return [...causes, ...bounds(limit, inner)];
  });
};

/** Amounts of a limit that contradict one another, as "field a is greater than field b". */
function bounds(limit: Readonly<Record<string, unknown>>, path: string): Cause[] {
  const of = (field: string) => strings(limit[field]);
  const [min, max, usual, request] = [of('min'), of('max'), of('default'), of('defaultRequest')];
  const names = new Set([min, max, usual, request].flatMap((map) => Object.keys(map)));
  const causes: Cause[] = [];
  for (const name of names) {
    const check = (
      field: string,
      shown: string | undefined,
      low: string | undefined,
      high: string | undefined,
      words: readonly [string, string],
    ) => {
      if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return;
      const why = `${words[0]} ${low} is greater than ${words[1]} ${high}`;
      causes.push(cause.invalid(`${path}.${field}[${name}]`, shown, why));
    };
    const [least, most, normal, asked] = [min[name], max[name], usual[name], request[name]];
    check('min', least, least, most, ['min value', 'max value']);
    check('defaultRequest', asked, least, asked, ['min value', 'default request value']);
    check('defaultRequest', asked, asked, most, ['default request value', 'max value']);
    check('defaultRequest', asked, asked, normal, ['default request value', 'default limit value']);
    check('default', least, least, normal, ['min value', 'default value']);
    check('default', most, normal, most, ['default value', 'max value']);
  }
  return causes;
}

const highest = 1_000_000_000;
/** The priorities that every server has. */
const known: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/** A name that is kept for the server's own priorities is theirs, with their value. */
function systemPriority(name: string, value: number, owner: Readonly<Record<string, unknown>>): Cause[] {
  const expected = known[name];
  const why =
    expected === undefined
      ? `${name} is not a known system priority class`
      : value !== expected
        ? `value of ${name} PriorityClass must be ${expected}`
        : owner['globalDefault'] === true
          ? `globalDefault of ${name} PriorityClass must be false`
          : undefined;
  const reserved = "priority class names with 'system-' prefix are reserved for system use only. error: ";
  return why === undefined ? [] : [cause.forbidden('metadata.name', `${reserved}${why}`)];
}

/** Rules of quotas, limits and other kinds that concern the cluster. */
export const quotaRules: RuleSet = {
  [`${core}ResourceQuotaSpec`]: { hard, scopes: scoped },
  [`${core}LimitRangeSpec`]: { limits },
  'io.k8s.api.scheduling.v1.PriorityClass': {
    value: (value, path, owner) => {
      const name = str(at(owner, 'metadata', 'name'));
      if (name.startsWith('system-')) return systemPriority(name, Number(value ?? 0), owner);
      return Number(value ?? 0) > highest
        ? [cause.forbidden(path, `maximum allowed value of a user defined priority is ${highest}`)]
        : [];
    },
  },
  'io.k8s.api.coordination.v1.LeaseSpec': {
    leaseDurationSeconds: positive,
    leaseTransitions: (value, path) =>
      typeof value === 'number' && value < 0
        ? [cause.invalid(path, value, 'must be greater than or equal to 0')]
        : [],
  },
  'io.k8s.api.node.v1.RuntimeClass': {
    handler: (value, path) => {
      const problem = labelProblem(str(value));
      return problem === undefined ? [] : [cause.invalid(path, str(value), problem)];
    },
  },
  [`${core}NamespaceSpec`]: {
    finalizers: (value, path) =>
      (Array.isArray(value) ? value : []).flatMap((one: unknown, index) => {
        const problem = keyProblem(str(one));
        return problem === undefined ? [] : [cause.invalid(`${path}[${index}]`, one, problem)];
      }),
  },
};
