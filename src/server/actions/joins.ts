import type { HorizontalPodAutoscaler, ScaledObject } from '../../kube/autoscaling.ts';
import type { ScaleTarget } from '../../kube/autoscaling-metrics.ts';
import { collectionPath } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import type { ActionJoinName, Joined } from '../../registry/kinds/kind-action.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { readAll, shaped } from '../objects/read.ts';
import { currentRevision, readRevisions } from './revisions.ts';

/** Joins objects to those that actions are judged for. One per call: what it read is read once. */
export interface Joiner {
  /** Throws ClusterProblem when the cluster cannot be asked; an API it lacks or hides joins nothing. */
  join(kind: AnyKind, object: KubeObject, names: readonly ActionJoinName[]): Promise<Joined>;
}

const autoscalers = { group: 'autoscaling', version: 'v2', plural: 'horizontalpodautoscalers' };
const scaledObjects = { group: 'keda.sh', version: 'v1alpha1', plural: 'scaledobjects' };
/** Statuses of a cluster that has no such API, or does not show it to the console. */
const statusesWithoutApi: readonly (number | undefined)[] = [403, 404, 405];
/** Autoscalers of one namespace that are looked through: neither of them can be asked for by its target. */
const maxAutoscalers = 20_000;

export function createJoiner(transport: Transport): Joiner {
  const lists = new Map<string, Promise<KubeObject[]>>();

  async function read(path: string, what: string): Promise<KubeObject[]> {
    try {
      return await readAll(transport, {
        path,
        what,
        limit: maxAutoscalers,
        tooMany: `The cluster has more than ${maxAutoscalers.toLocaleString('en')} ${what} in this namespace; this console does not search more of them for what sets a replica count.`,
      });
    } catch (error) {
      if (error instanceof ClusterProblem && statusesWithoutApi.includes(error.upstream.status)) return [];
      throw error;
    }
  }

  const list = <T extends KubeObject>(
    resource: Parameters<typeof collectionPath>[0],
    namespace: string | undefined,
  ): Promise<T[]> => {
    const path = collectionPath(resource, namespace);
    const reading = lists.get(path) ?? read(path, resource.plural);
    lists.set(path, reading);
    // Objects of one collection are of one kind.
    return reading as Promise<T[]>;
  };

  async function scaledBy(kind: AnyKind, object: KubeObject): Promise<Joined['scaledBy']> {
    const { namespace, name } = object.metadata ?? {};
    const isTarget = (target: ScaleTarget | undefined, defaultKind?: string) =>
      target?.name === name &&
      (target?.kind ?? defaultKind) === kind.kind &&
      groupOf(target, kind) === kind.group;
    const [scaled, plain] = await Promise.all([
      list<ScaledObject>(scaledObjects, namespace),
      list<HorizontalPodAutoscaler>(autoscalers, namespace),
    ]);
    return shaped('An autoscaler', () => {
      // A ScaledObject creates an autoscaler of its own: the object that people wrote comes first.
      const own = scaled.find(({ spec }) => isTarget(spec?.scaleTargetRef, 'Deployment'));
      if (own !== undefined) {
        const { minReplicaCount: min = 0, maxReplicaCount: max = 100 } = own.spec ?? {};
        return { kind: 'ScaledObject', name: cleanText(own.metadata?.name ?? ''), min, max };
      }
      const other = plain.find(({ spec }) => isTarget(spec?.scaleTargetRef));
      if (other === undefined) return undefined;
      const { minReplicas: min = 1, maxReplicas: max = min } = other.spec ?? {};
      return { kind: 'HorizontalPodAutoscaler', name: cleanText(other.metadata?.name ?? ''), min, max };
    });
  }

  /** Undefined where the cluster does not say. */
  async function otherRevisions(kind: AnyKind, object: KubeObject): Promise<number | undefined> {
    const { status } = object as { readonly status?: { readonly observedGeneration?: number } };
    // The newest template has no revision yet: what looks like the current one is an earlier one.
    const isSeen = status?.observedGeneration === object.metadata?.generation;
    if (kind.revisions === undefined || !isSeen) return undefined;
    try {
      const all = await readRevisions(transport, kind.revisions, object);
      const current = currentRevision(kind, object, all);
      return all.filter(({ number }) => number !== current).length;
    } catch (error) {
      if (error instanceof ClusterProblem) return undefined;
      throw error;
    }
  }

  return {
    async join(kind, object, names) {
      const [found, revisions] = await Promise.all([
        names.includes('scaledBy') ? scaledBy(kind, object) : undefined,
        names.includes('revisions') ? otherRevisions(kind, object) : undefined,
      ]);
      return {
        ...(found === undefined ? {} : { scaledBy: found }),
        ...(revisions === undefined ? {} : { revisions }),
      };
    },
  };
}

function groupOf(target: ScaleTarget | undefined, kind: AnyKind): string {
  const { apiVersion } = target ?? {};
  if (apiVersion === undefined || apiVersion === '') return kind.group;
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
