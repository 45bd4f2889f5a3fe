import type { Logger } from 'pino';
import type { Grants } from '../access/grants.ts';
import type { OpenRights } from '../access/open-rights.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import type { Clock } from '../kit/clock.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Config } from '../kit/config.ts';
import type { Hub } from '../live/page/hub.ts';
import type { Measures } from '../kit/measures.ts';
import type { MemoryBudget } from '../kit/memory-budget.ts';
import type { Tracer } from '../kit/tracer.ts';
import type { ClusterReaders } from '../readers/cluster-readers.ts';
import type { SearchIndex } from '../search/search.ts';
import type { SharedKeys } from '../store/shared-keys.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';

/** Everything the API host needs; `openServices` in `boot` makes it, for the product and for tests. */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  /** Time and chance of everything that the server does. */
  readonly clock: Clock;
  readonly store: Store;
  readonly vault: Vault;
  /** This server among the others; tests of the API alone have none. */
  readonly self?: { readonly server: string; readonly keys: SharedKeys } | undefined;
  readonly grants: Grants;
  readonly rights: OpenRights;
  readonly clusters: ClusterDirectory;
  readonly hub: Hub;
  readonly search: SearchIndex;
  /** How all clusters do. */
  readonly fleet: Fleet;
  /** Who reads which cluster for all servers; undefined where each reads by itself. */
  readonly readers?: ClusterReaders | undefined;
  /** The memory that what is read of clusters shares. */
  readonly memory: MemoryBudget;
  /** Measured waiting times, for `/metrics`. */
  readonly measures: Measures;
  /** Records calls; undefined where nobody collects them. */
  readonly tracer?: Tracer | undefined;
  /** Hash of the page's build. */
  readonly build: string;
  /** Folder of the built page; null where no page is served (API tests). */
  readonly pageDir: string | null;
  /** Called after a person created a new organisation through the console (the playground finds its owner by it). */
  readonly onCompanyCreated: (company: {
    readonly companyId: number;
    readonly userId: number;
  }) => Promise<void>;
}
