import { deployment, type Situation } from './situation.ts';

/** Situations of claims and volumes. */
export const storageSituations: readonly Situation[] = [
  {
    id: 'claim-missing',
    what: 'A volume names a claim that nobody made.',
    manifests: deployment(
      'web',
      'image: example/web:1',
      'volumes: [{ name: data, persistentVolumeClaim: { claimName: web-data } }]',
    ),
    after: 120,
    ask: 'Deployment.apps default/web',
    rule: 'pod.claim-missing',
    object: 'Pod web',
    names: /claim web-data .* does not exist/,
  },
  {
    id: 'storage-class',
    what: 'A claim names a storage class that does not exist.',
    manifests: `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
${deployment('web', 'image: example/web:1', 'volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]')}`,
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'claim.class-missing',
    object: 'PersistentVolumeClaim data',
    names: /storage class fast/,
  },
  {
    id: 'no-provisioner',
    what: 'A claim waits for a volume that somebody has to make by hand.',
    manifests: `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: local }
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: Immediate
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: local, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`,
    after: 200,
    ask: 'PersistentVolumeClaim default/data',
    rule: 'claim.no-volume',
    object: 'PersistentVolumeClaim data',
    names: /no free volume has 1Gi/,
  },
];
