import { addQuantities, compareQuantities, ratioOf } from '../../kit/quantity.ts';
import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, recs, str, strings } from '../../kit/values.ts';
import { keyProblem } from '../../kit/names.ts';
import { amount, emptyScope, type Check, isNative, label, resourceNameCauses } from './rule.ts';

const pages = 'hugepages-';
const native = new Set(['cpu', 'memory', 'ephemeral-storage']);

type NameCheck = (name: string, path: string) => Cause[];

/** The causes for which a container's resource name is refused. */
export const containerResource: NameCheck = (name, path) => {
  const causes = resourceNameCauses(name, path);
  if (keyProblem(name) !== undefined) return causes;
  if (name.includes('/')) {
    return name.startsWith('requests.') ||
      (name.includes('kubernetes.io/') && !name.startsWith('attachable-volumes'))
      ? [cause.invalid(path, name, "doesn't follow extended resource name standard")]
      : [];
  }
  if (native.has(name) || name.startsWith(pages)) return causes;
  return [...causes, cause.invalid(path, name, 'must be a standard resource for containers')];
};

const podLevel = ['cpu', pages, 'memory'];
const ofPod: NameCheck = (name, path) => {
  const causes = resourceNameCauses(name, path);
  if (causes.length > 0) return causes;
  const isKnown = name === 'cpu' || name === 'memory' || name.startsWith(pages);
  return isKnown ? [] : [cause.notSupported(path, name, podLevel)];
};

/** Refuses an amount of huge pages that is no multiple of their size. */
function pageCauses(name: string, quantity: string, path: string): Cause[] {
  if (!name.startsWith(pages)) return [];
  const count = ratioOf(quantity, name.slice(pages.length));
  const why = `${quantity} is not positive integer multiple of ${name}`;
  return count > 0 && Number.isInteger(count) ? [] : [cause.invalid(path, quantity, why)];
}

/** Whether requests of a resource may be lower than its limits. */
export const overcommits = (name: string) => isNative(name) && !name.startsWith(pages);

/** Device claims of a container: each is a claim of its pod and occurs once. */
function claims(value: unknown, path: string, pod: Rec | undefined): Cause[] {
  const podClaims = recs(pod?.['resourceClaims'])
    .map((claim) => str(claim['name']))
    .filter((name) => name !== '')
    .sort();
  const taken = new Set<string>();
  return recs(value).flatMap((claim, index) => {
    const inner = `${path}[${index}]`;
    const [name, request] = [str(claim['name']), str(claim['request'])];
    if (name === '') return [cause.required(inner)];
    const causes: Cause[] = [];
    if (taken.has(name)) causes.push(cause.duplicate(inner, name));
    else {
      const key = request === '' ? name : `${name}/${request}`;
      causes.push(...label(request, `${inner}.request`, claim, emptyScope));
      const parts = request === '' ? [...taken].filter((one) => one.startsWith(`${name}/`)) : [];
      if (taken.has(key)) causes.push(cause.duplicate(inner, key));
      else causes.push(...parts.map(() => cause.duplicate(inner, name)));
      taken.add(key);
    }
    if (podClaims.includes(name)) return causes;
    const others = podClaims.length === 0 ? ' which is empty' : `: ${podClaims.join(', ')}`;
    const why = `must be one of the names in pod.spec.resourceClaims${others}`;
    return [...causes, cause.notFound(inner, name, why)];
  });
}

/** Requests and limits: known resource names, valid amounts, no request above its limit. */
const demands =
  (nameCheck: NameCheck): Check =>
  (value, path, _owner, { pod }) => {
    const limits = strings(at(value, 'limits'));
    const requests = strings(at(value, 'requests'));
    const causes = Object.entries(limits).flatMap(([name, quantity]) => [
      ...nameCheck(name, `${path}.limits[${name}]`),
      ...amount(name, quantity, `${path}.limits[${name}]`),
      ...pageCauses(name, quantity, `${path}.limits[${name}]`),
    ]);
    for (const [name, quantity] of Object.entries(requests)) {
      const inner = `${path}.requests[${name}]`;
      causes.push(...nameCheck(name, inner), ...amount(name, quantity, inner));
      const limit = limits[name];
      const comparison = limit === undefined ? 0 : compareQuantities(quantity, limit);
      const field = `${path}.requests`;
      if (limit === undefined && !overcommits(name)) {
        causes.push(cause.required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
      } else if (comparison !== 0 && !overcommits(name)) {
        causes.push(cause.invalid(field, quantity, `must be equal to ${name} limit of ${limit}`));
      } else if (comparison > 0) {
        causes.push(
          cause.invalid(field, quantity, `must be less than or equal to ${name} limit of ${limit}`),
        );
      }
      causes.push(...pageCauses(name, quantity, inner));
    }
    const all = [...Object.keys(limits), ...Object.keys(requests)];
    const hasPages = all.some((name) => name.startsWith(pages));
    if (hasPages && !all.includes('cpu') && !all.includes('memory')) {
      causes.push(cause.forbidden(path, 'HugePages require cpu or memory'));
    }
    return [...causes, ...claims(at(value, 'claims'), `${path}.claims`, pod)];
  };

/** Requests and limits of a container. */
export const containerDemands = demands(containerResource);

/** The sum of the requests of a pod's containers and sidecars; other init containers do not count. */
function together(pod: Rec): Record<string, string> {
  const sum: Record<string, string> = {};
  const sidecars = recs(pod['initContainers']).filter((one) => one['restartPolicy'] === 'Always');
  for (const container of [...recs(pod['containers']), ...sidecars]) {
    for (const [name, quantity] of Object.entries(strings(at(container, 'resources', 'requests')))) {
      sum[name] = addQuantities(sum[name] ?? '0', quantity);
    }
  }
  return sum;
}

/** Pod-level requests and limits: no less than those of the containers. */
export const podDemands: Check = (value, path, pod, scope) => {
  if (!isRec(value)) return [];
  const causes: Cause[] = [];
  if (value['claims'] !== undefined) {
    causes.push(cause.forbidden(`${path}.claims`, 'claims cannot be set for Resources at pod-level'));
  }
  causes.push(...demands(ofPod)(value, path, pod, scope));
  const requests = strings(value['requests']);
  for (const [name, sum] of Object.entries(together(pod))) {
    const podRequest = requests[name] ?? '0';
    if (compareQuantities(sum, podRequest) <= 0) continue;
    const why = `must be greater than or equal to aggregate container requests of ${sum}`;
    causes.push(cause.invalid(`${path}.requests[${name}]`, podRequest, why));
  }
  const limits = strings(value['limits']);
  for (const [index, container] of recs(pod['containers']).entries()) {
    for (const [name, limit] of Object.entries(strings(at(container, 'resources', 'limits')))) {
      const podLimit = limits[name];
      if (podLimit === undefined || compareQuantities(limit, podLimit) <= 0) continue;
      const why = `must be less than or equal to pod limits of ${podLimit}`;
      causes.push(cause.invalid(`${path}.containers[${index}][${name}].limits`, limit, why));
    }
  }
  return causes;
};
