import type { Job } from '../../../contract/jobs.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { DataPort } from '../../data/port.ts';
import type { ObjectTarget } from '../../data/live/targets.ts';
import { qualifiedName, refIn } from '../actions/acting.ts';

/** How something ended that the person began on this page. */
export interface Ended {
  readonly ref: ObjectRef;
  /** As the bell tells of the same, so that both are one toast: `shop/web: Rollout done`. */
  readonly title: string;
  readonly isGood: boolean;
}

interface Parts extends Pick<DataPort, 'live' | 'known' | 'queryClient' | 'queries'> {
  /** Runs something later; returns how to cancel it. */
  readonly later: (run: () => void, ms: number) => () => void;
  readonly tell: (ended: Ended) => void;
}

const waits = {
  /** A change that rolls nothing out for this long will not, ms. */
  begin: 15_000,
  /** Nothing is waited for longer, ms. */
  end: 60 * 60_000,
  /** Jobs are asked for again after this, ms. */
  job: 4_000,
} as const;

/** Follows the rollouts and jobs that the person began on this page, and tells how each ended. */
export class OwnWork {
  readonly #parts: Parts;
  /** Ends of what is followed, by what it is. */
  readonly #ends = new Map<string, () => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Follows a workload that was changed, until what it rolls out is done or failed. */
  rollout(ref: ObjectRef): void {
    const { live, known, later } = this.#parts;
    const key = JSON.stringify(ref);
    this.#ends.get(key)?.();
    const { cluster, kind, namespace, name } = ref;
    const target: ObjectTarget = { type: 'object', clusterId: Number(cluster), kind, namespace, name };
    let hasBegun = false;
    const look = () => {
      const { view, gone } = known.get(target) ?? {};
      if (gone !== undefined) end();
      const status = view?.status ?? null;
      if (gone !== undefined || status === null) return;
      const [, tone] = status;
      if (tone === 'info') hasBegun = true;
      if (!hasBegun || (tone !== 'ok' && tone !== 'idle' && tone !== 'bad')) return;
      end();
      const isGood = tone !== 'bad';
      const title = `${qualifiedName(ref)}: ${isGood ? 'Rollout done' : 'Rollout failed'}`;
      this.#parts.tell({ ref, title, isGood });
    };
    const disposers = [
      known.subscribe(target, look),
      live.follow(target, known.get(target)),
      later(() => {
        if (!hasBegun) end();
      }, waits.begin),
      later(() => end(), waits.end),
    ];
    const end = () => {
      this.#ends.delete(key);
      for (const dispose of disposers) dispose();
    };
    this.#ends.set(key, end);
    look();
  }

  /** Follows a job of the server, such as a drain, until it is over. */
  job(clusterId: number, id: number): void {
    const { queryClient, queries, later } = this.#parts;
    const key = `job ${clusterId} ${id}`;
    let cancel: () => void = () => undefined;
    let isOver = false;
    const end = () => {
      isOver = true;
      cancel();
      this.#ends.delete(key);
    };
    const ask = () => {
      queryClient.fetchQuery({ ...queries.jobs(clusterId), staleTime: 1_000 }).then(
        (jobs) => {
          const job = jobs.find((one) => one.id === id);
          if (isOver) return;
          if (job === undefined) end();
          else if (job.status === 'running') cancel = later(ask, waits.job);
          else {
            end();
            this.#parts.tell(endOf(clusterId, job));
          }
        },
        // Asked again: a server that is away for a moment does not lose what was waited for.
        () => {
          if (!isOver) cancel = later(ask, waits.job);
        },
      );
    };
    this.#ends.set(key, end);
    cancel = later(ask, waits.job);
  }

  /** Follows nothing any more. */
  close(): void {
    for (const end of this.#ends.values()) end();
  }
}

/** How a job ended, in words. */
function endOf(clusterId: number, { ref, title, status }: Job): Ended {
  const isGood = status === 'succeeded';
  return { ref: refIn(clusterId, ref), title: `${title}: ${isGood ? 'done' : status}`, isGood };
}

/** How long news of one's own work shows: until somebody closes it where it comes while nobody looks at the page. */
export const lifeOfNews = (isPageHidden: boolean): { readonly duration?: number } =>
  isPageHidden ? { duration: Number.POSITIVE_INFINITY } : {};
