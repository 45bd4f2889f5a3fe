import { annotatedConditions, annotatedCurrentMetrics, annotatedMetrics } from './autoscaling-v1.ts';
import { formatSelector } from './format-selector.ts';
import { formatBytes, formatCores } from './format-quantity.ts';
import type { Condition, KubeObject } from './object.ts';
import { parseQuantity } from './quantity.ts';
import type { ScaleTarget, MetricValue, MetricSpec, MetricStatus } from './autoscaling-metrics.ts';

/** The parts of autoscaling/v2 HorizontalPodAutoscaler that the console reads. */
export interface HorizontalPodAutoscaler extends KubeObject {
  spec?: {
    scaleTargetRef?: ScaleTarget;
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: MetricSpec[];
    /** Of autoscaling/v1, in place of `metrics`. */
    targetCPUUtilizationPercentage?: number;
  };
  status?: {
    currentReplicas?: number;
    desiredReplicas?: number;
    lastScaleTime?: string;
    currentMetrics?: MetricStatus[];
    /** Of autoscaling/v1, in place of `currentMetrics`. */
    currentCPUUtilizationPercentage?: number;
    conditions?: Condition[];
  };
}

/** The parts of keda.sh/v1alpha1 ScaledObject that the console reads; without a kind its target is a Deployment. */
export interface ScaledObject extends KubeObject {
  spec?: {
    scaleTargetRef?: ScaleTarget & { envSourceContainerName?: string };
    pollingInterval?: number;
    cooldownPeriod?: number;
    initialCooldownPeriod?: number;
    idleReplicaCount?: number;
    minReplicaCount?: number;
    maxReplicaCount?: number;
    fallback?: { failureThreshold?: number; replicas?: number };
    triggers?: {
      type?: string;
      name?: string;
      metadata?: Record<string, string>;
      authenticationRef?: { name?: string; kind?: string };
    }[];
  };
  status?: {
    hpaName?: string;
    lastActiveTime?: string;
    originalReplicaCount?: number;
    pausedReplicaCount?: number;
    externalMetricNames?: string[];
    conditions?: Condition[];
  };
}

/** Annotation that pauses a scaled object at its target's current count. */
export const pausedAnnotation = 'autoscaling.keda.sh/paused';
/** Annotation that pauses a scaled object at the given count. */
export const pausedReplicasAnnotation = 'autoscaling.keda.sh/paused-replicas';

/** The object that a scaled object scales, with its default kind filled in. */
export function scaledTarget({ spec }: ScaledObject): Required<ScaleTarget> | undefined {
  const { apiVersion, kind = 'Deployment', name } = spec?.scaleTargetRef ?? {};
  return name === undefined ? undefined : { apiVersion: apiVersion ?? 'apps/v1', kind, name };
}

/** Whether a scaled object is paused: at a given count, at the current one, or not at all. */
export function pauseOf({ metadata }: ScaledObject): { readonly at: number | undefined } | undefined {
  const { annotations = {} } = metadata ?? {};
  const at = Number.parseInt(annotations[pausedReplicasAnnotation] ?? '', 10);
  if (!Number.isNaN(at)) return { at };
  return annotations[pausedAnnotation] === 'true' ? { at: undefined } : undefined;
}

/** Formats a quantity: bytes in binary units, anything else as a number. */
function quantityText(text: string, isMemory: boolean): string {
  const value = parseQuantity(text);
  // Whole numbers beyond 2^53 are shown as they are.
  if (value === undefined || (!isMemory && !Number.isSafeInteger(Math.round(value)))) return text;
  if (isMemory) return formatBytes(value);
  return value !== 0 && Math.abs(value) < 1 ? formatCores(value) : String(Math.round(value * 100) / 100);
}

type ValueForm = 'averageUtilization' | 'averageValue' | 'value';

/** The form in which a target is given. A measurement may have several, of which this one compares with it. */
function formOf(target: MetricValue | undefined): ValueForm {
  if (target?.averageUtilization !== undefined) return 'averageUtilization';
  return target?.averageValue === undefined ? 'value' : 'averageValue';
}

function valueText(value: MetricValue | undefined, isMemory: boolean, form = formOf(value)): string {
  if (form === 'averageUtilization' && value?.averageUtilization !== undefined)
    return `${value.averageUtilization}%`;
  const text =
    form === 'value' ? (value?.value ?? value?.averageValue) : (value?.averageValue ?? value?.value);
  return text === undefined ? '?' : quantityText(text, isMemory);
}

/** Whether a metric counts bytes. */
const isMemory = ({ resource, containerResource }: MetricSpec) =>
  /^(memory|ephemeral-storage)$/.test((resource ?? containerResource)?.name ?? '');

/** The source of a metric: `cpu`, `memory of app`, `requests of Service/web`. */
function metricName(metric: MetricSpec): string {
  const { resource, containerResource, pods, object, external } = metric;
  if (resource !== undefined) return resource.name ?? '?';
  if (containerResource !== undefined)
    return `${containerResource.name ?? '?'} of ${containerResource.container ?? '?'}`;
  if (object !== undefined) {
    const { kind, name } = object.describedObject ?? {};
    const group = groupOf(object.describedObject) ?? '';
    const place = group.includes('.') && !group.endsWith('.k8s.io') ? `.${group}` : '';
    return `${object.metric?.name ?? '?'} of ${kind ?? '?'}${place}/${name ?? '?'}`;
  }
  return (pods ?? external)?.metric?.name ?? '?';
}

const partOf = (metric: MetricSpec) =>
  metric.resource ?? metric.containerResource ?? metric.pods ?? metric.object ?? metric.external;
const measuredOf = (metric: MetricStatus | undefined) =>
  (metric?.resource ?? metric?.containerResource ?? metric?.pods ?? metric?.object ?? metric?.external)
    ?.current;

/** The metrics of an autoscaler, whatever version of the API it was read in. */
function metricsOf({ metadata, spec, status }: HorizontalPodAutoscaler): {
  readonly wanted: readonly MetricSpec[];
  readonly current: readonly MetricStatus[];
} {
  const { metrics, targetCPUUtilizationPercentage: target } = spec ?? {};
  if (metrics !== undefined) return { wanted: metrics, current: status?.currentMetrics ?? [] };
  const annotations = metadata?.annotations;
  const cpu = (part: object) => ({ type: 'Resource', resource: { name: 'cpu', ...part } });
  const now = status?.currentCPUUtilizationPercentage;
  return {
    wanted: [
      ...(target === undefined ? [] : [cpu({ target: { type: 'Utilization', averageUtilization: target } })]),
      ...annotatedMetrics(annotations),
    ],
    current: [
      ...(now === undefined
        ? (status?.currentMetrics ?? [])
        : [cpu({ current: { averageUtilization: now } })]),
      ...annotatedCurrentMetrics(annotations),
    ],
  };
}

/** The conditions of an autoscaler, whatever version of the API it was read in. */
export const autoscalerConditions = ({
  metadata,
  status,
}: HorizontalPodAutoscaler): Condition[] | undefined =>
  status?.conditions ?? annotatedConditions(metadata?.annotations);

/** Pairs each target metric with its measurement. */
function measured(object: HorizontalPodAutoscaler) {
  const { wanted, current } = metricsOf(object);
  const left = new Set(current);
  const found = wanted.map((metric) => {
    // The controller omits what it cannot measure, or sends it empty, so identifiers match the pairs.
    const same = [...left].filter((one) => isSameMetric(one, metric));
    const form = formOf(partOf(metric)?.target);
    const pair = same.find((one) => measuredOf(one)?.[form] !== undefined) ?? same[0];
    if (pair !== undefined) left.delete(pair);
    return { metric, now: measuredOf(pair) };
  });
  const names = toldApart(wanted);
  return found.map((one, index) => ({ ...one, name: names[index] ?? '?' }));
}

/**
 * Names of the metrics of an autoscaler: those of one name with their selectors, or else with their types, as the metric
 * `queue` of the pods may be another than the external one.
 */
function toldApart(metrics: readonly MetricSpec[]): string[] {
  const plain = metrics.map(metricName);
  const isShared = (all: readonly string[], name: string) => all.filter((one) => one === name).length > 1;
  const selected = plain.map((name, index) => {
    const selector = isShared(plain, name)
      ? formatSelector(identifierOf(metrics[index] ?? {})?.selector)
      : '';
    return selector === '' ? name : `${name} of ${selector}`;
  });
  return selected.map((name, index) => {
    const others = metrics.filter((_, at) => selected[at] === name);
    const isOfTypes = others.some(({ type }) => type !== others[0]?.type);
    return isOfTypes ? `${name} (${(metrics[index]?.type ?? '?').toLowerCase()})` : name;
  });
}

const identifierOf = ({ pods, object, external }: MetricSpec | MetricStatus) =>
  (pods ?? object ?? external)?.metric;

/** Whether a measurement is of a metric. Objects of the same name may be of kinds of two groups. */
function isSameMetric(one: MetricStatus, metric: MetricSpec): boolean {
  if (one.type !== metric.type || metricKey(one) !== metricKey(metric)) return false;
  const [measuredGroup, group] = [one, metric].map(({ object }) => groupOf(object?.describedObject));
  return measuredGroup === undefined || group === undefined || measuredGroup === group;
}

/** The API group of an object; undefined where its reference names no version. */
const groupOf = ({ apiVersion }: ScaleTarget = {}): string | undefined =>
  apiVersion === undefined ? undefined : (apiVersion.split('/').at(-2) ?? '');

/** Identifies a metric among those of its type: an object's or a selected one by more than its name. */
function metricKey(metric: MetricSpec | MetricStatus): string {
  const { resource, containerResource, object } = metric;
  if (resource !== undefined) return resource.name ?? '';
  if (containerResource !== undefined)
    return `${containerResource.name ?? ''} ${containerResource.container ?? ''}`;
  const { name = '', selector } = identifierOf(metric) ?? {};
  const { kind = '', name: described = '' } = object?.describedObject ?? {};
  return [name, formatSelector(selector), kind, described].join(' ');
}

/** Names of the metrics that an autoscaler cannot measure; empty before its first evaluation. */
export function missingMetrics(object: HorizontalPodAutoscaler): string[] {
  if (autoscalerConditions(object) === undefined) return [];
  return measured(object).flatMap(({ name, now }) =>
    now?.averageUtilization === undefined && now?.averageValue === undefined && now?.value === undefined
      ? [name]
      : [],
  );
}

/** Each metric of an autoscaler as measured/target: `cpu 43%/60%`; `?` for an unmeasured one. */
export function metricTexts(object: HorizontalPodAutoscaler): string[] {
  return measured(object).map(
    ({ metric, name, now }) =>
      `${name} ${valueText(now, isMemory(metric), formOf(partOf(metric)?.target))}/${valueText(partOf(metric)?.target, isMemory(metric))}`,
  );
}
