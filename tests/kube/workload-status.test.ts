import { describe, expect, it } from 'vitest';
import { deploymentHealth, replicaSetHealth, statefulSetHealth } from '../../src/kube/workload-status.ts';

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

  it('gives the words of the controller that cannot make pods', () => {
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
