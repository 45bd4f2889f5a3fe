import { objectLimit } from '../../contract/objects.ts';
import { objectsLimit } from '../../contract/manifests.ts';
import { Problem } from '../../contract/problem.ts';
import { listItems } from '../../kube/list-items.ts';
import type { Manifest } from '../../kube/manifest.ts';
import { isMasked } from '../../kube/masked.ts';
import { isSecretManifest } from '../../kube/parsed-values.ts';
import { plainMessage } from '../../kube/escape-sequences.ts';
import { cleanText } from '../../kube/text.ts';
import { isPlain } from '../objects/read.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** One object of a text, with what it says of itself. */
export interface ManifestObject {
  /** Its place among the objects of the text, and its document, from 0. */
  readonly at: number;
  readonly index: number;
  /** Where it stands in its document: `items[2]` of a List, empty for the document itself. */
  readonly within: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** As written; undefined without one. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly generateName: string | undefined;
  readonly body: JsonObject;
  /** Why it cannot be sent to any cluster, a whole sentence. */
  readonly refusal?: string;
}

/**
 * The objects of a text; those of a List each for itself. Throws Problem 400 for a text that cannot be read or has
 * none. Never quotes the text: it may hold secrets.
 */
export function objectsOf(manifest: Manifest): readonly ManifestObject[] {
  if (manifest.type === 'empty') throw new Problem({ status: 400, title: 'Enter the YAML of an object.' });
  if (manifest.type === 'invalid') {
    throw new Problem({
      status: 400,
      title: 'Invalid YAML. Please fix the errors before submitting.',
      detail: manifest.bare,
    });
  }
  const objects = manifest.documents
    .flatMap(({ value }, index) => itemsOf(value).map((item) => ({ ...item, index })))
    .map(({ one, within, index }, at) => objectOf(one, { at, index, within }));
  if (objects.length === 0) {
    throw new Problem({ status: 400, title: 'This text contains no object.' });
  }
  if (objects.length > objectsLimit) {
    throw new Problem({
      status: 400,
      title: `This text has ${objects.length} objects; the maximum is ${objectsLimit} at a time. Split it.`,
    });
  }
  return objects;
}

/** Maximum depth of lists in lists. */
const maxListDepth = 5;

/** The objects of a document, and their places: the items of a list, else the document itself. */
function itemsOf(
  value: unknown,
  within = '',
  depth = 0,
): readonly { readonly one: unknown; readonly within: string }[] {
  const items = depth > maxListDepth ? undefined : listItems(value);
  if (items === undefined) return [{ one: value, within }];
  return items.flatMap((item, at) =>
    itemsOf(item, `${within === '' ? '' : `${within}.`}items[${at}]`, depth + 1),
  );
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function objectOf(value: unknown, place: Pick<ManifestObject, 'at' | 'index' | 'within'>): ManifestObject {
  const body: JsonObject = isPlain(value) ? value : {};
  const metadata = isPlain(body['metadata']) ? body['metadata'] : {};
  const shown = (part: unknown, limit: number) => {
    const found = text(part);
    return found === undefined ? undefined : cleanText(found).slice(0, limit);
  };
  const object = {
    ...place,
    apiVersion: text(body['apiVersion']) ?? '',
    kind: shown(body['kind'], 63) ?? '',
    namespace: shown(metadata['namespace'], 253),
    name: shown(metadata['name'], 253),
    generateName: shown(metadata['generateName'], 253),
    body,
  };
  const refusal = refusalOf(object, value);
  return refusal === undefined ? object : { ...object, refusal };
}

function refusalOf(
  { apiVersion, kind, namespace, name, generateName, body }: ManifestObject,
  value: unknown,
) {
  if (!isPlain(value)) return 'This is not an object: a manifest has apiVersion, kind and metadata.';
  if (apiVersion === '') return 'It has no apiVersion.';
  if (kind === '') return 'It has no kind.';
  const { metadata } = body;
  if (!isPlain(metadata)) return 'It has no metadata, so no name.';
  // A number would go to another place than it says: into the namespace default.
  for (const field of ['name', 'generateName', 'namespace'] as const) {
    const said = metadata[field] ?? '';
    if (typeof said !== 'string')
      return `Its ${field} (metadata.${field}) is not a string. Put it in quotes.`;
  }
  if (name === undefined && generateName === undefined) return 'It has no name (metadata.name).';
  if (hasMasked(body)) return 'It contains masked values. Enter the real values, or leave their keys out.';
  if (text(metadata['name']) !== name) return 'Its name has invisible characters, or is too long.';
  if (text(metadata['namespace']) !== namespace)
    return 'Its namespace has invisible characters, or is too long.';
  if (Buffer.byteLength(JSON.stringify(value)) > objectLimit)
    return `It is larger than ${objectLimit / 1024} KB, more than a cluster stores for one object.`;
  return undefined;
}

/** Whether a Secret has a value that stands for one that was not shown. */
function hasMasked(body: JsonObject): boolean {
  return (
    isSecretManifest(body) &&
    ['data', 'stringData'].some((part) => {
      const map = body[part];
      return isPlain(map) && Object.values(map).some(isMasked);
    })
  );
}

/** Shorter texts are found in any sentence. */
const minSecretLength = 3;

/** A sentence about an object without the values of a Secret: clusters quote what they refuse. */
export function withoutSecrets(sentence: string, { body }: Pick<ManifestObject, 'body'>): string {
  if (!isSecretManifest(body)) return sentence;
  const values = ['data', 'stringData'].flatMap((part) => {
    const map = body[part];
    return isPlain(map) ? Object.values(map).flatMap(formsOf) : formsOf(map);
  });
  return [...new Set(values)]
    .sort((a, b) => b.length - a.length)
    .reduce((present, value) => present.replaceAll(value, '…'), sentence);
}

/** A value as it may stand in a sentence: itself, and what it is base64 of. */
function formsOf(value: unknown): readonly string[] {
  if (typeof value === 'number' || typeof value === 'boolean') return formsOf(String(value));
  if (Array.isArray(value) || isPlain(value)) return Object.values(value).flatMap(formsOf);
  if (typeof value !== 'string') return [];
  const decoded = Buffer.from(value, 'base64').toString('utf8');
  return [
    value,
    cleanText(value),
    // As messages of a cluster are shown.
    plainMessage(cleanText(value)),
    JSON.stringify(value).slice(1, -1),
    decoded,
  ].filter((one) => one.length >= minSecretLength);
}
