import { ManualClock } from '../kit/clock.ts';
import { establishDefinitions } from '../objects/definitions.ts';
import { startLife } from '../life/life.ts';
import { offerMetrics } from '../metrics/serve.ts';
import type { World } from '../store/world.ts';
import { churn } from './activity.ts';
import { plantBulk } from './bulk.ts';
import { type History, pastOf, plantCompany } from './history.ts';
import { plantStaging, stagingPast } from './staging.ts';
import { plantSystem } from './system.ts';

/** Contents of a new playground. */
export interface Planting {
  readonly seed: string;
  readonly controllers: boolean;
  /** Whether to simulate releases, scalings and evictions. */
  readonly activity: boolean;
  /** Changes of pods per second. */
  readonly churn: number;
  /** The company's past, from which the world was made; it is then continued instead of played. */
  readonly history?: History;
  /** Called with the company's past once it has been played. */
  readonly onPlayed?: (history: History) => void;
}

/** A running world, with a function that stops it. */
export interface Planted {
  readonly world: World;
  stop(): void;
}

/** Seeds a new world and starts its controllers. Throws on an unknown seed. */
export function plant(bare: World, planting: Planting): Planted {
  const { seed, controllers, churn: rate, history } = planting;
  const bulk = /^bulk:(\d+)$/.exec(seed)?.[1];
  const stops: (() => void)[] = [];
  let world = bare;
  if (seed === 'company') {
    const past = new ManualClock(history?.now ?? bare.clock.now() - pastOf());
    world = { ...bare, clock: past, serviceAccounts: true };
    if (history === undefined) plantSystem(world);
    const kinds = establishDefinitions(world);
    kinds.settle();
    offerMetrics(world);
    stops.push(kinds.stop, plantCompany(world, past, bare.clock, kinds.settle, planting));
  } else if (seed === 'staging') {
    const past = new ManualClock(bare.clock.now() - stagingPast);
    world = { ...bare, clock: past, serviceAccounts: true };
    plantSystem(world);
    offerMetrics(world);
    stops.push(plantStaging(world, past, bare.clock, controllers));
  } else if (seed === 'none' || bulk !== undefined) {
    world = { ...bare, serviceAccounts: controllers };
    plantSystem(world);
    if (bulk !== undefined) plantBulk(world, Number(bulk));
    if (controllers) {
      const life = startLife(world);
      offerMetrics(world);
      stops.push(() => life.stop());
    }
  } else throw new Error(`There is no seed "${seed}": use company, staging, none or bulk:N.`);
  if (seed !== 'company') stops.push(establishDefinitions(world).stop);
  if (rate > 0) stops.push(churn(world, rate));
  return {
    world,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
