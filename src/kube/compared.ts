import { editable } from './editable.ts';
import { isPlainObject } from './plain.ts';

type PlainObject = Readonly<Record<string, unknown>>;

/**
 * Normalizes a value for comparison: sorts the keys of maps, whose order has no meaning and changes on the way to a
 * cluster; keeps the order of lists.
 */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, inner]) => [key, canonical(inner)]));
}

/** Annotations that repeat the object itself, or count operations on one cluster. */
const annotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'deprecated.daemonset.template.generation',
]);
/** Labels that contain a uid. */
const uidLabels: ReadonlySet<string> = new Set(['controller-uid', 'batch.kubernetes.io/controller-uid']);
/** Fields of `spec` whose values the cluster chooses, by group and kind of the object. */
const serverChosenFields: Readonly<Record<string, readonly string[]>> = {
  '/Service': ['clusterIP', 'clusterIPs'],
  '/PersistentVolumeClaim': ['volumeName'],
};

const without = (value: PlainObject, dropped: (key: string) => boolean): PlainObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !dropped(key)));

function metadataOf(metadata: PlainObject): PlainObject | undefined {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (key === 'name' || key === 'namespace') continue;
    if (key === 'ownerReferences' && Array.isArray(value))
      result[key] = value.map((one: unknown) =>
        isPlainObject(one) ? without(one, (name) => name === 'uid') : one,
      );
    else if ((key === 'annotations' || key === 'labels') && isPlainObject(value)) {
      const own = without(value, (name) => (key === 'labels' ? uidLabels : annotations).has(name));
      if (Object.keys(own).length > 0) result[key] = own;
    } else result[key] = value;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

/** Removes labels with a uid from selectors and pod templates. */
function withoutUids(spec: PlainObject): PlainObject {
  const { selector, template } = spec;
  const clean = (labels: unknown) =>
    isPlainObject(labels) ? without(labels, (name) => uidLabels.has(name)) : labels;
  const inTemplate =
    isPlainObject(template) && isPlainObject(template['metadata']) ? template['metadata'] : undefined;
  return {
    ...spec,
    ...(isPlainObject(selector) && 'matchLabels' in selector
      ? { selector: { ...selector, matchLabels: clean(selector['matchLabels']) } }
      : {}),
    ...(isPlainObject(template) && inTemplate !== undefined && 'labels' in inTemplate
      ? { template: { ...template, metadata: { ...inTemplate, labels: clean(inTemplate['labels']) } } }
      : {}),
  };
}

/**
 * Prepares an object for comparison with another of its kind elsewhere: removes name and namespace, uids, versions,
 * managed fields, copies of the object in annotations, values that the cluster chooses, and, unless requested, the
 * status. Sorts the keys of maps.
 */
export function compared(object: PlainObject, withStatus = false): PlainObject {
  const { metadata, spec, ...rest } = editable(object);
  const { apiVersion, kind } = object;
  const group = typeof apiVersion === 'string' && apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const fields = typeof kind === 'string' ? (serverChosenFields[`${group}/${kind}`] ?? []) : [];
  const own = isPlainObject(metadata) ? metadataOf(metadata) : metadata;
  return canonical({
    ...rest,
    ...(own === undefined ? {} : { metadata: own }),
    ...(spec === undefined
      ? {}
      : {
          spec: isPlainObject(spec)
            ? without(withoutUids(spec), (name) => fields.includes(name) && spec[name] !== 'None')
            : spec,
        }),
    ...(withStatus && object['status'] !== undefined ? { status: object['status'] } : {}),
  }) as PlainObject;
}

/**
 * The parts of a compared object: its fields and those of maps in them, as `spec.replicas` or `data["app.conf"]`. Never
 * deeper, as a part only tells where to look.
 */
export function partsOfCompared(object: PlainObject): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    if (!isPlainObject(value)) parts.set(name, value);
    else
      for (const [key, one] of Object.entries(value))
        parts.set(/^[\w-]+$/.test(key) ? `${name}.${key}` : `${name}[${JSON.stringify(key)}]`, one);
  }
  return parts;
}
