import type { ObjectBody } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { maskedText } from '../../kube/masked.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { isPlain, objectIn } from './read.ts';

/** Annotation in which `kubectl apply` keeps the whole object, a Secret's values among it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Whether objects of a kind contain values that are only shown on request. */
export function isSecret({ group, plural }: Pick<AnyKind, 'group' | 'plural'>): boolean {
  return group === '' && plural === 'secrets';
}

/** Levels of lists and objects in one another that are read and sent. Kubernetes' own kinds have some twenty. */
export const maxDepth = 250;

/** Whether a value has more levels than are read. Does not itself go as deep as the value. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

/**
 * A value with every text in it, keys included, cleaned of what cluster text must not bring along. Parts that are clean,
 * which nearly all are, are not copied. Throws Problem 502 for one that is too deep.
 */
export function cleanValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) {
    throw new Problem({
      status: 502,
      title: `The cluster answered with an object of more than ${maxDepth} levels, more than this console reads.`,
      where: { source: 'cluster' },
      retryable: false,
    });
  }
  if (Array.isArray(value)) return cleanList(value, depth + 1);
  return cleanFields(value as Readonly<Record<string, unknown>>, depth + 1);
}

function cleanList(list: readonly unknown[], depth: number): readonly unknown[] {
  let cleaned: unknown[] | undefined;
  for (const [at, inner] of list.entries()) {
    const clean = cleanValue(inner, depth);
    if (clean !== inner) cleaned ??= list.slice(0, at);
    cleaned?.push(clean);
  }
  return cleaned ?? list;
}

function cleanFields(fields: Readonly<Record<string, unknown>>, depth: number): object {
  let cleaned: [string, unknown][] | undefined;
  for (const [at, [key, inner]] of Object.entries(fields).entries()) {
    const field: [string, unknown] = [cleanText(key), cleanValue(inner, depth)];
    if (field[0] !== key || field[1] !== inner) cleaned ??= Object.entries(fields).slice(0, at);
    cleaned?.push(field);
  }
  return cleaned === undefined ? fields : Object.fromEntries(cleaned);
}

/** A value without what is deeper than is read; a text stands in its place, so that the lack shows. */
export function cutDeep(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // Room for the levels around the value.
  if (depth >= maxDepth - 10) return `… (more than ${maxDepth} levels)`;
  if (Array.isArray(value)) return value.map((inner) => cutDeep(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutDeep(inner, depth + 1)]));
}

const mask = (values: unknown): unknown =>
  typeof values === 'object' && values !== null
    ? Object.fromEntries(Object.keys(values).map((key) => [key, maskedText]))
    : (values ?? null) === null
      ? values
      : maskedText;

/**
 * An object as people see it: text cleaned, managed fields dropped, a Secret's values masked with their keys kept.
 * Items of lists have neither apiVersion nor kind: they are filled in.
 */
export function presentObject(kind: AnyKind, object: KubeObject): ObjectBody {
  return presented(kind, cleanValue(withoutManagedFields(objectIn(object))) as ObjectBody);
}

/** The objects of a list as people see them, an object a step. */
export function* presentObjects(kind: AnyKind, items: readonly KubeObject[]): Generator<void, ObjectBody[]> {
  const presented: ObjectBody[] = [];
  for (const item of items) {
    presented.push(presentObject(kind, item));
    yield;
  }
  return presented;
}

/**
 * The same with every text as the cluster has it: what somebody edits must not come back changed where they changed
 * nothing. Throws Problem 502 for one that is too deep.
 */
export function sourceObject(kind: AnyKind, object: KubeObject): ObjectBody {
  const read = objectIn(object);
  if (isTooDeep(read)) cleanValue(read);
  return presented(kind, withoutManagedFields(read) as ObjectBody);
}

/** Half of an object as a rule, which nobody is shown. */
function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _managed, ...metadata } = object.metadata ?? {};
  return { ...object, metadata };
}

function presented(kind: AnyKind, cleaned: ObjectBody): ObjectBody {
  const metadata = cleaned.metadata ?? {};
  const shown: ObjectBody = {
    ...cleaned,
    apiVersion: cleaned.apiVersion ?? (kind.group === '' ? kind.version : `${kind.group}/${kind.version}`),
    kind: cleaned.kind ?? kind.kind,
    metadata,
  };
  if (!isSecret(kind)) return shown;
  for (const part of ['data', 'stringData']) if (part in shown) shown[part] = mask(shown[part]);
  const { annotations } = metadata;
  if (isPlain(annotations)) {
    const values = secretsOf(cleaned);
    const blanked = Object.entries(annotations).map(([key, value]) => [
      key,
      key === lastApplied || tellsOf(value, values) ? maskedText : value,
    ]);
    shown.metadata = { ...metadata, annotations: Object.fromEntries(blanked) };
  }
  return shown;
}

/** Shorter values of a Secret are words like any other: an annotation that has one may have it by chance. */
const minSecretLength = 6;

/** The values of a Secret, as they are kept and as they are meant. */
function secretsOf(secret: ObjectBody): readonly string[] {
  const texts = [secret['data'], secret['stringData']].flatMap((part) =>
    isPlain(part) ? Object.values(part).filter((value) => typeof value === 'string') : [],
  );
  return texts
    .flatMap((text) => [text, Buffer.from(text, 'base64').toString('utf8')])
    .filter((text) => text.length >= minSecretLength);
}

/**
 * Whether an annotation of a Secret gives its values away. Others than kubectl keep a copy of the object there as well,
 * maybe an older one: as JSON (kapp), or compressed (Rancher), which begins with `H4sI` in base64.
 */
function tellsOf(annotation: unknown, values: readonly string[]): boolean {
  if (typeof annotation !== 'string') return false;
  return /^\s*[{[]|^\s*H4sI/.test(annotation) || values.some((value) => annotation.includes(value));
}
