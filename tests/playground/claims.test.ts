import { expect, test } from 'vitest';
import { create } from '../../src/playground/life/write.ts';
import { at, type Obj, type Rec } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

const claims = '/persistentvolumeclaims';

/** A cluster with a class that waits for the first consumer, and a claim of it. */
function cluster(provisioner: string): Lab {
  const lab = new Lab();
  create(lab.world, 'storage.k8s.io/storageclasses', '', {
    metadata: { name: 'late' },
    provisioner,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  create(lab.world, claims, 'default', {
    metadata: { name: 'data' },
    spec: {
      storageClassName: 'late',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  });
  lab.advance(1);
  return lab;
}

const claim = (lab: Lab): Obj => lab.get(claims, 'data');

function use(lab: Lab, spec: Rec = {}): () => Obj {
  create(lab.world, '/pods', 'default', {
    metadata: { name: 'user' },
    spec: {
      containers: [{ name: 'main', image: 'example/app:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      ...spec,
    },
  });
  lab.advance(5);
  return () => lab.get('/pods', 'user');
}

test('a claim waits for its first pod, for that pod to be scheduled, then for its provisioner', () => {
  const lab = cluster('disks.example.org');
  expect(lab.events('data')).toEqual([
    'Normal WaitForFirstConsumer: waiting for first consumer to be created before binding',
  ]);
  const pod = use(lab, { nodeSelector: { disk: 'ssd' } });
  expect(at(claim(lab), 'status', 'phase')).toBe('Pending');
  expect(lab.events('data')).toContain('Normal WaitForPodScheduled: waiting for pod user to be scheduled');
  const node = lab.world.store.get('/nodes', 'node-2') as Obj;
  const labels = { ...node.metadata.labels, disk: 'ssd' };
  lab.change('/nodes', { ...node, metadata: { ...node.metadata, labels } });
  lab.advance(15);
  expect(at(pod(), 'spec', 'nodeName')).toBe('node-2');
  expect(at(claim(lab), 'status', 'phase')).toBe('Bound');
  expect(claim(lab).metadata.annotations).toMatchObject({
    'volume.beta.kubernetes.io/storage-provisioner': 'disks.example.org',
    'volume.kubernetes.io/storage-provisioner': 'disks.example.org',
    'volume.kubernetes.io/selected-node': 'node-2',
  });
  expect(lab.events('data').join('\n')).toContain(
    "Normal ExternalProvisioning: Waiting for a volume to be created either by the external provisioner 'disks.example.org' or manually by the system administrator.",
  );
});

test('a claim of a class without provisioner takes a volume of the node, and without one its pod is not scheduled', () => {
  const lab = cluster('kubernetes.io/no-provisioner');
  const pod = use(lab);
  expect(lab.events('user').join('\n')).toContain(
    "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.",
  );
  for (const [name, host, storage] of [
    ['small', 'node-1', '512Mi'],
    ['local', 'node-3', '2Gi'],
  ] as const) {
    const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [host] }];
    create(lab.world, '/persistentvolumes', '', {
      metadata: { name },
      spec: {
        capacity: { storage },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'late',
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
        local: { path: '/disk' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      },
    });
  }
  lab.advance(15);
  expect(at(pod(), 'spec', 'nodeName')).toBe('node-3');
  expect(claim(lab)).toMatchObject({ spec: { volumeName: 'local' }, status: { phase: 'Bound' } });
});
