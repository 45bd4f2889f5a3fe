import { customKind, genericKind } from '../../../commands/kinds/custom.ts';
import { kindById, kindOfResource } from '../../../commands/kinds/index.ts';
import { Problem } from '../../contract/problem.ts';
import type { CustomResourceDefinition } from '../../kube/custom.ts';
import { builtInOf, isBuiltInGroup } from '../../registry/builtin.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { formatResourceKey, parseResourceKey, type ResourceName } from '../../registry/resource-key.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import type { ClusterRow } from '../store/schema.ts';

/** Finds kinds by the names that calls use. */
export interface KindCatalogue {
  /**
   * The kind with this id, or of this resource key (`group~version~plural`). A resource without a file is looked up on
   * the cluster: authorise the person for the cluster first. Throws Problem 404 for what neither console nor cluster
   * knows, ClusterProblem when the cluster cannot be asked.
   */
  find(cluster: Pick<ClusterRow, 'id' | 'name'>, name: string): Promise<AnyKind>;
}

/** What a cluster said of a resource is believed this long, ms. */
const believedMs = 60_000;
const mostRemembered = 2_000;

interface ApiResource {
  name?: string;
  kind?: string;
  namespaced?: boolean;
}

/** @param now wall clock in ms */
export function createKindCatalogue(
  clusters: Pick<ClusterDirectory, 'transport'>,
  now: () => number,
): KindCatalogue {
  const remembered = new Map<string, { readonly kind: AnyKind; readonly until: number }>();

  async function ofCluster(cluster: Pick<ClusterRow, 'id' | 'name'>, name: ResourceName): Promise<AnyKind> {
    const transport = await clusters.transport(cluster.id);
    const key = `${transport.credential} ${formatResourceKey(name)}`;
    const known = remembered.get(key);
    if (known !== undefined && known.until > now()) return known.kind;
    const kind = (await readCustom(transport, name)) ?? (await readServed(transport, cluster.name, name));
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(key, { kind, until: now() + believedMs });
    return kind;
  }

  return {
    async find(cluster, text) {
      const declared = kindById(text);
      if (declared !== undefined) return declared;
      const name = parseResourceKey(text);
      if (name === undefined) {
        throw new Problem({ status: 404, title: 'This console does not know that kind of resource.' });
      }
      const own = kindOfResource(name);
      if (own !== undefined) return own;
      const builtIn = builtInOf(name);
      if (builtIn !== undefined) {
        const { resource, permissions } = builtIn;
        return genericKind({ resource: { ...resource, version: name.version }, permissions });
      }
      return ofCluster(cluster, name);
    },
  };
}

/** Asks for something that may not be there, or not for this credential. */
async function readIfAny<T>(transport: Transport, path: string): Promise<T | 'absent' | 'denied'> {
  try {
    return await transport.json<T>({ path });
  } catch (error) {
    const status = error instanceof ClusterProblem ? error.upstream.status : undefined;
    if (status === 404) return 'absent';
    if (status === 403) return 'denied';
    throw error;
  }
}

/**
 * The kind of a custom resource; undefined for what is none, or cannot be shown to be one. An API that another server
 * answers for is none, even if a definition claims its name.
 */
async function readCustom(transport: Transport, name: ResourceName): Promise<AnyKind | undefined> {
  const { group, version, plural } = name;
  if (isBuiltInGroup(group)) return undefined;
  const definition = await readIfAny<CustomResourceDefinition>(
    transport,
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(`${plural}.${group}`)}`,
  );
  if (typeof definition !== 'object') return undefined;
  const kind = customKind(definition, version);
  if (kind === undefined || kind.group !== group || kind.plural !== plural) return undefined;
  const service = await readIfAny<{ spec?: { service?: unknown } }>(
    transport,
    `/apis/apiregistration.k8s.io/v1/apiservices/${encodeURIComponent(`${version}.${group}`)}`,
  );
  if (service === 'denied') return undefined;
  const isElsewhere = typeof service === 'object' && (service.spec?.service ?? null) !== null;
  return isElsewhere ? undefined : kind;
}

/** Any other resource that the cluster serves: for Owners. */
async function readServed(transport: Transport, cluster: string, name: ResourceName): Promise<AnyKind> {
  const { group, version, plural } = name;
  const list = await readIfAny<{ resources?: ApiResource[] }>(
    transport,
    group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
  );
  if (list === 'denied') {
    throw new Problem({
      status: 403,
      title: `The console's credential may not ask ${cluster} which resources it serves.`,
      where: { source: 'cluster', cluster },
    });
  }
  const found = list === 'absent' ? undefined : list.resources?.find((one) => one.name === plural);
  if (found?.kind === undefined) {
    throw new Problem({
      status: 404,
      title: `${cluster} does not serve ${group === '' ? plural : `${plural}.${group}`} in version ${version}.`,
    });
  }
  return genericKind({
    resource: { ...name, kind: found.kind, scope: found.namespaced === false ? 'Cluster' : 'Namespaced' },
    permissions: { view: 'owner', manage: 'owner' },
  });
}
