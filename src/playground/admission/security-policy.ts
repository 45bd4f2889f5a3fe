import type { World } from '../store/world.ts';
import type { Resource } from '../registry/registry.ts';
import { type Cause, cause, forbidden } from '../kit/status.ts';
import { at, type Obj, rec, same } from '../kit/values.ts';
import { type Level, violations } from './pod-security.ts';

const prefix = 'pod-security.kubernetes.io/';
const modes = ['enforce', 'audit', 'warn'] as const;
const levels = ['privileged', 'baseline', 'restricted'];

/** A namespace's Pod Security policy: the level, and the version of the standards. */
interface Policy {
  readonly level: Level;
  readonly version: string;
}

function policyOf(namespace: Obj | undefined, mode: 'enforce' | 'warn'): Policy {
  const labels = namespace?.metadata.labels ?? {};
  const level = labels[`${prefix}${mode}`] ?? 'privileged';
  const version = labels[`${prefix}${mode}-version`] ?? 'latest';
  // An unknown level counts as the strictest.
  return { level: levels.includes(level) ? (level as Level) : 'restricted', version };
}

const printedPolicy = ({ level, version }: Policy) => JSON.stringify(`${level}:${version}`);

/** Paths of the pod template, by the storage of its owner. */
const templates: Readonly<Record<string, readonly string[]>> = {
  '/podtemplates': ['template'],
  '/replicationcontrollers': ['spec', 'template'],
  'apps/daemonsets': ['spec', 'template'],
  'apps/deployments': ['spec', 'template'],
  'apps/replicasets': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'batch/jobs': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
};

const namespaceOf = ({ store }: World, object: Obj) =>
  store.get('/namespaces', object.metadata.namespace ?? '');

/** Refuses a new pod that violates the level of its namespace. Throws 403. */
export function checkSecurity(world: World, resource: Resource, pod: Obj): void {
  if (resource.storage !== '/pods') return;
  const policy = policyOf(namespaceOf(world, pod), 'enforce');
  const found = violations(policy.level, pod);
  if (found === undefined) return;
  throw forbidden(
    resource,
    pod.metadata.name ?? '',
    `violates PodSecurity ${printedPolicy(policy)}: ${found}`,
  );
}

/** Pod Security warnings to the writer of a pod, a pod template or a namespace. */
export function securityWarnings(
  world: World,
  { storage }: Resource,
  object: Obj,
  before: Obj | undefined,
): string[] {
  if (storage === '/namespaces') {
    return same(policyOf(object, 'enforce'), policyOf(before, 'enforce'))
      ? []
      : namespaceWarnings(world, object);
  }
  const path = templates[storage];
  const pod = storage === '/pods' ? object : path === undefined ? undefined : at(object, ...path);
  if (pod === undefined) return [];
  const policy = policyOf(namespaceOf(world, object), 'warn');
  const found = violations(policy.level, { ...object, spec: rec(pod)['spec'] });
  return found === undefined ? [] : [`would violate PodSecurity ${printedPolicy(policy)}: ${found}`];
}

/** Warnings about existing pods that violate a namespace's new level. */
function namespaceWarnings({ store }: World, namespace: Obj): string[] {
  const policy = policyOf(namespace, 'enforce');
  if (policy.level === 'privileged') return [];
  const { name = '' } = namespace.metadata;
  const found = new Map<string, string[]>();
  for (const pod of store.list('/pods', `${name}/`)) {
    const why = violations(policy.level, pod)?.replace(/ \((?:[^()"]|"[^"]*")*\)/g, '');
    if (why !== undefined) found.set(why, [...(found.get(why) ?? []), pod.metadata.name ?? '']);
  }
  if (found.size === 0) return [];
  const lines = Array.from(found, ([why, [first = '', ...others]]) => {
    const othersText =
      others.length === 0 ? '' : ` (and ${others.length} other pod${others.length === 1 ? '' : 's'})`;
    return `${first}${othersText}: ${why}`;
  });
  return [
    `existing pods in namespace ${JSON.stringify(name)} violate the new PodSecurity enforce level ${printedPolicy(policy)}`,
    ...lines.sort(),
  ];
}

/** The causes for which the Pod Security labels of a namespace are refused. */
export function securityCauses(storage: string, { metadata }: Obj): Cause[] {
  if (storage !== '/namespaces') return [];
  const causes: Cause[] = [];
  for (const mode of modes) {
    const level = metadata.labels?.[`${prefix}${mode}`];
    if (level !== undefined && !levels.includes(level)) {
      const why = `must be one of ${levels.join(', ')}`;
      causes.push(cause.invalid(`metadata.labels[${prefix}${mode}]`, level, why));
    }
    const version = metadata.labels?.[`${prefix}${mode}-version`];
    if (version !== undefined && !/^(?:latest|v1\.(?:0|[1-9]\d*))$/.test(version)) {
      const why = 'must be "latest" or "v1.x"';
      causes.push(cause.invalid(`metadata.labels[${prefix}${mode}-version]`, version, why));
    }
  }
  return causes;
}
