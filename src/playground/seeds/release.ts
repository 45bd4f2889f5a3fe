import { putSpec } from '../life/write.ts';
import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import { rec, recs } from '../kit/values.ts';
import { eras } from './company.ts';
import { storageOf, type Workload } from './workload.ts';

/** Sets the image of a Deployment's first container, and its version label. */
export function setImage(world: World, namespace: string, name: string, image: string): void {
  const deployment = world.store.get('apps/deployments', keyOf(namespace, name));
  if (deployment === undefined) return;
  const spec = rec(deployment['spec']);
  const template = rec(spec['template']);
  const podSpec = rec(template['spec']);
  const [first, ...others] = recs(podSpec['containers']);
  const metadata = rec(template['metadata']);
  const labels = {
    ...rec(metadata['labels']),
    'app.kubernetes.io/version': image.slice(image.lastIndexOf(':') + 1),
  };
  putSpec(world, 'apps/deployments', deployment, {
    ...spec,
    template: {
      ...template,
      metadata: { ...metadata, labels },
      spec: { ...podSpec, containers: [{ ...first, image }, ...others] },
    },
  });
}

/** Healthy workloads with several pods, which simulated activity may change. */
export function healthyDeployments(): readonly Workload[] {
  return eras
    .flatMap((era) => era.workloads)
    .filter(
      (workload) =>
        storageOf(workload) === 'apps/deployments' &&
        workload.behaviour === undefined &&
        (workload.replicas ?? 1) > 1 &&
        workload.namespace !== 'kube-system',
    );
}
