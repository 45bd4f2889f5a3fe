import type { LogOptions, LogOutcome, LogSink } from './follow.ts';
import { LogFilter } from './resume.ts';
import type { RingBudget } from './ring.ts';
import { placeIn } from './ring-place.ts';
import { SharedStream } from './shared-stream.ts';

/**
 * Follows containers' logs as `followLog` does, with one stream of the cluster for all readers of the same container.
 * The first reader opens it; later ones get the last lines from memory and then follow along; it ends with its last
 * reader. No reader waits for the slowest: the cluster's stream runs at the speed of the quickest, and a reader so far
 * behind that its lines are no longer kept continues with a stream of its own, from where it was.
 */
export class SharedLogs {
  readonly #streams = new Map<string, Set<SharedStream>>();
  readonly #budget: RingBudget = { held: 0 };

  /** Streams of clusters that are followed now. */
  get size(): number {
    let size = 0;
    for (const streams of this.#streams.values()) size += streams.size;
    return size;
  }

  /** @param clusterId whose pod it is; the others as of `followLog` */
  async follow(clusterId: number, options: LogOptions, sink: LogSink): Promise<LogOutcome> {
    const { namespace, name, clock, signal } = options;
    const key = `${clusterId} ${namespace}/${name}/${options.query.container ?? ''}`;
    let { query } = options;
    // Kept lines come at once, so all logs that are merged must be known before.
    await Promise.resolve();
    for (;;) {
      const { after, skip = 0 } = query;
      const filter = new LogFilter(after === undefined ? undefined : { time: after, count: skip });
      let place: number | undefined;
      let stream = [...(this.#streams.get(key) ?? [])].find((one) => {
        place = placeIn(one, query, clock.now());
        return place !== undefined;
      });
      // The cluster gives all lines from `after` on, and each reader drops those that it knows.
      stream ??= this.#open(key, { ...options, query: { ...query, skip: 0 } });
      const end = await stream.read({ sink, filter, place: place ?? 0, signal });
      if (end !== 'behind') return end;
      const { position } = filter;
      if (position !== undefined) query = { ...query, after: position.time, skip: position.count };
    }
  }

  #open(key: string, options: LogOptions): SharedStream {
    const streams = this.#streams.get(key) ?? new Set();
    const stream = new SharedStream(options, this.#budget, (over) => this.#remove(key, over));
    this.#streams.set(key, streams.add(stream));
    stream.start();
    return stream;
  }

  #remove(key: string, stream: SharedStream): void {
    const streams = this.#streams.get(key);
    streams?.delete(stream);
    if (streams?.size === 0) this.#streams.delete(key);
  }
}
