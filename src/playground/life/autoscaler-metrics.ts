import { parseQuantity } from '../../kube/quantity.ts';
import { demands, factorOf, isMeasured, podUsage, memoryFactorOf } from './usage.ts';
import { at, type Obj, type Rec, recs, str, strings } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { isActive, isReady } from './write.ts';

/** Default tolerance: a ratio of usage to target this close to 1 changes nothing. */
const defaultTolerance = 0.1;

/** A measured metric, and the replicas that it recommends. */
export interface Measured {
  /** The entry of status.currentMetrics. */
  readonly current: Rec;
  /** Recommended number of replicas. */
  readonly recommended: number;
  /** The metric's description in conditions and events. */
  readonly text: string;
}

/** Why a metric could not be read. */
export interface Failure {
  readonly reason: string;
  readonly message: string;
}

/** All metrics of an autoscaler. `best`: the one that recommends the most replicas. */
export interface Metrics {
  readonly best: Measured | undefined;
  readonly current: readonly Rec[];
  readonly failures: readonly Failure[];
}

/** The pods of a scale target. */
interface Target {
  readonly namespace: string;
  readonly pods: readonly Obj[];
}

/** Measures every metric of an autoscaler over the pods of its target. */
export function measureAll(
  metrics: readonly Rec[],
  target: Target,
  replicas: number,
  behaviour: Rec,
  life: Life,
): Metrics {
  const found: Measured[] = [];
  const failures: Failure[] = [];
  for (const metric of metrics) {
    const result = measure(metric, target, replicas, behaviour, life);
    if ('current' in result) found.push(result);
    else failures.push(result);
  }
  const best = found.reduce<Measured | undefined>(
    (highest, item) => (highest === undefined || item.recommended > highest.recommended ? item : highest),
    undefined,
  );
  // With a metric missing the target must not shrink, since that metric might recommend more.
  const unsafe = failures.length > 0 && (best === undefined || best.recommended < replicas);
  return { best: unsafe ? undefined : best, current: found.map(({ current }) => current), failures };
}

function measure(
  metric: Rec,
  target: Target,
  replicas: number,
  behaviour: Rec,
  life: Life,
): Measured | Failure {
  const { namespace, pods } = target;
  const type = str(metric['type']);
  const container = str(at(metric, 'containerResource', 'container'));
  const source = type === 'ContainerResource' ? metric['containerResource'] : metric['resource'];
  const name = str(at(source, 'name'));
  if (type !== 'Resource' && type !== 'ContainerResource') {
    return unservedMetric(type, metric, namespace);
  }
  const fail = (detail: string): Failure => ({
    reason: `FailedGet${type}Metric`,
    message: `failed to get ${name}${container === '' ? '' : ' container'} ${percent === undefined ? 'resource metric value' : 'utilization'}: ${detail}`,
  });
  const percent = at(source, 'target', 'averageUtilization');
  const value = parseQuantity(str(at(source, 'target', 'averageValue')));
  const now = life.world.clock.now();
  const shared = demands(life.world, now);
  const active = pods.filter((pod) => isActive(pod));
  if (active.length === 0)
    return fail(`unable to get metrics for resource ${name}: no metrics returned from resource metrics API`);
  const isCounted = (item: { name: string }) => container === '' || item.name === container;
  let used = 0;
  let requested = 0;
  let counted = 0;
  let idle = 0;
  for (const pod of active) {
    const usage = isMeasured(life.world, pod)
      ? podUsage(pod, now, factorOf(pod, shared), memoryFactorOf(life.world, pod))
      : undefined;
    let request = 0;
    for (const item of recs(at(pod, 'spec', 'containers'))) {
      if (!isCounted({ name: str(item['name']) })) continue;
      const containerRequest = parseQuantity(str(at(item, 'resources', 'requests', name)));
      if (containerRequest === undefined && percent !== undefined) {
        return fail(
          `missing request for ${name} in container ${str(item['name'])} of Pod ${pod.metadata.name ?? ''}`,
        );
      }
      request += containerRequest ?? 0;
    }
    if (usage === undefined || (name === 'cpu' && !isReady(pod))) {
      idle += 1;
      continue;
    }
    counted += 1;
    requested += request;
    for (const item of usage) if (isCounted(item)) used += name === 'cpu' ? item.cpu : item.memory;
  }
  if (counted === 0) return fail('did not receive metrics for targeted pods (pods might be unready)');
  const average = used / counted;
  const averageValue = name === 'cpu' ? `${Math.round(average * 1000)}m` : String(Math.round(average));
  const utilization = Math.trunc((used / Math.max(requested, 1e-12)) * 100 + 1e-6);
  const ratio = typeof percent === 'number' ? utilization / percent : average / (value ?? average);
  const current = {
    name,
    ...(container === '' ? {} : { container }),
    current: { ...(typeof percent === 'number' ? { averageUtilization: utilization } : {}), averageValue },
  };
  const label = container === '' ? 'resource' : 'container resource';
  return {
    current: container === '' ? { type, resource: current } : { type, containerResource: current },
    recommended: recommendedReplicas(ratio, counted, idle, replicas, behaviour),
    text: `${name} ${label}${typeof percent === 'number' ? ' utilization (percentage of request)' : ''}`,
  };
}

/** A label selector as Go prints it (%v of the struct). */
function goSelector(selector: unknown): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(strings(at(selector, 'matchLabels'))).map(
    ([key, value]) => `${key}: ${value},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{},}`;
}

/** The failure of a metric that no API of this cluster serves. */
function unservedMetric(type: string, metric: Rec, namespace: string): Failure {
  const source = metric[`${type.slice(0, 1).toLowerCase()}${type.slice(1)}`];
  const name = str(at(source, 'metric', 'name'));
  const custom =
    'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';
  const object = `${str(at(source, 'describedObject', 'kind'))} on ${namespace} ${str(at(source, 'describedObject', 'name'))}`;
  const why =
    type === 'External'
      ? `unable to get external metric ${namespace}/${name}/${goSelector(at(source, 'metric', 'selector'))}: unable to fetch metrics from external metrics API: the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`
      : `unable to get metric ${name}: ${type === 'Object' ? `${object}/` : ''}${custom}`;
  return {
    reason: `FailedGet${type}Metric`,
    message: `failed to get ${type.toLowerCase()} metric value: ${why}`,
  };
}

/**
 * Recommended replicas for a ratio of usage to target. `idle`: pods without metrics, which count as unused when
 * growing.
 */
function recommendedReplicas(
  ratio: number,
  counted: number,
  idle: number,
  replicas: number,
  behaviour: Rec,
): number {
  const tolerance = (way: string) => parseQuantity(str(at(behaviour, way, 'tolerance'))) ?? defaultTolerance;
  const isWithinTolerance = (value: number) =>
    value <= 1 + tolerance('scaleUp') && value >= 1 - tolerance('scaleDown');
  if (idle === 0 || ratio <= 1)
    return isWithinTolerance(ratio) ? replicas : Math.ceil(round(ratio * counted));
  const ratioWithIdle = (ratio * counted) / (counted + idle);
  if (isWithinTolerance(ratioWithIdle) || ratioWithIdle < 1) return replicas;
  return Math.max(replicas, Math.ceil(round(ratioWithIdle * (counted + idle))));
}

/** Rounds away floating point errors. */
const round = (value: number) => Math.round(value * 1e9) / 1e9;
