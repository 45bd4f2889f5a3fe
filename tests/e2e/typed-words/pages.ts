import { commands } from '../../../commands/index.ts';
import { kinds } from '../../../commands/kinds/index.ts';
import { hrefOf, type RouteCommand } from '../../../src/registry/commands/command.ts';
import { objectParams } from '../../../src/registry/commands/kind-commands.ts';
import { fillPath } from '../../../src/registry/path.ts';
import type { ClusterObject, ClusterState } from './objects.ts';

/** A page of the console on which words are typed. */
export interface WordPage {
  /** The id of its route; of an object's page with its view. */
  readonly id: string;
  /** Where it is, relative to the product. */
  readonly path: string;
  /** Whether rows are waited for. */
  readonly hasRows: boolean;
}

/** Routes that lead to a page of another route, and pages that only show components. */
const elsewhere = /^(subscription|tests)\./;

/** The Secrets in which Helm keeps releases carry this label. */
const releaseName = ({ metadata }: ClusterObject): string | undefined =>
  metadata.labels?.['owner'] === 'helm' ? metadata.labels['name'] : undefined;

/** An object of a kind, by namespace and name; undefined where the cluster has none. */
function objectOf(state: ClusterState, kind: (typeof kinds)[number]) {
  if (kind.id !== 'release') return state.get(`${kind.plural}.${kind.group}`)?.[0]?.metadata;
  const secret = state.get('secrets.')?.find((one) => releaseName(one) !== undefined);
  if (secret === undefined) return undefined;
  return { name: releaseName(secret) ?? '', namespace: secret.metadata.namespace };
}

/** The list of each kind, and the page of one object of it. */
function kindPages(state: ClusterState, cluster: string): WordPage[] {
  return kinds.flatMap((kind): WordPage[] => {
    const object = objectOf(state, kind);
    const list = {
      id: `${kind.id}.list`,
      path: fillPath(kind.paths.list, { clusterId: cluster }),
      hasRows: object !== undefined,
    };
    const [detail] = kind.paths.detail ?? [];
    if (detail === undefined || object === undefined) return [list];
    const { name, namespace } = object;
    const ref = { cluster, kind: kind.id, name, ...(namespace === undefined ? {} : { namespace }) };
    return [
      list,
      { id: `${kind.id}.open`, path: fillPath(detail, objectParams(detail, ref)), hasRows: false },
    ];
  });
}

/** Values of the parameters of routes that belong to no kind. */
export interface PageValues {
  readonly clusterId: string;
  readonly teamId: string;
  readonly userId: string;
}

/** Parameters of pages of a custom resource, and of one by its group. */
function objectValues(state: ClusterState): Readonly<Record<string, string>> {
  const certificate = state.get('certificates.cert-manager.io')?.[0]?.metadata;
  const issuer = state.get('clusterissuers.cert-manager.io')?.[0]?.metadata;
  if (certificate === undefined || issuer === undefined)
    throw new Error('The cluster has no custom resources.');
  const [release] = (state.get('secrets.') ?? []).filter((one) => releaseName(one) !== undefined);
  return {
    namespaceName: certificate.namespace ?? '',
    namespace: release?.metadata.namespace ?? '',
    releaseName: release === undefined ? '' : (releaseName(release) ?? ''),
    resourceName: certificate.name,
    clusterResourceName: issuer.name,
    name: certificate.name,
  };
}

/**
 * Every page that somebody who is signed in can open, from the routes and kinds that are declared. Throws for a route with
 * a parameter that has no value here: whoever adds one adds a value.
 */
export function pagesOf(state: ClusterState, values: PageValues): WordPage[] {
  const objects = objectValues(state);
  const routes = commands.filter(
    (command): command is RouteCommand =>
      command.type === 'route' &&
      command.bare !== true &&
      !elsewhere.test(command.id) &&
      (command.kind === undefined || command.id === 'release.history'),
  );
  const others = routes.map((command): WordPage => {
    const isOfCluster = command.shows === 'object' && !command.path.includes(':namespaceName');
    const [plural, name] = isOfCluster
      ? ['clusterissuers', objects['clusterResourceName'] ?? '']
      : ['certificates', objects['resourceName'] ?? ''];
    const path = hrefOf(command, {
      ...objects,
      ...values,
      plural,
      group: 'cert-manager.io',
      crdName: `${plural}.cert-manager.io`,
      resourceName: name,
      name,
    });
    return { id: command.id, path, hasRows: command.shows === 'list' };
  });
  return [...kindPages(state, values.clusterId), ...others];
}
