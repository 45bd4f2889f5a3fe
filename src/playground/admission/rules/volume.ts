import { type Cause, cause } from '../../status.ts';
import { isRec, type Rec, recs, str } from '../../values.ts';
import { labelProblem, subdomainProblem } from '../names.ts';
import { descending, resourceReference, volumeReference } from './container.ts';
import { type Check, empty, oneOf, required, requiredText, type RuleSet, text } from './rule.ts';

const core = 'io.k8s.api.core.v1.';

/** What a volume may be made of: all its fields but its name. */
const sourcesOf = (value: Rec) => Object.keys(value).filter((key) => key !== 'name');

const source: Check = (value, path) => {
  if (!isRec(value)) return [];
  const [first, ...more] = sourcesOf(value);
  if (first === undefined) return [cause.required(path, 'must specify a volume type')];
  return more.map((kind) => cause.forbidden(`${path}.${kind}`, 'may not specify more than 1 volume type'));
};

const mode: Check = (value, path) =>
  typeof value === 'number' && (value < 0 || value > 0o777)
    ? [cause.invalid(path, value, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : [];

/** A path that stays inside its volume and does not hide what the kubelet writes there. */
const local = requiredText((value) => {
  const problem = descending(value);
  if (problem !== undefined) return problem;
  return value.startsWith('..') ? "must not start with '..'" : undefined;
});

const shown: Check = (value, path) =>
  recs(value).flatMap((item, index) => {
    const inner = `${path}[${index}]`;
    const causes: Cause[] = [];
    if (isRec(item['fieldRef'])) {
      causes.push(...volumeReference(item['fieldRef'], `${inner}.fieldRef`));
      if (isRec(item['resourceFieldRef'])) {
        causes.push(
          cause.invalid(
            inner,
            'resource',
            'fieldRef and resourceFieldRef can not be specified simultaneously',
          ),
        );
      }
    } else if (isRec(item['resourceFieldRef'])) {
      causes.push(...resourceReference(item['resourceFieldRef'], `${inner}.resourceFieldRef`, true));
    } else causes.push(cause.required(inner, 'one of fieldRef and resourceFieldRef is required'));
    return causes;
  });

/** Rules of volumes and of what they are made of. */
export const volumeRules: RuleSet = {
  [`${core}Volume`]: { '*': source, name: requiredText(labelProblem) },
  [`${core}SecretVolumeSource`]: { secretName: required(), defaultMode: mode },
  [`${core}ConfigMapVolumeSource`]: { name: required(), defaultMode: mode },
  [`${core}KeyToPath`]: { key: required(), path: local, mode },
  [`${core}HostPathVolumeSource`]: {
    path: (value, path, owner, scope) => {
      if (empty(value)) return [cause.required(path)];
      return text((given) => (given.split('/').includes('..') ? "must not contain '..'" : undefined))(
        value,
        path,
        owner,
        scope,
      );
    },
    type: (value, path, owner, scope) =>
      oneOf([
        '',
        'BlockDevice',
        'CharDevice',
        'Directory',
        'DirectoryOrCreate',
        'File',
        'FileOrCreate',
        'Socket',
      ])(value, path, owner, scope),
  },
  [`${core}PersistentVolumeClaimVolumeSource`]: { claimName: requiredText(subdomainProblem) },
  [`${core}DownwardAPIVolumeSource`]: { defaultMode: mode, items: shown },
  [`${core}DownwardAPIProjection`]: { items: shown },
  [`${core}DownwardAPIVolumeFile`]: { path: local, mode },
  [`${core}NFSVolumeSource`]: {
    server: required(),
    path: (value, path) => {
      if (empty(value)) return [cause.required(path)];
      return str(value).startsWith('/') ? [] : [cause.invalid(path, value, 'must be an absolute path')];
    },
  },
  [`${core}CSIVolumeSource`]: { driver: required() },
  [`${core}ProjectedVolumeSource`]: { defaultMode: mode },
  [`${core}ServiceAccountTokenProjection`]: {
    expirationSeconds: (value, path) => {
      const seconds = Number(value ?? 3600);
      if (seconds < 600)
        return [cause.invalid(path, seconds, 'may not specify a duration less than 10 minutes')];
      return seconds > 4294967296
        ? [cause.invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')]
        : [];
    },
    path: required(),
  },
};
