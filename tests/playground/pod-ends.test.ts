import { beforeEach, expect, test } from 'vitest';
import { behaviourNote } from '../../src/playground/kit/behaviour.ts';
import { create } from '../../src/playground/life/write.ts';
import { at, type Obj, type Rec, rec, recs } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

let lab: Lab;

beforeEach(() => {
  lab = new Lab({ nodes: 1 });
});

function pod(name: string, spec: Rec = {}, behaviour = 'ok', container: Rec = {}): () => Obj {
  create(lab.world, '/pods', 'default', {
    metadata: { name, annotations: { [behaviourNote]: behaviour }, finalizers: ['example.org/look'] },
    spec: structuredClone({ containers: [{ name: 'main', image: 'example/app:1', ...container }], ...spec }),
  });
  return () => lab.get('/pods', name);
}

const terminated = (object: Obj) =>
  rec(at(recs(at(object, 'status', 'containerStatuses'))[0], 'state', 'terminated'));

test('a stopped pod has the exit states of its containers before it disappears', () => {
  for (const [name, spec, behaviour, phase, exitCode] of [
    ['service', {}, 'ok', 'Succeeded', 0],
    ['task', { restartPolicy: 'Never' }, 'ok', 'Failed', 143],
    ['deaf', { terminationGracePeriodSeconds: 10 }, 'deaf', 'Failed', 137],
  ] as const) {
    const read = pod(name, spec, behaviour);
    lab.advance(10);
    const id = recs(at(read(), 'status', 'containerStatuses'))[0]?.['containerID'];
    lab.remove('/pods', name);
    lab.advance(15);
    expect([name, at(read(), 'status', 'phase')]).toEqual([name, phase]);
    expect(terminated(read())).toMatchObject({ exitCode, containerID: id });
    expect(lab.condition(read(), 'Ready')).toMatchObject({
      status: 'False',
      reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted',
    });
  }
});

test('a pod fails after its activeDeadlineSeconds', () => {
  const read = pod('web', { activeDeadlineSeconds: 30 });
  lab.advance(25);
  expect(at(read(), 'status', 'phase')).toBe('Running');
  lab.advance(10);
  expect(read()['status']).toMatchObject({
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  });
  expect(lab.events('web').join()).toContain('Normal DeadlineExceeded: Pod was active on the node longer');
});

test('a pod is ready once its readiness gates are open, and keeps conditions set by others', () => {
  const read = pod('web', { readinessGates: [{ conditionType: 'example.org/listed' }] });
  lab.advance(15);
  expect(lab.condition(read(), 'ContainersReady')['status']).toBe('True');
  expect(lab.condition(read(), 'Ready')).toMatchObject({
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: 'corresponding condition of pod readiness gate "example.org/listed" does not exist.',
  });
  const set = (status: string) => {
    const now = read();
    const others = recs(at(now, 'status', 'conditions')).filter(
      (item) => item['type'] !== 'example.org/listed',
    );
    const conditions = [...others, { type: 'example.org/listed', status }];
    lab.change('/pods', { ...now, status: { ...rec(now['status']), conditions } });
    lab.advance(1);
  };
  set('False');
  expect(lab.condition(read(), 'Ready')['message']).toBe(
    'the status of pod readiness gate "example.org/listed" is not "True", but False',
  );
  set('True');
  expect(lab.condition(read(), 'Ready')['status']).toBe('True');
  expect(lab.condition(read(), 'example.org/listed')['status']).toBe('True');
  set('False');
  expect(lab.condition(read(), 'Ready')['status']).toBe('False');
});

test('an image is pulled once per node, unless its policy is Always', () => {
  pod('first');
  lab.advance(10);
  pod('second');
  pod('third', {}, 'crash-loop', { imagePullPolicy: 'Always' });
  lab.advance(20);
  const there =
    'Normal Pulled: Container image "example/app:1" already present on machine and can be accessed by the pod';
  expect(lab.events('first').join('\n')).toContain('Normal Pulling: Pulling image "example/app:1"');
  expect(lab.events('second')).toContain(there);
  expect(lab.events('second').join('\n')).not.toContain('Pulling');
  expect(lab.events('third')).not.toContain(there);
  expect(
    Number(recs(at(lab.get('/pods', 'third'), 'status', 'containerStatuses'))[0]?.['restartCount']),
  ).toBe(1);
  const never = pod('never', {}, 'ok', { imagePullPolicy: 'Never' });
  lab.advance(10);
  expect(at(never(), 'status', 'phase')).toBe('Running');
});

test('a kubelet rejects an assigned pod that does not fit', () => {
  for (const [name, spec, container, reason, message] of [
    [
      'large',
      {},
      { resources: { requests: { cpu: '100' } } },
      'OutOfcpu',
      "Node didn't have enough resource: cpu, requested: 100000, used: 0, capacity: 3880",
    ],
    [
      'picky',
      { nodeSelector: { disk: 'ssd' } },
      {},
      'NodeAffinity',
      "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    ],
  ] as const) {
    const read = pod(name, { ...spec, nodeName: 'node-1' }, 'ok', container);
    lab.advance(2);
    expect(read()['status']).toMatchObject({
      phase: 'Failed',
      reason,
      message: `Pod was rejected: ${message}`,
    });
    expect(lab.events(name)).toContain(`Warning ${reason}: ${message}`);
  }
});

test('a pod with scheduling gates reports them, and is scheduled once they are removed', () => {
  const read = pod('web', { schedulingGates: [{ name: 'example.org/wait' }] });
  lab.advance(5);
  expect(lab.condition(read(), 'PodScheduled')).toEqual({
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  });
  const { schedulingGates: _gates, ...spec } = rec(read()['spec']);
  lab.change('/pods', { ...read(), spec });
  lab.advance(10);
  expect(at(read(), 'status', 'phase')).toBe('Running');
  expect(lab.condition(read(), 'PodScheduled')['status']).toBe('True');
});

test("a container's status shows its resources, also after a resize", () => {
  const resources = { requests: { cpu: '100m' }, limits: { cpu: '200m' } };
  const read = pod('web', {}, 'ok', { resources });
  const given = () => rec(recs(at(read(), 'status', 'containerStatuses'))[0]);
  lab.advance(10);
  expect(given()).toMatchObject({ allocatedResources: { cpu: '100m' }, resources });
  const now = read();
  const more = { requests: { cpu: '150m' }, limits: { cpu: '200m' } };
  const containers = recs(at(now, 'spec', 'containers')).map((item) => ({ ...item, resources: more }));
  lab.change('/pods', { ...now, spec: { ...rec(now['spec']), containers } });
  lab.advance(5);
  expect(given()).toMatchObject({ allocatedResources: { cpu: '150m' }, resources: more, restartCount: 0 });
});
