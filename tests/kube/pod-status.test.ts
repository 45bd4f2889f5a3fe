import { expect, test } from 'vitest';
import type { ContainerStatus, Pod } from '../../src/kube/core.ts';
import { podHealth } from '../../src/kube/pod-status.ts';

const running = (over: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name: 'app',
  ready: true,
  restartCount: 0,
  state: { running: {} },
  ...over,
});
const pod = (phase: string, statuses: ContainerStatus[], over: Partial<Pod> = {}): Pod => ({
  spec: { containers: [{ name: 'app' }] },
  status: { phase, containerStatuses: statuses },
  ...over,
});
const init = (
  statuses: ContainerStatus[],
  more: Partial<Pod['status']> = {},
  restartPolicy?: string,
): Pod => ({
  spec: {
    containers: [{ name: 'app' }],
    initContainers: statuses.map((status) => ({
      name: status.name ?? '',
      ...(restartPolicy === undefined ? {} : { restartPolicy }),
    })),
  },
  status: { phase: 'Pending', initContainerStatuses: statuses, ...more },
});

// The expectations are kubectl's: each row is a case of printPod.
test.each<[string, Pod, string, string]>([
  ['a running pod', pod('Running', [running()]), 'Running', '1/1'],
  ['no status at all', {}, 'Unknown', '0/0'],
  [
    'a waiting reason wins over the phase',
    pod('Running', [running({ ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } })]),
    'CrashLoopBackOff',
    '0/1',
  ],
  [
    'a terminated container without a reason names its code',
    pod('Failed', [running({ ready: false, state: { terminated: { exitCode: 3 } } })]),
    'ExitCode:3',
    '0/1',
  ],
  [
    'a signal is named before the code',
    pod('Failed', [running({ ready: false, state: { terminated: { exitCode: 137, signal: 9 } } })]),
    'Signal:9',
    '0/1',
  ],
  [
    'OOMKilled is a reason',
    pod('Running', [
      running({ ready: false, state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }),
    ]),
    'OOMKilled',
    '0/1',
  ],
  [
    'a reason of the pod itself',
    pod('Failed', [], { status: { phase: 'Failed', reason: 'Evicted' } }),
    'Evicted',
    '0/1',
  ],
  [
    'a pod that is being deleted',
    pod('Running', [running()], { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    'Terminating',
    '1/1',
  ],
  [
    'a finished pod that is being deleted keeps its reason',
    pod(
      'Succeeded',
      [running({ ready: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } })],
      { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
    ),
    'Completed',
    '0/1',
  ],
  ['init containers count', init([{ name: 'a', state: { running: {} } }, { name: 'b' }]), 'Init:0/2', '0/1'],
  [
    'a finished init container is passed over',
    init([{ name: 'a', state: { terminated: { exitCode: 0 } } }, { name: 'b' }]),
    'Init:1/2',
    '0/1',
  ],
  [
    'a failing init container',
    init([{ name: 'a', state: { waiting: { reason: 'CrashLoopBackOff' } } }]),
    'Init:CrashLoopBackOff',
    '0/1',
  ],
  [
    'an init container that failed with a code',
    init([{ name: 'a', state: { terminated: { exitCode: 2 } } }]),
    'Init:ExitCode:2',
    '0/1',
  ],
  [
    'a started sidecar counts as a container',
    init(
      [{ name: 'side', started: true, ready: true, state: { running: {} } }],
      { phase: 'Running', containerStatuses: [running()] },
      'Always',
    ),
    'Running',
    '2/2',
  ],
  [
    'gated scheduling',
    {
      spec: { containers: [{ name: 'app' }] },
      status: {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
      },
    },
    'SchedulingGated',
    '0/1',
  ],
  [
    'one completed container beside a running one',
    {
      spec: { containers: [{ name: 'app' }, { name: 'job' }] },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          running({ ready: false, name: 'job', state: { terminated: { exitCode: 0, reason: 'Completed' } } }),
          running(),
        ],
      },
    },
    'Running',
    '1/2',
  ],
])('%s', (_rule, object, reason, ready) => {
  const health = podHealth(object);
  expect(health.reason).toBe(reason);
  expect(`${health.ready}/${health.total}`).toBe(ready);
});

test('sidecars are counted by the spec before any container has a status', () => {
  const spec = {
    containers: [{ name: 'app' }],
    initContainers: [{ name: 'migrate' }, { name: 'proxy', restartPolicy: 'Always' }],
  };
  expect(podHealth({ spec, status: { phase: 'Pending' } })).toMatchObject({ ready: 0, total: 2 });
});

test('restarts add up, and the latest restart time is given', () => {
  const last = (finishedAt: string) => ({ terminated: { exitCode: 1, finishedAt } });
  const health = podHealth({
    spec: { containers: [{ name: 'a' }, { name: 'b' }] },
    status: {
      phase: 'Running',
      containerStatuses: [
        running({ name: 'a', restartCount: 3, lastState: last('2026-01-02T00:00:00Z') }),
        running({ name: 'b', restartCount: 4, lastState: last('2026-01-01T00:00:00Z') }),
      ],
    },
  });
  expect(health.restarts).toBe(7);
  expect(health.lastRestart).toBe('2026-01-02T00:00:00Z');
});
