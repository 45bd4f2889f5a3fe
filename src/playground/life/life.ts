import type { World } from '../store/world.ts';
import { roleAggregator } from './aggregate.ts';
import { budgetController } from './budget.ts';
import { cronJobController } from './cronjob.ts';
import { daemonSetController } from './daemonset.ts';
import { deploymentController } from './deployment.ts';
import { endpointsController } from './endpoints.ts';
import { Life, type SavedLife } from './engine.ts';
import { garbageCollector } from './garbage.ts';
import { autoscaler } from './autoscaler.ts';
import { jobController } from './job.ts';
import { kubelet } from './kubelet.ts';
import { namespaceController } from './namespace.ts';
import { nodeHeartbeat } from './node.ts';
import { nodeLifecycle } from './node-lifecycle.ts';
import { nodePressure } from './pressure.ts';
import { quotaController } from './quota.ts';
import { replicaSetController } from './replicaset.ts';
import { scheduler } from './scheduler.ts';
import { statefulSetController } from './statefulset.ts';
import { taintEviction } from './taint-eviction.ts';
import { volumeExpander } from './volume-expand.ts';
import { volumeBinder } from './volume.ts';

/** Starts every controller on a world. @param saved state of the life that it continues */
export function startLife(world: World, saved?: SavedLife): Life {
  const controllers = [
    deploymentController,
    replicaSetController,
    statefulSetController,
    daemonSetController,
    jobController,
    cronJobController,
    budgetController,
    autoscaler,
    scheduler,
    kubelet,
    endpointsController,
    volumeBinder,
    volumeExpander,
    garbageCollector,
    namespaceController,
    quotaController,
    roleAggregator,
    nodeHeartbeat,
    nodeLifecycle,
    taintEviction,
    nodePressure,
  ];
  return new Life(world, controllers, saved);
}
