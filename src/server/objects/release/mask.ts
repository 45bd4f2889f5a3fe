import { escapePattern } from '../../../kube/escape-pattern.ts';
import { createHmac, randomBytes } from 'node:crypto';
import { readManifest } from '../../../kube/manifest.ts';
import { maskedWith } from '../../../kube/masked.ts';
import { writeYaml } from '../../../kube/yaml/write.ts';
import { isPlain } from '../read.ts';

/** Names of values that are credentials. */
const telling =
  /pass(?:word|wd|phrase)?$|secret|token|credential|api_?-?key|private_?-?key|access_?-?key|signing_?-?key|encryption_?-?key|dsn$|connection_?-?string|htpasswd/i;
/** Keys that name the place of a credential, not its value: `existingSecret: db`, `tokenPath`. */
const pointing = /name$|ref$|path$|file$|enabled$|create$|class$|type$|expir|ttl|mount|dir$|existing|kind$/i;
const inAddress = /(:\/\/[^/\s:@]*:)([^/\s@]+)(@)/g;

/** Random and never stored: a mark only shows whether two masked values are equal. */
const key = randomBytes(32);
const mark = (value: string): string =>
  maskedWith(createHmac('sha256', key).update(value).digest('hex').slice(0, 6));

/** Whether the value of a name is a credential. */
export const isTelling = (name: string): boolean => telling.test(name) && !pointing.test(name);

const maskScalar = (value: unknown): unknown =>
  value === null || value === '' || typeof value === 'boolean' ? value : mark(JSON.stringify(value));

/** A value with every leaf masked. */
function maskAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskAll);
  if (isPlain(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskAll(one)]));
  return maskScalar(value);
}

/** Values with what looks like a credential masked: by its name, by the name beside it, and in addresses. */
export function maskValues(value: unknown, name = ''): unknown {
  if (isTelling(name)) return maskAll(value);
  if (Array.isArray(value)) return value.map((one) => maskValues(one, name));
  if (isPlain(value)) {
    // `{ name: DB_PASSWORD, value: … }`, as containers take their environment.
    const own = typeof value['name'] === 'string' && 'value' in value && isTelling(value['name']);
    return Object.fromEntries(
      Object.entries(value).map(([field, one]) => [
        field,
        own && field === 'value' ? maskAll(one) : maskValues(one, field),
      ]),
    );
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(inAddress, (_all, before: string, password: string, after: string) =>
    [before, mark(password), after].join(''),
  );
}

/** Every value masked, whatever its name. */
export const maskEveryValue = (values: unknown): unknown => maskAll(values);

/** Texts and numbers of this length say something wherever they stand; shorter ones only where nothing else does. */
const sayingLength = 4;

/** Takes the values of a release out of what quotes them, whatever their names: for whom may not see any. */
export interface ValueHider {
  /** A text without them. */
  within(text: string): string;
  /** One value of an object: all of it where it is one of theirs. */
  leaf(value: unknown): unknown;
}

/** @param values of a release, given over the chart's */
export function hiderOf(values: unknown): ValueHider {
  const leaves = new Set(leavesOf(values));
  // The longest first: one may hold another.
  const saying = [...leaves]
    .filter((value) => value.length >= sayingLength)
    .sort((one, other) => other.length - one.length);
  const any = new RegExp(saying.map(escapePattern).join('|'), 'g');
  const within = (text: string) =>
    saying.length === 0 ? text : text.replaceAll(any, (value) => mark(value));
  return {
    within,
    leaf(value) {
      if (typeof value !== 'string' && typeof value !== 'number') return value;
      if (leaves.has(String(value))) return mark(String(value));
      return typeof value === 'string' ? within(value) : value;
    },
  };
}

/** A value with every leaf of it hidden that a hider knows. */
function hideIn(value: unknown, hide: ValueHider): unknown {
  if (Array.isArray(value)) return value.map((one) => hideIn(one, hide));
  if (!isPlain(value)) return hide.leaf(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideIn(one, hide)]));
}

/** An object of a manifest without the values. What it is called and of which kind it is stays. */
function hideInObject(
  object: Readonly<Record<string, unknown>>,
  hide: ValueHider,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => {
      if (field === 'apiVersion' || field === 'kind') return [field, value];
      if (field === 'items' && Array.isArray(value))
        return [field, value.map((one) => (isPlain(one) ? hideInObject(one, hide) : hideIn(one, hide)))];
      if (field !== 'metadata' || !isPlain(value)) return [field, hideIn(value, hide)];
      const named = Object.fromEntries(
        ['name', 'namespace'].filter((name) => name in value).map((name) => [name, value[name]]),
      );
      return [field, { ...(hideIn(value, hide) as object), ...named }];
    }),
  );
}

/** Every text and number among values, as text. */
function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (isPlain(value)) return Object.values(value).flatMap(leavesOf);
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [String(value)] : [];
}

/** An object of a manifest as people see it: the values of a Secret masked, credentials elsewhere as well. */
export function maskManifestObject(
  object: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { items } = object;
  if (Array.isArray(items)) {
    // A list of objects: each by its own kind. Items of a list of one kind need not name it.
    const kind = object['kind'] === 'SecretList' ? 'Secret' : undefined;
    const own = items.map((item: unknown) =>
      isPlain(item) ? maskManifestObject(kind === undefined ? item : { ...item, kind }) : maskAll(item),
    );
    return { ...object, items: own };
  }
  if (object['kind'] !== 'Secret') return maskValues(object) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => [
      field,
      field === 'data' || field === 'stringData' ? maskAll(value) : maskValues(value, field),
    ]),
  );
}

const source = /^# Source: .*$/m;

/**
 * A manifest with its credentials masked. A document that cannot be read is left out, with a note.
 * @param hide takes out values as well
 */
export function maskManifest(manifest: string, hide?: ValueHider): string {
  const texts = manifest.split(/^---[ \t]*(?:#.*)?$/m).filter((text) => text.trim() !== '');
  return texts
    .map((text) => {
      const comment = source.exec(text)?.[0];
      const head = comment === undefined ? '' : `${comment}\n`;
      const object = readDocument(text);
      if (object === undefined) return `${head}# This document cannot be read, so it is not shown.\n`;
      if (object === null) return '';
      const masked = maskManifestObject(object);
      return `${head}${writeYaml(hide === undefined ? masked : hideInObject(masked, hide))}`;
    })
    .filter((text) => text !== '')
    .join('---\n');
}

/** Undefined for what is no object; null for a document of nothing but comments. */
function readDocument(text: string): Readonly<Record<string, unknown>> | null | undefined {
  const read = readManifest(text);
  if (read.type === 'empty') return null;
  const [document, ...others] = read.type === 'valid' ? read.documents : [];
  if (document === undefined || others.length > 0) return undefined;
  return document.value === null ? null : isPlain(document.value) ? document.value : undefined;
}

/** Shorter values are words like any other. */
const minSecretLength = 6;

/** A text of the chart without the credentials among its values, which it may quote. */
export function maskText(text: string, values: unknown): string {
  let masked = text;
  for (const value of credentialsIn(values)) masked = masked.replaceAll(value, () => mark(value));
  return masked.replaceAll(inAddress, (_all, before: string, password: string, after: string) =>
    [before, mark(password), after].join(''),
  );
}

function credentialsIn(value: unknown, name = '', isInside = false): string[] {
  const inside = isInside || isTelling(name);
  if (Array.isArray(value)) return value.flatMap((one) => credentialsIn(one, name, inside));
  if (isPlain(value))
    return Object.entries(value).flatMap(([field, one]) => credentialsIn(one, field, inside));
  return inside && typeof value === 'string' && value.length >= minSecretLength ? [value] : [];
}
