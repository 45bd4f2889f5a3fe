import { settleService } from './service-update.ts';
import { zeroObject } from '../fields/compare.ts';
import type { Resource } from '../registry/registry.ts';
import type { Schemas } from '../registry/schema.ts';
import { at, type Obj, type Rec, rec, recs, same, str } from '../kit/values.ts';
import { qosClass } from './qos.ts';

/** Storages whose objects count changes of the desired state in `metadata.generation`. */
const generational = new Set([
  '/pods',
  '/replicationcontrollers',
  'apps/daemonsets',
  'apps/deployments',
  'apps/replicasets',
  'apps/statefulsets',
  'batch/cronjobs',
  'batch/jobs',
  'networking.k8s.io/ingresses',
  'networking.k8s.io/ingressclasses',
  'networking.k8s.io/networkpolicies',
  'policy/poddisruptionbudgets',
  'storage.k8s.io/csidrivers',
  'discovery.k8s.io/endpointslices',
  'apiextensions.k8s.io/customresourcedefinitions',
  'scheduling.k8s.io/priorityclasses',
  'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
]);
/** Storages whose annotations count as desired state, since controllers copy them. */
const annotated = new Set(['apps/deployments']);
/** Storages that keep the status of a client's create. */
const statusFromClient = new Set(['/nodes']);

const tolerations = ['not-ready', 'unreachable'].map((key) => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));

/** Context of a creation. */
export interface CreateContext {
  /** Creation time, ISO. */
  readonly now: string;
  readonly uid: string;
}

/** Annotation that counts the templates of a DaemonSet. */
const templateNote = 'deprecated.daemonset.template.generation';

/** The status of a pod with scheduling gates. */
const gatedStatus = (spec: Rec): Rec =>
  recs(spec['schedulingGates']).length === 0
    ? {}
    : {
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            lastProbeTime: null,
            lastTransitionTime: null,
            reason: 'SchedulingGated',
            message: 'Scheduling is blocked due to non-empty scheduling gates',
          },
        ],
      };

const snapshots = 'snapshot.storage.k8s.io/VolumeSnapshot';

/**
 * Copies a claim's source between `dataSource` and `dataSourceRef`; the older field only knows claims and
 * snapshots.
 */
function mirrorSource(claim: Rec): void {
  if (str(at(claim, 'dataSourceRef', 'namespace')) !== '') delete claim['dataSourceRef'];
  const { dataSource, dataSourceRef } = claim;
  if (dataSource !== undefined) {
    const kind = [at(dataSource, 'apiGroup') ?? [], at(dataSource, 'kind')].flat().filter(Boolean).join('/');
    if (kind !== 'PersistentVolumeClaim' && kind !== snapshots) delete claim['dataSource'];
  }
  if (claim['dataSource'] !== undefined) claim['dataSourceRef'] ??= { ...rec(claim['dataSource']) };
  else if (dataSourceRef !== undefined) claim['dataSource'] = { ...rec(dataSourceRef) };
}

const onCreate: Readonly<Record<string, (object: Obj, context: CreateContext) => void>> = {
  '/namespaces': (object) => {
    object['spec'] = { finalizers: ['kubernetes'] };
    object['status'] = { phase: 'Active' };
  },
  '/pods': (object) => {
    const spec = rec(object['spec']);
    object['status'] = { phase: 'Pending', ...gatedStatus(spec), qosClass: qosClass(spec) };
    tolerate(spec);
    spec['priority'] ??= 0;
    spec['preemptionPolicy'] ??= 'PreemptLowerPriority';
  },
  '/events': (object) => {
    object['eventTime'] ??= null;
  },
  '/endpoints': sortAddresses,
  '/nodes': (object) => {
    const spec = rec(object['spec']);
    const taints = recs(spec['taints']);
    const notReady = 'node.kubernetes.io/not-ready';
    const ready = recs(at(object, 'status', 'conditions')).some(
      (condition) => condition['type'] === 'Ready' && condition['status'] === 'True',
    );
    if (!ready && !taints.some((taint) => taint['key'] === notReady)) {
      spec['taints'] = [...taints, { key: notReady, effect: 'NoSchedule' }];
    }
    object['spec'] = spec;
  },
  '/persistentvolumeclaims': (object) => {
    mirrorSource(rec(object['spec']));
    object['status'] = { phase: 'Pending' };
    finalizer(object, 'kubernetes.io/pvc-protection');
  },
  '/persistentvolumes': (object, { now }) => {
    object['status'] = { phase: 'Pending', lastPhaseTransitionTime: now };
    finalizer(object, 'kubernetes.io/pv-protection');
  },
  'apps/daemonsets': (object) => {
    object.metadata.annotations = { [templateNote]: '1', ...object.metadata.annotations };
  },
  'autoscaling/horizontalpodautoscalers': (object) => {
    object['status'] = { desiredReplicas: 0, currentMetrics: null };
  },
  'apiextensions.k8s.io/customresourcedefinitions': (object) => {
    const stored = recs(at(object, 'spec', 'versions')).filter((version) => version['storage'] === true);
    object['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored.map((version) => version['name']),
    };
  },
  'batch/jobs': (object, { uid }) => {
    const spec = rec(object['spec']);
    if (spec['manualSelector'] === true) return;
    const labels = {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': object.metadata.name ?? '',
      'controller-uid': uid,
      'job-name': object.metadata.name ?? '',
    };
    const generatedSelector = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
    spec['selector'] = {
      ...rec(spec['selector']),
      matchLabels: { ...generatedSelector.matchLabels, ...rec(at(spec, 'selector', 'matchLabels')) },
    };
    const template = rec(spec['template']);
    const metadata = rec(template['metadata']);
    const given = rec(metadata['labels']);
    const all = { ...labels, ...given } as Record<string, string>;
    spec['template'] = { ...template, metadata: { ...metadata, labels: all } };
    // A job without labels is read with those of its pods.
    const { labels: ownLabels } = object.metadata;
    if (ownLabels === undefined || same(ownLabels, given)) object.metadata.labels = all;
  },
};

/** Lists that Go writes as null when they are empty, by storage. */
const nulls: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'apps/daemonsets': [['spec', 'selector']],
  'apps/deployments': [['spec', 'selector']],
  'apps/replicasets': [['spec', 'selector']],
  'apps/statefulsets': [['spec', 'selector']],
  '/limitranges': [['spec', 'limits']],
  'discovery.k8s.io/endpointslices': [['endpoints'], ['ports']],
  'rbac.authorization.k8s.io/clusterroles': [['rules']],
  'rbac.authorization.k8s.io/roles': [['rules']],
  'storage.k8s.io/csinodes': [['spec', 'drivers']],
};

/** Sets empty lists that Go never omits to null. In place. */
function writeNulls(storage: string, object: Rec): void {
  for (const [field = '', inner] of nulls[storage] ?? []) {
    if (inner === undefined) object[field] ??= null;
    else object[field] = { ...rec(object[field]), [inner]: rec(object[field])[inner] ?? null };
  }
}

/** A zero object of a resource, as bookmarks carry it. */
export function blankObject(schemas: Schemas, { shape, custom, storage }: Resource): Rec {
  if (custom !== undefined || shape === undefined) return {};
  const blank = zeroObject(schemas, shape);
  writeNulls(storage, blank);
  return blank;
}

/** Sorts the addresses of each subset of endpoints. In place. */
function sortAddresses(object: Obj): void {
  for (const subset of recs(object['subsets'])) {
    for (const field of ['addresses', 'notReadyAddresses']) {
      if (!Array.isArray(subset[field])) continue;
      subset[field] = recs(subset[field]).sort((a, b) => (str(a['ip']) < str(b['ip']) ? -1 : 1));
    }
  }
}

/** Adds the tolerations of five minutes for nodes that are not ready or unreachable, unless the pod has its own. */
function tolerate(spec: Rec): void {
  const given = recs(spec['tolerations']);
  const wanted = tolerations.filter(
    (one) => !given.some((other) => toleratesKey(other, one.key) && coversNoExecute(other)),
  );
  if (wanted.length > 0) spec['tolerations'] = [...given, ...structuredClone(wanted)];
}

function finalizer(object: Obj, name: string): void {
  const { metadata } = object;
  if (metadata.finalizers?.includes(name) !== true)
    metadata.finalizers = [...(metadata.finalizers ?? []), name];
}

const toleratesKey = (toleration: Rec, key: string) =>
  toleration['key'] === key || (toleration['key'] === undefined && toleration['operator'] === 'Exists');
const coversNoExecute = (toleration: Rec) =>
  toleration['effect'] === undefined || toleration['effect'] === 'NoExecute';

/** Sets the server's own fields of a new object: empty status, generation, fields of the kind. In place. */
export function prepareCreate(
  schemas: Schemas,
  resource: Resource,
  object: Obj,
  context: CreateContext,
): void {
  const hasStatus = resource.subresources.has('status') && !statusFromClient.has(resource.storage);
  if (hasStatus) {
    const status = resource.shape === undefined ? undefined : schemas.field(resource.shape, 'status');
    if (status?.used.default === undefined) delete object['status'];
    else object['status'] = zeroObject(schemas, status);
  }
  if (generational.has(resource.storage) || resource.custom !== undefined) object.metadata.generation = 1;
  else delete object.metadata.generation;
  onCreate[resource.storage]?.(object, context);
  writeNulls(resource.storage, object);
}

/** The part of an object that a write may change: everything but the status, or the part of a subresource. */
export type Part = 'main' | 'status' | 'approval' | 'ephemeralcontainers' | 'finalize' | 'resize';

/** Makes the stored object with only the fields changed that a subresource may write. */
const partialUpdates: Readonly<Partial<Record<Part, (object: Obj, before: Obj) => Rec>>> = {
  approval: (object, before) => ({
    ...before,
    status: { ...rec(before['status']), conditions: at(object, 'status', 'conditions') },
  }),
  finalize: (object, before) => ({ ...before, spec: object['spec'] }),
  ephemeralcontainers: (object, before) => {
    const { ephemeralContainers: _old, ...spec } = rec(before['spec']);
    const given = at(object, 'spec', 'ephemeralContainers');
    return { ...before, spec: given === undefined ? spec : { ...spec, ephemeralContainers: given } };
  },
  resize: (object, before) => {
    const resized = (field: string): Rec => {
      const given = recs(at(object, 'spec', field));
      const old = recs(at(before, 'spec', field));
      if (old.length === 0) return {};
      if (given.length !== old.length) return { [field]: given };
      const containers = old.map((container, index) => {
        const wanted = given[index];
        return wanted?.['name'] === container['name']
          ? { ...container, resources: wanted?.['resources'] ?? {}, ...pick(wanted, 'resizePolicy') }
          : wanted;
      });
      return { [field]: containers };
    };
    const spec = { ...rec(before['spec']), ...resized('containers'), ...resized('initContainers') };
    return { ...before, spec };
  },
};
const pick = (value: Rec | undefined, field: string): Rec =>
  value?.[field] === undefined ? {} : { [field]: value[field] };

/** Replaces all fields of an object but its kind and metadata. In place. */
function replace(object: Obj, fields: Rec): void {
  for (const field of Object.keys(object)) if (!identityFields.has(field)) delete object[field];
  for (const field of Object.keys(fields)) if (!identityFields.has(field)) object[field] = fields[field];
}
const identityFields = new Set(['metadata', 'apiVersion', 'kind']);

/**
 * Resets the fields that an update through the main path or /status must not change, keeps the server's own
 * metadata and counts the generation. In place.
 */
export function prepareUpdate(resource: Resource, object: Obj, before: Obj, part: Part): void {
  const { metadata } = object;
  const old = before.metadata;
  for (const field of [
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'generateName',
  ] as const) {
    if (old[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: old[field] });
  }
  const only = partialUpdates[part];
  if (only !== undefined) {
    replace(object, only(object, before));
    for (const field of statusOnly) {
      if (old[field] === undefined) delete metadata[field];
      else Object.assign(metadata, { [field]: old[field] });
    }
  } else if (part === 'status') {
    for (const field of Object.keys(object)) {
      if (field !== 'status' && field !== 'metadata') delete object[field];
    }
    for (const field of Object.keys(before)) {
      if (field !== 'status' && field !== 'metadata') object[field] = before[field];
    }
    // A status update without `qosClass` keeps the stored one.
    const quality = at(before, 'status', 'qosClass');
    if (resource.storage === '/pods' && quality !== undefined) {
      const status = rec(object['status']);
      object['status'] = {
        ...status,
        qosClass: str(status['qosClass']) === '' ? quality : status['qosClass'],
      };
    }
    for (const field of keptByStatus[resource.storage] ?? []) {
      if (old[field] === undefined) delete metadata[field];
      else metadata[field] = old[field];
    }
  } else if (resource.subresources.has('status')) {
    if (before['status'] === undefined) delete object['status'];
    else object['status'] = before['status'];
  }
  if (part === 'main') onUpdate[resource.storage]?.(object, before);
  writeNulls(resource.storage, object);
  if (old.generation === undefined) {
    delete metadata.generation;
  } else {
    const changed =
      !same(desired(resource, object), desired(resource, before)) ||
      (annotated.has(resource.storage) && !same(metadata.annotations, old.annotations));
    metadata.generation = old.generation + (changed ? 1 : 0);
  }
}

const statusOnly = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Metadata that a write to /status leaves unchanged, by storage; it may write all other metadata. */
const keptByStatus: Readonly<Record<string, readonly string[]>> = {
  'apps/deployments': ['labels'],
  '/pods': ['ownerReferences'],
  'apiextensions.k8s.io/customresourcedefinitions': statusOnly,
  'apiregistration.k8s.io/apiservices': statusOnly,
  'certificates.k8s.io/certificatesigningrequests': statusOnly,
  'flowcontrol.apiserver.k8s.io/flowschemas': statusOnly,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': statusOnly,
};

const onUpdate: Readonly<Record<string, (object: Obj, before: Obj) => void>> = {
  // Fields that admission set stay when an update omits them.
  '/pods': (object, before) => {
    const spec = rec(object['spec']);
    const old = rec(before['spec']);
    tolerate(spec);
    spec['priority'] ??= old['priority'];
    spec['preemptionPolicy'] ??= old['preemptionPolicy'];
  },
  'apps/daemonsets': (object, before) => {
    const count = Number(before.metadata.annotations?.[templateNote] ?? 1);
    const changed = !same(at(object, 'spec', 'template'), at(before, 'spec', 'template'));
    const note = String(changed ? count + 1 : count);
    object.metadata.annotations = { ...object.metadata.annotations, [templateNote]: note };
  },
  '/endpoints': sortAddresses,
  // Only /finalize changes the finalizers of a namespace's spec.
  '/namespaces': (object, before) => {
    const finalizers = at(before, 'spec', 'finalizers');
    object['spec'] = { ...rec(object['spec']), ...(finalizers === undefined ? {} : { finalizers }) };
  },
  '/services': settleService,
};

/** The desired state of an object: everything but its metadata and a status with its own subresource. */
function desired(resource: Resource, object: Obj): Rec {
  const { metadata: _metadata, apiVersion: _apiVersion, status, ...rest } = object;
  return resource.custom === undefined || resource.subresources.has('status') ? rest : { ...rest, status };
}
