import { Gauge, type Registry } from 'prom-client';
import type { ClusterReaders } from '../readers/cluster-readers.ts';

/** Figures of a server that reads clusters for others, or through them. */
export class ReaderGauges {
  readonly #readers: Pick<ClusterReaders, 'stats'>;
  readonly #clusters: Gauge;
  readonly #lists: Gauge<'way'>;
  readonly #links: Gauge<'state'>;

  constructor(registry: Registry, readers: Pick<ClusterReaders, 'stats'>) {
    const registers = [registry];
    this.#readers = readers;
    this.#clusters = new Gauge({
      name: 'wheelhouse_reader_clusters',
      help: 'Clusters that this server reads for all servers.',
      registers,
    });
    this.#lists = new Gauge({
      name: 'wheelhouse_reader_lists',
      help: 'Lists of clusters that another server reads: through it, or beside it by this server itself.',
      labelNames: ['way'],
      registers,
    });
    this.#links = new Gauge({
      name: 'wheelhouse_reader_links',
      help: 'Links to other servers by state.',
      labelNames: ['state'],
      registers,
    });
  }

  /** Reads them anew. */
  read(): void {
    const { clusters, through, beside, links } = this.#readers.stats();
    this.#clusters.set(clusters);
    this.#lists.set({ way: 'through' }, through);
    this.#lists.set({ way: 'beside' }, beside);
    for (const [state, count] of Object.entries(links)) this.#links.set({ state }, count);
  }
}
