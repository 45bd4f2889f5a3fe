import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, recs, str, strings } from '../../kit/values.ts';
import { keyProblem, labelProblem } from '../../kit/names.ts';
import { limits } from './limit-range.ts';
import { amount, type Check, inside, positive, resourceNameCauses, type RuleSet } from './rule.ts';

const core = 'io.k8s.api.core.v1.';
const computeResources = new Set([
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
  const isKnown = name.includes('/') || computeResources.has(name) || /^(?:requests\.)?hugepages-/.test(name);
  return isKnown ? causes : [...causes, cause.invalid(path, name, 'must be a standard resource for quota')];
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

/** Whether a scope applies to a resource. */
function appliesTo(scope: string, name: string): boolean {
  switch (scope) {
    case 'BestEffort':
      return name === 'pods';
    case 'VolumeAttributesClass':
      return name === 'persistentvolumeclaims' || name === 'requests.storage';
    default:
      return !scopes.has(scope) || /^(?:pods|(?:requests\.|limits\.)?(?:cpu|memory))$/.test(name);
  }
}

const conflicts = (given: readonly string[], value: unknown, path: string): Cause[] =>
  exclusive
    .filter((pair) => pair.every((scope) => given.includes(scope)))
    .map(() => cause.invalid(path, value, 'conflicting scopes'));

const namesOf = (quota: unknown) =>
  Object.keys(strings(at(quota, 'hard')))
    .filter((name) => computeResources.has(name))
    .sort();

const scoped: Check = (value, path, owner) => {
  const given = (Array.isArray(value) ? value : []) as string[];
  const names = namesOf(owner);
  return [
    ...given.flatMap((scope) => [
      ...(scopes.has(scope) ? [] : [cause.invalid(path, given, 'unsupported scope')]),
      ...names
        .filter((name) => !appliesTo(scope, name))
        .map(() => cause.invalid(path, given, 'unsupported scope applied to resource')),
    ]),
    ...conflicts(given, given, path),
  ];
};

const existsRequired =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/** A quota's scope selector; the server reports its causes without the index of the requirement. */
const selected: Check = (value, selectorPath, owner) => {
  if (!isRec(value)) return [];
  const path = `${selectorPath}.matchExpressions`;
  const names = namesOf(owner);
  const given = recs(value['matchExpressions']);
  const causes = given.flatMap((one) => {
    const [scope, operator] = [str(one['scopeName']), str(one['operator'])];
    const values: unknown[] = Array.isArray(one['values']) ? one['values'] : [];
    const found: Cause[] = [];
    if (!scopes.has(scope)) found.push(cause.invalid(`${path}.scopeName`, scope, 'unsupported scope'));
    const selectorValue = {
      MatchExpressions: given.map((other) => ({
        ScopeName: other['scopeName'],
        Operator: other['operator'],
        Values: other['values'] ?? null,
      })),
    };
    for (const name of names) {
      if (appliesTo(scope, name)) continue;
      found.push(cause.invalid(path, selectorValue, 'unsupported scope applied to resource'));
    }
    if (scopes.has(scope) && !SCOPES_WITH_VALUES.has(scope) && operator !== 'Exists')
      found.push(cause.invalid(`${path}.operator`, operator, existsRequired));
    if (operator === 'In' || operator === 'NotIn') {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (values.length === 0) found.push(cause.required(`${path}.values`, why));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (values.length > 0) found.push(cause.invalid(`${path}.values`, values, why));
    } else found.push(cause.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
    return found;
  });
  const all = given.map((one) => str(one['scopeName']));
  return [...causes, ...conflicts(all, owner['scopes'] ?? null, path)];
};
/** Scopes that allow a list of values. */
const SCOPES_WITH_VALUES = new Set(['PriorityClass', 'VolumeAttributesClass']);

const maxUserPriority = 1_000_000_000;
/** The priority classes that every server creates, and their values. */
const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/** Refuses a `system-` name for any priority class but the built-in ones with their values. */
function systemPriority(name: string, value: number, owner: Readonly<Record<string, unknown>>): Cause[] {
  const expected = systemPriorities[name];
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

/** Rules of quotas, limit ranges, priority classes and other policies of the cluster. */
export const quotaRules: RuleSet = {
  [`${core}ResourceQuotaSpec`]: { hard, scopes: scoped, scopeSelector: selected },
  [`${core}LimitRangeSpec`]: { limits },
  [`${core}ScopedResourceSelectorRequirement`]: { scopeName: inside, operator: inside },
  'io.k8s.api.scheduling.v1.PriorityClass': {
    value: (value, path, owner) => {
      const name = str(at(owner, 'metadata', 'name'));
      if (name.startsWith('system-')) return systemPriority(name, Number(value ?? 0), owner);
      return Number(value ?? 0) > maxUserPriority
        ? [cause.forbidden(path, `maximum allowed value of a user defined priority is ${maxUserPriority}`)]
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
