import { compareQuantities } from '../kit/quantity.ts';
import { type Cause, cause } from '../kit/status.ts';
import { at, type Obj, type Rec, rec, same, str, strings } from '../kit/values.ts';
import { goDifference } from './go-diff.ts';
import { goPodTemplate, goStruct } from './go-pod.ts';
import { podUpdateCauses } from './pod-update.ts';

const immutable = 'field is immutable';

/** Immutable fields, by storage. */
const immutableFields: Readonly<Record<string, readonly string[]>> = {
  'apps/deployments': ['spec.selector'],
  'apps/replicasets': ['spec.selector'],
  'apps/daemonsets': ['spec.selector'],
  'apps/controllerrevisions': ['data'],
  'certificates.k8s.io/certificatesigningrequests': ['spec'],
  'networking.k8s.io/servicecidrs': ['spec'],
  'networking.k8s.io/ipaddresses': ['spec.parentRef'],
  'resource.k8s.io/resourceclaims': ['spec'],
  'resource.k8s.io/resourceclaimtemplates': ['spec'],
  'storage.k8s.io/csidrivers': ['spec.attachRequired', 'spec.volumeLifecycleModes'],
  'storage.k8s.io/volumeattachments': ['spec'],
  '/secrets': ['type'],
  'networking.k8s.io/ingressclasses': ['spec.controller'],
  'storage.k8s.io/storageclasses': ['volumeBindingMode'],
  'discovery.k8s.io/endpointslices': ['addressType'],
  'node.k8s.io/runtimeclasses': ['handler'],
  'scheduling.k8s.io/priorityclasses': ['preemptionPolicy'],
  '/resourcequotas': ['spec.scopes'],
};

/** Field names in refusals that differ from the real ones. */
const serverFieldNames: Readonly<Record<string, string>> = {
  'storage.k8s.io/csidrivers.spec.attachRequired': 'spec.attachedRequired',
};

/** Fields whose change is refused with a message of its own. */
const refusalByField: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'storage.k8s.io/storageclasses': {
    parameters: 'updates to parameters are forbidden.',
    provisioner: 'updates to provisioner are forbidden.',
    reclaimPolicy: 'updates to reclaimPolicy are forbidden.',
  },
  'storage.k8s.io/volumeattributesclasses': {
    driverName: 'updates to driverName are forbidden.',
    parameters: 'updates to parameters are forbidden.',
  },
  'scheduling.k8s.io/priorityclasses': { value: 'may not be changed in an update.' },
};

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

function statefulSet(object: Obj, before: Obj): Cause[] {
  const fixed = (item: Obj) =>
    Object.fromEntries(Object.entries(rec(item['spec'])).filter(([field]) => !changeable.has(field)));
  return same(fixed(object), fixed(before)) ? [] : [cause.forbidden('spec', statefulSetMessage)];
}

/** Config maps and secrets with `immutable` set. */
function immutableData(object: Obj, before: Obj): Cause[] {
  if (before['immutable'] !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  const causes: Cause[] = [];
  if (object['immutable'] !== true) causes.push(cause.forbidden('immutable', why));
  for (const field of ['data', 'binaryData']) {
    if (!same(object[field], before[field])) causes.push(cause.forbidden(field, why));
  }
  return causes;
}

/** A service's cluster addresses: they stay, except for a change from or to ExternalName. */
function service(object: Obj, before: Obj): Cause[] {
  const [now, then] = [rec(object['spec']), rec(before['spec'])];
  if (now['type'] === 'ExternalName' || then['type'] === 'ExternalName') return [];
  const oldAddress = str(then['clusterIP']);
  if (oldAddress === '' || oldAddress === str(now['clusterIP'])) return [];
  const given = now['clusterIP'] === undefined ? null : [now['clusterIP']];
  const why =
    now['clusterIP'] === undefined ? 'primary clusterIP can not be unset' : 'may not change once set';
  return [cause.invalid('spec.clusterIPs[0]', given, why)];
}

const growing =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

function claim(object: Obj, before: Obj): Cause[] {
  const fixed = (item: Obj): Rec => {
    const { resources, ...spec } = rec(item['spec']);
    const requests: Rec = { ...strings(at(resources, 'requests')) };
    // A bound claim may change its request.
    if (at(before, 'status', 'phase') === 'Bound') {
      const storedRequest = at(before, 'spec', 'resources', 'requests', 'storage');
      if (storedRequest !== undefined) requests['storage'] = storedRequest;
    }
    const name = at(before, 'spec', 'volumeAttributesClassName');
    const storedClass = name === undefined ? {} : { volumeAttributesClassName: name };
    const { volumeAttributesClassName: _class, ...fixedSpec } = spec;
    return { ...fixedSpec, ...storedClass, resources: { ...rec(resources), requests } };
  };
  const causes: Cause[] = [];
  const unbound = str(at(before, 'spec', 'volumeName')) === '';
  const [now, then] = [fixed(object), fixed(before)];
  if (unbound) then['volumeName'] = now['volumeName'];
  if (!same(now, then)) {
    const text = goDifference(goStruct('ClaimSpec', then), goStruct('ClaimSpec', now));
    causes.push(cause.forbidden('spec', `${growing}\n${text}`));
  }
  const size = (item: Obj) => str(at(item, 'spec', 'resources', 'requests', 'storage'));
  const capacity = str(at(before, 'status', 'capacity', 'storage'));
  if (compareQuantities(size(object), size(before)) < 0 && capacity !== '') {
    if (compareQuantities(size(object), capacity) <= 0) {
      causes.push(
        cause.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'),
      );
    }
  }
  return [...causes, ...volumeMode(object, before)];
}

/**
 * A job's completions change only together with its parallelism; its template only while it is suspended and
 * never ran.
 */
function job(object: Obj, before: Obj): Cause[] {
  const causes: Cause[] = [];
  const [now, then] = [rec(object['spec']), rec(before['spec'])];
  const { completions, parallelism } = now;
  if (!same(completions, then['completions'])) {
    const path = 'spec.completions';
    const isElastic = now['completionMode'] === 'Indexed' && completions !== undefined;
    if (!isElastic || then['completions'] === undefined) {
      causes.push(cause.invalid(path, completions ?? null, immutable));
    } else if (completions !== parallelism) {
      causes.push(cause.invalid(path, completions, 'can only be modified in tandem with spec.parallelism'));
    }
  }
  if (!same(now['selector'], then['selector'])) {
    causes.push(cause.invalid('spec.selector', now['selector'] ?? null, immutable));
  }
  const mayPlace = then['suspend'] === true && at(before, 'status', 'startTime') === undefined;
  const [template, stored] = [rec(now['template']), rec(then['template'])];
  const wanted = mayPlace ? placedAs(template, stored) : template;
  if (!same(wanted, stored)) {
    causes.push(cause.invalid('spec.template', goPodTemplate(wanted), immutable));
  }
  for (const field of jobFields) {
    if (same(now[field], then[field])) continue;
    causes.push(cause.invalid(`spec.${field}`, now[field] ?? null, immutable));
  }
  return causes;
}
const jobFields = [
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
];

/** A template with its scheduling fields reset to the stored ones. */
function placedAs(template: Rec, stored: Rec): Rec {
  const result = structuredClone(template);
  const set = (holder: Rec, field: string, value: unknown) => {
    if (value === undefined) delete holder[field];
    else holder[field] = value;
  };
  const spec = rec(result['spec']);
  for (const field of ['nodeSelector', 'tolerations', 'schedulingGates', 'affinity']) {
    set(spec, field, at(stored, 'spec', field));
  }
  const metadata = { ...rec(result['metadata']) };
  for (const field of ['labels', 'annotations']) set(metadata, field, at(stored, 'metadata', field));
  return { ...result, spec, metadata: Object.keys(metadata).length === 0 ? stored['metadata'] : metadata };
}

/** A role reference as Go holds it. */
const goReference = (value: unknown) => ({
  APIGroup: str(at(value, 'apiGroup')),
  Kind: str(at(value, 'kind')),
  Name: str(at(value, 'name')),
});

function binding(object: Obj, before: Obj): Cause[] {
  return same(object['roleRef'], before['roleRef'])
    ? []
    : [cause.invalid('roleRef', goReference(object['roleRef']), 'cannot change roleRef')];
}

function node(object: Obj, before: Obj): Cause[] {
  const [now, then] = [rec(object['spec']), rec(before['spec'])];
  if (str(then['providerID']) !== '' && then['providerID'] !== now['providerID']) {
    return [
      cause.forbidden(
        'spec.providerID',
        'node updates may only change labels, taints, or capacity (or configSource, if the DynamicKubeletConfig feature gate is enabled)',
      ),
    ];
  }
  return [];
}

const volumeKinds = new Set([
  'hostPath',
  'nfs',
  'csi',
  'local',
  'iscsi',
  'fc',
  'awsElasticBlockStore',
  'gcePersistentDisk',
]);
function volume(object: Obj, before: Obj): Cause[] {
  const source = (item: Obj) =>
    Object.fromEntries(Object.entries(rec(item['spec'])).filter(([field]) => volumeKinds.has(field)));
  const [now, then] = [source(object), source(before)];
  const causes: Cause[] = [];
  if (!same(now, then)) {
    const text = goDifference(goStruct('VolumeSource', then), goStruct('VolumeSource', now));
    const why = `spec.persistentvolumesource is immutable after creation\n${text}`;
    causes.push(cause.forbidden('spec.persistentvolumesource', why));
  }
  return [...causes, ...volumeMode(object, before)];
}

/** Persistent volumes and claims: the server reports this field without "spec.". */
function volumeMode(object: Obj, before: Obj): Cause[] {
  const mode = at(object, 'spec', 'volumeMode');
  return same(mode, at(before, 'spec', 'volumeMode'))
    ? []
    : [cause.invalid('volumeMode', mode ?? null, immutable)];
}

const byStorage: Readonly<Record<string, (object: Obj, before: Obj, subresource: string) => Cause[]>> = {
  'apps/statefulsets': statefulSet,
  'batch/jobs': job,
  '/configmaps': immutableData,
  '/secrets': immutableData,
  '/services': service,
  '/pods': podUpdateCauses,
  '/nodes': node,
  '/persistentvolumes': volume,
  '/persistentvolumeclaims': claim,
  'rbac.authorization.k8s.io/rolebindings': binding,
  'rbac.authorization.k8s.io/clusterrolebindings': binding,
};

/** The causes for which the changes of an update are refused. */
export function updateCauses(storage: string, object: Obj, before: Obj, subresource: string): Cause[] {
  const causes: Cause[] = [];
  for (const field of immutableFields[storage] ?? []) {
    const path = field.split('.');
    const value = at(object, ...path);
    const fieldName = serverFieldNames[`${storage}.${field}`] ?? field;
    if (!same(value, at(before, ...path))) causes.push(cause.invalid(fieldName, value ?? null, immutable));
  }
  for (const [field, why] of Object.entries(refusalByField[storage] ?? {})) {
    if (!same(object[field], before[field])) causes.push(cause.forbidden(field, why));
  }
  return [...causes, ...(byStorage[storage]?.(object, before, subresource) ?? [])];
}
