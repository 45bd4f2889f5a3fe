import type { KubeObject } from '../../../kube/object.ts';
import {
  type ObjectMembership,
  type ObjectSink,
  ObjectWatch,
  type ObjectWatchOptions,
} from './object-watch.ts';
import { type Entry, placeOf } from './projector.ts';

/** Inputs of a kind's open objects. */
export interface ObjectWatchesOptions extends ObjectWatchOptions {
  /** Called for each object when its last page has closed it. */
  readonly onClosed: () => void;
}

/** The objects of a kind that are open somewhere. They use the kind's reflector, which offers whole objects here. */
export interface ObjectWatches {
  /** How many objects are open. */
  readonly size: number;
  /** @param namespace empty for an object of the cluster */
  open(namespace: string, name: string, sink: ObjectSink): ObjectMembership;
  /** Takes an object as a list or watch just gave it. */
  offer(object: KubeObject): void;
  /** Takes the entry of an object as another server gave it, which does not give the object itself. */
  noted(entry: Entry): void;
  /** Takes that an object was deleted. */
  dropped(entry: Entry): void;
  /** A list is complete, or the state changed. */
  settled(): void;
  /** Asks the cluster again at once for what was not read. */
  retry(): void;
  dispose(): void;
}

interface OpenObject {
  readonly sinks: Set<ObjectSink>;
  readonly watch: ObjectWatch;
}

/** Sends no request before an object is opened. */
export const createObjectWatches = (options: ObjectWatchesOptions): ObjectWatches => new OpenObjects(options);

class OpenObjects implements ObjectWatches {
  readonly #options: ObjectWatchesOptions;
  /** By place. */
  readonly #open = new Map<string, OpenObject>();

  constructor(options: ObjectWatchesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  open(namespace: string, name: string, sink: ObjectSink): ObjectMembership {
    const place = placeOf(namespace, name);
    let opened = this.#open.get(place);
    if (opened === undefined) {
      const sinks = new Set<ObjectSink>();
      opened = { sinks, watch: new ObjectWatch(this.#options, { namespace, name, sinks }) };
      this.#open.set(place, opened);
    }
    const { sinks, watch } = opened;
    sinks.add(sink);
    return {
      get object() {
        return watch.object;
      },
      get gone() {
        return watch.gone;
      },
      get state() {
        return watch.state;
      },
      leave: () => {
        sinks.delete(sink);
        if (sinks.size === 0) this.#close(place, watch);
      },
    };
  }

  offer(object: KubeObject): void {
    if (this.#open.size === 0) return;
    const { namespace = '', name = '' } = object.metadata ?? {};
    this.#open.get(placeOf(namespace, name))?.watch.offer(object);
  }

  noted(entry: Entry): void {
    if (this.#open.size === 0) return;
    this.#open.get(placeOf(entry.namespace, entry.name))?.watch.noted(entry.version);
  }

  dropped(entry: Entry): void {
    this.#open.get(placeOf(entry.namespace, entry.name))?.watch.dropped(entry.uid);
  }

  settled(): void {
    for (const { watch } of this.#open.values()) watch.settled();
  }

  retry(): void {
    for (const { watch } of this.#open.values()) watch.retry();
  }

  dispose(): void {
    for (const { watch } of this.#open.values()) watch.dispose();
    this.#open.clear();
  }

  #close(place: string, watch: ObjectWatch): void {
    if (this.#open.get(place)?.watch !== watch) return;
    watch.dispose();
    this.#open.delete(place);
    this.#options.onClosed();
  }
}
