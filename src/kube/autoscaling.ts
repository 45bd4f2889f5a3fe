import type { Condition, KubeObject } from './object.ts';

/** What an autoscaler scales. */
export interface ScaleTarget {
  apiVersion?: string;
  kind?: string;
  name?: string;
}

/** A wanted or a measured value: of the share of what is asked for in percent, or as a quantity. */
export interface MetricValue {
  type?: string;
  averageUtilization?: number;
  averageValue?: string;
  value?: string;
}

/** One metric of an autoscaler; the member named by its type says more. */
export interface MetricSpec {
  type?: string;
  resource?: { name?: string; target?: MetricValue };
  containerResource?: { name?: string; container?: string; target?: MetricValue };
  pods?: { metric?: { name?: string }; target?: MetricValue };
  object?: { metric?: { name?: string }; describedObject?: ScaleTarget; target?: MetricValue };
  external?: { metric?: { name?: string }; target?: MetricValue };
}

/** The same, as measured. */
export interface MetricStatus {
  type?: string;
  resource?: { name?: string; current?: MetricValue };
  containerResource?: { name?: string; container?: string; current?: MetricValue };
  pods?: { metric?: { name?: string }; current?: MetricValue };
  object?: { metric?: { name?: string }; current?: MetricValue };
  external?: { metric?: { name?: string }; current?: MetricValue };
}

/** The parts of autoscaling/v2 HorizontalPodAutoscaler that the console reads. */
export interface HorizontalPodAutoscaler extends KubeObject {
  spec?: {
    scaleTargetRef?: ScaleTarget;
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: MetricSpec[];
  };
  status?: {
    currentReplicas?: number;
    desiredReplicas?: number;
    lastScaleTime?: string;
    currentMetrics?: MetricStatus[];
    conditions?: Condition[];
  };
}

/** The parts of keda.sh/v1alpha1 ScaledObject that the console reads; its target is a Deployment where it says no kind. */
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

/** Annotation that pauses a scaled object at the count its target has. */
export const pausedAnnotation = 'autoscaling.keda.sh/paused';
/** Annotation that pauses a scaled object at a count of its own. */
export const pausedReplicasAnnotation = 'autoscaling.keda.sh/paused-replicas';

/** What a scaled object scales, its kind spelled out. */
export function scaledTarget({ spec }: ScaledObject): Required<ScaleTarget> | undefined {
  const { apiVersion, kind = 'Deployment', name } = spec?.scaleTargetRef ?? {};
  return name === undefined ? undefined : { apiVersion: apiVersion ?? 'apps/v1', kind, name };
}

/** How a scaled object is paused: at a count, at the one it has, or not at all. */
export function pauseOf({ metadata }: ScaledObject): { readonly at: number | undefined } | undefined {
  const { annotations = {} } = metadata ?? {};
  const at = Number.parseInt(annotations[pausedReplicasAnnotation] ?? '', 10);
  if (!Number.isNaN(at)) return { at };
  return annotations[pausedAnnotation] === 'true' ? { at: undefined } : undefined;
}

const valueText = (value: MetricValue | undefined): string =>
  value?.averageUtilization === undefined
    ? (value?.averageValue ?? value?.value ?? '?')
    : `${value.averageUtilization}%`;

/** Where a metric comes from, as people say it: `cpu`, `memory of app`, `requests of Service/web`. */
function metricName(metric: MetricSpec): string {
  const { resource, containerResource, pods, object, external } = metric;
  if (resource !== undefined) return resource.name ?? '?';
  if (containerResource !== undefined)
    return `${containerResource.name ?? '?'} of ${containerResource.container ?? '?'}`;
  if (object !== undefined) {
    const { kind, name } = object.describedObject ?? {};
    return `${object.metric?.name ?? '?'} of ${kind ?? '?'}/${name ?? '?'}`;
  }
  return (pods ?? external)?.metric?.name ?? '?';
}

const partOf = (metric: MetricSpec) =>
  metric.resource ?? metric.containerResource ?? metric.pods ?? metric.object ?? metric.external;
const measuredOf = (metric: MetricStatus | undefined) =>
  (metric?.resource ?? metric?.containerResource ?? metric?.pods ?? metric?.object ?? metric?.external)
    ?.current;

/** Each metric of an autoscaler, measured against wanted: `cpu 43%/60%`; `?` for what is not measured. */
export function metricTexts({ spec, status }: HorizontalPodAutoscaler): string[] {
  return (spec?.metrics ?? []).map((metric, index) => {
    // The controller keeps their order.
    const now = status?.currentMetrics?.[index];
    const measured = now?.type === metric.type ? measuredOf(now) : undefined;
    return `${metricName(metric)} ${valueText(measured)}/${valueText(partOf(metric)?.target)}`;
  });
}
