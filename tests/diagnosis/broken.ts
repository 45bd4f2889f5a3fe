import { onTestFinished } from 'vitest';
import type { KubeObject } from '../../src/kube/object.ts';
import type { World } from '../../src/server/diagnosis/world.ts';
import { Lab } from '../playground/lab.ts';
import { apply, withdrawDefinitions, worldOf } from './lab-world.ts';
import { asked } from './score.ts';
import type { Situation } from './situations/situation.ts';

/** A situation after it has broken, with the object that is asked about. For as long as the test runs. */
export function broken({ manifests, after, ask }: Situation): {
  readonly world: World;
  readonly root: KubeObject;
} {
  const lab = new Lab();
  onTestFinished(() => withdrawDefinitions(lab.world));
  apply(lab.world, manifests);
  lab.advance(after);
  const world = worldOf(lab.world);
  const root = world.one(asked(ask));
  if (root === null || root === undefined) throw new Error(`There is no ${ask}.`);
  return { world, root };
}
