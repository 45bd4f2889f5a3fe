import { timestamp } from '../clock.ts';
import { at, type Obj, type Rec, rec, recs, same, str } from '../values.ts';
import type { Controller, Life } from './engine.ts';
import { toleratesTaint, taintsOf, tolerationsOf } from './taints.ts';
import { isReady, put, putStatus, remove, report } from './write.ts';

const component = 'node-controller';
const prefix = 'node.kubernetes.io/';

/** Taints nodes by their conditions and by being cordoned, and takes pods off those they do not tolerate. */
export const nodeLifecycle: Controller = {
  name: component,
  interested: ({ storage, key, before, after }) => {
    if (storage === '/pods') {
      const node = str(at(after, 'spec', 'nodeName'));
      return node !== '' && at(before, 'spec', 'nodeName') !== node ? [node] : [];
    }
    if (storage !== '/nodes') return [];
    const same = before?.['spec'] === after?.['spec'] && before?.['status'] === after?.['status'];
    return same ? [] : [key];
  },
  reconcile: (name, life) => {
    const node = life.world.store.get('/nodes', name);
    if (node === undefined) {
      for (const pod of life.children.podsOn(name)) remove(life.world, '/pods', pod, 0);
      return;
    }
    const tainted = taint(node, life);
    unready(tainted, life);
    evict(tainted, life);
  },
};

const conditionStatus = (node: Obj, type: string) =>
  str(recs(at(node, 'status', 'conditions')).find((item) => item['type'] === type)?.['status']);

/** Which taints a node's state asks for: key and effect. */
function wishes(node: Obj): (readonly [key: string, effect: string])[] {
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

const managed = new Set(
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
  const wanted = wishes(node).map(([name, effect]) => ({ key: `${prefix}${name}`, effect }));
  const is = (a: Rec, b: Rec) => a['key'] === b['key'] && a['effect'] === b['effect'];
  const kept = before.filter(
    (item) => !managed.has(str(item['key'])) || wanted.some((wish) => is(item, wish)),
  );
  const fresh = wanted.filter((wish) => !before.some((item) => is(item, wish)));
  const taints = [...kept, ...fresh.map(({ key, effect }) => ({ key, effect, timeAdded: now }))];
  if (same(taints, before)) return node;
  const { taints: _taints, ...spec } = rec(node['spec']);
  return put(life.world, '/nodes', { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } });
}

/** Pods of a node that is not ready are not ready either. */
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

/** Deletes pods that do not tolerate the node's `NoExecute` taints, once the time they bear them is over. */
function evict(node: Obj, life: Life): void {
  const taints = taintsOf(node, 'NoExecute');
  if (taints.length === 0) return;
  const now = life.world.clock.now();
  let next = Number.POSITIVE_INFINITY;
  for (const pod of life.children.podsOn(node.metadata.name ?? '')) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    let left = Number.POSITIVE_INFINITY;
    for (const taint of taints) {
      const bearing = tolerationsOf(pod).filter((item) => toleratesTaint(item, taint));
      if (bearing.length === 0) left = 0;
      const times = bearing
        .map((item) => item['tolerationSeconds'])
        .filter((time) => typeof time === 'number');
      const since = Date.parse(str(taint['timeAdded'])) || now;
      if (times.length > 0) left = Math.min(left, since + Math.max(0, Math.min(...times)) * 1000 - now);
    }
    if (left <= 0) {
      const { namespace = '', name = '' } = pod.metadata;
      const message = `Marking for deletion Pod ${namespace}/${name}`;
      report(life.world, pod, {
        type: 'Normal',
        reason: 'TaintManagerEviction',
        message,
        component: 'taint-eviction-controller',
      });
      remove(life.world, '/pods', pod);
    } else next = Math.min(next, left);
  }
  if (Number.isFinite(next)) life.look(nodeLifecycle, node.metadata.name ?? '', next + 20);
}
