import { controllerOf } from '../../kube/owners.ts';
import { Memory } from '../kit/memory.ts';
import type { World } from '../store/world.ts';
import type { Change } from '../store/store.ts';
import { at, type Obj } from '../kit/values.ts';

/** Brings objects from their actual to their desired state. */
export interface Controller {
  readonly name: string;
  /** The keys ("storage|key" or any other form) to reconcile after a change. */
  interested(change: Change, life: Life): Iterable<string>;
  /** Reconciles one key. Depends only on the current state, whatever happened before. */
  reconcile(key: string, life: Life): void;
  /** Called once at the start. */
  begin?(life: Life): void;
}

/** Delay between a change and its reconciliation, ms, as on a fast cluster. */
const reaction = 20;

/** When something happens, ms, and its order among what happens at one time. */
interface Plan {
  readonly at: number;
  readonly order: number;
}
let order = 0;

/** Plain data from which another life continues. */
export interface SavedLife {
  readonly memory: ReadonlyMap<string, unknown>;
  /** Reconciliations by controller and key. */
  readonly pending: readonly (readonly [string, Plan])[];
  /** The next calls of what is called periodically. */
  readonly periods: readonly Plan[];
}

/** Runs controllers on a world and its clock. */
export class Life {
  readonly world: World;
  readonly children: OwnerIndex;
  readonly #controllers: readonly Controller[];
  /** Data of the controllers. */
  readonly memory: Memory;
  readonly #pending = new Map<string, Plan & { cancel: () => void }>();
  readonly #periods: { readonly call: () => void; readonly ms: number; next: Plan }[] = [];
  readonly #stops: (() => void)[] = [];
  readonly #isContinued: boolean;
  #stopped = false;

  /** @param saved state of the life that this one continues; it does nothing before `resume` */
  constructor(world: World, controllers: readonly Controller[], saved?: SavedLife) {
    this.world = world;
    this.#controllers = controllers;
    this.memory = new Memory(saved?.memory);
    this.#isContinued = saved !== undefined;
    this.children = new OwnerIndex(world, this.memory);
    this.#stops.push(world.store.watch(undefined, (change) => this.#changed(change)));
    if (saved === undefined) {
      for (const storage of Array.from(world.store.storages())) {
        for (const [key, object] of Array.from(world.store.entries(storage))) {
          this.#changed({ version: 0, storage, key, before: undefined, after: object });
        }
      }
    }
    for (const controller of controllers) controller.begin?.(this);
  }

  /** State of the controllers, from which a life on the saved objects continues this one. */
  save(): SavedLife {
    return {
      memory: this.memory.save(),
      pending: Array.from(this.#pending, ([id, { at, order }]) => [id, { at, order }]),
      periods: this.#periods.map(({ next }) => next),
    };
  }

  /** Has lives continue saved ones, in the order in which those had planned. */
  static resume(lives: readonly (readonly [Life, SavedLife])[]): void {
    const starts = lives.flatMap(([life, { pending, periods }]) => [
      ...pending.map(([id, plan]) => ({ ...plan, start: () => life.#resumeLook(id, plan.at) })),
      ...periods.map((plan, index) => ({ ...plan, start: () => life.#plan(index, plan.at) })),
    ]);
    for (const { start } of starts.sort((a, b) => a.order - b.order)) start();
  }

  #resumeLook(id: string, at: number): void {
    const [name = ''] = id.split('|', 1);
    const controller = this.#controllers.find((one) => one.name === name);
    if (controller === undefined) throw new Error(`There is no controller "${name}".`);
    this.look(controller, id.slice(name.length + 1), at - this.world.clock.now());
  }

  #changed(change: Change): void {
    this.children.note(change);
    for (const controller of this.#controllers) {
      for (const key of controller.interested(change, this)) this.look(controller, key, reaction);
    }
  }

  /** Reconciles a key after a delay (ms); an earlier pending reconciliation is kept. */
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
    this.#pending.set(id, { at, order: order++, cancel });
  }

  /** An object on which a controller fails must not stop the others. */
  #reconcile(controller: Controller, key: string): void {
    try {
      controller.reconcile(key, this);
    } catch (error) {
      process.stderr.write(`${controller.name} failed at ${key} and tries again: ${String(error)}\n`);
      this.look(controller, key, 30_000);
    }
  }

  /** Calls periodically. */
  every(ms: number, call: () => void): void {
    const at = this.world.clock.now() + ms;
    const index = this.#periods.push({ call, ms, next: { at, order } }) - 1;
    if (!this.#isContinued) this.#plan(index, at);
  }

  #plan(index: number, at: number): void {
    const period = this.#periods[index];
    if (period === undefined) return;
    period.next = { at, order: order++ };
    const { clock } = this.world;
    clock.after(at - clock.now(), () => {
      if (this.#stopped) return;
      period.call();
      this.#plan(index, clock.now() + period.ms);
    });
  }

  stop(): void {
    this.#stopped = true;
    for (const stop of this.#stops) stop();
    for (const { cancel } of this.#pending.values()) cancel();
    this.#pending.clear();
  }
}

/** Index of children by owner, and of pods by node. */
export class OwnerIndex {
  readonly #world: World;
  readonly #byOwner: Map<string, Map<string, readonly [string, string]>>;
  readonly #byNode: Map<string, Set<string>>;
  /** Pods with required anti-affinity. */
  readonly #averse: Set<string>;
  /** Keys of objects without a controller that one could adopt, by storage and namespace. */
  readonly #orphans: Map<string, Set<string>>;

  constructor(world: World, memory: Memory) {
    this.#world = world;
    this.#byOwner = memory.of('children', () => new Map());
    this.#byNode = memory.of('pods of nodes', () => new Map());
    this.#averse = memory.of('averse pods', () => new Set());
    this.#orphans = memory.of('orphans', () => new Map());
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
    const orphanKey = `${storage}|${(after ?? before)?.metadata.namespace ?? ''}`;
    const keys = this.#orphans.get(orphanKey) ?? new Set<string>();
    this.#orphans.set(orphanKey, keys);
    if (free) keys.add(key);
    else keys.delete(key);
  }

  /** The keys of pods, ReplicaSets and ControllerRevisions without a controller in a namespace. */
  orphans(storage: string, namespace: string): string[] {
    return Array.from(this.#orphans.get(`${storage}|${namespace}`) ?? []);
  }

  /** The children of an owner, of one storage or of all. */
  of(uid: string | undefined, storage?: string): Obj[] {
    const found: Obj[] = [];
    for (const [childStorage, key] of this.#byOwner.get(uid ?? '')?.values() ?? []) {
      if (storage !== undefined && childStorage !== storage) continue;
      const object = this.#world.store.get(childStorage, key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** Storage and key of every child of an owner. */
  keysOf(uid: string): (readonly [string, string])[] {
    return Array.from(this.#byOwner.get(uid)?.values() ?? []);
  }

  /** Scheduled pods with required anti-affinity. */
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
