import { randomBytes } from 'node:crypto';
import { kinds } from '../../../commands/kinds/index.ts';
import { createGrants, type Grants } from '../access/grants.ts';
import { OpenRights, type OpenRightsOptions } from '../access/open-rights.ts';
import type { OwnedDirectory } from '../clusters/directory.ts';
import type { PlaygroundSource } from '../clusters/playground-source.ts';
import { createDirectory } from '../clusters/stored-directory.ts';
import { Fleet } from '../fleet/fleet.ts';
import type { Services } from '../http/services.ts';
import { Measures } from '../kit/measures.ts';
import { MemoryBudget } from '../kit/memory-budget.ts';
import { createHub } from '../live/page/hub.ts';
import { ClusterReaders } from '../readers/cluster-readers.ts';
import { createSearchIndex } from '../search/search.ts';
import { measureWaits } from '../store/pool-waits.ts';
import { createClusterWorkEnd } from './cluster-work.ts';
import type { Ends } from './ends.ts';

/** Inputs of the services that are opened before them. */
type Foundation = Pick<
  Services,
  'config' | 'log' | 'clock' | 'store' | 'vault' | 'self' | 'tracer' | 'build' | 'pageDir'
>;

/** Inputs of the services of a console. */
export interface ServicesInput extends Foundation {
  readonly playground: PlaygroundSource | undefined;
  /** Where people's rights are read, for tests that narrow them: what is open reads them by statements of its own. */
  readonly rightsFrom?: { readonly grants: Grants; readonly store: OpenRightsOptions['store'] };
  /** Looks for the company of the clusters that the console adds by itself, without it. */
  readonly onCompanyCreated?: Services['onCompanyCreated'] | undefined;
}

/** Services whose clusters can be told to look for their company again. */
export interface OpenServices extends Services {
  readonly clusters: OwnedDirectory;
}

/**
 * Makes the services of a console, the only place that does: the product and the tests of the API begin here, and hand
 * them to `createApp`. Throws StartError where the operator's kubeconfig cannot be used.
 * @param ends takes what closes them
 */
export async function openServices(
  { playground, rightsFrom, onCompanyCreated, ...given }: ServicesInput,
  ends: Ends,
): Promise<OpenServices> {
  const { store, tracer, vault } = given;
  const grants = rightsFrom?.grants ?? createGrants(store);
  const rights = new OpenRights({ ...given, store: rightsFrom?.store ?? store });
  ends.push(async () => rights.close());
  const measures = new Measures();
  measureWaits(store.pool, (ms) => measures.waitedForConnection(ms));
  const memory = new MemoryBudget(given.clock);
  ends.push(async () => memory.close());
  const clusters = await createDirectory({
    ...given,
    endWork: createClusterWorkEnd(store, vault),
    playground,
    tracer: measures.measured(tracer),
    answers: memory.part('answers'),
  });
  ends.push(() => clusters.close());
  const { peerAddress: address } = given.config;
  const server = given.self?.server ?? randomBytes(6).toString('hex');
  const readers = address === null ? undefined : new ClusterReaders({ ...given, server, address });
  const hub = createHub({ ...given, grants, rights, clusters, kinds, memory, measures, routes: readers });
  const search = createSearchIndex({
    ...given,
    clusters,
    kinds,
    budget: memory.part('names'),
    definedKinds: (row, onChange) => hub.live(row).definedKinds(onChange),
  });
  ends.push(async () => search.close());
  const fleet = new Fleet({ ...given, hub, clusters, kinds, budget: memory.part('lists') });
  ends.push(() => fleet.close());
  return {
    ...given,
    grants,
    rights,
    clusters,
    hub,
    search,
    fleet,
    readers,
    memory,
    measures,
    onCompanyCreated: onCompanyCreated ?? (() => clusters.adopt()),
  };
}
