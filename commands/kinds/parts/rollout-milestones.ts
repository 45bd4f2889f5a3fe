import type { WorkloadHealth } from '../../../src/kube/workload-status.ts';
import type { Milestones } from '../../../src/registry/kinds/milestone.ts';

/** The events of `rolloutMilestones`. */
const events = ['rollout.done', 'rollout.failed'] as const satisfies Milestones<never>['events'];

/**
 * The milestones of a workload: that the rollout of its newest template is done, or failed. A workload that loses pods
 * later or is scaled rolls nothing out.
 * @param read the workload's health, and another text for another template; undefined where it rolls nothing out itself
 */
export function rolloutMilestones<T>(
  read: (object: T) => { readonly health: WorkloadHealth; readonly revision: string | number } | undefined,
): Milestones<T> {
  return {
    events,
    of(object) {
      const found = read(object);
      if (found === undefined) return undefined;
      const { health, revision } = found;
      const failed = {
        event: 'rollout.failed',
        mark: `${revision} failed`,
        state: 'Rollout failed',
      } as const;
      switch (health.state) {
        case 'available':
        case 'empty':
          return [{ event: 'rollout.done', mark: `${revision} done`, state: 'Rollout done' }];
        case 'stuck':
          return [failed];
        case 'progressing':
          return health.later?.state === 'stuck' ? [{ ...failed, from: health.later.at }] : [];
        case 'degraded':
        case 'unavailable':
        case 'paused':
          break;
      }
      // It lost pods after its rollout, or somebody holds it.
      return undefined;
    },
  };
}
