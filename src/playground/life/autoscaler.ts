import type { LabelSelector } from '../../kube/selector.ts';
import { matchesSelector } from '../../kube/selector.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import { timestamp } from '../clock.ts';
import { demands, factorOf, podUsage, scaleTarget } from '../metrics/load.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../values.ts';
import type { Controller, Life } from './engine.ts';
import { isActive, isReady, putSpec, putStatus, report, withCondition } from './write.ts';

const storage = 'autoscaling/horizontalpodautoscalers';
const every = 15_000;
/** Fewer pods than the most that were advised within this time are not taken, ms. */
const settled = 300_000;
/** A use this near to the wanted one changes nothing. */
const tolerance = 0.1;

const component = 'horizontal-pod-autoscaler';

/** Scales workloads to the processor and memory use that their autoscalers ask for, by the playground's own metrics. */
export const autoscaler: Controller = {
  name: component,
  interested: ({ storage: place, key, before }) => (place === storage && before === undefined ? [key] : []),
  reconcile: (key, life) => {
    const object = life.world.store.get(storage, key);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    scale(object, key, life);
    life.look(autoscaler, key, every);
  },
};

interface Measured {
  /** The entry of status.currentMetrics. */
  readonly current: Rec;
  /** How many pods would have the wanted use. */
  readonly advised: number;
  readonly text: string;
}

/** What one resource metric says; undefined when no pod asks for the resource or none is measured. */
function measure(metric: Rec, pods: readonly Obj[], life: Life): Measured | undefined {
  const now = life.world.clock.now();
  const name = str(at(metric, 'resource', 'name'));
  const utilization = at(metric, 'resource', 'target', 'averageUtilization');
  const value = parseQuantity(str(at(metric, 'resource', 'target', 'averageValue')));
  const shared = demands(life.world, now);
  let used = 0;
  let requested = 0;
  let counted = 0;
  for (const pod of pods) {
    const usage = podUsage(pod, now, factorOf(pod, shared));
    if (usage === undefined || !isReady(pod)) continue;
    counted += 1;
    for (const container of usage) used += name === 'cpu' ? container.cpu : container.memory;
    for (const container of recs(at(pod, 'spec', 'containers'))) {
      requested += parseQuantity(str(at(container, 'resources', 'requests', name))) ?? 0;
    }
  }
  if (counted === 0) return undefined;
  const average = used / counted;
  const averageValue = name === 'cpu' ? `${Math.round(average * 1000)}m` : String(Math.round(average));
  if (typeof utilization === 'number') {
    if (requested === 0) return undefined;
    const percent = Math.round((used / requested) * 100);
    const ratio = percent / utilization;
    return {
      current: {
        type: 'Resource',
        resource: { name, current: { averageUtilization: percent, averageValue } },
      },
      advised: Math.abs(ratio - 1) <= tolerance ? pods.length : Math.ceil(ratio * counted),
      text: `${name} resource utilization (percentage of request)`,
    };
  }
  if (value === undefined || value === 0) return undefined;
  const ratio = average / value;
  return {
    current: { type: 'Resource', resource: { name, current: { averageValue } } },
    advised: Math.abs(ratio - 1) <= tolerance ? pods.length : Math.ceil(ratio * counted),
    text: `${name} resource`,
  };
}

/** What was advised lately, by autoscaler. */
const advice = new WeakMap<Life, Map<string, { at: number; replicas: number }[]>>();

function stabilized(life: Life, key: string, replicas: number): number {
  const now = life.world.clock.now();
  const all = advice.get(life) ?? new Map<string, { at: number; replicas: number }[]>();
  advice.set(life, all);
  const lately = (all.get(key) ?? []).filter((item) => now - item.at < settled);
  lately.push({ at: now, replicas });
  all.set(key, lately);
  return Math.max(...lately.map((item) => item.replicas));
}

function scale(object: Obj, key: string, life: Life): void {
  const { world } = life;
  const spec = rec(object['spec']);
  const status = rec(object['status']);
  const now = timestamp(world.clock.now());
  const target = scaleTarget(world, object);
  let conditions = recs(status['conditions']);
  const set = (type: string, value: boolean, reason: string, message: string) => {
    conditions = withCondition(conditions, { type, status: value ? 'True' : 'False', reason, message }, now);
  };
  const store = (fields: Rec) => putStatus(world, storage, object, { ...status, ...fields, conditions });
  if (target === undefined) {
    const name = str(at(spec, 'scaleTargetRef', 'name'));
    set(
      'AbleToScale',
      false,
      'FailedGetScale',
      `the HPA controller was unable to get the target's current scale: "${name}" not found`,
    );
    store({});
    return;
  }
  const replicas = Number(at(target.object, 'spec', 'replicas') ?? 1);
  const selector = at(target.object, 'spec', 'selector') as LabelSelector | undefined;
  const pods = world.store
    .list('/pods', `${object.metadata.namespace ?? ''}/`)
    .filter((pod) => isActive(pod) && matchesSelector(selector, pod.metadata.labels));
  const measured = recs(spec['metrics']).flatMap((metric) => measure(metric, pods, life) ?? []);
  set(
    'AbleToScale',
    true,
    'SucceededGetScale',
    "the HPA controller was able to get the target's current scale",
  );
  if (replicas === 0) {
    set(
      'ScalingActive',
      false,
      'ScalingDisabled',
      'scaling is disabled since the replica count of the target is zero',
    );
    store({ currentReplicas: 0, desiredReplicas: 0 });
    return;
  }
  const [first] = measured;
  if (first === undefined) {
    set(
      'ScalingActive',
      false,
      'FailedGetResourceMetric',
      'the HPA was unable to compute the replica count: no metrics returned from resource metrics API',
    );
    store({ currentReplicas: replicas, desiredReplicas: Number(status['desiredReplicas'] ?? 0) });
    return;
  }
  const most = measured.reduce((best, item) => (item.advised > best.advised ? item : best), first);
  set(
    'ScalingActive',
    true,
    'ValidMetricFound',
    `the HPA was able to successfully calculate a replica count from ${most.text}`,
  );
  const [minimum, maximum] = [Number(spec['minReplicas'] ?? 1), Number(spec['maxReplicas'] ?? 1)];
  const advised = stabilized(life, key, most.advised);
  const desired = Math.min(maximum, Math.max(minimum, advised));
  if (advised > maximum)
    set(
      'ScalingLimited',
      true,
      'TooManyReplicas',
      'the desired replica count is more than the maximum replica count',
    );
  else if (advised < minimum)
    set(
      'ScalingLimited',
      true,
      'TooFewReplicas',
      'the desired replica count is less than the minimum replica count',
    );
  else set('ScalingLimited', false, 'DesiredWithinRange', 'the desired count is within the acceptable range');
  const rescales = desired !== replicas;
  if (rescales) {
    putSpec(world, target.storage, target.object, { ...rec(target.object['spec']), replicas: desired });
    set(
      'AbleToScale',
      true,
      'SucceededRescale',
      `the HPA controller was able to update the target scale to ${desired}`,
    );
    const why = desired > replicas ? `${most.text} above target` : 'All metrics below target';
    report(world, object, {
      type: 'Normal',
      reason: 'SuccessfulRescale',
      message: `New size: ${desired}; reason: ${why}`,
      component,
    });
  }
  store({
    observedGeneration: object.metadata.generation ?? 1,
    currentReplicas: replicas,
    desiredReplicas: desired,
    currentMetrics: measured.map(({ current }) => current),
    ...(rescales ? { lastScaleTime: now } : {}),
  });
}
