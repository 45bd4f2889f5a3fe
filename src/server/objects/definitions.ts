import { servedKind } from '../../../commands/kinds/custom.ts';
import type { Definition } from '../../contract/custom-resources.ts';
import { Problem } from '../../contract/problem.ts';
import { cleanText } from '../../kube/text.ts';
import { metadataTransport } from '../clusters/metadata-transport.ts';
import type { Transport } from '../clusters/transport.ts';
import { CachedReads } from '../kit/cached-reads.ts';
import { pageIn } from './read.ts';
import { readServedResources } from './served-resources.ts';
import type { Clock } from '../kit/clock.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** `kubectl apply` leaves a copy of a definition in its metadata. */
const pageSize = 100;
/** Definitions that are listed at most. */
const maxDefinitions = 10_000;
/** A cluster's list of definitions is cached this long, ms. */
const believedMs = 10_000;

/** The definitions of clusters, cached for a moment by the credential that read them. */
export class Definitions {
  readonly #read: CachedReads<readonly Definition[]>;

  constructor(clock: Clock) {
    this.#read = new CachedReads(believedMs, clock);
  }

  /** The definitions of a cluster in its own order. Throws ClusterProblem, and Problem 502 for too many. */
  of(transport: Transport, cluster: string): Promise<readonly Definition[]> {
    const key = `${transport.clusterId} ${transport.credential}`;
    return this.#read.of(key, () => readDefinitions(transport, cluster));
  }
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
