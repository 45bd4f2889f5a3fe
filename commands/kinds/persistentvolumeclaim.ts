import { Problem } from '../../src/contract/problem.ts';
import { epochSeconds } from '../../src/kube/age.ts';
import { objectPath, patchTypes } from '../../src/kube/change.ts';
import { kubectlObject } from '../../src/kube/kubectl.ts';
import { lastEdit } from '../../src/kube/last-change.ts';
import { parseQuantity } from '../../src/kube/quantity.ts';
import type { PersistentVolumeClaim } from '../../src/kube/storage.ts';
import { condition } from '../../src/kube/workload-status.ts';
import type { Attention } from '../../src/registry/kinds/attention.ts';
import { type Around, defineKind } from '../../src/registry/kinds/kind.ts';
import { kindAction } from '../../src/registry/kinds/kind-action.ts';
import { accessColumn, classColumn } from './parts/storage-columns.ts';
import { warningOf } from './parts/warnings.ts';

/** Time that a claim may wait for a volume, seconds. */
const patience = 60;

const requestedText = ({ spec }: PersistentVolumeClaim) => spec?.resources?.requests?.['storage'];
const requested = (object: PersistentVolumeClaim) => parseQuantity(requestedText(object)) ?? null;
const capacity = ({ status }: PersistentVolumeClaim) => parseQuantity(status?.capacity?.['storage']) ?? null;

/** Whether the volume, or its file system, is being expanded. */
const resizing = ({ status }: PersistentVolumeClaim) =>
  ['FileSystemResizePending', 'Resizing', 'ControllerResizeError', 'NodeResizeError']
    .map((type) => condition(status?.conditions, type))
    .find((one) => one?.status === 'True');

/** Annotations that a claim gets when its volume is being provisioned or a node was selected. */
const provisioningAnnotations = [
  'volume.kubernetes.io/storage-provisioner',
  'volume.kubernetes.io/selected-node',
];

/**
 * Whether a claim waits for its first pod because of its class (WaitForFirstConsumer). A class that does not wait sets
 * the provisioner annotation at once, so a claim without annotations has not begun.
 */
const waitsForPod = ({ metadata, spec, status }: PersistentVolumeClaim): boolean =>
  status?.phase === 'Pending' &&
  spec?.storageClassName !== undefined &&
  spec.storageClassName !== '' &&
  spec.volumeName === undefined &&
  provisioningAnnotations.every((name) => metadata?.annotations?.[name] === undefined);

function attention(object: PersistentVolumeClaim, around?: Around): Attention | undefined {
  const { status, spec, metadata } = object;
  // Also one that is being deleted: the pods that mount it hold it.
  if (status?.phase === 'Lost') {
    return {
      rule: 'persistentvolumeclaim.lost',
      tone: 'bad',
      isHard: true,
      title: 'The volume of this claim is gone, and what was stored there with it.',
      fields: ['status.phase', 'spec.volumeName'],
      detail: `It was bound to ${spec?.volumeName ?? 'a volume'}, which no longer exists.`,
    };
  }
  if (status?.phase !== 'Pending' || metadata?.deletionTimestamp !== undefined) return undefined;
  const warning = warningOf(around, 'ProvisioningFailed', 'FailedBinding');
  if (warning === undefined && waitsForPod(object)) return undefined;
  const created = epochSeconds(metadata?.creationTimestamp);
  const className = spec?.storageClassName;
  return {
    rule: 'persistentvolumeclaim.pending',
    tone: 'warn',
    title: 'No volume is bound to this claim: pods that mount it cannot start.',
    ...(className === undefined || className === ''
      ? {}
      : { sharedCause: { title: `The storage class ${className} gives no volume.`, isInNamespace: false } }),
    detail:
      warning ??
      (className === undefined || className === ''
        ? 'It names no storage class: a volume has to be made for it by hand, or the cluster needs a default class.'
        : `Its storage class is ${className}.`),
    ...(created === null ? {} : { since: created, notBefore: created + patience }),
  };
}

const quantity = String.raw`^\d+(\.\d+)?(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?$`;

const expand = kindAction<
  PersistentVolumeClaim,
  { size: { type: 'text'; label: string; pattern: string; help: string; from: string } }
>({
  id: 'persistentvolumeclaim.expand',
  title: 'Expand…',
  description: 'Asks for more room: a volume can grow, never shrink.',
  done: 'asked to grow',
  icon: 'scale',
  endsPods: false,
  prominent: true,
  args: {
    size: {
      type: 'text',
      label: 'Size',
      pattern: quantity,
      help: 'A size such as 20Gi, more than it has now.',
      from: 'requested',
    },
  },
  enabled: ({ facts }) =>
    facts['isBound'] === true ? true : 'Only a claim with a volume can grow: no volume is bound to it yet.',
  requests: (object, { size }, { address }) => {
    const [wanted, has] = [parseQuantity(size) ?? 0, requested(object) ?? 0];
    if (wanted <= has) {
      throw new Problem({
        status: 422,
        title: `${address.name} asks for ${requestedText(object) ?? '0'} already, and a volume cannot shrink: give a larger size.`,
      });
    }
    return [
      {
        method: 'PATCH',
        path: objectPath(address),
        contentType: patchTypes.merge,
        body: { spec: { resources: { requests: { storage: size } } } },
      },
    ];
  },
  kubectl: (address, { size }) =>
    `kubectl patch ${kubectlObject(address)} --type=merge -p '{"spec":{"resources":{"requests":{"storage":"${size.replaceAll(/[^\w.]/g, '')}"}}}}'`,
});

export const persistentvolumeclaim = defineKind<PersistentVolumeClaim>({
  id: 'persistentvolumeclaim',
  kind: 'PersistentVolumeClaim',
  group: '',
  version: 'v1',
  plural: 'persistentvolumeclaims',
  scope: 'Namespaced',
  aliases: ['pvc', 'persistentvolumeclaims'],
  title: 'PersistentVolumeClaims',
  icon: 'claim',
  asksForName: true,
  deletionReaches: 'volume',
  permissions: { view: 'persistentvolumeclaims.view', manage: 'persistentvolumeclaims.manage' },
  paths: {
    list: '/clusters/:clusterId/persistentvolumeclaims',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/persistentvolumeclaims/:pvcName'],
  },
  sidebar: { section: 'Persistent Volumes', order: 20, keys: 'g v' },
  statuses: [{ label: 'Pending' }, { label: 'Lost' }],
  status: (object) => {
    const { status } = object;
    if (status?.phase === 'Lost') return { tone: 'bad', label: 'Lost' };
    if (waitsForPod(object)) return { tone: 'idle', label: 'Waits for a pod' };
    if (status?.phase === 'Pending') return { tone: 'warn', label: 'Pending' };
    const resize = resizing(object);
    if (resize !== undefined)
      return {
        tone: resize.type.endsWith('Error') ? 'warn' : 'info',
        label: resize.type.endsWith('Error') ? 'Resize failed' : 'Resizing',
      };
    return status?.phase === 'Bound'
      ? { tone: 'ok', label: 'Bound' }
      : { tone: 'warn', label: status?.phase ?? 'Unknown' };
  },
  attention,
  around: ['warnings'],
  rules: ['persistentvolumeclaim.lost', 'persistentvolumeclaim.pending'],
  changed: lastEdit,
  columns: [
    'namespace',
    'name',
    'status',
    { id: 'capacity', label: 'Capacity', format: 'bytes', dropAt: 2, value: capacity },
    { id: 'requested', label: 'Asked for', format: 'bytes', wide: true, dropAt: 6, value: requested },
    classColumn,
    accessColumn(({ spec, status }) => status?.accessModes ?? spec?.accessModes),
    {
      id: 'volume',
      label: 'Volume',
      format: 'text',
      links: { to: 'named', kind: 'persistentvolume' },
      dropAt: 4,
      value: ({ spec }) => spec?.volumeName ?? null,
    },
    {
      id: 'mode',
      label: 'Mode',
      format: 'text',
      wide: true,
      dropAt: 7,
      value: ({ spec }) => spec?.volumeMode ?? 'Filesystem',
    },
    'labels',
    'age',
  ],
  facts: (object) => ({
    isBound: object.status?.phase === 'Bound',
    requested: requestedText(object) ?? null,
    class: object.spec?.storageClassName ?? null,
  }),
  refs: ({ spec }) => [
    ...(spec?.volumeName === undefined
      ? []
      : [{ relation: 'uses' as const, apiVersion: 'v1', kind: 'PersistentVolume', name: spec.volumeName }]),
    ...(spec?.storageClassName === undefined || spec.storageClassName === ''
      ? []
      : [
          {
            relation: 'uses' as const,
            apiVersion: 'storage.k8s.io/v1',
            kind: 'StorageClass',
            name: spec.storageClassName,
            // A bound claim no longer needs its class, and the class of manually created volumes is only a label.
            ...(spec.volumeName === undefined ? {} : { absence: 'usual' as const }),
          },
        ]),
  ],
  usedBy: ['pod'],
  sections: [
    {
      title: 'Spec',
      fields: [
        { label: 'Asked for', format: 'bytes', value: requested },
        { label: 'Capacity', format: 'bytes', value: capacity },
        { label: 'Access modes', format: 'list', value: ({ spec }) => spec?.accessModes ?? null },
        {
          label: 'Storage class',
          format: 'text',
          value: ({ spec }) => spec?.storageClassName || null,
          links: { to: 'named', kind: 'storageclass' },
        },
        { label: 'Volume mode', format: 'text', value: ({ spec }) => spec?.volumeMode ?? 'Filesystem' },
        {
          label: 'Volume',
          format: 'mono',
          value: ({ spec }) => spec?.volumeName ?? null,
          links: { to: 'named', kind: 'persistentvolume' },
        },
      ],
    },
    'conditions',
    'used-by',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
  actions: [expand],
});
