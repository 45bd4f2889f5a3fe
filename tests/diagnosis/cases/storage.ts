import { all, but, object, type RuleCase, warning } from './rule-case.ts';

const claim = (spec: string, phase = 'Pending') =>
  object(
    'v1',
    'PersistentVolumeClaim',
    'data',
    `spec: { ${spec} accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\nstatus: { phase: ${phase} }`,
  );
const storageClass = (name: string, isDefault = false, provisioner = 'disk.example.org') =>
  object(
    'storage.k8s.io/v1',
    'StorageClass',
    name,
    `provisioner: ${provisioner}`,
    isDefault ? "annotations: { storageclass.kubernetes.io/is-default-class: 'true' }" : '',
  );
const volume = (phase: string, more = '') =>
  object(
    'v1',
    'PersistentVolume',
    'disk-7',
    `spec: { persistentVolumeReclaimPolicy: Retain, ${more} }\nstatus: { phase: ${phase}, message: no plugin matched }`,
  );
const provisioning =
  'failed to provision volume with StorageClass "fast": rpc error: code = ResourceExhausted desc = out of disk';

/** Cases of the rules about claims, volumes and storage classes. */
export const storageCases: readonly RuleCase[] = [
  {
    rule: 'claim.class-missing',
    broken: all(claim('storageClassName: fast,'), storageClass('standard', true)),
    names: /class fast .* default is standard/,
    near: {
      'the class exists': all(claim('storageClassName: fast,'), storageClass('fast')),
      'it was bound before its class went': claim('storageClassName: fast,', 'Bound'),
      'it wants no class': claim("storageClassName: '', volumeName: disk-7,"),
    },
  },
  {
    rule: 'claim.no-default-class',
    broken: all(claim(''), storageClass('fast')),
    names: /names no storage class/,
    near: {
      'there is a default': all(claim(''), storageClass('fast', true)),
      'it is bound': claim('', 'Bound'),
      'it names a volume': claim('volumeName: disk-7,'),
    },
  },
  {
    rule: 'claim.no-volume',
    broken: claim("storageClassName: '', volumeName: disk-7,"),
    names: /volume disk-7 .* does not exist/,
    near: {
      'the volume is there': all(claim("storageClassName: '', volumeName: disk-7,"), volume('Available')),
      'a class that waits for a pod makes it': all(
        claim('storageClassName: fast,'),
        `${storageClass('fast')}\nvolumeBindingMode: WaitForFirstConsumer`,
      ),
    },
  },
  {
    rule: 'claim.no-volume',
    broken: all(
      claim("storageClassName: '', volumeName: disk-7,"),
      volume('Bound', 'claimRef: { namespace: shop, name: other },'),
    ),
    names: /bound to another claim, shop\/other/,
    near: {
      'it is bound to this one': all(
        claim("storageClassName: '', volumeName: disk-7,"),
        volume('Bound', 'claimRef: { namespace: shop, name: data },'),
      ),
    },
  },
  {
    rule: 'claim.no-volume',
    broken: all(
      claim("storageClassName: '', volumeName: disk-7,"),
      volume('Released', 'claimRef: { namespace: shop, name: other },'),
    ),
    names: /still kept for another claim, shop\/other, which is gone/,
    near: {
      'it is kept for this one': all(
        claim("storageClassName: '', volumeName: disk-7,"),
        volume('Released', 'claimRef: { namespace: shop, name: data },'),
      ),
    },
  },
  {
    rule: 'claim.no-volume',
    broken: all(
      claim('storageClassName: local,'),
      storageClass('local', false, 'kubernetes.io/no-provisioner'),
    ),
    names: /no available volume has 1Gi/,
    near: {
      'it is bound': all(
        claim('storageClassName: local,', 'Bound'),
        storageClass('local', false, 'kubernetes.io/no-provisioner'),
      ),
    },
  },
  {
    rule: 'claim.provisioning',
    broken: all(
      claim('storageClassName: fast,'),
      storageClass('fast'),
      warning('PersistentVolumeClaim', 'data', 'ProvisioningFailed', provisioning),
    ),
    names: /provisioner of class fast cannot make a volume for the claim: /,
    near: {
      'it worked at last': all(
        claim('storageClassName: fast,', 'Bound'),
        storageClass('fast'),
        warning('PersistentVolumeClaim', 'data', 'ProvisioningFailed', provisioning),
      ),
      'its class does not exist': all(
        claim('storageClassName: fast,'),
        warning(
          'PersistentVolumeClaim',
          'data',
          'ProvisioningFailed',
          'storageclass.storage.k8s.io "fast" not found',
        ),
      ),
    },
  },
  {
    rule: 'persistentvolumeclaim.lost',
    broken: claim('volumeName: disk-7,', 'Lost'),
    names: /volume of this claim is gone/,
    near: { 'it waits': claim('volumeName: disk-7,'), 'it is bound': claim('volumeName: disk-7,', 'Bound') },
  },
  {
    // It is being deleted, and the pods that mount it hold it.
    rule: 'persistentvolumeclaim.lost',
    broken: but(
      claim('volumeName: disk-7,', 'Lost'),
      'creationTimestamp',
      "deletionTimestamp: '2026-03-01T07:00:00Z', creationTimestamp",
    ),
    names: /volume of this claim is gone/,
    near: { 'it waits': claim('volumeName: disk-7,') },
  },
  {
    rule: 'persistentvolume.failed',
    broken: volume('Failed'),
    names: /reclaimed/,
    near: { 'it was released': volume('Released'), 'it is bound': volume('Bound') },
  },
  {
    rule: 'volume.released',
    broken: volume('Released', 'claimRef: { namespace: shop, name: gone },'),
    names: /claim/,
    near: { 'it is free': volume('Available'), 'it is bound': volume('Bound') },
  },
  {
    rule: 'class.two-defaults',
    broken: all(storageClass('fast', true), storageClass('slow', true)),
    names: /fast, slow/,
    near: {
      'one is': all(storageClass('fast', true), storageClass('slow')),
      'the other tells of it': all(storageClass('slow', true), storageClass('fast', true)),
      'one is marked as none': all(
        storageClass('fast', true),
        but(storageClass('slow', true), "'true'", "'false'"),
      ),
    },
  },
];
