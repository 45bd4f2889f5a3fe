import { addQuantities } from '../kit/quantity.ts';
import { at, type Obj, type Rec, recs, str, strings } from '../kit/values.ts';
import { type Amounts, containerAmounts, podAmounts } from './pod-resources.ts';
import { qosClass } from './qos.ts';

/** Computes what objects of one storage use of a quota. */
export interface Evaluator {
  /** Whether a quota's resource counts these objects. */
  readonly counts: (name: string) => boolean;
  /** The usage of one object. */
  readonly usage: (object: Obj, now: number) => Record<string, string>;
  /** The error when an object lacks what a quota with these resources requires; undefined when it has it. */
  readonly missing?: (object: Obj, names: readonly string[]) => string | undefined;
  /** Whether an object is in a scope; without this function it is in none. */
  readonly inScope?: (object: Obj, scope: Rec, now: number) => boolean;
  /** Whether updates are charged as well. */
  readonly updates?: boolean;
}

const compute = ['cpu', 'memory', 'ephemeral-storage'] as const;
const podResources = new Set([
  'count/pods',
  'pods',
  ...compute,
  ...compute.map((name) => `requests.${name}`),
  ...compute.map((name) => `limits.${name}`),
]);
const isExtended = (name: string) =>
  name.includes('/') && !name.startsWith('requests.') && !/(?:^|\.)kubernetes\.io\//.test(name);

/** Requests and limits as the resources that a quota counts. */
function computeUsage(requests: Amounts, limits: Amounts): Record<string, string> {
  const usage: Record<string, string> = { pods: '1' };
  for (const name of compute) {
    const [request, limit] = [requests[name], limits[name]];
    if (request !== undefined) Object.assign(usage, { [name]: request, [`requests.${name}`]: request });
    if (limit !== undefined) usage[`limits.${name}`] = limit;
  }
  for (const [name, amount] of Object.entries(requests)) {
    if (name.startsWith('hugepages-')) Object.assign(usage, { [name]: amount, [`requests.${name}`]: amount });
    else if (isExtended(name)) usage[`requests.${name}`] = amount;
  }
  return usage;
}

/** Whether a pod still uses resources: it has not ended, and its deletion is not overdue. */
function uses(pod: Obj, now: number): boolean {
  const phase = at(pod, 'status', 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

/** Resources that containers must declare when a quota counts them. */
const requiredContainerResources = new Set([
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
]);

function missing(pod: Obj, names: readonly string[]): string | undefined {
  const wanted = names.filter((name) => requiredContainerResources.has(name)).sort();
  const containers = [...recs(at(pod, 'spec', 'containers')), ...recs(at(pod, 'spec', 'initContainers'))];
  const problems = wanted.flatMap((name) => {
    const found = containers
      .filter((container) => {
        const usage = computeUsage(
          containerAmounts(container, 'requests'),
          containerAmounts(container, 'limits'),
        );
        return usage[name] === undefined;
      })
      .map((container) => str(container['name']));
    return found.length === 0 ? [] : [`${name} for: ${[...new Set(found)].sort().join(',')}`];
  });
  return problems.length === 0 ? undefined : `must specify ${problems.join('; ')}`;
}

/** Whether a value matches a scope's operator. */
function selects(scope: Rec, value: string): boolean {
  const values = (Array.isArray(scope['values']) ? scope['values'] : []) as unknown[];
  switch (scope['operator']) {
    case 'In':
      return values.includes(value);
    case 'NotIn':
      return !values.includes(value);
    case 'DoesNotExist':
      return value === '';
    default:
      return value !== '';
  }
}

const crossing = (pod: Obj): boolean =>
  ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const terms = at(pod, 'spec', 'affinity', kind);
    const hard = recs(at(terms, 'requiredDuringSchedulingIgnoredDuringExecution'));
    const soft = recs(at(terms, 'preferredDuringSchedulingIgnoredDuringExecution')).map(
      (term) => term['podAffinityTerm'],
    );
    return [...hard, ...soft].some(
      (term) =>
        (Array.isArray(at(term, 'namespaces')) && (at(term, 'namespaces') as unknown[]).length > 0) ||
        at(term, 'namespaceSelector') !== undefined,
    );
  });

function inScope(pod: Obj, scope: Rec): boolean {
  const spec = (pod['spec'] ?? {}) as Rec;
  switch (scope['scopeName']) {
    case 'Terminating':
      return typeof spec['activeDeadlineSeconds'] === 'number';
    case 'NotTerminating':
      return typeof spec['activeDeadlineSeconds'] !== 'number';
    case 'BestEffort':
      return qosClass(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(spec) !== 'BestEffort';
    case 'PriorityClass':
      return selects(scope, str(spec['priorityClassName']));
    case 'CrossNamespacePodAffinity':
      return crossing(pod);
    default:
      return false;
  }
}

const pods: Evaluator = {
  counts: (name) =>
    podResources.has(name) ||
    /^(?:requests\.)?hugepages-/.test(name) ||
    (name.startsWith('requests.') && isExtended(name.slice('requests.'.length))),
  usage: (pod, now) => ({
    'count/pods': '1',
    ...(uses(pod, now) ? computeUsage(podAmounts(pod, 'requests'), podAmounts(pod, 'limits')) : {}),
  }),
  missing,
  inScope,
};

const serviceResources = new Set([
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
]);
const services: Evaluator = {
  counts: (name) => serviceResources.has(name),
  usage: (service) => {
    const ports = recs(at(service, 'spec', 'ports'));
    const type = at(service, 'spec', 'type');
    const allocated =
      at(service, 'spec', 'allocateLoadBalancerNodePorts') === false
        ? ports.filter((port) => Number(port['nodePort'] ?? 0) !== 0)
        : ports;
    const nodePorts = type === 'NodePort' ? ports.length : type === 'LoadBalancer' ? allocated.length : 0;
    return {
      'count/services': '1',
      services: '1',
      'services.nodeports': String(nodePorts),
      'services.loadbalancers': type === 'LoadBalancer' ? '1' : '0',
    };
  },
  updates: true,
};

const claimResources = new Set([
  'count/persistentvolumeclaims',
  'persistentvolumeclaims',
  'requests.storage',
]);
const ofClass = /\.storageclass\.storage\.k8s\.io\/(?:persistentvolumeclaims|requests\.storage)$/;
const claims: Evaluator = {
  counts: (name) => claimResources.has(name) || ofClass.test(name),
  usage: (claim) => {
    const size = strings(at(claim, 'spec', 'resources', 'requests'))['storage'];
    const className =
      claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ??
      str(at(claim, 'spec', 'storageClassName'));
    const prefix = `${className}.storageclass.storage.k8s.io/`;
    return {
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      ...(size === undefined ? {} : { 'requests.storage': size }),
      ...(className === '' ? {} : { [`${prefix}persistentvolumeclaims`]: '1' }),
      ...(className === '' || size === undefined ? {} : { [`${prefix}requests.storage`]: size }),
    };
  },
  inScope: (claim, scope) =>
    scope['scopeName'] === 'VolumeAttributesClass' &&
    selects(scope, str(at(claim, 'spec', 'volumeAttributesClassName'))),
  updates: true,
};

/** Storages that quotas also count under the bare resource name. */
const aliases = new Set(['/configmaps', '/resourcequotas', '/replicationcontrollers', '/secrets']);

/** The evaluator of a storage ("group/plural"); undefined for those that no quota counts. */
export function evaluatorOf(storage: string): Evaluator | undefined {
  if (storage === '/pods') return pods;
  if (storage === '/services') return services;
  if (storage === '/persistentvolumeclaims') return claims;
  if (storage === '/events' || storage === 'events.k8s.io/events') return undefined;
  const [group = '', plural = ''] = storage.split('/');
  const names = [`count/${group === '' ? plural : `${plural}.${group}`}`];
  if (aliases.has(storage)) names.push(plural);
  const usage = Object.fromEntries(names.map((name) => [name, '1']));
  return { counts: (name) => names.includes(name), usage: () => usage };
}

/** The scopes of a quota: those of `scopes` and those of `scopeSelector`. */
export function scopesOf(quota: Obj): Rec[] {
  const listed = at(quota, 'spec', 'scopes');
  const plain = (Array.isArray(listed) ? listed : []).map((scopeName: unknown) => ({
    scopeName,
    operator: 'Exists',
  }));
  return [...plain, ...recs(at(quota, 'spec', 'scopeSelector', 'matchExpressions'))];
}

/** Whether a quota with these resources counts an object. */
export function concerns(
  quota: Obj,
  names: readonly string[],
  evaluator: Evaluator,
  object: Obj,
  now: number,
): boolean {
  return (
    names.some(evaluator.counts) &&
    scopesOf(quota).every((scope) => evaluator.inScope?.(object, scope, now) === true)
  );
}

/** Only the named amounts. */
export const only = (amounts: Amounts, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));

/** The sum of two sets of amounts. */
export function plus(a: Amounts, b: Amounts): Record<string, string> {
  const sum: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) sum[name] = addQuantities(sum[name] ?? '0', amount);
  return sum;
}
