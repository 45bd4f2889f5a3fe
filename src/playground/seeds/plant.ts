import type { World } from '../objects.ts';
import { plantSystem } from './system.ts';

/** What a playground starts with. */
export interface Planting {
  readonly seed: string;
  readonly controllers: boolean;
  readonly churn: number;
}

/** A world with life in it, and how to stop that. */
export interface Planted {
  readonly world: World;
  stop(): void;
}

/** Fills a new world. Throws on an unknown seed. */
export function plant(world: World, { seed }: Planting): Planted {
  plantSystem(world);
  if (seed !== 'none') throw new Error(`There is no seed "${seed}": use company, none or bulk:N.`);
  return { world, stop: () => undefined };
}
