import { epochSeconds } from '../../../src/kube/age.ts';
import { imagesOf, type PodTemplate, restartedAtAnnotation } from '../../../src/kube/apps.ts';
import { type ObjectAddress, objectPath, patchTypes } from '../../../src/kube/change.ts';
import { shellWord } from '../../../src/kube/kubectl.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { controllerOf } from '../../../src/kube/owners.ts';
import {
  progressDeadline,
  type WorkloadHealth,
  type WorkloadState,
} from '../../../src/kube/workload-status.ts';
import type { Attention } from '../../../src/registry/kinds/attention.ts';
import type { Column, Field, KindStatus } from '../../../src/registry/kinds/kind.ts';
import { type KindAction, kindAction, lowers } from '../../../src/registry/kinds/kind-action.ts';
import { objectCell } from '../../../src/registry/kinds/object-cell.ts';

/** Tone and label of each state of a workload. */
const statuses: Readonly<Record<WorkloadState, KindStatus>> = {
  available: { tone: 'ok', label: 'Available' },
  progressing: { tone: 'info', label: 'Progressing' },
  paused: { tone: 'idle', label: 'Paused' },
  stuck: { tone: 'bad', label: 'Rollout stuck' },
  unavailable: { tone: 'bad', label: 'Unavailable' },
  degraded: { tone: 'warn', label: 'Degraded' },
  empty: { tone: 'idle', label: 'Scaled to 0' },
};

/**
 * The status of a workload by its health.
 * @param own labels of the kind that replace the general ones
 */
export function workloadStatus(
  { state, later }: WorkloadHealth,
  own: Partial<Readonly<Record<WorkloadState, KindStatus>>> = {},
): KindStatus {
  const of = (one: WorkloadState) => own[one] ?? statuses[one];
  return later === undefined ? of(state) : { ...of(state), later: { at: later.at, status: of(later.state) } };
}

/** An object with a pod template. */
interface Templated {
  spec?: { replicas?: number; template?: PodTemplate };
}

/** Ready and desired pods, containers or addresses: `1/2`. */
export const readyColumn = <T>(
  count: (object: T) => Pick<WorkloadHealth, 'ready' | 'desired'>,
): Column<T> => ({
  id: 'ready',
  label: 'Ready',
  format: 'ratio',
  value: (object) => {
    const { ready, desired } = count(object);
    return `${ready}/${desired}`;
  },
});

/** The images of the pod template. */
export const imagesColumn = {
  id: 'images',
  label: 'Images',
  format: 'list',
  links: { to: 'image' },
  dropAt: 4,
  value: (object) => imagesOf(object.spec?.template),
} as const satisfies Column<Templated>;

/** The controller of an object: kind and name. */
export const ownerColumn: Column<KubeObject> = {
  id: 'owner',
  label: 'Owner',
  format: 'object',
  links: { to: 'object' },
  value: (object) => {
    const owner = controllerOf(object);
    return owner === undefined ? null : objectCell(owner.apiVersion, owner.kind, owner.name);
  },
};

/** Container names, in the wide table. */
export const containersColumn: Column<Templated> = {
  id: 'containers',
  label: 'Containers',
  format: 'list',
  wide: true,
  dropAt: 6,
  value: (object) => object.spec?.template?.spec?.containers?.flatMap(({ name }) => name ?? []) ?? [],
};

/** The first fields of a workload's section “Spec”. */
export const workloadFields: readonly Field<Templated>[] = [
  {
    label: 'Images',
    format: 'mono',
    value: (object) => imagesOf(object.spec?.template),
    links: { to: 'image' },
  },
  { label: 'Replicas', format: 'number', value: (object) => object.spec?.replicas ?? 1 },
];

/** The rule ids of `workloadAttention`. */
export const workloadRules = (kindId: string): readonly string[] => [
  `${kindId}.rollout-stuck`,
  `${kindId}.unavailable`,
  `${kindId}.degraded`,
];

/** The problem of a workload, now or after its deadline. */
export function workloadAttention(
  kindId: string,
  health: WorkloadHealth,
  rollback?: string,
): Attention | undefined {
  const { later, message } = health;
  const state = later?.state ?? health.state;
  const since = typeof health.since === 'number' ? health.since : epochSeconds(health.since);
  const details = {
    ...(message === undefined ? {} : { detail: message }),
    ...(since === null ? {} : { since }),
    // Of several writes to the status only the latest is recorded.
    ...(since !== null && typeof health.since === 'number' ? { isSinceLatest: true as const } : {}),
    ...(later === undefined ? {} : { notBefore: later.at }),
    extent: Math.max(1, health.desired - health.available),
  };
  if (state === 'stuck') {
    return {
      rule: `${kindId}.rollout-stuck`,
      tone: 'bad',
      title:
        later === undefined
          ? 'The rollout made no progress before its deadline.'
          : `The rollout has made no progress for ${progressDeadline / 60} minutes.`,
      isHard: true,
      ...(rollback === undefined ? {} : { action: rollback }),
      ...details,
    };
  }
  if (state !== 'unavailable' && state !== 'degraded') return undefined;
  return {
    rule: `${kindId}.${state}`,
    tone: state === 'unavailable' ? 'bad' : 'warn',
    title: `${health.available} of ${health.desired} replicas are available.`,
    ...details,
  };
}

/** A workload as argument of kubectl: `deployment/api -n shop`. */
const kubectlWorkload = (kindId: string, { namespace = 'default', name }: ObjectAddress) =>
  `${shellWord(`${kindId}/${name}`)} -n ${shellWord(namespace)}`;

/** Restarts a workload with a pod template, as `kubectl rollout restart` does. */
export function restartAction(kindId: string): KindAction {
  return kindAction<KubeObject & { spec?: { template?: PodTemplate } }>({
    id: `${kindId}.restart`,
    title: 'Restart',
    description: 'Replaces every pod, a few at a time, by the rollout strategy.',
    done: 'restarted',
    icon: 'restart',
    keywords: ['rollout', 'reboot', 'recreate', 'bounce'],
    keys: 'r',
    prominent: true,
    endsPods: true,
    enabled: ({ facts }) => (facts['isPaused'] === true ? 'The rollout is paused. Resume it first.' : true),
    requests: (_object, _args, { now, address }) => [
      {
        method: 'PATCH',
        path: objectPath(address),
        contentType: patchTypes.strategic,
        body: { spec: { template: { metadata: { annotations: { [restartedAtAnnotation]: now } } } } },
      },
    ],
    kubectl: (address) => `kubectl rollout restart ${kubectlWorkload(kindId, address)}`,
  });
}

/** Scales by the scale subresource; the dialog says which autoscaler will scale it again. Needs the fact `replicas`. */
export function scaleAction(kindId: string): KindAction {
  return kindAction<
    KubeObject,
    { replicas: { type: 'number'; label: string; min: number; max: number; from: string } }
  >({
    id: `${kindId}.scale`,
    title: 'Scale…',
    description: 'Sets how many pods should run.',
    done: 'scaled',
    icon: 'scale',
    keywords: ['replicas', 'resize'],
    keys: 'shift+s',
    prominent: true,
    // Scaling to 0 removes all pods.
    dangerousWith: { replicas: 0 },
    endsPods: ({ replicas }, facts) => lowers(replicas, facts['replicas']),
    args: { replicas: { type: 'number', label: 'Replicas', min: 0, max: 1000, from: 'replicas' } },
    requests: (_object, { replicas }, { address }) => [
      {
        method: 'PATCH',
        path: objectPath(address, 'scale'),
        contentType: patchTypes.merge,
        body: { spec: { replicas } },
      },
    ],
    kubectl: (address, { replicas }) =>
      `kubectl scale ${kubectlWorkload(kindId, address)} --replicas=${replicas}`,
  });
}

/**
 * Rolls back to an earlier revision (ControllerRevisions or ReplicaSets) by a procedure of the server. Reads the fact
 * `isFirst` if the kind knows whether the current revision is its first; the server looks for the others.
 */
export function rollbackAction(kindId: string): KindAction {
  return kindAction<KubeObject, { revision: { type: 'revision'; label: string } }>({
    id: `${kindId}.rollback`,
    title: 'Roll back…',
    description: 'Brings back the pod template of an earlier revision.',
    done: 'rolled back',
    icon: 'rollback',
    keywords: ['rollback', 'rollout', 'undo', 'revert'],
    keys: 'shift+b',
    single: true,
    endsPods: true,
    args: { revision: { type: 'revision', label: 'Revision' } },
    countsRevisions: true,
    enabled: ({ facts, joined }) =>
      facts['isPaused'] === true
        ? 'The rollout is paused. Resume it first.'
        : facts['isFirst'] === true || joined.revisions === 0
          ? 'There is no earlier revision to roll back to.'
          : true,
    procedure: 'rollback',
    kubectl: (address, { revision }) =>
      `kubectl rollout undo ${kubectlWorkload(kindId, address)} --to-revision=${revision}`,
  });
}
