import { asVersion } from '../registry/conversion.ts';
import { apiVersionOf, type Resource } from '../registry/registry.ts';
import { badRequest, expired, StatusError } from '../kit/status.ts';
import type { Store } from '../store/store.ts';
import type { Obj } from '../kit/values.ts';
import { checkListOptions, integerParameter } from './options.ts';
import { readSelection, type Selection } from './selection.ts';

/** A page of objects. */
export interface Page {
  readonly items: readonly Obj[];
  readonly metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
}

interface Position {
  readonly version: number;
  readonly after: string;
}

const encodeToken = (version: number, start: string) =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: `${start}\0` })).toString(
    'base64url',
  );

function decodeToken(token: string): Position {
  const refuse = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const text = Buffer.from(token, 'base64url').toString('latin1');
  let parsed: { v?: unknown; rv?: unknown; start?: unknown };
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as typeof parsed;
  } catch {
    throw refuse(`invalid character '${text[0] ?? ''}' looking for beginning of value`);
  }
  if (parsed.v !== 'meta.k8s.io/v1' || typeof parsed.rv !== 'number') {
    throw refuse('server does not recognize this encoded version');
  }
  if (parsed.rv === 0 || typeof parsed.start !== 'string')
    throw refuse('incorrect encoded start resourceVersion');
  return { version: parsed.rv, after: parsed.start.replace(/^\//, '').replace(/\0$/, '') };
}

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** Parses a resourceVersion; 0 and absent mean any. Throws 500 for a text that is no number, as the API server does. */
export function readVersion(text: string | null): number {
  if (text === null || text === '') return 0;
  if (!/^\d+$/.test(text)) {
    throw new StatusError(
      500,
      undefined,
      `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  return Number(text);
}

/** Refuses a version that the store has not reached. Throws 504, which a real server sends after a timeout. */
export function checkReached(store: Store, version: number): void {
  if (version <= store.version) return;
  const why = `Timeout: Too large resource version: ${version}, current: ${store.version}`;
  throw new StatusError(504, 'Timeout', why, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** The state of a resource's objects at one version, page by page. Throws 400, 410 and 504. */
export function listPage(store: Store, resource: Resource, namespace: string, query: URLSearchParams): Page {
  checkListOptions(query, false);
  const selection = readSelection(resource, namespace, '', query);
  const token = query.get('continue') ?? '';
  // The server answers from its cache, without pages, when any version will do.
  const limit =
    query.get('resourceVersion') === '0' && token === '' ? 0 : (integerParameter(query, 'limit') ?? 0);
  const position = token === '' ? undefined : decodeToken(token);
  const requestedVersion = readVersion(query.get('resourceVersion'));
  const match = query.get('resourceVersionMatch');
  if (position !== undefined && requestedVersion > 0) {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  checkReached(store, requestedVersion);
  // A page at a version is of exactly that version unless the client chooses otherwise.
  const isExact = match === 'Exact' || ((match ?? '') === '' && limit > 0);
  const exact = isExact && requestedVersion > 0 ? requestedVersion : store.version;
  const version = position === undefined ? exact : position.version < 0 ? store.version : position.version;
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const page = store.page(
    resource.storage,
    prefix,
    version,
    position === undefined ? '' : `${prefix}${position.after}`,
    limit > 0 ? limit : Number.POSITIVE_INFINITY,
    selection.matches,
  );
  if (page === undefined) {
    if (position === undefined) throw expired(`The resourceVersion for the provided list is too old.`);
    throw expired(tooOld, encodeToken(-1, position.after));
  }
  const { next } = page;
  return {
    items: page.items,
    metadata: {
      resourceVersion: String(version),
      ...(next === undefined ? {} : { continue: encodeToken(version, next.slice(prefix.length)) }),
      ...(next === undefined || !selection.isUnfiltered ? {} : { remainingItemCount: page.remaining }),
    },
  };
}

/** A page of computed objects: all that match the selectors. */
export function computedPage(
  objects: readonly Obj[],
  resource: Resource,
  namespace: string,
  query: URLSearchParams,
): Page {
  const selection = readSelection(resource, namespace, '', query);
  // Computed objects have no version.
  return { items: objects.filter(selection.matches), metadata: { resourceVersion: '' } };
}

/** A list as JSON text. As in Go, items of built-in kinds have no kind and apiVersion of their own. */
export function listJson(resource: Resource, page: Page): string {
  const items = page.items.map((item) =>
    JSON.stringify(
      resource.custom === undefined ? bare(asVersion(resource, item)) : asVersion(resource, item),
    ),
  );
  const head = JSON.stringify({
    kind: `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    // Lists of custom objects always have `continue`, even when nothing is left.
    metadata: resource.custom === undefined ? page.metadata : { continue: '', ...page.metadata },
  });
  return `${head.slice(0, -1)},"items":[${items.join(',')}]}\n`;
}

function bare(object: Obj): object {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}

/** The objects that a deleteCollection removes. */
export function selected(store: Store, resource: Resource, selection: Selection): Obj[] {
  const prefix = selection.namespace === '' ? '' : `${selection.namespace}/`;
  return store.list(resource.storage, prefix).filter(selection.matches);
}
