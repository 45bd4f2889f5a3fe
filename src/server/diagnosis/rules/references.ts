import type { KubeObject } from '../../../kube/object.ts';
import { groupOf, type NamedObject } from '../../../registry/kinds/refs.ts';
import { namespaceOf, type World } from '../world.ts';

/** A part of an object that names another one. */
interface Reference {
  readonly path: string;
  readonly named: NamedObject;
}

/** API versions of kinds that others refer to without a group. */
const knownVersions: Readonly<Record<string, string>> = {
  Secret: 'v1',
  ConfigMap: 'v1',
  ServiceAccount: 'v1',
  Service: 'v1',
  GitRepository: 'source.toolkit.fluxcd.io/v1',
  OCIRepository: 'source.toolkit.fluxcd.io/v1',
  HelmRepository: 'source.toolkit.fluxcd.io/v1',
  HelmChart: 'source.toolkit.fluxcd.io/v1',
  Bucket: 'source.toolkit.fluxcd.io/v1',
};

/** Members that name an object by their own name, with its kind; others need a kind beside the name. */
const memberKinds: readonly (readonly [RegExp, string])[] = [
  [/secret(?:key)?ref$/i, 'Secret'],
  [/configmap(?:key)?ref$/i, 'ConfigMap'],
  [/^authenticationRef$/, 'TriggerAuthentication'],
  [/^secretStoreRef$/, 'SecretStore'],
];

/** Members of a spec that name an object of their own group by its name alone, by the group. */
const namedMembers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'velero.io': { storageLocation: 'BackupStorageLocation', backupName: 'Backup', scheduleName: 'Schedule' },
  'argoproj.io': { project: 'AppProject' },
};

/** The references of an object by plain names. */
function plainReferences(object: KubeObject): Reference[] {
  const { apiVersion = 'v1', spec } = object as KubeObject & {
    readonly spec?: Readonly<Record<string, unknown>>;
  };
  const home = namespaceOf(object);
  return Object.entries(namedMembers[groupOf(apiVersion)] ?? {}).flatMap(([member, kind]) => {
    const name = spec?.[member];
    if (typeof name !== 'string' || name === '') return [];
    return [
      {
        path: `spec.${member}`,
        named: { apiVersion, kind, ...(home === '' ? {} : { namespace: home }), name },
      },
    ];
  });
}

/** Members whose objects the controller makes itself. */
const madeMembers = /^(?:privateKeySecretRef|writeConnectionSecretToRef|publishConnectionDetailsTo)$/;

/** Kinds of Kubernetes whose objects have a namespace. */
const ofNamespaces = /^(?:Secret|ConfigMap|ServiceAccount|Service|Pod|PersistentVolumeClaim)$/;

/** Levels of a spec that are searched, references of one object, and places that are none. */
const depthLimit = 8;
const referenceLimit = 20;

/** The objects that a custom object refers to in its spec, by members such as `sourceRef` and `secretRef`. */
export function referencesOf(object: KubeObject): readonly Reference[] {
  const found = plainReferences(object);
  const home = namespaceOf(object);
  // Of objects of the cluster nobody knows where the Secrets that they name are, unless they say so.
  const isPlaced = (kind: string, place: unknown) =>
    home !== '' || typeof place === 'string' || !ofNamespaces.test(kind);
  const search = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > depthLimit || found.length >= referenceLimit)
      return;
    for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
      const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      if (typeof inner !== 'object' || inner === null) continue;
      if (madeMembers.test(key)) continue;
      if (key.endsWith('Ref') && !Array.isArray(inner)) {
        const { name, namespace, kind, apiVersion, group } = inner as Readonly<Record<string, unknown>>;
        const label = typeof kind === 'string' ? kind : memberKinds.find(([member]) => member.test(key))?.[1];
        if (typeof name === 'string' && name !== '' && label !== undefined) {
          const ownGroup = groupOf(object.apiVersion ?? 'v1');
          const version =
            typeof apiVersion === 'string'
              ? apiVersion
              : typeof group === 'string' && group !== '' && group !== ownGroup
                ? `${group}/v1`
                : (knownVersions[label] ?? object.apiVersion ?? 'v1');
          const place = typeof namespace === 'string' ? namespace : label.startsWith('Cluster') ? '' : home;
          if (!isPlaced(label, namespace)) continue;
          found.push({
            path: at,
            named: {
              apiVersion: version,
              kind: label,
              ...(place === '' ? {} : { namespace: place }),
              name,
            },
          });
          continue;
        }
      }
      search(inner, at, depth + 1);
    }
  };
  search((object as { readonly spec?: unknown }).spec, 'spec', 0);
  return found;
}

/** The object that a reference names, without a namespace where its kind has none. */
export function targetOf({ named }: Reference, world: World): NamedObject {
  const { namespace: _, ...rest } = named;
  return world.kindOf(named)?.scope === 'Cluster' ? rest : named;
}
