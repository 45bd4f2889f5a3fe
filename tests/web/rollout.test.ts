import { describe, expect, test } from 'vitest';
import { daemonSetHealth, deploymentHealth } from '../../src/kube/workload-status.ts';
import { rolloutOf } from '../../src/web/features/detail/rollout.ts';

const deployment = (replicas: number, status: Readonly<Record<string, unknown>>) =>
  ({
    spec: { replicas },
    metadata: { generation: 1 },
    status: { observedGeneration: 1, ...status },
  }) as never;

describe('the rollout of a workload', () => {
  test('counts what is available, what is not and what is too many', () => {
    const stuck = deployment(4, {
      replicas: 5,
      updatedReplicas: 2,
      availableReplicas: 3,
      conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
    });
    expect(rolloutOf(deploymentHealth(stuck), stuck, 0)).toEqual({
      summary: '4 desired, 3 available, 2 up to date',
      parts: [
        { tone: 'ok', count: 3, text: '3 available' },
        { tone: 'bad', count: 1, text: '1 not available' },
        { tone: 'idle', count: 1, text: '1 more than desired' },
      ],
    });
  });

  test('a rollout that goes on is no trouble', () => {
    const object = deployment(2, { replicas: 2, updatedReplicas: 1, availableReplicas: 1 });
    const state = rolloutOf(deploymentHealth(object), object, 0);
    expect(state?.parts.map(({ tone, count }) => [tone, count])).toEqual([
      ['ok', 1],
      ['info', 1],
    ]);
  });

  test('has nothing to draw without pods, and for other kinds', () => {
    const none = deployment(0, {});
    expect(rolloutOf(deploymentHealth(none), none, 0)).toBeUndefined();
    expect(rolloutOf(undefined, {}, 0)).toBeUndefined();
  });

  test('a daemon set wants a pod on each node', () => {
    const status = {
      desiredNumberScheduled: 6,
      numberAvailable: 5,
      updatedNumberScheduled: 6,
      numberReady: 5,
    };
    const object = { status };
    const state = rolloutOf(daemonSetHealth(object), object as never, 0);
    expect(state?.summary).toBe('6 desired, 5 available, 6 up to date');
    expect(state?.parts.at(-1)).toEqual({ tone: 'warn', count: 1, text: '1 not available' });
  });
});
