import type { ObjectBody } from '../../contract/objects.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kind.ts';

/** Annotation in which `kubectl apply` keeps the whole object, a Secret's values among it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Whether objects of a kind carry values that nobody reads by the way. */
export function isSecret({ group, plural }: Pick<AnyKind, 'group' | 'plural'>): boolean {
  return group === '' && plural === 'secrets';
}

/** A value with every text in it, keys included, cleaned of what cluster text must not bring along. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanValue(inner)]));
}

const blank = (values: unknown): unknown =>
  typeof values === 'object' && values !== null
    ? Object.fromEntries(Object.keys(values).map((key) => [key, '']))
    : values;

/**
 * An object as people see it: text cleaned, managed fields dropped, a Secret's values blanked with their keys kept.
 * Items of lists have neither apiVersion nor kind: they are filled in.
 */
export function presentObject(kind: AnyKind, object: KubeObject): ObjectBody {
  const cleaned = cleanValue(object) as ObjectBody;
  const { managedFields: _managed, ...metadata } = cleaned.metadata ?? {};
  const presented: ObjectBody = {
    ...cleaned,
    apiVersion: cleaned.apiVersion ?? (kind.group === '' ? kind.version : `${kind.group}/${kind.version}`),
    kind: cleaned.kind ?? kind.kind,
    metadata,
  };
  if (!isSecret(kind)) return presented;
  for (const part of ['data', 'stringData']) if (part in presented) presented[part] = blank(presented[part]);
  const { annotations } = metadata;
  if (typeof annotations === 'object' && annotations !== null && lastApplied in annotations) {
    presented.metadata = { ...metadata, annotations: { ...annotations, [lastApplied]: '' } };
  }
  return presented;
}
