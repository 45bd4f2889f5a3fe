import { createHash } from 'node:crypto';
import type { Exchange } from './replay.ts';

/** Names that every server has: they stay. */
const builtIn = /^(default|kubernetes|kube-.*|system:.*)$/;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The definition that the recordings make, and another one in its place. */
const definitions: readonly (readonly [RegExp, string])[] = [
  [/wire\.example\.com/g, 'harbour.example.net'],
  [/com\.example\.wire/g, 'net.example.harbour'],
  [/WireExampleCom/g, 'HarbourExampleNet'],
  [/wireExampleCom/g, 'harbourExampleNet'],
  [/boats/g, 'ferries'],
  [/boat/g, 'ferry'],
  [/Boat/g, 'Ferry'],
  [/"bt"/g, '"fy"'],
];

const definedKind = 'Ferry';
/** How discovery marks the stored version of the other definition. */
const hashOf = (kind: string) =>
  createHash('sha256').update(`harbour.example.net/v1/${kind}`).digest().subarray(0, 8).toString('base64');

const every = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.flatMap((exchange) => [exchange, ...every(exchange.meanwhile ?? [])]);

/** The names of objects and namespaces in requests and answers. */
export function namesIn(exchanges: readonly Exchange[]): Set<string> {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (!isRecord(value)) return;
    const { metadata } = value;
    if (isRecord(metadata)) {
      for (const field of ['name', 'namespace', 'generateName']) {
        const name = metadata[field];
        if (typeof name === 'string' && !builtIn.test(name) && !name.endsWith('.k8s.io')) found.add(name);
      }
    }
    Object.values(value).forEach(walk);
  };
  for (const { request, response } of every(exchanges)) {
    const { body } = request;
    if (typeof body === 'string') {
      for (const [, name = ''] of body.matchAll(/^ *name: ([\w-]+)$/gm)) found.add(name);
    } else walk(body);
    const discovers = JSON.stringify(response.body ?? '').includes('"APIGroupDiscoveryList"');
    if (!discovers) walk(response.body);
    for (const name of placesIn(request.path)) found.add(name);
  }
  return found;
}

/** Where a path names things: the segments after "namespaces" and after a resource. */
function placesIn(path: string): string[] {
  const parts = path.split('?')[0]?.split('/') ?? [];
  const start = parts[1] === 'api' ? 3 : parts[1] === 'apis' ? 4 : parts.length;
  const rest = parts.slice(start);
  const names = rest[0] === 'namespaces' ? [rest[1], rest[3]] : [rest[1]];
  return names.filter((name) => name !== undefined && name !== '' && !builtIn.test(name)) as string[];
}

/** Fields below which a name is that of an object. */
const holders = new Set([
  'metadata',
  'details',
  'roleRef',
  'subjects',
  'involvedObject',
  'regarding',
  'target',
  'scaleTargetRef',
  'ownerReferences',
  'resourceAttributes',
  'spec',
  'boundObjectRef',
]);
const namingFields = new Set(['namespace', 'generateName', 'nodeName', 'resourceNames']);
const ownLabels = new Set([
  'kubernetes.io/metadata.name',
  'batch.kubernetes.io/job-name',
  'job-name',
  'kubernetes.io/service-name',
]);

/** A recording in which every object, namespace and definition has another name, in requests and answers. */
export function renamed(exchanges: readonly Exchange[], names: ReadonlySet<string>): Exchange[] {
  const other = (name: string): string => (names.has(name) ? `q-${name}` : name);
  const told = (text: string): string =>
    text
      // A quoted name, but none within a quoted object, and neither a resource nor a version.
      .replace(/\{[^ ]*\}|(resource |version )?"([\w.-]+)"/g, (all, before?: string, name?: string) =>
        before === undefined && name !== undefined ? `"${other(name)}"` : all,
      )
      .replace(/\bfor pod ([\w-]+)$/, (_all, name: string) => `for pod ${other(name)}`)
      .replace(/\bnamespace ([\w-]+)/g, (_all, name: string) => `namespace ${other(name)}`)
      .replace(/\((\w[\w-]*)\)/g, (_all, name: string) => `(${other(name)})`)
      .replace(
        /system:serviceaccounts?:([\w-]+)(:([\w-]+))?/g,
        (all, space: string, account?: string, name?: string) =>
          `${all.startsWith('system:serviceaccounts') ? 'system:serviceaccounts' : 'system:serviceaccount'}:${other(space)}${account === undefined ? '' : `:${other(name ?? '')}`}`,
      );
  /** What follows a sentence as a difference of two states shows values, no names. */
  const sentence = (text: string): string => {
    const end = text.indexOf('\n@@ ');
    return end < 0 ? told(text) : `${told(text.slice(0, end))}${text.slice(end)}`;
  };
  const walk = (value: unknown, key: string, holder: string): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => walk(item, key, holder));
    if (isRecord(value)) {
      const hash = value['storageVersionHash'];
      if (typeof hash === 'string' && value['kind'] === definedKind) {
        return { ...value, storageVersionHash: hashOf(definedKind) };
      }
      return Object.fromEntries(
        Object.entries(value).map(([field, item]) => [field, walk(item, field, key)]),
      );
    }
    if (typeof value !== 'string') return value;
    if (namingFields.has(key) || ownLabels.has(key)) return other(value);
    if (key === 'name' && holders.has(holder)) return other(value);
    if (key === 'cells')
      return value.replace(/^(\w+\/)?([\w.-]+)$/, (_all, kind = '', name: string) => `${kind}${other(name)}`);
    return key === 'message' || key === 'username' || key === 'user' || key === 'groups'
      ? sentence(value)
      : value;
  };
  const query = (text: string) =>
    text.replace(
      /((?:metadata|involvedObject)\.(?:name|namespace)(?:!?=|%3D|%21%3D)+)([\w-]+)/g,
      (_all, field: string, name: string) => `${field}${other(name)}`,
    );
  const path = (text: string): string => {
    const [plain = '', ...rest] = text.split('?');
    const places = new Set(placesIn(plain));
    const parts = plain.split('/').map((part, index) => (index > 2 && places.has(part) ? other(part) : part));
    return [parts.join('/'), ...rest.map(query)].join('?');
  };
  const one = (exchange: Exchange): Exchange => ({
    ...exchange,
    request: {
      ...exchange.request,
      path: path(exchange.request.path),
      ...(exchange.request.body === undefined ? {} : { body: body(exchange.request.body) }),
    },
    response: { ...exchange.response, body: body(exchange.response.body) },
    ...(exchange.meanwhile === undefined ? {} : { meanwhile: exchange.meanwhile.map(one) }),
  });
  const body = (value: unknown): unknown =>
    typeof value === 'string'
      ? sentence(value).replace(
          /^( *(?:name|namespace): )([\w-]+)$/gm,
          (_all, field: string, name: string) => `${field}${other(name)}`,
        )
      : walk(value, '', '');
  const text = definitions.reduce(
    (all, [pattern, name]) => all.replace(pattern, name),
    JSON.stringify(exchanges),
  );
  return (JSON.parse(text) as Exchange[]).map(one);
}

/** A step that is sent without an answer to compare. */
export interface Step {
  readonly path: string;
  readonly body: object;
}

/** A step in which every object has its other name. */
export function renamedStep(step: Step, names: ReadonlySet<string>): Step {
  const request = { method: 'POST', headers: {}, ...step };
  const [other] = renamed([{ name: '', request, response: { status: 0, headers: {} } }], names);
  return { path: other?.request.path ?? step.path, body: other?.request.body as object };
}
