import type { ApiClient } from '../../data/client.ts';
import { usageKinds, usageObjects } from '../../../contract/usage.ts';

/** How often samples are asked for, ms: the server takes one every 15 s. */
const interval = 15_000;
/** Rows that come into sight together are asked about together, ms. */
const gather = 120;

/** The usage of an object. */
export interface ShownSamples {
  readonly times: readonly number[];
  readonly cpu: readonly (number | null)[];
  readonly memory: readonly (number | null)[];
  /** Why usage is not known: one sentence. */
  readonly message: string | null;
}

/** The samples of the objects of one list that are in sight. */
export interface UsageStore {
  of(place: string): ShownSamples | undefined;
  /** Why no usage is known; null where it is. */
  message(): string | null;
  /** Asks for an object while somebody listens. @param place `namespace/name` */
  watch(place: string | undefined, listener: () => void): () => void;
}

/** @param list cluster and kind: `1 pod` */
export function createUsageStore(list: string, api: Pick<ApiClient, 'usageOf'>): UsageStore {
  const [cluster = '', id] = list.split(' ');
  const kind = usageKinds.find((one) => one === id);
  const places = new Map<string, number>();
  const listeners = new Set<() => void>();
  const known = new Map<string, ShownSamples>();
  let message: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let askedAt = 0;

  function plan(wait: number): void {
    if (timer !== undefined) clearTimeout(timer);
    timer = setTimeout(() => void ask(), wait);
  }

  async function askFor(some: readonly string[]): Promise<void> {
    if (kind === undefined) return;
    const objects = some.map((place) => {
      const at = place.indexOf('/');
      return { namespace: place.slice(0, at), name: place.slice(at + 1) };
    });
    const answer = await api.usageOf({
      params: { clusterId: Number(cluster), kind },
      body: { objects },
    });
    message = answer.status === 'live' ? null : answer.message;
    for (const [index, place] of some.entries()) {
      const found = answer.objects[index];
      if (found !== undefined) known.set(place, { times: answer.times, ...found, message });
    }
  }

  async function ask(): Promise<void> {
    timer = undefined;
    askedAt = Date.now();
    for (const place of known.keys()) if (!places.has(place)) known.delete(place);
    const wanted = [...places.keys()];
    try {
      for (let at = 0; at < wanted.length; at += usageObjects)
        await askFor(wanted.slice(at, at + usageObjects));
    } catch {
      // The list says itself when it cannot be kept up; its lines of the past are asked for again soon.
    }
    for (const listener of listeners) listener();
    if (listeners.size > 0 && timer === undefined) plan(interval);
  }

  return {
    of: (place) => known.get(place),
    message: () => message,
    watch(place, listener) {
      listeners.add(listener);
      if (place !== undefined) {
        places.set(place, (places.get(place) ?? 0) + 1);
        if (!known.has(place) || timer === undefined) plan(Date.now() - askedAt > interval ? 0 : gather);
      }
      return () => {
        listeners.delete(listener);
        if (place !== undefined) {
          const uses = (places.get(place) ?? 1) - 1;
          if (uses > 0) places.set(place, uses);
          else places.delete(place);
        }
        if (listeners.size > 0) return;
        if (timer !== undefined) clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}
