import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import type { Resource } from '../registry.ts';
import { type Schemas, type Shape, listType } from '../schema.ts';
import { type Cause, cause } from '../status.ts';
import { at, isRec, type Obj, type Rec, rec, recs, same, str, strings } from '../values.ts';
import { customCauses } from '../custom/admit.ts';
import { definitionCauses } from '../custom/definition.ts';
import { annotationCauses, labelCauses, nameCauses } from './names.ts';
import { fieldRules } from './rules.ts';

/** The causes for which an object may not be stored, in the order the API server tells them; none when it may. */
export function validate(
  schemas: Schemas,
  resource: Resource,
  object: Obj,
  before: Obj | undefined,
): Cause[] {
  const { metadata } = object;
  const causes: Cause[] = before === undefined ? nameCauses(resource.plural, metadata.name ?? '') : [];
  causes.push(
    ...labelCauses('metadata.labels', metadata.labels ?? {}),
    ...annotationCauses('metadata.annotations', metadata.annotations ?? {}),
  );
  if (resource.custom !== undefined) return [...causes, ...customCauses(resource.custom, object, before)];
  if (resource.shape !== undefined) walk(schemas, resource.shape, object, '', causes);
  causes.push(...(kindRules[resource.storage]?.(object) ?? []));
  if (before !== undefined) causes.push(...immutable(resource.storage, object, before));
  return causes;
}

function walk(schemas: Schemas, shape: Shape, value: unknown, path: string, causes: Cause[]): void {
  if (shape.kind === 'list' && Array.isArray(value)) {
    const item = schemas.item(shape);
    if (item === undefined) return;
    const seen = new Set<string>();
    const keys = listType(shape) === 'map' ? (shape.used['x-kubernetes-list-map-keys'] ?? []) : [];
    for (const [index, entry] of value.entries()) {
      const inner = `${path}[${index}]`;
      if (keys.length === 1 && keys[0] === 'name' && isRec(entry)) {
        const name = str(entry['name']);
        if (seen.has(name)) causes.push(cause.duplicate(`${inner}.name`, name));
        seen.add(name);
      }
      walk(schemas, item, entry, inner, causes);
    }
    return;
  }
  if (shape.kind === 'map' && isRec(value)) {
    const item = schemas.field(shape, '');
    if (item?.kind === 'struct')
      for (const key in value) walk(schemas, item, value[key], `${path}[${key}]`, causes);
    return;
  }
  if (shape.kind !== 'struct' || !isRec(value)) return;
  const properties = shape.own.properties ?? {};
  causes.push(...(fieldRules[shape.name]?.(value, path) ?? []));
  for (const key in value) {
    const property = properties[key];
    if (property === undefined) continue;
    const inner = path === '' ? key : `${path}.${key}`;
    const field = schemas.shape(property);
    const allowed = property.enum;
    const given = value[key];
    if (allowed !== undefined && given !== '' && !allowed.includes(given)) {
      causes.push(cause.notSupported(inner, given, allowed.map(str).sort()));
    }
    walk(schemas, field, given, inner, causes);
  }
}

function selectorMatches(object: Obj): Cause[] {
  const selector = at(object, 'spec', 'selector') as LabelSelector | undefined;
  const labels = strings(at(object, 'spec', 'template', 'metadata', 'labels'));
  if (selector === undefined) return [cause.required('spec.selector')];
  if (Object.keys(selector).length === 0) {
    return [cause.invalid('spec.selector', selector, 'empty selector is invalid for deployment')];
  }
  return matchesSelector(selector, labels)
    ? []
    : [cause.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
}

function restartPolicy(path: string, value: unknown, allowed: readonly string[]): Cause[] {
  return typeof value === 'string' && !allowed.includes(value)
    ? [cause.notSupported(path, value, allowed)]
    : [];
}

const workload = (object: Obj): Cause[] => [
  ...selectorMatches(object),
  ...restartPolicy(
    'spec.template.spec.restartPolicy',
    at(object, 'spec', 'template', 'spec', 'restartPolicy'),
    ['Always'],
  ),
];

const kindRules: Readonly<Record<string, (object: Obj) => Cause[]>> = {
  'apps/deployments': workload,
  'apps/replicasets': workload,
  'apps/statefulsets': workload,
  'apps/daemonsets': workload,
  '/services': (object) =>
    recs(at(object, 'spec', 'ports')).length === 0 &&
    at(object, 'spec', 'type') !== 'ExternalName' &&
    at(object, 'spec', 'clusterIP') !== 'None'
      ? [cause.required('spec.ports')]
      : [],
  'apiextensions.k8s.io/customresourcedefinitions': definitionCauses,
  '/configmaps': (object) => dataKeys('data', rec(object['data'])),
  '/secrets': (object) => dataKeys('data', rec(object['data'])),
  'batch/jobs': (object) =>
    restartPolicy(
      'spec.template.spec.restartPolicy',
      at(object, 'spec', 'template', 'spec', 'restartPolicy'),
      ['OnFailure', 'Never'],
    ),
  'batch/cronjobs': (object) =>
    restartPolicy(
      'spec.jobTemplate.spec.template.spec.restartPolicy',
      at(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'restartPolicy'),
      ['OnFailure', 'Never'],
    ),
};

function dataKeys(field: string, data: Rec): Cause[] {
  return Object.keys(data)
    .filter((key) => !/^[-._a-zA-Z0-9]+$/.test(key))
    .map((key) =>
      cause.invalid(
        `${field}[${key}]`,
        key,
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ),
    );
}

const frozen: Readonly<Record<string, readonly string[]>> = {
  'apps/deployments': ['selector'],
  'apps/replicasets': ['selector'],
  'apps/daemonsets': ['selector'],
  'batch/jobs': ['selector', 'completionMode', 'template'],
};

const podMessage =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What of a running pod nobody may change. */
function podFixed(pod: Obj): Rec {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...spec } = rec(pod['spec']);
  const plain = (field: string) => recs(spec[field]).map(({ image: _image, ...container }) => container);
  return { ...spec, containers: plain('containers'), initContainers: plain('initContainers') };
}

const changeable = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);
const statefulSetMessage =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** What an update may not change. */
function immutable(storage: string, object: Obj, before: Obj): Cause[] {
  const causes: Cause[] = [];
  for (const field of frozen[storage] ?? []) {
    const value = at(object, 'spec', field);
    if (!same(value, at(before, 'spec', field))) {
      causes.push(cause.invalid(`spec.${field}`, value, 'field is immutable'));
    }
  }
  if (storage === 'apps/statefulsets') {
    const fixed = (item: Obj) =>
      Object.fromEntries(Object.entries(rec(item['spec'])).filter(([field]) => !changeable.has(field)));
    if (!same(fixed(object), fixed(before))) causes.push(cause.forbidden('spec', statefulSetMessage));
  }
  if (storage === '/pods' && !same(podFixed(object), podFixed(before))) {
    causes.push(cause.forbidden('spec', podMessage));
  }
  if ((storage === '/configmaps' || storage === '/secrets') && before['immutable'] === true) {
    const message = 'field is immutable when `immutable` is set';
    if (object['immutable'] !== true) causes.push(cause.forbidden('immutable', message));
    for (const field of ['data', 'binaryData']) {
      if (!same(object[field], before[field])) causes.push(cause.forbidden(field, message));
    }
  }
  if (storage === '/secrets' && object['type'] !== before['type']) {
    causes.push(cause.invalid('type', object['type'], 'field is immutable'));
  }
  return causes;
}
