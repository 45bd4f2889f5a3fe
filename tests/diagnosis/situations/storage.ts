import { claim, deployment, object, objects, volumeOf } from './manifests.ts';
import type { Situation } from './situation.ts';

/** Situations of claims and volumes. */
export const storageSituations: readonly Situation[] = [
  {
    id: 'claim-missing',
    what: 'A volume names a claim that nobody made.',
    manifests: deployment('web', { pod: volumeOf('web-data') }),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.claim-missing',
    object: 'Pod web',
    names: /claim web-data .* does not exist/,
  },
  {
    id: 'storage-class',
    what: 'A claim names a storage class that does not exist.',
    manifests: objects(claim('storageClassName: fast'), deployment('web', { pod: volumeOf('data') })),
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'claim.class-missing',
    object: 'PersistentVolumeClaim data',
    names: /storage class fast/,
  },
  {
    id: 'no-provisioner',
    what: 'A claim waits for a volume that somebody has to make by hand.',
    manifests: objects(
      object(
        'storage.k8s.io/v1',
        'StorageClass',
        'local',
        'provisioner: kubernetes.io/no-provisioner\nvolumeBindingMode: Immediate',
      ),
      claim('storageClassName: local'),
    ),
    after: 200,
    ask: 'PersistentVolumeClaim default/data',
    rule: 'claim.no-volume',
    object: 'PersistentVolumeClaim data',
    names: /no available volume has 1Gi/,
  },
];
