import { beforeEach, describe, expect, test } from 'vitest';
import type { ContainerStatus } from '../../src/kube/core.ts';
import { podHealth } from '../../src/kube/pod-status.ts';
import { behaviourNote, behaviours } from '../../src/playground/kit/behaviour.ts';
import { create } from '../../src/playground/life/write.ts';
import { at, type Obj, type Rec, recs } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

let lab: Lab;

beforeEach(() => {
  lab = new Lab();
});

/** Creates a pod and returns how to read it. */
function pod(name: string, spec: Rec = {}, behaviour?: string, container: Rec = {}): () => Obj {
  const made = create(lab.world, '/pods', 'default', {
    metadata: { name, annotations: behaviour === undefined ? {} : { [behaviourNote]: behaviour } },
    spec: structuredClone({ containers: [{ name: 'main', image: 'example/app:1', ...container }], ...spec }),
  });
  if (made === undefined) throw new Error(`${name} was refused`);
  return () => lab.get('/pods', name);
}

const reason = (object: Obj) => podHealth(object).reason;
const status = (object: Obj, field = 'containerStatuses', index = 0) =>
  recs(at(object, 'status', field))[index] as ContainerStatus | undefined;
const phase = (object: Obj) => at(object, 'status', 'phase');

/** What kubectl's STATUS column said over some seconds, each once, in order. */
function reasons(read: () => Obj, seconds: number): string[] {
  const seen: string[] = [];
  for (let second = 0; second < seconds; second++) {
    const now = reason(read());
    if (seen.at(-1) !== now) seen.push(now);
    lab.advance(1);
  }
  return seen;
}

test('every behaviour and every alias can be requested by annotation', () => {
  for (const word of [...Object.keys(behaviours), 'crash', 'image', 'not-ready']) pod(`p-${word}`, {}, word);
  lab.advance(20 * 60);
  expect(reason(lab.get('/pods', 'p-crash'))).toMatch(/CrashLoopBackOff|Error|Running/);
  expect(status(lab.get('/pods', 'p-crash'))?.restartCount).toBeGreaterThan(3);
  expect(reason(lab.get('/pods', 'p-image'))).toMatch(/ImagePull/);
  expect(podHealth(lab.get('/pods', 'p-not-ready')).ready).toBe(0);
  expect(podHealth(lab.get('/pods', 'p-ok')).ready).toBe(1);
  expect(phase(lab.get('/pods', 'p-unschedulable'))).toBe('Pending');
  expect(lab.events('p-unschedulable').join()).toContain("didn't match Pod's node affinity/selector");
});

describe('an exited container restarts', () => {
  test("after 10 s, doubling up to five minutes, with the kubelet's messages", () => {
    const read = pod('web', {}, 'crash-loop');
    const waits = new Set<string>();
    for (let second = 0; second < 45 * 60; second++) {
      const { message } = status(read())?.state?.waiting ?? {};
      if (message?.startsWith('back-off') === true) waits.add(message);
      lab.advance(1);
    }
    const { uid } = read().metadata;
    expect(Array.from(waits)).toEqual(
      ['10s', '20s', '40s', '1m20s', '2m40s', '5m0s'].map(
        (wait) => `back-off ${wait} restarting failed container=main pod=web_default(${uid})`,
      ),
    );
    expect(lab.events('web').join('\n')).toContain(
      `Warning BackOff: Back-off restarting failed container main in pod web_default(${uid})`,
    );
  });

  test('with its last state: 137 and OOMKilled for one that used too much memory', () => {
    const read = pod('web', {}, 'oom');
    lab.advance(90);
    expect(status(read())?.lastState?.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
    expect(status(read())?.restartCount).toBe(1);
  });

  test('except with policy Never, and only after a failure with OnFailure', () => {
    const never = pod('never', { restartPolicy: 'Never' }, 'exit-1');
    const onFailure = pod('failing', { restartPolicy: 'OnFailure' }, 'exit-1');
    const well = pod('well', { restartPolicy: 'OnFailure' }, 'exit-0');
    lab.advance(120);
    expect([phase(never()), phase(well())]).toEqual(['Failed', 'Succeeded']);
    expect(phase(onFailure())).toBe('Running');
    expect(status(onFailure())?.restartCount).toBeGreaterThan(1);
  });

  test('by its own rules first, then its own policy, and only then by that of its pod', () => {
    const rules = (operator: string) => ({
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator, values: [42] } }],
    });
    for (const [name, own, word, policy, expected] of [
      ['in', { restartPolicy: 'Never', ...rules('In') }, 'exit-42', 'Never', 'Running'],
      ['out', { restartPolicy: 'Never', ...rules('In') }, 'exit-7', 'Always', 'Failed'],
      ['not-in', { restartPolicy: 'Never', ...rules('NotIn') }, 'exit-7', 'Never', 'Running'],
      ['own', { restartPolicy: 'OnFailure' }, 'exit-0', 'Always', 'Succeeded'],
      ['always', { restartPolicy: 'Always' }, 'exit-0', 'Never', 'Running'],
    ] as const) {
      const read = pod(name, { restartPolicy: policy }, word, own);
      lab.advance(90);
      expect([name, phase(read())]).toEqual([name, expected]);
      const restarts = status(read())?.restartCount ?? 0;
      expect([name, restarts > 0]).toEqual([name, expected === 'Running']);
    }
    expect(status(lab.get('/pods', 'out'))?.state?.terminated?.exitCode).toBe(7);
  });

  test('with all other containers of its pod, init containers included, where a rule says so', () => {
    const exitCodes = { operator: 'In', values: [88] };
    const watcher = {
      name: 'watcher',
      image: 'example/watcher:1',
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes }],
    };
    const read = pod(
      'train',
      {
        initContainers: [{ name: 'setup', image: 'example/setup:1' }],
        containers: [{ name: 'main', image: 'example/app:1' }, watcher],
      },
      'exit-88:watcher',
    );
    const counts = () => [
      status(read(), 'initContainerStatuses')?.restartCount,
      status(read(), 'containerStatuses', 0)?.restartCount,
      status(read(), 'containerStatuses', 1)?.restartCount,
    ];
    lab.advance(8);
    expect(counts()).toEqual([0, 0, 0]);
    for (let second = 0; second < 60 && counts()[0] === 0; second++) lab.advance(1);
    lab.advance(6);
    expect(counts()).toEqual([1, 1, 1]);
    expect(status(read())?.lastState?.terminated?.exitCode).toBe(137);
    expect(status(read(), 'containerStatuses', 1)?.lastState?.terminated?.exitCode).toBe(88);
    expect(status(read(), 'initContainerStatuses')?.lastState?.terminated?.exitCode).toBe(0);
    expect(phase(read())).toBe('Running');
    expect(status(read())?.state?.running).toBeDefined();
    expect(lab.events('train').join('\n')).toContain('Normal Killing: Stopping container main');
  });

  test('by its own policy if it is an init container: with Never its failure fails the pod', () => {
    const setup = { name: 'setup', image: 'example/setup:1', restartPolicy: 'Never' };
    const read = pod('web', { initContainers: [setup] }, 'exit-9:setup');
    lab.advance(60);
    expect(phase(read())).toBe('Failed');
    expect(status(read(), 'initContainerStatuses')?.state?.terminated?.exitCode).toBe(9);
  });
});

describe('init containers', () => {
  const init = [
    { name: 'first', image: 'example/first:1' },
    { name: 'second', image: 'example/second:1' },
  ];

  test('run one after the other before all others', () => {
    const read = pod('web', { initContainers: init });
    expect(reasons(read, 40)).toEqual(['Pending', 'Init:0/2', 'Init:1/2', 'PodInitializing', 'Running']);
    const [first, second] = [
      status(read(), 'initContainerStatuses', 0),
      status(read(), 'initContainerStatuses', 1),
    ];
    expect(first).toMatchObject({ ready: true, state: { terminated: { exitCode: 0, reason: 'Completed' } } });
    expect(Date.parse(second?.state?.terminated?.startedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(first?.state?.terminated?.finishedAt ?? ''),
    );
  });

  test('block the pod while one fails, and fail it where the policy is Never', () => {
    const read = pod('web', { initContainers: init }, 'init-fail');
    lab.advance(120);
    expect(reason(read())).toMatch(/^Init:(CrashLoopBackOff|Error|0\/2)$/);
    expect(status(read())?.state?.waiting?.reason).toBe('PodInitializing');
    const never = pod('once', { initContainers: init, restartPolicy: 'Never' }, 'init-fail');
    lab.advance(60);
    expect(phase(never())).toBe('Failed');
    const initialized = recs(at(read(), 'status', 'conditions')).find(
      (item) => item['type'] === 'Initialized',
    );
    expect(initialized).toMatchObject({
      status: 'False',
      message: 'containers with incomplete status: [first second]',
    });
  });

  test('that are sidecars start before the others, keep running, and end after them', () => {
    const sidecars = [{ name: 'proxy', image: 'example/proxy:1', restartPolicy: 'Always' }];
    const web = pod('web', { initContainers: sidecars });
    const task = pod('task', { initContainers: sidecars, restartPolicy: 'Never' }, 'exit-0');
    lab.advance(15);
    expect(status(web(), 'initContainerStatuses')).toMatchObject({ ready: true, started: true });
    expect(podHealth(web()).ready).toBe(2);
    lab.advance(45);
    expect(phase(task())).toBe('Succeeded');
    expect(status(task(), 'initContainerStatuses')?.state?.terminated).toMatchObject({ reason: 'Completed' });
  });
});

describe('probes', () => {
  const http = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 5 };

  test('of readiness keep a pod not ready, of startup not started, until they pass', () => {
    const read = pod('web', {}, 'slow-start', { startupProbe: http, readinessProbe: http });
    lab.advance(20);
    expect(status(read())).toMatchObject({ ready: false, started: false });
    lab.advance(60);
    expect(status(read())).toMatchObject({ ready: true, started: true });
    expect(lab.events('web').join('\n')).toContain('Startup probe failed: HTTP probe failed');
  });

  test('report failures according to their type', () => {
    pod('tcp', {}, 'unready', { readinessProbe: { tcpSocket: { port: 5432 } } });
    lab.advance(60);
    expect(lab.events('tcp').join('\n')).toMatch(
      /Warning Unhealthy: Readiness probe failed: dial tcp 10\.244\.\d+\.\d+:5432: connect: connection refused/,
    );
  });

  test('of liveness and startup kill a container that fails them', () => {
    const live = pod('live', {}, 'liveness', { livenessProbe: http });
    const start = pod('start', {}, 'startup', { startupProbe: { ...http, failureThreshold: 4 } });
    lab.advance(150);
    expect(lab.events('live').join('\n')).toContain(
      'Container main failed liveness probe, will be restarted',
    );
    expect(status(live())?.restartCount).toBe(1);
    expect(lab.events('start').join('\n')).toContain(
      'Container main failed startup probe, will be restarted',
    );
    expect(status(start())).toMatchObject({ started: false, ready: false });
    expect(status(start())?.restartCount).toBeGreaterThan(1);
  });

  test('that alternate toggle readiness', () => {
    const read = pod('web', {}, 'flapping', { readinessProbe: http });
    const seen = new Set<number>();
    let changes = 0;
    let last = -1;
    for (let second = 0; second < 400; second++) {
      const { ready } = podHealth(read());
      if (ready !== last) changes += 1;
      seen.add(ready);
      last = ready;
      lab.advance(1);
    }
    expect(seen).toEqual(new Set([0, 1]));
    expect(changes).toBeGreaterThan(6);
    expect(status(read())?.restartCount).toBe(0);
  });
});

describe('a prerequisite of a container', () => {
  test('an image that does not exist is pulled again and again', () => {
    const read = pod('web', {}, undefined, { image: 'example/app:missing' });
    const seen = reasons(read, 60);
    expect(seen.slice(0, 4)).toEqual(['Pending', 'ContainerCreating', 'ErrImagePull', 'ImagePullBackOff']);
    expect(status(read())?.state?.waiting?.message).toContain(
      'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/example/app:missing"',
    );
  });

  test('invalid image names and images with policy Never are refused at once', () => {
    const wrong = pod('wrong', {}, undefined, { image: 'Example/App:1' });
    const never = pod('never', {}, undefined, { imagePullPolicy: 'Never' });
    lab.advance(10);
    expect(reason(wrong())).toBe('InvalidImageName');
    expect(reason(never())).toBe('ErrImageNeverPull');
    expect(status(never())?.state?.waiting?.message).toBe(
      'Container image "example/app:1" is not present with pull policy of Never',
    );
  });

  test('a missing secret or key keeps it from starting', () => {
    const read = pod('web', {}, undefined, {
      env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'token' } } }],
    });
    lab.advance(20);
    expect(reason(read())).toBe('CreateContainerConfigError');
    expect(status(read())?.state?.waiting?.message).toBe('secret "keys" not found');
    create(lab.world, '/secrets', 'default', { metadata: { name: 'keys' }, data: { other: '' } });
    lab.advance(20);
    expect(status(read())?.state?.waiting?.message).toBe("couldn't find key token in Secret default/keys");
    const secret = lab.get('/secrets', 'keys');
    lab.change('/secrets', { ...secret, data: { token: 'eA==' } });
    lab.advance(20);
    expect(reason(read())).toBe('Running');
  });

  test('a missing volume keeps the pod from starting', () => {
    const read = pod('web', { volumes: [{ name: 'config', configMap: { name: 'settings' } }] });
    lab.advance(30);
    expect(reason(read())).toBe('ContainerCreating');
    expect(lab.events('web').join('\n')).toContain(
      'Warning FailedMount: MountVolume.SetUp failed for volume "config" : configmap "settings" not found',
    );
    create(lab.world, '/configmaps', 'default', { metadata: { name: 'settings' } });
    lab.advance(30);
    expect(reason(read())).toBe('Running');
  });
});

test('a pod that is deleted gets its grace period; one that ignores the signal uses all of it', () => {
  pod('polite');
  pod('deaf', { terminationGracePeriodSeconds: 40 }, 'deaf');
  lab.advance(10);
  lab.remove('/pods', 'polite');
  lab.remove('/pods', 'deaf');
  lab.advance(10);
  expect(lab.pods().map((item) => item.metadata.name)).toEqual(['deaf']);
  expect(reason(lab.get('/pods', 'deaf'))).toBe('Terminating');
  lab.advance(31);
  expect(lab.pods()).toEqual([]);
});

test('pods are evicted for lack of memory one each half hour, and their ReplicaSet replaces them', () => {
  lab.deploy('hungry', { replicas: 4, behaviour: 'evicted' });
  const alone = pod('alone', {}, 'evicted');
  const gone = () => lab.pods('hungry').filter((item) => at(item, 'status', 'reason') === 'Evicted');
  lab.advance(9 * 60);
  expect(gone()).toHaveLength(1);
  expect(at(alone(), 'status', 'reason')).toBe('Evicted');
  lab.advance(55 * 60);
  expect(gone()).toHaveLength(2);
  expect(gone().every((item) => phase(item) === 'Failed')).toBe(true);
  expect(lab.pods('hungry').filter((item) => reason(item) === 'Running')).toHaveLength(4);
  expect(lab.events('hungry').join('\n')).toContain('Warning Evicted: The node was low on resource: memory.');
});

test('an ephemeral container runs beside the others and never ends the pod', () => {
  const read = pod('web');
  lab.advance(10);
  const now = read();
  lab.change('/pods', {
    ...now,
    spec: { ...(now['spec'] as Rec), ephemeralContainers: [{ name: 'debugger', image: 'example/debug:1' }] },
  });
  lab.advance(10);
  expect(status(read(), 'ephemeralContainerStatuses')?.state?.running).toBeDefined();
  expect(podHealth(read()).ready).toBe(1);
});

test('every failure of a probe is reported, of liveness up to its threshold', () => {
  const http = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 5 };
  pod('unready', {}, 'unready', { readinessProbe: http });
  pod('live', {}, 'liveness', { livenessProbe: { ...http, failureThreshold: 4 } });
  lab.advance(125);
  const told = (name: string) =>
    lab.world.store
      .list('/events', 'default/')
      .filter((event) => at(event, 'involvedObject', 'name') === name && event['reason'] === 'Unhealthy')
      .reduce((sum, event) => sum + Number(event['count']), 0);
  expect(told('unready')).toBeGreaterThan(18);
  expect(told('live')).toBe(4);
  expect(status(lab.get('/pods', 'live'))?.restartCount).toBe(1);
});
