import { onTestFinished } from 'vitest';
import type { KubeObject } from '../../src/kube/object.ts';
import type { World } from '../../src/server/diagnosis/world.ts';
import { Lab } from '../playground/lab.ts';
import { LabStage, withdrawDefinitions, worldOf } from './lab-world.ts';
import { asked, perform } from './score.ts';
import type { Situation } from './situations/situation.ts';

/** A situation after it has broken, with the object that is asked about. For as long as the test runs. */
export async function broken(situation: Situation): Promise<{
  readonly world: World;
  readonly root: KubeObject;
}> {
  const lab = new Lab();
  onTestFinished(() => withdrawDefinitions(lab.world));
  await perform(situation, new LabStage(lab));
  const world = worldOf(lab.world);
  const root = world.one(asked(situation.ask));
  if (root === null || root === undefined) throw new Error(`There is no ${situation.ask}.`);
  return { world, root };
}
