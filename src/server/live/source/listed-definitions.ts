import { definitionKind } from '../../../../commands/kinds/custom.ts';
import { objectPath } from '../../../kube/change.ts';
import type { CustomResourceDefinition } from '../../../kube/custom.ts';
import type { KubeList, KubeObject } from '../../../kube/object.ts';
import { isPlainObject } from '../../../kube/plain.ts';
import { metadataTransport } from '../../clusters/metadata-transport.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../clusters/transport.ts';
import { pageIn } from '../../objects/read.ts';
import { readServedResources, type ServedResource } from '../../objects/served-resources.ts';
import { inSmallPages } from './definition-names.ts';

/** The member of a listed object that is not the whole object: pages of that object must not show it. */
export const isPartOfObject = 'wheelhousePartOfObject';
/** Definitions on one page of a list: `kubectl apply` leaves a copy of each in its metadata. */
const pageSize = 100;
/** Maximum number of definitions of one page that are read whole. */
const maxWhole = 20;

/**
 * The same cluster, whose lists of definitions consist of their metadata and of what the directory of the API says of
 * them: their schemas, tens of megabytes, are not read. Whole are those of which nothing is served, as only they say
 * why, and what a watch brings.
 * @param isTroubled whether a definition that is served is known to have new names that another one has
 */
export function listedDefinitions(transport: Transport, isTroubled: (uid: string) => boolean): Transport {
  const names = inSmallPages(metadataTransport(transport, undefined), pageSize);

  async function whole(name: string, signal: AbortSignal | undefined): Promise<KubeObject[]> {
    try {
      const path = objectPath({ ...definitionKind, name });
      return [await transport.json<KubeObject>({ path, ...(signal === undefined ? {} : { signal }) })];
    } catch (error) {
      if (error instanceof ClusterProblem && error.upstream.status === 404) return [];
      throw error;
    }
  }

  async function list(request: KubeRequest): Promise<unknown> {
    const page = await names.json<unknown>(request);
    const { items } = pageIn(page, definitionKind.title);
    const namesOfPage = items.flatMap(({ metadata }) => metadata?.name ?? []);
    const served = await readServedResources(transport, namesOfPage);
    let left = maxWhole;
    const read = items.map(async (item): Promise<KubeObject[]> => {
      const { name = '', uid = '' } = item.metadata ?? {};
      const resource = served.get(name);
      if ((resource === undefined || isTroubled(uid)) && left > 0) {
        left -= 1;
        return await whole(name, request.signal);
      }
      return [resource === undefined ? partOf(item, {}) : partOf(item, definitionOf(resource))];
    });
    const answer: KubeList = {
      ...(isPlainObject(page) && isPlainObject(page['metadata']) ? { metadata: page['metadata'] } : {}),
      items: (await Promise.all(read)).flat(),
    };
    return answer;
  }

  return {
    clusterId: transport.clusterId,
    credential: transport.credential,
    async json<T>(request: KubeRequest): Promise<T> {
      // Only lists have a limit: a definition is asked for as it is.
      if (request.query?.['limit'] === undefined) return await transport.json<T>(request);
      // The caller asks for a list, which this is as well.
      return (await list(request)) as T;
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  };
}

function partOf({ metadata }: KubeObject, definition: Partial<CustomResourceDefinition>): KubeObject {
  const part = { ...definition, ...(metadata === undefined ? {} : { metadata }), [isPartOfObject]: true };
  return part;
}

const textsIn = (value: unknown) =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** A definition as the directory tells it: what is served was established. */
function definitionOf({
  group,
  scope,
  kind,
  plural,
  shortNames,
  categories,
  versions,
}: ServedResource): Partial<CustomResourceDefinition> {
  return {
    spec: {
      group,
      scope,
      names: { kind, plural, shortNames: textsIn(shortNames), categories: textsIn(categories) },
      versions: versions.map((name) => ({ name, served: true })),
    },
    status: { conditions: [{ type: 'Established', status: 'True' }] },
  };
}
