import { describe, expect, test } from 'vitest';
import { at, recs, str } from '../../src/playground/kit/values.ts';
import { create } from '../../src/playground/life/write.ts';
import { podHealth } from '../../src/kube/pod-status.ts';
import { Lab } from './lab.ts';

describe('a Deployment', () => {
  test('gets its pods through a ReplicaSet, ready and on different nodes', () => {
    const lab = new Lab();
    lab.deploy('shop');
    lab.advance(20);
    expect(lab.statuses('shop')).toEqual(['Running', 'Running', 'Running']);
    expect(new Set(lab.pods('shop').map((pod) => at(pod, 'spec', 'nodeName'))).size).toBe(3);
    const deployment = lab.deployment('shop');
    expect(deployment['status']).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      updatedReplicas: 3,
    });
    expect(lab.condition(deployment, 'Available')).toMatchObject({
      status: 'True',
      reason: 'MinimumReplicasAvailable',
      message: 'Deployment has minimum availability.',
    });
    expect(lab.condition(deployment, 'Progressing')).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
    });
    const [set] = lab.world.store.list('apps/replicasets', 'default/');
    expect(lab.events('shop')).toContain(
      `Normal ScalingReplicaSet: Scaled up replica set ${set?.metadata.name} from 0 to 3`,
    );
  });

  test('never has more or fewer pods during a rollout than surge and unavailability allow', () => {
    const lab = new Lab();
    lab.deploy('shop', {
      replicas: 4,
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } },
    });
    lab.advance(30);
    lab.release('shop', 'example/app:2');
    for (let step = 0; step < 300; step++) {
      lab.advance(0.1);
      const active = lab.pods('shop').filter((pod) => pod.metadata.deletionTimestamp === undefined);
      expect(active.length).toBeLessThanOrEqual(5);
      const ready = active.filter((pod) => podHealth(pod).ready === 1);
      expect(ready.length).toBeGreaterThanOrEqual(3);
    }
    const images = lab.pods('shop').map((pod) => recs(at(pod, 'spec', 'containers'))[0]?.['image']);
    expect(images).toEqual(Array.from({ length: 4 }, () => 'example/app:2'));
    expect(lab.deployment('shop').metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('2');
  });

  test('reuses the earlier ReplicaSet when its template returns', () => {
    const lab = new Lab();
    lab.deploy('shop');
    lab.advance(20);
    const [first] = lab.world.store.list('apps/replicasets', 'default/');
    lab.release('shop', 'example/app:2');
    lab.advance(60);
    lab.change('apps/deployments', {
      ...lab.deployment('shop'),
      spec: {
        ...(lab.deployment('shop')['spec'] as object),
        template: { ...(at(first, 'spec', 'template') as object), metadata: { labels: { app: 'shop' } } },
      },
    });
    lab.advance(60);
    const sets = lab.world.store.list('apps/replicasets', 'default/');
    expect(sets).toHaveLength(2);
    const current = sets.find((set) => set.metadata.name === first?.metadata.name);
    expect(at(current, 'status', 'readyReplicas')).toBe(3);
    expect(current?.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
  });

  test('reports after its progress deadline that it is stuck, and keeps the old pods serving', () => {
    const lab = new Lab();
    lab.deploy('shop', { spec: { progressDeadlineSeconds: 60 } });
    lab.advance(20);
    lab.release('shop', 'example/app:does-not-exist');
    lab.advance(120);
    const deployment = lab.deployment('shop');
    expect(lab.condition(deployment, 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    });
    expect(lab.condition(deployment, 'Available')['status']).toBe('True');
    expect(at(deployment, 'status', 'availableReplicas')).toBe(3);
  });

  test('deletes its ReplicaSets and pods with it', () => {
    const lab = new Lab();
    lab.deploy('shop');
    lab.advance(20);
    lab.remove('apps/deployments', 'shop');
    lab.advance(60);
    expect(lab.world.store.list('apps/replicasets', 'default/')).toEqual([]);
    expect(lab.pods('shop')).toEqual([]);
  });

  test('keeps its pods when they are orphaned, and waits for them in the foreground', () => {
    const lab = new Lab();
    lab.deploy('kept');
    lab.deploy('gone');
    lab.advance(20);
    lab.remove('apps/deployments', 'kept', 'Orphan');
    lab.remove('apps/deployments', 'gone', 'Foreground');
    lab.advance(0.5);
    expect(lab.deployment('gone').metadata.finalizers).toEqual(['foregroundDeletion']);
    lab.advance(60);
    expect(lab.pods('kept')).toHaveLength(3);
    expect(lab.world.store.get('apps/deployments', 'default/kept')).toBeUndefined();
    expect(lab.world.store.get('apps/deployments', 'default/gone')).toBeUndefined();
    expect(lab.pods('gone')).toEqual([]);
  });
});

describe('the simulated kubelet', () => {
  test('restarts a crashing container with a growing back-off of at most five minutes', () => {
    const lab = new Lab();
    lab.deploy('worker', { replicas: 1, behaviour: 'crash-loop' });
    const waits = new Set<string>();
    for (let second = 0; second < 3600; second += 2) {
      lab.advance(2);
      const waiting = at(
        recs(at(lab.pods('worker')[0], 'status', 'containerStatuses'))[0],
        'state',
        'waiting',
      );
      const message = str(at(waiting, 'message'));
      const pause = /^back-off (\S+) restarting failed container=main pod=worker-/.exec(message)?.[1];
      if (pause !== undefined) waits.add(pause);
    }
    expect([...waits]).toEqual(['10s', '20s', '40s', '1m20s', '2m40s', '5m0s']);
    const [pod] = lab.pods('worker');
    expect(recs(at(pod, 'status', 'containerStatuses'))[0]).toMatchObject({
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    });
    expect(
      lab
        .events('worker')
        .some((event) =>
          event.startsWith('Warning BackOff: Back-off restarting failed container main in pod worker-'),
        ),
    ).toBe(true);
  });

  test('reports a killed container as OOMKilled with code 137', () => {
    const lab = new Lab();
    lab.deploy('hungry', { replicas: 1, behaviour: 'oom' });
    lab.advance(150);
    expect(recs(at(lab.pods('hungry')[0], 'status', 'containerStatuses'))[0]).toMatchObject({
      lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
    });
  });

  test('retries an image that does not exist, and continues when it is corrected', () => {
    const lab = new Lab();
    lab.deploy('shop', { replicas: 1, behaviour: 'image-pull' });
    const seen = new Set<string>();
    for (let step = 0; step < 60; step++) {
      lab.advance(1);
      for (const status of lab.statuses('shop')) seen.add(status);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['ContainerCreating', 'ErrImagePull', 'ImagePullBackOff']),
    );
    expect(
      lab
        .events('shop')
        .some((event) =>
          event.startsWith(
            'Warning Failed: Failed to pull image "example/app:1": rpc error: code = NotFound',
          ),
        ),
    ).toBe(true);
    const deployment = lab.deployment('shop');
    const spec = structuredClone(deployment['spec']) as { template: { metadata: { annotations?: unknown } } };
    delete spec.template.metadata.annotations;
    lab.change('apps/deployments', { ...deployment, spec });
    lab.advance(60);
    expect(lab.statuses('shop')).toEqual(['Running']);
  });

  test('never marks a pod ready whose readiness probe fails', () => {
    const lab = new Lab();
    lab.deploy('shop', { replicas: 1, behaviour: 'unready' });
    lab.advance(300);
    expect(podHealth(lab.pods('shop')[0] ?? {})).toMatchObject({ reason: 'Running', ready: 0, total: 1 });
    expect(lab.events('shop')).toContain(
      'Warning Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503',
    );
  });

  test('gives a pod its grace period before it disappears', () => {
    const lab = new Lab();
    lab.deploy('shop', { replicas: 1 });
    lab.advance(20);
    const name = lab.pods('shop')[0]?.metadata.name ?? '';
    lab.remove('/pods', name);
    lab.advance(0.5);
    expect(podHealth(lab.get('/pods', name)).reason).toBe('Terminating');
    lab.advance(30);
    expect(lab.world.store.get('/pods', `default/${name}`)).toBeUndefined();
    expect(lab.statuses('shop')).toEqual(['Running']);
  });
});

describe('the scheduler', () => {
  test('reports why no node fits a pod, in its own words, and schedules it when one is added', () => {
    const lab = new Lab();
    lab.deploy('giant', { replicas: 1, resources: { requests: { cpu: '6' } } });
    lab.advance(5);
    const message =
      '0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
    expect(lab.condition(lab.pods('giant')[0] ?? ({} as never), 'PodScheduled')).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message,
    });
    expect(lab.events('giant')).toContain(`Warning FailedScheduling: ${message}`);
    create(lab.world, '/nodes', '', {
      metadata: { name: 'big' },
      spec: { podCIDR: '10.244.9.0/24' },
      status: {
        allocatable: { cpu: '16', memory: '64Gi', pods: '110' },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    });
    lab.advance(20);
    expect(lab.statuses('giant')).toEqual(['Running']);
  });

  test('keeps pods away from cordoned and tainted nodes', () => {
    const lab = new Lab();
    const node = (name: string) => lab.world.store.get('/nodes', name) ?? ({} as never);
    lab.change('/nodes', { ...node('node-1'), spec: { unschedulable: true } });
    lab.change('/nodes', { ...node('node-2'), spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } });
    lab.deploy('shop', { replicas: 4 });
    lab.advance(20);
    expect(new Set(lab.pods('shop').map((pod) => at(pod, 'spec', 'nodeName')))).toEqual(new Set(['node-3']));
  });
});

describe('other controllers', () => {
  test('a StatefulSet starts its pods one after the other, each with a claim', () => {
    const lab = new Lab();
    create(lab.world, 'storage.k8s.io/storageclasses', '', {
      metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'example.com/disk',
    });
    create(lab.world, 'apps/statefulsets', 'default', {
      metadata: { name: 'base' },
      spec: {
        replicas: 3,
        serviceName: 'base',
        selector: { matchLabels: { app: 'base' } },
        template: {
          metadata: { labels: { app: 'base' } },
          spec: { containers: [{ name: 'main', image: 'example/base:1' }] },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    });
    lab.advance(0.5);
    expect(lab.pods('base').map((pod) => pod.metadata.name)).toEqual(['base-0']);
    lab.advance(60);
    expect(lab.pods('base').map((pod) => pod.metadata.name)).toEqual(['base-0', 'base-1', 'base-2']);
    expect(at(lab.get('/persistentvolumeclaims', 'data-base-1'), 'status', 'phase')).toBe('Bound');
    expect(lab.get('apps/statefulsets', 'base')['status']).toMatchObject({
      readyReplicas: 3,
      updatedReplicas: 3,
    });
  });

  test('a Job completes with its pods, another one fails at its back-off limit', () => {
    const lab = new Lab();
    const job = (name: string, behaviour: string) =>
      create(lab.world, 'batch/jobs', 'default', {
        metadata: { name },
        spec: {
          completions: 2,
          backoffLimit: 1,
          template: {
            metadata: { annotations: { 'playground/behaviour': behaviour } },
            spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example/job:1' }] },
          },
        },
      });
    job('good', 'exit-0');
    job('bad', 'exit-1');
    lab.advance(300);
    expect(lab.condition(lab.get('batch/jobs', 'good'), 'Complete')).toMatchObject({
      status: 'True',
      reason: 'CompletionsReached',
    });
    expect(at(lab.get('batch/jobs', 'good'), 'status', 'succeeded')).toBe(2);
    expect(lab.condition(lab.get('batch/jobs', 'bad'), 'Failed')).toMatchObject({
      status: 'True',
      reason: 'BackoffLimitExceeded',
    });
  });

  test('a namespace that is deleted deletes everything in it', () => {
    const lab = new Lab();
    create(lab.world, '/namespaces', '', { metadata: { name: 'side' } });
    create(lab.world, '/configmaps', 'side', { metadata: { name: 'settings' } });
    create(lab.world, '/pods', 'side', {
      metadata: { name: 'one' },
      spec: { containers: [{ name: 'main', image: 'example/app:1' }] },
    });
    lab.advance(20);
    const namespace = lab.world.store.get('/namespaces', 'side');
    if (namespace === undefined) throw new Error('the namespace is missing');
    const resource = lab.world.registry.ofStorage('/namespaces');
    if (resource === undefined) throw new Error('the resource is missing');
    lab.change('/namespaces', {
      ...namespace,
      metadata: { ...namespace.metadata, deletionTimestamp: '2026-03-01T08:00:21Z' },
      status: { phase: 'Terminating' },
    });
    lab.advance(60);
    expect(lab.world.store.get('/namespaces', 'side')).toBeUndefined();
    expect(lab.world.store.list('/configmaps', 'side/')).toEqual([]);
  });

  test('a service lists its ready pods, and drops one that is not ready', () => {
    const lab = new Lab();
    create(lab.world, '/services', 'default', {
      metadata: { name: 'shop' },
      spec: { selector: { app: 'shop' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    lab.deploy('shop', { replicas: 2 });
    lab.advance(30);
    const slice = () =>
      lab.world.store
        .list('discovery.k8s.io/endpointslices', 'default/')
        .find((item) => item.metadata.labels?.['kubernetes.io/service-name'] === 'shop');
    expect(recs(slice()?.['endpoints']).map((item) => at(item, 'conditions', 'ready'))).toEqual([true, true]);
    expect(recs(slice()?.['ports'])).toEqual([{ name: '', protocol: 'TCP', port: 8080 }]);
  });

  test('nodes renew their leases, and events expire after an hour', () => {
    const lab = new Lab();
    lab.deploy('shop', { replicas: 1 });
    lab.advance(60);
    const lease = () =>
      at(lab.world.store.get('coordination.k8s.io/leases', 'kube-node-lease/node-1'), 'spec', 'renewTime');
    const before = lease();
    lab.advance(15);
    expect(lease()).not.toBe(before);
    expect(lab.events('shop').length).toBeGreaterThan(0);
    lab.advance(3700);
    expect(lab.events('shop')).toEqual([]);
  });
});
