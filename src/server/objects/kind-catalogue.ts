import { customKind, genericKind } from '../../../commands/kinds/custom.ts';
import { kindById, kindOfObject, kindOfResource } from '../../../commands/kinds/index.ts';
import { Problem } from '../../contract/problem.ts';
import {
  type ApiService,
  type CustomResourceDefinition,
  isElsewhere,
  silentServer,
} from '../../kube/custom.ts';
import { collectionPath } from '../../kube/change.ts';
import { cleanText } from '../../kube/text.ts';
import { builtInOf, builtInOfObject, isBuiltInGroup, type Resource } from '../../registry/kinds/builtin.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { isKindWord, type KindName, parseKindName } from '../../registry/kinds/resource-key.ts';
import { tableForm } from '../clusters/table-transport.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../clusters/transport.ts';
import { isPlain } from './read.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Clock } from '../kit/clock.ts';

type ClusterIdentity = Pick<ClusterRow, 'id' | 'name'>;

/** Finds kinds by the names that calls use. */
export interface KindCatalogue {
  /**
   * The kind with this id, or of this name (see `parseKindName`). A resource without a file is looked up on the
   * cluster: authorise the person for the cluster first. Throws Problem 404 for what neither console nor cluster
   * knows, ClusterProblem when the cluster cannot be asked.
   */
  find(cluster: ClusterIdentity, name: string): Promise<AnyKind>;
  /** The same, without believing what was found before. */
  refresh(cluster: ClusterIdentity, name: string): Promise<AnyKind>;
}

/** A cluster's answer about a resource is cached this long, ms. */
const believedMs = 60_000;
const maxRemembered = 2_000;
/** Namespaces that are asked for the columns of a resource, at most. */
const tableNamespaces = 5;

type ServedResource = Pick<Resource, 'plural' | 'kind' | 'scope'>;

interface ApiResource {
  name?: string;
  kind?: string;
  namespaced?: boolean;
}

/** The way to the clusters. */
export interface CatalogueClusters {
  transport(clusterId: number): Promise<Transport>;
  /** The namespaces to read one by one where the credential may not list the whole cluster. Throws Problem. */
  namespaces?(clusterId: number): Promise<readonly string[]>;
}

/** The catalogue of the kinds of clusters. */
export function createKindCatalogue(clusters: CatalogueClusters, clock: Clock): KindCatalogue {
  const remembered = new Map<string, { readonly kind: AnyKind; readonly until: number }>();

  async function ofCluster(
    cluster: ClusterIdentity,
    text: string,
    name: KindName,
    isAnew: boolean,
  ): Promise<AnyKind> {
    const transport = await clusters.transport(cluster.id);
    const key = `${transport.credential} ${text}`;
    const known = remembered.get(key);
    if (!isAnew && known !== undefined && known.until > clock.now()) return known.kind;
    remembered.delete(key);
    const namespaces = async () => (await clusters.namespaces?.(cluster.id)) ?? [];
    const kind = await readKind({ transport, cluster: cluster.name, namespaces }, name);
    // It may have been found by its other names as well.
    if (isAnew) forget(transport.credential, kind);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, { kind, until: clock.now() + believedMs });
    return kind;
  }

  function forget(credential: string, { group, plural }: AnyKind): void {
    for (const [key, { kind }] of remembered) {
      if (kind.group === group && kind.plural === plural && key.startsWith(`${credential} `))
        remembered.delete(key);
    }
  }

  async function find(cluster: ClusterIdentity, text: string, isAnew: boolean): Promise<AnyKind> {
    const declared = kindById(text);
    if (declared !== undefined) return declared;
    const name = parseKindName(text);
    if (name === undefined) {
      throw new Problem({ status: 404, title: 'This console does not know that kind of resource.' });
    }
    return knownKind(name) ?? (await ofCluster(cluster, text, name, isAnew));
  }

  return {
    find: (cluster, text) => find(cluster, text, false),
    refresh: (cluster, text) => find(cluster, text, true),
  };
}

/**
 * Kinds that are known without asking a cluster: those with a file, and built-in ones that permissions name. Those in
 * another version need one: otherwise each version would be a list of its own that the cluster may not even have.
 */
function knownKind({ group, version, word }: KindName): AnyKind | undefined {
  if (isKindWord(word)) {
    const declared = kindOfObject(`${group}/`, word);
    if (declared !== undefined) return declared;
    const found = builtInOfObject(group, word);
    return found === undefined ? undefined : knownKind({ group, version, word: found.plural });
  }
  const declared = kindOfResource({ group, plural: word });
  if (declared !== undefined) return declared;
  const builtIn = builtInOf({ group, plural: word });
  if (builtIn === undefined) return undefined;
  return version === undefined || version === builtIn.resource.version ? genericKind(builtIn) : undefined;
}

/** Where a kind is read from. */
interface KindSource {
  readonly transport: Transport;
  /** Name of the cluster. */
  readonly cluster: string;
  readonly namespaces: () => Promise<readonly string[]>;
}

/** The kind of a resource as its cluster has it. */
async function readKind(from: KindSource, name: KindName): Promise<AnyKind> {
  const { transport, cluster } = from;
  const { group, version, word } = name;
  const builtIn = isKindWord(word) ? undefined : builtInOf({ group, plural: word });
  const custom = isKindWord(word) || builtIn !== undefined ? undefined : await readCustom(transport, name);
  if (custom !== undefined) return custom;
  const { resource, hasStatus, ...served } = await readServed(transport, cluster, name);
  if (!isKindWord(word)) {
    const permissions = builtIn?.permissions ?? { view: 'owner', manage: 'owner' };
    const found = { ...served, ...resource };
    return genericKind({
      resource: found,
      permissions,
      ...(builtIn === undefined ? { tableColumns: await readTableColumns(from, found) } : {}),
      ...(hasStatus ? { status: {} } : {}),
    });
  }
  const plural = { group, version, word: resource.plural };
  return knownKind(plural) ?? (await readKind(from, plural));
}

/** The columns of the server's Table of a resource; none where it has no Table or may not be listed. Throws ClusterProblem. */
async function readTableColumns(
  { transport, namespaces }: KindSource,
  resource: Resource,
): Promise<readonly unknown[]> {
  const read = async (namespace: string | undefined) => {
    const path = collectionPath(resource, namespace);
    const query = { limit: 1, includeObject: 'None' };
    const answer = await readIfAny<unknown>(transport, path, { accept: tableForm, query });
    const columns: unknown = isPlain(answer) ? answer['columnDefinitions'] : undefined;
    return answer === 'denied' ? undefined : Array.isArray(columns) ? columns : [];
  };
  const whole = await read(undefined);
  if (whole !== undefined || resource.scope === 'Cluster') return whole ?? [];
  for (const namespace of (await namespaces()).slice(0, tableNamespaces)) {
    const columns = await read(namespace);
    if (columns !== undefined) return columns;
  }
  return [];
}

/** Asks for something that may not be there, or not for this credential. */
async function readIfAny<T>(
  transport: Transport,
  path: string,
  form: Pick<KubeRequest, 'accept' | 'query'> = {},
): Promise<T | 'absent' | 'denied'> {
  try {
    return await transport.json<T>({ path, ...form });
  } catch (error) {
    const status = error instanceof ClusterProblem ? error.upstream.status : undefined;
    // Some resources, such as bindings, are created alone.
    if (status === 404 || status === 405) return 'absent';
    if (status === 403) return 'denied';
    throw error;
  }
}

/**
 * The kind of a custom resource; undefined for what is none, or cannot be shown to be one. An API that another server
 * answers for is none, even if a definition claims its name.
 */
async function readCustom(transport: Transport, name: KindName): Promise<AnyKind | undefined> {
  const { group, version, word: plural } = name;
  if (isBuiltInGroup(group)) return undefined;
  const definition = await readIfAny<CustomResourceDefinition>(
    transport,
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(`${plural}.${group}`)}`,
  );
  if (typeof definition !== 'object') return undefined;
  const kind = customKind(definition, version);
  if (kind === undefined || kind.group !== group || kind.plural !== plural) return undefined;
  const service = await readIfAny<ApiService>(
    transport,
    `/apis/apiregistration.k8s.io/v1/apiservices/${encodeURIComponent(`${kind.version}.${group}`)}`,
  );
  if (service === 'denied') return undefined;
  return typeof service === 'object' && isElsewhere(service) ? undefined : kind;
}

/** Asks for something of the directory; undefined where it is not there. */
type Ask = <T>(path: string) => Promise<T | undefined>;

/**
 * A resource in the first of these versions that has it; undefined where none has. Throws Problem 502 where a version whose
 * own server does not answer may have it.
 */
async function findServed(
  ask: Ask,
  {
    group,
    versions,
    word,
  }: { readonly group: string; readonly versions: readonly string[]; readonly word: string },
  cluster: string,
) {
  let silent: string | undefined;
  for (const version of versions) {
    const isName = (one: string) => parseKindName(`${group || 'core'}~${version}~${one}`) !== undefined;
    if (!isName(word)) continue;
    try {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const list = (await ask<{ resources?: ApiResource[] }>(path))?.resources ?? [];
      // Subresources stand in the same directory, as `pods/status`.
      const resource = list.find(
        ({ name = '', kind }) => !name.includes('/') && (isKindWord(word) ? kind : name) === word,
      );
      if (typeof resource?.kind === 'string' && isName(resource.name ?? ''))
        return { version, list, resource };
    } catch (error) {
      if (!(error instanceof ClusterProblem) || error.upstream.status !== 503 || group === '') throw error;
      silent ??= version;
    }
  }
  if (silent === undefined) return undefined;
  throw new Problem({
    status: 502,
    title: silentServer(cluster, group, silent),
    retryable: true,
    where: { source: 'cluster', cluster },
  });
}

/** The versions of a group, the one that the cluster prefers first: it need not have every resource. */
async function versionsOf(ask: Ask, group: string): Promise<readonly string[]> {
  if (group === '') return ['v1'];
  interface Version {
    readonly version?: string;
  }
  const found = await ask<{ preferredVersion?: Version; versions?: Version[] }>(`/apis/${group}`);
  const all = [found?.preferredVersion, ...(found?.versions ?? [])];
  return [...new Set(all.flatMap((one) => one?.version ?? []))];
}

/** A resource of which only the API's own directory tells: for Owners. Throws Problem 403, 404, 502. */
async function readServed(
  transport: Transport,
  cluster: string,
  { group, version: wanted, word }: KindName,
): Promise<{
  readonly group: string;
  readonly version: string;
  readonly resource: ServedResource;
  readonly hasStatus: boolean;
}> {
  const ask = async <T>(path: string): Promise<T | undefined> => {
    const answer = await readIfAny<T>(transport, path);
    if (answer === 'denied') {
      throw new Problem({
        status: 403,
        title: `The console's credential may not ask ${cluster} which resources it serves.`,
        where: { source: 'cluster', cluster },
      });
    }
    return answer === 'absent' ? undefined : answer;
  };
  const absent = () =>
    new Problem({
      status: 404,
      title: `${cluster} does not serve ${group === '' ? word : `${word}.${group}`}${wanted === undefined ? '' : ` in version ${wanted}`}.`,
    });
  const versions = wanted === undefined ? await versionsOf(ask, group) : [wanted];
  const found = await findServed(ask, { group, versions, word }, cluster);
  if (found === undefined) throw absent();
  const { version, list, resource } = found;
  const { name: plural = '', kind = '' } = resource;
  return {
    group,
    version,
    hasStatus: list.some(({ name }) => name === `${plural}/status`),
    resource: {
      plural,
      kind: cleanText(kind).slice(0, 63),
      scope: resource.namespaced === false ? 'Cluster' : 'Namespaced',
    },
  };
}
