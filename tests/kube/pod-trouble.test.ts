import { describe, expect, it } from 'vitest';
import type { ContainerStatus, Pod, PodStatus } from '../../src/kube/core.ts';
import { podTrouble } from '../../src/kube/pod-trouble.ts';

const at = '2026-01-01T00:00:00Z';
const pod = (status: PodStatus, more: Pod = {}): Pod => ({ ...more, status });
const one = (status: ContainerStatus): PodStatus => ({
  phase: 'Running',
  containerStatuses: [{ name: 'web', ...status }],
});

describe('the problem of a pod', () => {
  it.each<[string, PodStatus]>([
    ['running and ready', one({ ready: true, state: { running: { startedAt: at } } })],
    [
      'ready again after a crash',
      one({ ready: true, restartCount: 3, state: { running: { startedAt: at } } }),
    ],
    [
      'starting',
      { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }] },
    ],
    [
      'finished',
      { ...one({ state: { terminated: { exitCode: 0, reason: 'Completed' } } }), phase: 'Succeeded' },
    ],
    ['without a status', {}],
  ])('is undefined for a pod that is %s', (_name, status) => expect(podTrouble(pod(status))).toBeUndefined());

  it('is, for a terminating pod, only that it exceeds its grace period by a minute', () => {
    const status = one({ state: { waiting: { reason: 'CrashLoopBackOff' } } });
    const trouble = podTrouble(pod(status, { metadata: { deletionTimestamp: at } }));
    expect(trouble).toMatchObject({ cause: 'not-ending', since: at, notBefore: Date.parse(at) / 1000 + 60 });
    const held = { deletionTimestamp: at, finalizers: ['example.com/held'] };
    expect(podTrouble(pod(status, { metadata: held }))).toBeUndefined();
  });

  it('is that of the first affected container, init containers first', () => {
    const status: PodStatus = {
      initContainerStatuses: [{ name: 'migrate', state: { waiting: { reason: 'ErrImagePull' } } }],
      containerStatuses: [{ name: 'web', state: { waiting: { reason: 'PodInitializing' } } }],
    };
    expect(podTrouble(pod(status))).toMatchObject({ cause: 'image', container: 'migrate' });
  });

  it('is a crash loop also between two crashes, unless the container is not restarted', () => {
    const status = one({ restartCount: 4, state: { terminated: { exitCode: 3, finishedAt: at } } });
    expect(podTrouble(pod(status))).toMatchObject({
      cause: 'crash-loop',
      detail: 'Last exit with code 3',
      since: at,
      restarts: 4,
    });
    const never: Pod = { spec: { restartPolicy: 'Never' } };
    expect(podTrouble(pod(status, never))).toBeUndefined();
    expect(podTrouble(pod({ ...status, phase: 'Failed' }, never))).toMatchObject({
      cause: 'failed',
      container: 'web',
      detail: 'Last exit with code 3',
      since: at,
    });
  });

  it('is the claim, not the nodes, if the pod waits for a volume', () => {
    const waiting = (message: string): PodStatus => ({
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
    });
    for (const [message, cause] of [
      ['0/6 nodes are available: pod has unbound immediate PersistentVolumeClaims.', 'claim'],
      ['0/6 nodes are available: persistentvolumeclaim "data" not found.', 'claim'],
      ['0/6 nodes are available: 6 Insufficient memory.', 'unschedulable'],
    ])
      expect(podTrouble(pod(waiting(message ?? '')))).toMatchObject({ cause, detail: message });
  });

  it('is the memory limit if the container was killed for it', () => {
    const status = one({
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: at } },
    });
    expect(podTrouble(pod(status))).toMatchObject({
      cause: 'oom',
      detail: 'Last exit with code 137 (OOMKilled)',
    });
  });

  it('is not unreadiness while its probes still allow the container to start', () => {
    const running = one({ ready: false, state: { running: { startedAt: at } } });
    const status: PodStatus = {
      ...running,
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2025-12-31T23:59:58Z' }],
    };
    const slow: Pod = {
      spec: {
        containers: [
          {
            name: 'web',
            startupProbe: { periodSeconds: 10, failureThreshold: 30 },
            readinessProbe: { initialDelaySeconds: 5, periodSeconds: 5 },
          },
        ],
      },
    };
    const second = Date.parse(at) / 1000;
    expect(podTrouble(pod(status))).toMatchObject({ isStarting: true, notBefore: second + 60 });
    expect(podTrouble(pod(status, slow))).toMatchObject({ isStarting: true, notBefore: second + 320 });
  });

  it('is lost readiness, whatever the probes', () => {
    const status: PodStatus = {
      ...one({ ready: false, state: { running: { startedAt: '2025-12-31T00:00:00Z' } } }),
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at }],
    };
    const found = podTrouble(pod(status));
    expect(found).toMatchObject({ cause: 'unready', since: at, notBefore: Date.parse(at) / 1000 + 60 });
    expect(found?.isStarting).toBeUndefined();
  });

  it.each<[string, ContainerStatus, boolean]>([
    ['a back-off', { state: { waiting: { reason: 'CrashLoopBackOff' } } }, true],
    ['an image back-off', { state: { waiting: { reason: 'ImagePullBackOff' } } }, true],
    ['a first pull that failed', { state: { waiting: { reason: 'ErrImagePull' } } }, false],
    ['too much memory', { state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }, true],
    ['a first crash', { restartCount: 0, state: { terminated: { exitCode: 1 } } }, false],
    ['a crash after two restarts', { restartCount: 2, state: { terminated: { exitCode: 1 } } }, true],
  ])('is hard or may pass: %s', (_name, status, isHard) =>
    expect(podTrouble(pod(one(status)))?.isHard ?? false).toBe(isHard),
  );

  it.each<[string, { startedAt: string; ready: boolean }, number]>([
    ['of one long run, once it is ready', { startedAt: '2025-12-30T00:00:00Z', ready: true }, 180],
    ['of a loop, until it outlives its last run', { startedAt: '2025-12-31T23:53:20Z', ready: true }, 400],
    ['of a short run, for some minutes', { startedAt: '2025-12-31T23:59:50Z', ready: true }, 180],
    ['while it is not ready', { startedAt: '2025-12-30T00:00:00Z', ready: false }, 600],
  ])('a restart counts for as long as it may come again: %s', (_name, { startedAt, ready }, seconds) => {
    const finishedAt = '2026-01-01T00:00:00Z';
    const lastState = { terminated: { exitCode: 1, startedAt, finishedAt } };
    const status = one({ ready, restartCount: 3, state: { running: { startedAt: finishedAt } }, lastState });
    expect(podTrouble(pod(status))?.notAfter).toBe(Date.parse(finishedAt) / 1000 + seconds);
  });

  it('lasts ten minutes after a container ended and was restarted', () => {
    const ended = { terminated: { exitCode: 137, finishedAt: at } };
    const status = one({
      ready: true,
      restartCount: 1,
      state: { running: { startedAt: at } },
      lastState: ended,
    });
    expect(podTrouble(pod(status))).toMatchObject({
      cause: 'crash-loop',
      endedRun: 'previous',
      notAfter: Date.parse(at) / 1000 + 600,
    });
    const well = { terminated: { exitCode: 0, finishedAt: at } };
    const again = one({ state: { running: {} }, ready: true, lastState: well });
    expect(podTrouble(pod(again))).toMatchObject({ cause: 'crash-loop', detail: 'Last exit with code 0' });
    expect(podTrouble(pod(again, { spec: { restartPolicy: 'OnFailure' } }))).toBeUndefined();
  });

  it('is that no container started two minutes after scheduling', () => {
    const status: PodStatus = {
      ...one({ ready: false, state: { waiting: { reason: 'ContainerCreating' } } }),
      phase: 'Pending',
      startTime: at,
    };
    expect(podTrouble(pod(status))).toMatchObject({
      cause: 'not-starting',
      notBefore: Date.parse(at) / 1000 + 120,
    });
  });

  it('is that its node reports nothing about it two minutes after scheduling', () => {
    const status: PodStatus = {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: at }],
    };
    expect(podTrouble(pod(status, { spec: { nodeName: 'n1' } }))).toMatchObject({
      cause: 'not-starting',
      detail: 'Node n1 has not reported anything about it.',
      since: at,
      notBefore: Date.parse(at) / 1000 + 120,
    });
    expect(podTrouble(pod({ ...status, startTime: at }, { spec: { nodeName: 'n1' } }))).toBeUndefined();
  });

  it('of a loop began at the latest when the pod stopped being ready', () => {
    const crashing = (ready: 'True' | 'False'): PodStatus => ({
      ...one({
        restartCount: 2_459,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-10T00:00:00Z' } },
      }),
      conditions: [{ type: 'Ready', status: ready, lastTransitionTime: at }],
    });
    expect(podTrouble(pod(crashing('False')))).toMatchObject({ since: at, isSinceLatest: true });
    expect(podTrouble(pod(crashing('True')))).toMatchObject({ since: '2026-01-10T00:00:00Z' });
    const between: PodStatus = {
      ...one({
        ready: false,
        restartCount: 9,
        state: { running: { startedAt: '2026-01-10T00:00:10Z' } },
        lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-10T00:00:00Z' } },
      }),
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at }],
    };
    expect(podTrouble(pod(between))).toMatchObject({ cause: 'crash-loop', since: at });
  });

  it('of a container that waits began when the pod stopped being ready, not when the pod started', () => {
    const status: PodStatus = {
      ...one({ restartCount: 1, state: { waiting: { reason: 'ImagePullBackOff' } } }),
      startTime: at,
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-10T00:00:00Z' }],
    };
    expect(podTrouble(pod(status))).toMatchObject({ cause: 'image', since: '2026-01-10T00:00:00Z' });
    expect(podTrouble(pod({ ...status, conditions: [] }))).toMatchObject({ since: at });
  });

  it('is that of a sidecar, which is an init container that keeps running', () => {
    const running = { state: { running: { startedAt: at } } };
    const status: PodStatus = {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at, message: 'unready: [proxy]' }],
      initContainerStatuses: [{ name: 'proxy', ready: false, started: true, ...running }],
      containerStatuses: [{ name: 'web', ready: true, ...running }],
    };
    const readinessProbe = { initialDelaySeconds: 100 };
    const spec = {
      initContainers: [{ name: 'proxy', restartPolicy: 'Always', readinessProbe }],
      containers: [{ name: 'web' }],
    };
    expect(podTrouble(pod(status, { spec }))).toMatchObject({
      cause: 'unready',
      container: 'proxy',
      notBefore: Date.parse(at) / 1000 + 130,
    });
  });
});
