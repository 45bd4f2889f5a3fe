import type { Condition, KubeObject } from './object.ts';

/** The parts of core/v1 and storage.k8s.io/v1 about storage that the console reads. */
export interface PersistentVolume extends KubeObject {
  spec?: {
    capacity?: Record<string, string>;
    accessModes?: string[];
    persistentVolumeReclaimPolicy?: string;
    storageClassName?: string;
    volumeMode?: string;
    mountOptions?: string[];
    claimRef?: { namespace?: string; name?: string; uid?: string };
    /** The storage itself: one member, named by the type of storage. */
    [source: string]: unknown;
  };
  status?: { phase?: string; reason?: string; message?: string };
}

export interface PersistentVolumeClaim extends KubeObject {
  spec?: {
    accessModes?: string[];
    storageClassName?: string;
    volumeMode?: string;
    volumeName?: string;
    resources?: { requests?: Record<string, string> };
  };
  status?: {
    phase?: string;
    capacity?: Record<string, string>;
    accessModes?: string[];
    conditions?: Condition[];
  };
}

export interface StorageClass extends KubeObject {
  provisioner?: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowVolumeExpansion?: boolean;
  mountOptions?: string[];
  parameters?: Record<string, string>;
}

export interface VolumeAttachment extends KubeObject {
  spec?: { attacher?: string; nodeName?: string; source?: { persistentVolumeName?: string } };
  status?: {
    attached?: boolean;
    attachError?: { time?: string; message?: string };
    detachError?: { time?: string; message?: string };
  };
}

/** Annotation of the default storage class. */
export const defaultStorageClassAnnotation = 'storageclass.kubernetes.io/is-default-class';

const accessModeAbbreviations: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Abbreviates access modes as kubectl does: `RWO`, `RWX`. */
export const accessModes = (modes: readonly string[] | undefined): string[] =>
  (modes ?? []).map((mode) => accessModeAbbreviations[mode] ?? mode);

/** Fields of a volume's spec that do not describe its storage. */
const sharedVolumeFields = new Set([
  'capacity',
  'accessModes',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeMode',
  'mountOptions',
  'claimRef',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

/** The storage of a volume: its type (`csi`, `hostPath`) and, if known, what identifies it. */
export function volumeSource({
  spec = {},
}: PersistentVolume): { type: string; place: string | null } | undefined {
  const type = Object.keys(spec).find((name) => !sharedVolumeFields.has(name));
  if (type === undefined) return undefined;
  const source = spec[type];
  const read = (name: string) => {
    const value: unknown =
      typeof source === 'object' && source !== null
        ? (source as Readonly<Record<string, unknown>>)[name]
        : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const parts = [read('driver'), read('server'), read('volumeHandle') ?? read('path') ?? read('volumeID')];
  return { type, place: parts.filter((part) => part !== undefined).join(' ') || null };
}
