import { epochSeconds } from './age.ts';
import type { Deployment } from './apps.ts';
import type { HorizontalPodAutoscaler } from './autoscaling.ts';
import type { Node } from './infrastructure.ts';
import type { KubeObject } from './object.ts';
import { isPlainObject } from './plain.ts';
import { condition } from './workload-status.ts';

/** What last changed an object, as far as it tells by itself. */
export interface LastChange {
  /**
   * `created`: nothing but its creation is known; `edited`: somebody wrote something of the spec;
   * `rolled-out`: the newest pod template replaced the one before; `scaled`: by an autoscaler; `cordoned`: a node.
   */
  readonly what: 'created' | 'edited' | 'rolled-out' | 'scaled' | 'cordoned';
  /** Epoch seconds. */
  readonly at: number;
  /** The field manager that wrote it: `helm`, `kubectl-edit`. Absent where the object does not say. */
  readonly by?: string;
  /** The revision that was rolled out, or the number of pods it was scaled to. */
  readonly to?: number;
}

/** Parts of the control plane write all the time, and on behalf of others. */
const isControlPlane = (manager: string) =>
  manager.startsWith('kube-') || manager === 'kubelet' || manager === 'cloud-controller-manager';

/** The longest name of a field manager, by the API's validation. */
const longestManager = 128;

interface Write {
  readonly at: number;
  readonly by: string;
  /** What the manager owns below `spec`, as managed fields say it. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Who wrote what below `spec`, and when: labels and annotations are written by machines, all the time. */
function specWrites({ metadata }: KubeObject): readonly Write[] {
  // Of an object of the cluster, which is not bound to our types.
  const managed: unknown = metadata?.managedFields;
  return (Array.isArray(managed) ? managed : []).flatMap((entry: unknown) => {
    if (!isPlainObject(entry)) return [];
    const { manager, time, subresource = '', fieldsV1 } = entry;
    const spec = isPlainObject(fieldsV1) ? fieldsV1['f:spec'] : undefined;
    const at = typeof time === 'string' ? epochSeconds(time) : null;
    if (typeof manager !== 'string' || manager === '' || manager.length > longestManager) return [];
    if (at === null || subresource !== '' || !isPlainObject(spec) || isControlPlane(manager)) return [];
    return [{ at, by: manager, spec }];
  });
}

const newestOf = <T extends { readonly at: number }>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>((best, one) => (best === undefined || one.at > best.at ? one : best), undefined);

/** That an object was created; undefined for one without that time. */
export function creation({ metadata }: KubeObject): LastChange | undefined {
  const at = epochSeconds(metadata?.creationTimestamp);
  return at === null ? undefined : { what: 'created', at };
}

/** The last write of somebody to the spec, by the managed fields; else the creation. */
export function lastEdit(object: KubeObject): LastChange | undefined {
  const created = creation(object);
  const last = newestOf(specWrites(object));
  if (last === undefined) return created;
  return { what: created?.at === last.at ? 'created' : 'edited', at: last.at, by: last.by };
}

/** That a node was cordoned, where it says who did it; else its creation. */
export function lastCordon(object: Node): LastChange | undefined {
  if (object.spec?.unschedulable !== true) return creation(object);
  const last = newestOf(specWrites(object).filter(({ spec }) => 'f:unschedulable' in spec));
  return last === undefined ? creation(object) : { what: 'cordoned', at: last.at, by: last.by };
}

/**
 * The last change of a Deployment: its last finished rollout, unless somebody wrote to it since. The first revision is
 * its creation.
 * @param revision the present one, 0 where it is not known
 */
export function lastRollout(object: Deployment, revision: number): LastChange | undefined {
  const progressing = condition(object.status?.conditions, 'Progressing');
  const at =
    progressing?.reason === 'NewReplicaSetAvailable' ? epochSeconds(progressing.lastUpdateTime) : null;
  const rollout: LastChange | undefined =
    at === null || revision < 2 ? undefined : { what: 'rolled-out', at, to: revision };
  return newestOf([lastEdit(object), rollout].filter((one) => one !== undefined));
}

/** The last change of an autoscaler: that it scaled, unless somebody wrote to it since. */
export function lastScaling(object: HorizontalPodAutoscaler): LastChange | undefined {
  const { lastScaleTime, desiredReplicas } = object.status ?? {};
  const at = epochSeconds(lastScaleTime);
  const scaling: LastChange | undefined =
    at === null || desiredReplicas === undefined ? undefined : { what: 'scaled', at, to: desiredReplicas };
  return newestOf([lastEdit(object), scaling].filter((one) => one !== undefined));
}
