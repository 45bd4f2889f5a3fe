import { epochSeconds } from './age.ts';
import type { Deployment } from './apps.ts';
import type { HorizontalPodAutoscaler } from './autoscaling.ts';
import type { Node } from './infrastructure.ts';
import type { KubeObject } from './object.ts';
import { isPlainObject } from './plain.ts';
import { condition } from './workload-status.ts';

/** The latest change of an object, as far as the object records it. */
export interface LastChange {
  /**
   * `created`: only the creation is known; `edited`: somebody wrote to the spec; `rolled-out`: a new pod template
   * replaced the previous one; `scaled`: by an autoscaler; `cordoned`: a node.
   */
  readonly what: 'created' | 'edited' | 'rolled-out' | 'scaled' | 'cordoned';
  /** Epoch seconds. */
  readonly at: number;
  /** The field manager of the write: `helm`, `kubectl-edit`. Absent if unknown. */
  readonly by?: string;
  /** The revision that was rolled out, or the number of pods after scaling. */
  readonly to?: number;
}

/** Control plane components write constantly and on behalf of others. */
const isControlPlane = (manager: string) =>
  manager.startsWith('kube-') || manager === 'kubelet' || manager === 'cloud-controller-manager';

/** Maximum length of a field manager's name, by the API's validation. */
const maxManagerLength = 128;

interface Write {
  readonly at: number;
  readonly by: string;
  /** What the manager owns below `spec`, in the format of managed fields. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/**
 * Who wrote which fields below `spec`, and when. Labels and annotations do not count, because controllers write them
 * constantly.
 */
function specWrites({ metadata }: KubeObject): readonly Write[] {
  // Objects from a cluster need not match our types.
  const managed: unknown = metadata?.managedFields;
  return (Array.isArray(managed) ? managed : []).flatMap((entry: unknown) => {
    if (!isPlainObject(entry)) return [];
    const { manager, time, subresource = '', fieldsV1 } = entry;
    const spec = isPlainObject(fieldsV1) ? fieldsV1['f:spec'] : undefined;
    const at = typeof time === 'string' ? epochSeconds(time) : null;
    if (typeof manager !== 'string' || manager === '' || manager.length > maxManagerLength) return [];
    if (at === null || subresource !== '' || !isPlainObject(spec) || isControlPlane(manager)) return [];
    return [{ at, by: manager, spec }];
  });
}

const newestOf = <T extends { readonly at: number }>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>((best, one) => (best === undefined || one.at > best.at ? one : best), undefined);

/** The creation of an object; undefined if it has no creation time. */
export function creation({ metadata }: KubeObject): LastChange | undefined {
  const at = epochSeconds(metadata?.creationTimestamp);
  return at === null ? undefined : { what: 'created', at };
}

/** The latest write to the spec by its managed fields; otherwise the creation. */
export function lastEdit(object: KubeObject): LastChange | undefined {
  const created = creation(object);
  const last = newestOf(specWrites(object));
  if (last === undefined) return created;
  return { what: created?.at === last.at ? 'created' : 'edited', at: last.at, by: last.by };
}

/** When and by whom a node was cordoned, if it records that; otherwise its creation. */
export function lastCordon(object: Node): LastChange | undefined {
  if (object.spec?.unschedulable !== true) return creation(object);
  const last = newestOf(specWrites(object).filter(({ spec }) => 'f:unschedulable' in spec));
  return last === undefined ? creation(object) : { what: 'cordoned', at: last.at, by: last.by };
}

/**
 * The latest change of a Deployment: its last finished rollout, or a later write to its spec. The first revision counts
 * as its creation.
 * @param revision the current revision, 0 if unknown
 */
export function lastRollout(object: Deployment, revision: number): LastChange | undefined {
  const progressing = condition(object.status?.conditions, 'Progressing');
  const at =
    progressing?.reason === 'NewReplicaSetAvailable' ? epochSeconds(progressing.lastUpdateTime) : null;
  const rollout: LastChange | undefined =
    at === null || revision < 2 ? undefined : { what: 'rolled-out', at, to: revision };
  return newestOf([lastEdit(object), rollout].filter((one) => one !== undefined));
}

/** The latest change of an autoscaler: its last scaling, or a later write to its spec. */
export function lastScaling(object: HorizontalPodAutoscaler): LastChange | undefined {
  const { lastScaleTime, desiredReplicas } = object.status ?? {};
  const at = epochSeconds(lastScaleTime);
  const scaling: LastChange | undefined =
    at === null || desiredReplicas === undefined ? undefined : { what: 'scaled', at, to: desiredReplicas };
  return newestOf([lastEdit(object), scaling].filter((one) => one !== undefined));
}
