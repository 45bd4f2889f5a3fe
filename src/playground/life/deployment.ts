import { controllerOf } from '../../kube/owners.ts';
import { keyOf } from '../store/store.ts';
import { at, rec } from '../kit/values.ts';
import { adopt } from './adopt.ts';
import type { Controller, Life } from './engine.ts';
import { findSets, forgetSets, type Sets } from './revision.ts';
import { isScaling, recreate, rollOn, scaleSets } from './rolling.ts';
import { component, deployments, isRolling, replicaSets, type Rollout } from './rollout.ts';
import { isComplete, notePause, putCounts, putProgress, untilDeadline } from './rollout-status.ts';

/** Rolls ReplicaSets so that pods follow a Deployment's template. */
export const deploymentController: Controller = {
  name: component,
  interested: ({ storage: changedStorage, key, before, after }, life) => {
    if (changedStorage === deployments) return [key];
    if (changedStorage === '/pods') {
      // A Deployment that recreates waits for its last old pod.
      const owner = controllerOf(after ?? before);
      return after === undefined && owner?.kind === 'ReplicaSet'
        ? ownerOf(keyOf(before?.metadata.namespace, owner.name), life)
        : [];
    }
    if (changedStorage !== replicaSets) return [];
    const owner = controllerOf(after ?? before);
    return owner?.kind === 'Deployment' ? [keyOf((after ?? before)?.metadata.namespace, owner.name)] : [];
  },
  reconcile: (key, life) => {
    const deployment = life.world.store.get(deployments, key);
    if (deployment === undefined) return;
    const rollout: Rollout = { life, key, deployment };
    if (deployment.metadata.deletionTimestamp !== undefined) {
      putCounts(rollout, findSetsOf(rollout, false));
      return;
    }
    roll(rollout);
    const checkAfter = untilDeadline(rollout);
    if (checkAfter !== undefined) life.look(deploymentController, key, checkAfter);
  },
};

function ownerOf(set: string, life: Life): string[] {
  const found = life.world.store.get(replicaSets, set);
  const owner = controllerOf(found);
  if (owner?.kind !== 'Deployment') return [];
  const key = keyOf(found?.metadata.namespace, owner.name);
  const deployment = life.world.store.get(deployments, key);
  return deployment === undefined || isRolling(deployment) ? [] : [key];
}

function findSetsOf(rollout: Rollout, make: boolean): Sets {
  const owned = rollout.life.children.of(rollout.deployment.metadata.uid, replicaSets);
  return findSets(rollout, owned, make);
}

function roll(rollout: Rollout): void {
  adopt(rollout.life, rollout.deployment, replicaSets);
  const paused = at(rollout.deployment, 'spec', 'paused') === true;
  notePause(rollout, paused);
  const existingSets = findSetsOf(rollout, false);
  if (paused || isScaling(rollout, existingSets)) {
    scaleSets(rollout, existingSets);
    const after = findSetsOf(rollout, false);
    if (paused) forgetSets(rollout, after.old);
    putCounts(rollout, after);
    return;
  }
  if (isRolling(rollout.deployment)) {
    const sets = findSetsOf(rollout, true);
    if (!rollOn(rollout, sets)) forgetWhenDone(rollout, sets);
  } else
    forgetWhenDone(
      rollout,
      recreate(rollout, existingSets, () => findSetsOf(rollout, true)),
    );
  putProgress(rollout, findSetsOf(rollout, false));
}

function forgetWhenDone(rollout: Rollout, sets: Sets): void {
  if (isComplete(rollout.deployment, rec(rollout.deployment['status']))) forgetSets(rollout, sets.old);
}
