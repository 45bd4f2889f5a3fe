import { compareQuantities } from '../../quantity.ts';
import { type Cause, cause } from '../../status.ts';
import { at, isRec, recs, str, strings } from '../../values.ts';
import { keyProblem, subdomainProblem } from '../names.ts';
import {
  amount,
  type Check,
  empty,
  oneOf,
  required,
  requiredText,
  type RuleSet,
  type Rules,
  subdomain,
  text,
} from './rule.ts';

const core = 'io.k8s.api.core.v1.';
const storage = 'io.k8s.api.storage.v1.';
const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

const accessModes =
  (why: string): Check =>
  (value, path) => {
    const given: unknown[] = Array.isArray(value) ? value : [];
    if (given.length === 0) return [cause.required(path, why)];
    const causes = given
      .filter((mode) => !modes.includes(str(mode)))
      .map((mode) => cause.notSupported(path, mode, modes));
    if (given.length > 1 && given.includes('ReadWriteOncePod')) {
      causes.push(cause.forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
    }
    return causes;
  };

/** An amount of storage: there, and more than none. */
function capacity(quantity: unknown, path: string): Cause[] {
  const given = str(quantity);
  return compareQuantities(given, '0') <= 0
    ? [...amount('storage', given, path), cause.invalid(path, given, 'must be greater than zero')]
    : [];
}

const claim: Rules = {
  accessModes: accessModes('at least 1 access mode is required'),
  selector: () => [],
  resources: (value, path) => {
    const wanted = at(value, 'requests', 'storage');
    return wanted === undefined ? [cause.required(`${path}[storage]`)] : capacity(wanted, `${path}[storage]`);
  },
  storageClassName: text(subdomainProblem),
  volumeMode: oneOf(['Block', 'Filesystem']),
  dataSource: (value, path) => {
    if (!isRec(value)) return [];
    const causes: Cause[] = [];
    if (empty(value['name'])) causes.push(cause.required(`${path}.name`));
    if (empty(value['kind'])) causes.push(cause.required(`${path}.kind`));
    return causes;
  },
};

/** Fields of a volume that say nothing about what it is made of. */
const about = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

const made: Check = (value, path) => {
  if (!isRec(value)) return [];
  const [first, ...more] = Object.keys(value).filter((field) => !about.has(field));
  if (first === undefined) return [cause.required(path, 'must specify a volume type')];
  return more.map((field) => cause.forbidden(`${path}.${field}`, 'may not specify more than 1 volume type'));
};

/** Rules of volumes, claims, and how they are made. */
export const storageRules: RuleSet = {
  [`${core}PersistentVolumeClaimSpec`]: claim,
  [`${core}PersistentVolumeSpec`]: {
    accessModes: accessModes(''),
    capacity: (value, path) => {
      const given = strings(value);
      if (empty(value)) return [cause.required(path)];
      if (given['storage'] === undefined || Object.keys(given).length > 1) {
        return [cause.notSupported(path, given, ['storage'])];
      }
      return capacity(given['storage'], `${path}[storage]`);
    },
    persistentVolumeReclaimPolicy: oneOf(['Delete', 'Recycle', 'Retain']),
    '*': made,
    hostPath: (value, path, owner) =>
      at(value, 'path') === '/' && owner['persistentVolumeReclaimPolicy'] === 'Recycle'
        ? [
            cause.forbidden(
              `${path.replace(/hostPath$/, '')}persistentVolumeReclaimPolicy`,
              "may not be 'recycle' for a hostPath mount of '/'",
            ),
          ]
        : [],
    local: (value, path, owner) =>
      value !== undefined && owner['nodeAffinity'] === undefined
        ? [cause.required(`${path.replace(/local$/, '')}nodeAffinity`, 'Local volume requires node affinity')]
        : [],
    storageClassName: subdomain,
    volumeMode: oneOf(['Block', 'Filesystem']),
  },
  [`${core}CSIPersistentVolumeSource`]: { driver: required(), volumeHandle: required() },
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
      const named = at(value, 'persistentVolumeName') !== undefined;
      if (inline && named) {
        return [cause.forbidden(path, 'only one of persistentVolumeName or inlineVolumeSpec is permitted')];
      }
      return inline || named
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
        const known = seen.has(name);
        seen.add(name);
        if (name === '') return [cause.required(`${path}[${index}].name`)];
        return known ? [cause.duplicate(`${path}[${index}].name`, name)] : [];
      });
    },
  },
  [`${storage}VolumeAttributesClass`]: {
    driverName: requiredText((value) => keyProblem(value.toLowerCase())),
  },
};
