import { expect, test } from 'vitest';
import { create } from '../../src/playground/life/write.ts';
import { at, type Rec } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

/** A lab of one node of four cores, with a class of pods that matter more than others. */
function busyLab(preemptionPolicy = 'PreemptLowerPriority'): Lab {
  const lab = new Lab({ nodes: 1 });
  const high = { metadata: { name: 'high' }, value: 1000, preemptionPolicy };
  create(lab.world, 'scheduling.k8s.io/priorityclasses', '', high);
  create(lab.world, 'scheduling.k8s.io/priorityclasses', '', { metadata: { name: 'mid' }, value: 10 });
  return lab;
}
function pod(lab: Lab, name: string, cpu: string, spec: Rec = {}, labels: Record<string, string> = {}): void {
  create(lab.world, '/pods', 'default', {
    metadata: { name, labels },
    spec: {
      containers: [{ name: 'main', image: 'example/app:1', resources: { requests: { cpu } } }],
      ...spec,
    },
  });
}
const nodeOf = (lab: Lab, name: string) => at(lab.get('/pods', name), 'spec', 'nodeName');
const names = (lab: Lab) => lab.pods().map(({ metadata }) => metadata.name);

test('the scheduler preempts as few and as unimportant pods as possible for a more important one', () => {
  const lab = busyLab();
  pod(lab, 'small', '500m');
  pod(lab, 'large', '1500m');
  pod(lab, 'middle', '1500m', { priorityClassName: 'mid' });
  lab.advance(10);
  pod(lab, 'urgent', '1500m', { priorityClassName: 'high' });
  lab.advance(1);
  const uid = lab.get('/pods', 'urgent').metadata.uid ?? '';
  expect(lab.get('/pods', 'large').metadata.deletionTimestamp).toBeDefined();
  expect(lab.condition(lab.get('/pods', 'large'), 'DisruptionTarget')).toMatchObject({
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: 'default-scheduler: preempting to accommodate a higher priority pod',
  });
  expect(lab.events('large')).toContain(`Normal Preempted: Preempted by pod ${uid} on node node-1`);
  expect(at(lab.get('/pods', 'urgent'), 'status', 'nominatedNodeName')).toBe('node-1');
  expect(lab.events('urgent')).toContain(
    'Warning FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu.',
  );
  // What comes meanwhile does not take the place.
  pod(lab, 'sneaky', '1500m');
  lab.advance(60);
  expect(nodeOf(lab, 'urgent')).toBe('node-1');
  expect(nodeOf(lab, 'sneaky')).toBeUndefined();
  expect(names(lab)).toEqual(['middle', 'small', 'sneaky', 'urgent']);
});

test('a pod with preemption policy Never waits, and the scheduler reports it', () => {
  const lab = busyLab('Never');
  pod(lab, 'large', '3');
  lab.advance(10);
  pod(lab, 'patient', '3', { priorityClassName: 'high' });
  lab.advance(1);
  expect(lab.condition(lab.get('/pods', 'patient'), 'PodScheduled')['message']).toBe(
    '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
  );
  expect(names(lab)).toEqual(['large', 'patient']);
});

test('a pod that would not fit without all less important ones preempts none', () => {
  const lab = busyLab();
  pod(lab, 'equal', '2', { priorityClassName: 'high' });
  pod(lab, 'low', '1');
  lab.advance(10);
  pod(lab, 'urgent', '3', { priorityClassName: 'high' });
  lab.advance(1);
  expect(lab.condition(lab.get('/pods', 'urgent'), 'PodScheduled')['message']).toBe(
    '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Insufficient cpu.',
  );
  expect(lab.get('/pods', 'low').metadata.deletionTimestamp).toBeUndefined();
});

test('pods that a budget protects are spared where others can be preempted', () => {
  const lab = busyLab();
  pod(lab, 'guarded', '1500m', {}, { app: 'guarded' });
  pod(lab, 'plain', '1500m');
  create(lab.world, 'policy/poddisruptionbudgets', 'default', {
    metadata: { name: 'guarded' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
  });
  lab.advance(10);
  pod(lab, 'urgent', '2', { priorityClassName: 'high' });
  lab.advance(60);
  expect(names(lab)).toEqual(['guarded', 'urgent']);
});
