import type { LabelSelector } from '../../kube/selector.ts';
import { matchesSelector } from '../../kube/selector.ts';
import { timestamp } from '../kit/clock.ts';
import { scaleTarget } from './usage.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { measureAll } from './autoscaler-metrics.ts';
import { type ScalingHistory, limitRate, stabilize, limitToRange } from './autoscaler-policy.ts';
import type { Controller, Life } from './engine.ts';
import { putSpec, putStatus, report, withCondition } from './write.ts';

const storage = 'autoscaling/horizontalpodautoscalers';
/** Period between syncs of an autoscaler, and from its creation to the first one, ms. */
const SYNC_PERIOD = 15_000;
const component = 'horizontal-pod-autoscaler';

/** Scales workloads to the CPU and memory targets of their autoscalers, by the playground's own metrics. */
export const autoscaler: Controller = {
  name: component,
  interested: ({ storage: changedStorage, key, before, after }, life) => {
    if (changedStorage === storage && before === undefined && after !== undefined)
      life.look(autoscaler, key, SYNC_PERIOD);
    return [];
  },
  reconcile: (key, life) => {
    const object = life.world.store.get(storage, key);
    if (object === undefined) {
      historiesOf(life).delete(key);
      return;
    }
    if (object.metadata.deletionTimestamp !== undefined) return;
    new AutoscalerSync(object, key, life).run();
    life.look(autoscaler, key, SYNC_PERIOD);
  },
};

const historiesOf = (life: Life) =>
  life.memory.of('scaling histories', () => new Map<string, ScalingHistory>());

const groupOf = (apiVersion: string) =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** The recommended number of replicas. */
interface Recommendation {
  readonly replicas: number;
  /** Reason of the rescale, for its event; empty when nothing changes. */
  readonly reason: string;
}

/** One sync of one autoscaler: collects its conditions and metrics, and stores them once at the end. */
class AutoscalerSync {
  readonly #object: Obj;
  readonly #key: string;
  readonly #life: Life;
  readonly #spec: Rec;
  readonly #status: Rec;
  /** Time of the sync, ms. */
  readonly #clock: number;
  #conditions: readonly Rec[];
  #currentMetrics: readonly Rec[] | null;

  constructor(object: Obj, key: string, life: Life) {
    this.#object = object;
    this.#key = key;
    this.#life = life;
    this.#spec = rec(object['spec']);
    this.#status = rec(object['status']);
    this.#clock = life.world.clock.now();
    this.#conditions = recs(this.#status['conditions']);
    this.#currentMetrics =
      this.#status['currentMetrics'] === undefined ? null : recs(this.#status['currentMetrics']);
  }

  run(): void {
    const { world } = this.#life;
    const target = scaleTarget(world, this.#object);
    if (target === undefined) {
      this.#reportMissingTarget();
      return;
    }
    this.#setCondition(
      'AbleToScale',
      true,
      'SucceededGetScale',
      "the HPA controller was able to get the target's current scale",
    );
    const replicas = Number(at(target.object, 'spec', 'replicas') ?? 1);
    const histories = historiesOf(this.#life);
    const history = histories.get(this.#key) ?? {
      recommendations: [{ at: this.#clock, replicas }],
      ups: [],
      downs: [],
    };
    histories.set(this.#key, history);
    const recommendation = this.#recommend(target.object, replicas, history);
    if (recommendation === undefined) return;
    const desired = recommendation.replicas;
    const rescales = desired !== replicas;
    if (rescales) {
      putSpec(world, target.storage, target.object, { ...rec(target.object['spec']), replicas: desired });
      this.#setCondition(
        'AbleToScale',
        true,
        'SucceededRescale',
        `the HPA controller was able to update the target scale to ${desired}`,
      );
      this.#report('Normal', 'SuccessfulRescale', `New size: ${desired}; reason: ${recommendation.reason}`);
      const change = { at: this.#clock, by: Math.abs(desired - replicas) };
      (desired > replicas ? history.ups : history.downs).push(change);
    }
    this.#store({
      ...(replicas === 0 ? {} : { currentReplicas: replicas }),
      desiredReplicas: desired,
      currentMetrics: this.#currentMetrics,
      ...(rescales ? { lastScaleTime: timestamp(this.#clock) } : {}),
    });
  }

  #setCondition(type: string, value: boolean, reason: string, message: string): void {
    const condition = { type, status: value ? 'True' : 'False', reason, message };
    this.#conditions = withCondition(this.#conditions, condition, timestamp(this.#clock));
  }

  #report(type: 'Normal' | 'Warning', reason: string, message: string): void {
    report(this.#life.world, this.#object, { type, reason, message, component });
  }

  #store(fields: Rec): void {
    putStatus(this.#life.world, storage, this.#object, {
      currentMetrics: null,
      desiredReplicas: 0,
      ...this.#status,
      ...fields,
      conditions: this.#conditions,
    });
  }

  #reportMissingTarget(): void {
    const reference = rec(this.#spec['scaleTargetRef']);
    const [apiVersion, kind, name] = [
      str(reference['apiVersion']),
      str(reference['kind']),
      str(reference['name']),
    ];
    const group = groupOf(apiVersion);
    const plural = this.#life.world.registry.ofKind(apiVersion, kind)?.plural;
    const why =
      plural === undefined
        ? `no matches for kind "${kind}" in group "${group}"`
        : `${group === '' ? plural : `${plural}.${group}`} "${name}" not found`;
    this.#report('Warning', 'FailedGetScale', why);
    this.#setCondition(
      'AbleToScale',
      false,
      'FailedGetScale',
      `the HPA controller was unable to get the target's current scale: ${why}`,
    );
    this.#store({});
  }

  /** Undefined when no metric could be measured; the status is then stored already. */
  #recommend(target: Obj, replicas: number, history: ScalingHistory): Recommendation | undefined {
    const [min, max] = [Number(this.#spec['minReplicas'] ?? 1), Number(this.#spec['maxReplicas'] ?? 1)];
    if (replicas === 0 && min !== 0) {
      this.#setCondition(
        'ScalingActive',
        false,
        'ScalingDisabled',
        'scaling is disabled since the replica count of the target is zero',
      );
      return { replicas: 0, reason: '' };
    }
    if (replicas > max) {
      return { replicas: max, reason: 'Current number of replicas above Spec.MaxReplicas' };
    }
    if (replicas < min) {
      return { replicas: min, reason: 'Current number of replicas below Spec.MinReplicas' };
    }
    const best = this.#measure(target, replicas);
    if (best === undefined) return undefined;
    const { recommended: advised, text } = best;
    const behaviour = rec(this.#spec['behavior']);
    const stabilized = stabilize(history, advised, replicas, behaviour, this.#clock);
    if (stabilized.replicas === advised) {
      this.#setCondition('AbleToScale', true, 'ReadyForNewScale', 'recommended size matches current size');
    } else this.#setCondition('AbleToScale', true, stabilized.reason, stabilized.message);
    const allowed =
      this.#spec['behavior'] === undefined
        ? limitToRange(replicas, stabilized.replicas, min, max)
        : limitRate(history, replicas, stabilized.replicas, min, max, behaviour, this.#clock);
    this.#setCondition('ScalingLimited', allowed.limited, allowed.reason, allowed.message);
    const reason =
      advised > replicas ? `${text} above target` : advised < replicas ? 'All metrics below target' : '';
    return { replicas: allowed.replicas, reason };
  }

  /**
   * The metric that recommends the most replicas; undefined when none could be measured, with the status stored.
   */
  #measure(target: Obj, replicas: number): ReturnType<typeof measureAll>['best'] {
    const selector = at(target, 'spec', 'selector') as LabelSelector | undefined;
    const namespace = this.#object.metadata.namespace ?? '';
    const pods = this.#life.world.store
      .list('/pods', `${namespace}/`)
      .filter((pod) => matchesSelector(selector, pod.metadata.labels));
    const wanted = recs(this.#spec['metrics']);
    const scaled = { namespace, pods };
    const { best, current, failures } = measureAll(
      wanted,
      scaled,
      replicas,
      rec(this.#spec['behavior']),
      this.#life,
    );
    for (const failure of failures) this.#report('Warning', failure.reason, failure.message);
    if (best === undefined) {
      const { reason, message } = failures[0] ?? { reason: '', message: '' };
      const summary = `invalid metrics (${failures.length} invalid out of ${wanted.length}), first error is: ${message}`;
      this.#report('Warning', 'FailedComputeMetricsReplicas', summary);
      this.#setCondition(
        'ScalingActive',
        false,
        reason,
        `the HPA was unable to compute the replica count: ${message}`,
      );
      this.#store({
        currentReplicas: replicas,
        desiredReplicas: replicas,
        ...(this.#currentMetrics === null ? {} : { currentMetrics: this.#currentMetrics }),
      });
      return undefined;
    }
    this.#currentMetrics = current;
    this.#setCondition(
      'ScalingActive',
      true,
      'ValidMetricFound',
      `the HPA was able to successfully calculate a replica count from ${best.text}`,
    );
    return best;
  }
}
