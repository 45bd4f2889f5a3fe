import { describe, expect, test } from 'vitest';
import { create } from '../../src/playground/life/write.ts';
import { at, type Obj, type Rec, rec, recs } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

const image = (pod: Obj) => recs(at(pod, 'spec', 'containers'))[0]?.['image'];
const staying = (pods: readonly Obj[]) => pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);

/** Changes fields of an object's spec. */
function respec(lab: Lab, storage: string, name: string, fields: Rec): void {
  const object = lab.get(storage, name);
  const generation = (object.metadata.generation ?? 0) + 1;
  lab.change(storage, {
    ...object,
    metadata: { ...object.metadata, generation },
    spec: { ...rec(object['spec']), ...fields },
  });
}

const withImage = (object: Obj, wanted: string): Rec => {
  const template = rec(at(object, 'spec', 'template'));
  const spec = rec(template['spec']);
  const [first, ...others] = recs(spec['containers']);
  return { ...template, spec: { ...spec, containers: [{ ...first, image: wanted }, ...others] } };
};

describe('a Deployment', () => {
  test('that recreates has no pod of the new template before the last old one is gone', () => {
    const lab = new Lab();
    lab.deploy('shop', { spec: { strategy: { type: 'Recreate' } } });
    lab.advance(20);
    lab.release('shop', 'example/app:2');
    for (let step = 0; step < 200; step++) {
      lab.advance(0.1);
      expect(new Set(lab.pods('shop').map(image)).size).toBeLessThanOrEqual(1);
    }
    expect(lab.pods('shop').map(image)).toEqual(Array.from({ length: 3 }, () => 'example/app:2'));
  });

  test('that is paused keeps its pods, can be scaled, and rolls out once it is resumed', () => {
    const lab = new Lab();
    lab.deploy('shop');
    lab.advance(20);
    respec(lab, 'apps/deployments', 'shop', { paused: true });
    lab.advance(1);
    expect(lab.condition(lab.deployment('shop'), 'Progressing')).toMatchObject({
      status: 'Unknown',
      reason: 'DeploymentPaused',
      message: 'Deployment is paused',
    });
    lab.release('shop', 'example/app:2');
    respec(lab, 'apps/deployments', 'shop', { replicas: 4 });
    lab.advance(20);
    expect(lab.pods('shop').map(image)).toEqual(Array.from({ length: 4 }, () => 'example/app:1'));
    respec(lab, 'apps/deployments', 'shop', { paused: false });
    lab.advance(60);
    expect(lab.pods('shop').map(image)).toEqual(Array.from({ length: 4 }, () => 'example/app:2'));
    expect(lab.condition(lab.deployment('shop'), 'Progressing')).toMatchObject({
      reason: 'NewReplicaSetAvailable',
    });
  });

  test('distributes new pods in proportion when it is scaled during a rollout', () => {
    const lab = new Lab({ nodes: 6 });
    lab.deploy('shop', {
      replicas: 10,
      spec: { strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } },
    });
    lab.advance(20);
    lab.release('shop', 'example/app:missing');
    lab.advance(20);
    const sizes = () =>
      lab.world.store.list('apps/replicasets', 'default/').map((set) => Number(at(set, 'spec', 'replicas')));
    expect(sizes().sort((a, b) => a - b)).toEqual([5, 8]);
    respec(lab, 'apps/deployments', 'shop', { replicas: 15 });
    lab.advance(1);
    expect(sizes().sort((a, b) => a - b)).toEqual([7, 11]);
  });

  test('keeps as many old sets as its history limit allows', () => {
    const lab = new Lab();
    lab.deploy('shop', { spec: { revisionHistoryLimit: 1 } });
    for (const version of [2, 3, 4]) {
      lab.advance(40);
      lab.release('shop', `example/app:${version}`);
    }
    lab.advance(60);
    expect(lab.world.store.list('apps/replicasets', 'default/')).toHaveLength(2);
  });

  test('reports why the API refuses its pods', () => {
    const lab = new Lab();
    lab.deploy('shop', { spec: { replicas: 1 } });
    lab.advance(20);
    const template = rec(at(lab.deployment('shop'), 'spec', 'template'));
    const spec = { ...rec(template['spec']), priorityClassName: 'nobody' };
    respec(lab, 'apps/deployments', 'shop', { template: { ...template, spec } });
    lab.advance(5);
    const failure = lab.condition(lab.deployment('shop'), 'ReplicaFailure');
    const [set] = lab.world.store
      .list('apps/replicasets', 'default/')
      .filter((item) => at(item, 'spec', 'template', 'spec', 'priorityClassName') === 'nobody');
    const refused = lab.pods('shop').every((pod) => at(pod, 'spec', 'priorityClassName') !== 'nobody');
    expect([refused, set === undefined]).toEqual([true, false]);
    expect(failure).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    expect(String(failure['message'])).toContain('no PriorityClass with name nobody was found');
    expect(lab.events(set?.metadata.name ?? '')).toContain(
      `Warning FailedCreate: Error creating: ${String(failure['message'])}`,
    );
  });
});

test('a ReplicaSet releases a pod whose labels change, replaces it, and adopts it again', () => {
  const lab = new Lab();
  lab.deploy('shop', { replicas: 1 });
  lab.advance(20);
  const [pod] = lab.pods('shop');
  const name = pod?.metadata.name ?? '';
  const labels = { ...pod?.metadata.labels };
  const relabel = (next: Record<string, string>) => {
    const now = lab.get('/pods', name);
    lab.change('/pods', { ...now, metadata: { ...now.metadata, labels: next } });
  };
  relabel({ app: 'aside' });
  lab.advance(10);
  expect(lab.get('/pods', name).metadata.ownerReferences).toBeUndefined();
  expect(lab.pods('shop')).toHaveLength(1);
  relabel(labels);
  lab.advance(10);
  expect(staying(lab.pods('shop'))).toHaveLength(1);
});

describe('a StatefulSet', () => {
  const make = (lab: Lab, spec: Rec = {}) =>
    create(lab.world, 'apps/statefulsets', 'default', {
      metadata: { name: 'db' },
      spec: {
        replicas: 3,
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: {
          metadata: { labels: { app: 'db' } },
          spec: { containers: [{ name: 'main', image: 'example/db:1' }] },
        },
        ...spec,
      },
    });
  const release = (lab: Lab, wanted: string) => {
    const set = lab.get('apps/statefulsets', 'db');
    respec(lab, 'apps/statefulsets', 'db', { template: withImage(set, wanted) });
  };

  test('updates from the last pod to the first, each ready before the next', () => {
    const lab = new Lab();
    make(lab);
    lab.advance(60);
    release(lab, 'example/db:2');
    const order: string[] = [];
    for (let step = 0; step < 600; step++) {
      lab.advance(0.1);
      for (const pod of lab.pods('db')) {
        const name = pod.metadata.name ?? '';
        if (image(pod) === 'example/db:2' && !order.includes(name)) order.push(name);
      }
      expect(staying(lab.pods('db')).length).toBeGreaterThanOrEqual(2);
    }
    expect(order).toEqual(['db-2', 'db-1', 'db-0']);
    const status = rec(lab.get('apps/statefulsets', 'db')['status']);
    expect(status['currentRevision']).toBe(status['updateRevision']);
    expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, currentReplicas: 3, updatedReplicas: 3 });
  });

  test('keeps pods below the partition at the current revision, even recreated ones', () => {
    const lab = new Lab();
    make(lab, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
    lab.advance(60);
    release(lab, 'example/db:2');
    lab.advance(60);
    lab.remove('/pods', 'db-0');
    lab.advance(60);
    expect(lab.pods('db').map(image)).toEqual(['example/db:1', 'example/db:1', 'example/db:2']);
    expect(rec(lab.get('apps/statefulsets', 'db')['status'])).toMatchObject({
      currentReplicas: 2,
      updatedReplicas: 1,
    });
  });

  test('starts all pods at once with parallel pod management', () => {
    const lab = new Lab();
    make(lab, { podManagementPolicy: 'Parallel' });
    lab.advance(0.1);
    expect(lab.pods('db')).toHaveLength(3);
  });

  test('deletes claims by its retention policy', () => {
    const lab = new Lab();
    create(lab.world, 'storage.k8s.io/storageclasses', '', {
      metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'csi.example.net',
    });
    make(lab, {
      persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    });
    lab.advance(60);
    const claims = () =>
      lab.world.store.list('/persistentvolumeclaims', 'default/').map((claim) => claim.metadata.name);
    expect(claims()).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
    expect(lab.world.store.list('/persistentvolumes').map((volume) => at(volume, 'status', 'phase'))).toEqual(
      ['Bound', 'Bound', 'Bound'],
    );
    respec(lab, 'apps/statefulsets', 'db', { replicas: 1 });
    lab.advance(60);
    expect(claims()).toEqual(['data-db-0']);
    expect(lab.world.store.list('/persistentvolumes')).toHaveLength(1);
    lab.remove('apps/statefulsets', 'db');
    lab.advance(60);
    expect(claims()).toEqual(['data-db-0']);
  });
});

describe('a DaemonSet', () => {
  const make = (lab: Lab, spec: Rec = {}, pod: Rec = {}) =>
    create(lab.world, 'apps/daemonsets', 'default', {
      metadata: { name: 'agent' },
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template: {
          metadata: { labels: { app: 'agent' } },
          spec: { containers: [{ name: 'main', image: 'example/agent:1' }], ...pod },
        },
        ...spec,
      },
    });

  test('replaces its pods one by one, or surges first', () => {
    const ways = [
      { rollingUpdate: { maxUnavailable: 1 }, least: 2 },
      { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }, least: 3 },
    ];
    for (const { rollingUpdate, least } of ways) {
      const lab = new Lab();
      make(lab, { updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
      lab.advance(20);
      const set = lab.get('apps/daemonsets', 'agent');
      respec(lab, 'apps/daemonsets', 'agent', { template: withImage(set, 'example/agent:2') });
      for (let step = 0; step < 400; step++) {
        lab.advance(0.1);
        const ready = staying(lab.pods('agent')).filter(
          (pod) => lab.condition(pod, 'Ready')['status'] === 'True',
        );
        expect(ready.length).toBeGreaterThanOrEqual(least);
      }
      expect(lab.pods('agent').map(image)).toEqual(Array.from({ length: 3 }, () => 'example/agent:2'));
    }
  });

  test('runs where its node selector and tolerations allow, also on cordoned nodes', () => {
    const lab = new Lab();
    const change = (name: string, fields: { labels?: Record<string, string>; spec?: Rec }) => {
      const node = lab.world.store.get('/nodes', name) as Obj;
      lab.change('/nodes', {
        ...node,
        metadata: { ...node.metadata, labels: { ...node.metadata.labels, ...fields.labels } },
        spec: { ...rec(node['spec']), ...fields.spec },
      });
    };
    change('node-1', { labels: { disk: 'ssd' }, spec: { unschedulable: true } });
    change('node-2', {
      labels: { disk: 'ssd' },
      spec: { taints: [{ key: 'team', value: 'data', effect: 'NoSchedule' }] },
    });
    make(lab, {}, { nodeSelector: { disk: 'ssd' } });
    lab.advance(20);
    expect(lab.pods('agent').map((pod) => at(pod, 'spec', 'nodeName'))).toEqual(['node-1']);
    expect(rec(lab.get('apps/daemonsets', 'agent')['status'])).toMatchObject({
      desiredNumberScheduled: 1,
      numberReady: 1,
    });
    change('node-3', { labels: { disk: 'ssd' } });
    lab.advance(20);
    expect(lab.pods('agent')).toHaveLength(2);
  });
});
