import type { KubeObject, ObjectMeta, OwnerReference } from '../../kube/object.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../clusters/transport.ts';

/** Objects asked for at a time. */
const pageSize = 500;
/** Lists begun anew because the cluster forgot their page token. */
const tries = 3;
/** How a cluster is called in sentences where its name is not at hand. */
const someCluster = 'The cluster';

type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON: neither null nor a list. */
export function isPlain(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The cluster's answer is not what the API promises. */
function oddAnswer(title: string, cluster?: string, cause?: unknown): ClusterProblem {
  return new ClusterProblem(
    { status: 502, title, retryable: false, where: cluster === undefined ? {} : { cluster } },
    { status: 200 },
    cause === undefined ? {} : { cause },
  );
}

/**
 * An object as its types say it is: the cluster is not trusted to keep to them. What of its metadata is of another type
 * is left out; spec and status stay as they came. Throws ClusterProblem for what is no object.
 */
export function objectIn(value: unknown, cluster?: string): KubeObject {
  if (!isPlain(value))
    throw oddAnswer(`${cluster ?? someCluster} answered with something that is not an object.`, cluster);
  const { apiVersion, kind, metadata, ...rest } = value;
  return {
    ...(typeof apiVersion === 'string' ? { apiVersion } : {}),
    ...(typeof kind === 'string' ? { kind } : {}),
    metadata: metadataIn(metadata),
    ...rest,
  };
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const textsOf = (value: unknown) =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).filter(([, one]) => isText(one))) : undefined;
const ownersOf = (value: unknown) =>
  Array.isArray(value)
    ? value.filter(
        (owner): owner is OwnerReference =>
          isPlain(owner) && ['apiVersion', 'kind', 'name', 'uid'].every((name) => isText(owner[name])),
      )
    : undefined;

/** Readers for each field of metadata; undefined leaves it out. */
const fields: { readonly [Name in keyof ObjectMeta]-?: (value: unknown) => unknown } = {
  name: (value) => (isText(value) ? value : undefined),
  generateName: (value) => (isText(value) ? value : undefined),
  namespace: (value) => (isText(value) ? value : undefined),
  uid: (value) => (isText(value) ? value : undefined),
  resourceVersion: (value) => (isText(value) ? value : undefined),
  creationTimestamp: (value) => (isText(value) ? value : undefined),
  deletionTimestamp: (value) => (isText(value) ? value : undefined),
  generation: (value) => (isNumber(value) ? value : undefined),
  deletionGracePeriodSeconds: (value) => (isNumber(value) ? value : undefined),
  labels: textsOf,
  annotations: textsOf,
  ownerReferences: ownersOf,
  finalizers: (value) => (Array.isArray(value) ? value.filter(isText) : undefined),
  managedFields: (value) => (Array.isArray(value) ? value : undefined),
};

function metadataIn(value: unknown): ObjectMeta {
  if (!isPlain(value)) return {};
  const read: Record<string, unknown> = {};
  for (const name in value) {
    const one = value[name];
    const known = Object.hasOwn(fields, name) ? fields[name as keyof ObjectMeta](one) : one;
    // Writing to __proto__ would give the object another prototype.
    if (known !== undefined && name !== '__proto__') read[name] = known;
  }
  // Each field was read as its type.
  return read;
}

/** One page of a list. */
export interface ObjectPage {
  readonly items: readonly KubeObject[];
  /** Where the next page begins; undefined: there is none. Opaque. */
  readonly next: string | undefined;
}

/**
 * Reads what should be a page of a list. Throws ClusterProblem for anything else, also for a list with an item that is
 * no object: half a list is none.
 * @param what the plural of its objects
 */
export function pageIn(page: unknown, what: string, cluster?: string): ObjectPage {
  const odd = () =>
    oddAnswer(
      `${cluster ?? someCluster} answered the list of ${what} with something that is not a list.`,
      cluster,
    );
  if (!isPlain(page)) throw odd();
  const metadata = isPlain(page['metadata']) ? page['metadata'] : undefined;
  const items: unknown = page['items'] ?? (metadata === undefined ? undefined : []);
  const next = metadata?.['continue'] ?? '';
  if (!Array.isArray(items) || !items.every(isPlain) || typeof next !== 'string') throw odd();
  return { items: items.map((item) => objectIn(item, cluster)), next: next === '' ? undefined : next };
}

/** The query of `readAll`, and its limits. */
export interface ReadAll extends Pick<KubeRequest, 'path' | 'signal' | 'accept'> {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The plural of its objects. */
  readonly what: string;
  /** More objects than this, or more pages than they would fill, are refused: a list is never cut. */
  readonly limit: number;
  /** The message of that refusal: a whole sentence. */
  readonly tooMany: string;
  /** The cluster's name. */
  readonly cluster?: string;
}

/**
 * All objects of a collection, page by page; begun anew when the cluster forgets where a page begins.
 * Throws ClusterProblem, with `tooMany` for more than are read.
 */
export async function readAll(transport: Transport, read: ReadAll): Promise<KubeObject[]> {
  return await readEach(transport, read, (objects) => objects);
}

/**
 * The same, keeping of each page only what is asked for: large objects need not be held all at once.
 * @param keep may be called again from the first page on, when the list is begun anew
 */
export async function readEach<T>(
  transport: Transport,
  read: ReadAll,
  keep: (objects: readonly KubeObject[]) => readonly T[] | Promise<readonly T[]>,
): Promise<T[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readPages(transport, read, keep);
    } catch (error) {
      if (attempt === tries || !(error instanceof ClusterProblem) || error.upstream.status !== 410)
        throw error;
    }
  }
}

async function readPages<T>(
  transport: Transport,
  read: ReadAll,
  keep: (objects: readonly KubeObject[]) => readonly T[] | Promise<readonly T[]>,
): Promise<T[]> {
  const { path, signal, accept, labelSelector, fieldSelector, what, limit, tooMany, cluster } = read;
  const found: T[] = [];
  let next: string | undefined;
  let pages = 0;
  do {
    // A cluster that never stops handing out pages must not fill the server.
    if (pages * pageSize >= limit) throw oddAnswer(tooMany, cluster);
    const page = pageIn(
      await transport.json<unknown>({
        path,
        query: { limit: pageSize, continue: next, labelSelector, fieldSelector },
        ...(signal === undefined ? {} : { signal }),
        ...(accept === undefined ? {} : { accept }),
      }),
      what,
      cluster,
    );
    if (found.length + page.items.length > limit) throw oddAnswer(tooMany, cluster);
    for (const one of await keep(page.items)) found.push(one);
    next = page.next;
    pages += 1;
  } while (next !== undefined);
  return found;
}

/**
 * Runs what a kind declares over an object of a cluster. What it says of spec and status are types, not facts: an object
 * of another shape is the cluster's failure. Throws ClusterProblem.
 * @param name of the object, in a sentence
 */
export function shaped<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    throw oddAnswer(`${name} has a shape that this console cannot read.`, undefined, error);
  }
}
