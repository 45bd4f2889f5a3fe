import { timestamp } from '../kit/clock.ts';
import { type Obj, type Rec, same, rec, str } from '../kit/values.ts';
import { conditionOf, moveCondition, withoutCondition } from './conditions.ts';
import { allOf, type Sets } from './revision.ts';
import {
  conditionsOf,
  count,
  deployments,
  limits,
  progressDeadline,
  replicasOf,
  type Rollout,
  rolloutCondition,
  setRolloutCondition,
  total,
} from './rollout.ts';
import { putStatus } from './write.ts';

/** Sets the condition of a paused or resumed rollout. */
export function notePause(rollout: Rollout, paused: boolean): void {
  if (progressDeadline(rollout.deployment) === undefined) return;
  const old = conditionOf(conditionsOf(rollout.deployment), 'Progressing');
  if (old?.['reason'] === 'ProgressDeadlineExceeded') return;
  const noted = old?.['reason'] === 'DeploymentPaused';
  if (paused === noted) return;
  const [reason, message] = paused
    ? ['DeploymentPaused', 'Deployment is paused']
    : ['DeploymentResumed', 'Deployment is resumed'];
  setRolloutCondition(rollout, rolloutCondition(rollout, 'Progressing', 'Unknown', reason, message));
}

/** The status of a Deployment: the sums over its sets, and its Available condition. */
function calculate(rollout: Rollout, sets: Sets): Rec {
  const { deployment, life } = rollout;
  const all = allOf(sets);
  const sum = (field: string) => total(all, (set) => count(set, field));
  const available = sum('availableReplicas');
  const numbers = {
    replicas: sum('replicas'),
    updatedReplicas: sets.current === undefined ? 0 : count(sets.current, 'replicas'),
    readyReplicas: sum('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, total(all, replicasOf) - available),
  };
  const enough = available >= replicasOf(deployment) - limits(deployment).unavailable;
  const condition = enough
    ? rolloutCondition(
        rollout,
        'Available',
        'True',
        'MinimumReplicasAvailable',
        'Deployment has minimum availability.',
      )
    : rolloutCondition(
        rollout,
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
      );
  return {
    observedGeneration: deployment.metadata.generation ?? 1,
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value > 0)),
    terminatingReplicas: sum('terminatingReplicas'),
    conditions: moveCondition(conditionsOf(deployment), condition, timestamp(life.world.clock.now())),
  };
}

/** Stores the status of a Deployment that is paused or being scaled. */
export function putCounts(rollout: Rollout, sets: Sets): void {
  const status = calculate(rollout, sets);
  rollout.deployment = putStatus(rollout.life.world, deployments, rollout.deployment, status);
}

const number = (status: Rec, field: string) => Number(status[field] ?? 0);

/** Whether a status shows a complete rollout. */
export function isComplete(deployment: Obj, status: Rec): boolean {
  const wanted = replicasOf(deployment);
  return (
    number(status, 'updatedReplicas') === wanted &&
    number(status, 'replicas') === wanted &&
    number(status, 'availableReplicas') === wanted &&
    number(status, 'observedGeneration') >= (deployment.metadata.generation ?? 0)
  );
}

function hasMoved(before: Rec, after: Rec): boolean {
  const old = (status: Rec) => number(status, 'replicas') - number(status, 'updatedReplicas');
  return (
    number(after, 'updatedReplicas') > number(before, 'updatedReplicas') ||
    old(after) < old(before) ||
    number(after, 'readyReplicas') > number(before, 'readyReplicas') ||
    number(after, 'availableReplicas') > number(before, 'availableReplicas')
  );
}

/** Stores the status of a rollout with its Progressing condition: progressing, complete, or past its deadline. */
export function putProgress(rollout: Rollout, sets: Sets): void {
  const { life, deployment } = rollout;
  const now = timestamp(life.world.clock.now());
  const before = rec(deployment['status']);
  const status = calculate(rollout, sets);
  let conditions = status['conditions'] as readonly Rec[];
  const deadline = progressDeadline(deployment);
  const progressing = conditionOf(conditionsOf(deployment), 'Progressing');
  const isDone =
    number(status, 'replicas') === number(status, 'updatedReplicas') &&
    progressing?.['reason'] === 'NewReplicaSetAvailable';
  if (deadline === undefined) conditions = withoutCondition(conditions, 'Progressing');
  else if (!isDone) {
    const subject =
      sets.current === undefined
        ? `Deployment "${deployment.metadata.name ?? ''}"`
        : `ReplicaSet "${sets.current.metadata.name ?? ''}"`;
    if (isComplete(deployment, status)) {
      const message = `${subject} has successfully progressed.`;
      const next = rolloutCondition(rollout, 'Progressing', 'True', 'NewReplicaSetAvailable', message);
      conditions = moveCondition(conditions, next, now);
    } else if (hasMoved(before, status)) {
      const message = `${subject} is progressing.`;
      const next = rolloutCondition(rollout, 'Progressing', 'True', 'ReplicaSetUpdated', message);
      const lastTransitionTime = progressing?.['status'] === 'True' ? progressing['lastTransitionTime'] : now;
      conditions = [...withoutCondition(conditions, 'Progressing'), { ...next, lastTransitionTime }];
    } else if (isLate(rollout, conditions, deadline)) {
      const message = `${subject} has timed out progressing.`;
      const next = rolloutCondition(rollout, 'Progressing', 'False', 'ProgressDeadlineExceeded', message);
      conditions = moveCondition(conditions, next, now);
    }
  }
  const failure = [...(sets.current === undefined ? [] : [sets.current]), ...sets.old]
    .map((set) => conditionOf(conditionsOf(set), 'ReplicaFailure'))
    .find((item) => item !== undefined);
  conditions =
    failure === undefined
      ? withoutCondition(conditions, 'ReplicaFailure')
      : moveCondition(conditions, { ...failure, lastUpdateTime: failure['lastTransitionTime'] }, now);
  const next = { ...status, conditions };
  if (!same(before, next)) rollout.deployment = putStatus(life.world, deployments, deployment, next);
}

function isLate({ life }: Rollout, conditions: readonly Rec[], deadline: number): boolean {
  const progressing = conditionOf(conditions, 'Progressing');
  if (progressing === undefined || progressing['reason'] === 'NewReplicaSetAvailable') return false;
  if (progressing['reason'] === 'ProgressDeadlineExceeded') return true;
  return Date.parse(str(progressing['lastUpdateTime'])) + deadline * 1000 < life.world.clock.now();
}

/** The ms until a rollout's deadline must be checked; undefined when there is none ahead. */
export function untilDeadline({ life, deployment }: Rollout): number | undefined {
  const deadline = progressDeadline(deployment);
  const progressing = conditionOf(conditionsOf(deployment), 'Progressing');
  if (deadline === undefined || progressing === undefined) return undefined;
  if (isComplete(deployment, rec(deployment['status']))) return undefined;
  if (
    progressing['reason'] === 'ProgressDeadlineExceeded' ||
    progressing['reason'] === 'NewReplicaSetAvailable'
  ) {
    return undefined;
  }
  const remaining = Date.parse(str(progressing['lastUpdateTime'])) + deadline * 1000 - life.world.clock.now();
  return Math.max(0, remaining) + 1_000;
}
