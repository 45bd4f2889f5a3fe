import { ownersOfPaths } from '../field-owners.ts';
import type { JsonPath } from '../json-diff.ts';
import type { KubeObject } from '../object.ts';
import { controllerOf } from '../owners.ts';
import { isPlainObject } from '../plain.ts';
import { cleanText, cutText } from '../text.ts';
import type { NamedOwner, WriterEvidence } from './writer.ts';

/** Maximum number of characters of a value that shows who writes an object. */
const valueLimit = 300;

/** The API group of an object or a reference; empty for the core group. */
export const groupOf = (apiVersion = ''): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** A label of an object; undefined for none, and for an empty one. */
export const labelOf = ({ metadata }: KubeObject, key: string): string | undefined =>
  textOf(metadata?.labels?.[key]);

/** An annotation of an object; undefined for none, and for an empty one. */
export const annotationOf = ({ metadata }: KubeObject, key: string): string | undefined =>
  textOf(metadata?.annotations?.[key]);

/** Objects come from outside: a value need not be a text. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A value at a path of field names; undefined where there is none. */
export const valueAt = (object: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, part) => (isPlainObject(value) ? value[part] : undefined), object);

/** The value of a field, as text that is safe to show. */
export const shownValue = (value: unknown): string =>
  cutText(cleanText(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')), valueLimit);

/** Evidence from a label or an annotation of the object itself. */
export const markEvidence = (part: 'labels' | 'annotations', key: string, value: string): WriterEvidence => ({
  path: `metadata.${part}[${key}]`,
  value: shownValue(value),
});

/** Evidence from a field of another object. */
export const fieldEvidence = (of: NamedOwner, path: string, value: unknown): WriterEvidence => ({
  of,
  path,
  value: shownValue(value),
});

/** The field managers of an object's own fields, each once; those of its status alone do not count. */
export function managersOf({ metadata }: KubeObject): readonly string[] {
  const managed: unknown = metadata?.managedFields;
  const found = (Array.isArray(managed) ? (managed as unknown[]) : []).flatMap((entry) => {
    if (!isPlainObject(entry)) return [];
    const { manager, subresource = '', fieldsV1 } = entry;
    const isOfStatus =
      subresource === 'status' || (isPlainObject(fieldsV1) && Object.keys(fieldsV1).join() === 'f:status');
    return typeof manager === 'string' && !isOfStatus ? [manager] : [];
  });
  return [...new Set(found)];
}

/** Managers of an object's own fields whose names fit. */
export const managersLike = (object: KubeObject, pattern: RegExp): readonly string[] =>
  managersOf(object).filter((manager) => pattern.test(manager));

/**
 * Whether a tool itself set a mark on an object. Controllers copy labels and annotations of what they own things for, and
 * people copy manifests: of an object with a controller, and of a mark that kubectl set, only the tool's own field manager
 * is proof.
 * @param own the names of the tool's field managers
 */
export function isOwnMark(object: KubeObject, path: JsonPath, own: RegExp): boolean {
  if (managersLike(object, own).length > 0) return true;
  if (controllerOf(object) !== undefined) return false;
  const setters = ownersOfPaths(object, [path], '').map(({ manager }) => manager);
  return setters.length === 0 || setters.some((manager) => !manager.startsWith('kubectl'));
}

/** Whether an object is the one that an apiVersion, a kind, a namespace and a name mean. */
export function isNamed(
  object: KubeObject,
  { group, kind, namespace, name }: { group: string; kind: string; namespace: string; name: string },
): boolean {
  const { metadata = {} } = object;
  return (
    groupOf(object.apiVersion) === group &&
    object.kind === kind &&
    metadata.name === name &&
    // Objects of the cluster carry the namespace of what applies them in some references.
    (metadata.namespace === undefined || metadata.namespace === namespace)
  );
}
