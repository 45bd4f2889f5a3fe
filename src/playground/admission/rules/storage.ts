import { posix } from 'node:path';
import { compareQuantities, ratioOf } from '../../kit/quantity.ts';
import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, recs, str, strings } from '../../kit/values.ts';
import { keyProblem, subdomainProblem } from '../../kit/names.ts';
import {
  emptyScope,
  type Check,
  empty,
  inside,
  label,
  oneOf,
  required,
  requiredText,
  type RuleSet,
  type Rules,
  subdomain,
  text,
} from './rule.ts';
import { driverName } from './volume.ts';

const core = 'io.k8s.api.core.v1.';
const storage = 'io.k8s.api.storage.v1.';
const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

const accessModes: Check = (value, path) => {
  const given: unknown[] = Array.isArray(value) ? value : [];
  const validModes = given.filter((mode) => modes.includes(str(mode)));
  const causes = given
    .filter((mode) => !validModes.includes(mode))
    .map((mode) => cause.notSupported(path, mode, modes));
  const alone =
    validModes.includes('ReadWriteOncePod') && validModes.some((mode) => mode !== 'ReadWriteOncePod');
  return alone
    ? [...causes, cause.forbidden(path, 'may not use ReadWriteOncePod with other access modes')]
    : causes;
};

/** An amount of storage greater than zero. */
const capacity = (quantity: unknown, path: string): Cause[] =>
  compareQuantities(str(quantity), '0') <= 0
    ? [cause.invalid(path, str(quantity), 'must be greater than zero')]
    : [];

/** `dataSource` of a claim: in the core group, only another claim. */
const dataSource: Check = (value, path) => {
  if (!isRec(value)) return [];
  const [group, kind] = [str(value['apiGroup']), str(value['kind'])];
  const causes: Cause[] = [];
  if (empty(value['name'])) causes.push(cause.required(`${path}.name`));
  if (kind === '') causes.push(cause.required(`${path}.kind`));
  if (group === '' && kind !== 'PersistentVolumeClaim') {
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    causes.push(cause.invalid(path, kind, why));
  }
  return [
    ...causes,
    ...subdomain(group, `${path}.apiGroup`, value, emptyScope),
    ...label(value['namespace'], `${path}.namespace`, value, emptyScope),
  ];
};

/** `dataSource` and `dataSourceRef` must be equal when both are set. */
const oneSource: Check = (value, path) => {
  const [source, reference] = [at(value, 'dataSource'), at(value, 'dataSourceRef')];
  if (!isRec(source) || !isRec(reference)) return [];
  // The server reports a path value without exported fields: {}.
  if (!empty(reference['namespace']))
    return [cause.invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  const equal = ['apiGroup', 'kind', 'name'].every((field) => source[field] === reference[field]);
  return equal ? [] : [cause.invalid(path, {}, 'must match dataSourceRef')];
};

const claim: Rules = {
  '*': (value, path) =>
    empty(at(value, 'accessModes'))
      ? [cause.required(`${path}.accessModes`, 'at least 1 access mode is required')]
      : [],
  selector: () => [],
  accessModes,
  resources: (value, path) => {
    const wanted = at(value, 'requests', 'storage');
    return wanted === undefined ? [cause.required(`${path}[storage]`)] : capacity(wanted, `${path}[storage]`);
  },
  storageClassName: text(subdomainProblem),
  volumeMode: oneOf(['Block', 'Filesystem']),
  dataSource,
  dataSourceRef: dataSource,
  '*sources': oneSource,
  volumeAttributesClassName: text(subdomainProblem),
};

/** Volume types of a persistent volume, in the server's order. */
const kinds =
  'hostPath gcePersistentDisk awsElasticBlockStore glusterfs flocker nfs rbd quobyte cephfs iscsi cinder fc flexVolume azureFile vsphereVolume photonPersistentDisk portworxVolume azureDisk scaleIO local storageos csi'.split(
    ' ',
  );

const volumeType: Check = (value, path) => {
  if (!isRec(value)) return [];
  const [first, ...others] = kinds.filter((kind) => value[kind] !== undefined);
  if (first === undefined) return [cause.required(path, 'must specify a volume type')];
  return others.map((kind) =>
    cause.forbidden(
      `${path}.${kind === 'cephfs' ? 'cephFS' : kind}`,
      'may not specify more than 1 volume type',
    ),
  );
};

/** `capacity` of a volume: storage and nothing else. */
const volumeCapacity: Check = (value, path) => {
  const given = Object.entries(strings(value)).sort(([a], [b]) => (a < b ? -1 : 1));
  const refusedValue = isRec(value) ? Object.fromEntries(given) : null;
  const alone = given.length === 1 && given[0]?.[0] === 'storage';
  return [
    ...(given.length === 0 ? [cause.required(path)] : []),
    ...(alone ? [] : [cause.notSupported(path, refusedValue, ['storage'])]),
    ...given.flatMap(([name, amount]) => [
      ...(compareQuantities(amount, '0') < 0
        ? [
            cause.invalid(
              `${path}[${name}]`,
              Math.floor(ratioOf(amount, '1')),
              'must be a valid resource quantity',
            ),
          ]
        : []),
      ...capacity(amount, `${path}[${name}]`),
    ]),
  ];
};

/** Rules of volumes, claims and storage classes. */
export const storageRules: RuleSet = {
  [`${core}PersistentVolumeClaimSpec`]: claim,
  [`${core}PersistentVolumeSpec`]: {
    accessModes: (value, path, owner, scope) =>
      empty(value) ? [cause.required(path)] : accessModes(value, path, owner, scope),
    capacity: volumeCapacity,
    persistentVolumeReclaimPolicy: oneOf(['Delete', 'Recycle', 'Retain']),
    nodeAffinity: (value, path) =>
      isRec(value) && value['required'] === undefined
        ? [cause.required(`${path}.required`, 'must specify required node constraints')]
        : [],
    ...Object.fromEntries(kinds.map((kind) => [kind, inside])),
    local: (value, path, owner) =>
      value !== undefined && owner['nodeAffinity'] === undefined
        ? [cause.required(`${path.replace(/local$/, '')}nodeAffinity`, 'Local volume requires node affinity')]
        : [],
    '*': volumeType,
    '*recycled': (value, path) => {
      const root = str(at(value, 'hostPath', 'path'));
      const recycled = at(value, 'persistentVolumeReclaimPolicy') === 'Recycle';
      if (!recycled || root === '' || posix.normalize(root) !== '/') return [];
      const why = "may not be 'recycle' for a hostPath mount of '/'";
      return [cause.forbidden(`${path}.persistentVolumeReclaimPolicy`, why)];
    },
    storageClassName: subdomain,
    volumeMode: oneOf(['Block', 'Filesystem']),
    volumeAttributesClassName: (value, path, owner, scope) => {
      if (value === undefined) return [];
      const csi = `${path.slice(0, path.lastIndexOf('.'))}.csi`;
      return [
        ...(value === ''
          ? [cause.required(path, 'an empty string is disallowed')]
          : subdomain(value, path, owner, scope)),
        ...(owner['csi'] === undefined
          ? [cause.required(csi, 'has to be specified when using volumeAttributesClassName')]
          : []),
      ];
    },
  },
  [`${core}CSIPersistentVolumeSource`]: { driver: driverName, volumeHandle: required() },
  [`${core}LocalVolumeSource`]: { path: required() },
  [`${core}ISCSIPersistentVolumeSource`]: { targetPortal: required(), iqn: required() },
  [`${core}RBDPersistentVolumeSource`]: { monitors: required(), image: required() },
  [`${core}CephFSPersistentVolumeSource`]: { monitors: required() },
  [`${core}GlusterfsPersistentVolumeSource`]: { endpoints: required(), path: required() },
  [`${core}FlexPersistentVolumeSource`]: { driver: required() },
  [`${core}AzureFilePersistentVolumeSource`]: { secretName: required(), shareName: required() },
  [`${storage}StorageClass`]: {
    provisioner: requiredText((value) => keyProblem(value.toLowerCase())),
    parameters: (value, path) =>
      Object.keys(strings(value))
        .filter((key) => key === '')
        .map((key) => cause.invalid(path, key, 'field can not be empty.')),
    reclaimPolicy: oneOf(['Delete', 'Retain']),
    volumeBindingMode: oneOf(['Immediate', 'WaitForFirstConsumer'], true),
  },
  [`${storage}VolumeAttachmentSpec`]: {
    attacher: required(),
    source: (value, path) => {
      const inline = at(value, 'inlineVolumeSpec') !== undefined;
      const hasVolumeName = at(value, 'persistentVolumeName') !== undefined;
      if (inline && hasVolumeName) {
        return [cause.forbidden(path, 'only one of persistentVolumeName or inlineVolumeSpec is permitted')];
      }
      return inline || hasVolumeName
        ? []
        : [cause.required(path, 'either persistentVolumeName or inlineVolumeSpec must be specified')];
    },
    nodeName: requiredText(subdomainProblem),
  },
  [`${storage}CSINodeSpec`]: {
    drivers: (value, path) => {
      const seen = new Set<string>();
      return recs(value).flatMap((driver, index) => {
        const name = str(driver['name']);
        const isDuplicate = seen.has(name);
        seen.add(name);
        if (name === '') return [cause.required(`${path}[${index}].name`)];
        return isDuplicate ? [cause.duplicate(`${path}[${index}].name`, name)] : [];
      });
    },
  },
  [`${storage}VolumeAttributesClass`]: {
    driverName: requiredText((value) => keyProblem(value.toLowerCase())),
  },
};
