import { expect, test } from 'vitest';
import { create } from '../../src/playground/life/write.ts';
import { at, type Obj, type Rec, rec } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

const claims = '/persistentvolumeclaims';

/** A cluster with a claim of 1Gi of a class whose volumes can grow. */
function cluster(): Lab {
  const lab = new Lab();
  create(lab.world, 'storage.k8s.io/storageclasses', '', {
    metadata: { name: 'fast' },
    provisioner: 'disks.example.org',
    allowVolumeExpansion: true,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  });
  create(lab.world, claims, 'default', {
    metadata: { name: 'data' },
    spec: {
      storageClassName: 'fast',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  });
  lab.advance(5);
  return lab;
}

const claim = (lab: Lab): Obj => lab.get(claims, 'data');
const status = (lab: Lab): Rec => rec(claim(lab)['status']);

function ask(lab: Lab, storage: string): void {
  const spec = rec(claim(lab)['spec']);
  lab.change(claims, { ...claim(lab), spec: { ...spec, resources: { requests: { storage } } } });
}

function use(lab: Lab): void {
  create(lab.world, '/pods', 'default', {
    metadata: { name: 'user' },
    spec: {
      containers: [{ name: 'main', image: 'example/app:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  });
  lab.advance(10);
}

test('a volume grows by its driver first, then its file system where a pod uses it', () => {
  const lab = cluster();
  use(lab);
  ask(lab, '2Gi');
  lab.advance(1);
  expect(status(lab)).toMatchObject({
    capacity: { storage: '1Gi' },
    allocatedResources: { storage: '2Gi' },
    allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' },
    conditions: [{ type: 'Resizing', status: 'True' }],
  });
  lab.advance(4);
  const volume = lab.world.store.get('/persistentvolumes', String(at(claim(lab), 'spec', 'volumeName')));
  expect(at(volume, 'spec', 'capacity', 'storage')).toBe('2Gi');
  lab.advance(10);
  expect(status(lab)).toMatchObject({ capacity: { storage: '2Gi' }, allocatedResources: { storage: '2Gi' } });
  expect(status(lab)).not.toHaveProperty('conditions');
  expect(status(lab)).not.toHaveProperty('allocatedResourceStatuses');
  const name = volume?.metadata.name ?? '';
  const told = lab.events('data');
  for (const event of [
    'ExternalExpanding: waiting for an external controller to expand this PVC',
    `Resizing: External resizer is resizing volume ${name}`,
    'FileSystemResizeRequired: Require file system resize of volume on node',
  ]) {
    expect(told).toContain(`Normal ${event}`);
  }
  expect(told.join('\n')).toMatch(
    /FileSystemResizeSuccessful: MountVolume\.NodeExpandVolume succeeded for volume "pvc-[^"]+" node-\d/,
  );
});

test('a file system grows only once a pod uses it', () => {
  const lab = cluster();
  ask(lab, '3Gi');
  lab.advance(60);
  expect(status(lab)).toMatchObject({
    capacity: { storage: '1Gi' },
    allocatedResourceStatuses: { storage: 'NodeResizePending' },
    conditions: [
      {
        type: 'FileSystemResizePending',
        message: 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.',
      },
    ],
  });
  use(lab);
  lab.advance(10);
  expect(status(lab)).toMatchObject({ capacity: { storage: '3Gi' } });
});
