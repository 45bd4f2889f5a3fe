import { servedKind } from '../../../commands/kinds/custom.ts';
import { kinds } from '../../../commands/kinds/index.ts';
import type { customResourceEndpoints, Definition } from '../../contract/custom-resources.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { collectionPath, objectPath } from '../../kube/change.ts';
import { cleanText } from '../../kube/text.ts';
import { isBuiltInGroup } from '../../registry/builtin.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { canListResource } from '../clusters/credential-rules.ts';
import { metadataTransport } from '../clusters/metadata-transport.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { isNamespaceKind } from '../access/place.ts';
import type { Handlers } from '../http/handlers.ts';
import { discoverDefinitions } from '../objects/discovered.ts';
import { addressOf, namespaceOf } from '../objects/address.ts';
import { presentObject } from '../objects/present.ts';
import { objectIn, pageIn } from '../objects/read.ts';
import { readServedResources } from '../objects/served-resources.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { RouteParts } from './parts.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** `kubectl apply` leaves a copy of a definition in its metadata. */
const pageSize = 100;
/** Definitions that are listed at most. */
const maxDefinitions = 10_000;
/** A cluster's list of definitions is cached this long, ms. */
const believedMs = 10_000;
const megabyte = 1024 * 1024;
const maxPageBytes = 32 * megabyte;

interface Page {
  readonly limit: number;
  readonly continue?: string | undefined;
}

/** Custom resources, straight from the cluster. */
export function customResourceHandlers({
  clusters,
  now,
}: Pick<RouteParts, 'clusters' | 'now'>): Handlers<typeof customResourceEndpoints> {
  /** By credential: what is being read, or was a moment ago. */
  const read = new Map<string, { readonly until: number; readonly found: Promise<readonly Definition[]> }>();

  function definitionsOf(transport: Transport, cluster: string): Promise<readonly Definition[]> {
    const key = `${transport.clusterId} ${transport.credential}`;
    const known = read.get(key);
    if (known !== undefined && known.until > now()) return known.found;
    for (const [one, { until }] of read) if (until <= now()) read.delete(one);
    // Not ended with the caller: others may wait for the same.
    const found = readDefinitions(transport, cluster);
    read.set(key, { until: now() + believedMs, found });
    found.catch(() => read.delete(key));
    return found;
  }

  async function list(
    kind: AnyKind,
    cluster: ClusterRow,
    namespace: string | undefined,
    query: Page,
    signal: AbortSignal,
  ) {
    requireCustom(kind, cluster);
    const transport = await clusters.transport(cluster.id);
    const found = await transport.json<unknown>({
      path: collectionPath(kind, namespace === undefined ? undefined : namespaceOf(kind, namespace)),
      query: { limit: query.limit, continue: query.continue },
      answerLimit: {
        bytes: maxPageBytes,
        sentence: `${query.limit} ${kind.title} of ${cluster.name} take more than ${maxPageBytes / megabyte} MB in one answer. Ask for fewer at a time (limit).`,
      },
      signal,
    });
    const { items, next } = pageIn(found, kind.title, cluster.name);
    return {
      items: items.map((item) => presentObject(kind, item)),
      ...(next === undefined ? {} : { continue: next }),
    };
  }

  async function one(
    kind: AnyKind,
    cluster: ClusterRow,
    ref: { readonly namespace?: string; readonly name: string },
    signal: AbortSignal,
  ) {
    requireCustom(kind, cluster);
    const transport = await clusters.transport(cluster.id);
    const address = addressOf(kind, { namespace: ref.namespace, name: ref.name });
    return presentObject(
      kind,
      objectIn(await transport.json<unknown>({ path: objectPath(address), signal }), cluster.name),
    );
  }

  return {
    async definitions({ params }, { cluster, person }) {
      const transport = await clusters.transport(params.clusterId);
      const found = await definitionsOf(transport, cluster.name).catch(async (error: unknown) => {
        const isDenied = error instanceof ClusterProblem && error.upstream.status === 403;
        // Without its definition nobody but an Owner may view a custom resource.
        if (!isDenied || person.orgRole !== orgRoles.Owner) throw error;
        return await discoverDefinitions(transport, await clusters.rules(params.clusterId));
      });
      // By code unit: names are lower-case ASCII, and every replica must agree.
      return found.toSorted((a, b) =>
        a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0,
      );
    },
    async addOns({ params }) {
      const transport = await clusters.transport(params.clusterId);
      const found = kinds.filter(({ addOn }) => addOn !== undefined);
      const [rules, ...served] = await Promise.all([
        clusters.rules(params.clusterId),
        ...found.map((kind) => isServed(transport, kind)),
      ]);
      // What a kind is read from that the cluster does not serve is no matter of rights.
      const isUnreadable = (kind: AnyKind) =>
        rules !== undefined &&
        kind.source === undefined &&
        !isNamespaceKind(kind) &&
        !canListResource(rules, kind);
      return {
        absent: found.filter((_, at) => !served[at]).map(({ id }) => id),
        unreadable: kinds.filter(isUnreadable).map(({ id }) => id),
      };
    },
    customObjects: async ({ query }, { kind, cluster, signal }) =>
      await list(kind, cluster, undefined, query, signal),
    customObjectsIn: async ({ params, query }, { kind, cluster, signal }) =>
      await list(kind, cluster, params.ns, query, signal),
    customObject: async ({ params }, { kind, cluster, signal }) =>
      await one(kind, cluster, { name: params.name }, signal),
    customObjectIn: async ({ params }, { kind, cluster, signal }) =>
      await one(kind, cluster, { namespace: params.ns, name: params.name }, signal),
  };
}

/** Whether a cluster serves a kind, by its directory of the API. Throws Problem where that cannot be asked. */
async function isServed(transport: Transport, { group, version, plural }: AnyKind): Promise<boolean> {
  try {
    const { resources = [] } = await transport.json<{ resources?: readonly { name?: string }[] }>({
      path: `/apis/${group}/${version}`,
    });
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 404) return false;
    throw error;
  }
}

/** Throws Problem 404 for a resource that no definition makes: those have their own calls. */
function requireCustom({ group, plural }: AnyKind, { name }: ClusterRow): void {
  if (!isBuiltInGroup(group)) return;
  throw new Problem({ status: 404, title: `${name} has no definition ${plural}.${group || 'core'}.` });
}

/** The resources that the definitions of a cluster make, from their names and its directory: schemas are not read. */
async function readDefinitions(transport: Transport, cluster: string): Promise<readonly Definition[]> {
  const names = await readNames(metadataTransport(transport, undefined), cluster);
  const served = await readServedResources(transport, names);
  return names.flatMap((name) => {
    const resource = served.get(name);
    const kind = resource && servedKind(resource, resource.shortNames, resource.hasStatus);
    if (kind === undefined) return [];
    return {
      metadata: { name: cleanText(name) },
      spec: {
        group: kind.group,
        scope: kind.scope,
        names: { kind: kind.kind, plural: kind.plural, shortNames: [...(kind.aliases ?? [])] },
      },
    };
  });
}

async function readNames(transport: Transport, cluster: string): Promise<readonly string[]> {
  const names: string[] = [];
  let token: string | undefined;
  let pages = 0;
  do {
    const page = pageIn(
      await transport.json<unknown>({ path, query: { limit: pageSize, continue: token } }),
      'definitions',
      cluster,
    );
    for (const { metadata } of page.items) if (metadata?.name !== undefined) names.push(metadata.name);
    pages += 1;
    if (names.length > maxDefinitions || pages * pageSize > maxDefinitions) {
      throw new Problem({
        status: 502,
        title: `${cluster} has more definitions than this console lists (${maxDefinitions.toLocaleString('en')}).`,
        where: { source: 'cluster', cluster },
      });
    }
    token = page.next;
  } while (token !== undefined);
  return names;
}
