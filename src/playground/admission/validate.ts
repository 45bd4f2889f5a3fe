import { customCauses } from '../custom/admit.ts';
import { definitionCauses } from '../custom/definition-rules.ts';
import type { Resource } from '../registry/registry.ts';
import { listType, type Schemas, type Shape } from '../registry/schema.ts';
import { type Cause, cause } from '../kit/status.ts';
import { isRec, type Obj, type Rec, str } from '../kit/values.ts';
import { contentCauses } from './content.ts';
import { changedMetadataCauses, metadataCauses, nameCauses } from './metadata.ts';
import { accessRules } from './rules/access.ts';
import { batchRules } from './rules/batch.ts';
import { containerRules } from './rules/container.ts';
import { endpointRules } from './rules/endpoints.ts';
import { eventRules } from './rules/event.ts';
import { networkRules } from './rules/network.ts';
import { nodeRules } from './rules/node.ts';
import { placingRules } from './rules/placing.ts';
import { podRules } from './rules/pod.ts';
import { probeRules } from './rules/probe.ts';
import { quotaRules } from './rules/quota.ts';
import type { RuleSet, Scope } from './rules/rule.ts';
import { scalingRules } from './rules/scaling.ts';
import { securityRules } from './rules/security.ts';
import { selectorRules } from './rules/selector.ts';
import { serviceRules } from './rules/service.ts';
import { statusRules, statusTransition } from './rules/status.ts';
import { storageRules } from './rules/storage.ts';
import { volumeRules } from './rules/volume.ts';
import { closedFields, workloadRules } from './rules/workload.ts';
import { securityCauses } from './security-policy.ts';
import { updateCauses } from './update.ts';

const rules: RuleSet = {
  ...accessRules,
  ...batchRules,
  ...containerRules,
  ...endpointRules,
  ...eventRules,
  ...networkRules,
  ...nodeRules,
  ...placingRules,
  ...podRules,
  ...probeRules,
  ...quotaRules,
  ...scalingRules,
  ...securityRules,
  ...selectorRules,
  ...serviceRules,
  ...statusRules,
  ...storageRules,
  ...volumeRules,
  ...workloadRules,
};

/** Storages whose changed objects the server validates as new ones first, so that causes occur twice. */
const reread = new Set([
  '/persistentvolumes',
  '/replicationcontrollers',
  'apps/daemonsets',
  'apps/replicasets',
  'batch/jobs',
  'networking.k8s.io/networkpolicies',
]);

/** The causes for which an object is refused, in the API server's order; empty when it is valid. */
export function validate(
  schemas: Schemas,
  resource: Resource,
  object: Obj,
  before: Obj | undefined,
  subresource = '',
): Cause[] {
  const causes: Cause[] =
    before === undefined
      ? [...nameCauses(resource, object), ...metadataCauses(resource, object)]
      : changedMetadataCauses(resource, object, before);
  if (resource.custom !== undefined) return [...causes, ...customCauses(resource.custom, object, before)];
  if (resource.shape !== undefined) {
    const faults: Cause[] = [];
    walk(schemas, resource.shape, object, '', faults, scopeOf(object, before, faults));
    causes.push(...faults, ...(before !== undefined && reread.has(resource.storage) ? faults : []));
  }
  causes.push(...contentCauses(resource.storage, object), ...securityCauses(resource.storage, object));
  if (resource.storage === 'apiextensions.k8s.io/customresourcedefinitions') {
    causes.push(...definitionCauses(object, before));
  }
  if (before !== undefined) causes.push(...updateCauses(resource.storage, object, before, subresource));
  return causes;
}

/** The causes for which a new status of a built-in object is refused. */
export function validateStatus(schemas: Schemas, resource: Resource, object: Obj, before: Obj): Cause[] {
  const causes = changedMetadataCauses(resource, object, before);
  const shape = resource.shape === undefined ? undefined : schemas.field(resource.shape, 'status');
  if (shape !== undefined) {
    walk(schemas, shape, object['status'], 'status', causes, scopeOf(object, before, causes));
  }
  return [...causes, ...statusTransition(resource.storage, object, before)];
}

/** The scope of a whole object. `causes`: those found so far. */
function scopeOf(root: Obj, before: Obj | undefined, causes: readonly Cause[]): Scope {
  const refused = (path: string) =>
    causes.some(
      ({ field }) => field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`),
    );
  return { root, before, pod: undefined, refused };
}

function walk(
  schemas: Schemas,
  shape: Shape,
  value: unknown,
  path: string,
  causes: Cause[],
  scope: Scope,
): void {
  if (shape.kind === 'list' && Array.isArray(value)) {
    const item = schemas.item(shape);
    if (item === undefined) return;
    const isSet = listType(shape) === 'set';
    const seen = new Set<unknown>();
    for (const [index, entry] of value.entries()) {
      const inner = `${path}[${index}]`;
      if (isSet && seen.has(entry)) causes.push(cause.duplicate(inner, entry));
      seen.add(entry);
      walk(schemas, item, entry, inner, causes, scope);
    }
    return;
  }
  if (shape.kind === 'map' && isRec(value)) {
    const item = schemas.field(shape, '');
    if (item?.kind !== 'struct') return;
    for (const key in value) walk(schemas, item, value[key], `${path}[${key}]`, causes, scope);
    return;
  }
  if (shape.kind === 'struct' && isRec(value)) struct(schemas, shape, value, path, causes, scope);
}

const podSpec = 'io.k8s.api.core.v1.PodSpec';
const identityFields = new Set(['metadata', 'apiVersion', 'kind']);

function struct(
  schemas: Schemas,
  shape: Shape,
  value: Rec,
  path: string,
  causes: Cause[],
  scope: Scope,
): void {
  const properties = shape.schema.properties ?? {};
  const checks = rules[shape.name] ?? {};
  const here = shape.name === podSpec ? { ...scope, pod: value } : scope;
  for (const field of new Set([...Object.keys(checks), ...Object.keys(value)])) {
    const check = checks[field];
    if (field.startsWith('*')) {
      causes.push(...(check?.(value, path, value, here) ?? []));
      continue;
    }
    const given = value[field];
    const inner = path === '' ? field : `${path}.${field}`;
    if (check !== undefined) causes.push(...check(given, inner, value, here));
    const property = properties[field];
    if (property === undefined || given === undefined || (path === '' && identityFields.has(field))) continue;
    if (closedFields.has(`${shape.name}.${field}`)) continue;
    const allowed = property.enum;
    if (check === undefined && allowed !== undefined && given !== '' && !allowed.includes(given)) {
      causes.push(cause.notSupported(inner, given, allowed.map(str).sort()));
    }
    walk(schemas, schemas.shape(property), given, inner, causes, here);
  }
}
