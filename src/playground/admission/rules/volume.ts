import { compareQuantities } from '../../kit/quantity.ts';
import { type Cause, cause } from '../../kit/status.ts';
import { isRec, type Rec, rec, recs, str } from '../../kit/values.ts';
import { labelProblem, subdomainProblem } from '../../kit/names.ts';
import { resourceReference, volumeReference } from './env.ts';
import { descending } from './mount.ts';
import {
  emptyScope,
  type Check,
  empty,
  inside,
  oneOf,
  required,
  requiredText,
  type RuleSet,
  text,
} from './rule.ts';

const core = 'io.k8s.api.core.v1.';

/** Volume types of a pod, in the server's order. */
const kinds =
  'emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs flocker persistentVolumeClaim rbd cinder cephfs quobyte downwardAPI fc flexVolume configMap azureFile vsphereVolume photonPersistentDisk portworxVolume azureDisk storageos projected scaleIO csi ephemeral image'.split(
    ' ',
  );
/** Volume types whose field the server misspells in its error for several types. */
const goFieldNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

const source: Check = (value, path) => {
  if (!isRec(value)) return [];
  const [first, ...others] = kinds.filter((kind) => value[kind] !== undefined);
  if (first === undefined) return [cause.required(path, 'must specify a volume type')];
  return others.map((kind) =>
    cause.forbidden(`${path}.${goFieldNames[kind] ?? kind}`, 'may not specify more than 1 volume type'),
  );
};

/** Refuses a name that an earlier valid volume has. */
const duplicateName: Check = (value, path, _owner, { pod, refused }) => {
  const [, list = '', index = '0'] = /^(.*)\[(\d+)\]$/.exec(path) ?? [];
  const name = str(rec(value)['name']);
  const usedPaths = recs(pod?.['volumes'])
    .slice(0, Number(index))
    .some((volume, volumeIndex) => volume['name'] === name && !refused(`${list}[${volumeIndex}]`));
  return usedPaths ? [cause.duplicate(`${path}.name`, name)] : [];
};

const mode: Check = (value, path) =>
  typeof value === 'number' && (value < 0 || value > 0o777)
    ? [cause.invalid(path, value, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : [];

/** A relative path inside its volume that does not begin with "..", which the kubelet reserves. */
const local = requiredText((value) => {
  const problem = descending(value);
  if (problem !== undefined) return problem;
  return value.startsWith('..') ? "must not start with '..'" : undefined;
});

/** Files of a downward API volume; the server reports them under the volume's path. */
const downwardItems: Check = (value, path) => {
  const inner = path.replace(/\.items$/, '');
  return recs(value).flatMap((item) => {
    const causes: Cause[] = [...local(item['path'], `${inner}.path`, item, emptyScope)];
    if (isRec(item['fieldRef'])) {
      causes.push(...volumeReference(item['fieldRef'], `${inner}.fieldRef`));
      if (isRec(item['resourceFieldRef'])) {
        const why = 'fieldRef and resourceFieldRef can not be specified simultaneously';
        causes.push(cause.invalid(inner, 'resource', why));
      }
    } else if (isRec(item['resourceFieldRef'])) {
      causes.push(...resourceReference(item['resourceFieldRef'], `${inner}.resourceFieldRef`, true));
    } else causes.push(cause.required(inner, 'one of fieldRef and resourceFieldRef is required'));
    return [...causes, ...mode(item['mode'], `${inner}.mode`, item, emptyScope)];
  });
};

const projections = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
];

/** Sources of a projected volume: each of one type, and no two at one path. */
const sources: Check = (value, path) => {
  const volume = path.replace(/\.sources$/, '');
  const usedPaths = new Set<string>();
  return recs(value).flatMap((one, index) => {
    const inner = `${path}[${index}]`;
    const causes: Cause[] = [];
    for (const kind of ['secret', 'configMap', 'downwardAPI'] as const) {
      const given = one[kind];
      if (!isRec(given)) continue;
      if (kind !== 'downwardAPI' && empty(given['name']))
        causes.push(cause.required(`${inner}.${kind}.name`));
      for (const [itemIndex, item] of recs(given['items']).entries()) {
        const filePath = str(item['path']);
        if (kind === 'downwardAPI')
          causes.push(...downwardItems([item], `${inner}.${kind}`, given, emptyScope));
        else causes.push(...keyAt(item, `${inner}.${kind}.items[${itemIndex}]`));
        const fieldValue = kind === 'downwardAPI' ? filePath : str(given['name']);
        if (filePath !== '' && usedPaths.has(filePath))
          causes.push(cause.invalid(volume, fieldValue, 'conflicting duplicate paths'));
        usedPaths.add(filePath);
      }
    }
    const token = one['serviceAccountToken'];
    if (isRec(token)) {
      const seconds = Number(token['expirationSeconds'] ?? 3600);
      const field = `${inner}.serviceAccountToken.expirationSeconds`;
      if (seconds < 600)
        causes.push(cause.invalid(field, seconds, 'may not specify a duration less than 10 minutes'));
      if (seconds > 4294967296)
        causes.push(cause.invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds'));
      causes.push(...local(token['path'], `${volume}.path`, token, emptyScope));
    }
    return projections.filter((kind) => one[kind] !== undefined).length > 1
      ? [...causes, cause.forbidden(inner, 'may not specify more than 1 volume type per source')]
      : causes;
  });
};

/** A key of a config map or secret, and the path of its file. */
const keyAt = (item: Rec, path: string): Cause[] => [
  ...required()(item['key'], `${path}.key`, item, emptyScope),
  ...local(item['path'], `${path}.path`, item, emptyScope),
  ...mode(item['mode'], `${path}.mode`, item, emptyScope),
];
const keysAt: Check = (value, path) => recs(value).flatMap((item, index) => keyAt(item, `${path}[${index}]`));

/** The name of a CSI driver. */
export const driverName: Check = (value, path) => {
  const name = str(value);
  const problem = subdomainProblem(name.toLowerCase());
  return [
    ...(name === '' ? [cause.required(path)] : []),
    ...(name.length > 63 ? [cause.tooLong(path, 63)] : []),
    ...(problem === undefined ? [] : [cause.invalid(path, name, problem)]),
  ];
};

/** Rules of volumes and their sources. */
export const volumeRules: RuleSet = {
  [`${core}Volume`]: {
    '*': source,
    ...Object.fromEntries(kinds.map((kind) => [kind, inside])),
    name: requiredText(labelProblem),
    '*name': duplicateName,
  },
  [`${core}EmptyDirVolumeSource`]: {
    sizeLimit: (value, path) =>
      value !== undefined && compareQuantities(str(value), '0') < 0
        ? [cause.forbidden(path, 'SizeLimit field must be a valid resource quantity')]
        : [],
  },
  [`${core}SecretVolumeSource`]: { secretName: required(), defaultMode: mode, items: keysAt },
  [`${core}ConfigMapVolumeSource`]: { name: required(), defaultMode: mode, items: keysAt },
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
  [`${core}PersistentVolumeClaimVolumeSource`]: { claimName: required() },
  [`${core}DownwardAPIVolumeSource`]: { defaultMode: mode, items: downwardItems },
  [`${core}NFSVolumeSource`]: {
    server: required(),
    path: (value, path) => {
      const given = str(value);
      return [
        ...(given === '' ? [cause.required(path)] : []),
        ...(given.startsWith('/') ? [] : [cause.invalid(path, given, 'must be an absolute path')]),
      ];
    },
  },
  [`${core}ISCSIVolumeSource`]: { targetPortal: required(), iqn: required() },
  [`${core}GlusterfsVolumeSource`]: { endpoints: required(), path: required() },
  [`${core}RBDVolumeSource`]: { monitors: required(), image: required() },
  [`${core}CephFSVolumeSource`]: { monitors: required() },
  [`${core}FlexVolumeSource`]: { driver: required() },
  [`${core}AzureFileVolumeSource`]: { secretName: required(), shareName: required() },
  [`${core}CSIVolumeSource`]: { driver: driverName },
  [`${core}EphemeralVolumeSource`]: { volumeClaimTemplate: required() },
  [`${core}ImageVolumeSource`]: {
    reference: (value, path, _owner, { root }) =>
      empty(value) && root.kind === 'Pod' ? [cause.required(path)] : [],
    pullPolicy: oneOf(['Always', 'IfNotPresent', 'Never'], true),
  },
  [`${core}ProjectedVolumeSource`]: { defaultMode: mode, sources },
};
