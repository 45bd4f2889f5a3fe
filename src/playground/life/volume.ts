import { timestamp } from '../clock.ts';
import { at, type Obj, rec, str } from '../values.ts';
import type { Controller, Life } from './engine.ts';
import { create, putStatus, put, report } from './write.ts';

const claims = '/persistentvolumeclaims';
const volumes = '/persistentvolumes';
const classes = 'storage.k8s.io/storageclasses';

/** Binds claims: the default storage class gives each a volume of its own. */
export const volumeBinder: Controller = {
  name: 'persistentvolume-controller',
  interested: ({ storage, key, before, after }) =>
    storage === claims && after !== undefined && before?.['spec'] !== after['spec'] ? [key] : [],
  reconcile: (key, life) => {
    const claim = life.world.store.get(claims, key);
    if (claim === undefined || at(claim, 'status', 'phase') !== 'Pending') return;
    bind(claim, life);
  },
};

function classOf(claim: Obj, life: Life): Obj | undefined {
  const named = at(claim, 'spec', 'storageClassName');
  const all = life.world.store.list(classes);
  if (typeof named === 'string') return all.find((item) => item.metadata.name === named);
  return all.find(
    (item) => item.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
  );
}

function bind(claim: Obj, life: Life): void {
  const { world } = life;
  const { name = '', namespace = '', uid = '' } = claim.metadata;
  const storageClass = classOf(claim, life);
  if (storageClass === undefined) {
    report(world, claim, {
      type: 'Normal',
      reason: 'FailedBinding',
      message: 'no persistent volumes available for this claim and no storage class is set',
      component: volumeBinder.name,
    });
    return;
  }
  const className = str(storageClass.metadata.name);
  const volumeName = `pvc-${uid}`;
  const now = timestamp(world.clock.now());
  const capacity = { storage: at(claim, 'spec', 'resources', 'requests', 'storage') };
  const volume = create(world, volumes, '', {
    metadata: {
      name: volumeName,
      annotations: { 'pv.kubernetes.io/provisioned-by': str(storageClass['provisioner']) },
    },
    spec: {
      capacity,
      accessModes: at(claim, 'spec', 'accessModes'),
      persistentVolumeReclaimPolicy: storageClass['reclaimPolicy'],
      storageClassName: className,
      volumeMode: at(claim, 'spec', 'volumeMode'),
      csi: { driver: storageClass['provisioner'], volumeHandle: `vol-${uid.slice(0, 8)}`, fsType: 'ext4' },
      claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid },
    },
  });
  if (volume !== undefined) {
    putStatus(world, volumes, volume, { phase: 'Bound', lastPhaseTransitionTime: now });
  }
  put(world, claims, {
    ...claim,
    metadata: {
      ...claim.metadata,
      annotations: {
        ...claim.metadata.annotations,
        'pv.kubernetes.io/bind-completed': 'yes',
        'pv.kubernetes.io/bound-by-controller': 'yes',
        'volume.kubernetes.io/storage-provisioner': str(storageClass['provisioner']),
      },
    },
    spec: { ...rec(claim['spec']), storageClassName: className, volumeName },
    status: { phase: 'Bound', accessModes: at(claim, 'spec', 'accessModes'), capacity },
  });
  report(world, claim, {
    type: 'Normal',
    reason: 'ProvisioningSucceeded',
    message: `Successfully provisioned volume ${volumeName}`,
    component: str(storageClass['provisioner']),
  });
}
