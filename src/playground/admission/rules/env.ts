import { type Cause, cause } from '../../kit/status.ts';
import { isRec, type Rec, recs, str } from '../../kit/values.ts';
import { keyProblem, subdomainProblem } from '../../kit/names.ts';
import { emptyScope, type Check, empty, requiredText, type RuleSet, text } from './rule.ts';

const core = 'io.k8s.api.core.v1.';

/** The error for a text that is no valid key of a config map or secret; undefined when it is one. */
export function configKeyProblem(key: string): string | undefined {
  if (key.length > 253) return 'must be no more than 253 bytes';
  if (key === '.' || key === '..') return `must not be '${key}'`;
  if (key.startsWith('..')) return "must not start with '..'";
  return /^[-._a-zA-Z0-9]+$/.test(key)
    ? undefined
    : "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
}

const relaxedName = (name: string): string | undefined =>
  /^[ -<>-~]+$/.test(name)
    ? undefined
    : "a valid environment variable name must consist only of printable ASCII characters other than '='";

const envFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const volumeFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
const convertible = new Set([
  ...envFields,
  ...volumeFields,
  'metadata.annotations',
  'metadata.labels',
  'status.phase',
  'spec.restartPolicy',
  'spec.schedulerName',
]);

/** A `fieldRef`: a field of the pod that an environment variable or a volume exposes. */
export function fieldReference(reference: Rec, path: string, allowed: readonly string[]): Cause[] {
  const field = str(reference['fieldPath']);
  if (field === '') return [cause.required(`${path}.fieldPath`)];
  const [, name = '', subscript = ''] = /^(.*)\['([^']*)'\]$/.exec(field) ?? [];
  if (name !== '') {
    if (name !== 'metadata.annotations' && name !== 'metadata.labels') {
      return convertible.has(name)
        ? [cause.invalid(path, name, 'does not support subscript')]
        : [
            cause.invalid(
              `${path}.fieldPath`,
              field,
              `error converting fieldPath: field label does not support subscript`,
            ),
          ];
    }
    const problem = keyProblem(name === 'metadata.annotations' ? subscript.toLowerCase() : subscript);
    return problem === undefined ? [] : [cause.invalid(path, subscript, problem)];
  }
  if (!convertible.has(field)) {
    return [
      cause.invalid(
        `${path}.fieldPath`,
        field,
        `error converting fieldPath: field label not supported: ${field}`,
      ),
    ];
  }
  return allowed.includes(field) ? [] : [cause.notSupported(`${path}.fieldPath`, field, allowed)];
}
/** A `fieldRef` of a downward API volume. */
export const volumeReference = (reference: Rec, path: string) =>
  fieldReference(reference, path, volumeFields);

const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

const sizes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const divisorProblem = `only divisor's values ${sizes.join(', ')} are supported with the`;
/** Allowed divisors by resource, and the error for others. */
const divisors: readonly [resource: RegExp, allowed: readonly string[], why: string][] = [
  [/\.cpu$/, ['1m', '1'], "only divisor's values 1m and 1 are supported with the cpu resource"],
  [/\.memory$/, sizes, `${divisorProblem} memory resource`],
  [/\.ephemeral-storage$/, sizes, `${divisorProblem} local ephemeral storage resource`],
  [/\.hugepages-/, sizes, `${divisorProblem} hugepages resource`],
];

/** A `resourceFieldRef`: a container's request or limit that an environment variable or a volume exposes. */
export function resourceReference(reference: Rec, path: string, volume: boolean): Cause[] {
  const name = str(reference['resource']);
  const causes: Cause[] = [];
  if (volume && empty(reference['containerName'])) causes.push(cause.required(`${path}.containerName`));
  else if (name === '') causes.push(cause.required(`${path}.resource`));
  else if (!resources.includes(name) && !/^(?:requests|limits)\.hugepages-/.test(name))
    causes.push(cause.notSupported(`${path}.resource`, name, resources));
  const divisor = str(reference['divisor']);
  if (divisor === '' || divisor === '0') return causes;
  const wrong = divisors.filter(([resource, allowed]) => resource.test(name) && !allowed.includes(divisor));
  return [...causes, ...wrong.map(([, , why]) => cause.invalid(`${path}.divisor`, name, why))];
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

const valueFrom: Check = (value, path, owner) => {
  if (!isRec(value)) return [];
  const causes: Cause[] = [];
  if (isRec(value['fieldRef']))
    causes.push(...fieldReference(value['fieldRef'], `${path}.fieldRef`, envFields));
  if (isRec(value['resourceFieldRef'])) {
    causes.push(...resourceReference(value['resourceFieldRef'], `${path}.resourceFieldRef`, false));
  }
  for (const kind of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = value[kind];
    if (!isRec(reference)) continue;
    const name = str(reference['name']);
    const problem = subdomainProblem(name);
    if (problem !== undefined) causes.push(cause.invalid(`${path}.${kind}.name`, name, problem));
    causes.push(
      ...requiredText(configKeyProblem)(reference['key'], `${path}.${kind}.key`, reference, emptyScope),
    );
  }
  const count = sources.filter((source) => value[source] !== undefined).length;
  if (count === 0) {
    const all4 =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    causes.push(cause.invalid(path, '', all4));
  } else if (!empty(owner['value'])) {
    causes.push(cause.invalid(path, '', 'may not be specified when `value` is not empty'));
  } else if (count > 1)
    causes.push(cause.invalid(path, '', 'may not have more than one field specified at a time'));
  return causes;
};

/** `envFrom`: config maps and secrets whose keys all become variables. */
export const envFrom: Check = (value, path) =>
  recs(value).flatMap((item, index) => {
    const causes: Cause[] = [
      ...text(relaxedName)(item['prefix'], `${path}[${index}].prefix`, item, emptyScope),
    ];
    for (const kind of ['configMapRef', 'secretRef'] as const) {
      const reference = item[kind];
      if (!isRec(reference)) continue;
      causes.push(
        ...requiredText(subdomainProblem)(
          reference['name'],
          `${path}[${index}].${kind}.name`,
          reference,
          emptyScope,
        ),
      );
    }
    const count = ['configMapRef', 'secretRef'].filter((kind) => item[kind] !== undefined).length;
    if (count === 0)
      causes.push(cause.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (count > 1)
      causes.push(cause.invalid(path, '', 'may not have more than one field specified at a time'));
    return causes;
  });

/** Rules of environment variables. `envFrom` checks lists of sources. */
export const envRules: RuleSet = {
  [`${core}EnvVar`]: { name: requiredText(relaxedName), valueFrom },
};
