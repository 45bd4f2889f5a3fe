import { describe, expect, it } from 'vitest';
import {
  daemonSetHealth,
  deploymentHealth,
  healthAt,
  replicaSetHealth,
  statefulSetHealth,
} from '../../src/kube/workload-status.ts';

const settled = {
  observedGeneration: 1,
  replicas: 2,
  updatedReplicas: 2,
  readyReplicas: 2,
  availableReplicas: 2,
};

describe('health of a deployment', () => {
  const of = (spec: object, status: object, generation = 1) =>
    deploymentHealth({ metadata: { generation }, spec: { replicas: 2, ...spec }, status }).state;

  it.each([
    ['available', {}, settled],
    ['progressing', {}, { ...settled, updatedReplicas: 1 }],
    ['progressing', {}, { ...settled, replicas: 3 }],
    ['progressing', {}, { ...settled, observedGeneration: 0 }],
    [
      'progressing',
      {},
      {
        ...settled,
        availableReplicas: 0,
        conditions: [{ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }],
      },
    ],
    ['degraded', {}, { ...settled, availableReplicas: 1 }],
    [
      'unavailable',
      {},
      { ...settled, availableReplicas: 0, conditions: [{ type: 'Available', status: 'False' }] },
    ],
    ['paused', { paused: true }, settled],
    [
      'stuck',
      {},
      {
        ...settled,
        updatedReplicas: 1,
        conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
      },
    ],
    ['empty', { replicas: 0 }, { observedGeneration: 1 }],
    ['progressing', { replicas: 0 }, { observedGeneration: 1, replicas: 1 }],
  ])('is %s', (state, spec, status) => expect(of(spec, status)).toBe(state));

  it('gives the message of a controller that cannot create pods', () => {
    const conditions = [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }];
    expect(deploymentHealth({ status: { conditions } }).message).toBe('exceeded quota');
  });
});

describe('health of a stateful set', () => {
  const same = { currentRevision: 'a', updateRevision: 'a' };
  it.each([
    ['available', {}, { replicas: 2, readyReplicas: 2, ...same }],
    ['degraded', {}, { replicas: 2, readyReplicas: 1, ...same }],
    ['unavailable', {}, { replicas: 2, ...same }],
    ['progressing', {}, { replicas: 1, ...same }],
    [
      'progressing',
      {},
      { replicas: 2, readyReplicas: 2, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
    ],
    [
      'available',
      { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
      { replicas: 2, readyReplicas: 2, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
    ],
    [
      'available',
      { updateStrategy: { type: 'OnDelete' } },
      { replicas: 2, readyReplicas: 2, currentRevision: 'a', updateRevision: 'b' },
    ],
    ['empty', { replicas: 0 }, {}],
  ])('is %s', (state, spec, status) =>
    expect(statefulSetHealth({ spec: { replicas: 2, ...spec }, status }).state).toBe(state),
  );
});

describe('health of a replica set', () => {
  it.each([
    ['available', { replicas: 1 }, { replicas: 1, readyReplicas: 1 }],
    ['unavailable', { replicas: 1 }, { replicas: 1 }],
    ['degraded', { replicas: 2 }, { replicas: 2, readyReplicas: 1 }],
    ['progressing', { replicas: 1 }, { replicas: 2, readyReplicas: 2 }],
    ['empty', { replicas: 0 }, {}],
    ['stuck', { replicas: 1 }, { conditions: [{ type: 'ReplicaFailure', status: 'True' }] }],
  ])('is %s', (state, spec, status) => expect(replicaSetHealth({ spec, status }).state).toBe(state));
});

/** A time some seconds after midnight. */
const iso = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const epoch = (seconds: number) => Date.UTC(2026, 0, 1) / 1000 + seconds;
const written = (subresource: string, seconds: number) => ({
  manager: 'kube-controller-manager',
  time: iso(seconds),
  ...(subresource === '' ? { fieldsV1: { 'f:spec': { 'f:replicas': {} } } } : { subresource }),
});
const made = iso(-86_400);

describe('a scale-up', () => {
  /** The state that a real controller leaves: Progressing still describes the last rollout. */
  const scaled = (writes: unknown[], lostAt: number, deadline?: number) =>
    deploymentHealth({
      metadata: { generation: 1, creationTimestamp: made, managedFields: writes },
      spec: { replicas: 5, ...(deadline === undefined ? {} : { progressDeadlineSeconds: deadline }) },
      status: {
        ...settled,
        replicas: 5,
        updatedReplicas: 5,
        availableReplicas: 1,
        conditions: [
          {
            type: 'Progressing',
            status: 'True',
            reason: 'NewReplicaSetAvailable',
            lastUpdateTime: iso(-3_600),
          },
          { type: 'Available', status: 'False', lastTransitionTime: iso(lostAt) },
        ],
      },
    });

  it.each(['scale', ''])(
    'is progress of a Deployment until its deadline (written by “%s”)',
    (subresource) => {
      const health = scaled([written(subresource, 0)], 1, 120);
      expect(healthAt(health, epoch(119)).state).toBe('progressing');
      expect(healthAt(health, epoch(120))).toMatchObject({ state: 'unavailable', available: 1 });
    },
  );

  it('is no excuse for a Deployment that was unavailable before, or whose status alone was written', () => {
    expect(scaled([written('scale', 0)], -600).state).toBe('unavailable');
    expect(scaled([written('status', 0)], 1).state).toBe('unavailable');
  });

  it('in several steps is progress of a Deployment until the deadline of the first step that it lost pods by', () => {
    const health = scaled([written('scale', 0)], -60, 120);
    expect(healthAt(health, epoch(59)).state).toBe('progressing');
    expect(healthAt(health, epoch(60)).state).toBe('unavailable');
  });

  it('is progress of a Deployment without a deadline for ten minutes', () => {
    const health = scaled([written('scale', 0)], 1, 2_147_483_647);
    expect(health).toMatchObject({ state: 'progressing', later: { at: epoch(600), state: 'unavailable' } });
  });

  it('is progress of other workloads for ten minutes after their creation or a write to their spec', () => {
    const managedFields = [written('scale', 0), written('status', 30)];
    const metadata = { creationTimestamp: made, managedFields };
    const status = { replicas: 2, readyReplicas: 0, currentRevision: 'a', updateRevision: 'a' };
    const later = { at: epoch(600), state: 'unavailable' };
    const young = { creationTimestamp: iso(0) };
    const counts = { desiredNumberScheduled: 2, updatedNumberScheduled: 2 };
    for (const health of [
      statefulSetHealth({ metadata, spec: { replicas: 2 }, status }),
      statefulSetHealth({ metadata: young, spec: { replicas: 2 }, status }),
      replicaSetHealth({ metadata, spec: { replicas: 2 }, status }),
      daemonSetHealth({ metadata: young, status: counts }),
    ])
      expect(health).toMatchObject({ state: 'progressing', later });
  });
});

describe('a rollout without a deadline of its own', () => {
  it('is stuck if nothing was written for ten minutes', () => {
    const metadata = { creationTimestamp: made, managedFields: [written('', 0), written('status', 50)] };
    const later = { at: epoch(650), state: 'stuck' };
    expect(
      statefulSetHealth({
        metadata,
        spec: { replicas: 2 },
        status: { replicas: 2, readyReplicas: 1, updatedReplicas: 1, updateRevision: 'b' },
      }),
    ).toMatchObject({ state: 'progressing', later });
    expect(
      daemonSetHealth({
        metadata,
        status: { desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 1 },
      }),
    ).toMatchObject({ state: 'progressing', later });
  });

  it('allows the pod of a new node a minute', () => {
    const metadata = { creationTimestamp: made, managedFields: [written('status', 0)] };
    const status = { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 };
    const health = daemonSetHealth({ metadata, status });
    expect([healthAt(health, epoch(59)).state, healthAt(health, epoch(60)).state]).toEqual([
      'progressing',
      'degraded',
    ]);
  });
});
