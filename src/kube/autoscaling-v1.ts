import type { MetricSpec, MetricStatus } from './autoscaling-metrics.ts';
import type { Condition } from './object.ts';
import { isPlainObject } from './plain.ts';

/** Annotations in which the API server writes, as JSON, fields that autoscaling/v1 lacks. */
export const autoscalerAnnotations = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
} as const;

type Annotations = Readonly<Record<string, string>> | undefined;
type Fields = Readonly<Record<string, unknown>>;

/** The objects of a list in an annotation; empty for anything else. */
function listIn(annotations: Annotations, name: string): readonly Fields[] {
  try {
    const list: unknown = JSON.parse(annotations?.[name] ?? '[]');
    return Array.isArray(list) ? list.filter(isPlainObject) : [];
  } catch {
    return [];
  }
}

/** The values of a part without those that are missing; their names begin with `target` or `current`. */
function valuesIn(part: Fields, prefix: 'target' | 'current'): object {
  const { averageValue } = part;
  const found = {
    averageUtilization: part[`${prefix}AverageUtilization`],
    averageValue: part[`${prefix}AverageValue`] ?? averageValue,
    value: part[`${prefix}Value`],
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** A metric of autoscaling/v1 in the form of autoscaling/v2. */
function v2Metric(metric: Fields, prefix: 'target' | 'current'): object {
  const parts = Object.entries(metric).flatMap(([type, part]): [string, unknown][] => {
    if (!isPlainObject(part)) return [];
    const { name, container, metricName, selector, metricSelector, target } = part;
    const identifier =
      metricName === undefined
        ? { name, container }
        : { metric: { name: metricName, selector: selector ?? metricSelector } };
    const described = type === 'object' ? { describedObject: target } : {};
    return [[type, { ...identifier, ...described, [prefix]: valuesIn(part, prefix) }]];
  });
  return { type: metric['type'], ...Object.fromEntries(parts) };
}

/** The metrics of an autoscaler of autoscaling/v1 besides its CPU. */
export const annotatedMetrics = (annotations: Annotations): readonly MetricSpec[] =>
  listIn(annotations, autoscalerAnnotations.metrics).map((one) => v2Metric(one, 'target'));

/** Those that were measured. */
export const annotatedCurrentMetrics = (annotations: Annotations): readonly MetricStatus[] =>
  listIn(annotations, autoscalerAnnotations.currentMetrics).map((one) => v2Metric(one, 'current'));

/** The conditions of an autoscaler of autoscaling/v1; undefined where it has none. */
export function annotatedConditions(annotations: Annotations): Condition[] | undefined {
  if (annotations?.[autoscalerAnnotations.conditions] === undefined) return undefined;
  return listIn(annotations, autoscalerAnnotations.conditions).flatMap(({ type, status, ...rest }) =>
    typeof type === 'string' && typeof status === 'string' ? [{ type, status, ...rest }] : [],
  );
}
