import { describe, expect, test } from 'vitest';
import { pod } from '../../commands/kinds/pod.ts';
import type { Pod } from '../../src/kube/core.ts';
import { statusAt } from '../../src/registry/kinds/kind.ts';

const start = Date.UTC(2026, 0, 1) / 1000;
const iso = (seconds: number) => new Date((start + seconds) * 1000).toISOString();
const containers = [{ name: 'web' }];

/** Label and tone of a pod some seconds after its creation. */
function statusOf(object: Pod, seconds: number): string {
  const status = pod.status?.(object);
  if (status === undefined) throw new Error('A pod has a status.');
  const { label, tone } = statusAt(status, start + seconds);
  return `${label} ${tone}`;
}

const running = (readySince: number): Pod => ({
  spec: { containers },
  status: {
    phase: 'Running',
    startTime: iso(0),
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: iso(readySince) }],
    containerStatuses: [{ name: 'web', ready: false, state: { running: { startedAt: iso(2) } } }],
  },
});

describe('a running, waiting or terminating pod', () => {
  test('shows that it is not ready, without alarm while it starts', () => {
    expect(statusOf(running(0), 10)).toBe('Not ready info');
    expect(statusOf(running(0), 62)).toBe('Not ready warn');
  });

  test('is amber at once if it lost its readiness', () => {
    expect(statusOf(running(100), 101)).toBe('Not ready warn');
  });

  test('is not ready by its condition, whatever its containers say', () => {
    const lost: Pod = {
      spec: { containers },
      status: {
        phase: 'Running',
        startTime: iso(0),
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: iso(500) }],
        containerStatuses: [{ name: 'web', ready: true, state: { running: { startedAt: iso(2) } } }],
      },
    };
    expect(statusOf(lost, 501)).toBe('Not ready warn');
    expect(pod.attention?.(lost)).toMatchObject({
      rule: 'pod.unready',
      title: 'The pod is not ready, though its containers are.',
      notBefore: start + 560,
    });
  });

  /** A pod whose containers were ready, with these conditions. */
  const marked = (...conditions: readonly (readonly [string, string, string?])[]): Pod => ({
    spec: { nodeName: 'node-1', containers },
    status: {
      phase: 'Running',
      startTime: iso(0),
      conditions: conditions.map(([type, status, reason]) => ({
        type,
        status,
        lastTransitionTime: iso(500),
        ...(reason === undefined ? {} : { reason }),
      })),
      containerStatuses: [{ name: 'web', ready: true, state: { running: { startedAt: iso(2) } } }],
    },
  });
  const contained = ['ContainersReady', 'True'] as const;

  test.each<[string, Pod, string, string | undefined]>([
    ['its node is not', marked(['Ready', 'False'], contained), 'Node not ready warn', 'pod.node-unready'],
    ['nobody knows', marked(['Ready', 'Unknown'], contained), 'Node not ready warn', 'pod.node-unready'],
    [
      'a gate is closed',
      marked(['Ready', 'False', 'ReadinessGatesNotReady'], contained),
      'Not ready warn',
      'pod.unready',
    ],
    [
      'a container was not a moment ago',
      marked(['Ready', 'False', 'ContainersNotReady'], ['ContainersReady', 'False', 'ContainersNotReady']),
      'Not ready warn',
      'pod.unready',
    ],
    ['it is', marked(['Ready', 'True'], contained), 'Running ok', undefined],
  ])('names its node if that is why it is not ready: %s', (_why, object, status, rule) => {
    expect(statusOf(object, 600)).toBe(status);
    expect(pod.attention?.(object)?.rule).toBe(rule);
  });

  test('that is not ready because of its node says which', () => {
    expect(pod.attention?.(marked(['Ready', 'False'], contained))).toMatchObject({
      title: 'The pod is not ready because its node is not.',
      detail: 'Node node-1 is not ready.',
      since: start + 500,
    });
  });

  test('is amber after half a minute without a node', () => {
    const waiting: Pod = {
      spec: { containers },
      status: {
        phase: 'Pending',
        conditions: [
          { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime: iso(0) },
        ],
      },
    };
    expect([29, 30].map((at) => statusOf(waiting, at))).toEqual(['Pending info', 'Pending warn']);
  });

  test('is amber a minute after its grace period ended', () => {
    const ending: Pod = {
      metadata: { deletionTimestamp: iso(30) },
      spec: { containers },
      status: { phase: 'Running' },
    };
    expect([89, 90].map((at) => statusOf(ending, at))).toEqual(['Terminating info', 'Terminating warn']);
  });
});

describe('the tone of a pod', () => {
  const label = (status: Pod['status'], metadata: Pod['metadata'] = {}) => {
    const object: Pod = {
      metadata,
      spec: { containers },
      ...(status === undefined ? {} : { status }),
    };
    const found = pod.status?.(object);
    return `${found?.label} ${found?.tone}`;
  };
  const one = (state: object, more: object = {}) => [{ name: 'web', state, ...more }];

  test.each([
    'OutOfcpu',
    'NodeAffinity',
    'UnexpectedAdmissionError',
    'Evicted',
    'Preempting',
    'AnythingElse',
  ])('is bad once its phase is Failed, whatever the reason: %s', (reason) => {
    expect(label({ phase: 'Failed', reason, message: 'x', startTime: iso(0) })).toBe(`${reason} bad`);
    expect(label({ phase: 'Failed', reason }, { deletionTimestamp: iso(0) })).toBe(`${reason} bad`);
  });

  test.each<[string, NonNullable<Pod['status']>]>([
    ['Failed bad', { phase: 'Failed' }],
    [
      'Failed bad',
      { phase: 'Failed', containerStatuses: one({ terminated: { exitCode: 0, reason: 'Completed' } }) },
    ],
    [
      'Error bad',
      {
        phase: 'Failed',
        containerStatuses: [
          ...one({ terminated: { exitCode: 0, reason: 'Completed' } }),
          { name: 'proxy', state: { terminated: { exitCode: 1, reason: 'Error' } } },
        ],
      },
    ],
    ['Succeeded idle', { phase: 'Succeeded' }],
    ['Unknown warn', { phase: 'Unknown' }],
    ['Pending info', { phase: 'Pending' }],
    [
      'ContainerCreating info',
      { phase: 'Pending', containerStatuses: one({ waiting: { reason: 'ContainerCreating' } }) },
    ],
    [
      'SignatureValidationFailed bad',
      { phase: 'Pending', containerStatuses: one({ waiting: { reason: 'SignatureValidationFailed' } }) },
    ],
    [
      'PostStartHookError bad',
      { phase: 'Pending', containerStatuses: one({ waiting: { reason: 'PostStartHookError' } }) },
    ],
    [
      'ContainerStatusUnknown bad',
      {
        phase: 'Running',
        containerStatuses: one({ terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } }),
      },
    ],
    [
      'Init:ImageInspectError bad',
      { phase: 'Pending', initContainerStatuses: one({ waiting: { reason: 'ImageInspectError' } }) },
    ],
  ])('is %s by its phase and how its containers ended', (expected, status) =>
    expect(label(status)).toBe(expected),
  );

  test('has an explanation for each container that a runtime cannot start', () => {
    const containerStatuses = one({ waiting: { reason: 'PostStartHookError', message: 'exit 1' } });
    const object: Pod = { spec: { containers }, status: { phase: 'Pending', containerStatuses } };
    expect(pod.attention?.(object)).toMatchObject({
      rule: 'pod.config',
      detail: 'exit 1',
    });
  });
});
