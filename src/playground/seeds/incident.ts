import { report } from '../life/write.ts';
import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, recs, str } from '../kit/values.ts';
import { setImage } from './release.ts';

const minute = 60_000;
const subject = { namespace: 'platform', name: 'feature-flags' };
/** The first time after the start, how long until it is seen, until it is rolled back, and from one to the next, ms. */
const times = { first: 7 * minute, alarm: 1.5 * minute, rollback: 4 * minute, pause: 24 * minute };

const deploymentOf = (world: World): Obj | undefined =>
  world.store.get('apps/deployments', keyOf(subject.namespace, subject.name));

const imageOf = (deployment: Obj): string =>
  str(recs(at(deployment, 'spec', 'template', 'spec', 'containers'))[0]?.['image']);

/**
 * An incident that recurs: a release whose image was never pushed, the alarm that it raises, and its rollback. Nobody
 * else's change is undone: a rollback happens only where the bad release still stands. Returns how to stop.
 */
export function incidents(world: World): () => void {
  let cancel = () => {};
  const after = (ms: number, call: () => void) => {
    cancel = world.clock.after(ms, call);
  };
  const tell = (type: 'Normal' | 'Warning', reason: string, message: string, component: string) => {
    const deployment = deploymentOf(world);
    if (deployment !== undefined) report(world, deployment, { type, reason, message, component });
  };
  const begin = () => {
    const deployment = deploymentOf(world);
    const good = deployment === undefined ? '' : imageOf(deployment);
    if (good === '' || good.endsWith('-missing')) {
      after(times.pause, begin);
      return;
    }
    const bad = `${good}-missing`;
    setImage(world, subject.namespace, subject.name, bad);
    after(times.alarm, () => {
      tell(
        'Warning',
        'RolloutStuck',
        `KubeDeploymentRolloutStuck: pods of ${subject.namespace}/${subject.name} cannot pull ${bad}`,
        'alertmanager',
      );
      after(times.rollback - times.alarm, () => {
        after(times.pause - times.rollback, begin);
        const now = deploymentOf(world);
        if (now === undefined || imageOf(now) !== bad) return;
        setImage(world, subject.namespace, subject.name, good);
        tell('Normal', 'RolledBack', `Rolled back from ${bad} to ${good}`, 'argocd-application-controller');
      });
    });
  };
  after(times.first, begin);
  return () => cancel();
}
