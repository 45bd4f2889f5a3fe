import { editable } from './editable.ts';
import { isPlainObject } from './plain.ts';

type PlainObject = Readonly<Record<string, unknown>>;

/**
 * A value as it is compared: maps by sorted keys, since their order means nothing and clusters answer with another one
 * than they were sent; lists as they are, since theirs does.
 */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, inner]) => [key, canonical(inner)]));
}

/** Annotations that repeat the object itself, or count what was done to it on one cluster. */
const annotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'deprecated.daemonset.template.generation',
]);
/** Labels that carry a uid. */
const uidLabels: ReadonlySet<string> = new Set(['controller-uid', 'batch.kubernetes.io/controller-uid']);
/** What a cluster chooses for the objects of a kind, by their apiVersion's group and kind: fields of `spec`. */
const serverChosenFields: Readonly<Record<string, readonly string[]>> = {
  '/Service': ['clusterIP', 'clusterIPs'],
  '/PersistentVolumeClaim': ['volumeName'],
};

const without = (value: PlainObject, dropped: (key: string) => boolean): PlainObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !dropped(key)));

function metadataOf(metadata: PlainObject): PlainObject | undefined {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (key === 'name' || key === 'namespace') continue;
    if (key === 'ownerReferences' && Array.isArray(value))
      kept[key] = value.map((one: unknown) =>
        isPlainObject(one) ? without(one, (name) => name === 'uid') : one,
      );
    else if ((key === 'annotations' || key === 'labels') && isPlainObject(value)) {
      const own = without(value, (name) => (key === 'labels' ? uidLabels : annotations).has(name));
      if (Object.keys(own).length > 0) kept[key] = own;
    } else kept[key] = value;
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Labels with a uid, wherever they are chosen by or given on. */
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
 * An object as it is compared with another of its kind, elsewhere: without its name and namespace, which are known to
 * differ; without uids, versions and managed fields, copies of itself, and what a cluster chooses for it; without its
 * status, unless that is wanted. Maps are in one order.
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
 * The parts of a compared object that are told apart: its fields, and those of the maps among them, as
 * `spec.replicas` or `data["app.conf"]`. Never deeper, so that a part tells where to look and no more.
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
