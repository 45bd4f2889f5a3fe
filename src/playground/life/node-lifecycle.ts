import { timestamp } from '../kit/clock.ts';
import { at, type Obj, type Rec, rec, recs, same, str } from '../kit/values.ts';
import type { Controller, Life } from './engine.ts';
import { disruption, markDisrupted } from './pod-end.ts';
import { isReady, put, putStatus, remove, report } from './write.ts';

const component = 'node-controller';
const prefix = 'node.kubernetes.io/';

/** Taints nodes by their conditions and by being cordoned, and cleans up after deleted ones. */
export const nodeLifecycle: Controller = {
  name: component,
  interested: ({ storage, key, before, after }) => {
    if (storage === '/nodes' && before === undefined) return [key, `${registeredKey}${key}`];
    if (storage === '/nodes' && after === undefined) return [`${removingKey}${key}`, key];
    if (storage === '/pods') {
      const node = str(at(after, 'spec', 'nodeName'));
      return node !== '' && at(before, 'spec', 'nodeName') !== node ? [node] : [];
    }
    if (storage !== '/nodes') return [];
    const same = before?.['spec'] === after?.['spec'] && before?.['status'] === after?.['status'];
    return same ? [] : [key];
  },
  reconcile: (key, life) => {
    const [name = '', action = ''] = key.split('|').reverse();
    const node = life.world.store.get('/nodes', name);
    if (`${action}|` === registeredKey || `${action}|` === removingKey)
      reportController(name, action, node, life);
    else if (`${action}|` === goneKey) {
      if (node === undefined) for (const pod of life.children.podsOn(name)) deleteOrphan(pod, life);
    } else if (node === undefined) life.look(nodeLifecycle, `${goneKey}${name}`, deletionDelay);
    if (node === undefined || action !== '') return;
    unready(taint(node, life), life);
  },
};

const [registeredKey, removingKey, goneKey] = ['RegisteredNode|', 'RemovingNode|', 'gone|'];
/** Time between a node's deletion and that of its pods, ms. */
const deletionDelay = 40_000;

/** Reports that a node was added or removed. */
function reportController(name: string, reason: string, node: Obj | undefined, life: Life): void {
  const involvedObject = node ?? { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name } };
  const actionText =
    reason === 'RegisteredNode' ? `Registered Node ${name} in` : `Removing Node ${name} from`;
  const message = `Node ${name} event: ${actionText} Controller`;
  report(life.world, involvedObject, { type: 'Normal', reason, message, component });
}

/** Deletes a pod whose node no longer exists. */
function deleteOrphan(pod: Obj, life: Life): void {
  const { world } = life;
  const phase = at(pod, 'status', 'phase');
  const why = disruption(pod, 'DeletionByPodGC', 'PodGC: node no longer exists');
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const last = isOver ? pod : markDisrupted(world, pod, why, { phase: 'Failed' });
  remove(world, '/pods', last, 0);
}

const conditionStatus = (node: Obj, type: string) =>
  str(recs(at(node, 'status', 'conditions')).find((item) => item['type'] === type)?.['status']);

/** The taints (key and effect) that a node's conditions require. */
function conditionTaints(node: Obj): (readonly [key: string, effect: string])[] {
  const found: (readonly [string, string])[] = [];
  const ready = conditionStatus(node, 'Ready');
  if (ready === 'False') found.push(['not-ready', 'NoSchedule'], ['not-ready', 'NoExecute']);
  if (ready === 'Unknown') found.push(['unreachable', 'NoSchedule'], ['unreachable', 'NoExecute']);
  if (conditionStatus(node, 'MemoryPressure') === 'True') found.push(['memory-pressure', 'NoSchedule']);
  if (conditionStatus(node, 'DiskPressure') === 'True') found.push(['disk-pressure', 'NoSchedule']);
  if (conditionStatus(node, 'PIDPressure') === 'True') found.push(['pid-pressure', 'NoSchedule']);
  if (conditionStatus(node, 'NetworkUnavailable') === 'True')
    found.push(['network-unavailable', 'NoSchedule']);
  if (at(node, 'spec', 'unschedulable') === true) found.push(['unschedulable', 'NoSchedule']);
  return found;
}

const managedTaints = new Set(
  [
    'not-ready',
    'unreachable',
    'memory-pressure',
    'disk-pressure',
    'pid-pressure',
    'network-unavailable',
    'unschedulable',
  ].map((name) => `${prefix}${name}`),
);

function taint(node: Obj, life: Life): Obj {
  const now = timestamp(life.world.clock.now());
  const before = recs(at(node, 'spec', 'taints'));
  const wanted = conditionTaints(node).map(([name, effect]) => ({ key: `${prefix}${name}`, effect }));
  const is = (a: Rec, b: Rec) => a['key'] === b['key'] && a['effect'] === b['effect'];
  const keptTaints = before.filter(
    (item) => !managedTaints.has(str(item['key'])) || wanted.some((wantedTaint) => is(item, wantedTaint)),
  );
  const newTaints = wanted.filter((wantedTaint) => !before.some((item) => is(item, wantedTaint)));
  const taints = [...keptTaints, ...newTaints.map(({ key, effect }) => ({ key, effect, timeAdded: now }))];
  if (same(taints, before)) return node;
  const { taints: _taints, ...spec } = rec(node['spec']);
  return put(life.world, '/nodes', { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } });
}

/** Sets the pods of a node that is not ready to not ready. */
function unready(node: Obj, life: Life): void {
  const ready = conditionStatus(node, 'Ready');
  if (ready !== 'False' && ready !== 'Unknown') return;
  const now = timestamp(life.world.clock.now());
  for (const pod of life.children.podsOn(node.metadata.name ?? '')) {
    if (!isReady(pod)) continue;
    const status = rec(pod['status']);
    const conditions = recs(status['conditions']).map((item) =>
      item['type'] === 'Ready' ? { ...item, status: 'False', lastTransitionTime: now } : item,
    );
    putStatus(life.world, '/pods', pod, { ...status, conditions });
    report(life.world, pod, {
      type: 'Warning',
      reason: 'NodeNotReady',
      message: 'Node is not ready',
      component,
    });
  }
}
