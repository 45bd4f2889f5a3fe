import type { LabelSelector } from '../../kube/selector.ts';
import { matchesSelector } from '../../kube/selector.ts';
import { timestamp } from '../kit/clock.ts';
import { scaleTarget } from './usage.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { measureAll } from './autoscaler-metrics.ts';
import { type Advice, limitRate, stabilize, within } from './autoscaler-policy.ts';
import type { Controller, Life } from './engine.ts';
import { putSpec, putStatus, report, withCondition } from './write.ts';

const storage = 'autoscaling/horizontalpodautoscalers';
/** Milliseconds between two looks at an autoscaler; the first comes as long after it was made. */
const every = 15_000;
const component = 'horizontal-pod-autoscaler';

/** Scales workloads to the processor and memory use that their autoscalers ask for, by the playground's own metrics. */
export const autoscaler: Controller = {
  name: component,
  interested: ({ storage: place, key, before, after }, life) => {
    if (place === storage && before === undefined && after !== undefined) life.look(autoscaler, key, every);
    return [];
  },
  reconcile: (key, life) => {
    const object = life.world.store.get(storage, key);
    if (object === undefined) {
      memoryOf(life).delete(key);
      return;
    }
    if (object.metadata.deletionTimestamp !== undefined) return;
    scale(object, key, life);
    life.look(autoscaler, key, every);
  },
};

const memories = new WeakMap<Life, Map<string, Advice>>();
function memoryOf(life: Life): Map<string, Advice> {
  const known = memories.get(life) ?? new Map<string, Advice>();
  memories.set(life, known);
  return known;
}

const groupOf = (apiVersion: string) =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

function scale(object: Obj, key: string, life: Life): void {
  const { world } = life;
  const spec = rec(object['spec']);
  const status = rec(object['status']);
  const clock = world.clock.now();
  const now = timestamp(clock);
  let conditions: readonly Rec[] = recs(status['conditions']);
  const set = (type: string, value: boolean, reason: string, message: string) => {
    conditions = withCondition(conditions, { type, status: value ? 'True' : 'False', reason, message }, now);
  };
  const tell = (type: 'Normal' | 'Warning', reason: string, message: string) =>
    report(world, object, { type, reason, message, component });
  const store = (fields: Rec) =>
    putStatus(world, storage, object, {
      currentMetrics: null,
      desiredReplicas: 0,
      ...status,
      ...fields,
      conditions,
    });

  const reference = rec(spec['scaleTargetRef']);
  const target = scaleTarget(world, object);
  if (target === undefined) {
    const group = groupOf(str(reference['apiVersion']));
    const plural = world.registry.ofKind(str(reference['apiVersion']), str(reference['kind']))?.plural;
    const resource =
      plural === undefined ? str(reference['kind']) : group === '' ? plural : `${plural}.${group}`;
    const why =
      plural === undefined
        ? `no matches for kind "${str(reference['kind'])}" in group "${group}"`
        : `${resource} "${str(reference['name'])}" not found`;
    tell('Warning', 'FailedGetScale', why);
    set(
      'AbleToScale',
      false,
      'FailedGetScale',
      `the HPA controller was unable to get the target's current scale: ${why}`,
    );
    store({});
    return;
  }
  set(
    'AbleToScale',
    true,
    'SucceededGetScale',
    "the HPA controller was able to get the target's current scale",
  );
  const replicas = Number(at(target.object, 'spec', 'replicas') ?? 1);
  const [least, most] = [Number(spec['minReplicas'] ?? 1), Number(spec['maxReplicas'] ?? 1)];
  const memory = memoryOf(life).get(key) ?? { advised: [{ at: clock, replicas }], ups: [], downs: [] };
  memoryOf(life).set(key, memory);

  let desired = replicas;
  let why = '';
  let currentMetrics: readonly Rec[] | null =
    status['currentMetrics'] === undefined ? null : recs(status['currentMetrics']);
  if (replicas === 0 && least !== 0) {
    set(
      'ScalingActive',
      false,
      'ScalingDisabled',
      'scaling is disabled since the replica count of the target is zero',
    );
    desired = 0;
  } else if (replicas > most) {
    why = 'Current number of replicas above Spec.MaxReplicas';
    desired = most;
  } else if (replicas < least) {
    why = 'Current number of replicas below Spec.MinReplicas';
    desired = least;
  } else {
    const selector = at(target.object, 'spec', 'selector') as LabelSelector | undefined;
    const namespace = object.metadata.namespace ?? '';
    const pods = world.store
      .list('/pods', `${namespace}/`)
      .filter((pod) => matchesSelector(selector, pod.metadata.labels));
    const scaled = { namespace, pods };
    const metrics = measureAll(recs(spec['metrics']), scaled, replicas, rec(spec['behavior']), life);
    for (const failure of metrics.failures) tell('Warning', failure.reason, failure.message);
    if (metrics.best === undefined) {
      const { reason, message } = metrics.failures[0] ?? { reason: '', message: '' };
      const whole = `invalid metrics (${metrics.failures.length} invalid out of ${recs(spec['metrics']).length}), first error is: ${message}`;
      tell('Warning', 'FailedComputeMetricsReplicas', whole);
      set('ScalingActive', false, reason, `the HPA was unable to compute the replica count: ${message}`);
      store({
        currentReplicas: replicas,
        desiredReplicas: replicas,
        ...(status['currentMetrics'] === undefined ? {} : { currentMetrics }),
      });
      return;
    }
    const { advised, text } = metrics.best;
    currentMetrics = metrics.current;
    set(
      'ScalingActive',
      true,
      'ValidMetricFound',
      `the HPA was able to successfully calculate a replica count from ${text}`,
    );
    if (advised > replicas) why = `${text} above target`;
    else if (advised < replicas) why = 'All metrics below target';
    const behaviour = rec(spec['behavior']);
    const settled = stabilize(memory, advised, replicas, behaviour, clock);
    if (settled.replicas === advised) {
      set('AbleToScale', true, 'ReadyForNewScale', 'recommended size matches current size');
    } else set('AbleToScale', true, settled.reason, settled.message);
    const allowed =
      spec['behavior'] === undefined
        ? within(replicas, settled.replicas, least, most)
        : limitRate(memory, replicas, settled.replicas, least, most, behaviour, clock);
    set('ScalingLimited', allowed.limited, allowed.reason, allowed.message);
    desired = allowed.replicas;
  }
  const rescales = desired !== replicas;
  if (rescales) {
    putSpec(world, target.storage, target.object, { ...rec(target.object['spec']), replicas: desired });
    set(
      'AbleToScale',
      true,
      'SucceededRescale',
      `the HPA controller was able to update the target scale to ${desired}`,
    );
    tell('Normal', 'SuccessfulRescale', `New size: ${desired}; reason: ${why}`);
    const change = { at: clock, by: Math.abs(desired - replicas) };
    (desired > replicas ? memory.ups : memory.downs).push(change);
  }
  store({
    ...(replicas === 0 ? {} : { currentReplicas: replicas }),
    desiredReplicas: desired,
    currentMetrics,
    ...(rescales ? { lastScaleTime: now } : {}),
  });
}
