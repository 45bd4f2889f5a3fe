import type { World } from '../store/world.ts';
import { compareQuantities, ratioOf } from '../kit/quantity.ts';
import type { Resource } from '../registry/registry.ts';
import { forbidden } from '../kit/status.ts';
import { at, type Obj, type Rec, rec, recs, str, strings } from '../kit/values.ts';
import { type Amounts, containerAmounts, podAmounts } from './pod-resources.ts';

const ranges = '/limitranges';
const note = 'kubernetes.io/limit-ranger';

/** The `limits` of every limit range in a namespace, one array per range. */
function limitsIn({ store }: World, namespace: string): Rec[][] {
  if (store.count(ranges) === 0) return [];
  return store.list(ranges, `${namespace}/`).map((range) => recs(at(range, 'spec', 'limits')));
}

/** Adds the missing amounts of `usual` to a container. Returns the names of those added, sorted. */
function complete(container: Rec, part: 'requests' | 'limits', usual: Amounts): string[] {
  const resources = { ...rec(container['resources']) };
  const given = strings(resources[part]);
  const missing = Object.keys(usual).filter((name) => given[name] === undefined);
  if (missing.length === 0) return [];
  resources[part] = { ...given, ...Object.fromEntries(missing.map((name) => [name, usual[name]])) };
  container['resources'] = resources;
  return missing.sort();
}

function fillPod(pod: Obj, limits: readonly Rec[]): void {
  const containerLimits = limits.filter((limit) => limit['type'] === 'Container');
  const usual = (field: string): Amounts =>
    containerLimits.reduce<Amounts>((all, limit) => ({ ...all, ...strings(limit[field]) }), {});
  const [defaultRequests, defaultLimits] = [usual('defaultRequest'), usual('default')];
  const notes: string[] = [];
  for (const [field, label] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    for (const container of recs(at(pod, 'spec', field))) {
      const limited = complete(container, 'limits', defaultLimits);
      const requested = complete(container, 'requests', defaultRequests);
      const name = str(container['name']);
      if (requested.length > 0) notes.push(`${requested.join(', ')} request for ${label} ${name}`);
      if (limited.length > 0) notes.push(`${limited.join(', ')} limit for ${label} ${name}`);
    }
  }
  if (notes.length === 0) return;
  const text = `LimitRanger plugin set: ${notes.join('; ')}`;
  pod.metadata.annotations = { ...pod.metadata.annotations, [note]: text };
}

/**
 * Sets the missing requests and limits of a new pod's containers from the limit ranges of its namespace. In
 * place.
 */
export function fillLimits(world: World, { storage }: Resource, object: Obj): void {
  if (storage !== '/pods') return;
  for (const limits of limitsIn(world, object.metadata.namespace ?? '')) fillPod(object, limits);
}

/** Requests and limits of a container, a pod or a claim. */
interface ResourceAmounts {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

function belowMin(
  type: string,
  name: string,
  minimum: string,
  { requests, limits }: ResourceAmounts,
): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${minimum}`;
  const [request, limit] = [requests[name], limits[name]];
  if (request === undefined) return `${rule}.  No request is specified`;
  if (compareQuantities(request, minimum) < 0) return `${rule}, but request is ${request}`;
  return limit !== undefined && compareQuantities(limit, minimum) < 0
    ? `${rule}, but limit is ${limit}`
    : undefined;
}

function aboveMax(
  type: string,
  name: string,
  maximum: string,
  { requests, limits }: ResourceAmounts,
): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${maximum}`;
  const [request, limit] = [requests[name], limits[name]];
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (compareQuantities(limit, maximum) > 0) return `${rule}, but limit is ${limit}`;
  return request !== undefined && compareQuantities(request, maximum) > 0
    ? `${rule}, but request is ${request}`
    : undefined;
}

function requestAboveMax(
  type: string,
  name: string,
  maximum: string,
  { requests }: ResourceAmounts,
): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${maximum}`;
  const request = requests[name];
  if (request === undefined) return `${rule}.  No request is specified`;
  return compareQuantities(request, maximum) > 0 ? `${rule}, but request is ${request}` : undefined;
}

function ratioAboveMax(
  type: string,
  name: string,
  maxRatio: string,
  { requests, limits }: ResourceAmounts,
): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${maxRatio}`;
  const [request, limit] = [requests[name], limits[name]];
  if (request === undefined || compareQuantities(request, '0') === 0) {
    return `${rule}, but no request is specified or request is 0`;
  }
  if (limit === undefined || compareQuantities(limit, '0') === 0) {
    return `${rule}, but no limit is specified or limit is 0`;
  }
  const ratio = ratioOf(limit, request);
  return ratio > ratioOf(maxRatio, '1') ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

type BoundCheck = (
  type: string,
  name: string,
  bound: string,
  resources: ResourceAmounts,
) => string | undefined;

function boundProblems(limit: Rec, resources: ResourceAmounts, exceedsMax: BoundCheck): string[] {
  const type = str(limit['type']);
  const check = (field: string, bound: BoundCheck) =>
    Object.entries(strings(limit[field])).flatMap(
      ([name, amount]) => bound(type, name, amount, resources) ?? [],
    );
  return [
    ...check('min', belowMin),
    ...check('max', exceedsMax),
    ...(exceedsMax === aboveMax ? check('maxLimitRequestRatio', ratioAboveMax) : []),
  ];
}

function podProblems(pod: Obj, limits: readonly Rec[]): string[] {
  return limits.flatMap((limit) => {
    if (limit['type'] === 'Container') {
      const containers = [...recs(at(pod, 'spec', 'containers')), ...recs(at(pod, 'spec', 'initContainers'))];
      return containers.flatMap((container) =>
        boundProblems(
          limit,
          {
            requests: containerAmounts(container, 'requests'),
            limits: containerAmounts(container, 'limits'),
          },
          aboveMax,
        ),
      );
    }
    if (limit['type'] !== 'Pod') return [];
    const podTotals = { requests: podAmounts(pod, 'requests'), limits: podAmounts(pod, 'limits') };
    return boundProblems(limit, podTotals, aboveMax);
  });
}

function claimProblems(claim: Obj, limits: readonly Rec[]): string[] {
  const resources = at(claim, 'spec', 'resources');
  const wanted = { requests: strings(at(resources, 'requests')), limits: strings(at(resources, 'limits')) };
  return limits
    .filter((limit) => limit['type'] === 'PersistentVolumeClaim')
    .flatMap((limit) => boundProblems(limit, wanted, requestAboveMax));
}

/** The message of several errors, as Go prints an error list. */
export const sentence = (problems: readonly string[]): string =>
  problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`;

/**
 * Refuses a new pod or claim outside the limit ranges of its namespace. Throws 403 with the errors of the first
 * range that it violates.
 */
export function checkLimits(world: World, resource: Resource, object: Obj, creating: boolean): void {
  const { storage } = resource;
  if (storage !== '/persistentvolumeclaims' && !(storage === '/pods' && creating)) return;
  for (const limits of limitsIn(world, object.metadata.namespace ?? '')) {
    const problems = storage === '/pods' ? podProblems(object, limits) : claimProblems(object, limits);
    if (problems.length > 0) throw forbidden(resource, object.metadata.name ?? '', sentence(problems));
  }
}
