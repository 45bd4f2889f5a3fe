import { parseQuantity } from '../../kube/quantity.ts';
import { bindPod } from '../api/pods.ts';
import { timestamp } from '../clock.ts';
import { at, type Obj, type Rec, rec, recs, str, strings } from '../values.ts';
import { type Controller, controllerOf, type Life } from './engine.ts';
import { putStatus, report, withCondition } from './write.ts';

/** Puts pods on nodes: taints, selectors, requests; says why it cannot in the scheduler's words. */
export const scheduler: Controller = {
  name: 'default-scheduler',
  interested: ({ storage, key, before, after }, life) => {
    if (storage === '/pods') {
      const waiting = after !== undefined && unplaced(after) && before === undefined ? [key] : [];
      // Room appears when a pod leaves: those that wait are tried again.
      const left = before !== undefined && after === undefined && str(at(before, 'spec', 'nodeName')) !== '';
      return left ? [...waiting, ...waitingPods(life)] : waiting;
    }
    if (storage !== '/nodes' || after === undefined) return [];
    return before?.['spec'] === after['spec'] && before?.metadata.labels === after.metadata.labels
      ? []
      : waitingPods(life);
  },
  reconcile: (key, life) => {
    const pod = life.world.store.get('/pods', key);
    if (pod === undefined || !unplaced(pod)) {
      waitingOf(life).delete(key);
      return;
    }
    schedule(pod, key, life);
  },
};

const waiting = new WeakMap<Life, Set<string>>();
function waitingOf(life: Life): Set<string> {
  const known = waiting.get(life) ?? new Set<string>();
  waiting.set(life, known);
  return known;
}
const waitingPods = (life: Life) => Array.from(waitingOf(life));

const unplaced = (pod: Obj) =>
  str(at(pod, 'spec', 'nodeName')) === '' &&
  pod.metadata.deletionTimestamp === undefined &&
  at(pod, 'spec', 'schedulerName') === 'default-scheduler' &&
  recs(at(pod, 'spec', 'schedulingGates')).length === 0;

interface Demand {
  readonly cpu: number;
  readonly memory: number;
}
const demands = new WeakMap<object, Demand>();

/** What a pod's containers ask for together. */
function demandOf(pod: Obj): Demand {
  const spec = rec(pod['spec']);
  const list = spec['containers'];
  const holder = Array.isArray(list) ? list : spec;
  const known = demands.get(holder);
  if (known !== undefined) return known;
  let cpu = 0;
  let memory = 0;
  for (const container of recs(list)) {
    const requests = strings(at(container, 'resources', 'requests'));
    cpu += parseQuantity(requests['cpu']) ?? 0;
    memory += parseQuantity(requests['memory']) ?? 0;
  }
  const demand = { cpu, memory };
  demands.set(holder, demand);
  return demand;
}

function tolerates(pod: Obj, taint: Rec): boolean {
  return recs(at(pod, 'spec', 'tolerations')).some((toleration) => {
    if (toleration['effect'] !== undefined && toleration['effect'] !== taint['effect']) return false;
    if (toleration['key'] === undefined) return toleration['operator'] === 'Exists';
    if (toleration['key'] !== taint['key']) return false;
    return toleration['operator'] === 'Exists' || str(toleration['value']) === str(taint['value']);
  });
}

function termMatches(term: Rec, node: Obj): boolean {
  const fits = (requirement: Rec, value: string | undefined) => {
    const values = Array.isArray(requirement['values']) ? requirement['values'].map(str) : [];
    switch (requirement['operator']) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      case 'Gt':
        return Number(value) > Number(values[0]);
      case 'Lt':
        return Number(value) < Number(values[0]);
      default:
        return false;
    }
  };
  return (
    recs(term['matchExpressions']).every((item) => fits(item, node.metadata.labels?.[str(item['key'])])) &&
    recs(term['matchFields']).every((item) => fits(item, node.metadata.name))
  );
}

function affinityAllows(pod: Obj, node: Obj): boolean {
  const selector = Object.entries(strings(at(pod, 'spec', 'nodeSelector')));
  if (!selector.every(([key, value]) => node.metadata.labels?.[key] === value)) return false;
  const required = at(
    pod,
    'spec',
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  );
  const terms = recs(rec(required)['nodeSelectorTerms']);
  return terms.length === 0 || terms.some((term) => termMatches(term, node));
}

interface Room {
  readonly cpu: number;
  readonly memory: number;
  readonly share: number;
  readonly siblings: number;
}

function roomOn(node: Obj, pod: Obj, life: Life): Room & { pods: number } {
  const allocatable = strings(at(node, 'status', 'allocatable'));
  const cpu = parseQuantity(allocatable['cpu']) ?? 0;
  const memory = parseQuantity(allocatable['memory']) ?? 0;
  const owner = controllerOf(pod)?.uid;
  let usedCpu = 0;
  let usedMemory = 0;
  let siblings = 0;
  const running = life.children.podsOn(node.metadata.name ?? '');
  let pods = parseQuantity(allocatable['pods']) ?? 110;
  for (const other of running) {
    const phase = at(other, 'status', 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    const demand = demandOf(other);
    usedCpu += demand.cpu;
    usedMemory += demand.memory;
    pods -= 1;
    if (owner !== undefined && controllerOf(other)?.uid === owner) siblings += 1;
  }
  return {
    cpu: cpu - usedCpu,
    memory: memory - usedMemory,
    share: usedCpu / Math.max(cpu, 1e-9) + usedMemory / Math.max(memory, 1),
    siblings,
    pods,
  };
}

function schedule(pod: Obj, key: string, life: Life): void {
  const { world } = life;
  const nodes = world.store.list('/nodes');
  const demand = demandOf(pod);
  const reasons = new Map<string, number>();
  const helpless = new Map<string, number>();
  const refuse = (why: string, preemptible: boolean) => {
    reasons.set(why, (reasons.get(why) ?? 0) + 1);
    const help = preemptible
      ? 'No preemption victims found for incoming pod'
      : 'Preemption is not helpful for scheduling';
    helpless.set(help, (helpless.get(help) ?? 0) + 1);
  };
  const fitting: { node: Obj; room: Room }[] = [];
  for (const node of nodes) {
    const unschedulable = at(node, 'spec', 'unschedulable') === true;
    const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    if (unschedulable && !tolerates(pod, cordon)) {
      refuse('node(s) were unschedulable', false);
      continue;
    }
    const taint = recs(at(node, 'spec', 'taints')).find(
      (item) => (item['effect'] === 'NoSchedule' || item['effect'] === 'NoExecute') && !tolerates(pod, item),
    );
    if (taint !== undefined) {
      refuse('node(s) had untolerated taint(s)', false);
      continue;
    }
    if (!affinityAllows(pod, node)) {
      refuse("node(s) didn't match Pod's node affinity/selector", false);
      continue;
    }
    const room = roomOn(node, pod, life);
    const allocatable = strings(at(node, 'status', 'allocatable'));
    const never =
      demand.cpu > (parseQuantity(allocatable['cpu']) ?? 0) ||
      demand.memory > (parseQuantity(allocatable['memory']) ?? 0);
    const short: string[] = [];
    if (room.pods < 1) short.push('Too many pods');
    if (demand.cpu > room.cpu) short.push('Insufficient cpu');
    if (demand.memory > room.memory) short.push('Insufficient memory');
    if (short.length > 0) {
      for (const why of short) reasons.set(why, (reasons.get(why) ?? 0) + 1);
      const help = never
        ? 'Preemption is not helpful for scheduling'
        : 'No preemption victims found for incoming pod';
      helpless.set(help, (helpless.get(help) ?? 0) + 1);
    } else fitting.push({ node, room });
  }
  const best = fitting.sort((a, b) => a.room.siblings - b.room.siblings || a.room.share - b.room.share)[0];
  if (best !== undefined) {
    waitingOf(life).delete(key);
    const name = best.node.metadata.name ?? '';
    const bound = bindPod(world, pod, name);
    report(world, bound, {
      type: 'Normal',
      reason: 'Scheduled',
      message: `Successfully assigned ${pod.metadata.namespace}/${pod.metadata.name} to ${name}`,
      component: scheduler.name,
      action: 'Binding',
    });
    return;
  }
  waitingOf(life).add(key);
  fail(pod, nodes.length, reasons, helpless, life);
  life.look(scheduler, key, 300_000);
}

const listed = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .map(([why, count]) => `${count} ${why}`)
    .sort()
    .join(', ');

function fail(
  pod: Obj,
  nodes: number,
  reasons: ReadonlyMap<string, number>,
  helpless: ReadonlyMap<string, number>,
  life: Life,
): void {
  const { world } = life;
  const message =
    nodes === 0
      ? 'no nodes available to schedule pods'
      : `0/${nodes} nodes are available: ${listed(reasons)}. no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${listed(helpless)}.`;
  const now = timestamp(world.clock.now());
  const status = rec(pod['status']);
  const conditions = withCondition(
    recs(status['conditions']),
    {
      type: 'PodScheduled',
      observedGeneration: pod.metadata.generation ?? 1,
      status: 'False',
      lastProbeTime: null,
      reason: 'Unschedulable',
      message,
    },
    now,
  );
  putStatus(world, '/pods', pod, { ...status, conditions });
  report(world, pod, {
    type: 'Warning',
    reason: 'FailedScheduling',
    message,
    component: scheduler.name,
    action: 'Scheduling',
  });
}
