import { parseQuantity } from '../../kube/quantity.ts';
import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import { timestamp } from '../kit/clock.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, rec, recs, str, strings } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { selectorMatches } from './node-affinity.ts';
import { create, put, putStatus, remove, report } from './write.ts';

const claims = '/persistentvolumeclaims';
const volumes = '/persistentvolumes';
const classes = 'storage.k8s.io/storageclasses';
const component = 'persistentvolume-controller';
/** Interval at which pending claims are processed again, ms. */
const resync = 15_000;
const defaultNote = 'storageclass.kubernetes.io/is-default-class';
const provisionerNote = 'volume.kubernetes.io/storage-provisioner';
const oldProvisionerNote = 'volume.beta.kubernetes.io/storage-provisioner';
const nodeNote = 'volume.kubernetes.io/selected-node';

/** Binds claims to volumes: to a matching one, or to one that the storage class's provisioner creates. */
export const volumeBinder: Controller = {
  name: component,
  interested: ({ storage, key, before, after }, life) => {
    if (storage === claims) {
      if (after === undefined)
        return before === undefined ? [] : [`volume|${str(at(before, 'spec', 'volumeName'))}`];
      return before?.['spec'] !== after['spec'] || before?.metadata.annotations !== after.metadata.annotations
        ? [`claim|${key}`]
        : [];
    }
    if (storage === volumes) {
      const volumeKeys = after === undefined ? [] : [`volume|${key}`];
      const claim = rec(at(before, 'spec', 'claimRef'));
      const lostClaim =
        after === undefined && str(claim['name']) !== ''
          ? [`claim|${keyOf(str(claim['namespace']), str(claim['name']))}`]
          : [];
      return before === undefined ? [...volumeKeys, ...waitingClaims(life)] : [...volumeKeys, ...lostClaim];
    }
    if (storage === classes) return waitingClaims(life);
    // A scheduled pod is the first consumer that some of its claims wait for.
    if (storage !== '/pods' || after === undefined) return [];
    const fresh = before === undefined || at(before, 'spec', 'nodeName') !== at(after, 'spec', 'nodeName');
    return fresh ? claimsOf(after).map((claim) => `claim|${claim}`) : [];
  },
  reconcile: (id, life) => {
    const key = id.slice(id.indexOf('|') + 1);
    if (id.startsWith('volume|')) updatePhase(key, life);
    else syncClaim(key, life);
  },
};

const waitingClaims = (life: Life) =>
  Array.from(life.world.store.entries(claims))
    .filter(([, claim]) => at(claim, 'status', 'phase') === 'Pending')
    .map(([key]) => `claim|${key}`);

/** The keys of the claims that a pod uses. */
export const claimsOf = (pod: Obj): string[] =>
  recs(at(pod, 'spec', 'volumes')).flatMap((volume) => {
    const name = str(at(volume, 'persistentVolumeClaim', 'claimName'));
    return name === '' ? [] : [keyOf(pod.metadata.namespace, name)];
  });

function syncClaim(key: string, life: Life): void {
  const claim = life.world.store.get(claims, key);
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
  if (at(claim, 'status', 'phase') === 'Bound') {
    const volume = str(at(claim, 'spec', 'volumeName'));
    if (life.world.store.get(volumes, volume) === undefined) lose(claim, life);
  } else if (at(claim, 'status', 'phase') === 'Pending') bind(claim, key, life);
}

function lose(claim: Obj, life: Life): void {
  putStatus(life.world, claims, claim, { phase: 'Lost' });
  report(life.world, claim, {
    type: 'Warning',
    reason: 'ClaimLost',
    message: 'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    component,
  });
}

/** The class of a claim; a claim without one gets the newest default class. */
function classOf(claim: Obj, life: Life): string {
  const className = at(claim, 'spec', 'storageClassName');
  if (typeof className === 'string') return className;
  const defaults = life.world.store
    .list(classes)
    .filter((item) => item.metadata.annotations?.[defaultNote] === 'true')
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1));
  return defaults[0]?.metadata.name ?? '';
}

const sizeOf = (value: unknown) => parseQuantity(str(value)) ?? 0;
const modes = (value: unknown): string[] => (Array.isArray(value) ? value.map(str) : []);

/** Whether a node can use a volume. */
function reaches(volume: Obj, node: Obj): boolean {
  const required = at(volume, 'spec', 'nodeAffinity', 'required');
  return required === undefined || selectorMatches(required, node);
}

/** The smallest available volume that matches a claim and, if given, a node. */
export function freeVolume(claim: Obj, className: string, life: Life, node?: Obj): Obj | undefined {
  const volumeName = str(at(claim, 'spec', 'volumeName'));
  const wanted = sizeOf(at(claim, 'spec', 'resources', 'requests', 'storage'));
  const selector = at(claim, 'spec', 'selector') as LabelSelector | undefined;
  const fits = life.world.store.list(volumes).filter((volume) => {
    const reference = rec(at(volume, 'spec', 'claimRef'));
    const isReservedForClaim =
      reference['name'] === claim.metadata.name &&
      reference['namespace'] === claim.metadata.namespace &&
      (reference['uid'] === undefined || reference['uid'] === claim.metadata.uid);
    if (str(reference['name']) !== '' && !isReservedForClaim) return false;
    if (volumeName !== '' && volume.metadata.name !== volumeName) return false;
    return (
      volume.metadata.deletionTimestamp === undefined &&
      (isReservedForClaim || at(volume, 'status', 'phase') === 'Available') &&
      str(at(volume, 'spec', 'storageClassName')) === className &&
      (at(volume, 'spec', 'volumeMode') ?? 'Filesystem') ===
        (at(claim, 'spec', 'volumeMode') ?? 'Filesystem') &&
      sizeOf(at(volume, 'spec', 'capacity', 'storage')) >= wanted &&
      modes(at(claim, 'spec', 'accessModes')).every((mode) =>
        modes(at(volume, 'spec', 'accessModes')).includes(mode),
      ) &&
      (selector === undefined || matchesSelector(selector, volume.metadata.labels)) &&
      (node === undefined || reaches(volume, node))
    );
  });
  const size = (volume: Obj) => sizeOf(at(volume, 'spec', 'capacity', 'storage'));
  return fits.sort((a, b) => size(a) - size(b))[0];
}

/** The pods that use a claim and are not being deleted. */
const usersOf = (claim: Obj, life: Life): Obj[] => {
  const key = keyOf(claim.metadata.namespace, claim.metadata.name ?? '');
  return life.world.store
    .list('/pods', `${claim.metadata.namespace ?? ''}/`)
    .filter((pod) => pod.metadata.deletionTimestamp === undefined && claimsOf(pod).includes(key));
};

/** The event of a claim whose class waits for the first consumer. */
function waitReason(users: readonly Obj[]): { reason: string; message: string } {
  const names = users.map((pod) => pod.metadata.name ?? '');
  if (names.length === 0) {
    const message = 'waiting for first consumer to be created before binding';
    return { reason: 'WaitForFirstConsumer', message };
  }
  const pods = names.length > 1 ? `pods ${names.join(',')}` : `pod ${names[0] ?? ''}`;
  return { reason: 'WaitForPodScheduled', message: `waiting for ${pods} to be scheduled` };
}

function bind(claim: Obj, key: string, life: Life): void {
  const { world } = life;
  const className = classOf(claim, life);
  const reportEvent = (type: 'Normal' | 'Warning', reason: string, message: string) => {
    report(world, claim, { type, reason, message, component });
    life.look(volumeBinder, `claim|${key}`, resync);
  };
  const storageClass = world.store.get(classes, className);
  const users = usersOf(claim, life);
  const node = users.map((pod) => str(at(pod, 'spec', 'nodeName'))).find((name) => name !== '');
  const delays = storageClass?.['volumeBindingMode'] === 'WaitForFirstConsumer';
  if (delays && node === undefined) {
    const { reason, message } = waitReason(users);
    reportEvent('Normal', reason, message);
    return;
  }
  const targetNode = delays ? world.store.get('/nodes', node ?? '') : undefined;
  const volume = freeVolume(claim, className, life, targetNode);
  if (volume !== undefined) {
    bindTo(claim, className, volume, life, {});
    return;
  }
  if (str(at(claim, 'spec', 'volumeName')) !== '') {
    reportEvent(
      'Warning',
      'FailedBinding',
      `volume "${str(at(claim, 'spec', 'volumeName'))}" not found or not free`,
    );
  } else if (className === '') {
    reportEvent(
      'Normal',
      'FailedBinding',
      'no persistent volumes available for this claim and no storage class is set',
    );
  } else if (storageClass === undefined) {
    reportEvent('Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${className}" not found`);
  } else if (storageClass['provisioner'] === 'kubernetes.io/no-provisioner') {
    reportEvent(
      'Warning',
      'ProvisioningFailed',
      'no volume plugin matched name: kubernetes.io/no-provisioner',
    );
  } else provision(claim, storageClass, delays ? node : undefined, life);
}

/** The volume source that a provisioner creates: CSI for a driver name, a host path for a name with a slash. */
function madeOf(provisioner: string, volumeName: string, uid: string): Record<string, unknown> {
  return provisioner.includes('/')
    ? { hostPath: { path: `/var/lib/volumes/${volumeName}`, type: 'DirectoryOrCreate' } }
    : { csi: { driver: provisioner, volumeHandle: `vol-${uid.slice(0, 8)}`, fsType: 'ext4' } };
}

function provision(claim: Obj, storageClass: Obj, node: string | undefined, life: Life): void {
  const { world } = life;
  const { name = '', namespace = '', uid = '' } = claim.metadata;
  const provisioner = str(storageClass['provisioner']);
  const volumeName = `pvc-${uid}`;
  report(world, claim, {
    type: 'Normal',
    reason: 'ExternalProvisioning',
    message: `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
    component,
  });
  const source = { component: `${provisioner}_${provisioner.split('.')[0] ?? ''}-controller-0` };
  report(world, claim, {
    type: 'Normal',
    reason: 'Provisioning',
    message: `External provisioner is provisioning volume for claim "${namespace}/${name}"`,
    ...source,
  });
  const volume = create(world, volumes, '', {
    metadata: {
      name: volumeName,
      annotations: { 'pv.kubernetes.io/provisioned-by': provisioner },
      finalizers: ['external-provisioner.volume.kubernetes.io/finalizer'],
    },
    spec: {
      capacity: { storage: at(claim, 'spec', 'resources', 'requests', 'storage') },
      accessModes: at(claim, 'spec', 'accessModes'),
      persistentVolumeReclaimPolicy: storageClass['reclaimPolicy'],
      storageClassName: storageClass.metadata.name,
      volumeMode: at(claim, 'spec', 'volumeMode'),
      ...madeOf(provisioner, volumeName, uid),
      claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid },
    },
  });
  if (volume === undefined) return;
  report(world, claim, {
    type: 'Normal',
    reason: 'ProvisioningSucceeded',
    message: `Successfully provisioned volume ${volumeName}`,
    ...source,
  });
  bindTo(claim, storageClass.metadata.name ?? '', volume, life, {
    [oldProvisionerNote]: provisioner,
    [provisionerNote]: provisioner,
    ...(node === undefined ? {} : { [nodeNote]: node }),
  });
}

/** Binds a claim and a volume to each other. */
function bindTo(claim: Obj, className: string, volume: Obj, life: Life, notes: Record<string, string>): void {
  const { world } = life;
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = claim.metadata;
  const current = world.store.get(volumes, volume.metadata.name ?? '') ?? volume;
  const reference = {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    namespace,
    name,
    uid,
    resourceVersion,
  };
  const spec = { ...rec(current['spec']), claimRef: reference };
  const annotations = { ...current.metadata.annotations };
  if (at(current, 'spec', 'claimRef') === undefined)
    annotations['pv.kubernetes.io/bound-by-controller'] = 'yes';
  put(world, volumes, {
    ...current,
    metadata: { ...current.metadata, annotations },
    spec,
    status: { phase: 'Bound', lastPhaseTransitionTime: timestamp(world.clock.now()) },
  });
  const claimAnnotations = strings(claim.metadata.annotations);
  put(world, claims, {
    ...claim,
    metadata: {
      ...claim.metadata,
      annotations: {
        ...claimAnnotations,
        'pv.kubernetes.io/bind-completed': 'yes',
        'pv.kubernetes.io/bound-by-controller': 'yes',
        ...notes,
      },
    },
    spec: {
      ...rec(claim['spec']),
      ...(className === '' ? {} : { storageClassName: className }),
      volumeName: current.metadata.name,
    },
    status: {
      phase: 'Bound',
      accessModes: at(current, 'spec', 'accessModes'),
      capacity: at(current, 'spec', 'capacity'),
    },
  });
}

/**
 * Updates a volume's phase: a new one is available; one whose claim is gone is released, and deleted if its
 * reclaim policy says so.
 */
function updatePhase(name: string, life: Life): void {
  const { world } = life;
  const volume = world.store.get(volumes, name);
  if (volume === undefined || volume.metadata.deletionTimestamp !== undefined) return;
  const lastPhaseTransitionTime = timestamp(world.clock.now());
  const reference = rec(at(volume, 'spec', 'claimRef'));
  const phase = at(volume, 'status', 'phase');
  if (reference['uid'] === undefined) {
    if (phase === 'Pending' || phase === undefined) {
      putStatus(world, volumes, volume, { phase: 'Available', lastPhaseTransitionTime });
    }
    return;
  }
  const claim = world.store.get(claims, keyOf(str(reference['namespace']), str(reference['name'])));
  if (claim?.metadata.uid === reference['uid']) return;
  const released = putStatus(world, volumes, volume, { phase: 'Released', lastPhaseTransitionTime });
  if (at(volume, 'spec', 'persistentVolumeReclaimPolicy') !== 'Delete') return;
  // Only provisioned volumes are deleted.
  if (volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === undefined) {
    const message = 'error getting deleter volume plugin for volume';
    putStatus(world, volumes, released, { phase: 'Failed', message, lastPhaseTransitionTime });
    report(world, released, {
      type: 'Warning',
      reason: 'VolumeFailedDelete',
      message: `${message} "${name}": no deletable volume plugin matched`,
      component,
    });
    return;
  }
  const { finalizers: _finalizers, ...metadata } = released.metadata;
  remove(world, volumes, put(world, volumes, { ...released, metadata }));
}
