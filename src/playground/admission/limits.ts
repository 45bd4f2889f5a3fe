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
  const own = limits.filter((limit) => limit['type'] === 'Container');
  const usual = (field: string): Amounts =>
    own.reduce<Amounts>((all, limit) => ({ ...all, ...strings(limit[field]) }), {});
  const [requests, most] = [usual('defaultRequest'), usual('default')];
  const said: string[] = [];
  for (const [field, word] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    for (const container of recs(at(pod, 'spec', field))) {
      const limited = complete(container, 'limits', most);
      const requested = complete(container, 'requests', requests);
      const name = str(container['name']);
      if (requested.length > 0) said.push(`${requested.join(', ')} request for ${word} ${name}`);
      if (limited.length > 0) said.push(`${limited.join(', ')} limit for ${word} ${name}`);
    }
  }
  if (said.length === 0) return;
  const text = `LimitRanger plugin set: ${said.join('; ')}`;
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
interface Wanted {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

function tooLittle(
  type: string,
  name: string,
  least: string,
  { requests, limits }: Wanted,
): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${least}`;
  const [asked, most] = [requests[name], limits[name]];
  if (asked === undefined) return `${rule}.  No request is specified`;
  if (compareQuantities(asked, least) < 0) return `${rule}, but request is ${asked}`;
  return most !== undefined && compareQuantities(most, least) < 0
    ? `${rule}, but limit is ${most}`
    : undefined;
}

function tooMuch(type: string, name: string, most: string, { requests, limits }: Wanted): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${most}`;
  const [asked, limit] = [requests[name], limits[name]];
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (compareQuantities(limit, most) > 0) return `${rule}, but limit is ${limit}`;
  return asked !== undefined && compareQuantities(asked, most) > 0
    ? `${rule}, but request is ${asked}`
    : undefined;
}

function asksTooMuch(type: string, name: string, most: string, { requests }: Wanted): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${most}`;
  const asked = requests[name];
  if (asked === undefined) return `${rule}.  No request is specified`;
  return compareQuantities(asked, most) > 0 ? `${rule}, but request is ${asked}` : undefined;
}

function tooWide(type: string, name: string, most: string, { requests, limits }: Wanted): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${most}`;
  const [asked, limit] = [requests[name], limits[name]];
  if (asked === undefined || compareQuantities(asked, '0') === 0) {
    return `${rule}, but no request is specified or request is 0`;
  }
  if (limit === undefined || compareQuantities(limit, '0') === 0) {
    return `${rule}, but no limit is specified or limit is 0`;
  }
  const ratio = ratioOf(limit, asked);
  return ratio > ratioOf(most, '1') ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

type Bound = (type: string, name: string, bound: string, wanted: Wanted) => string | undefined;

function beyond(limit: Rec, wanted: Wanted, most: Bound): string[] {
  const type = str(limit['type']);
  const check = (field: string, bound: Bound) =>
    Object.entries(strings(limit[field])).flatMap(
      ([name, amount]) => bound(type, name, amount, wanted) ?? [],
    );
  return [
    ...check('min', tooLittle),
    ...check('max', most),
    ...(most === tooMuch ? check('maxLimitRequestRatio', tooWide) : []),
  ];
}

function podProblems(pod: Obj, limits: readonly Rec[]): string[] {
  return limits.flatMap((limit) => {
    if (limit['type'] === 'Container') {
      const containers = [...recs(at(pod, 'spec', 'containers')), ...recs(at(pod, 'spec', 'initContainers'))];
      return containers.flatMap((container) =>
        beyond(
          limit,
          {
            requests: containerAmounts(container, 'requests'),
            limits: containerAmounts(container, 'limits'),
          },
          tooMuch,
        ),
      );
    }
    if (limit['type'] !== 'Pod') return [];
    const whole = { requests: podAmounts(pod, 'requests'), limits: podAmounts(pod, 'limits') };
    return beyond(limit, whole, tooMuch);
  });
}

function claimProblems(claim: Obj, limits: readonly Rec[]): string[] {
  const resources = at(claim, 'spec', 'resources');
  const wanted = { requests: strings(at(resources, 'requests')), limits: strings(at(resources, 'limits')) };
  return limits
    .filter((limit) => limit['type'] === 'PersistentVolumeClaim')
    .flatMap((limit) => beyond(limit, wanted, asksTooMuch));
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
