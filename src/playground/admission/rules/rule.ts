import { isIP } from 'node:net';
import { compareQuantities, isWhole } from '../../kit/quantity.ts';
import { type Cause, cause } from '../../kit/status.ts';
import { isRec, type Obj, type Rec, recs, str } from '../../kit/values.ts';
import { keyProblem, labelCauses, labelProblem, pathProblem, subdomainProblem } from '../../kit/names.ts';

/** Context of a check: the whole object, its stored state, and the surrounding pod spec. */
export interface Scope {
  readonly root: Obj;
  /** The object as it is stored; undefined when it is new. */
  readonly before: Obj | undefined;
  /** The pod spec that a container or volume belongs to. */
  readonly pod: Rec | undefined;
  /** Whether an earlier check refused the value at a path or inside it. */
  readonly refused: (path: string) => boolean;
}

/** The scope of a check that depends on its value alone. */
export const emptyScope: Scope = {
  root: { apiVersion: '', kind: '', metadata: {} },
  before: undefined,
  pod: undefined,
  refused: () => false,
};

/** The containers of a pod spec at a path, each with its own path, in the server's order. */
export function recsOfPod(spec: Rec, path: string): [container: Rec, path: string][] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    recs(spec[list]).map((container, index): [Rec, string] => [container, `${path}.${list}[${index}]`]),
  );
}

/**
 * The causes for which a field's value is refused. Also called when the field is absent. `owner` holds the field.
 */
export type Check = (value: unknown, path: string, owner: Rec, scope: Scope) => readonly Cause[];

/**
 * The rules of one schema by field, in the server's order. Keys that begin with `*` check the whole struct.
 * Listed fields are checked (and descended into) in this order, all others after them; for a listed field the
 * rule replaces the schema's enum.
 */
export type Rules = Readonly<Record<string, Check>>;

/** The rules of many schemas, by schema name. */
export type RuleSet = Readonly<Record<string, Rules>>;

/** Checks nothing: listing a field with it only fixes the order of descent. */
export const inside: Check = () => [];

const negative = 'must be greater than or equal to 0';

/** An optional integer that must not be negative. */
export const notNegative: Check = (value, path) =>
  typeof value === 'number' && value < 0 ? [cause.invalid(path, value, negative)] : [];

/** An optional number that must be positive. */
export const positive: Check = (value, path) =>
  typeof value === 'number' && value <= 0 ? [cause.invalid(path, value, 'must be greater than 0')] : [];

/** A text or list that must not be empty. */
export const required =
  (why = ''): Check =>
  (value, path) =>
    empty(value) ? [cause.required(path, why)] : [];

/** Whether Go sees a zero value. */
export const empty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0) ||
  (isRec(value) && Object.keys(value).length === 0);

/** One of a set of texts; `must`: it is required. */
export const oneOf =
  (texts: readonly string[], must = false): Check =>
  (value, path) => {
    if (value === undefined || value === '') return must ? [cause.required(path)] : [];
    return texts.includes(str(value)) ? [] : [cause.notSupported(path, value, texts)];
  };

/** Checks a text unless it is absent. */
export const text =
  (problem: (value: string) => string | undefined): Check =>
  (value, path) => {
    if (typeof value !== 'string' || value === '') return [];
    const why = problem(value);
    return why === undefined ? [] : [cause.invalid(path, value, why)];
  };

/** Checks a text that is required. */
export const requiredText =
  (problem: (value: string) => string | undefined): Check =>
  (value, path, owner, scope) =>
    value === undefined || value === '' ? [cause.required(path)] : text(problem)(value, path, owner, scope);

export const label = text(labelProblem);
export const subdomain = text(subdomainProblem);
export const qualified = text(keyProblem);
export const requiredPathName = requiredText(pathProblem);

/** A label map: valid keys and values. */
export const labels: Check = (value, path) =>
  isRec(value) ? labelCauses(path, value as Record<string, string>) : [];

/** Runs several checks of one value. */
export const all =
  (...checks: readonly Check[]): Check =>
  (...given) =>
    checks.flatMap((check) => check(...given));

/** The id of a user or group. */
export const userId: Check = (value, path) =>
  typeof value === 'number' && (value < 0 || value > 2147483647)
    ? [cause.invalid(path, value, 'must be between 0 and 2147483647, inclusive')]
    : [];

const portRange = 'must be between 1 and 65535, inclusive';

/** A port number; 0 means unset. */
export const portNumber: Check = (value, path) =>
  typeof value === 'number' && (value < 1 || value > 65535) ? [cause.invalid(path, value, portRange)] : [];

/** The errors for a text that is no IANA service name; empty when it is one. */
export function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push('must be no more than 15 bytes');
  if (!/^[a-z0-9-]*$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name !== '' && (name.startsWith('-') || name.endsWith('-'))) {
    problems.push('must not begin or end with a hyphen');
  }
  return problems;
}

/** An optional port name. */
export const portName: Check = (value, path) =>
  typeof value === 'string' && value !== ''
    ? portNameProblems(value).map((problem) => cause.invalid(path, value, problem))
    : [];

/** A port by number or by name. */
export const port: Check = (value, path) =>
  typeof value === 'string'
    ? portNameProblems(value).map((problem) => cause.invalid(path, value, problem))
    : Number(value ?? 0) < 1 || Number(value ?? 0) > 65535
      ? [cause.invalid(path, Number(value ?? 0), portRange)]
      : [];

/** Supported protocols of a port; required. */
export const protocol = oneOf(['SCTP', 'TCP', 'UDP'], true);

const percent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A count or a percentage, not negative. */
export const countOrPercent: Check = (value, path, owner, scope) => {
  if (typeof value !== 'string') return notNegative(value, path, owner, scope);
  return /^[0-9]+%$/.test(value) ? [] : [cause.invalid(path, value, percent)];
};

/** A percentage of at most 100%. */
export const atMostAll: Check = (value, path) =>
  typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100
    ? [cause.invalid(path, value, 'must not be greater than 100%')]
    : [];

const noAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** An optional IP address. */
export const address = text((value) => (isIP(value) === 0 ? noAddress : undefined));

/** Address ranges that endpoints must not use, each with its error. */
const special: readonly [test: RegExp, why: string][] = [
  [/^(?:0\.0\.0\.0|::)$/, 'may not be unspecified (*)'],
  [/^(?:127\.|::1$)/, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^(?:169\.254\.|fe[89ab][0-9a-f]:)/i, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [/^(?:224\.0\.0\.|ff.2:)/i, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** A required address that is neither unspecified, loopback, link-local nor link-local multicast. */
export const usualAddress: Check = (value, path) => {
  const given = str(value);
  if (isIP(given) === 0) return [cause.invalid(path, given, 'must be a valid IP address')];
  return special
    .filter(([test]) => test.test(given))
    .map(([, why]) => cause.invalid(path, given, why.replace('*', given)));
};

/** A required IP address. */
export const requiredAddress: Check = (value, path) =>
  isIP(str(value)) === 0 ? [cause.invalid(path, str(value), noAddress)] : [];

/** The error for a text that is no CIDR range; undefined when it is one. */
export function rangeProblem(value: string): string | undefined {
  const [start = '', bits = '', ...rest] = value.split('/');
  const family = isIP(start);
  const fits = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  return family !== 0 && rest.length === 0 && fits
    ? undefined
    : 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
}

const standard = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'storage',
  ...['cpu', 'memory', 'storage', 'ephemeral-storage'].map((name) => `requests.${name}`),
  ...['cpu', 'memory', 'ephemeral-storage'].map((name) => `limits.${name}`),
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

/** The causes for which a resource name is refused, as in "spec.hard[foo]". */
export function resourceNameCauses(name: string, path: string): Cause[] {
  const problem = keyProblem(name);
  if (problem !== undefined) return [cause.invalid(path, name, problem)];
  const isKnown = name.includes('/') || standard.has(name) || /^(?:requests\.)?hugepages-/.test(name);
  return isKnown ? [] : [cause.invalid(path, name, 'must be a standard resource type or fully qualified')];
}

const wholeNumberResource =
  /^(?:pods|services|replicationcontrollers|resourcequotas|secrets|configmaps|persistentvolumeclaims|services\.nodeports|services\.loadbalancers|count\/.+)$/;
/** Whether a resource is defined by Kubernetes: it has no prefix, or one of kubernetes.io. */
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** A quantity of a resource: not negative, and whole for resources that are indivisible. */
export function amount(resource: string, value: unknown, path: string): Cause[] {
  const given = str(value);
  if (compareQuantities(given, '0') < 0) return [cause.invalid(path, given, negative)];
  const integer = wholeNumberResource.test(resource) || !isNative(resource);
  return integer && !isWhole(given) ? [cause.invalid(path, given, 'must be an integer')] : [];
}
