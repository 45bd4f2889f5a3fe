import { epochSeconds } from '../../src/kube/age.ts';
import type { VolumeAttachment } from '../../src/kube/storage.ts';
import type { Attention } from '../../src/registry/kinds/attention.ts';
import { defineKind, type KindStatus, type RelatedObject } from '../../src/registry/kinds/kind.ts';

const volumeOf = ({ spec }: VolumeAttachment) => spec?.source?.persistentVolumeName ?? null;
const isLeaving = ({ metadata }: VolumeAttachment) => metadata?.deletionTimestamp !== undefined;
const errorOf = (object: VolumeAttachment) =>
  isLeaving(object) ? object.status?.detachError : object.status?.attachError;

function attention(object: VolumeAttachment): Attention | undefined {
  const error = errorOf(object);
  if (error === undefined || (object.status?.attached === true && !isLeaving(object))) return undefined;
  const since = epochSeconds(error.time);
  const [volume, node] = [volumeOf(object) ?? '', object.spec?.nodeName ?? 'its node'];
  return {
    rule: 'volumeattachment.failed',
    tone: 'bad',
    title: isLeaving(object)
      ? `Volume ${volume} cannot be detached from ${node}: no other node can have it.`
      : `Volume ${volume} cannot be attached to ${node}: pods with it do not start there.`,
    ...(error.message === undefined ? {} : { detail: error.message }),
    ...(since === null ? {} : { since }),
  };
}

function status(object: VolumeAttachment): KindStatus {
  if (attention(object) !== undefined)
    return { tone: 'bad', label: isLeaving(object) ? 'Detaching fails' : 'Attaching fails' };
  if (isLeaving(object)) return { tone: 'info', label: 'Detaching' };
  return object.status?.attached === true
    ? { tone: 'ok', label: 'Attached' }
    : { tone: 'info', label: 'Attaching' };
}

function refs(object: VolumeAttachment): readonly RelatedObject[] {
  const [volume, node] = [volumeOf(object), object.spec?.nodeName];
  return [
    ...(volume === null
      ? []
      : [{ relation: 'uses' as const, apiVersion: 'v1', kind: 'PersistentVolume', name: volume }]),
    ...(node === undefined
      ? []
      : [{ relation: 'uses' as const, apiVersion: 'v1', kind: 'Node', name: node }]),
  ];
}

export const volumeattachment = defineKind<VolumeAttachment>({
  id: 'volumeattachment',
  kind: 'VolumeAttachment',
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'volumeattachments',
  scope: 'Cluster',
  aliases: ['va', 'volumeattachments'],
  title: 'VolumeAttachments',
  icon: 'attachment',
  permissions: { view: 'clusters.view', manage: 'owner' },
  sidebar: { section: 'More', order: 50 },
  status,
  attention,
  rules: ['volumeattachment.failed'],
  columns: [
    'name',
    'status',
    {
      id: 'volume',
      label: 'Volume',
      format: 'text',
      dropAt: 1,
      value: volumeOf,
      links: { to: 'named', kind: 'persistentvolume' },
    },
    {
      id: 'node',
      label: 'Node',
      format: 'text',
      links: { to: 'named', kind: 'node' },
      dropAt: 2,
      value: ({ spec }) => spec?.nodeName ?? null,
    },
    {
      id: 'attacher',
      label: 'Attacher',
      format: 'text',
      dropAt: 3,
      value: ({ spec }) => spec?.attacher ?? null,
    },
    'labels',
    'age',
  ],
  refs,
  sections: [
    {
      title: 'Spec',
      fields: [
        {
          label: 'Volume',
          format: 'mono',
          value: volumeOf,
          links: { to: 'named', kind: 'persistentvolume' },
        },
        {
          label: 'Node',
          format: 'mono',
          value: ({ spec }) => spec?.nodeName ?? null,
          links: { to: 'named', kind: 'node' },
        },
        { label: 'Attacher', format: 'mono', value: ({ spec }) => spec?.attacher ?? null },
        { label: 'Error', format: 'message', value: (object) => errorOf(object)?.message ?? null },
      ],
    },
    'related',
    'metadata',
    'events',
    'yaml',
  ],
});
