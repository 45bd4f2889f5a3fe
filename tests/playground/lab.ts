import { ManualClock } from '../../src/playground/kit/clock.ts';
import type { Life } from '../../src/playground/life/engine.ts';
import { startLife } from '../../src/playground/life/life.ts';
import { create, put, resourceAt } from '../../src/playground/life/write.ts';
import type { World } from '../../src/playground/store/world.ts';
import { deleteObject } from '../../src/playground/objects/deletion.ts';
import { seededChance } from '../../src/playground/kit/random.ts';
import { loadRegistry } from '../../src/playground/registry/registry.ts';
import { createNode } from '../../src/playground/seeds/nodes.ts';
import { setImage } from '../../src/playground/seeds/release.ts';
import { plantSystem } from '../../src/playground/seeds/system.ts';
import { Store } from '../../src/playground/store/store.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../../src/playground/kit/values.ts';
import { podHealth } from '../../src/kube/pod-status.ts';

const registry = loadRegistry();

/** A small cluster on a clock advanced by hand, without a server in front. */
export class Lab {
  readonly clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));
  readonly world: World;
  readonly life: Life;

  constructor({ nodes = 3 }: { nodes?: number } = {}) {
    this.world = {
      store: new Store(10_000),
      registry,
      clock: this.clock,
      chance: seededChance(7),
      serviceAccounts: true,
    };
    plantSystem(this.world);
    for (let index = 0; index < nodes; index++) {
      createNode(this.world, { name: `node-${index + 1}`, zone: 'east-1a', cpu: 4, memory: 8 }, index);
    }
    this.life = startLife(this.world);
    this.advance(1);
  }

  /** Seconds. */
  advance(seconds: number): void {
    this.clock.advance(seconds * 1000);
  }

  /** Creates a Deployment in the default namespace. */
  deploy(
    name: string,
    {
      replicas = 3,
      image = 'example/app:1',
      behaviour,
      spec = {},
      resources,
    }: { replicas?: number; image?: string; behaviour?: string; spec?: Rec; resources?: Rec } = {},
  ): void {
    create(this.world, 'apps/deployments', 'default', {
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        ...spec,
        template: {
          metadata: {
            labels: { app: name },
            ...(behaviour === undefined ? {} : { annotations: { 'playground/behaviour': behaviour } }),
          },
          spec: { containers: [{ name: 'main', image, ...(resources === undefined ? {} : { resources }) }] },
        },
      },
    });
  }

  release(name: string, image: string): void {
    setImage(this.world, 'default', name, image);
  }

  deployment(name: string): Obj {
    return this.get('apps/deployments', name);
  }

  get(storage: string, name: string): Obj {
    const found = this.world.store.get(storage, `default/${name}`);
    if (found === undefined) throw new Error(`there is no ${name} at ${storage}`);
    return found;
  }

  change(storage: string, object: Obj): void {
    put(this.world, storage, object);
  }

  remove(storage: string, name: string, propagationPolicy?: string): void {
    deleteObject(this.world, resourceAt(this.world, storage), 'default', name, { propagationPolicy });
  }

  pods(app?: string): Obj[] {
    return this.world.store
      .list('/pods', 'default/')
      .filter((pod) => app === undefined || pod.metadata.labels?.['app'] === app);
  }

  /** What kubectl's STATUS column says of each pod. */
  statuses(app: string): string[] {
    return this.pods(app).map((pod) => podHealth(pod).reason);
  }

  condition(object: Obj, type: string): Rec {
    return rec(recs(at(object, 'status', 'conditions')).find((item) => item['type'] === type));
  }

  events(name: string): string[] {
    return this.world.store
      .list('/events', 'default/')
      .filter((event) => str(at(event, 'involvedObject', 'name')).startsWith(name))
      .map((event) => `${str(event['type'])} ${str(event['reason'])}: ${str(event['message'])}`);
  }
}
