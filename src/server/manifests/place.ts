import { Problem } from '../../contract/problem.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { ManifestObject } from './objects.ts';

/** Where an object goes. */
export interface Placed {
  /** In the version that the object names. */
  readonly kind: AnyKind;
  /** Undefined for objects of the cluster. */
  readonly namespace: string | undefined;
}

/** Where it is looked for. */
export interface PlaceParts {
  readonly kinds: KindCatalogue;
  readonly cluster: Pick<ClusterRow, 'id' | 'name'>;
  readonly transport: Pick<Transport, 'namespace'>;
}

const versionName = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const kindWord = /^[A-Z][-A-Za-z0-9]*$/;

/**
 * Finds the kind of an object on a cluster, and the namespace it goes to: where it says none that of the kubeconfig's
 * context, else `default`, as kubectl has it.
 * Throws Problem 400 or 404 for what the cluster does not serve, ClusterProblem when it cannot be asked.
 */
export async function resolvePlace(
  { kinds, cluster, transport }: PlaceParts,
  { apiVersion, kind: word, namespace }: Pick<ManifestObject, 'apiVersion' | 'kind' | 'namespace'>,
): Promise<Placed> {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/', 2) : ['', apiVersion];
  if (!versionName.test(version) || apiVersion.split('/').length > 2) {
    throw new Problem({ status: 400, title: `"${abbreviate(apiVersion)}" is not an apiVersion.` });
  }
  if (!kindWord.test(word)) {
    throw new Problem({
      status: 400,
      title: `"${abbreviate(word)}" is not a kind: kinds begin with a capital letter, as in Deployment.`,
    });
  }
  const found = await kinds.find(cluster, `${group === '' ? 'core' : group}~${version}~${word}`);
  const kind = found.version === version ? found : { ...found, version };
  if (kind.scope === 'Cluster') return { kind, namespace: undefined };
  return { kind, namespace: namespace ?? transport.namespace ?? 'default' };
}

const abbreviate = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** The part of an object that the audit stores: never its content. */
export function auditedObjects(
  objects: readonly ManifestObject[],
): Readonly<Record<string, string | number | null>> {
  const all = (values: readonly (string | undefined)[]) =>
    [...new Set(values.filter((value) => value !== undefined && value !== ''))].join(', ').slice(0, 8_000);
  return {
    kind: all(objects.map(({ kind }) => kind)),
    namespace: all(objects.map(({ namespace }) => namespace)) || null,
    names: all(objects.map(({ name, generateName }) => name ?? (generateName && `${generateName}*`))),
    objects: objects.length,
  };
}
