import { controllerOf } from '../../kube/owners.ts';
import type { World } from '../store/world.ts';
import type { Change } from '../store/store.ts';
import { at, type Obj } from '../kit/values.ts';

/** Something that brings objects from what is to what is wanted. */
export interface Controller {
  readonly name: string;
  /** The keys ("storage|key" or what the controller likes) to look at again after a change. */
  interested(change: Change, life: Life): Iterable<string>;
  /** Looks at one key. Must be right whatever happened before: it sees states, not events. */
  reconcile(key: string, life: Life): void;
  /** Called once when life begins. */
  begin?(life: Life): void;
}

/** Reconciling follows a change after this time, as it does on a fast cluster. */
const reaction = 20;

/** Runs controllers over a world, on its clock. */
export class Life {
  readonly world: World;
  readonly children: OwnerIndex;
  readonly #controllers: readonly Controller[];
  readonly #pending = new Map<string, { at: number; cancel: () => void }>();
  readonly #stops: (() => void)[] = [];
  #stopped = false;

  constructor(world: World, controllers: readonly Controller[]) {
    this.world = world;
    this.#controllers = controllers;
    this.children = new OwnerIndex(world);
    this.#stops.push(world.store.watch(undefined, (change) => this.#changed(change)));
    for (const storage of Array.from(world.store.storages())) {
      for (const [key, object] of Array.from(world.store.entries(storage))) {
        this.#changed({ version: 0, storage, key, before: undefined, after: object });
      }
    }
    for (const controller of controllers) controller.begin?.(this);
  }

  #changed(change: Change): void {
    this.children.note(change);
    for (const controller of this.#controllers) {
      for (const key of controller.interested(change, this)) this.look(controller, key, reaction);
    }
  }

  /** Has a controller look at a key after a time (ms); an earlier look already planned stays. */
  look(controller: Controller, key: string, after: number): void {
    if (this.#stopped) return;
    const id = `${controller.name}|${key}`;
    const at = this.world.clock.now() + after;
    const planned = this.#pending.get(id);
    if (planned !== undefined) {
      if (planned.at <= at) return;
      planned.cancel();
    }
    const cancel = this.world.clock.after(after, () => {
      this.#pending.delete(id);
      if (!this.#stopped) this.#reconcile(controller, key);
    });
    this.#pending.set(id, { at, cancel });
  }

  /** One object that a controller stumbles over must not end the life of all others. */
  #reconcile(controller: Controller, key: string): void {
    try {
      controller.reconcile(key, this);
    } catch (error) {
      process.stderr.write(`${controller.name} failed at ${key} and tries again: ${String(error)}\n`);
      this.look(controller, key, 30_000);
    }
  }

  /** Calls again and again. */
  every(ms: number, call: () => void): void {
    const next = () => {
      this.world.clock.after(ms, () => {
        if (this.#stopped) return;
        call();
        next();
      });
    };
    next();
  }

  stop(): void {
    this.#stopped = true;
    for (const stop of this.#stops) stop();
    for (const { cancel } of this.#pending.values()) cancel();
    this.#pending.clear();
  }
}

/** Which objects each owner has, and which pods each node runs. */
export class OwnerIndex {
  readonly #world: World;
  readonly #byOwner = new Map<string, Map<string, readonly [string, string]>>();
  readonly #byNode = new Map<string, Set<string>>();
  /** Pods that keep others away from where they run. */
  readonly #averse = new Set<string>();
  /** Objects without a controller that one could adopt, by storage and namespace. */
  readonly #orphans = new Map<string, Set<string>>();

  constructor(world: World) {
    this.#world = world;
  }

  note({ storage, key, before, after }: Change): void {
    const id = `${storage}|${key}`;
    if (before?.metadata.ownerReferences !== after?.metadata.ownerReferences) {
      for (const owner of before?.metadata.ownerReferences ?? []) {
        const owned = this.#byOwner.get(owner.uid);
        owned?.delete(id);
        if (owned?.size === 0) this.#byOwner.delete(owner.uid);
      }
      for (const owner of after?.metadata.ownerReferences ?? []) {
        const owned = this.#byOwner.get(owner.uid) ?? new Map<string, readonly [string, string]>();
        owned.set(id, [storage, key]);
        this.#byOwner.set(owner.uid, owned);
      }
    }
    if (adoptable.has(storage)) this.#noteOrphan(storage, key, before, after);
    if (storage !== '/pods') return;
    if (after !== undefined && nodeOf(after) !== undefined && isAverse(after)) this.#averse.add(key);
    else this.#averse.delete(key);
    const was = nodeOf(before);
    const is = nodeOf(after);
    if (was === is) return;
    if (was !== undefined) this.#byNode.get(was)?.delete(key);
    if (is === undefined) return;
    const pods = this.#byNode.get(is) ?? new Set();
    pods.add(key);
    this.#byNode.set(is, pods);
  }

  #noteOrphan(storage: string, key: string, before: Obj | undefined, after: Obj | undefined): void {
    const free = after !== undefined && controllerOf(after) === undefined;
    if (!free && (before === undefined || controllerOf(before) !== undefined)) return;
    const place = `${storage}|${(after ?? before)?.metadata.namespace ?? ''}`;
    const keys = this.#orphans.get(place) ?? new Set<string>();
    this.#orphans.set(place, keys);
    if (free) keys.add(key);
    else keys.delete(key);
  }

  /** The keys of what nobody controls in a namespace: of pods, ReplicaSets and ControllerRevisions. */
  orphans(storage: string, namespace: string): string[] {
    return Array.from(this.#orphans.get(`${storage}|${namespace}`) ?? []);
  }

  /** What an owner has, of one storage or of all. */
  of(uid: string | undefined, storage?: string): Obj[] {
    const found: Obj[] = [];
    for (const [place, key] of this.#byOwner.get(uid ?? '')?.values() ?? []) {
      if (storage !== undefined && place !== storage) continue;
      const object = this.#world.store.get(place, key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** Storage and key of everything an owner has. */
  keysOf(uid: string): (readonly [string, string])[] {
    return Array.from(this.#byOwner.get(uid)?.values() ?? []);
  }

  /** The pods on nodes that must not share their place with others. */
  averse(): Obj[] {
    return Array.from(this.#averse, (key) => this.#world.store.get('/pods', key)).filter(
      (pod) => pod !== undefined,
    );
  }

  podsOn(node: string): Obj[] {
    const found: Obj[] = [];
    for (const key of this.#byNode.get(node) ?? []) {
      const object = this.#world.store.get('/pods', key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }
}

const isAverse = (pod: Obj) =>
  at(pod, 'spec', 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution') !==
  undefined;

const adoptable = new Set(['/pods', 'apps/replicasets', 'apps/controllerrevisions']);

const nodeOf = (pod: Obj | undefined): string | undefined => {
  const name = (pod?.['spec'] as { nodeName?: unknown } | undefined)?.nodeName;
  return typeof name === 'string' && name !== '' ? name : undefined;
};
