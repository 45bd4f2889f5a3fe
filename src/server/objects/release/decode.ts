import { parseExactJson } from '../../../kube/exact-json.ts';
import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { Problem } from '../../../contract/problem.ts';
import { type Release, type ReleaseStorage, revisionOfRecord } from '../../../kube/helm.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { secretTypes } from '../../../kube/secret.ts';
import { cleanText } from '../../../kube/text.ts';
import { isTooDeep } from '../present.ts';
import { isPlain } from '../read.ts';
import { maskText } from './mask.ts';

/** Largest release, unpacked, bytes: a record of 1 MB can be made to unpack to a thousand times that. */
export const unpackedLimit = 32 * 1024 * 1024;
const maxTextLength = 4_000;
const unpack = promisify(gunzip);

type JsonObject = Readonly<Record<string, unknown>>;

/** A revision of a release as its Secret or ConfigMap keeps it: read, not trusted. */
export interface StoredRelease {
  readonly name: string;
  /** Where the release is installed: it may be stored in another namespace. */
  readonly namespace: string;
  /** Labels of the record that a person gave the release. */
  readonly labels: Readonly<Record<string, string>>;
  readonly revision: number;
  readonly status: string;
  readonly description: string;
  /** ISO; undefined where it is no time. */
  readonly updated: string | undefined;
  readonly firstDeployed: string | undefined;
  readonly chart: NonNullable<Release['chart']>;
  readonly notes: string;
  readonly manifest: string;
  /** Values given by the user. */
  readonly values: JsonObject;
  /** Default values of the chart. */
  readonly defaults: JsonObject;
  readonly hooks: readonly {
    readonly name: string;
    readonly kind: string;
    readonly events: readonly string[];
    /** Of its objects. */
    readonly manifest: string;
  }[];
  /** All of it, to be kept as another revision. */
  readonly raw: JsonObject;
}

const odd = (what: string) =>
  new Problem({
    status: 502,
    title: `${what} cannot be read: it is not a revision as Helm 3 stores it.`,
    retryable: false,
    where: { source: 'cluster' },
  });

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const short = (value: unknown): string => cleanText(text(value).slice(0, maxTextLength));
const objectOrEmpty = (value: unknown): JsonObject => (isPlain(value) ? value : {});
const time = (value: unknown): string | undefined => {
  const at = Date.parse(text(value));
  // Helm writes year 1 where there is none.
  return Number.isNaN(at) || at < 0 ? undefined : new Date(at).toISOString();
};

type ReleaseRecord = KubeObject & { type?: unknown; data?: unknown };

/** Whether an object is marked as a revision: a Secret by its type, a ConfigMap by a label alone. */
const isMarked = ({ type, metadata }: ReleaseRecord, storage: ReleaseStorage): boolean =>
  storage === 'Secret' ? type === secretTypes.helmRelease : metadata?.labels?.['owner'] === 'helm';

/**
 * Reads a revision from its Secret or ConfigMap: JSON, packed (not by the oldest Helm), in base64; in a Secret in the
 * base64 of every Secret as well. Throws Problem for what is none, and for one that unpacks to more than is read.
 */
export async function decodeRelease(record: ReleaseRecord, storage: ReleaseStorage): Promise<StoredRelease> {
  const place = `${storage} ${record.metadata?.namespace ?? ''}/${record.metadata?.name ?? ''}`;
  const data = objectOrEmpty(record.data)['release'];
  if (!isMarked(record, storage) || typeof data !== 'string') throw odd(place);
  const packed = storage === 'Secret' ? Buffer.from(data, 'base64').toString('latin1') : data;
  const body = Buffer.from(packed, 'base64');
  let unpacked = body;
  if (body[0] === 0x1f && body[1] === 0x8b) {
    try {
      unpacked = await unpack(body, { maxOutputLength: unpackedLimit });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
        throw new Problem({
          status: 502,
          title: `${place} unpacks to more than ${unpackedLimit / 1024 / 1024} MB, more than this console reads.`,
          retryable: false,
          where: { source: 'cluster' },
        });
      }
      throw odd(place);
    }
  }
  let raw: unknown;
  try {
    raw = parseExactJson(unpacked.toString('utf8'));
  } catch {
    // The parser's own words may quote what it read: they are not passed on.
    throw odd(place);
  }
  if (!isPlain(raw) || isTooDeep(raw)) throw odd(place);
  const stored = readRelease(raw, place, record);
  requireNamed(stored, record, place);
  return stored;
}

/** Throws Problem for a record with another release or revision than it is named after: what it says is not true of this one. */
function requireNamed({ name, revision }: StoredRelease, { metadata }: ReleaseRecord, place: string): void {
  const named = revisionOfRecord(text(metadata?.name));
  if (named === undefined || (named.release === name && named.revision === revision)) return;
  throw new Problem({
    status: 502,
    title: `${place} cannot be used: by its name it is revision ${named.revision} of ${named.release}, but it contains revision ${revision} of ${short(name)}.`,
    retryable: false,
    where: { source: 'cluster' },
  });
}

/** Labels that Helm gives each record; a person gives others by `helm install --labels`. */
const systemLabels: ReadonlySet<string> = new Set([
  'name',
  'owner',
  'status',
  'version',
  'createdAt',
  'modifiedAt',
]);

const ownLabels = (labels: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(objectOrEmpty(labels)).flatMap(([key, value]) =>
      systemLabels.has(key) || typeof value !== 'string' ? [] : [[key, value]],
    ),
  );

const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

function readRelease(raw: JsonObject, place: string, { metadata: record }: ReleaseRecord): StoredRelease {
  const { info, chart, config, manifest, hooks, name, namespace, version } = raw;
  if (typeof name !== 'string' || !Number.isInteger(version) || typeof manifest !== 'string')
    throw odd(place);
  const about = objectOrEmpty(info);
  const { metadata, values } = objectOrEmpty(chart);
  const facts = objectOrEmpty(metadata);
  return {
    name,
    // Of a release that names none it is that of the record.
    namespace: namespaceName.test(text(namespace)) ? text(namespace) : text(record?.namespace),
    labels: ownLabels(record?.labels),
    revision: Number(version),
    status: short(about['status']) || 'unknown',
    // Helm quotes what a cluster refused there.
    description: maskText(short(about['description']), objectOrEmpty(config)),
    updated: time(about['last_deployed']),
    firstDeployed: time(about['first_deployed']),
    chart: {
      name: short(facts['name']),
      version: short(facts['version']),
      appVersion: short(facts['appVersion']),
      description: short(facts['description']),
      home: short(facts['home']),
    },
    notes: text(about['notes']),
    manifest,
    values: objectOrEmpty(config),
    defaults: objectOrEmpty(values),
    hooks: (Array.isArray(hooks) ? hooks : []).filter(isPlain).map((hook) => ({
      name: short(hook['name']),
      kind: short(hook['kind']),
      events: (Array.isArray(hook['events']) ? hook['events'] : []).map(short),
      manifest: text(hook['manifest']),
    })),
    raw,
  };
}

/** The values that the chart was rendered with: what was given over what the chart says, as Helm merges them. */
export function computedValues(defaults: JsonObject, given: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(given)) {
    const before = merged[key];
    // Null takes a default away.
    if (value === null) delete merged[key];
    else merged[key] = isPlain(value) && isPlain(before) ? computedValues(before, value) : value;
  }
  return merged;
}
