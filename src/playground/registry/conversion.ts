import { apiVersionOf, type Resource } from './registry.ts';
import { at, type Obj, type Rec, rec, recs } from '../kit/values.ts';

/** Conversion between a version of a kind and its storage version. */
interface Conversion {
  /** apiVersion of the storage version. */
  readonly stored: string;
  /** Converts from the storage version. */
  readonly read: (object: Obj) => Rec;
  /** Converts to the storage version. */
  readonly write: (object: Obj) => Rec;
}

/** Makes a function that copies an object with some fields renamed. */
const renaming =
  (names: readonly (readonly [string, string])[]) =>
  (object: Rec): Rec => {
    const to = new Map(names);
    return Object.fromEntries(
      Object.entries(object).map(([field, value]) => [to.get(field) ?? field, value]),
    );
  };

/** Field names of events in the core group and in the events group. */
const eventFields = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
] as const;

/** Annotations in which autoscaling/v1 keeps the fields that it lacks. */
const conversionAnnotations = {
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  current: 'autoscaling.alpha.kubernetes.io/current-metrics',
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
} as const;
const internal = new Set<string>(Object.values(conversionAnnotations));

const isProcessor = (metric: Rec) =>
  at(metric, 'resource', 'name') === 'cpu' && metric['type'] === 'Resource';
const utilization = (metrics: readonly Rec[], side: 'target' | 'current'): unknown =>
  at(metrics.find(isProcessor), 'resource', side, 'averageUtilization');
const text = (value: unknown) => JSON.stringify(value);

function readAutoscaler(object: Obj): Rec {
  const { metrics, behavior, ...spec } = rec(object['spec']);
  const { currentMetrics, conditions, ...status } = rec(object['status']);
  const wanted = recs(metrics);
  const current = recs(currentMetrics);
  const target = utilization(wanted, 'target');
  const used = utilization(current, 'current');
  const others = wanted.filter((metric) => !isProcessor(metric) || target === undefined);
  const annotations: Rec = { ...object.metadata.annotations };
  if (others.length > 0) annotations[conversionAnnotations.metrics] = text(others);
  if (behavior !== undefined) annotations[conversionAnnotations.behavior] = text(behavior);
  if (recs(conditions).length > 0) annotations[conversionAnnotations.conditions] = text(conditions);
  if (current.length > 0) annotations[conversionAnnotations.current] = text(current);
  const metadata = { ...object.metadata, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) };
  return {
    ...object,
    metadata,
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      currentReplicas: 0,
      ...status,
      ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }),
    },
  };
}

/** The JSON value of an annotation; undefined when it is absent or invalid. */
function annotationJson(annotations: Readonly<Record<string, string>> | undefined, name: string): unknown {
  try {
    return annotations?.[name] === undefined ? undefined : (JSON.parse(annotations[name]) as unknown);
  } catch {
    return undefined;
  }
}

function writeAutoscaler(object: Obj): Rec {
  const { targetCPUUtilizationPercentage: target, ...spec } = rec(object['spec']);
  const { currentCPUUtilizationPercentage: _used, ...status } = rec(object['status']);
  const { annotations } = object.metadata;
  const processor = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } },
  };
  const metrics = [
    ...recs(annotationJson(annotations, conversionAnnotations.metrics)),
    ...(target === undefined ? [] : [processor]),
  ];
  const behavior = annotationJson(annotations, conversionAnnotations.behavior);
  const conditions = annotationJson(annotations, conversionAnnotations.conditions);
  const { annotations: _annotations, ...metadata } = object.metadata;
  const rest = Object.entries(annotations ?? {}).filter(([name]) => !internal.has(name));
  return {
    ...object,
    metadata: { ...metadata, ...(rest.length === 0 ? {} : { annotations: Object.fromEntries(rest) }) },
    spec: {
      ...spec,
      ...(metrics.length === 0 ? {} : { metrics }),
      ...(behavior === undefined ? {} : { behavior }),
    },
    status: {
      ...status,
      currentMetrics: annotationJson(annotations, conversionAnnotations.current) ?? null,
      ...(conditions === undefined ? {} : { conditions }),
    },
  };
}

const conversions: Readonly<Record<string, Conversion>> = {
  'autoscaling/v1/horizontalpodautoscalers': {
    stored: 'autoscaling/v2',
    read: readAutoscaler,
    write: writeAutoscaler,
  },
  'events.k8s.io/v1/events': {
    stored: 'v1',
    read: renaming(eventFields),
    write: renaming(eventFields.map(([core, other]) => [other, core] as const)),
  },
};

const conversionOf = (resource: Resource) => conversions[`${apiVersionOf(resource)}/${resource.plural}`];

/** apiVersion of a built-in resource's storage version. */
export function storedVersion(resource: Resource): string {
  return resource.custom?.stored ?? conversionOf(resource)?.stored ?? apiVersionOf(resource);
}

/** A stored object in the requested version; of custom objects only the apiVersion changes. */
export function asVersion(resource: Resource, object: Obj): Obj {
  const apiVersion = apiVersionOf(resource);
  if (object.apiVersion === apiVersion) return object;
  const conversion = conversionOf(resource);
  if (conversion === undefined) return resource.custom === undefined ? object : { ...object, apiVersion };
  return { ...(conversion.read(object) as Obj), apiVersion };
}

/** An object of any version in the storage version. */
export function asStored(resource: Resource, object: Obj): Obj {
  const stored = storedVersion(resource);
  if (object.apiVersion === stored) return object;
  const conversion = conversionOf(resource);
  return { ...(conversion === undefined ? object : (conversion.write(object) as Obj)), apiVersion: stored };
}
