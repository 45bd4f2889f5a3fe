import { compareQuantities } from '../quantity.ts';
import { type Cause, cause } from '../status.ts';
import { at, type Obj, type Rec, rec, same, str, strings } from '../values.ts';
import { podUpdateCauses } from './pod-update.ts';

const immutable = 'field is immutable';

/** Fields that stay as they were made. */
const frozen: Readonly<Record<string, readonly string[]>> = {
  'apps/deployments': ['spec.selector'],
  'apps/replicasets': ['spec.selector'],
  'apps/daemonsets': ['spec.selector'],
  'batch/jobs': [
    'spec.completions',
    'spec.selector',
    'spec.template',
    'spec.completionMode',
    'spec.podFailurePolicy',
    'spec.backoffLimitPerIndex',
    'spec.managedBy',
    'spec.successPolicy',
  ],
  'apps/controllerrevisions': ['data'],
  'certificates.k8s.io/certificatesigningrequests': ['spec'],
  'networking.k8s.io/servicecidrs': ['spec'],
  'networking.k8s.io/ipaddresses': ['spec.parentRef'],
  'resource.k8s.io/resourceclaims': ['spec'],
  'resource.k8s.io/resourceclaimtemplates': ['spec'],
  'storage.k8s.io/csidrivers': ['spec.attachRequired', 'spec.volumeLifecycleModes'],
  'storage.k8s.io/volumeattachments': ['spec'],
  '/persistentvolumes': ['spec.volumeMode'],
  '/secrets': ['type'],
  'networking.k8s.io/ingressclasses': ['spec.controller'],
  'storage.k8s.io/storageclasses': ['volumeBindingMode'],
  'discovery.k8s.io/endpointslices': ['addressType'],
  'node.k8s.io/runtimeclasses': ['handler'],
  'scheduling.k8s.io/priorityclasses': ['preemptionPolicy'],
  '/resourcequotas': ['spec.scopes'],
};

/** What the server calls a field when it is not the field's name. */
const renamed: Readonly<Record<string, string>> = {
  'storage.k8s.io/csidrivers.spec.attachRequired': 'spec.attachedRequired',
};

/** Fields whose change has a sentence of its own. */
const refused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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

/** Config maps and secrets that say they do not change. */
function sealed(object: Obj, before: Obj): Cause[] {
  if (before['immutable'] !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  const causes: Cause[] = [];
  if (object['immutable'] !== true) causes.push(cause.forbidden('immutable', why));
  for (const field of ['data', 'binaryData']) {
    if (!same(object[field], before[field])) causes.push(cause.forbidden(field, why));
  }
  return causes;
}

/** A service's addresses: they stay, unless it had none or has none any more. */
function service(object: Obj, before: Obj): Cause[] {
  const [now, then] = [rec(object['spec']), rec(before['spec'])];
  if (now['type'] === 'ExternalName' || then['type'] === 'ExternalName') return [];
  const was = str(then['clusterIP']);
  if (was === '' || was === str(now['clusterIP'])) return [];
  const given = now['clusterIP'] === undefined ? null : [now['clusterIP']];
  const why =
    now['clusterIP'] === undefined ? 'primary clusterIP can not be unset' : 'may not change once set';
  return [cause.invalid('spec.clusterIPs[0]', given, why)];
}

const growing =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

function claim(object: Obj, before: Obj): Cause[] {
  const fixed = (item: Obj): Rec => {
    const { resources, volumeAttributesClassName: _class, ...spec } = rec(item['spec']);
    const requests: Rec = { ...strings(at(resources, 'requests')) };
    if (at(before, 'status', 'phase') === 'Bound') delete requests['storage'];
    return { ...spec, resources: { ...rec(resources), requests } };
  };
  const causes: Cause[] = [];
  const unbound = str(at(before, 'spec', 'volumeName')) === '';
  const [now, then] = [fixed(object), fixed(before)];
  if (unbound) then['volumeName'] = now['volumeName'];
  if (!same(now, then)) causes.push(cause.forbidden('spec', growing));
  const size = (item: Obj) => str(at(item, 'spec', 'resources', 'requests', 'storage'));
  const held = str(at(before, 'status', 'capacity', 'storage'));
  if (compareQuantities(size(object), size(before)) < 0 && held !== '') {
    if (compareQuantities(size(object), held) < 0) {
      causes.push(
        cause.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'),
      );
    }
  }
  return causes;
}

/** A reference as Go holds it. */
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
  return same(source(object), source(before))
    ? []
    : [
        cause.forbidden(
          'spec.persistentvolumesource',
          'spec.persistentvolumesource is immutable after creation',
        ),
      ];
}

const byStorage: Readonly<Record<string, (object: Obj, before: Obj, subresource: string) => Cause[]>> = {
  'apps/statefulsets': statefulSet,
  '/configmaps': sealed,
  '/secrets': sealed,
  '/services': service,
  '/pods': podUpdateCauses,
  '/nodes': node,
  '/persistentvolumes': volume,
  '/persistentvolumeclaims': claim,
  'rbac.authorization.k8s.io/rolebindings': binding,
  'rbac.authorization.k8s.io/clusterrolebindings': binding,
};

/** The causes for which an update may not change what it changes. */
export function updateCauses(storage: string, object: Obj, before: Obj, subresource: string): Cause[] {
  const causes: Cause[] = [];
  for (const field of frozen[storage] ?? []) {
    const path = field.split('.');
    const value = at(object, ...path);
    const indexed = field === 'spec.completions' && at(object, 'spec', 'completionMode') === 'Indexed';
    if (indexed && at(object, 'spec', 'parallelism') === value) continue;
    const shown = renamed[`${storage}.${field}`] ?? field;
    if (!same(value, at(before, ...path))) causes.push(cause.invalid(shown, value ?? null, immutable));
  }
  for (const [field, why] of Object.entries(refused[storage] ?? {})) {
    if (!same(object[field], before[field])) causes.push(cause.forbidden(field, why));
  }
  return [...causes, ...(byStorage[storage]?.(object, before, subresource) ?? [])];
}
