import type { DataClass } from '../../contract/chat-model.ts';
import type { ChatPart } from '../../contract/chat.ts';
import type { Evidence } from '../../contract/diagnosis.ts';
import type { ObjectBody } from '../../contract/objects.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { isSecret } from '../objects/present.ts';
import { isPlain } from '../objects/read.ts';
import { isSecretKey, withoutArgumentSecrets, withoutKeyedSecrets } from './secret-keys.ts';
import { redacted, redactText, secretFlag, wholeSecretName } from '../kit/redact-text.ts';

/** The same of every text in a value; keys stay. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value))
    return value.map((one: unknown, index) => {
      const before: unknown = value[index - 1];
      // The value behind an argument that names a secret.
      const isValue = typeof before === 'string' && before.length < 200 && secretFlag.test(before);
      return isValue && typeof one === 'string' && !one.startsWith('-') ? redacted : redactValue(one);
    });
  if (!isPlain(value)) return value;
  const isNamedSecret = [value['name'], value['key']].some(
    (name) => typeof name === 'string' && name.length < 200 && wholeSecretName.test(name),
  );
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      wholeSecretName.test(key) || (key === 'value' && isNamedSecret)
        ? withoutLeaves(inner)
        : redactValue(inner),
    ]),
  );
}

/** Keys under a secret's name that say where the secret is instead of what it is. */
const placeKeys = new Set([
  'name',
  'secretName',
  'namespace',
  'kind',
  'apiVersion',
  'group',
  'path',
  'items',
]);

/** A value under the name of a secret without its texts; the name of a place where the secret is stays. */
function withoutLeaves(value: unknown): unknown {
  if (typeof value === 'string') return redacted;
  if (Array.isArray(value)) return value.map(withoutLeaves);
  if (!isPlain(value)) return value;
  const isPlace = ['name', 'secretName', 'path'].some((key) => typeof value[key] === 'string');
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      placeKeys.has(key) || (key === 'key' && isPlace)
        ? Array.isArray(inner)
          ? inner.map(withoutLeaves)
          : redactValue(inner)
        : withoutLeaves(inner),
    ]),
  );
}

/** Annotations that keep a copy of the whole object. */
const copyAnnotation =
  /last-applied|applied-configuration|^objectset\.rio\.cattle\.io|kapp\.k14s\.io\/original/;

/**
 * An object as it may leave the console: by its structure first (values of Secrets, of environment variables and
 * of charts, copies of the object in annotations), then by what its texts look like.
 */
export function redactObject(
  kind: Pick<AnyKind, 'group' | 'plural'>,
  object: ObjectBody,
  withheld: ReadonlySet<DataClass> = new Set(),
): unknown {
  const { metadata, ...rest } = object;
  const { managedFields: _managed, annotations, ...meta } = metadata ?? {};
  const kept = isPlain(annotations)
    ? Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [
          key,
          copyAnnotation.test(key) || withheld.has('annotations') ? redacted : value,
        ]),
      )
    : undefined;
  const body = isSecret(kind)
    ? Object.fromEntries(
        Object.entries(rest).map(([key, value]) => [key, secretParts.has(key) ? hideValues(value) : value]),
      )
    : kind.group === '' && kind.plural === 'configmaps'
      ? Object.fromEntries(
          Object.entries(rest).map(([key, value]) => [key, settingsOf(key, value, withheld)]),
        )
      : rest;
  return redactValue(
    withoutArguments(withheld, {
      ...body,
      metadata: { ...meta, ...(kept === undefined ? {} : { annotations: kept }) },
    }),
  );
}

/** A field of a ConfigMap: of its values those alone that are no secrets by their keys. */
function settingsOf(key: string, values: unknown, withheld: ReadonlySet<DataClass>): unknown {
  if (key !== 'data' && key !== 'binaryData') return values;
  if (key === 'binaryData' || withheld.has('configMapValues') || !isPlain(values)) return hideValues(values);
  return Object.fromEntries(
    Object.entries(values).map(([own, value]) => [
      own,
      isSecretKey(own)
        ? redacted
        : typeof value === 'string'
          ? withoutKeyedSecrets(redactText(value))
          : value,
    ]),
  );
}

/** Fields of a container that hold arguments. */
const argumentKeys: ReadonlySet<string> = new Set(['args', 'command']);

/** Settings as below, and the arguments of programs without secrets, or without all where an Owner keeps them. */
function withoutArguments(withheld: ReadonlySet<DataClass>, object: unknown): unknown {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    if (!isPlain(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, own]) => [
        key,
        argumentKeys.has(key) && Array.isArray(own)
          ? withheld.has('arguments')
            ? own.map(() => redacted)
            : withoutArgumentSecrets(own)
          : inner(own),
      ]),
    );
  };
  return inner(withoutSettings(object));
}

/** The class of data that a field of evidence belongs to. */
function classOf(path: string): DataClass | undefined {
  if (/\b(?:args|command)\b/.test(path)) return 'arguments';
  if (/\bannotations\b/.test(path)) return 'annotations';
  return /^(?:binaryData|data)\b/.test(path) ? 'configMapValues' : undefined;
}

/** Evidence as a model may be told, without data that an Owner keeps from it. */
export function evidenceWithout(evidence: Evidence, withheld: ReadonlySet<DataClass>): Evidence {
  if (evidence.type === 'log' && withheld.has('logLines') && evidence.line !== undefined)
    return { ...evidence, line: redacted };
  if (evidence.type !== 'field' || evidence.value === null) return evidence;
  const of = classOf(evidence.path);
  return of !== undefined && withheld.has(of) ? { ...evidence, value: redacted } : evidence;
}

/** Fields of a Secret that hold its values. */
const secretParts: ReadonlySet<string> = new Set(['data', 'stringData']);

const hideValues = (values: unknown): unknown =>
  isPlain(values) ? Object.fromEntries(Object.keys(values).map((key) => [key, redacted])) : redacted;

/** Keys of environment variables, also as values of charts and custom resources name them. */
const environmentKey = /^(?:extra)?env(?:ironment)?(?:vars?|variables)?$/i;
/** Keys of the values of a chart, in whatever custom resource installs it. */
const chartKey = /^(?:values(?:content|object|inline)?|substitute)$/i;
const helmKeys = ['values', 'valuesObject', 'parameters', 'fileParameters'];

/**
 * Environment variables, values of charts, and Secrets that stand in another object, as what installs them has them, keep
 * their names, and where they come from.
 */
function withoutSettings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSettings);
  if (!isPlain(value)) return value;
  const isSecretWithin = value['kind'] === 'Secret';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (copyAnnotation.test(key) || (isSecretWithin && secretParts.has(key)))
        return [key, hideValues(inner)];
      if (environmentKey.test(key) && typeof inner === 'object') return [key, withoutValues(inner)];
      // The values of a selector are a list.
      if (chartKey.test(key) && !Array.isArray(inner) && inner !== null) return [key, hideValues(inner)];
      if (key === 'helm' && isPlain(inner))
        return [
          key,
          Object.fromEntries(
            Object.entries(inner).map(([own, of]) => [
              own,
              helmKeys.includes(own) ? withoutValues(of) : withoutSettings(of),
            ]),
          ),
        ];
      return [key, withoutSettings(inner)];
    }),
  );
}

/** Named values as a list or by their names, without the values. */
function withoutValues(named: unknown): unknown {
  const one = (inner: unknown): unknown =>
    !isPlain(inner)
      ? redacted
      : 'value' in inner
        ? { ...inner, value: redacted }
        : 'valueFrom' in inner || 'name' in inner
          ? inner
          : redacted;
  if (Array.isArray(named)) return named.map(one);
  if (!isPlain(named)) return named === null ? null : redacted;
  return Object.fromEntries(Object.entries(named).map(([key, inner]) => [key, one(inner)]));
}

/** Fields whose values are secret by where they stand. */
const secretPath =
  /\benv\b(?:\[\d+\])?$|\benv\b.*\bvalue\b|\b(?:data|stringData|values|valuesObject|valuesContent)\b/;
/** JSON that was cut off and holds what is secret by where it stands. */
const secretKey = /"\w*env\w*"\s*:\s*[[{]|"values\w*"\s*:|"helm"\s*:|"(?:data|stringData)"\s*:/i;

/** Evidence as it may be stored and told: what was read from a cluster has no secrets. */
export function evidenceWithoutSecrets(evidence: Evidence): Evidence {
  if (evidence.type === 'event') return { ...evidence, message: redactText(evidence.message) };
  if (evidence.type === 'log' && evidence.line !== undefined)
    return { ...evidence, line: withoutKeyedSecrets(redactText(evidence.line)) };
  if (evidence.type !== 'field' || evidence.value === null) return evidence;
  const { path, value } = evidence;
  return { ...evidence, value: secretPath.test(path) ? redacted : redactFieldText(value) };
}

/** The text of a field, which is JSON where the field is no text. */
function redactFieldText(value: string): string {
  if (!/^\s*[[{]/.test(value)) return redactText(value);
  try {
    return redactText(JSON.stringify(redactValue(withoutSettings(JSON.parse(value)))));
  } catch {
    return secretKey.test(value) ? redacted : redactText(value);
  }
}

/** A part of an answer as it may be stored: what was read from a cluster has no secrets. */
export function withoutSecrets<T extends { readonly part: ChatPart }>(told: T): T {
  const { part } = told;
  if (part.type === 'text' || part.type === 'notice')
    return { ...told, part: { ...part, text: redactText(part.text) } };
  if (part.type !== 'evidence') return told;
  return { ...told, part: { ...part, evidence: evidenceWithoutSecrets(part.evidence) } };
}
