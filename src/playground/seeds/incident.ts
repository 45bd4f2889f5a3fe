import { report } from '../life/write.ts';
import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, recs, str } from '../kit/values.ts';
import { setImage } from './release.ts';

const minute = 60_000;
const subject = { namespace: 'platform', name: 'feature-flags' };
/** Delays, ms: from the start to the first incident, to its alarm, to its rollback, and between incidents. */
const times = { first: 7 * minute, alarm: 1.5 * minute, rollback: 4 * minute, pause: 24 * minute };

const deploymentOf = (world: World): Obj | undefined =>
  world.store.get('apps/deployments', keyOf(subject.namespace, subject.name));

const imageOf = (deployment: Obj): string =>
  str(recs(at(deployment, 'spec', 'template', 'spec', 'containers'))[0]?.['image']);

/**
 * Repeats an incident: a release with a missing image, its alarm, and its rollback, which happens only if the bad
 * release is still in place. Returns a function that stops it.
 */
export function incidents(world: World): () => void {
  let cancel = () => {};
  const after = (ms: number, call: () => void) => {
    cancel = world.clock.after(ms, call);
  };
  const reportEvent = (type: 'Normal' | 'Warning', reason: string, message: string, component: string) => {
    const deployment = deploymentOf(world);
    if (deployment !== undefined) report(world, deployment, { type, reason, message, component });
  };
  const begin = () => {
    const deployment = deploymentOf(world);
    const workingImage = deployment === undefined ? '' : imageOf(deployment);
    if (workingImage === '' || workingImage.endsWith('-missing')) {
      after(times.pause, begin);
      return;
    }
    const missingImage = `${workingImage}-missing`;
    setImage(world, subject.namespace, subject.name, missingImage);
    after(times.alarm, () => {
      reportEvent(
        'Warning',
        'RolloutStuck',
        `KubeDeploymentRolloutStuck: pods of ${subject.namespace}/${subject.name} cannot pull ${missingImage}`,
        'alertmanager',
      );
      after(times.rollback - times.alarm, () => {
        after(times.pause - times.rollback, begin);
        const now = deploymentOf(world);
        if (now === undefined || imageOf(now) !== missingImage) return;
        setImage(world, subject.namespace, subject.name, workingImage);
        reportEvent(
          'Normal',
          'RolledBack',
          `Rolled back from ${missingImage} to ${workingImage}`,
          'argocd-application-controller',
        );
      });
    });
  };
  after(times.first, begin);
  return () => cancel();
}
